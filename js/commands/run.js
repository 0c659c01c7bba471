// `webhlo run`: inputs from files, results as text.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { HloError } from '../objects/errors.js';
import { isNpy, readNpy, writeNpy } from '../values/npy.js';
import { Tensor, tensorsOf } from '../objects/tensor.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/tensor.js').TensorTree} TensorTree */
/**
 * @typedef {object} RunSettings
 * @property {string[]} inputs
 * @property {string} [output]
 * @property {string} [snapshot]
 * @property {string} [profile]
 * @property {boolean} [reference]
 * @property {string} [dumpAfter]
 * @property {boolean} [json]
 * @property {number} [replicas]
 * @property {number} [partitions]
 * @property {number} [seed]
 */

/** @param {Runtime} hlo @param {Uint8Array} source @param {RunSettings} settings @returns {Promise<string>} */
export async function runModule(hlo, source, settings) {
  const { replicas, partitions, reference, seed } = settings;
  const module = hlo.parse(source);
  const dump = settings.dumpAfter === undefined ? undefined : module.dumpAfter(settings.dumpAfter).trimEnd();
  const executable = await hlo.compile(module, { replicas, partitions, reference, flat: true });
  const { devices } = executable;
  const count = executable.inputs.length;
  const stored = settings.inputs.length === 0 ? hlo.snapshotValues(source) : { inputs: [], result: undefined };
  const values = settings.inputs.length === 0 ? stored.inputs : settings.inputs.map((text) => readInput(hlo, text));
  if (dump !== undefined) {
    if (values.length === 0 && count > 0) return dump;
    process.stdout.write(`${dump}\n`);
  }
  if (values.length !== count && values.length !== count * devices) {
    const where = devices > 1 ? ` for each of ${devices} devices (or once for all)` : '';
    const list = executable.inputs.map(({ name, shape }) => `\n  ${name}: ${shape}`).join('');
    const open = module.isDynamic && list.includes('?') ? '\nof any size where the shape says ?; the program is specialised to it' : '';
    throw new HloError(
      'INPUT',
      `the module takes ${count} input${count === 1 ? '' : 's'}${where}, but ${values.length} ${
        values.length === 1 ? 'was' : 'were'
      } given with --input${list}${open}`,
    );
  }
  const perDevice = Array.from({ length: devices }, (_, d) =>
    values.length === count ? values : values.slice(d * count, (d + 1) * count),
  );
  const inputs = devices === 1 ? perDevice[0] : perDevice;
  const results = settings.profile === undefined ? executable.run(inputs, { seed }) : profiled(executable, inputs, { seed }, settings.profile);
  if (settings.output !== undefined) writeOutput(settings.output, results);
  if (settings.snapshot !== undefined) {
    if (devices !== 1) throw new Error(`--snapshot writes the run of one device, but there are ${devices}`);
    const fixed = module.isDynamic ? module.specialize(tensorsOf(values).map(({ shape }) => shape)) : module;
    writeFileSync(settings.snapshot, hlo.snapshot(fixed, values, results));
  }
  if (stored.result !== undefined && devices === 1)
    process.stderr.write(`the snapshot's result: ${comparison(stored.result, results)}\n`);
  if (settings.json) return JSON.stringify(devices === 1 ? plain(results) : results.map(plain));
  if (devices === 1) return lines(hlo, results).join('\n');
  return results
    .map(
      (/** @type {TensorTree} */ result, /** @type {number} */ device) =>
        `device ${device}:\n${lines(hlo, result).join('\n')}`,
    )
    .join('\n');
}

/**
 * Runs once to warm up, and then under the clock.
 * @param {import('../objects/executable.js').Executable | import('../objects/executable-dynamic.js').DynamicExecutable} executable
 * @param {readonly any[]} inputs
 * @param {import('../objects/executable.js').RunOptions} options
 * @param {string} path of the trace
 */
function profiled(executable, inputs, options, path) {
  tensorsOf(executable.run(inputs, options)).forEach((tensor) => tensor.dispose());
  const { result, trace } = executable.profile(inputs, options);
  try {
    writeFileSync(path, JSON.stringify(trace));
  } catch (error) {
    throw new Error(`cannot write the profile ${path}: ${/** @type {Error} */ (error).message}`);
  }
  return result;
}

/**
 * An input: a path, or a literal such as `f32[2] {1, 2}`.
 * @param {Runtime} hlo
 * @param {string} text
 * @returns {TensorTree}
 */
function readInput(hlo, text) {
  if (!existsSync(text)) {
    if (/^\s*(\w+\[[\d,]*\]|\()/.test(text)) return literal(hlo, text, 'the literal');
    throw new Error(
      `cannot read the input ${text}: there is no such file, and it is not a literal such as 'f32[2] {1, 2}'`,
    );
  }
  if (statSync(text).isDirectory()) throw new Error(`cannot read the input ${text}: it is a folder`);
  const bytes = readFileSync(text);
  if (!isNpy(bytes)) return literal(hlo, bytes.toString('utf8').trim(), text);
  let array;
  try {
    array = readNpy(bytes);
  } catch (error) {
    throw new Error(`${text}: ${/** @type {Error} */ (error).message}`);
  }
  const { type, dimensions, columnMajor, data } = array;
  const layout = columnMajor ? { layout: dimensions.map((_, i) => i).join(',') } : {};
  return hlo.tensor(data, hlo.makeShape(/** @type {any} */ (type), dimensions, layout));
}

/** @param {Runtime} hlo @param {string} text @param {string} what */
function literal(hlo, text, what) {
  try {
    return hlo.parseLiteral(text);
  } catch (error) {
    if (error instanceof HloError) error.message = `${what}: ${error.message}`;
    throw error;
  }
}

/** One literal a leaf. @param {Runtime} hlo @param {TensorTree} result @returns {string[]} */
function lines(hlo, result) {
  if (result instanceof Tensor) return [hlo.literal(result)];
  return result === null ? ['token[]'] : result.flatMap((element) => lines(hlo, element));
}

/** @param {TensorTree} result @returns {any} */
function plain(result) {
  if (result instanceof Tensor) return { shape: result.shape.toString(), value: finite(result.toArray()) };
  return result === null ? null : result.map(plain);
}

/** How a result differs from what it should be. @param {TensorTree} expected @param {TensorTree} actual @returns {string} */
function comparison(expected, actual) {
  const [left, right] = [tensorsOf(expected), tensorsOf(actual)];
  const shapes = (/** @type {Tensor[]} */ tensors) => tensors.map(({ shape }) => `${shape.type}[${shape.dimensions}]`).join(', ');
  if (shapes(left) !== shapes(right)) return `it is ${shapes(left)}, but this run gives ${shapes(right)}`;
  let different = 0;
  let largest = 0;
  let count = 0;
  left.forEach((tensor, i) => {
    const [a, b] = [tensor, right[i]].map((t) => [t.toArray()].flat(Infinity).map(Number));
    count += a.length;
    a.forEach((value, k) => {
      if (value === b[k] || (Number.isNaN(value) && Number.isNaN(b[k]))) return;
      different++;
      largest = Math.max(largest, Math.abs(value - b[k]));
    });
  });
  return different === 0 ? 'the same' : `${different} of ${count} numbers differ, by ${largest} at most`;
}

/** JSON has no NaN, infinities or large integers: these become texts. @param {any} value @returns {any} */
function finite(value) {
  if (Array.isArray(value)) return value.map(finite);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value))
    return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  return value;
}

/** @param {string} path @param {any} results */
function writeOutput(path, results) {
  const tensors = tensorsOf(results);
  if (tensors.length !== 1) throw new Error(`--output writes one array, but the result has ${tensors.length}`);
  const [tensor] = tensors;
  if (!tensor.shape.isDense)
    throw new Error(`--output: the result has the layout ${tensor.shape}; give the module a row-major result`);
  writeFileSync(path, writeNpy(tensor.shape.type, tensor.dimensions, tensor.toTypedArray()));
}
