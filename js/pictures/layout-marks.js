// Draws what follows the pointer or the walk: the cell of the moment, its tile, what shares its cache line, the way here.
import { box, columnAndRow } from './layout-geometry.js';
import { columnLabels, standsFor } from './layout-draw.js';

/** @typedef {import('./layout-draw.js').Scene} Scene */
/** @typedef {import('./layout-draw.js').Pen} Pen */
/** @typedef {import('./layout-model.js').Cell} Cell */
/**
 * @typedef {object} Marks
 * @property {Cell | null} cell
 * @property {number} unit bytes of the cache line or vector to show around the cell; 0 for none
 * @property {Cell[]} trail cells that a walk has come through, the last one at the end
 */

/** Where a cell stands on the canvas; null where the picture has no room for it. @param {Scene} scene @param {Cell} cell */
export function boxOnCanvas(scene, cell) {
  const stands = standsFor(scene, cell);
  if (stands === null) return null;
  const { x, y, width, height } = box(scene.picture, stands);
  return { x: x + scene.origin.x - scene.scroll.left, y: y + scene.origin.y - scene.scroll.top, width, height };
}

/** The outline of places from..to of a run, over as many rows as they take. @param {Pen} context @param {Scene} scene @param {number} from @param {number} to one after the last */
function traceRun(context, { picture, origin, scroll }, from, to) {
  const row = (/** @type {number} */ place) => Math.floor(place / picture.x.count);
  const last = Math.min(to, picture.cells) - 1;
  const left = (/** @type {number} */ place) => origin.x + picture.x.start(place % picture.x.count) - scroll.left;
  const top = (/** @type {number} */ r) => origin.y + picture.y.start(r) - scroll.top;
  const right = (/** @type {number} */ place) => left(place) + picture.x.cell;
  const bottom = (/** @type {number} */ r) => top(r) + picture.y.cell;
  const first = row(from), end = row(last);
  if (first === end) return context.roundRect(left(from), top(first), right(last) - left(from), picture.y.cell, 4);
  const x0 = left(0), x1 = right(picture.x.count - 1);
  if (end === first + 1 && left(from) > right(last)) {
    context.roundRect(left(from), top(first), x1 - left(from), picture.y.cell, 4);
    context.roundRect(x0, top(end), right(last) - x0, picture.y.cell, 4);
    return;
  }
  const points = [[left(from), top(first)], [x1, top(first)], [x1, bottom(end - 1)], [right(last), bottom(end - 1)], [right(last), bottom(end)], [x0, bottom(end)], [x0, top(first + 1)], [left(from), top(first + 1)]];
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

/** @param {Pen} context @param {Scene} scene @param {Cell} cell */
function drawTile(context, scene, cell) {
  const { model: { tiling }, picture, origin, scroll, palette } = scene;
  if (!tiling.tiled || !cell.steps) return;
  context.beginPath();
  if (picture.kind === 'run') {
    if (scene.where === 'memory') {
      if (tiling.tilePlaces === Infinity) return;
      const from = cell.offset - (cell.offset % tiling.tilePlaces);
      traceRun(context, scene, from, from + tiling.tilePlaces);
    } else if (cell.pictured) {
      const from = (cell.pictured[0] ?? 0) - ((cell.pictured[0] ?? 0) % tiling.tileElements);
      traceRun(context, scene, from, from + tiling.tileElements);
    }
  } else {
    const stands = standsFor(scene, cell);
    if (stands === null) return;
    const dims = [picture.across.at(-1), picture.down.at(-1)];
    const sizes = dims.map((d) => tiling.tileGroups.find(({ positions }) => positions.length === 1 && tiling.order[positions[0]] === d)?.size);
    if (sizes.some((size) => size === undefined)) return;
    const at = columnAndRow(picture, stands);
    const spans = [picture.x, picture.y].map((axis, i) => {
      const inner = at[i] % axis.counts[axis.counts.length - 1], size = /** @type {number} */ (sizes[i]);
      const from = at[i] - (inner % size);
      const to = Math.min(from + size, at[i] - inner + axis.counts[axis.counts.length - 1]) - 1;
      return [axis.start(from), axis.start(to) + axis.cell];
    });
    context.roundRect(origin.x + spans[0][0] - scroll.left - 0.5, origin.y + spans[1][0] - scroll.top - 0.5, spans[0][1] - spans[0][0] + 1, spans[1][1] - spans[1][0] + 1, 6);
  }
  context.strokeStyle = palette.colours.ink;
  context.lineWidth = 1.5;
  context.stroke();
}

/** The places of a cache line or of a vector around the cell. @param {Pen} context @param {Scene} scene @param {Cell} cell @param {number} unit */
function drawUnit(context, scene, cell, unit) {
  const { model, palette } = scene;
  const many = model.elementsIn(unit);
  const from = Math.floor(model.byte(cell.offset) / unit) * many;
  const to = Math.min(from + many, model.places);
  if (to - from < 2) return;
  context.fillStyle = context.strokeStyle = palette.colours.accent;
  if (scene.where === 'memory') {
    context.beginPath();
    traceRun(context, scene, from, to);
    context.lineWidth = 2;
    context.stroke();
    return;
  }
  context.beginPath();
  for (let place = from; place < to; place++) {
    const other = model.place(place);
    const at = other.index && boxOnCanvas(scene, other);
    if (!at) continue;
    context.rect(at.x + at.width * 0.12, at.y + (at.height >= 14 ? 1 : 0), at.width * 0.76, Math.max(1.5, Math.min(3, at.height / 8)));
  }
  context.fill();
}

/** @param {Pen} context @param {Scene} scene @param {Cell[]} trail */
function drawTrail(context, scene, trail) {
  const points = trail.map((cell) => boxOnCanvas(scene, cell)).map((at) => at && { x: at.x + at.width / 2, y: at.y + at.height / 2 });
  context.strokeStyle = scene.palette.colours.accent;
  context.lineCap = 'round';
  for (let i = 1; i < points.length; i++) {
    const from = points[i - 1], to = points[i];
    if (!from || !to) continue;
    context.globalAlpha = 0.12 + (0.78 * i) / points.length;
    context.lineWidth = 1 + (1.25 * i) / points.length;
    context.beginPath();
    context.moveTo(from.x, from.y);
    // Jumps are arcs, so that those along one row do not cover each other.
    const x = to.x - from.x, y = to.y - from.y;
    const bulge = Math.hypot(x, y) > 2.5 * Math.max(scene.picture.x.cell, scene.picture.y.cell) ? 0.18 : 0;
    context.quadraticCurveTo(from.x + x / 2 + y * bulge, from.y + y / 2 - x * bulge, to.x, to.y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** @param {Pen} context @param {Scene} scene @param {{ x: number, y: number, width: number, height: number }} at */
function drawRing(context, { palette }, at) {
  const size = Math.max(9, at.width, at.height);
  const width = Math.max(at.width, Math.min(size, 9)), height = Math.max(at.height, Math.min(size, 9));
  const x = at.x + (at.width - width) / 2, y = at.y + (at.height - height) / 2;
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(6, width / 3));
  context.shadowColor = palette.colours.accent;
  context.shadowBlur = 8;
  context.strokeStyle = palette.colours.accent;
  context.lineWidth = 3;
  context.stroke();
  context.shadowBlur = 0;
  context.beginPath();
  context.roundRect(x - 2, y - 2, width + 4, height + 4, Math.min(7, width / 3));
  context.strokeStyle = palette.colours.paper;
  context.lineWidth = 1;
  context.stroke();
}

/** The coordinates of the cell at the edges, each in its dimension's colour. @param {Pen} context @param {Scene} scene @param {Cell} cell @param {{ x: number, y: number, width: number, height: number }} at */
function drawEdgeMarks(context, scene, cell, at) {
  const { picture, palette, origin } = scene;
  const panels = picture.kind === 'panels' && cell.pictured;
  const dims = [picture.across.at(-1), picture.down.at(-1)];
  const texts = panels ? dims.map((d) => String(cell.pictured?.[d ?? 0])) : scene.where === 'memory' ? [String(cell.offset), ''] : [String(cell.pictured?.[0] ?? ''), ''];
  context.font = `700 11.5px ${palette.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  texts.forEach((text, i) => {
    if (!text) return;
    const width = Math.max(20, text.length * 7.2 + 8);
    // Whole beside a small cell at the far edge; out of sight with a cell that is.
    const right = at.x < scene.width ? scene.width - width / 2 : Infinity, bottom = at.y < scene.height ? scene.height - 9 : Infinity;
    const x = i === 0 ? Math.min(at.x + at.width / 2, right) : origin.x - 4 - width / 2, y = i === 0 ? 12 : Math.min(at.y + at.height / 2, bottom);
    if (x < origin.x - width && i === 0) return;
    context.fillStyle = palette.colours.paper;
    if (i === 1) context.fillRect(x - width / 2 - 6, y - 9, width + 7, 18);
    // Numbers that the mark would cover in part go as a whole.
    else
      for (const label of columnLabels(scene)) {
        const half = label.text.length * 3.6 + 1;
        if (Math.abs(label.x - x) < half + width / 2) context.fillRect(label.x - half, 2, 2 * half, 19);
      }
    context.fillStyle = panels ? palette.dims[(dims[i] ?? 0) % palette.dims.length] : palette.colours.ink;
    context.beginPath();
    context.roundRect(x - width / 2, y - 9, width, 18, 5);
    context.fill();
    context.fillStyle = palette.colours.paper;
    context.fillText(text, x, y + 0.5);
  });
}

/** @param {Pen} context @param {Scene} scene @param {Marks} marks @param {number} ratio */
export function drawMarks(context, scene, { cell, unit, trail }, ratio) {
  const { width, height, origin } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const at = cell && boxOnCanvas(scene, cell);
  context.save();
  context.beginPath();
  context.rect(origin.x - 3, 22, width, height);
  context.clip();
  if (cell) drawTile(context, scene, cell);
  if (cell && unit) drawUnit(context, scene, cell, unit);
  if (trail.length > 1) drawTrail(context, scene, trail);
  if (at) drawRing(context, scene, at);
  context.restore();
  if (cell && at && at.y > -at.height && at.y < height) drawEdgeMarks(context, scene, cell, at);
}
