// WebHLO's side of `--against xla`: node ours.js FOLDER RUNTIME-URL. It is asked over lines of JSON, as theirs.py is.
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const [folder, runtime] = process.argv.slice(2);
const { load } = await import(runtime);
const hlo = await load();
const { cases } = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf8'));

/** @type {any} */
let executable = null;
/** @type {any[]} */
let inputs = [];

/** The tensors of a result, in the order of JAX: dictionaries by their keys. @param {any} result @returns {any[]} */
function all(result) {
  if (Array.isArray(result)) return result.flatMap(all);
  if (Object.getPrototypeOf(result) !== Object.prototype) return [result];
  return Object.keys(result).sort().flatMap((key) => all(result[key]));
}

function run() {
  for (const tensor of all(executable.run(inputs))) tensor.dispose();
}

function release() {
  for (const tensor of inputs) tensor.dispose();
  executable?.dispose();
  executable = null;
  inputs = [];
}

/** The bytes of a Tensor, dense. @param {any} tensor */
function bytesOf(tensor) {
  const { buffer, byteOffset, byteLength } = tensor.toTypedArray();
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The typed array of a shape's elements from bytes that may lie at any place. @param {Uint8Array} bytes @param {string} shape */
function elements(bytes, shape) {
  const copy = new Uint8Array(bytes).buffer;
  /** @type {Record<string, any>} */
  const arrays = { f32: Float32Array, c64: Float32Array, f64: Float64Array, c128: Float64Array, s32: Int32Array, u32: Uint32Array,
    s64: BigInt64Array, u64: BigUint64Array, s16: Int16Array, u16: Uint16Array, f16: Uint16Array, bf16: Uint16Array, s8: Int8Array };
  return new (arrays[shape.slice(0, shape.indexOf('['))] ?? Uint8Array)(copy);
}

/** @param {string} name @param {string} results the file to write */
async function prepare(name, results) {
  release();
  const entry = cases.find((/** @type {any} */ one) => one.name === name);
  const module = hlo.parse(await readFile(`${folder}/${name}.jax`));
  const start = performance.now();
  executable = await hlo.compile(module);
  const compile = performance.now() - start;
  module.dispose();
  const bytes = await readFile(`${folder}/${name}.inputs`);
  let at = 0;
  for (const shape of entry.inputs) {
    const { arraySize } = hlo.shape(shape);
    inputs.push(hlo.tensor(elements(bytes.subarray(at, at + arraySize), shape), shape));
    at += arraySize;
  }
  const found = all(executable.run(inputs));
  await writeFile(results, Buffer.concat(found.map(bytesOf)));
  for (const tensor of found) tensor.dispose();
  return { compile };
}

/** The steps that take the most time, with their part of it. @param {number} count */
function profile(count) {
  const { result, trace } = executable.profile(inputs);
  for (const tensor of all(result)) tensor.dispose();
  /** @type {Map<string, number>} */
  const times = new Map();
  const steps = trace.traceEvents.filter((/** @type {any} */ { ph, args }) => ph === 'X' && !args.calls);
  for (const { name, dur, args, cat } of steps) {
    const key = `${cat ?? name} ${args.kernel ?? 'reference'} ${args.shape ?? ''}`;
    times.set(key, (times.get(key) ?? 0) + dur);
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times].sort((x, y) => y[1] - x[1]).slice(0, count).map(([step, time]) => `${step} ${((100 * time) / total).toFixed(0)} %`);
}

const methods = {
  prepare: (/** @type {any} */ request) => prepare(request.name, request.results),
  profile: (/** @type {any} */ request) => profile(request.steps),
  sample({ runs }) {
    const start = performance.now();
    for (let i = 0; i < runs; i++) run();
    return (performance.now() - start) / runs;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  try {
    console.log(JSON.stringify({ value: await methods[request.method](request) }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error).slice(0, 300) }));
  }
}
