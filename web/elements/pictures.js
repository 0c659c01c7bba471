// The picture of each element as an SVG document: a question to the runtime, in the element's own attributes, and no page.

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/pictures/figure.js').Look} Look */
/** @typedef {(hlo: Runtime, asked: any, look: Look) => string | Promise<string>} Maker */

/** @type {Record<string, () => Promise<{ svg: Maker }>>} */
const MAKERS = {
  'hlo-broadcast': () => import('./broadcast-picture.js'),
  'hlo-collective': () => import('./collective-picture.js'),
  'hlo-graph': () => import('./graph-picture.js'),
  'hlo-grid': () => import('./grid-picture.js'),
  'hlo-index-map': () => import('./index-map-picture.js'),
  'hlo-layout': () => import('./layout-picture.js'),
  'hlo-number': () => import('./number-picture.js'),
  'hlo-op': () => import('./op-picture.js'),
};

/**
 * @param {Runtime} hlo
 * @param {string} tag
 * @param {Record<string, unknown>} asked the element's properties: its attributes in camelCase
 * @param {Look} look
 * @returns {Promise<string>} an SVG document
 * @throws {Error} what is asked is illegal, has nothing to draw, or is too large
 */
export async function pictureSvg(hlo, tag, asked, look) {
  const make = MAKERS[tag];
  if (!make) throw new Error(`${tag} has no picture of its own: those with one are ${Object.keys(MAKERS).join(', ')}`);
  return (await make()).svg(hlo, asked, look);
}
