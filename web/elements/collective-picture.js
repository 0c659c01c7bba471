// The picture of <hlo-collective> as a document: what each replica has, and the lines along which it was sent.
import { figureSvg, stacked, words } from '../../js/pictures/figure.js';
import { cellWidth, drawCell } from './cells-figure.js';
import { collectiveAnswer, collectiveWords, lastStep, linesOf } from './collective-answer.js';
import { typeset } from './op-formula.js';

/** @typedef {import('../../js/pictures/figure.js').Block} Block */
/** @typedef {import('../../js/pictures/figure.js').Look} Look */
/** @typedef {import('../../js/pictures/svg-pen.js').SvgPen} SvgPen */
/** @typedef {import('./collective-model.js').Held} Held */

const CELL = 34, GAP = 3, NAME = 20, BETWEEN = 14, ACROSS = 150, SHARE = 12;
const none = new Set();
const lit = new Set(['lit']);

/** @type {import('./pictures.js').Maker} */
export async function svg(hlo, asked, look) {
  const answer = await collectiveAnswer(hlo, asked);
  const step = Math.min(Math.max(asked.step || 0, 0), lastStep(answer));
  const told = words(look, collectiveWords(answer, step), { size: 14 });
  const title = answer.ring ? `A ring of ${answer.frames[0].held.length} replicas, step ${step}` : `${asked.op} of ${answer.devices} replicas, step ${step}`;
  return figureSvg(look, title, stacked([told, answer.ring ? ringBlock(look, answer, step) : meetingBlock(look, answer, step)]));
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** @param {SvgPen} pen @param {Look} look @param {string} text @param {number} x @param {number} y @param {number} [size] */
function small(pen, look, text, x, y, size = 12) {
  pen.fillStyle = look.palette.colours.paper; // lines pass behind words
  pen.fillRect(x - 2, y - size, text.length * size * 0.55 + 4, size + 4);
  pen.font = `400 ${size}px system-ui, sans-serif`;
  pen.fillStyle = look.palette.colours.soft;
  pen.fillText(text, x, y);
}

/** Where the cells of a side stand. @param {string} side @param {readonly Held[]} held @param {number} left @param {number} width of a cell @returns {{ boxes: Map<string, Box>, tops: number[], width: number, height: number }} */
function placedCells(side, held, left, width) {
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  /** @type {number[]} */
  const tops = [];
  let [y, right] = [NAME, 0];
  held.forEach(({ values, sizes }, device) => {
    const columns = sizes.length > 1 ? sizes[sizes.length - 1] : Math.max(1, values.length);
    tops.push(y);
    y += NAME;
    values.forEach((_, flat) => boxes.set(`${side}${device}.${flat}`, { x: left + (flat % columns) * (width + GAP), y: y + Math.floor(flat / columns) * (CELL + GAP), width, height: CELL }));
    y += Math.ceil(values.length / columns) * (CELL + GAP) + BETWEEN;
    right = Math.max(right, left + Math.min(columns, values.length) * (width + GAP));
  });
  return { boxes, tops, width: right, height: y };
}

/** @param {Look} look @param {Extract<import('./collective-answer.js').Answer, { ring: false }>} answer @param {number} step @returns {Block} */
function meetingBlock(look, answer, step) {
  const { before, after } = answer;
  const width = cellWidth([...before, ...after].flatMap(({ values }) => values.map(typeset)));
  const left = placedCells('b', before, 0, width);
  const right = placedCells('a', after, left.width + ACROSS, width);
  const boxes = new Map([...left.boxes, ...right.boxes]);
  const lines = linesOf(answer, step);
  const used = new Set(lines.flat());
  return {
    width: right.width,
    height: Math.max(left.height, right.height),
    draw: (pen, x, y) => pen.at(x, y, () => {
      for (const [from, to] of lines) {
        const [a, b] = [/** @type {Box} */ (boxes.get(from)), /** @type {Box} */ (boxes.get(to))];
        const [x1, y1, x2, y2] = [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2];
        drawLine(pen, look, [x1, y1, (2 * x1 + x2) / 3, y1, (x1 + 2 * x2) / 3, y2, x2, y2]);
      }
      small(pen, look, 'before', 0, 12);
      small(pen, look, 'after', left.width + ACROSS, 12);
      for (const [side, held, { tops }, at] of /** @type {const} */ ([['b', before, left, 0], ['a', after, right, left.width + ACROSS]]))
        held.forEach(({ values, sources }, device) => {
          small(pen, look, `replica ${device}`, at, tops[device] + 14);
          values.forEach((value, flat) => {
            const isThere = side === 'b' || device < step;
            const from = [...new Set(sources[flat].map((source) => source.device))];
            const name = `${side}${device}.${flat}`;
            const box = /** @type {Box} */ (boxes.get(name));
            drawCell(pen, look, isThere ? { text: typeset(value), tile: from.length === 1 ? from[0] : undefined } : { text: '·', kind: 'ghost' }, used.has(name) ? lit : none, box.x, box.y, box.width);
          });
        });
    }),
  };
}

/** @param {Look} look @param {Extract<import('./collective-answer.js').Answer, { ring: true }>} answer @param {number} step @returns {Block} */
function ringBlock(look, answer, step) {
  const { held, sent } = answer.frames[step];
  const count = held.length;
  const texts = answer.frames.flatMap((frame) => frame.held.flatMap(({ values }) => values.map(typeset)));
  const width = Math.max(64, cellWidth(texts));
  const [left, across, down, height] = [80, width + 24, CELL + SHARE + 34, CELL + SHARE];
  const box = (/** @type {number} */ device, /** @type {number} */ chunk) => ({ x: left + chunk * across, y: device * down, width, height });
  return {
    width: left + count * across + 16,
    height: count * down,
    draw: (pen, x, y) => pen.at(x, y, () => {
      for (const { from, to, flat } of sent) {
        const [a, b] = [box(from, flat), box(to, flat)];
        const goesDown = b.y > a.y;
        const [x1, y1, y2] = [a.x + width / 2, goesDown ? a.y + height : a.y, goesDown ? b.y : b.y + height];
        const bend = Math.abs(b.y - a.y) > 1.9 * height ? width / 2 + 6 : 0;
        drawLine(pen, look, [x1, y1, x1 + bend, (2 * y1 + y2) / 3, x1 + bend, (y1 + 2 * y2) / 3, x1, y2]);
      }
      held.forEach(({ values, sources }, device) => {
        small(pen, look, `replica ${device}`, 0, device * down + height / 2 + 4);
        values.forEach((value, chunk) => {
          const at = box(device, chunk);
          const share = sources[chunk].length;
          drawCell(pen, look, { text: '' }, none, at.x, at.y, width, height);
          pen.fillStyle = look.palette.tiles[2];
          pen.fillRect(at.x + 1, at.y + 1, ((width - 2) * share) / count, height - 2);
          if (sent.some(({ to, flat }) => to === device && flat === chunk)) frameOf(pen, look, at);
          pen.font = `600 14px ${look.palette.font}`;
          pen.fillStyle = look.palette.colours.ink;
          pen.textAlign = 'center';
          pen.fillText(typeset(value), at.x + width / 2, at.y + 21);
          pen.font = '400 11px system-ui, sans-serif';
          pen.fillText(`${share} of ${count}`, at.x + width / 2, at.y + 38);
          pen.textAlign = 'left';
        });
      });
    }),
  };
}

/** @param {SvgPen} pen @param {Look} look @param {Box} box */
function frameOf(pen, { palette }, { x, y, width, height }) {
  pen.beginPath();
  pen.roundRect(x + 1, y + 1, width - 2, height - 2, 4);
  pen.strokeStyle = palette.colours.accent;
  pen.lineWidth = 2;
  pen.stroke();
}

/** A curve with a dot at its end. @param {SvgPen} pen @param {Look} look @param {number[]} points */
function drawLine(pen, { palette }, [x1, y1, x2, y2, x3, y3, x4, y4]) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.bezierCurveTo(x2, y2, x3, y3, x4, y4);
  pen.strokeStyle = pen.fillStyle = palette.colours.accent;
  pen.lineWidth = 1.5;
  pen.globalAlpha = 0.75;
  pen.stroke();
  pen.globalAlpha = 1;
  pen.beginPath();
  pen.roundRect(x4 - 3.5, y4 - 3.5, 7, 7, 3.5);
  pen.fill();
}
