// Who sends what to whom in a collective, and in a ring of permutes: found by running the program. A second run gives every element a power of
// two of its own; the sums that come out tell which elements went in.
import { attributesOf, attributesText } from './op-text.js';
import { textOf } from './number-model.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Tensor} Tensor */
/** @typedef {{ device: number, flat: number }} Source an element that a replica had before */
/**
 * @typedef {object} Held what a replica has
 * @property {number[]} sizes
 * @property {string[]} values
 * @property {Source[][]} sources what each element is made of
 */
/**
 * @typedef {object} Collective
 * @property {number} devices
 * @property {Held[]} before of each replica
 * @property {Held[]} after
 * @property {string} program
 */
/**
 * @typedef {object} Frame of a ring
 * @property {Held[]} held
 * @property {{ from: number, to: number, flat: number }[]} sent what arrived in this step, and where
 * @property {string} says
 */
/** @typedef {{ op: string, shape: string, devices: number, attrs: string, values: string }} Question */

/** Attributes that an op has unless a page says others. @type {Record<string, (devices: number) => string>} */
const USUAL = {
  'all-reduce': () => 'replica_groups={}, to_apply=add',
  'all-gather': () => 'replica_groups={}, dimensions={0}',
  'reduce-scatter': () => 'replica_groups={}, dimensions={0}, to_apply=add',
  'all-to-all': () => 'replica_groups={}, dimensions={0}',
  'collective-permute': (devices) => `source_target_pairs={${ringPairs(devices)}}`,
  'collective-broadcast': (devices) => `replica_groups={{${counted(devices)}}}`,
};

export const COLLECTIVES = Object.keys(USUAL);
/** A double holds as many powers of two side by side. */
const MOST_ELEMENTS = 52;
const MOST_DEVICES = 8;
const FOLDS = ['add', 'multiply', 'maximum', 'minimum'];

const counted = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);
const ringPairs = (/** @type {number} */ devices) => counted(devices).map((d) => `{${d},${(d + 1) % devices}}`).join();

/** The attributes of a question, those of the op where it says none. @param {Pick<Question, 'op' | 'devices' | 'attrs'>} question @returns {Map<string, string>} */
export function collectiveAttributes({ op, devices, attrs }) {
  const usual = USUAL[op];
  if (!usual) throw new RangeError(`hlo-collective: op is one of ${COLLECTIVES.join(', ')}, ring, got "${op}"`);
  return new Map([...attributesOf(usual(devices)), ...attributesOf(attrs)]);
}

/** @param {number} devices */
function mustBeFew(devices) {
  if (!(Number.isInteger(devices) && devices >= 1 && devices <= MOST_DEVICES)) throw new RangeError(`1 to ${MOST_DEVICES} replicas are shown, got ${devices}`);
}

/** @param {Runtime} hlo @param {Question} question @param {string} type @param {string} [fold] @returns {string} the program, as HLO text */
function collectiveProgram(hlo, { op, shape, devices, ...question }, type, fold) {
  const attributes = collectiveAttributes({ op, devices, ...question });
  const named = attributes.get('to_apply');
  if (named !== undefined && !FOLDS.includes(named)) throw new RangeError(`to_apply: one of ${FOLDS.join(', ')}, got ${JSON.stringify(named)}`);
  const { dimensions } = hlo.shape(shape);
  const sizes = dimensions.map(Number);
  const [first] = /\{\s*[\d,\s]+\}/.exec(attributes.get('replica_groups') ?? '') ?? [];
  const group = first ? first.split(',').length : devices;
  const along = Number(/\d+/.exec(attributes.get('dimensions') ?? '0')?.[0] ?? 0);
  const resized = sizes.map((size, d) => (d !== along ? size : op === 'all-gather' ? size * group : op === 'reduce-scatter' ? Math.floor(size / group) : size));
  if (named) attributes.set('to_apply', 'combined');
  const called = named ? `combined {\n  a = ${type}[] parameter(0)\n  b = ${type}[] parameter(1)\n  ROOT both = ${type}[] ${fold ?? named}(a, b)\n}\n\n` : '';
  return `HloModule collective, replica_count=${devices}\n\n${called}ENTRY main {\n  x = ${type}[${sizes}] parameter(0)\n  ROOT y = ${type}[${resized}] ${op}(x), ${attributesText(attributes)}\n}\n`;
}

/** What each replica has at the start: 10 more than the one before it, or as given. @param {number} devices @param {number} count @param {string} values @returns {number[][]} */
function inputsOf(devices, count, values) {
  const given = values.match(/-?[\d.]+(?:e[+-]?\d+)?/g)?.map(Number) ?? [];
  return counted(devices).map((device) => counted(count).map((i) => given[device * count + i] ?? 10 * device + i));
}

/** Runs a program of replicas. @param {Runtime} hlo @param {string} program @param {readonly (readonly number[])[]} inputs @param {string} type @param {readonly number[]} sizes @returns {Promise<Tensor[][]>} arrays of each replica */
async function runReplicas(hlo, program, inputs, type, sizes) {
  const module = hlo.parse(program);
  const executable = await hlo.compile(module);
  const tensors = inputs.map((values) => hlo.tensor(Float64Array.from(values), `f64[${sizes}]`));
  const own = await Promise.all(tensors.map((tensor) => converted(hlo, tensor, type, sizes)));
  try {
    const results = inputs.length === 1 ? [executable.run([own[0]])] : /** @type {any[]} */ (/** @type {unknown} */ (executable.run(/** @type {any} */ (own.map((tensor) => [tensor])))));
    return results.map((result) => /** @type {Tensor[]} */ ([result].flat(9)));
  } finally {
    for (const tensor of [...tensors, ...own]) tensor.dispose();
    executable.dispose();
    module.dispose();
  }
}

/** @param {Runtime} hlo @param {Tensor} tensor of f64 @param {string} type @param {readonly number[]} sizes @returns {Promise<Tensor>} */
async function converted(hlo, tensor, type, sizes) {
  const builder = hlo.builder('converted');
  const executable = await hlo.compile(builder.build(builder.convert(builder.parameter(0, `f64[${sizes}]`), /** @type {any} */ (type))));
  const out = /** @type {Tensor} */ (executable.run([tensor]));
  executable.dispose();
  return out;
}

const flat = (/** @type {Tensor} */ tensor) => /** @type {unknown[]} */ ([tensor.toArray()].flat(9));

/** The elements whose powers of two are in a sum. @param {number} sum @param {number} count of elements a replica has @returns {Source[]} */
function sourcesIn(sum, count) {
  const bits = BigInt(sum);
  return counted(MOST_ELEMENTS).filter((bit) => (bits >> BigInt(bit)) & 1n).map((bit) => ({ device: Math.floor(bit / count), flat: bit % count }));
}

/** @param {Tensor[]} values of an array in each replica @param {Tensor[]} marks the same, of the run of powers @param {number} count @returns {Held[]} */
function heldOf(values, marks, count) {
  return values.map((tensor, device) => ({
    sizes: [...tensor.dimensions],
    values: flat(tensor).map(textOf),
    sources: flat(marks[device]).map((sum) => sourcesIn(Number(sum), count)),
  }));
}

/** Each element its own power of two. @param {number} devices @param {number} count */
function powers(devices, count) {
  if (devices * count > MOST_ELEMENTS) throw new RangeError(`${devices} replicas of ${count} elements are ${devices * count}, and more than ${MOST_ELEMENTS} are not followed here`);
  return counted(devices).map((device) => counted(count).map((i) => 2 ** (device * count + i)));
}

/** @param {Runtime} hlo @param {Question} question @returns {Promise<Collective>} */
export async function collectiveModel(hlo, question) {
  const { devices } = question;
  mustBeFew(devices);
  const shape = hlo.shape(question.shape);
  const type = String(shape.type);
  const sizes = shape.dimensions.map(Number);
  const count = shape.elementCount;
  const inputs = inputsOf(devices, count, question.values);
  const marks = powers(devices, count);
  const program = collectiveProgram(hlo, question, type);
  const [values, followed] = [await runReplicas(hlo, program, inputs, type, sizes), await runReplicas(hlo, collectiveProgram(hlo, question, 'f64', 'add'), marks, 'f64', sizes)];
  const after = heldOf(values.map(([array]) => array), followed.map(([array]) => array), count);
  for (const tensor of [...values, ...followed].flat()) tensor.dispose();
  const before = inputs.map((own, device) => ({ sizes, values: own.map(textOf), sources: own.map((_, i) => [{ device, flat: i }]) }));
  return { devices, before, after, program };
}

// ---- The ring ----

/** An all-reduce of permutes: each step passes one chunk on, first to be added, then to be kept. @param {number} devices @param {string} type */
function ringProgram(devices, type) {
  const pairs = ringPairs(devices);
  const lines = [`HloModule ring, replica_count=${devices}`, '', 'ENTRY main {', `  state0 = ${type}[${devices}] parameter(0)`, '  id = u32[] replica-id()', '  me = s32[] convert(id)', `  all = s32[] constant(${devices})`];
  const steps = devices - 1;
  /** @param {string} name @param {number} by @returns {string} the name of (me + by) mod devices */
  const place = (name, by) => {
    lines.push(`  ${name}.by = s32[] constant(${((by % devices) + devices) % devices})`, `  ${name}.far = s32[] add(me, ${name}.by)`, `  ${name} = s32[] remainder(${name}.far, all)`);
    return name;
  };
  for (let step = 0; step < 2 * steps; step++) {
    const adds = step < steps;
    const from = adds ? -step : 1 - (step - steps);
    const out = place(`out${step}`, from);
    lines.push(`  chunk${step} = ${type}[1] dynamic-slice(state${step}, ${out}), dynamic_slice_sizes={1}`, `  got${step} = ${type}[1] collective-permute(chunk${step}), source_target_pairs={${pairs}}`);
    const into = place(`in${step}`, from - 1);
    if (adds) lines.push(`  own${step} = ${type}[1] dynamic-slice(state${step}, ${into}), dynamic_slice_sizes={1}`, `  sum${step} = ${type}[1] add(own${step}, got${step})`);
    lines.push(`  state${step + 1} = ${type}[${devices}] dynamic-update-slice(state${step}, ${adds ? 'sum' : 'got'}${step}, ${into})`);
  }
  const states = counted(2 * steps + 1);
  lines.push(`  ROOT states = (${states.map(() => `${type}[${devices}]`).join(', ')}) tuple(${states.map((step) => `state${step}`).join(', ')})`, '}', '');
  return lines.join('\n');
}

/** A run of the ring, recorded. @param {Runtime} hlo @param {{ devices: number, values: string, type: string }} question @returns {Promise<{ frames: Frame[], program: string }>} */
export async function ringModel(hlo, { devices, values, type }) {
  mustBeFew(devices);
  if (devices < 2) throw new RangeError('a ring has 2 replicas or more');
  const program = ringProgram(devices, type);
  // 8 replicas have 64 chunks, more than a double has bits: who took part is told by replicas alone.
  const marks = counted(devices).map((device) => counted(devices).map(() => 2 ** device));
  const runs = await runReplicas(hlo, program, inputsOf(devices, devices, values), type, [devices]);
  const followed = await runReplicas(hlo, ringProgram(devices, 'f64'), marks, 'f64', [devices]);
  const frames = counted(2 * devices - 1).map((step) => {
    const held = runs.map((states, device) => ({
      sizes: [devices],
      values: flat(states[step]).map(textOf),
      sources: flat(followed[device][step]).map((sum, chunk) => sourcesIn(Number(sum), 1).map((source) => ({ device: source.device, flat: chunk }))),
    }));
    return /** @type {Frame} */ ({ held, sent: [], says: '' });
  });
  for (const tensor of [...runs, ...followed].flat()) tensor.dispose();
  frames.forEach((frame, step) => {
    if (step === 0) return;
    // What is made of other replicas' elements than before has arrived in this step.
    frame.sent = frame.held.flatMap(({ sources }, to) =>
      sources.flatMap((own, chunk) => (own.length === frames[step - 1].held[to].sources[chunk].length ? [] : [{ from: (to + devices - 1) % devices, to, flat: chunk }])),
    );
  });
  return { frames, program };
}
