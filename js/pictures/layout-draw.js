// Draws what is seen of a picture: cells in the colours of their tiles, padding hatched, inner tiles outlined, labels.
import { cellIn, captionHeight } from './layout-geometry.js';
import { dimensionNames } from './layout-tiling.js';

/** @typedef {import('./layout-geometry.js').Picture} Picture */
/** @typedef {import('./layout-model.js').LayoutModel} LayoutModel */
/** @typedef {import('./layout-model.js').Cell} Cell */
/** @typedef {import('./palettes.js').Palette} Palette */
/** @typedef {import('./svg-pen.js').SvgPen} SvgPen */
/** @typedef {CanvasRenderingContext2D | SvgPen} Pen */
/**
 * @typedef {object} Scene
 * @property {'array' | 'memory'} where
 * @property {LayoutModel} model
 * @property {Picture} picture
 * @property {Palette} palette
 * @property {string[]} labels
 * @property {number} line bytes of a cache line
 * @property {number} simd bytes of a vector
 * @property {number} width of the canvas, CSS pixels
 * @property {number} height
 * @property {{ left: number, top: number }} scroll
 * @property {{ x: number, y: number }} origin where the first cell stands on the unscrolled canvas
 */

/** Cells smaller than this are drawn as colours only. */
const DETAIL = 8;

/** The cell of the model at a column and row; null beyond the end of a run. @param {Scene} scene @param {number} column @param {number} row @returns {Cell | null} */
export function cellAt({ where, model, picture }, column, row) {
  const cell = cellIn(picture, column, row);
  if (cell === null) return null;
  if (where === 'memory') return model.place(/** @type {number} */ (cell));
  return model.at(typeof cell === 'number' ? (model.tiling.rank === 0 ? [] : [cell]) : cell);
}

/** What stands in the picture for a cell; null where it has no room for it. @param {Scene} scene @param {Cell} cell @returns {number[] | number | null} */
export function standsFor({ where, model, picture }, cell) {
  if (where === 'memory') return cell.offset;
  return cell.pictured && picture.kind === 'run' ? (model.tiling.rank === 0 ? 0 : cell.pictured[0]) : cell.pictured;
}

/** First and last visible columns and rows. @param {Scene} scene */
export function visible({ picture, scroll, width, height, origin }) {
  return {
    left: picture.x.find(scroll.left).i,
    right: picture.x.find(scroll.left + width - origin.x).i,
    top: picture.y.find(scroll.top - origin.y).i,
    bottom: picture.y.find(scroll.top + height - origin.y).i,
  };
}

/** @param {Pick<Scene, 'model' | 'line' | 'simd'>} scene @param {Cell} cell @param {string} label */
function labelText({ model, line, simd }, cell, label) {
  switch (label) {
    case 'index': return cell.index ? (cell.index.length === 0 ? '()' : cell.index.join(',')) : '';
    case 'value': return model.valueText(cell);
    case 'byte': return `@${model.byteText(cell.offset)}`;
    case 'line': return `L${Math.floor(model.byte(cell.offset) / line)}`;
    case 'lane': return `v${cell.offset % model.elementsIn(simd)}`;
    default: return String(cell.offset);
  }
}

/** The array's edge tells the index, memory's the offset: each picture leaves out its own where there are other labels. @param {readonly string[]} labels @param {'array' | 'memory'} where */
function labelsIn(labels, where) {
  const rest = labels.filter((label) => label !== (where === 'array' ? 'index' : 'offset'));
  return rest.length > 0 ? rest : [...labels];
}

/** Cells that have room for the widest text of each label. @param {LayoutModel} model @param {readonly string[]} labels @param {number} line @param {number} simd */
export function comfortableCells(model, labels, line, simd) {
  const last = model.place(model.shape.linearIndex(model.tiling.dimensions.map((size) => size - 1)));
  const scene = { model, line, simd };
  const size = (/** @type {'array' | 'memory'} */ where) => {
    const texts = labelsIn(labels, where).map((label) => (label === 'offset' ? String(model.places - 1) : labelText(scene, last, label)));
    return { width: Math.max(38, Math.round(Math.max(0, ...texts.map((text) => text.length)) * 7.6 + 14)), lines: texts.length };
  };
  const array = size('array'), memory = size('memory');
  const height = Math.max(38, Math.max(array.lines, memory.lines) * 14 + 12);
  return { array: { width: array.width, height }, memory: { width: memory.width, height } };
}

/** @type {WeakMap<CanvasRenderingContext2D, { key: string, pattern: CanvasPattern | null }>} */
const patterns = new WeakMap();

/** Diagonal lines. @param {Pen} context @param {string} colour @param {number} ratio device pixels for a CSS pixel */
function hatch(context, colour, ratio) {
  if ('hatch' in context) return context.hatch(colour);
  const key = `${colour} ${ratio}`;
  const kept = patterns.get(context);
  if (kept?.key === key) return kept.pattern;
  const size = Math.round(7 * ratio);
  const tile = document.createElement('canvas');
  tile.width = tile.height = size;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  pen.strokeStyle = colour;
  pen.lineWidth = 1.3 * ratio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix([1 / ratio, 0, 0, 1 / ratio, 0, 0]));
  patterns.set(context, { key, pattern });
  return pattern;
}

/** Runs of one colour in one stroke: tens of thousands of cells a frame. @param {Pen} context @param {Scene} scene @param {ReturnType<typeof visible>} seen @param {number[]} xs @param {number[]} ys @param {number} ratio */
function drawColours(context, { where, model, picture, palette }, seen, xs, ys, ratio) {
  const { colours, offsets } = model;
  const { dimensions, rank } = model.tiling;
  const { cell } = picture.x;
  const colourIn = (/** @type {number} */ column, /** @type {number} */ row) => {
    const found = cellIn(picture, column, row);
    if (found === null) return -1;
    if (where === 'memory') return colours[/** @type {number} */ (found)];
    if (typeof found === 'number') return rank === 0 || found < dimensions[0] ? colours[offsets[found]] : 0;
    let element = 0;
    for (let d = 0; d < rank; d++) {
      if (found[d] >= dimensions[d]) return 0;
      element = element * dimensions[d] + found[d];
    }
    return colours[offsets[element]];
  };
  const shades = [hatch(context, palette.colours.hatch, ratio) ?? palette.colours.hatch, ...palette.tiles];
  for (let row = seen.top; row <= seen.bottom; row++) {
    const y = ys[row - seen.top];
    let from = seen.left;
    let colour = colourIn(from, row);
    for (let column = from + 1; column <= seen.right + 1; column++) {
      const next = column > seen.right ? -2 : colourIn(column, row);
      const touches = column <= seen.right && xs[column - seen.left] - xs[column - 1 - seen.left] < cell + 0.01;
      if (next === colour && touches) continue;
      if (colour >= 0) {
        context.fillStyle = shades[colour];
        const x = xs[from - seen.left];
        context.fillRect(x, y, xs[column - 1 - seen.left] + cell - x, picture.y.cell >= 4 ? picture.y.cell - 0.5 : picture.y.cell);
      }
      from = column;
      colour = next;
    }
  }
}

/** The edges of an inner tile that run along a cell, corners rounded. @param {Pen} context @param {number} x @param {number} y @param {number} width @param {number} height @param {boolean[]} sides left, top, right, bottom */
function traceEdges(context, x, y, width, height, [left, top, right, bottom]) {
  const inset = 2.5;
  const radius = Math.min(4, width / 4, height / 4);
  const x0 = left ? x + inset : x - 0.5, x1 = right ? x + width - inset : x + width + 0.5;
  const y0 = top ? y + inset : y - 0.5, y1 = bottom ? y + height - inset : y + height + 0.5;
  const corner = (/** @type {boolean} */ both) => (both ? radius : 0);
  if (top) {
    context.moveTo(x0 + corner(left), y0);
    context.lineTo(x1 - corner(right), y0);
    if (right) context.arcTo(x1, y0, x1, y0 + radius, radius);
  }
  if (right) {
    context.moveTo(x1, y0 + corner(top));
    context.lineTo(x1, y1 - corner(bottom));
    if (bottom) context.arcTo(x1, y1, x1 - radius, y1, radius);
  }
  if (bottom) {
    context.moveTo(x1 - corner(right), y1);
    context.lineTo(x0 + corner(left), y1);
    if (left) context.arcTo(x0, y1, x0, y1 - radius, radius);
  }
  if (left) {
    context.moveTo(x0, y1 - corner(bottom));
    context.lineTo(x0, y0 + corner(top));
    if (top) context.arcTo(x0, y0, x0 + radius, y0, radius);
  }
}

/** Whether two cells are in the same tile of a level. @param {Cell | null} a @param {Cell | null} b @param {number} level @param {number} prefix coordinates that number the tiles */
function together(a, b, level, prefix) {
  const one = a?.steps?.[level + 1], other = b?.steps?.[level + 1];
  if (!one || !other) return false;
  for (let i = 0; i < prefix; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** Outlines of the tiles inside of tiles, as in Figure 2 of "Tiled layout". @param {Pen} context @param {Scene} scene @param {ReturnType<typeof visible>} seen @param {number[]} xs @param {number[]} ys */
function drawInnerTiles(context, scene, seen, xs, ys) {
  const { model, picture, palette } = scene;
  const { levels } = model.tiling;
  for (let level = levels.indexOf(model.tiling.firstTile) + 1; level < levels.length; level++) {
    const { kept, groups } = levels[level];
    if (groups.every(({ size }) => size === 1)) continue;
    const prefix = kept + groups.length;
    const { x: { cell: width }, y: { cell: height } } = picture;
    context.strokeStyle = palette.colours.box;
    context.lineWidth = width >= 20 ? 1.75 : 1;
    context.setLineDash(level === levels.length - 1 ? [] : [4, 2]);
    for (const padding of [true, false]) {
      context.beginPath();
      for (let row = seen.top; row <= seen.bottom; row++)
        for (let column = seen.left; column <= seen.right; column++) {
          const cell = cellAt(scene, column, row);
          if (!cell?.steps || (cell.index === null) !== padding) continue;
          const differs = (/** @type {number} */ dx, /** @type {number} */ dy) => {
            const c = column + dx, r = row + dy;
            return c < 0 || r < 0 || c >= picture.x.count || r >= picture.y.count || !together(cell, cellAt(scene, c, r), level, prefix);
          };
          traceEdges(context, xs[column - seen.left], ys[row - seen.top], width, height, [differs(-1, 0), differs(0, -1), differs(1, 0), differs(0, 1)]);
        }
      context.globalAlpha = padding ? 0.4 : 1;
      context.stroke();
    }
    context.setLineDash([]);
  }
}

/** The labels that have room in every cell, with their sizes. @param {Pick<Scene, 'where' | 'model' | 'picture' | 'labels' | 'line' | 'simd'>} scene @returns {{ label: string, size: number }[]} */
export function roomyLabels(scene) {
  const { picture, model, labels, where } = scene;
  const asked = labelsIn(labels, where);
  const shown = asked.slice(0, Math.max(1, Math.floor((picture.y.cell - 3) / 9.5)));
  const pitch = Math.min(15, (picture.y.cell - 3) / shown.length);
  const last = model.place(where === 'memory' || model.count === 0 ? model.places - 1 : model.shape.linearIndex(model.tiling.dimensions.map((size) => size - 1)));
  const widest = (/** @type {string} */ label) => Math.max(labelText(scene, last, label).length, label === 'offset' ? String(model.places - 1).length : label === 'index' ? model.tiling.dimensions.map((size) => size - 1).join().length : 1);
  return shown.map((label, i) => ({ label, size: Math.min(i === 0 ? 13 : 11.5, pitch * 0.95, (picture.x.cell - 4) / (widest(label) * 0.61)) })).filter(({ size }) => size >= 7.5);
}

/** @param {Pen} context @param {Scene} scene @param {Cell} cell @param {number} x @param {number} y @param {{ label: string, size: number }[]} labels */
function drawLabels(context, scene, cell, x, y, labels) {
  const { picture, palette } = scene;
  const width = picture.x.cell, height = picture.y.cell;
  const pitch = Math.min(15, (height - 3) / labels.length);
  labels.forEach(({ label, size }, i) => {
    const text = labelText(scene, cell, label);
    if (!text) return;
    context.font = `${cell.index && i === 0 ? 600 : 400} ${size}px ${palette.font}`;
    context.fillStyle = cell.index ? palette.colours.ink : palette.colours.soft;
    context.fillText(text, x + width / 2, y + height / 2 + (i - (labels.length - 1) / 2) * pitch + size * 0.05);
  });
}

/** @param {Pen} context @param {Scene} scene @param {ReturnType<typeof visible>} seen @param {number[]} xs @param {number[]} ys @param {number} ratio */
function drawCells(context, scene, seen, xs, ys, ratio) {
  const { picture, palette, model } = scene;
  const width = picture.x.cell, height = picture.y.cell;
  const inset = width >= 14 ? 1 : 0.5;
  const radius = width >= 14 ? Math.min(5, width * 0.14) : 0;
  const labels = roomyLabels(scene);
  const marks = scene.labels.includes('line');
  const pattern = hatch(context, palette.colours.hatch, ratio);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let row = seen.top; row <= seen.bottom; row++)
    for (let column = seen.left; column <= seen.right; column++) {
      const cell = cellAt(scene, column, row);
      if (!cell) continue;
      const x = xs[column - seen.left], y = ys[row - seen.top];
      context.beginPath();
      context.roundRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset, radius);
      context.fillStyle = cell.index ? palette.tiles[cell.colour] : palette.colours.paper;
      context.fill();
      if (!cell.index) {
        context.fillStyle = cell.steps ? palette.tiles[cell.colour] : palette.colours.paper;
        context.globalAlpha = 0.3;
        context.fill();
        context.globalAlpha = 1;
        context.fillStyle = pattern ?? palette.colours.hatch;
        context.fill();
      }
      if (marks) {
        context.fillStyle = Math.floor(model.byte(cell.offset) / scene.line) % 2 ? palette.colours.accent : palette.colours.ink;
        context.fillRect(x + inset + radius / 2, y + height - inset - 3.5, width - 2 * inset - radius, 2.5);
      }
      if (labels.length > 0) drawLabels(context, scene, cell, x, y, labels);
    }
}

/** How many cells lie between two numbers at an edge. @param {number} cell @param {number} room */
const every = (cell, room) => [1, 2, 4, 8, 16, 32, 64, 128, 256].find((step) => step * cell >= room) ?? 512;

/** The numbers along the upper edge that are in sight, and the middles of their columns. @param {Scene} scene @returns {{ x: number, text: string }[]} */
export function columnLabels(scene) {
  const { picture, origin, scroll, where } = scene;
  const columns = picture.x.counts[picture.x.counts.length - 1];
  const panels = picture.kind === 'panels';
  const step = every(picture.x.cell, panels ? 20 : 26);
  const { left, right } = visible(scene);
  return Array.from({ length: Math.max(right - left + 1, 0) }, (_, i) => left + i).flatMap((column) => {
    const value = panels ? column % columns : column;
    const x = origin.x + picture.x.start(column) - scroll.left + picture.x.cell / 2;
    const room = value === 0 || !panels || picture.x.counts.length === 1 || (columns - value) * picture.x.cell + picture.x.panelGap >= 18;
    return value % step === 0 && room && x > origin.x ? [{ x, text: panels || where === 'array' ? String(value) : `+${value}` }] : [];
  });
}

/** Indices along the edges of the array; offsets along those of memory. @param {Pen} context @param {Scene} scene @param {ReturnType<typeof visible>} seen @param {number[]} ys */
function drawEdges(context, scene, seen, ys) {
  const { picture, palette, origin, width, height, model } = scene;
  const { rank } = model.tiling;
  const names = dimensionNames(rank);
  context.fillStyle = palette.colours.paper;
  context.fillRect(0, 0, width, 22);
  context.fillRect(0, 0, origin.x - 2, height);
  context.font = `11px ${palette.font}`;
  context.textBaseline = 'middle';
  const rows = picture.y.counts[picture.y.counts.length - 1];
  const panels = picture.kind === 'panels';
  const colourOf = (/** @type {number | undefined} */ d) => (d === undefined ? palette.colours.soft : palette.dims[d % palette.dims.length]);
  context.textAlign = 'center';
  context.fillStyle = colourOf(panels ? picture.across.at(-1) : undefined);
  for (const { x, text } of columnLabels(scene)) context.fillText(text, x, 12);
  context.textAlign = 'right';
  context.fillStyle = colourOf(panels ? picture.down.at(-1) : undefined);
  const stepY = every(picture.y.cell, 15);
  for (let row = seen.top; row <= seen.bottom; row++) {
    const value = panels ? row % rows : row;
    const y = ys[row - seen.top] + picture.y.cell / 2;
    if (value % stepY === 0 && y > 27) context.fillText(String(panels ? value : row * picture.x.count), origin.x - 8, y);
  }
  if (!panels) return;
  const long = names[0].length > 1;
  context.font = `italic 600 ${long ? 10.5 : 12}px ${palette.font}`;
  context.textAlign = 'left';
  context.fillStyle = colourOf(picture.down.at(-1));
  context.fillText(`${names[picture.down.at(-1) ?? 0]}↓`, 2, long ? 6 : 12);
  context.fillStyle = colourOf(picture.across.at(-1));
  context.fillText(`${names[picture.across.at(-1) ?? 0]}→`, long ? 2 : 20, long ? 17 : 12);
}

/** The outer coordinates of a panel above it. @param {Pen} context @param {Scene} scene @param {ReturnType<typeof visible>} seen @param {number[]} xs @param {number[]} ys */
function drawPanelNames(context, scene, seen, xs, ys) {
  const { picture, palette, model } = scene;
  const { rank } = model.tiling;
  if (picture.kind !== 'panels' || rank < 3 || captionHeight(picture.y.cell) === 0) return;
  const names = dimensionNames(rank);
  const columns = picture.x.counts[picture.x.counts.length - 1], rows = picture.y.counts[picture.y.counts.length - 1];
  const wide = picture.x.lengths[picture.x.lengths.length - 1];
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  for (let row = seen.top; row <= seen.bottom; row++) {
    if (row % rows !== 0) continue;
    for (let column = seen.left; column <= seen.right; column++) {
      if (column % columns !== 0) continue;
      const index = /** @type {number[]} */ (cellIn(picture, column, row));
      let x = xs[column - seen.left] + 1;
      const end = x + wide;
      for (let d = 0; d < rank - 2; d++) {
        context.font = `italic 600 11.5px ${palette.font}`;
        context.fillStyle = palette.dims[d % palette.dims.length];
        const text = `${names[d]}=${index[d]}`;
        if (x + text.length * 7 > end + 12) break;
        context.fillText(text, x, ys[row - seen.top] - 5);
        x += context.measureText(`${text} `).width;
      }
    }
  }
}

/** Everything that does not follow the pointer. @param {Pen} context @param {Scene} scene @param {number} ratio device pixels for a CSS pixel */
export function drawPicture(context, scene, ratio) {
  const { picture, scroll, origin, width, height, palette, model } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = palette.colours.paper;
  context.fillRect(0, 0, width, height);
  if (picture.x.count === 0 || picture.y.count === 0) return;
  const seen = visible(scene);
  const xs = [], ys = [];
  for (let column = seen.left; column <= seen.right; column++) xs.push(origin.x + picture.x.start(column) - scroll.left);
  for (let row = seen.top; row <= seen.bottom; row++) ys.push(origin.y + picture.y.start(row) - scroll.top);
  if (Math.min(picture.x.cell, picture.y.cell) < DETAIL && model.small) drawColours(context, scene, seen, xs, ys, ratio);
  else {
    drawCells(context, scene, seen, xs, ys, ratio);
    if (model.tiling.tiled && Math.min(picture.x.cell, picture.y.cell) >= 14) drawInnerTiles(context, scene, seen, xs, ys);
  }
  drawPanelNames(context, scene, seen, xs, ys);
  drawEdges(context, scene, seen, ys);
}
