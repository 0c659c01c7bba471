// How the pages of operations are written down: programs in a few words, which become whole modules of HLO here.

/**
 * A program that runs, and what it gives.
 * @typedef {object} Example
 * @property {string} title
 * @property {string} program HLO text
 * @property {string[]} inputs literals, one for each parameter; of several devices, device after device
 * @property {string[]} gives literals, one for each array of the result; of several devices, device after device
 * @property {string} says what to see in it
 * @property {number} devices
 * @property {string[]} feed literals that the host puts into the queue of infeed
 * @property {number} fetch how many values the host takes out of the queue of outfeed: the result is then these
 */
/**
 * A rule, and a program that breaks it.
 * @typedef {object} Rule
 * @property {string} says
 * @property {string} program
 * @property {string} message what the core says, without the place
 */
/**
 * What is written by hand on an operation.
 * @typedef {object} Entry
 * @property {string} [more] a paragraph behind the op table's sentence
 * @property {string} [gives] the result, where its group does not say it
 * @property {string} [names] other names, between spaces: StableHLO's, the older document's
 * @property {Example[]} examples
 * @property {Rule[]} [rules] beside those that follow from the op table (common-rules.js)
 * @property {string} [cost]
 * @property {string[]} [old] what the older document says that does not hold: sentences that begin with "that"
 */
/** @typedef {{ title: string, says: string, cost?: string, gives?: string, operations: Record<string, Entry> }} Group */

/** Computations that programs call by name. @type {Record<string, string>} */
const COMPUTATIONS = {
  ...Object.fromEntries(
    ['f32', 's32', 'pred'].flatMap((type) =>
      ['add', 'multiply', 'maximum', 'minimum', 'and', 'or'].map((op) => [`${op}_${type}`, `{\n  a = ${type}[] parameter(0)\n  b = ${type}[] parameter(1)\n  ROOT c = ${type}[] ${op}(a, b)\n}`]),
    ),
  ),
  ...Object.fromEntries(
    ['f32', 's32'].flatMap((type) =>
      ['LT', 'GT', 'GE'].map((direction) => [`${direction.toLowerCase()}_${type}`, `{\n  a = ${type}[] parameter(0)\n  b = ${type}[] parameter(1)\n  ROOT c = pred[] compare(a, b), direction=${direction}\n}`]),
    ),
  ),
  last_s32: '{\n  a = s32[] parameter(0)\n  ROOT b = s32[] parameter(1)\n}',
  last_f32: '{\n  a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1)\n}',
  negate_f32: '{\n  a = f32[] parameter(0)\n  ROOT b = f32[] negate(a)\n}',
  is_finite_f32: '{\n  a = f32[] parameter(0)\n  ROOT b = pred[] is-finite(a)\n}',
  step: '{\n  x = f32[] parameter(0)\n  total = f32[] parameter(1)\n  sum = f32[] add(x, total)\n  ROOT r = (f32[], f32[]) tuple(sum, sum)\n}',
};

/** The part of a program that says something: without computations whose names say what they do. @param {string} program */
export function tellingPart(program) {
  const [head, ...rest] = program.split(/^(?=ENTRY )/m);
  const own = [...head.matchAll(/^([\w.]+) \{$/gm)].some(([, name]) => !(name in COMPUTATIONS));
  if (own || /^HloModule example,/.test(head)) return program.replace(/^HloModule example\n\n/, '').trim();
  return rest.join('').replace(/^ENTRY main \{\n/, '').replace(/\n\}\n$/, '').replace(/^ {2}/gm, '');
}

/** `x: f32[2] {1, 2}; y: f32[] 3` to names and literals. @param {string} text */
const inputsOf = (text) => (text === '' ? [] : text.split(/\s*;\s*/).map((part) => ({ name: part.slice(0, part.indexOf(':')), literal: part.slice(part.indexOf(':') + 1).trim() })));

/** The shape that a literal begins with. @param {string} literal */
const shapeOf = (literal) => (literal.startsWith('(') ? literal.slice(0, literal.indexOf(')') + 1) : /^\S+/.exec(literal)?.[0] ?? '');

/**
 * A whole module. The computations that the body names and does not hold are put before it.
 * @param {string} inputs @param {string} body an instruction, or lines with a ROOT @param {{ header?: string, before?: string }} [more] before: computations of its own
 */
function moduleOf(inputs, body, { header = '', before = '' } = {}) {
  const named = Object.entries(COMPUTATIONS).filter(([name]) => new RegExp(`[={ ]${name}\\b`).test(`${body}\n${before}`)).map(([name, text]) => `${name} ${text}\n\n`);
  const parameters = inputsOf(inputs).map(({ name, literal }, i) => `  ${name} = ${shapeOf(literal)} parameter(${i})\n`);
  const lines = /(^|\n)\s*ROOT /.test(body) ? body.trim().split('\n').map((line) => `  ${line.trim()}\n`) : [`  ROOT r = ${body}\n`];
  return `HloModule example${header && `, ${header}`}\n\n${named.join('')}${before && `${before.trim()}\n\n`}ENTRY main {\n${parameters.join('')}${lines.join('')}}\n`;
}

/**
 * @param {string} title @param {string} inputs `x: f32[2] {1, 2}; y: f32[] 3`; of several devices, those of each behind a |
 * @param {string} body @param {string} gives literals, between semicolons; of several devices, between | as well
 * @param {{ says?: string, header?: string, before?: string, feed?: string[], fetch?: number }} [more]
 * @returns {Example}
 */
export function run(title, inputs, body, gives, { says = '', feed = [], fetch = 0, ...more } = {}) {
  const devices = inputs.split(/\s*\|\s*/);
  return {
    title,
    program: moduleOf(devices[0], body, more),
    inputs: devices.flatMap((device) => inputsOf(device).map(({ literal }) => literal)),
    gives: gives.split(/\s*[;|]\s*/).filter(Boolean),
    says,
    feed,
    fetch,
    devices: Number(/replica_count=(\d+)/.exec(more.header ?? '')?.[1] ?? 1) * Number(/num_partitions=(\d+)/.exec(more.header ?? '')?.[1] ?? 1),
  };
}

/** @param {string} says @param {string} inputs shapes, `x: f32[2]; y: f32[]` @param {string} body @param {string} message @param {{ header?: string, before?: string }} [more] @returns {Rule} */
export const refused = (says, inputs, body, message, more) => ({ says, program: moduleOf(inputs, body, more), message });
