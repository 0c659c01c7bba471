// A conversation of the page.
import { modelOfPage } from '../shared/loading.js';
import { linkProgram } from '../shared/open-program.js';

/** @typedef {import('./vocabulary.js').Message} Message */

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const [send, stop, speed, talk] = [byId('send'), byId('stop'), byId('speed'), byId('talk')];
const text = /** @type {HTMLTextAreaElement} */ (byId('text'));
/** @type {Message[]} */
let messages = [];
/** The messages that are being answered. @type {Message[]} */
let asked = [];
/** @type {Text | undefined} where the answer grows */
let answer;
let isReady = false;

/** @param {'you' | 'model'} who @param {string} content */
function show(who, content) {
  const line = document.createElement('p');
  const name = document.createElement('b');
  const words = document.createTextNode(content);
  line.className = who;
  name.textContent = who === 'you' ? 'You' : 'SmolLM2';
  line.append(name, words);
  talk.append(line);
  return words;
}

/** The first token comes at second 0. @param {{ written: number, writing: number }} message */
const rateText = ({ written, writing }) => (writing > 0 && written > 1 ? `, ${((written - 1) / writing).toFixed(1)} tokens a second` : '');

function showState() {
  send.toggleAttribute('disabled', !isReady || answer !== undefined);
  stop.hidden = answer === undefined;
}

const model = modelOfPage({
  folder: 'chat',
  weights: 'SmolLM2-135M-Instruct.Q4_1.gguf',
  start: () => new Worker(new URL('./chat-worker.js', import.meta.url), { type: 'module' }),
  onReady(ready) {
    isReady = ready;
    if (!ready) answer = undefined;
    showState();
  },
  onMessage(message) {
    if (message.is === 'text') {
      if (!answer) return;
      answer.data += message.text;
      speed.textContent = `Writing: ${message.written} token${message.written === 1 ? '' : 's'}${rateText(message)}`;
      return;
    }
    if (message.is === 'failed') {
      speed.textContent = message.message;
      asked.pop();
    }
    if (message.is === 'answered') {
      const { read, reading, written, writing, isStopped } = message;
      speed.textContent = `${isStopped ? 'Stopped. ' : ''}Read ${read} tokens in ${reading.toFixed(2)} s; wrote ${written}${rateText({ written, writing })}.`;
      asked.push({ role: 'assistant', content: answer?.data ?? '' });
    }
    answer = undefined;
    showState();
  },
});

byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  const content = text.value.trim();
  if (!isReady || answer || !content) return;
  messages.push({ role: 'user', content });
  asked = messages;
  show('you', content);
  answer = show('model', '');
  text.value = '';
  speed.textContent = 'Reading';
  showState();
  model.send({ do: 'answer', messages, vary: /** @type {HTMLInputElement} */ (byId('vary')).checked });
});
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  /** @type {HTMLFormElement} */ (byId('ask')).requestSubmit();
});
stop.addEventListener('click', () => model.send({ do: 'stop' }));
byId('clear').addEventListener('click', () => {
  if (answer) model.send({ do: 'stop' });
  messages = [];
  talk.replaceChildren();
  speed.textContent = '';
});
linkProgram(/** @type {HTMLAnchorElement} */ (byId('open')), new URL('./chat.mlirbc', import.meta.url), { pane: 'plan' });
document.documentElement.dataset.ready = 'true';
