// Draws what is seen of a graph.
import { nameLabel, shapeLabel } from './graph-model.js';

/** @typedef {import('./graph-model.js').Box} Box */
/** @typedef {import('./graph-model.js').Picture} Picture */
/** @typedef {CanvasRenderingContext2D | import('../../js/pictures/svg-pen.js').SvgPen} Pen */
/** @typedef {{ left: number, top: number, width: number, height: number, zoom: number }} Window in pixels of the picture at its zoom */

/** Texts are left out where they would be smaller than this zoom makes them. */
const READABLE = 0.45;

const PRODUCTS = new Set(['dot', 'convolution', 'fft', 'sort', 'reduce', 'reduce-window', 'cholesky', 'triangular-solve']);
const SOURCES = new Set(['constant', 'iota']);

/** @param {Box} box @param {Record<string, string>} colours */
function fillOf({ instruction: { op, calls }, isOpen }, colours) {
  if (isOpen) return colours.shade;
  if (op === 'parameter') return colours['tile-0'];
  if (calls.length && (op === 'fusion' || op === 'while' || op === 'conditional' || op === 'call')) return colours['tile-1'];
  if (PRODUCTS.has(op)) return colours['tile-2'];
  if (SOURCES.has(op)) return colours.shade;
  return colours.paper;
}

/**
 * @param {Pen} context
 * @param {Picture} picture
 * @param {Window} seen
 * @param {import('./layout-palette.js').Palette} palette
 * @param {{ chosen: Box | undefined, marked: (box: Box) => boolean }} state
 * @param {number} ratio of pixels
 */
export function drawGraph(context, picture, seen, { colours, font }, { chosen, marked }, ratio) {
  const { left, top, width, height, zoom } = seen;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, -left * ratio, -top * ratio);
  const view = { x0: left / zoom, y0: top / zoom, x1: (left + width) / zoom, y1: (top + height) / zoom };
  const texts = zoom >= READABLE;
  const isSeen = (/** @type {Box} */ box) => box.x < view.x1 && box.x + box.width > view.x0 && box.y < view.y1 && box.y + box.height > view.y0;
  const boxes = picture.boxes.filter(isSeen);
  context.lineWidth = 1 / Math.max(zoom, 0.5);
  for (const box of boxes) if (box.isOpen) drawBox(context, box, colours, marked(box), false);
  drawLines(context, picture, view, colours, chosen, zoom);
  context.textBaseline = 'middle';
  for (const box of boxes) {
    if (!box.isOpen) drawBox(context, box, colours, marked(box), false);
    if (box === chosen) drawBox(context, box, colours, marked(box), true);
    if (texts) drawTexts(context, box, colours, font);
  }
}

/** @param {Pen} context @param {Box} box @param {Record<string, string>} colours @param {boolean} isMarked @param {boolean} ringOnly */
function drawBox(context, box, colours, isMarked, ringOnly) {
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, box.instruction.op === 'parameter' ? 14 : 4);
  const { lineWidth } = context;
  if (!ringOnly) {
    context.fillStyle = fillOf(box, colours);
    context.fill();
    context.strokeStyle = isMarked ? colours.accent : colours.soft;
    if (isMarked) context.lineWidth = lineWidth * 2.5;
  } else {
    context.strokeStyle = colours.accent;
    context.lineWidth = lineWidth * 3.5;
  }
  context.stroke();
  if (box.isRoot && !ringOnly) {
    context.beginPath();
    context.roundRect(box.x + 3, box.y + 3, box.width - 6, box.height - 6, 3);
    context.lineWidth = lineWidth;
    context.stroke();
  }
  context.lineWidth = lineWidth;
}

/** @param {Pen} context @param {Box} box @param {Record<string, string>} colours @param {string} font */
function drawTexts(context, box, colours, font) {
  const { instruction } = box;
  const top = box.isOpen ? box.y : box.y + (box.height - 40) / 2;
  context.textAlign = box.isOpen ? 'left' : 'center';
  const x = box.isOpen ? box.x + 12 : box.x + box.width / 2 + (instruction.calls.length ? 8 : 0);
  context.font = `600 12px ${font}`;
  context.fillStyle = colours.ink;
  context.fillText(nameLabel(instruction), x, top + 13);
  context.font = `11px ${font}`;
  context.fillStyle = box.isOpen || instruction.op === 'parameter' || instruction.calls.length ? colours.ink : colours.soft;
  context.fillText(shapeLabel(instruction), x, top + 28);
  if (instruction.calls.length) {
    context.font = `14px ${font}`;
    context.fillStyle = colours.ink;
    context.textAlign = 'center';
    context.fillText(box.isOpen ? '−' : '+', box.isOpen ? box.x + box.width - 14 : box.x + 12, top + 20);
  }
  context.textAlign = 'left';
  context.font = `italic 11px ${font}`;
  context.fillStyle = colours.soft;
  for (const { y, text } of box.titles) context.fillText(text, box.x + 14, y + 10);
}

/** @param {Pen} context @param {Picture} picture @param {{ x0: number, y0: number, x1: number, y1: number }} view @param {Record<string, string>} colours @param {Box | undefined} chosen @param {number} zoom */
function drawLines(context, { lines }, view, colours, chosen, zoom) {
  const near = [];
  context.beginPath();
  for (const line of lines) {
    const { points } = line;
    const last = points.length - 2;
    const [low, high] = points[1] < points[last + 1] ? [points[1], points[last + 1]] : [points[last + 1], points[1]];
    if (high < view.y0 || low > view.y1 || isBeside(points, view)) continue;
    if (chosen && (line.from === chosen || line.to === chosen)) near.push(points);
    else trace(context, points, zoom);
  }
  context.strokeStyle = colours.soft;
  context.globalAlpha = 0.65;
  context.stroke();
  context.globalAlpha = 1;
  if (!near.length) return;
  const { lineWidth } = context;
  context.beginPath();
  for (const points of near) trace(context, points, zoom);
  context.strokeStyle = colours.accent;
  context.lineWidth = lineWidth * 2;
  context.stroke();
  context.lineWidth = lineWidth;
}

/** @param {number[]} points @param {{ x0: number, x1: number }} view */
function isBeside(points, { x0, x1 }) {
  let left = true, right = true;
  for (let i = 0; i < points.length; i += 2) {
    left &&= points[i] < x0;
    right &&= points[i] > x1;
  }
  return left || right;
}

/** @param {Pen} context @param {number[]} points @param {number} zoom */
function trace(context, points, zoom) {
  context.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) {
    const [x0, y0, x1, y1] = [points[i - 2], points[i - 1], points[i], points[i + 1]];
    const middle = (y0 + y1) / 2;
    context.bezierCurveTo(x0, middle, x1, middle, x1, y1);
  }
  if (zoom < READABLE) return;
  const [x, y] = points.slice(-2);
  context.moveTo(x - 3.5, y - 6);
  context.lineTo(x, y);
  context.lineTo(x + 3.5, y - 6);
}
