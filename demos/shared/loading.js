// The part of a page that gets the weights: a button, files that are chosen or dropped, a bar, and what to do where they are not there.

import { isKept } from './kept.js';

/**
 * @typedef {object} Loading
 * @property {(message: any) => void} send to the worker
 * @property {() => void} stop the worker, which starts anew
 */

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(0);

/**
 * Runs the model of a page in a worker.
 * @param {object} options
 * @param {string} options.folder of demos/cache
 * @param {string} options.weights the file of weights in it: where it is kept from another visit, the model starts by itself
 * @param {() => Worker} options.start
 * @param {(message: any) => void} options.onMessage of the worker, once the model is there
 * @param {(isReady: boolean) => void} options.onReady
 * @returns {Loading}
 */
export function modelOfPage({ folder, weights, start, onMessage, onReady }) {
  const cached = new URL(`../cache/${folder}/`, document.baseURI);
  const [load, stop, file] = [byId('load'), byId('stop-loading'), /** @type {HTMLInputElement} */ (byId('file'))];
  const bar = /** @type {HTMLProgressElement} */ (byId('progress'));
  const state = byId('state');
  /** @type {Worker | undefined} */
  let worker;

  /** @param {boolean} loading */
  const showLoading = (loading) => {
    stop.hidden = bar.hidden = !loading;
    load.toggleAttribute('disabled', loading);
  };

  /** @param {MessageEvent} event */
  const take = ({ data }) => {
    if (data.is === 'progress') {
      const { loaded, total, what } = data;
      if (total) bar.value = loaded / total;
      else bar.removeAttribute('value');
      state.textContent = `${what}: ${megabytes(loaded)}${total ? ` of ${megabytes(total)}` : ''} MB`;
    } else if (data.is === 'ready') {
      showLoading(false);
      byId('how').hidden = true;
      state.textContent = `Loaded in ${data.seconds.toFixed(1)} s${data.threads > 1 ? `, runs on ${data.threads} threads` : ''}. The page needs no network for it any more.`;
      onReady(true);
    } else if (data.is === 'missing') {
      end();
      byId('missing').hidden = false;
      state.textContent = 'The weights are not there.';
    } else if (data.is === 'failed' && !bar.hidden) {
      end();
      state.textContent = data.message;
    } else onMessage(data);
  };

  const end = () => {
    worker?.terminate();
    worker = undefined;
    showLoading(false);
    onReady(false);
  };

  /** @param {File[]} [files] */
  const begin = (files) => {
    end();
    worker = start();
    worker.addEventListener('message', take);
    worker.addEventListener('error', ({ message }) => take(new MessageEvent('message', { data: { is: 'failed', message } })));
    bar.value = 0;
    byId('missing').hidden = true;
    showLoading(true);
    state.textContent = 'Loading';
    worker.postMessage({ do: 'load', files, folder: cached.href });
  };

  load.addEventListener('click', () => begin());
  stop.addEventListener('click', () => {
    end();
    state.textContent = 'Stopped.';
  });
  file.addEventListener('change', () => {
    if (file.files?.length) begin([...file.files]);
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  document.addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    if (event.dataTransfer?.files.length) begin([...event.dataTransfer.files]);
  });
  void isKept(new URL(weights, cached)).then((kept) => {
    if (kept && !worker) begin();
  }, () => {}); // a browser that keeps nothing
  return { send: (message) => worker?.postMessage(message), stop: end };
}
