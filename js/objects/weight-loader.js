// The code behind hlo.weights: what webhlo/weights provided, or else what the host imports when it is first used.

import { loadError } from '../host/host.js';
import { HloError } from './errors.js';

/** @typedef {import('../host/host.js').WeightLoader} WeightLoader */

/** @type {WeightLoader | undefined} */
let provided;

/** @param {WeightLoader} loader */
export function provideWeightLoader(loader) {
  provided = loader;
}

/** @param {import('../host/host.js').ThreadHost} host @returns {Promise<WeightLoader>} */
export async function weightLoader(host) {
  if (provided || !host.importWeights) return /** @type {WeightLoader} */ (provided);
  try {
    return await host.importWeights();
  } catch (cause) {
    if (cause instanceof HloError) throw cause;
    throw loadError(`hlo.weights imports its code when it is first used, which failed: ${/** @type {any} */ (cause)?.message}; import 'webhlo/weights' beside 'webhlo', as a service worker must`, cause);
  }
}
