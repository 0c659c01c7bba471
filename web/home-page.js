// The program on the home page: Conway's game of life, as it stands on the page, a run of it for each picture.
import { packText } from './elements/playground-packing.js';
import { sharedRuntime } from './elements/runtime.js';

const SIZE = 80;
/** Milliseconds between two generations: a run takes far less. */
const PACE = 80;
/** The first runs are left out of what is told: they compile. */
const FIRST = 5;

const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('life'));
const told = /** @type {HTMLElement} */ (document.getElementById('life-told'));
const pause = /** @type {HTMLButtonElement} */ (document.getElementById('life-pause'));
const again = /** @type {HTMLButtonElement} */ (document.getElementById('life-again'));
const open = /** @type {HTMLAnchorElement} */ (document.getElementById('life-open'));
const program = `${document.getElementById('life-program')?.textContent?.trim()}\n`;

/** A third of the cells, by chance. */
const chance = () => Float32Array.from({ length: SIZE * SIZE }, () => Number(Math.random() < 0.3));

/** @param {ArrayLike<number>} cells */
function draw(cells) {
  const context = canvas.getContext('2d');
  if (!context) return;
  const [red, green, blue] = getComputedStyle(canvas).color.match(/\d+/g)?.map(Number) ?? [0, 0, 0];
  const picture = context.createImageData(SIZE, SIZE);
  for (let i = 0; i < cells.length; i++) picture.data.set([red, green, blue, cells[i] * 255], 4 * i);
  context.putImageData(picture, 0, 0);
}

async function start() {
  open.href += `#${new URLSearchParams({ 'playground.code': await packText(program) })}`;
  const hlo = await sharedRuntime();
  const executable = await hlo.compile(hlo.parse(program));
  let cells = chance();
  let generation = 0;
  let spent = 0;
  let running = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  let seen = true;
  let before = 0;

  function step() {
    const begun = performance.now();
    const result = executable.run([cells]);
    spent += performance.now() - begun;
    cells = /** @type {Float32Array<ArrayBuffer>} */ (result.toTypedArray());
    result.dispose();
    draw(cells);
    generation++;
    if (generation === FIRST) spent = 0;
    const mean = generation > FIRST ? `; a run takes ${Math.max(1, Math.round((spent * 1000) / (generation - FIRST)))} µs` : '';
    told.textContent = `Generation ${generation}${mean}.`;
  }
  /** @param {number} now */
  function frame(now) {
    if (!running || !seen) return;
    if (now - before >= PACE) {
      before = now;
      step();
    }
    requestAnimationFrame(frame);
  }
  const say = () => (pause.textContent = running ? 'Pause' : 'Run');
  pause.addEventListener('click', () => {
    running = !running;
    say();
    requestAnimationFrame(frame);
  });
  again.addEventListener('click', () => {
    cells = chance();
    generation = spent = 0;
    step();
  });
  new IntersectionObserver(([{ isIntersecting }]) => {
    const comes = isIntersecting && !seen;
    seen = isIntersecting;
    if (comes) requestAnimationFrame(frame);
  }).observe(canvas);
  pause.hidden = again.hidden = false;
  say();
  step();
  requestAnimationFrame(frame);
  document.documentElement.dataset.ready = '';
}

start().catch((error) => (told.textContent = `It does not run here: ${error.message}`));
