// The picture of an element on a page as an SVG document: loaded when it is asked for.
import { readPalette } from './layout-palette.js';
import { pictureSvg } from './pictures.js';

const WIDTH = 960;

/**
 * @param {import('lit').LitElement & { runtime?: any, problem?: Error, wake?: () => Promise<void> }} element
 * @returns {Promise<string>}
 */
export async function elementSvg(element) {
  await element.wake?.();
  await element.updateComplete;
  if (element.problem) throw element.problem;
  const probe = document.createElement('span');
  probe.hidden = true;
  probe.style.fontFamily = 'var(--mono)';
  element.renderRoot.append(probe);
  const palette = readPalette(probe);
  probe.remove();
  return pictureSvg(element.runtime, element.localName, /** @type {any} */ (element), { palette, width: element.clientWidth || WIDTH });
}
