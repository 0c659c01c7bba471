// What the plugin gives as a module (plugin.js).
declare module 'virtual:search-index' {
  const index: import('../search.js').Entry[];
  export default index;
}
