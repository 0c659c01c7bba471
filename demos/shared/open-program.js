// Links from a demo to its program in the playground.
import { packText } from '../../web/elements/playground-packing.js';

const PLAYGROUND = new URL('../playground/', document.baseURI);

/** @param {HTMLAnchorElement} link @param {Record<string, string>} state attributes of the playground */
function leadTo(link, state) {
  const parameters = new URLSearchParams(Object.entries(state).map(([name, value]) => [`playground.${name}`, value]));
  link.href = `${PLAYGROUND.href}#${parameters}`;
}

/** The link opens a program that the playground fetches. @param {HTMLAnchorElement} link @param {URL} url of the program @param {Record<string, string>} [state] other attributes */
export function linkProgram(link, url, state = {}) {
  leadTo(link, { src: url.origin === PLAYGROUND.origin ? url.pathname : url.href, ...state });
}

/** The link carries the program in itself. @param {HTMLAnchorElement} link @param {string} text @param {Record<string, string>} [state] other attributes */
export async function linkText(link, text, state = {}) {
  leadTo(link, { code: await packText(text), ...state });
}
