// The pages of models, with small ones of random weights in place of the real files: what they show is what Node computes.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Decoder } from '../../demos/chat/decoder.js';
import { Speech, conversation, tokenizerOf } from '../../demos/chat/vocabulary.js';
import { Embedder, similarity } from '../../demos/sentences/embedder.js';
import { load } from '../../js/index.js';
import { assertAccessible, inBrowsers, seriousProblems } from './pages.js';

const hlo = await load();
const models = fileURLToPath(new URL('../models/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'webhlo-models-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
/** @param {string} from @param {string} to @returns {string} a copy under the name that the page expects */
const named = (from, to) => (copyFileSync(join(models, from), join(folder, to)), join(folder, to));

const tokenizer = JSON.parse(readFileSync(join(models, 'small-tokenizers.json'), 'utf8')).sentences.tokenizer;
const sentences = [named('small-sentences.safetensors', 'model.safetensors'), named('small-sentences.mlirbc', 'sentences.mlirbc'), join(folder, 'tokenizer.json')];
writeFileSync(sentences[2], JSON.stringify(tokenizer));
const chat = [named('small-chat.gguf', 'SmolLM2-135M-Instruct.Q4_1.gguf'), named('small-chat.mlirbc', 'chat.mlirbc')];

/** @param {import('puppeteer-core').Page} page @param {string[]} files */
async function give(page, files) {
  await page.waitForSelector('html[data-ready]');
  const input = /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (await page.$('#file'));
  await input.uploadFile(...files);
}
/** @param {import('puppeteer-core').Page} page @param {string} id */
const textOf = (page, id) => page.$eval(`#${id}`, (element) => element.textContent ?? '');

inBrowsers('sentences: similarities are those that Node computes', async ({ page, open, browser }) => {
  const embedder = await Embedder.make(hlo, readFileSync(sentences[1]), await hlo.weights(sentences[0]), tokenizer);
  await open('/demos/sentences/index.html');
  const lines = ['The bread is warm.', 'the café', 'warm breads!'];
  await page.$eval('#text', (area, text) => (/** @type {HTMLTextAreaElement} */ (area).value = text), lines.join('\n\n'));
  assert.equal(await page.$eval('#run', (button) => button.hasAttribute('disabled')), true);
  await give(page, sentences);
  await page.waitForSelector('#similarities td');
  const embeddings = await Promise.all(lines.map((line) => embedder.embed(line)));
  const expected = embeddings.flatMap((a) => embeddings.map((b) => similarity(a, b).toFixed(3)));
  assert.deepEqual(await page.$$eval('#similarities td', (cells) => cells.map((cell) => cell.textContent)), expected);
  assert.equal(await page.$$eval('#pairs li', (items) => items.length), 3);
  assert.match(await textOf(page, 'state'), /^Loaded in [\d.]+ s.*no network/);
  await page.$eval('#text', (area) => (/** @type {HTMLTextAreaElement} */ (area).value = 'is the'));
  await page.click('#run');
  await page.waitForFunction(() => document.querySelectorAll('#similarities td').length === 1);
  await assertAccessible({ page, browser });
});

inBrowsers('chat: an answer is what Node writes, and Stop ends it', async ({ page, open }) => {
  const weights = await hlo.weights(chat[0]);
  const words = tokenizerOf(weights.metadata);
  const decoder = await Decoder.make(hlo, readFileSync(chat[1]), weights, { places: 2048 });
  const speech = new Speech(words);
  let expected = '';
  const prompt = words.encode(conversation([{ role: 'user', content: 'Hello two' }])).ids;
  for await (const token of decoder.answer(prompt, { ends: speech.ends })) expected += speech.add(token);
  await open('/demos/chat/index.html');
  await give(page, chat);
  await page.waitForSelector('#send:not([disabled])');
  await page.$eval('#text', (area) => (/** @type {HTMLTextAreaElement} */ (area).value = 'Hello two'));
  await page.focus('#text');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => (document.querySelector('#talk .model')?.lastChild?.textContent ?? '').length > 10);
  await page.click('#stop').catch(() => {}); // a small model may be done by now
  await page.waitForSelector('#send:not([disabled])');
  const answer = await page.$eval('#talk .model', (line) => line.lastChild?.textContent ?? '');
  assert.ok(answer.length > 10 && (expected + '\ufffd').startsWith(answer.replace(/\ufffd+$/, '')), `${JSON.stringify(answer)} and ${JSON.stringify(expected)}`);
  assert.match(await textOf(page, 'speed'), /Read \d+ tokens in [\d.]+ s; wrote \d+/);
  assert.equal(await page.$eval('#talk .you', (line) => line.lastChild?.textContent), 'Hello two');
  assert.equal((await seriousProblems(page)).join('\n'), '');
  await page.click('#clear');
  assert.equal(await page.$eval('#talk', (talk) => talk.childElementCount), 0);
});

inBrowsers('files that are not the model are refused, in words', async ({ page, open }) => {
  await open('/demos/chat/index.html');
  await give(page, [sentences[0]]);
  await page.waitForFunction(() => document.getElementById('state')?.textContent?.includes('there is no file SmolLM2-135M-Instruct.Q4_1.gguf among what was given: model.safetensors'));
  assert.equal(await page.$eval('#send', (button) => button.hasAttribute('disabled')), true);
  await open('/demos/sentences/index.html');
  await give(page, [sentences[0]]);
  await page.waitForFunction(() => document.getElementById('state')?.textContent?.includes('there is no file tokenizer.json'));
});
