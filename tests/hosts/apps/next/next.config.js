// Nothing here is about WebHLO itself: the headers make pages cross-origin isolated, so that they may have threads; and the tools
// are installed two folders above this app.
const headers = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
];
const root = new URL('../..', import.meta.url).pathname;

export default { headers: async () => [{ source: '/(.*)', headers }], turbopack: { root }, outputFileTracingRoot: root };
