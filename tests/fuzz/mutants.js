// Mutants through both evaluators, with and without loops of their own, and with threads: the results agree, or an HloError says why not.
import { HloError, load } from '../../js/index.js';
import { disagreement } from '../../js/commands/agreement.js';
import { tensorsOf } from '../../js/objects/tensor.js';
import { randomSource } from '../api/emitted-programs.js';
import { mutate } from './mutate.js';
import { caseModules } from './seeds.js';

const MOST_ELEMENTS = 1 << 13;
const BUDGET = 2_000_000;
const REFUSALS = ['LIMIT', 'OUT_OF_MEMORY'];

/** Whether a program's arrays are small; what it does with them is bounded by the budget. @param {string} text */
function isSmall(text) {
  let sum = 0;
  for (const [, dims] of text.matchAll(/\b(?:pred|[suf]\d+\w*|bf16|c64|c128)\[([\d,<=]*)\]/g)) {
    const count = dims ? dims.split(',').reduce((product, n) => product * Number(n.replace('<=', '')), 1) : 1;
    if (count > MOST_ELEMENTS) return false;
    sum += count;
  }
  return sum < 4 * MOST_ELEMENTS;
}

/** A value of a shape as a literal. @param {any} shape @param {ReturnType<typeof randomSource>} random @returns {string} */
function literalText(shape, random) {
  const one = () => {
    const { type } = shape;
    if (type === 'pred') return String(random.below(2));
    const number = () => String(random.below(type.startsWith('u') ? 4 : 8) - (/^(u|pred)/.test(type) ? 0 : /2$/.test(type) && type.length === 2 ? 0 : 3));
    if (/^[su][124]$/.test(type)) return String(random.below(2));
    return type === 'c64' || type === 'c128' ? `(${number()}, ${number()})` : number();
  };
  const nested = (/** @type {readonly number[]} */ dims) => (dims.length === 0 ? one() : `{${Array.from({ length: dims[0] }, () => nested(dims.slice(1))).join(', ')}}`);
  if (shape.dimensions.length === 0 && shape.type === 'pred') return `pred[] ${random.below(2) ? 'true' : 'false'}`;
  return `${shape.type}[${shape.dimensions}] ${nested(shape.dimensions)}`;
}

/** @param {any} hlo @param {any} shape @param {ReturnType<typeof randomSource>} random @returns {any} */
function inputOf(hlo, shape, random) {
  if (shape.isTuple) return shape.elements.map((/** @type {any} */ element) => inputOf(hlo, element, random));
  if (shape.type === 'token') return null;
  return hlo.parseLiteral(literalText(shape, random));
}

/** @param {any} tree */
const drop = (tree) => tensorsOf(tree).forEach((tensor) => tensor.dispose());

/**
 * One way of running a program: its result, or the error.
 * @param {any} hlo @param {string} text @param {number} seed of inputs @param {object} [options]
 * @returns {Promise<{ result?: any, types: string[], code: string }>}
 */
async function attempt(hlo, text, seed, options) {
  const made = [];
  try {
    const module = hlo.parse(text);
    made.push(module);
    module.toString();
    const executable = await hlo.compile(module, options);
    made.push(executable);
    if ((module.replicas ?? 1) * (module.partitions ?? 1) > 1) return { types: [], code: 'DEVICES' };
    const random = randomSource(seed);
    const inputs = module.inputs.map((/** @type {any} */ { shape }) => inputOf(hlo, shape, random));
    try {
      const result = executable.run(inputs, { seed: 7, workBudget: BUDGET });
      return { result, types: tensorsOf(result).map((tensor) => String(tensor.shape.type)), code: 'OK' };
    } finally {
      inputs.forEach(drop);
    }
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    if (error.code === 'INTERNAL') throw error;
    return { types: [], code: error.code };
  } finally {
    for (const one of made.reverse()) one.dispose();
  }
}

/** @param {any} tensor */
const bitsOf = (tensor) => [tensor.toArray()].flat(Infinity).map((/** @type {any} */ x) => (Object.is(x, -0) ? '-0' : String(x))).join();

/** Whether floats may differ by much: a loop makes a small difference a large one, and eigenvectors and singular vectors may be turned round. @param {string} text */
const isLoose = (text) => / while\(|"lapack_[sdcz](?:syevd|heevd|geev|gesdd|gesvd)(?:_ffi)?"/.test(text);

/**
 * Compares two ways. Of loose programs only exact comparisons say anything.
 * @param {any} a @param {any} b @param {{ exactly?: boolean, loose?: boolean }} how @returns {string | undefined}
 */
function difference(a, b, { exactly = false, loose = false }) {
  if (REFUSALS.includes(a.code) || REFUSALS.includes(b.code)) return undefined;
  if (a.code !== b.code) return `${a.code} against ${b.code}`;
  if (a.code !== 'OK') return undefined;
  if (!exactly) return loose && a.types.some((type) => /^(b?f|c)/.test(type)) ? undefined : disagreement(a.result, b.result);
  const [left, right] = [tensorsOf(a.result).map(bitsOf), tensorsOf(b.result).map(bitsOf)];
  return left.join(';') === right.join(';') ? undefined : `${left} against ${right}`;
}

export class Mutants {
  /** How mutants ended, by code. @type {Map<string, number>} */
  ends = new Map();

  /** @param {{ threads?: number }} [options] */
  static async start({ threads = 2 } = {}) {
    const self = new Mutants();
    self.emitting = await load({ relaxed: false });
    self.plain = await load({ emit: false });
    self.sharing = await load({ threads, relaxed: false });
    self.byArity = new Map();
    for (const [name, op] of Object.entries(/** @type {any} */ (self.emitting).ops)) {
      const count = op.operands?.length ?? 0;
      self.byArity.set(count, [...(self.byArity.get(count) ?? []), name]);
    }
    self.seeds = caseModules().filter((text) => text.length < 6000).flatMap((text) => {
      try {
        const module = /** @type {any} */ (self.emitting).parse(text);
        const printed = module.toString();
        module.dispose();
        return isSmall(printed) ? [printed] : [];
      } catch {
        return [];
      }
    });
    return self;
  }

  /** The mutant of a number. @param {number} number */
  mutant(number) {
    const random = randomSource(Math.imul(number + 1, 0x9e3779b1));
    for (let i = 0; i < 20; i++) random.next();
    return mutate(random.pick(/** @type {any} */ (this).seeds), random, /** @type {any} */ (this).byArity);
  }

  /** Runs a program in every way. @param {string} text @param {number} seed @returns {Promise<string | undefined>} what is wrong */
  async judge(text, seed) {
    if (!isSmall(text)) return void this.count('LARGE');
    const { emitting, plain, sharing } = /** @type {any} */ (this);
    const ways = [];
    try {
      for (const [hlo, options] of [[emitting, {}], [emitting, { reference: true }], [plain, {}], [sharing, {}]]) {
        ways.push(await attempt(hlo, text, seed, options));
        if (ways.length === 1 && ways[0].code !== 'OK') break;
      }
      const [emitted, reference, interpreted, shared] = ways;
      this.count(emitted.code);
      if (!reference) return undefined;
      return prefixed('reference', difference(emitted, reference, { loose: isLoose(text) })) ?? prefixed('emitted loops', difference(emitted, interpreted, { exactly: true })) ??
        prefixed('threads', difference(emitted, shared, { exactly: true }));
    } catch (error) {
      return error instanceof HloError ? `${error.code}: ${error.message}` : `${/** @type {any} */ (error)?.stack}`;
    } finally {
      for (const { result } of ways) if (result !== undefined) drop(result);
    }
  }

  /** @param {string} code */
  count(code) {
    this.ends.set(code, (this.ends.get(code) ?? 0) + 1);
  }

  dispose() {
    for (const hlo of [/** @type {any} */ (this).emitting, /** @type {any} */ (this).plain, /** @type {any} */ (this).sharing]) hlo.dispose();
  }
}

/** @param {string} what @param {string | undefined} wrong */
const prefixed = (what, wrong) => (wrong === undefined ? undefined : `${what}: ${wrong}`);
