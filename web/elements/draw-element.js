// webhlo/pictures: the pictures of the elements without a page, for servers and build steps.
import { HloError } from '../../js/objects/errors.js';
import { ownPalette } from '../../js/pictures/palettes.js';
import { pictureSvg } from './pictures.js';

/** Attributes that are numbers. */
const NUMBERS = ['devices', 'line', 'most', 'simd', 'step', 'tolerance', 'zoom'];
/** Attributes that are there, or not. */
const FLAGS = ['bare', 'optimised'];
const WIDTH = 960;

const camelCase = (/** @type {string} */ name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/**
 * The picture of an element as an SVG document.
 * @param {import('../../js/index.js').Runtime} hlo what `load({ origins: true })` gave
 * @param {string} tag such as 'hlo-op'
 * @param {Record<string, unknown>} [attributes] as on the element, by the names of attributes or of properties
 * @param {{ scheme?: 'light' | 'dark', width?: number }} [look] width: in pixels, as far as the picture can be narrower
 * @returns {Promise<string>}
 */
export async function drawElement(hlo, tag, attributes = {}, { scheme = 'light', width = WIDTH } = {}) {
  if (scheme !== 'light' && scheme !== 'dark') throw new TypeError(`scheme is 'light' or 'dark', got ${JSON.stringify(scheme)}`);
  if (!(width > 0)) throw new TypeError(`width is a number of pixels above 0, got ${width}`);
  if (tag !== 'hlo-grid' && !hlo.core.exports.hlo_api_origins_follow) throw new HloError('UNSUPPORTED', 'pictures need a runtime that follows origins: load({ origins: true })');
  const asked = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const property = camelCase(name);
      if (NUMBERS.includes(property) && typeof value === 'string') return [property, Number(value)];
      if (FLAGS.includes(property)) return [property, value === '' || (value !== 'false' && Boolean(value))];
      return [property, value];
    }),
  );
  return pictureSvg(hlo, tag, asked, { palette: ownPalette(scheme), width });
}
