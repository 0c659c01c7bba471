import DefaultTheme from 'vitepress/theme';

export default {
  extends: DefaultTheme,
  enhanceApp() {
    // Pages are written on a server, which has no custom elements.
    if (!import.meta.env.SSR) import('webhlo/elements');
  },
};
