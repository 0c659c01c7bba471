// Starts what is measured in a Node process of its own.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onOneCore } from './pinning.js';

/** @typedef {{ value?: any, error?: string }} Answer */
/**
 * @typedef {object} Host
 * @property {{ version?: string }} facts
 * @property {(method: 'prepare' | 'sample' | 'done', argument?: number | string) => Promise<Answer>} ask
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} id of a peer
 * @param {import('./peers.js').AdapterOptions} options
 * @param {string} referenceFolder
 */
export const openNode = (id, options, referenceFolder) =>
  openProcess('node-contestant.js', [new URL(`adapters/${id}.js`, import.meta.url).href, JSON.stringify(options), referenceFolder], options.threads);

/** What this machine reaches: `sample` takes a Limit. @param {number} threads */
export const openLimits = (threads) => openProcess('limits-contestant.js', [String(threads)], threads);

/** @param {string} script @param {string[]} scriptArguments @param {number} threads @returns {Promise<Host>} */
async function openProcess(script, scriptArguments, threads) {
  const command = [process.execPath, '--expose-gc', '--max-old-space-size=4096', fileURLToPath(new URL(script, import.meta.url)), ...scriptArguments];
  const [program, ...rest] = threads === 1 ? onOneCore(command) : command;
  const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let complaints = '';
  child.stderr?.on('data', (data) => (complaints = (complaints + data).slice(-2000)));

  /** @returns {Promise<Answer>} */
  const answer = () =>
    new Promise((resolve) => {
      const finish = (/** @type {Answer} */ value) => {
        child.off('message', finish).off('exit', ended).off('error', failed);
        resolve(value);
      };
      const ended = () => finish({ error: `the process ended: ${complaints.slice(-500)}` });
      const failed = (/** @type {Error} */ error) => finish({ error: error.message });
      child.on('message', finish).on('exit', ended).on('error', failed);
    });
  const { value, error } = await answer();
  if (error) throw new Error(error);
  return {
    facts: value,
    async ask(method, argument) {
      if (!child.connected) return { error: 'the process has ended' };
      const reply = answer();
      child.send({ method, argument });
      return reply;
    },
    async close() {
      child.kill();
    },
  };
}
