/** Gives an element a style that came on demand. @param {import('lit').LitElement} element @param {import('lit').CSSResult} style */
export function adoptStyle(element, style) {
  const root = /** @type {ShadowRoot} */ (element.renderRoot);
  const sheet = /** @type {CSSStyleSheet} */ (style.styleSheet);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
