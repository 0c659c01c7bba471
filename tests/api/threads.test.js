// Threads in Node: the same bits as one thread, and a pool that comes, works, takes functions in, and goes.
import { after, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Tensor, load } from '../../js/index.js';
import { installFunctions } from '../../js/objects/instantiate.js';
import { host as base } from '#host';
import { startPoolWorker } from '#pool';
import { Core } from '../../js/objects/core.js';
import { readCases } from '../ops/cases.js';

const index = fileURLToPath(new URL('../../js/index.js', import.meta.url));
const wasm = fileURLToPath(new URL('../../dist/webhlo-threads.wasm', import.meta.url));
const leaves = (tree) => (Array.isArray(tree) ? tree.flatMap(leaves) : [tree]);

const one = await load();
const teams = [await load({ threads: 2, shareFrom: 0 }), await load({ threads: 4, shareFrom: 0 })];
const early = await load({ threads: 2 });
after(() => [one, early, ...teams].forEach((hlo) => hlo.dispose()));

test('as many threads as were asked for', () => {
  assert.deepEqual([one, ...teams].map(({ threads }) => threads), [1, 2, 4]);
});

/** The bytes of a run's results. */
function bytesOf(results) {
  return leaves(results).map((tensor) => (tensor instanceof Tensor ? Buffer.from(tensor.toTypedArray().buffer).toString('base64') : tensor));
}

/** The results on one thread, and that all teams give the same. */
async function sameBits(compile, inputsOf) {
  const results = [];
  for (const hlo of [one, early, ...teams]) {
    const executable = await compile(hlo);
    results.push(bytesOf(executable.run(inputsOf(hlo), { seed: 1 })));
    executable.dispose();
  }
  for (const other of results.slice(1)) assert.deepEqual(other, results[0]);
}

/** Values without a pattern. */
function noise(count, seed) {
  let state = seed * 2654435761 + 1;
  return Float32Array.from({ length: count }, () => (((state = Math.imul(state, 1664525) + 1013904223) >>> 8) / 2 ** 23 - 1));
}

describe('the same bits, whatever the number of threads', () => {
  const combiner = (b, op = 'add', type = 'f32') => b.subcomputation(op, (c) => c[op](c.parameter(0, `${type}[]`), c.parameter(1, `${type}[]`)));
  const product = (b, [x, y], lhs, rhs, batch = 0) => {
    const dims = Array.from({ length: batch }, (_, i) => i);
    return b.dotGeneral(x, y, { lhsBatchDims: dims, rhsBatchDims: dims, lhsContractingDims: [lhs], rhsContractingDims: [rhs] });
  };
  const convolution = (labels, strides, groups = 1) => (b, [x, w]) => b.convGeneral(x, w, strides, 'SAME', labels, { featureGroupCount: groups });
  /** Queries, keys and values of some heads. */
  const attention = (b, [q, k, v, mask]) => {
    const dims = { broadcastDimensions: [0, 1] };
    const scores = b.add(product(b, [q, k], 2, 2, 1), mask, { broadcastDimensions: [1, 2] });
    const powers = b.exp(b.subtract(scores, b.reduce(scores, b.constant(-Infinity, 'f32[]'), combiner(b, 'maximum'), [2]), dims));
    return product(b, [b.divide(powers, b.reduce(powers, b.constant(0, 'f32[]'), combiner(b), [2]), dims), v], 2, 1, 1);
  };
  const cases = {
    'dot of many blocks': [['f32[150,700]', 'f32[700,1100]'], (b, x) => product(b, x, 1, 0)],
    'dot with a transposed lhs': [['f32[700,150]', 'f32[700,90]'], (b, x) => product(b, x, 0, 0)],
    'dot with a transposed rhs': [['f32[33,200]', 'f32[129,200]'], (b, x) => product(b, x, 1, 1)],
    'dot of a row': [['f32[1,300]', 'f32[300,517]'], (b, x) => product(b, x, 1, 0)],
    'dot of a column': [['f32[301,200]', 'f32[200,1]'], (b, x) => product(b, x, 1, 0)],
    'dot of doubles': [['f64[70,90]', 'f64[90,40]'], (b, x) => product(b, x, 1, 0)],
    'dot of bf16': [['bf16[70,90]', 'bf16[90,40]'], (b, x) => product(b, x, 1, 0)],
    'a few products': [['f32[3,70,90]', 'f32[3,90,40]'], (b, x) => product(b, x, 2, 1, 1)],
    'a few products of many columns': [['f32[3,3,64]', 'f32[3,301,64]'], (b, x) => product(b, x, 2, 2, 1)],
    'a few products of many columns, and tanh': [['f32[3,6,64]', 'f32[3,64,301]'], (b, x) => b.tanh(product(b, x, 2, 1, 1))],
    'a few products of many rows': [['f32[3,301,64]', 'f32[3,64,9]'], (b, x) => product(b, x, 2, 1, 1)],
    'a few products of many rows, read in columns': [['f32[3,128,200]', 'f32[3,3,128]'], (b, x) => b.tanh(product(b, x, 1, 2, 1))],
    'a few products, whose last part would have one row': [['f32[3,33,64]', 'f32[3,64,20]'], (b, x) => product(b, x, 2, 1, 1)],
    'a few products of doubles, whose last part would have one row': [['f64[3,33,64]', 'f64[3,64,20]'], (b, x) => product(b, x, 2, 1, 1)],
    'a few rows times matrices, whose last part would have one column': [['f32[3,1,640]', 'f32[3,640,33]'], (b, x) => product(b, x, 2, 1, 1)],
    'a few products of rows that are packed in parts': [['f32[3,200,65]', 'f32[3,200,40]'], (b, x) => product(b, x, 1, 1, 1)],
    'a few products of more rows that are packed in parts': [['f32[3,200,120]', 'f32[3,200,40]'], (b, x) => product(b, x, 1, 1, 1)],
    'attention by blocks of rows that are packed': [['f32[4,64,196]', 'f32[4,1400,64]', 'f32[4,1400,32]'], (b, [q, k, v]) => product(b, [product(b, [q, k], 1, 2, 1), v], 2, 1, 1)],
    'many small products': [['f32[7,5,6,9]', 'f32[7,5,9,4]'], (b, x) => product(b, x, 3, 2, 2)],
    'attention by blocks of rows': [['f32[3,130,20]', 'f32[3,150,20]', 'f32[3,150,20]', 'f32[130,150]'], attention],
    'attention whose keys are long': [['f32[1,75,20]', 'f32[1,2500,20]', 'f32[1,2500,30]', 'f32[75,2500]'], attention],
    'products of copies': [['f32[9,20,5]', 'f32[9,7,20]'], (b, [x, y]) => product(b, [b.transpose(x, [0, 2, 1]), b.transpose(y, [0, 2, 1])], 2, 1, 1)],
    'convolution, features last': [['f32[2,30,30,16]', 'f32[3,3,16,40]'], convolution('b01f_01io->b01f', [1, 1])],
    'convolution, features first': [['f32[2,16,30,30]', 'f32[40,16,3,3]'], convolution('bf01_oi01->bf01', [1, 1])],
    'convolution of many images': [['f32[12,4,10,10]', 'f32[8,4,3,3]'], convolution('bf01_oi01->bf01', [2, 2])],
    'convolution of doubles': [['f64[2,20,20,6]', 'f64[3,3,6,9]'], convolution('b01f_01io->b01f', [1, 1])],
    'pointwise convolution': [['f32[2,20,20,24]', 'f32[1,1,24,33]'], convolution('b01f_01io->b01f', [1, 1])],
    'convolution in groups': [['f32[1,20,20,24]', 'f32[3,3,3,32]'], convolution('b01f_01io->b01f', [1, 1], 8)],
    'depthwise, features last': [['f32[2,21,22,36]', 'f32[3,3,1,36]'], convolution('b01f_01io->b01f', [2, 2], 36)],
    'depthwise, features first': [['f32[2,12,21,30]', 'f32[12,1,3,3]'], convolution('bf01_oi01->bf01', [1, 1], 12)],
    'element-wise': [['f32[100,1003]', 'f32[100,1003]'], (b, [x, y]) => b.multiply(b.tanh(x), b.add(x, y))],
    'a row and a column repeated': [['f32[100,517]', 'f32[517]', 'f32[100]'], (b, [x, row, column]) =>
      b.subtract(b.add(x, row, { broadcastDimensions: [1] }), column, { broadcastDimensions: [0] })],
    'softmax of rows': [['f32[150,517]'], (b, [x]) => {
      const perRow = (name, y, values) => b[name](y, values, { broadcastDimensions: [0] });
      const powers = b.exp(perRow('subtract', x, b.reduce(x, b.constant(-Infinity, 'f32[]'), combiner(b, 'maximum'), [1])));
      return perRow('divide', powers, b.reduce(powers, b.constant(0, 'f32[]'), combiner(b), [1]));
    }],
    'dot, bias and relu': [['f32[150,300]', 'f32[300,210]', 'f32[210]'], (b, [x, y, bias]) =>
      b.maximum(b.add(product(b, [x, y], 1, 0), bias, { broadcastDimensions: [1] }), b.constant(0, 'f32[]'))],
    'dot of a row, and tanh': [['f32[1,300]', 'f32[300,517]'], (b, x) => b.tanh(product(b, x, 1, 0))],
    'many small products, and tanh': [['f32[7,5,6,9]', 'f32[7,5,9,4]'], (b, x) => b.tanh(product(b, x, 3, 2, 2))],
    'a few products, and a bias': [['f32[3,70,90]', 'f32[3,90,40]', 'f32[40]'], (b, [x, y, bias]) =>
      b.add(product(b, [x, y], 2, 1, 1), bias, { broadcastDimensions: [2] })],
    'convolution, bias and relu, features last': [['f32[2,30,30,16]', 'f32[3,3,16,40]', 'f32[40]'], (b, [x, w, bias]) =>
      b.maximum(b.add(convolution('b01f_01io->b01f', [1, 1])(b, [x, w]), bias, { broadcastDimensions: [3] }), b.constant(0, 'f32[]'))],
    'convolution, bias and relu, features first': [['f32[12,16,20,20]', 'f32[40,16,3,3]', 'f32[40]'], (b, [x, w, bias]) =>
      b.maximum(b.add(convolution('bf01_oi01->bf01', [1, 1])(b, [x, w]), bias, { broadcastDimensions: [1] }), b.constant(0, 'f32[]'))],
    'depthwise, and a chain': [['f32[2,21,22,36]', 'f32[3,3,1,36]'], (b, x) => b.tanh(b.negate(convolution('b01f_01io->b01f', [1, 1], 36)(b, x)))],
    'compare and select': [['f32[4001]', 'f32[4001]'], (b, [x, y]) => b.select(b.lt(x, y), x, b.negate(y))],
    'concatenate and pad': [['f32[70,33]', 'f32[70,40]'], (b, x) => b.pad(b.concatenate(x, 1), b.constant(0.5, 'f32[]'), [[1, 2, 0], [0, 3, 1]])],
    'dynamic slice and update': [['f32[70,33]', 'f32[20,7]'], (b, [x, y]) => {
      const at = [b.constant(5, 's32[]'), b.constant(6, 's32[]')];
      return b.dynamicUpdateSlice(x, b.add(y, b.dynamicSlice(x, at, [20, 7])), at);
    }],
    'gather of rows': [['f32[500,37]', 'f32[300]'], (b, [x, y]) => {
      const rows = b.convert(b.multiply(y, b.constant(600, 'f32[]')), 's32');
      return b.gather(x, b.reshape(rows, [300, 1]), { offsetDims: [1], collapsedSliceDims: [0], startIndexMap: [0], indexVectorDim: 1 }, [1, 37]);
    }],
    'sort of lines': [['f32[37,100]'], (b, [x]) => b.sort([x], undefined, 1)],
    'sort of columns': [['f32[37,100]'], (b, [x]) => b.sort([x], undefined, 0)],
    'maximum of windows': [['f32[2,20,21,7]'], (b, [x]) =>
      b.reduceWindow(x, b.constant(-Infinity, 'f32[]'), combiner(b, 'maximum'), [1, 3, 3, 1], [1, 2, 2, 1], 'SAME')],
    'running sums': [['f32[9,700]'], (b, [x]) => b.reduceWindow(x, b.constant(0, 'f32[]'), combiner(b), [1, 700], [1, 1], [[0, 0], [699, 0]])],
    'transpose': [['f32[130,70,5]'], (b, [x]) => b.transpose(x, [1, 0, 2])],
    'slice and reverse': [['f32[130,70]'], (b, [x]) => b.rev(b.slice(x, [1, 3], [129, 66], [2, 1]), [0, 1])],
    'sum of rows': [['f32[300,517]'], (b, [x]) => b.reduce(x, b.constant(0, 'f32[]'), combiner(b), [1])],
    'sum of long columns': [['f32[1200,93]'], (b, [x]) => b.reduce(x, b.constant(0, 'f32[]'), combiner(b), [0])],
    'sum of all': [['f32[3,80,90,7]'], (b, [x]) => b.reduce(x, b.constant(0, 'f32[]'), combiner(b), [0, 1, 2, 3])],
    'sum of what is computed': [['f32[300,517]', 'f32[300,517]'], (b, [x, y]) => {
      const difference = b.subtract(x, y);
      return b.reduce(b.multiply(difference, difference), b.constant(0, 'f32[]'), combiner(b), [0, 1]);
    }],
    'sort by the size of numbers': [['f32[37,100]'], (b, [x]) => {
      const less = b.subcomputation('less', (c) => c.lt(...[0, 1].map((n) => c.abs(c.parameter(n, 'f32[]')))));
      return b.sort([x], less, 1);
    }],
    'product of doubles': [['f64[100000]'], (b, [x]) => b.reduce(x, b.constant(1, 'f64[]'), combiner(b, 'multiply', 'f64'), [0])],
    'sort of a long line': [['f32[20001]'], (b, [x]) => b.sort([x], undefined, 0)],
    'sort of numbers, of which many are equal': [['f32[3,20001]', 'f32[3,20001]'], (b, [x, y]) => {
      const less = b.subcomputation('less', (c) => c.lt(...['s64[]', 's64[]', 'f32[]', 'f32[]'].map((shape, n) => c.parameter(n, shape)).slice(0, 2)));
      return b.tuple(...[[0, 1], [1, 0]].map((order) => { // one after another, or at the same time
        const operands = [b.convert(b.multiply(x, b.constant(100, 'f32[]')), 's64'), y].map((z) => b.slice(z, [0, 0], [order[0] + 1, 20001]));
        return b.sort(operands, less, 1);
      }));
    }],
    'first few of lines': [['f32[21,200]'], (b, [x]) => b.topK(x, 5)],
    'first half of lines': [['f32[21,200]'], (b, [x]) => b.topK(x, 100, false)],
    'places of maxima': [['f32[37,100]'], (b, [x]) => {
      const computation = b.subcomputation('first', (c) => {
        const [v, i, w, j] = ['f32[]', 's32[]', 'f32[]', 's32[]'].map((shape, n) => c.parameter(n, shape));
        const keeps = c.or(c.gt(v, w), c.ne(v, v));
        const lower = c.or(keeps, c.and(c.eq(v, w), c.lt(i, j)));
        return c.tuple(c.select(keeps, v, w), c.select(lower, i, j));
      });
      return b.reduce([x, b.iota('s32[37,100]', 1)], [b.constant(-Infinity, 'f32[]'), b.constant(0, 's32[]')], computation, [1]);
    }],
    'fold of rows and of columns': [['f32[40,700]'], (b, [x]) => {
      const bits = b.bitcastConvert(x, 's32');
      return b.tuple(...[[0], [1]].map((dimensions) => b.reduce(bits, b.constant(0, 's32[]'), combiner(b, 'xor', 's32'), dimensions)));
    }],
    'random bits': [[], (b) => {
      const state = b.constant([1n, 2n ** 64n - 3n], 'u64[2]');
      return b.tuple(b.rngBitGenerator('rng_philox', state, 'u32[33,101]'), b.rngBitGenerator('rng_three_fry', state, 'u32[33,101]'));
    }],
    'Fourier transforms': [['f32[7,20,33]'], (b, [x]) => {
      const spectrum = b.fft(x, 'RFFT', [33]);
      return b.tuple(b.fft(spectrum, 'FFT', [7, 20, 17]), b.fft(spectrum, 'IRFFT', [32]));
    }],
    'scatter of rows, some twice': [['f32[50,37]', 'f32[300]', 'f32[300,37]'], (b, [x, y, updates]) => {
      const rows = b.convert(b.multiply(y, b.constant(60, 'f32[]')), 's32');
      const options = { updateWindowDims: [1], insertedWindowDims: [0], scatterDimsToOperandDims: [0], indexVectorDim: 1 };
      return b.scatter(x, b.reshape(rows, [300, 1]), updates, combiner(b), options);
    }],
    'scatter of elements, and of windows that overlap': [['f32[50,37]', 'f32[300,2]', 'f32[300]', 'f32[300,4,3]'], (b, [x, y, elements, windows]) => {
      const at = b.convert(b.multiply(y, b.constant(40, 'f32[]')), 's32');
      const options = { insertedWindowDims: [], scatterDimsToOperandDims: [0, 1], indexVectorDim: 1 };
      return b.tuple(b.scatter(x, at, elements, combiner(b), { ...options, updateWindowDims: [], insertedWindowDims: [0, 1] }),
        b.scatter(x, at, windows, combiner(b), { ...options, updateWindowDims: [1, 2] }));
    }],
    'gradient of the maximum of windows': [['f32[5,20,21,7]', 'f32[5,10,11,7]'], (b, [x, y]) => {
      const select = b.subcomputation('select', (c) => c.ge(c.parameter(0, 'f32[]'), c.parameter(1, 'f32[]')));
      return b.selectAndScatter(x, select, [1, 3, 3, 1], [1, 2, 2, 1], 'SAME', y, b.constant(0, 'f32[]'), combiner(b));
    }],
    'sum of columns': [['f32[300,517]'], (b, [x]) => b.reduce(x, b.constant(0, 'f32[]'), combiner(b), [0])],
    'maximum of all': [['f32[40,30,20]'], (b, [x]) => b.reduce(x, b.constant(-Infinity, 'f32[]'), combiner(b, 'maximum'), [0, 1, 2])],
  };
  for (const [name, [shapes, build]] of Object.entries(cases))
    test(name, async () => {
      const parts = new Map();
      await sameBits(
        (hlo) => {
          const b = hlo.builder('test');
          return hlo.compile(b.build(build(b, shapes.map((shape, i) => b.parameter(i, shape)))));
        },
        (hlo) => shapes.map((text, i) => {
          const shape = hlo.shape(text);
          if (!parts.has(i)) parts.set(i, noise(shape.elementCount, i + 1));
          const bits = parts.get(i);
          if (shape.type === 'f64') return Float64Array.from(bits);
          return shape.type === 'bf16' ? Uint16Array.from(bits, (x) => new Uint32Array(new Float32Array([x]).buffer)[0] >>> 16) : bits;
        }),
      );
    });

  const folder = new URL('../ops/', import.meta.url);
  const files = readdirSync(folder).filter((name) => /^jax_(dot|convolution|networks|reduce|reduce_window|movement|binary|sort|gather|scatter|select_and_scatter|fft|rng_bit_generator|control_flow)\.hlo$/.test(name));
  assert.equal(files.length, 14);
  for (const file of files)
    test(`the cases of ${file}`, async () => {
      for (const { text, inputs, refusal } of readCases(readFileSync(new URL(file, folder), 'utf8')))
        if (!refusal)
          await sameBits((hlo) => hlo.compile(hlo.parse(text)), (hlo) => inputs.map((literal) => hlo.parseLiteral(literal)));
    });
});

test('a run that failed or was aborted leaves the pool usable', async () => {
  const [hlo] = teams;
  const b = hlo.builder('rows');
  const x = b.parameter(0, 'f32[64,64]');
  const executable = await hlo.compile(b.build(b.dot(b.tanh(x), x)));
  const data = noise(4096, 3);
  const expected = executable.run([data]).toTypedArray();
  assert.throws(() => executable.run([data], { workBudget: 1 }), { code: 'LIMIT' });
  assert.deepEqual(executable.run([data]).toTypedArray(), expected);
  const stopped = { aborted: false };
  const signalled = await hlo.compile(hlo.parse(LOOP), {
    signal: /** @type {any} */ ({ get aborted() { return stopped.aborted ||= performance.now() > stopped.at; } }),
  });
  stopped.at = performance.now() + 30;
  assert.throws(() => signalled.run([data]), { code: 'ABORTED' });
  assert.deepEqual(executable.run([data]).toTypedArray(), expected);
});

/** Multiplies for ever. */
const LOOP = `HloModule loop
condition { p = (f32[64,64]) parameter(0) ROOT yes = pred[] constant(true) }
body { p = (f32[64,64]) parameter(0) x = f32[64,64] get-tuple-element(p), index=0
  y = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0} z = f32[64,64] tanh(y) ROOT t = (f32[64,64]) tuple(z) }
ENTRY main { x = f32[64,64] parameter(0) t = (f32[64,64]) tuple(x) ROOT w = (f32[64,64]) while(t), condition=condition, body=body }`;

describe('functions made at run time', () => {
  /** A module with `work: (context: i32, unit: i64, thread: i32) => void`, a unit of a job. @param {number[]} code */
  const emitted = (code, memory = [2, 18, 1, 3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 3, 1, 0x80, 0x80, 4]) =>
    new WebAssembly.Module(new Uint8Array([
      0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
      1, 7, 1, 0x60, 3, 0x7f, 0x7e, 0x7f, 0,
      ...memory, // import env.memory: shared, 1 to 65536 pages
      3, 2, 1, 0,
      7, 8, 1, 4, 0x77, 0x6f, 0x72, 0x6b, 0, 0,
      10, code.length + 6, 1, code.length + 4, 1, 1, 0x7f, ...code, 0x0b, // local 3: an i32
    ]));
  /**
   * Counts itself in at the address `context`, and waits until three have: each unit needs a thread of its own. One that has waited for
   * long goes, and sets the word after the count.
   */
  const meeting = emitted([
    0x20, 0, 0x41, 1, 0xfe, 0x1e, 2, 0, 0x1a, // context; 1; i32.atomic.rmw.add; drop
    0x02, 0x40, 0x03, 0x40, // block, loop
    0x20, 0, 0xfe, 0x10, 2, 0, 0x41, 3, 0x4e, 0x0d, 1, // i32.atomic.load(context) >= 3: leave the block
    0x20, 3, 0x41, 1, 0x6a, 0x22, 3, 0x41, 0x80, 0x80, 0x80, 0x80, 2, 0x49, 0x0d, 0, // ++local 3 < 2^29: again
    0x20, 0, 0x41, 1, 0xfe, 0x17, 2, 4, 0x0b, 0x0b, // i32.atomic.store(context + 4, 1)
  ]);
  /** Three threads meet. */
  function meet(core, place, context) {
    const words = () => core.words32((context >>> 2) + 2).subarray(context >>> 2, (context >>> 2) + 2);
    words().fill(0);
    core.call('threads_run', core.handle, place, context, 3);
    assert.deepEqual([...words()], [3, 0]);
  }
  /** Thread 0 waits until the word at `context` is set; the others set it and trap. */
  const fault = emitted([
    0x20, 2, 0x04, 0x40, 0x20, 0, 0x41, 1, 0xfe, 0x17, 2, 0, 0x00, 0x0b,
    0x03, 0x40, 0x20, 0, 0xfe, 0x10, 2, 0, 0x45, 0x0d, 0, 0x0b,
  ]);
  const start = async (threads) =>
    Core.instantiate({ ...base, startPoolWorker }, { module: await WebAssembly.compile(readFileSync(wasm)), memory: 'shared' }, { threads, shareFrom: 0 });

  /** Installs here and in the workers; gives the place. */
  async function install(core, module, place = core.exports.__indirect_function_table.length) {
    await installFunctions(core.exports, core.memory, module, [place]);
    await core.pool.install(module, [place]);
    return place;
  }

  test('are run by all workers once install() has answered', async () => {
    const core = await start(3);
    const context = core.alloc(64);
    for (let round = 0; round < 3; round++) {
      const place = await install(core, meeting);
      for (let job = 0; job < 10; job++) meet(core, place, context);
    }
    core.dispose();
  });

  test('one that does not fit is refused, and the pool goes on', async () => {
    const core = await start(3);
    const wrong = emitted([], [2, 10, 1, 3, 0x65, 0x6e, 0x76, 1, 0x78, 2, 0, 1]);
    await assert.rejects(core.pool.install(wrong, [1000]), /"x"/);
    meet(core, await install(core, meeting), core.alloc(64));
    core.dispose();
  });

  test('a worker that stops in the middle of one ends the run, and the runtime, with an error', async () => {
    const core = await start(2);
    const place = await install(core, fault);
    const context = core.alloc(64);
    core.words32((context >>> 2) + 1)[context >>> 2] = 0;
    assert.throws(() => core.call('threads_run', core.handle, place, context, 2), { code: 'INTERNAL' });
    assert.throws(() => core.alloc(64), { code: 'INTERNAL' });
    core.dispose();
  });
});

test('loops are emitted for all threads: at once, or for dynamic programs as soon as all have them', async () => {
  const [, hlo] = teams;
  const loops = (executable) => executable.plan.routines.flatMap(({ steps }) => steps).filter((step) => step.emitted !== undefined);
  const emitted = (executable) => loops(executable).length === 1 && loops(executable)[0].emitted;
  const b = hlo.builder('chain');
  const x = b.parameter(0, 'f32[100,100]');
  const executable = await hlo.compile(b.build(b.multiply(b.tanh(x), b.add(x, x))));
  assert.ok(emitted(executable));
  const dynamic = await hlo.compile(hlo.parse(`func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.tanh %x : tensor<?xf32>
  %1 = stablehlo.multiply %0, %x : tensor<?xf32>
  return %1 : tensor<?xf32>
}`));
  const data = noise(5000, 5);
  const before = dynamic.run([data]).toTypedArray();
  for (let i = 0; i < 100 && !emitted(dynamic.specializations[0]); i++) await new Promise((go) => setTimeout(go, 10));
  assert.ok(emitted(dynamic.specializations[0]));
  assert.ok(emitted(await dynamic.specialize(['f32[6000]'])), 'which specialize() waits for');
  assert.deepEqual(dynamic.run([data]).toTypedArray(), before);
  executable.dispose();
  dynamic.dispose();
});

test('wrong counts of threads are TypeErrors', async () => {
  for (const threads of [0, -1, 1.5, '2', 65, null]) await assert.rejects(load({ threads }), { name: 'TypeError', message: /threads is a count from 1 to 64, got/ });
});

test('webhlo-threads.wasm given to load() is used with one thread, and webhlo.wasm with many', async () => {
  const url = (name) => new URL(`../../dist/${name}`, import.meta.url);
  const alone = await load({ wasm: url('webhlo-threads.wasm') });
  assert.equal(alone.threads, 1);
  assert.equal(alone.tensor([1, 2], 's32[2]').toArray()[1], 2);
  const single = await load({ wasm: url('webhlo.wasm'), threads: 2 });
  assert.equal(single.threads, 1);
  alone.dispose();
  single.dispose();
});

describe('processes', () => {
  const run = promisify(execFile);
  /** What a program of its own prints, if it ends in time. */
  const program = async (source, ...flags) =>
    (await run(process.execPath, [...flags, '--input-type=module', '-e', `import { load } from ${JSON.stringify(index)};\n${source}`], { timeout: 60_000 })).stdout.trim();
  const compute = `const b = hlo.builder('t'); const x = b.parameter(0, 'f32[256,256]');
    const executable = await hlo.compile(b.build(b.dot(x, x))); executable.run([new Float32Array(65536)]);`;

  test('an idle pool does not keep one alive', async () => {
    assert.equal(await program(`const hlo = await load({ threads: 3 }); ${compute} console.log(hlo.threads);`), '3');
  });

  test('process.exit() ends one at once', async () => {
    assert.equal(await program(`const hlo = await load({ threads: 3 }); ${compute} console.log('out'); process.exit();`), 'out');
  });

  const isLinux = process.platform === 'linux';
  const waitForEnd = `import { readdirSync } from 'node:fs';
    const count = () => readdirSync('/proc/self/task').length;
    const until = async (wanted) => { for (let i = 0; i < 200 && !wanted(); i++) { globalThis.gc?.(); await new Promise((go) => setTimeout(go, 25)); } return wanted(); };`;

  test('dispose() ends the workers', { skip: !isLinux && 'threads are counted in /proc' }, async () => {
    const source = `${waitForEnd} const before = count(); const hlo = await load({ threads: 4 }); ${compute} const most = count(); hlo.dispose();
      console.log(most >= before + 3, await until(() => count() <= most - 3));`;
    assert.equal(await program(source), 'true true');
  });

  test('the workers of a runtime that is collected end, too', { skip: !isLinux && 'threads are counted in /proc' }, async () => {
    const source = `${waitForEnd} async function use() { const hlo = await load({ threads: 4 }); ${compute} return count(); }
      const most = await use(); console.log(await until(() => count() <= most - 3));`;
    assert.equal(await program(source, '--expose-gc'), 'true');
  });
});
