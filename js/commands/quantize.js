// `webhlo convert --quantize`: a program that takes its weights narrow, and these weights.

import { HloError } from '../objects/errors.js';
import { didYouMean } from '../objects/nearest-name.js';
import { tensorsOf } from '../objects/tensor.js';
import { Failure, UsageError } from './failures.js';
import { readInputs, readWeights } from './inputs.js';
import { inlined, inputUses, lifted, liftedConstant, narrowed } from './narrowing.js';
import { plural, print, progress, table } from './output.js';
import { packedNibbles, toBytes, toNibbles } from './quantization.js';
import { canHold, startSafetensors } from './safetensors-file.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/module.js').Module} Module */
/** @typedef {import('../objects/tensor.js').Tensor} Tensor */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {import('./narrowing.js').Narrowing} Narrowing */
/** @typedef {import('./quantization.js').Narrow} Narrow */
/**
 * @typedef {object} QuantizeSettings
 * @property {'int8' | 'int4'} quantize
 * @property {string} [constants] a file of weights
 * @property {number} [group]
 * @property {number} [atLeast]
 * @property {boolean} [embeddings]
 * @property {string[]} [input]
 * @property {string} output of the program
 * @property {string} [weightsOutput]
 */
/** A weight of the program: one of its inputs, and where its numbers are. @typedef {{ input: number, name: string, shape: Shape, tensor: () => Tensor }} Weight */
/** @typedef {{ weight: Weight, how?: Narrowing, why?: string }} Choice why: it stays as it is, though it is large */

const GROUP = 32;
const AT_LEAST = 4096;
const FLOATS = ['f32', 'bf16', 'f16'];

/** The names that an input may have in a file. @param {string} name */
const namesOf = (name) => {
  const bare = name.slice(name.indexOf('/') + 1);
  return [name, name.replaceAll('/', '.'), bare, bare.replaceAll('/', '.')];
};

/** @param {Runtime} hlo @param {Module} module @param {string} path @returns {Promise<Weight[]>} */
async function weightsOfFile(hlo, module, path) {
  progress(`reading ${path}`);
  const file = await readWeights(hlo, path);
  const found = module.inputs.flatMap(({ name, shape }, input) => {
    const known = namesOf(name).find((candidate) => file.has(candidate));
    if (known === undefined) return [];
    const of = file.get(known).shape;
    if (!of.equals(hlo.makeShape(/** @type {any} */ (shape.type), /** @type {number[]} */ (shape.dimensions))))
      throw new Failure(`${path}: the program takes ${name} as ${shape}, and ${known} is ${of}`);
    return [{ input, name, shape, tensor: () => file.tensor(known) }];
  });
  if (found.length > 0) return found;
  const [first] = module.inputs;
  const hint = first ? `; the program takes ${first.name}${didYouMean(first.name, file.names)}` : '';
  throw new Failure(`${path}: none of its ${plural(file.size, 'array')} has the name of an input${hint}`);
}

/** The constants that the program holds itself, which have become inputs. @param {Module} program @param {Module} module @param {number} least @returns {Weight[]} */
function weightsOfProgram(program, module, least) {
  const source = inlined(program);
  const first = source.inputs.length;
  return module.inputs.slice(first).map(({ name, shape }, number) => ({ input: first + number, name, shape, tensor: () => liftedConstant(source, least, number) }));
}

/** The only dimension of a set; -1 if there are more. @param {number} dims */
const only = (dims) => (dims !== 0 && (dims & (dims - 1)) === 0 ? 31 - Math.clz32(dims) : -1);

/** @param {Weight} weight @param {import('./narrowing.js').InputUse} use @param {QuantizeSettings} settings @returns {Choice} */
function choose(weight, use, { quantize, group = GROUP, atLeast = AT_LEAST, embeddings = false }) {
  const { input, shape } = weight;
  const dims = /** @type {number[]} */ (shape.dimensions);
  if (shape.elementCount < atLeast || !FLOATS.includes(/** @type {string} */ (shape.type))) return { weight };
  const { products, gathers, others, other, summed } = use;
  if (others > 0) return products + gathers > 0 ? { weight, why: `${other} reads it as well` } : { weight };
  if (products === 0 && gathers === 0) return { weight };
  if (products === 0 && !embeddings) return { weight, why: 'rows are looked up in it: --embeddings takes these as well' };
  if (summed === 2 ** dims.length - 1) return { weight, why: 'products sum along all of its dimensions' };
  const along = only(summed);
  const fits = along >= 0 && dims[along] % group === 0;
  if (quantize === 'int4' && fits) return { weight, how: { input, type: 'u4', summed, group } };
  return { weight, how: { input, type: 's8', summed, group: 0 }, why: quantize === 'int4' ? `int8, as groups of ${group} do not divide it` : undefined };
}

/** @param {Choice} choice @returns {import('./safetensors-file.js').Planned[]} */
function plannedOf({ weight: { name, shape }, how }) {
  const dims = /** @type {number[]} */ (shape.dimensions);
  if (!how) return [{ name, type: /** @type {string} */ (shape.type), dims }];
  if (how.type === 's8') return [{ name, type: 's8', dims }, { name: `${name}.scale`, type: 'f32', dims: dims.filter((_, d) => !((how.summed >> d) & 1)) }];
  const groups = dims.map((size, d) => (d === only(how.summed) ? size / how.group : size));
  return [{ name, type: 'u4', dims }, ...['scale', 'minimum'].map((part) => ({ name: `${name}.${part}`, type: 'f16', dims: groups }))];
}

/** @param {Choice} choice @returns {{ arrays: ArrayBufferView[], narrow?: Narrow }} */
function valuesOf({ weight, how }) {
  const tensor = weight.tensor();
  const dims = /** @type {number[]} */ (weight.shape.dimensions);
  try {
    if (!how) return { arrays: [/** @type {ArrayBufferView} */ (tensor.toTypedArray())] };
    const numbers = tensor.toFloat32Array();
    if (!numbers.every(Number.isFinite)) throw new Failure(`the weight ${weight.name} holds infinities or NaN, which narrow integers cannot`);
    const narrow = how.type === 's8' ? toBytes(numbers, dims, how.summed) : toNibbles(numbers, dims, only(how.summed), how.group);
    const { whole, scale, minimum } = narrow;
    return { narrow, arrays: [how.type === 'u4' ? packedNibbles(/** @type {Uint8Array} */ (whole)) : whole, scale, ...(minimum ? [minimum] : [])] };
  } finally {
    tensor.dispose();
  }
}

const megabytes = (/** @type {number} */ bytes) => (bytes < 1e3 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const short = (/** @type {number} */ number) => number.toPrecision(3);
const wordsOf = (/** @type {Narrowing} */ how) => (how.type === 's8' ? 'int8' : `int4 in groups of ${how.group}`);

/** Where the narrow weights go. @param {{ output: string, weightsOutput?: string }} settings */
export const weightsPath = ({ output, weightsOutput }) => weightsOutput ?? `${output.replace(/\.\w+$/, '')}.safetensors`;

/**
 * @param {Runtime} hlo
 * @param {Module} program
 * @param {string} source its name
 * @param {QuantizeSettings} settings
 * @returns {Promise<Module>} the program with narrow weights, which are written
 */
export async function quantize(hlo, program, source, settings) {
  const { constants, atLeast = AT_LEAST } = settings;
  if (program.isDynamic)
    throw new Failure(`${source}: sizes of it are open; --shapes gives them: those of ${program.inputs.filter(({ shape }) => String(shape).includes('?')).map(({ name, shape }) => `${name} (${shape})`).join(', ')}`);
  const module = constants === undefined ? lifted(program, atLeast) : inlined(program);
  const weights = constants === undefined ? weightsOfProgram(program, module, atLeast) : await weightsOfFile(hlo, module, constants);
  const uses = inputUses(module);
  const choices = weights.map((weight) => choose(weight, uses[weight.input], settings));
  if (!choices.some(({ how }) => how))
    throw new Failure(`${source}: no weight of ${atLeast} elements or more is the side of a product, and nothing else (one that goes through a loop is not seen)${constants === undefined ? '; --constants names a file of the weights that are inputs' : ''}`);
  const unheld = choices.find(({ weight, how }) => !how && !canHold(/** @type {string} */ (weight.shape.type)));
  if (unheld) throw new HloError('UNSUPPORTED', `a .safetensors file holds no ${unheld.weight.shape.type}, the type of ${unheld.weight.name}`);
  const values = settings.input && inputsBeside(hlo, module, weights, settings.input);
  const result = narrowed(module, choices.flatMap(({ how }) => how ?? []));
  const path = weightsPath(settings);
  const bytes = writeWeights(path, choices);
  print(`\nweights: ${megabytes(bytes.before)} before, ${megabytes(bytes.after)} in ${path}`);
  if (values) await compareResults(hlo, module, result, { values, path, weights });
  return result;
}

/** @param {string} path @param {readonly Choice[]} choices */
function writeWeights(path, choices) {
  const planned = choices.map(plannedOf);
  const file = startSafetensors(path, planned.flat());
  const rows = [['weight', '', 'becomes', 'largest error', 'rms error', 'of its rms']];
  let [before, after] = [0, 0];
  try {
    for (const choice of choices) {
      const { weight: { name, shape }, how, why } = choice;
      progress(`${name}`);
      const { arrays, narrow } = valuesOf(choice);
      for (const array of arrays) {
        file.write(array);
        after += array.byteLength;
      }
      before += shape.byteSize;
      if (how && narrow) rows.push([name, shape.toString().replace(/\{.*/, ''), why ?? wordsOf(how), short(narrow.most), short(narrow.rms), `${(100 * narrow.rms / (narrow.size || 1)).toFixed(2)} %`]);
      else if (why) rows.push([name, shape.toString().replace(/\{.*/, ''), `stays: ${why}`, '', '', '']);
    }
  } finally {
    file.close();
  }
  for (const line of table(rows, [3, 4, 5])) print(line);
  const plain = choices.filter(({ how, why }) => !how && !why).length;
  if (plain > 0) print(`  ${plural(plain, 'other weight')} as before: small, or no side of a product`);
  return { before, after };
}

/** The values of the inputs that are no weights. @param {Runtime} hlo @param {Module} module @param {readonly Weight[]} weights @param {string[]} texts */
function inputsBeside(hlo, module, weights, texts) {
  const taken = new Set(weights.map(({ input }) => input));
  const open = module.inputs.filter((_, number) => !taken.has(number));
  const values = readInputs(hlo, open, texts, 1)?.[0];
  if (values) return values;
  const list = open.map(({ name, shape }) => `${name}: ${shape}`).join(', ');
  throw new UsageError(`the module takes ${plural(open.length, 'input')} beside its weights (${list}), but ${texts.length} were given with --input`);
}

/**
 * What the narrow weights cost: both programs on the same inputs.
 * @param {Runtime} hlo @param {Module} before @param {Module} after
 * @param {{ values: import('../objects/tensor.js').TensorTree[], path: string, weights: Weight[] }} settings
 */
async function compareResults(hlo, before, after, { values, path, weights }) {
  progress('comparing results');
  const constants = Object.fromEntries(weights.map(({ name, tensor }) => [name, tensor()]));
  const narrow = await readWeights(hlo, path);
  /** @param {Module} module @param {any} bound */
  const resultsOf = async (module, bound) => tensorsOf((await hlo.compile(module, { constants: bound, flat: true })).run(values));
  const [was, is] = [await resultsOf(before, constants), await resultsOf(after, narrow)];
  was.forEach((tensor, n) => {
    const [a, b] = [tensor.toFloat32Array(), is[n].toFloat32Array()];
    let [most, squares, all, largest] = [0, 0, 0, 0];
    a.forEach((x, i) => {
      const distance = Math.abs(x - b[i]);
      if (!(distance <= most)) most = distance;
      if (Math.abs(x) > largest) largest = Math.abs(x);
      squares += distance ** 2;
      all += x * x;
    });
    print(`result ${n}, ${tensor.shape.toString().replace(/\{.*/, '')}: differs by ${short(most)} at most, where its largest element is ${short(largest)}; rms ${((100 * Math.sqrt(squares)) / (Math.sqrt(all) || 1)).toFixed(2)} % of its own`);
  });
}
