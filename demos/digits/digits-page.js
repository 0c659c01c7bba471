// Draw a digit: every stroke runs the network, and every layer is drawn.
import { readNpy } from '../../js/values/npy.js';
import { sharedRuntime } from '../../web/elements/runtime.js';
import { linkProgram } from '../shared/open-program.js';
import { penOn } from '../shared/pen.js';
import { SIZE, imageOf } from './digits-image.js';
import { layers, opened } from './digits-network.js';

/** @typedef {import('../../js/index.js').Tensor} Tensor */

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const pad = /** @type {HTMLCanvasElement} */ (byId('pad'));
const ink = /** @type {CanvasRenderingContext2D} */ (pad.getContext('2d', { willReadFrequently: true }));
const PEN = 30;

const scans = fetch(new URL('./held-out-images.npy', import.meta.url)).then(async (r) => readNpy(new Uint8Array(await r.arrayBuffer())));
const hlo = await sharedRuntime();
const program = new URL('./digits.hlo', import.meta.url);
const text = await (await fetch(program)).text();
/** @type {import('../../js/index.js').Executable<Tensor[]>} */
const network = await hlo.compile(hlo.parse(opened(text)));
const outputs = network.run([new Float32Array(SIZE * SIZE)]);

// ---- What is shown ----

const figures = outputs.map((tensor, n) => {
  const figure = document.createElement('figure');
  const canvas = document.createElement('canvas');
  const caption = document.createElement('figcaption');
  const { dimensions } = tensor.shape;
  caption.innerHTML = `<b></b> <code></code><br><span></span>`;
  /** @type {HTMLElement} */ (caption.firstElementChild).textContent = layers[n].title;
  /** @type {HTMLElement} */ (caption.querySelector('code')).textContent = `${tensor.shape}`.replace(/\{.*/, '');
  /** @type {HTMLElement} */ (caption.lastElementChild).textContent = layers[n].words;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${layers[n].title}: ${dimensions.join(' × ')} numbers, darker where greater`);
  figure.append(canvas, caption);
  byId('layers').append(figure);
  return canvas;
});

const odds = Array.from({ length: 10 }, (_, digit) => {
  const row = document.createElement('li');
  row.innerHTML = `<span>${digit}</span><meter min="0" max="1" value="0" aria-label="${digit}"></meter><span></span>`;
  byId('odds').append(row);
  return row;
});

/** One map a feature, side by side; vectors as one row. @param {HTMLCanvasElement} canvas @param {Tensor} tensor */
function drawLayer(canvas, tensor) {
  const dims = /** @type {number[]} */ (tensor.shape.dimensions);
  const data = /** @type {Float32Array} */ (tensor.toTypedArray());
  const [height, width, features] = dims.length === 4 ? dims.slice(1) : [1, dims[1], 1];
  const across = features === 1 ? 1 : 16;
  const cell = features === 1 ? (height === 1 ? 14 : 12) : Math.floor(48 / width);
  const gap = features === 1 ? 0 : 6;
  canvas.width = across * (width * cell + gap) - gap;
  canvas.height = Math.ceil(features / across) * (height * cell + gap) - gap;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const style = getComputedStyle(canvas);
  const most = data.reduce((a, b) => Math.max(a, b), 1e-6);
  for (let f = 0; f < features; f++) {
    const [left, top] = [(f % across) * (width * cell + gap), Math.floor(f / across) * (height * cell + gap)];
    context.globalAlpha = 1;
    context.fillStyle = getComputedStyle(pad).backgroundColor;
    context.fillRect(left, top, width * cell, height * cell);
    context.fillStyle = style.color;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        context.globalAlpha = Math.min(1, Math.max(0, data[(y * width + x) * features + f] / most));
        context.fillRect(left + x * cell, top + y * cell, cell, cell);
      }
  }
}

/** @param {Float32Array | null} image */
function show(image) {
  const begun = performance.now();
  network.run([image ?? new Float32Array(SIZE * SIZE)], { outputs });
  const milliseconds = performance.now() - begun;
  outputs.forEach((tensor, n) => drawLayer(figures[n], tensor));
  const logits = Array.from(/** @type {Float32Array} */ (outputs[outputs.length - 1].toTypedArray()));
  const greatest = Math.max(...logits);
  const weights = logits.map((x) => Math.exp(x - greatest));
  const sum = weights.reduce((a, b) => a + b);
  odds.forEach((row, digit) => {
    const share = image ? weights[digit] / sum : 0;
    /** @type {HTMLMeterElement} */ (row.children[1]).value = share;
    row.children[2].textContent = image ? `${(share * 100).toFixed(share > 0.995 || share < 0.005 ? 0 : 1)} %` : '';
    row.classList.toggle('best', image !== null && logits[digit] === greatest);
  });
  byId('answer').textContent = image ? `It reads ${logits.indexOf(greatest)}.` : 'Nothing drawn yet.';
  byId('timing').textContent = image ? `${milliseconds.toFixed(2)} ms for ${network.plan.routines[0].steps.length} steps, in this page` : '';
}

// ---- Drawing ----

let waiting = 0;
function changed() {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(() => show(imageOf(pad)));
}

function clear() {
  ink.clearRect(0, 0, pad.width, pad.height);
  changed();
}

/** @param {number} x @param {number} y @param {import('../shared/pen.js').Place} [from] */
function stroke(x, y, from = { x, y }) {
  ink.strokeStyle = getComputedStyle(pad).color;
  ink.lineWidth = PEN;
  ink.lineCap = 'round';
  ink.lineJoin = 'round';
  ink.beginPath();
  ink.moveTo(from.x * pad.width, from.y * pad.height);
  ink.lineTo(x * pad.width, y * pad.height);
  ink.stroke();
  changed();
}

penOn(pad, stroke, { strokes: true, start: { x: 0.5, y: 0.25 } });
pad.addEventListener('keydown', (event) => {
  if (event.key !== 'Delete' && event.key !== 'Backspace') return;
  event.preventDefault();
  clear();
});
byId('clear').addEventListener('click', clear);
/** Draws a scan of the held-out ones, as coarse as it is. @param {number} share of the way through them */
async function showScan(share) {
  const { data, dimensions } = await scans;
  const n = Math.floor(share * dimensions[0]);
  const image = Float32Array.from({ length: SIZE * SIZE }, (_, i) => Number(data[n * SIZE * SIZE + i]) / 16);
  ink.clearRect(0, 0, pad.width, pad.height);
  ink.fillStyle = getComputedStyle(pad).color;
  const cell = pad.width / SIZE;
  image.forEach((value, i) => {
    ink.globalAlpha = value;
    ink.fillRect((i % SIZE) * cell, Math.floor(i / SIZE) * cell, cell, cell);
  });
  ink.globalAlpha = 1;
  show(image);
}
byId('scan').addEventListener('click', () => showScan(Math.random()));

// Ink has the colour of the text: when the scheme changes, what is drawn is coloured anew.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  ink.globalCompositeOperation = 'source-in';
  ink.fillStyle = getComputedStyle(pad).color;
  ink.fillRect(0, 0, pad.width, pad.height);
  ink.globalCompositeOperation = 'source-over';
  changed();
});

linkProgram(/** @type {HTMLAnchorElement} */ (byId('open')), program, { pane: 'graph' });
await showScan(0);
document.documentElement.dataset.ready = 'true';
