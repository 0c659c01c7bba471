// Results as what they are: grids of small arrays, pictures of large ones, plots of rows.
import { html, nothing, svg } from 'lit';

/** @typedef {import('./playground-session.js').Output} Output */
/** @typedef {'grid' | 'picture' | 'plot'} Form */

const GRID_CELLS = 144;
const WIDTH = 600;
const HEIGHT = 180;
const MOST_PICTURES = 16;

/** The forms that an output can take, the one that suits it first. @param {Output} output @returns {Form[]} */
function formsOf({ sizes, type, values }) {
  if (!values) return [];
  const isReal = !/^c(64|128)$/.test(type);
  const rank = sizes.length;
  /** @type {Form[]} */
  const forms = ['grid'];
  const isPlot = isReal && rank >= 1 && sizes[rank - 1] >= 8 && values.length / sizes[rank - 1] <= 8;
  const isPicture = isReal && rank >= 2 && Math.min(...sizes.slice(-2)) >= 4 && values.length >= 32;
  if (isPlot) forms[rank === 1 && values.length > 24 ? 'unshift' : 'push']('plot');
  if (isPicture) forms[values.length > GRID_CELLS && Math.min(...sizes.slice(-2)) >= 8 ? 'unshift' : 'push']('picture');
  return forms;
}

/** A number in few characters. @param {any} value @returns {string} */
export function valueText(value) {
  if (Array.isArray(value)) return `${valueText(value[0])}${value[1] < 0 ? '−' : '+'}${valueText(Math.abs(value[1]))}i`;
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return Object.is(value, -0) ? '-0' : String(value);
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : value < 0 ? '-inf' : 'nan';
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}

/**
 * @param {Output} output @param {Form | undefined} form that a reader has chosen @param {(form: Form) => void} choose @param {string} name
 */
export function outputTemplate(output, form, choose, name) {
  const { shape, sizes, values, type } = output;
  const forms = formsOf(output);
  const shown = form && forms.includes(form) ? form : forms[0];
  const caption = html`<figcaption><b>${name}</b> <code>${shape}</code>${
    forms.length > 1
      ? html`<span class="forms" role="group" aria-label=${`${name} as`}>${forms.toSorted().map((one) => html`<button type="button" aria-pressed=${one === shown} @click=${() => choose(one)}>${one}</button>`)}</span>`
      : nothing
  }</figcaption>`;
  if (!values) return html`<figure class="output" part="output">${caption}<p class="soft">${type === 'token' ? 'A token has no value.' : 'Too many elements to show.'}</p></figure>`;
  if (shown === 'picture') return html`<figure class="output" part="output">${caption}${pictureTemplate(output)}</figure>`;
  if (shown === 'plot') return html`<figure class="output" part="output">${caption}${plotTemplate(output)}</figure>`;
  return html`<figure class="output" part="output">${caption}<hlo-grid most="400" bare .dimensions=${sizes} .cells=${values.slice(0, 65536).map(valueText)}></hlo-grid></figure>`;
}

/** The least and the greatest of the finite numbers. @param {readonly number[]} values */
function range(values) {
  let least = Infinity, greatest = -Infinity;
  for (const value of values)
    if (Number.isFinite(value)) {
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
  return least <= greatest ? { least, greatest } : { least: 0, greatest: 0 };
}

/** @param {Output} output */
function plotTemplate({ sizes, values }) {
  const numbers = /** @type {any[]} */ (values).map(Number);
  const length = sizes[sizes.length - 1];
  const { least, greatest } = range(numbers);
  const span = greatest - least || 1;
  const x = (/** @type {number} */ i) => (length > 1 ? (i / (length - 1)) * WIDTH : WIDTH / 2);
  const y = (/** @type {number} */ value) => HEIGHT - ((value - least) / span) * HEIGHT;
  const rows = Array.from({ length: numbers.length / length }, (_, row) => numbers.slice(row * length, (row + 1) * length));
  const path = (/** @type {number[]} */ row) => row.map((value, i) => (Number.isFinite(value) ? `${i && Number.isFinite(row[i - 1]) ? 'L' : 'M'}${x(i).toFixed(1)} ${y(value).toFixed(1)}` : '')).join('');
  return html`<div class="plot">
    <span class="top">${valueText(greatest)}</span><span class="bottom">${valueText(least)}</span>
    <svg viewBox="0 -4 ${WIDTH} ${HEIGHT + 8}" preserveAspectRatio="none" role="img" aria-label=${`A plot of ${length} values from ${valueText(least)} to ${valueText(greatest)}`}>
      ${least < 0 && greatest > 0 ? svg`<line class="zero" x1="0" x2=${WIDTH} y1=${y(0)} y2=${y(0)} vector-effect="non-scaling-stroke"></line>` : nothing}
      ${rows.map((row, i) => svg`<path class="curve curve-${i % 4}" d=${path(row)} vector-effect="non-scaling-stroke"></path>`)}
    </svg>
    <span class="start">0</span><span class="end">${length - 1}</span>
  </div>`;
}

/** @param {Output} output */
function pictureTemplate({ sizes, values }) {
  const numbers = /** @type {any[]} */ (values).map(Number);
  const [height, width] = sizes.slice(-2);
  const count = numbers.length / (width * height);
  const { least, greatest } = range(numbers);
  const pictures = Array.from({ length: Math.min(count, MOST_PICTURES) }, (_, i) => i);
  return html`<div class="pictures">
      ${pictures.map((i) => html`<canvas width=${width} height=${height} .style="--columns: ${width}" role="img" aria-label=${`Picture ${i}: ${height} rows and ${width} columns`} .paint=${{ numbers, from: i * width * height, least, greatest }}></canvas>`)}
    </div>
    <p class="scale"><span>${valueText(least)}</span><i class=${least < 0 ? 'two' : 'one'}></i><span>${valueText(greatest)}</span>${count > MOST_PICTURES ? html`<span>The first ${MOST_PICTURES} of ${count}.</span>` : nothing}</p>`;
}

/** A colour of the scale: from dark to bright, or from blue over white to red where there are negative numbers. @param {number} share from 0 to 1 @param {boolean} two @returns {[number, number, number]} */
function colourAt(share, two) {
  const stops = two ? [[33, 75, 160], [238, 240, 243], [168, 50, 15]] : [[22, 27, 51], [60, 78, 138], [74, 148, 140], [190, 201, 100], [253, 246, 190]];
  const at = share * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const part = at - low;
  return /** @type {[number, number, number]} */ (stops[low].map((value, c) => Math.round(value + (stops[low + 1][c] - value) * part)));
}

/** Paints the pictures that a template has put there. @param {ParentNode} root */
export function paintPictures(root) {
  for (const canvas of root.querySelectorAll('.pictures canvas')) {
    const { paint, painted } = /** @type {any} */ (canvas);
    if (!paint || paint.numbers === painted) continue;
    /** @type {any} */ (canvas).painted = paint.numbers;
    const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
    const context = /** @type {HTMLCanvasElement} */ (canvas).getContext('2d');
    if (!context) continue;
    const image = context.createImageData(width, height);
    const two = paint.least < 0;
    const most = two ? Math.max(-paint.least, paint.greatest) : paint.greatest;
    const [low, span] = two ? [-most, 2 * most] : [paint.least, most - paint.least];
    for (let i = 0; i < width * height; i++) {
      const value = paint.numbers[paint.from + i];
      const share = Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, (value - low) / (span || 1)));
      image.data.set([...colourAt(share, two), 255], 4 * i);
    }
    context.putImageData(image, 0, 0);
  }
}
