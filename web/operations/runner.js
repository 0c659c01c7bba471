// Runs what the pages of operations show: in the pages, when they are made, and in tests.

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./notation.js').Example} Example */
/** @typedef {{ literals: string[], plan: import('../../js/objects/types.js').Plan | undefined }} Outcome */

/** The functions that custom calls of examples name. */
const CUSTOM_CALLS = {
  /** @param {Float32Array} out @param {Float32Array[]} operands */
  myfunc: (out, [x, y]) => out.fill(0).set([x[1] + y[3]]),
};

/** A literal as the pages show it: NaN has no sign, and brackets stand close. @param {string} literal */
const tidy = (literal) => literal.replaceAll('-nan', 'nan').replace(/\s*\/\*[^*]*\*\/\s*/g, '').replace(/\{ (?=[^\s])/g, '{').replace(/(?<=[^\s]) \}/g, '}');

/** @template T @param {T | readonly T[]} tree @returns {T[]} */
const leavesOf = (tree) => (Array.isArray(tree) ? tree.flatMap(leavesOf) : tree === null ? [] : [/** @type {T} */ (tree)]);

/**
 * @param {Runtime} hlo @param {Pick<Example, 'program' | 'inputs' | 'devices' | 'feed' | 'fetch'>} example
 * @param {{ reference?: boolean }} [options] reference: on the reference evaluator, which has no plan
 * @returns {Promise<Outcome>}
 */
export async function runExample(hlo, { program, inputs, devices, feed, fetch }, { reference = false } = {}) {
  const module = hlo.parse(program);
  const executable = await hlo.compile(module, { reference, customCalls: /custom-call/.test(program) ? CUSTOM_CALLS : {} });
  const values = inputs.map((literal) => hlo.parseLiteral(literal));
  try {
    for (const literal of feed) hlo.infeed.push(/** @type {any} */ (hlo.parseLiteral(literal)));
    const each = inputs.length / devices;
    const given = /** @type {any[]} */ (devices > 1 ? Array.from({ length: devices }, (_, i) => values.slice(i * each, (i + 1) * each)) : values);
    const result = executable.run(given, { seed: 1 });
    const shown = fetch ? Array.from({ length: fetch }, () => hlo.outfeed.take()) : result;
    const tensors = /** @type {any[]} */ (leavesOf(/** @type {any} */ (shown)));
    const literals = tensors.map((tensor) => tidy(hlo.literal(tensor)));
    for (const tensor of tensors) tensor.dispose();
    return { literals, plan: reference ? undefined : executable.plan };
  } finally {
    hlo.infeed.clear();
    hlo.outfeed.clear();
    for (const tensor of leavesOf(/** @type {any} */ (values))) if (tensor && !(/** @type {any} */ (tensor).disposed)) /** @type {any} */ (tensor).dispose();
    executable.dispose();
    module.dispose();
  }
}

/** What the core says of a program that breaks a rule, without the place. @param {Runtime} hlo @param {string} program @returns {Promise<string>} nothing where it does not refuse it */
export async function refusalOf(hlo, program) {
  try {
    const module = hlo.parse(program);
    (await hlo.compile(module)).dispose();
    module.dispose();
    return '';
  } catch (error) {
    return messageOf(/** @type {Error} */ (error));
  }
}

/** @param {Error} error */
export const messageOf = ({ message }) => message.split('\n')[0].replace(/^\d+:\d+: /, '');
