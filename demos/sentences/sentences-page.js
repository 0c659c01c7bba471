// Sentences of the page, how similar they are, and which are most so.
import { modelOfPage } from '../shared/loading.js';
import { linkProgram } from '../shared/open-program.js';

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const [run, stop, answer] = [byId('run'), byId('stop'), byId('answer')];

/** @param {boolean} running */
function showRunning(running) {
  run.toggleAttribute('disabled', running);
  stop.hidden = !running;
}

/** @param {string} text @param {string} scope */
function header(text, scope) {
  const cell = document.createElement('th');
  cell.scope = scope;
  cell.textContent = text;
  return cell;
}

/** @param {string[]} sentences @param {number[][]} similarities */
function showTable(sentences, similarities) {
  const table = /** @type {HTMLTableElement} */ (byId('similarities'));
  table.replaceChildren();
  table.hidden = false;
  table.createTHead().insertRow().append(header('Sentence', 'col'), ...sentences.map((_, n) => header(`${n + 1}`, 'col')));
  const body = table.createTBody();
  sentences.forEach((sentence, n) => {
    const row = body.insertRow();
    row.append(header(`${n + 1}. ${sentence}`, 'row'));
    for (const value of similarities[n]) {
      const cell = row.insertCell();
      cell.textContent = value.toFixed(3);
      cell.style.setProperty('--share', `${Math.max(0, value)}`);
    }
  });
}

/** @param {string[]} sentences @param {number[][]} similarities */
function showPairs(sentences, similarities) {
  const pairs = sentences.flatMap((a, n) => sentences.slice(n + 1).map((b, m) => ({ a, b, value: similarities[n][n + 1 + m] })));
  const list = byId('pairs');
  list.hidden = pairs.length === 0;
  list.replaceChildren(
    ...pairs.sort((a, b) => b.value - a.value).slice(0, 5).map(({ a, b, value }) => {
      const item = document.createElement('li');
      item.textContent = `${value.toFixed(3)}  ${a}  ·  ${b}`;
      return item;
    }),
  );
}

let asked = 0;
const model = modelOfPage({
  folder: 'sentences',
  weights: 'model.safetensors',
  start: () => new Worker(new URL('./sentences-worker.js', import.meta.url), { type: 'module' }),
  onReady(isReady) {
    run.toggleAttribute('disabled', !isReady);
    stop.hidden = true;
    if (isReady) compare();
  },
  onMessage(message) {
    if (message.is === 'embedded') {
      answer.textContent = `${message.done} of ${asked}`;
      return;
    }
    showRunning(false);
    if (message.is === 'failed') answer.textContent = message.message;
    if (message.is === 'stopped') answer.textContent = 'Stopped.';
    if (message.is !== 'compared') return;
    const { sentences, similarities, milliseconds } = message;
    showTable(sentences, similarities);
    showPairs(sentences, similarities);
    answer.textContent = `${sentences.length} sentence${sentences.length === 1 ? '' : 's'} in ${milliseconds.toFixed(0)} ms. 1 is the same meaning, 0 is none in common.`;
  },
});

function compare() {
  const text = /** @type {HTMLTextAreaElement} */ (byId('text')).value;
  const sentences = text.split('\n').map((line) => line.trim()).filter(Boolean);
  if (sentences.length === 0) {
    answer.textContent = 'Type at least one sentence.';
    return;
  }
  asked = sentences.length;
  showRunning(true);
  model.send({ do: 'compare', sentences });
}

byId('compare').addEventListener('submit', (event) => {
  event.preventDefault();
  compare();
});
stop.addEventListener('click', () => model.send({ do: 'stop' }));
linkProgram(/** @type {HTMLAnchorElement} */ (byId('open')), new URL('./sentences.mlirbc', import.meta.url), { pane: 'plan' });
document.documentElement.dataset.ready = 'true';
