// What <hlo-collective> shows in each of its steps: lines and words.
import { collectiveModel, ringModel } from './collective-model.js';
import { typeset } from './op-formula.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./collective-model.js').Source} Source */
/** @typedef {{ ring: true, frames: import('./collective-model.js').Frame[], program: string } | ({ ring: false } & import('./collective-model.js').Collective)} Answer */
/** @typedef {{ op: string, devices: number, shape: string, values?: string | null, attrs?: string | null }} Asked the element's attributes */

const listed = (/** @type {readonly unknown[]} */ names) => (names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`);
const replicas = (/** @type {readonly number[]} */ devices) => `replica${devices.length === 1 ? '' : 's'} ${listed(devices)}`;

/** @param {Runtime} hlo @param {Asked} asked @returns {Promise<Answer>} */
export async function collectiveAnswer(hlo, { op, devices, shape, values, attrs }) {
  if (op === 'ring') return { ring: true, ...(await ringModel(hlo, { devices, values: values ?? '', type: String(hlo.shape(shape).type) })) };
  return { ring: false, ...(await collectiveModel(hlo, { op, shape, devices, attrs: attrs ?? '', values: values ?? '' })) };
}

/** @param {Answer} answer */
export const lastStep = (answer) => (answer.ring ? answer.frames.length - 1 : answer.devices + 1);

/** From where to where lines are drawn in a step: names of cells. @param {Answer} answer @param {number} step @param {Source} [pointed] @returns {[string, string][]} */
export function linesOf(answer, step, pointed) {
  if (answer.ring) return answer.frames[step].sent.map(({ from, to, flat }) => [`${from}.${flat}`, `${to}.${flat}`]);
  const drawn = pointed ? [pointed] : step > 0 && step <= answer.devices ? answer.after[step - 1].values.map((_, flat) => ({ device: step - 1, flat })) : [];
  return drawn.flatMap(({ device, flat }) => answer.after[device].sources[flat].map((source) => /** @type {[string, string]} */ ([`b${source.device}.${source.flat}`, `a${device}.${flat}`])));
}

/** @param {Answer} answer @param {number} step @param {Source} [pointed] @returns {string} */
export function collectiveWords(answer, step, pointed) {
  if (answer.ring) {
    const { sent } = answer.frames[step];
    const count = answer.frames[0].held.length;
    if (step === 0) return `Each of ${count} replicas has ${count} chunks. They want the sums.`;
    const adds = step < count;
    const words = adds ? 'is added to what was there' : 'takes the place of what was there';
    const done = step === lastStep(answer) ? ' Now all replicas have all sums.' : step === count - 1 ? ' Now each replica has one whole sum.' : '';
    return `Each replica passes one chunk on to the next; it ${words}. ${sent.map(({ from, to, flat }) => `${from} → ${to}: chunk ${flat}`).join(', ')}.${done}`;
  }
  if (pointed) {
    const { device, flat } = pointed;
    const sources = answer.after[device].sources[flat];
    if (sources.length === 0) return `Replica ${device} receives nothing here: ${answer.after[device].values[flat]}.`;
    const parts = sources.map((source) => answer.before[source.device].values[source.flat]);
    return typeset(`Replica ${device} has ${answer.after[device].values[flat]}, made of ${listed(parts)} of ${replicas(sources.map((source) => source.device))}.`);
  }
  if (step === 0) return `What each of ${answer.devices} replicas has before.`;
  if (step > answer.devices) return 'All replicas have their results.';
  const from = [...new Set(answer.after[step - 1].sources.flat().map(({ device }) => device))].sort((a, b) => a - b);
  return from.length ? `Replica ${step - 1} receives from ${replicas(from)}${from.includes(step - 1) ? ', itself among them' : ''}.` : `Replica ${step - 1} receives nothing, and has zeros.`;
}
