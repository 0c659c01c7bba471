// The shape that <hlo-layout> is asked for.

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Shape} Shape */
/** @typedef {{ shape: string, paddedDimensions?: string | null, paddingValue?: string | null }} Asked attributes of the element */

/** @param {Runtime} runtime @param {Asked} asked @returns {Shape} */
export function layoutShape(runtime, { shape, paddedDimensions, paddingValue }) {
  return runtime.shape(shape, paddedDimensions ? { paddedDimensions: paddedDimensions.split(/[\s,]+/).filter(Boolean).map(Number), paddingValue: /** @type {any} */ (paddingValue ?? 'zero') } : {});
}
