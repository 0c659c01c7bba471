// A network that trains while one watches: the plane, the loss, the weights.
import { sharedRuntime } from '../../web/elements/runtime.js';
import { linkProgram } from '../shared/open-program.js';
import { atDisplayRate, mayMove, speedText } from '../shared/display-rate.js';
import { colourOf, penOn } from '../shared/pen.js';
import { POINTS, REACH, SIDE, Trainer } from './trainer.js';

const FILES = {
  start: new URL('./start.mlirbc', import.meta.url),
  spirals: new URL('./spirals.mlirbc', import.meta.url),
  circles: new URL('./circles.mlirbc', import.meta.url),
  step: new URL('./step.mlirbc', import.meta.url),
  picture: new URL('./picture.mlirbc', import.meta.url),
};
/** Steps for each picture, at most. */
const STEPS = 20;
/** Losses that the curve keeps; when there are more, every other one goes. */
const LOSSES = 1280;
const LEAST_LOSS = 1e-5;
const NAMES = ['hidden layer 1', 'bias', 'hidden layer 2', 'bias', 'output', 'bias'];

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const context = (/** @type {HTMLCanvasElement} */ canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
const [plane, curve] = [byId('plane'), byId('curve')];
const small = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE });

const trainer = await Trainer.make(await sharedRuntime(), async (name) => new Uint8Array(await (await fetch(FILES[/** @type {keyof typeof FILES} */ (name)])).arrayBuffer()));
let seed = 1;
/** @type {number[]} the mean of `stride` steps each */
let losses = [];
let [stride, sum, counted, last] = [1, 0, 0, NaN];

const rate = () => 10 ** Number(byId('rate').value);

function step() {
  last = trainer.step(rate());
  sum += last;
  if (++counted < stride) return;
  losses.push(sum / stride);
  [sum, counted] = [0, 0];
  if (losses.length < LOSSES) return;
  losses = losses.flatMap((loss, i) => (i % 2 ? [(losses[i - 1] + loss) / 2] : []));
  stride *= 2;
}

// ---- Pictures ----

/** @returns {{ sides: number[][], paper: number[], ink: number[] }} of the page's style at this moment */
const colours = () => ({ sides: ['--side-0', '--side-1'].map((name) => colourOf(byId('weights'), name)), paper: colourOf(document.body, '--hlo-paper'), ink: colourOf(document.body, '--hlo-ink') });

/** @param {Float32Array} sure @param {ReturnType<typeof colours>} style */
function showPlane(sure, { sides, paper, ink }) {
  const image = new ImageData(SIDE, SIDE);
  sure.forEach((value, i) => {
    const side = sides[value > 0.5 ? 1 : 0];
    const strength = 0.08 + Math.abs(value - 0.5) * 0.9;
    for (let c = 0; c < 3; c++) image.data[4 * i + c] = paper[c] + (side[c] - paper[c]) * strength;
    image.data[4 * i + 3] = 255;
  });
  context(small).putImageData(image, 0, 0);
  const on = context(plane);
  on.imageSmoothingEnabled = true;
  on.drawImage(small, 0, 0, plane.width, plane.height);
  const { xy, labels, present } = trainer.points;
  const at = (/** @type {number} */ value) => ((value / REACH + 1) / 2) * plane.width;
  on.lineWidth = 1.5;
  on.strokeStyle = `rgb(${ink})`;
  for (let i = 0; i < POINTS; i++) {
    if (!present[i]) continue;
    on.fillStyle = `rgb(${sides[labels[i]]})`;
    on.beginPath();
    if (labels[i]) on.rect(at(xy[2 * i]) - 3.5, at(-xy[2 * i + 1]) - 3.5, 7, 7);
    else on.arc(at(xy[2 * i]), at(-xy[2 * i + 1]), 4, 0, 7);
    on.fill();
    on.stroke();
  }
}

/** @param {ReturnType<typeof colours>} style */
function showCurve({ sides, ink }) {
  const on = context(curve);
  const [left, right, top, bottom] = [52, curve.width - 8, 10, curve.height - 26];
  on.clearRect(0, 0, curve.width, curve.height);
  on.font = '13px system-ui, sans-serif';
  on.fillStyle = `rgb(${ink})`;
  const y = (/** @type {number} */ loss) => top + (Math.log10(Math.max(loss, LEAST_LOSS)) / Math.log10(LEAST_LOSS)) * (bottom - top);
  on.strokeStyle = `rgb(${ink})`;
  on.lineWidth = 1;
  for (const mark of [1, 0.1, 0.01, 0.001, 0.0001, 0.00001]) {
    on.globalAlpha = 0.2;
    on.beginPath();
    on.moveTo(left, y(mark));
    on.lineTo(right, y(mark));
    on.stroke();
    on.globalAlpha = 1;
    on.fillText(mark < 0.001 ? mark.toExponential() : String(mark), 4, y(mark) + 4);
  }
  const steps = losses.length * stride;
  on.fillText('0', left, curve.height - 8);
  const end = `${steps} steps`;
  on.fillText(end, right - on.measureText(end).width, curve.height - 8);
  on.strokeStyle = `rgb(${sides[1]})`;
  on.lineWidth = 2;
  on.beginPath();
  losses.forEach((loss, i) => on.lineTo(left + (i / Math.max(1, losses.length - 1)) * (right - left), Math.max(top, y(loss))));
  on.stroke();
}

const figures = trainer.begin(seed) ?? trainer.parameters().map(({ shape }, i) => {
  const [rows, columns] = sizesOf(shape);
  const figure = document.createElement('figure');
  const canvas = Object.assign(document.createElement('canvas'), { width: columns, height: rows });
  const cell = rows * columns > 100 ? 9 : 10;
  canvas.style.width = `min(100%, ${columns * cell}px)`;
  canvas.style.height = `${rows * cell}px`;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${NAMES[i]}: ${rows} × ${columns} weights`);
  const caption = document.createElement('figcaption');
  caption.textContent = `${NAMES[i]} `;
  caption.append(Object.assign(document.createElement('code'), { textContent: shape }));
  figure.append(canvas, caption);
  byId('weights').append(figure);
  return canvas;
});

/** Rows and columns; a vector is a row. @param {string} shape */
function sizesOf(shape) {
  const sizes = (/\[(.*)\]/.exec(shape)?.[1] ?? '').split(',').map(Number);
  return sizes.length === 1 ? [1, sizes[0]] : sizes;
}

/** @param {ReturnType<typeof colours>} style */
function showWeights({ sides, paper }) {
  trainer.parameters().forEach(({ values }, i) => {
    const canvas = figures[i];
    const image = new ImageData(canvas.width, canvas.height);
    const most = values.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-6);
    values.forEach((value, at) => {
      const side = sides[value > 0 ? 1 : 0];
      for (let c = 0; c < 3; c++) image.data[4 * at + c] = paper[c] + (side[c] - paper[c]) * (Math.abs(value) / most);
      image.data[4 * at + 3] = 255;
    });
    context(canvas).putImageData(image, 0, 0);
  });
}

function show() {
  const style = colours();
  const sure = trainer.picture();
  showPlane(sure, style);
  showCurve(style);
  showWeights(style);
  byId('steps-done').textContent = trainer.count;
  byId('loss').textContent = Number.isNaN(last) ? '–' : last < 0.001 ? last.toExponential(1) : last.toFixed(4);
  byId('share').textContent = trainer.points.present.some(Boolean) ? `${(trainer.share(sure) * 100).toFixed(0)} %` : '–';
  byId('speed').textContent = display.isRunning && display.speed ? speedText(display.speed) : '–';
}

// ---- What a reader does ----

const display = atDisplayRate({ step, show, atMost: () => STEPS, onChange: (running) => (byId('run').textContent = running ? 'Pause' : 'Go on') });

function begin() {
  trainer.begin(seed);
  losses = [];
  [stride, sum, counted, last] = [1, 0, 0, NaN];
  if (!display.isRunning) display.once();
}

byId('run').addEventListener('click', () => display.run(!display.isRunning));
byId('one').addEventListener('click', () => {
  display.run(false);
  display.once(1);
});
byId('anew').addEventListener('click', () => {
  seed++;
  begin();
});
byId('set').addEventListener('change', () => {
  trainer.take(byId('set').value, 1);
  begin();
});
const showRate = () => (byId('rate-value').textContent = rate().toPrecision(2));
byId('rate').addEventListener('input', showRate);
penOn(plane, (x, y) => {
  const side = /** @type {HTMLInputElement} */ (document.querySelector('[name=side]:checked')).value;
  trainer.add((x * 2 - 1) * REACH, -(y * 2 - 1) * REACH, side === '1' ? 1 : 0);
  if (!display.isRunning) display.once();
});

showRate();
const { inputs, plan, memory } = trainer.stepProgram;
byId('facts').textContent = `A step of training takes ${inputs.length} inputs, ${inputs.filter(({ donated }) => donated).length} of them donated. It runs as ${plan.routines[0].steps.length} calls of kernels, with ${(memory.workspace / 1024).toFixed(0)} KiB for what lies between.`;
linkProgram(byId('open'), FILES.step, { pane: 'graph' });
trainer.take(byId('set').value, 1); // a browser may have kept what a reader chose
begin();
if (mayMove()) display.run(true);
document.documentElement.dataset.ready = 'true';
