// An array and its memory side by side as an SVG document, for print and for pages that are written elsewhere.
import { HloError } from '../objects/errors.js';
import { comfortableCells, drawPicture, roomyLabels } from './layout-draw.js';
import { arrange, contentOf } from './layout-geometry.js';
import { SHOWN } from './layout-labels.js';
import { linkBetween } from './layout-link.js';
import { boxOnCanvas, drawMarks } from './layout-marks.js';
import { LayoutModel } from './layout-model.js';
import { SvgPen, escaped, svgDocument } from './svg-pen.js';

/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {import('./palettes.js').Palette} Palette */
/** @typedef {'array' | 'memory'} Where */
/**
 * @typedef {object} SvgOptions
 * @property {Palette} palette
 * @property {ArrayLike<unknown> | null} [values] of the elements, in row-major order
 * @property {string[]} [labels] what the cells show: index, offset, value, byte, line, lane
 * @property {string | null} [at] the cell that is marked: an index such as `2,3`, or a place in memory such as `@17`
 * @property {'both' | Where} [view]
 * @property {number} [width] in CSS pixels
 * @property {number} [zoom] size of a cell; 0 for what fits
 * @property {number} [line] bytes of a cache line
 * @property {number} [simd] bytes of a vector
 */

const MOST_PLACES = 16384;
const BRIDGE = 44, CAPTION = 24, TITLE = 34;

/** Every place of the memory is drawn. @param {Shape} shape a static array of at least one element @param {SvgOptions} options @returns {string} */
export function layoutSvg(shape, { palette, values = null, labels = ['index', 'offset'], at = null, view = 'both', width = 960, zoom = 0, line = 64, simd = 16 }) {
  const model = new LayoutModel(shape, values);
  if (model.places > MOST_PLACES) throw new HloError('LIMIT', `${shape} takes ${model.places} places; an SVG has room for ${MOST_PLACES}`);
  const cell = model.find(at) ?? (at === null ? model.first() : null);
  if (!cell) throw new HloError('ARGUMENT', `the cell to mark is an index of ${shape} such as '${model.tiling.dimensions.map(() => 0)}', or a place in memory such as '@0'; got '${at}'`);
  const { stacked, array, memory } = arrange(model.tiling, { width, height: 520, cells: comfortableCells(model, labels, line, simd), zoom, view });
  const pictures = { array, memory };
  const unit = labels.includes('line') ? line : labels.includes('lane') ? simd : 0;
  const { colours, font } = palette;
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ size, /** @type {string} */ colour, /** @type {string} */ words, more = '') =>
    `<text x="${x}" y="${y}" font-size="${size}" font-family="${escaped(more ? font : 'system-ui, sans-serif')}" fill="${colour}"${more}>${words}</text>`;

  let left = 0, top = TITLE, wide = 0, high = 0;
  /** @type {string[]} */
  const parts = [];
  /** @type {string[]} */
  const definitions = [];
  /** @type {Partial<Record<Where, import('./layout-link.js').End>>} */
  const ends = {};
  for (const where of /** @type {Where[]} */ (view === 'both' ? ['array', 'memory'] : [view])) {
    const picture = pictures[where];
    const content = contentOf(model.tiling, picture);
    const scene = { where, model, picture, palette, labels, line, simd, ...content, scroll: { left: 0, top: 0 } };
    const pen = new SvgPen();
    drawPicture(pen, scene, 1);
    drawMarks(pen, scene, { cell, unit, trail: [] }, 1);
    const shown = roomyLabels(scene).map(({ label }) => SHOWN[/** @type {keyof typeof SHOWN} */ (label)]);
    const size = where === 'array' ? model.tiling.dimensions.join(' × ') || 'a scalar' : `${model.places} places, ${shape.arraySize} bytes`;
    const caption = `<tspan font-weight="700" fill="${colours.ink}">${where === 'array' ? 'Array' : 'Memory'}</tspan> ${size}${shown.length > 0 ? `, showing ${shown.join(', ')}` : ''}`;
    parts.push(text(left + content.origin.x, top + 14, 13, colours.soft, caption));
    parts.push(`<g transform="translate(${left} ${top + CAPTION})">`, pen.take(), '</g>');
    if (!definitions.includes(pen.definitions)) definitions.push(pen.definitions);
    const place = boxOnCanvas(scene, cell);
    const y = top + CAPTION;
    if (place)
      ends[where] = {
        cell: { left: left + place.x, top: y + place.y, right: left + place.x + place.width, bottom: y + place.y + place.height },
        picture: { left: left + content.origin.x, top: y + content.origin.y, right: left + content.width, bottom: y + content.height },
      };
    wide = Math.max(wide, left + content.width);
    high = Math.max(high, y + content.height);
    if (stacked) top = high + 16;
    else left += Math.ceil(content.width) + BRIDGE;
  }
  if (ends.array && ends.memory) {
    const { path, ends: points } = linkBetween(ends.array, ends.memory, stacked);
    parts.push(`<path d="${path}" fill="none" stroke="${colours.accent}" stroke-width="1.75" opacity="0.75"/>`);
    for (const [x, y] of points) parts.push(`<circle cx="${x}" cy="${y}" r="4" fill="${colours.accent}" stroke="${colours.paper}" stroke-width="1.5"/>`);
  }
  return svgDocument({
    title: `${shape}: ${cell.index ? `element (${cell.index.join(',')})` : 'padding'} lies at offset ${cell.offset}`,
    width: Math.max(wide, String(shape).length * 10 + 8),
    height: high + 4,
    paper: colours.paper,
    definitions: definitions.join(''),
    marks: `${text(4, 20, 16, colours.ink, escaped(String(shape)), ' font-weight="600"')}\n${parts.join('\n')}`,
  });
}
