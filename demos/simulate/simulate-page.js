// A world on a canvas, which goes on at the rate of the display, and into which one can paint.
import { sharedRuntime } from '../../web/elements/runtime.js';
import { atDisplayRate, mayMove, speedText } from '../shared/display-rate.js';
import { linkText } from '../shared/open-program.js';
import { colourOf, penOn } from '../shared/pen.js';
import { SIZE, Simulation, WORLDS } from './simulations.js';

const FILES = {
  reaction: new URL('./reaction.hlo', import.meta.url),
  life: new URL('./life.hlo', import.meta.url),
  wave: new URL('./wave.hlo', import.meta.url),
};
const WORDS = {
  reaction: 'Two substances spread over a plane. One is fed from outside; the other eats it, and decays. Between the two, spots grow, divide and branch. Feed and decay are inputs of the program: small changes make other patterns.',
  life: 'Conway’s rule: a cell with three neighbours is born, one with two or three lives on, all others die. The neighbours are counted by one reduce-window.',
  wave: 'A membrane with a fixed rim. How high a point is next follows from how high it is now and was before, and from its four neighbours.',
};

const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const canvas = /** @type {HTMLCanvasElement} */ (byId('world'));
const on = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
const image = new ImageData(SIZE, SIZE);
const pixels = new Uint32Array(image.data.buffer);
const hlo = await sharedRuntime();
/** @type {Simulation | undefined} */
let simulation;

/** Colours from the least value to the greatest: from paper over the accent to ink; where values have a sign, paper is in the middle. @param {readonly [number, number]} range */
function palette([least]) {
  const [paper, ink, ...sides] = [colourOf(document.body, '--hlo-paper'), colourOf(document.body, '--hlo-ink'), ...['--side-0', '--side-1'].map((name) => colourOf(byId('words'), name))];
  const stops = least < 0 ? [ink, sides[0], paper, sides[1], ink] : [paper, sides[0], ink];
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1);
    const before = Math.min(stops.length - 2, Math.floor(at));
    const [r, g, b] = [0, 1, 2].map((c) => Math.round(stops[before][c] + (stops[before + 1][c] - stops[before][c]) * (at - before)));
    return 0xff000000 | (b << 16) | (g << 8) | r;
  });
}

function show() {
  if (!simulation) return;
  const { world, fields } = simulation;
  const [least, most] = world.range;
  const colours = palette(world.range);
  const field = fields[world.seen];
  const scale = 255 / (most - least);
  for (let i = 0; i < pixels.length; i++) pixels[i] = colours[Math.max(0, Math.min(255, (field[i] - least) * scale)) | 0];
  on.putImageData(image, 0, 0);
  byId('steps-done').textContent = simulation.count.toLocaleString('en');
  byId('speed').textContent = display.isRunning && display.speed ? speedText(display.speed) : '–';
}

const display = atDisplayRate({
  step: () => simulation?.step(),
  show,
  atMost: () => Number(byId('steps').value),
  onChange: (running) => (byId('run').textContent = running ? 'Pause' : 'Go on'),
});
const showAtRest = () => display.isRunning || display.once();
const showSteps = () => (byId('steps-value').textContent = byId('steps').value);

/** An input of the program that a reader sets. @param {import('./simulations.js').Setting} setting @param {number} i */
function settingRow({ name, label, least, most, step, value }, i) {
  const row = document.createElement('label');
  const input = Object.assign(document.createElement('input'), { type: 'range', min: String(least), max: String(most), step: String(step), value: String(value), id: `setting-${name}` });
  const output = Object.assign(document.createElement('output'), { value: String(value) });
  input.value = String(value);
  input.addEventListener('input', () => {
    output.value = input.value;
    if (simulation) simulation.settings[i] = Number(input.value);
  });
  row.append(`${label} `, input, ' ', output);
  return row;
}

/** @param {keyof typeof FILES} kind */
async function take(kind) {
  const text = await (await fetch(FILES[kind])).text();
  const next = await Simulation.make(hlo, kind, text);
  if (byId('kind').value !== kind) return next.dispose(); // another is wanted by now
  simulation?.dispose();
  simulation = next;
  const { world, program } = next;
  next.begin();
  byId('steps').value = world.speed;
  showSteps();
  byId('settings').replaceChildren(...world.settings.map(settingRow));
  byId('words').textContent = WORDS[kind];
  byId('facts').textContent = `The program has ${text.trim().split('\n').length} lines, and runs as ${program.plan.routines[0].steps.length} calls of kernels. It overwrites the world that it was given (donate).`;
  await linkText(byId('open'), text, { pane: 'graph', graph: 'compiled' });
  showAtRest();
  canvas.setAttribute('aria-label', `${world.title}: paint into it`);
  document.documentElement.dataset.ready = kind;
}

byId('run').addEventListener('click', () => display.run(!display.isRunning));
byId('one').addEventListener('click', () => {
  display.run(false);
  display.once(1);
});
byId('anew').addEventListener('click', () => (simulation?.begin(), showAtRest()));
byId('empty').addEventListener('click', () => (simulation?.begin(true), showAtRest()));
byId('steps').addEventListener('input', showSteps);
byId('kind').addEventListener('change', () => void take(byId('kind').value));
penOn(canvas, (x, y) => {
  simulation?.paint(x * (SIZE - 1), y * (SIZE - 1));
  showAtRest();
});

await take(byId('kind').value);
if (mayMove()) display.run(true);
