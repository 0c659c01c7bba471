export default {
  title: 'Layouts',
  base: '/some/app/',
  // Vue leaves these elements to the browser.
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('hlo-') } } },
  head: [['script', { type: 'module', src: '/some/app/probe.js' }]],
};
