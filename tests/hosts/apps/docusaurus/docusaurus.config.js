module.exports = {
  title: 'Layouts',
  url: 'https://example.org',
  baseUrl: '/some/app/',
  presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: undefined }, blog: false, theme: { customCss: './src/elements.css' } }]],
  clientModules: ['./src/elements.js'],
  scripts: [{ src: '/some/app/probe.js', type: 'module' }],
};
