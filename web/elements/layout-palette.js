// The CSS colours that a canvas needs, as the scheme of the moment resolves them.

import { paletteOf } from '../../js/pictures/palettes.js';

/** @typedef {import('../../js/pictures/palettes.js').Palette} Palette */

/** @param {Element} probe inside of the element, not shown @returns {Palette} */
export function readPalette(probe) {
  const style = /** @type {HTMLElement} */ (probe).style;
  const computed = getComputedStyle(probe);
  return paletteOf((name) => {
    style.color = `var(--${name})`;
    return computed.color;
  }, computed.fontFamily);
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
