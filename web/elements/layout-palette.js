// The CSS colours that a canvas needs, as the scheme of the moment resolves them.

const NAMES = [
  'ink', 'soft', 'paper', 'shade', 'line', 'accent', 'focus', 'box', 'hatch',
  ...Array.from({ length: 8 }, (_, i) => `tile-${i}`), ...Array.from({ length: 6 }, (_, i) => `dim-${i}`),
];

/**
 * @typedef {object} Palette
 * @property {Record<string, string>} colours by the variables' names, without dashes in front
 * @property {string[]} tiles
 * @property {string[]} dims
 * @property {string} font family of the numbers
 */

/** @param {Element} probe inside of the element, not shown @returns {Palette} */
export function readPalette(probe) {
  const style = /** @type {HTMLElement} */ (probe).style;
  const computed = getComputedStyle(probe);
  /** @type {Record<string, string>} */
  const colours = {};
  for (const name of NAMES) {
    style.color = `var(--${name})`;
    colours[name] = computed.color;
  }
  return {
    colours,
    tiles: NAMES.filter((name) => name.startsWith('tile-')).map((name) => colours[name]),
    dims: NAMES.filter((name) => name.startsWith('dim-')).map((name) => colours[name]),
    font: computed.fontFamily,
  };
}

/** Calls back when colours may have changed: the system's scheme or contrast, or a class or style on the page's root. @param {() => void} changed @returns {() => void} ends it */
export function watchPalette(changed) {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', changed);
  const observer = new MutationObserver(changed);
  for (const root of [document.documentElement, document.body]) observer.observe(root, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] });
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
    observer.disconnect();
  };
}
