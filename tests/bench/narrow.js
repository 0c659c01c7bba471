// npm run bench -- --narrow: products of one row, and of 64, by weights of every width, as rates and beside f32. Weights are arguments, or
// constants where that makes a difference. Each figure is the fastest of many short samples, taken in turn.
import { load } from '../../js/index.js';

const option = (/** @type {string} */ name) => process.argv.find((text) => text.startsWith(`--${name}=`))?.slice(name.length + 3);
const threads = Number(option('threads') ?? 1);
const only = new RegExp(option('only') ?? '');
const hlo = await load({ threads });
const SIZES = [[576, 1536], [1536, 576], [576, 49152]];
const GROUP = 32;

const made = new Map();
/** Arrays repeat a short one. @param {string} type @param {number} count */
function values(type, count) {
  const key = `${type} ${count}`;
  if (made.has(key)) return made.get(key);
  const short = shortValues(type, Math.min(count, 1009 * 61));
  const all = new (/** @type {any} */ (short.constructor))(count);
  for (let at = 0; at < count; at += short.length) all.set(short.subarray(0, Math.min(short.length, count - at)), at);
  made.set(key, all);
  return all;
}

/** @param {string} type @param {number} count */
function shortValues(type, count) {
  if (type === 'f32') return Float32Array.from({ length: count }, (_, i) => ((i * 7919) % 1009) / 500 - 1);
  if (type === 'f16') return Uint16Array.from({ length: count }, (_, i) => 0x2c00 + ((i * 7919) % 1009));
  if (type === 'bf16') return Uint16Array.from({ length: count }, (_, i) => 0x3c00 + ((i * 7919) % 1009));
  if (type === 's4') return Int8Array.from({ length: count }, (_, i) => ((i * 7919) % 16) - 8);
  if (type === 'u4') return Uint8Array.from({ length: count }, (_, i) => (i * 7919) % 16);
  return Int8Array.from({ length: count }, (_, i) => ((i * 7919) % 255) - 127);
}

/** A program of x and weights of [k, n] or, n first, [n, k]; with scales of groups, and least values. */
function program({ type, scales, least, constant, both }, m, k, n, nFirst) {
  const b = hlo.builder('dot');
  const shapes = [];
  const operand = (/** @type {string} */ t, /** @type {number[]} */ dims) => {
    shapes.push([t, dims]);
    const shape = `${t}[${dims}]`;
    return constant && shapes.length > 1 ? b.constant(values(t, dims.reduce((a, c) => a * c, 1)), shape) : b.parameter(shapes.length - 1, shape);
  };
  const x = operand(both ? type : 'f32', [m, k]);
  const dims = !scales ? (nFirst ? [n, k] : [k, n]) : nFirst ? [n, k / GROUP, GROUP] : [k / GROUP, GROUP, n];
  let w = operand(type, dims);
  if (type !== 'f32' && !both) w = b.convert(w, 'f32');
  const each = (/** @type {string} */ name) => {
    const array = b.convert(operand('f16', nFirst ? [n, k / GROUP] : [k / GROUP, n]), 'f32');
    w = b[name](w, b.broadcastInDim(array, dims, nFirst ? [0, 1] : [0, 2]));
  };
  if (scales) each('multiply');
  if (least) each('add');
  if (scales) w = b.reshape(w, nFirst ? [n, k] : [k, n]);
  const y = b.dotGeneral(x, w, { lhsContractingDims: [1], rhsContractingDims: [nFirst ? 1 : 0], ...(both && { preferredElementType: 's32' }) });
  return { module: b.build(y), shapes: constant ? shapes.slice(0, 1) : shapes };
}

const KINDS = [
  { name: 'f32', type: 'f32' }, { name: 'f32 constant', type: 'f32', constant: true }, { name: 'bf16', type: 'bf16' }, { name: 'f16', type: 'f16' },
  { name: 's8', type: 's8' }, { name: 's8 by groups', type: 's8', scales: true },
  { name: 's8 × s8', type: 's8', both: true }, { name: 's8 × s8, constant', type: 's8', both: true, constant: true },
  { name: 's4 by groups, constant', type: 's4', scales: true, constant: true },
  { name: 'u4 by groups and least, constant', type: 'u4', scales: true, least: true, constant: true },
];

for (const m of [1, 64])
  for (const [k, n] of SIZES) {
    if ((m > 1 && n > 2000) || !only.test(`${m}×${k}×${n}`)) continue;
    const runs = [];
    for (const nFirst of [false, true])
      for (const kind of KINDS) {
        const { module, shapes } = program(kind, m, k, n, nFirst);
        const executable = await hlo.compile(module);
        const inputs = shapes.map(([t, dims]) => hlo.tensor(values(t, dims.reduce((a, c) => a * c, 1)), `${t}[${dims}]`));
        const outputs = executable.run(inputs);
        const kernels = executable.plan.routines.flatMap((r) => r.steps.map((s) => s.kernel)).join(', ');
        runs.push({ name: `${kind.name}, ${nFirst ? '[n, k]' : '[k, n]'}`, kernels, best: Infinity, run: () => executable.run(inputs, { outputs }) });
      }
    const calls = Math.max(1, Math.round(1e6 / (k * n * m)));
    const samples = k * n > 1e7 ? 12 : 300;
    for (let sample = 0; sample < samples; sample++)
      for (const one of runs) {
        const start = performance.now();
        for (let i = 0; i < calls; i++) one.run();
        one.best = Math.min(one.best, (performance.now() - start) / calls);
      }
    console.log(`\n${m} × ${k} · ${k} × ${n}, ${threads} thread${threads > 1 ? 's' : ''}`);
    for (const { name, kernels, best } of runs)
      console.log(`${name.padEnd(42)} ${((m * k * n) / best / 1e6).toFixed(2).padStart(7)} G products/s ${(runs[0].best / best).toFixed(2).padStart(6)} × f32   ${kernels}`);
  }
hlo.dispose();
