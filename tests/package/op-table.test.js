// The builder has a method for every operation, each with its type; options are checked by name and kind.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { ALIASES, camelCase, rowOf } from '../../js/builder/table.js';
import { evaluate } from '../api/evaluate.js';

const hlo = await load();

/** What TypeScript says where these must be the builder's methods, and these the codes of HloError. @param {string[]} names @param {string[]} codes */
function typeErrors(names, codes) {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-types-'));
  const types = (/** @type {string} */ name) => JSON.stringify(fileURLToPath(new URL(`../../dist/types/${name}`, import.meta.url)));
  try {
    writeFileSync(join(folder, 'names.ts'), `import type { Builder } from ${types('index.js')};
import type { HloErrorCode } from ${types('op-table.js')};
type Method<K extends keyof Builder> = 0 extends 1 & Builder[K] ? never : Builder[K] extends (...args: never[]) => unknown ? K : never;
type Same<A, B> = [A, B] extends [B, A] ? true : false;
export const names: [${names.map((name) => `\n  Method<'${name}'>`)}] = [${names.map((name) => `'${name}'`)}];
export const codes: Same<HloErrorCode, ${codes.map((code) => `'${code}'`).join(' | ')}> = true;
`);
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
    return spawnSync(process.execPath, [tsc, ...options, 'names.ts'], { cwd: folder, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every operation has a builder method under its HLO name', () => {
  const b = hlo.builder();
  for (const op of hlo.ops) assert.equal(typeof b[camelCase(op.name)], 'function', op.name);
  for (const [alias, name] of Object.entries(ALIASES)) {
    assert.ok(hlo.ops.some((op) => op.name === name), name);
    assert.equal(typeof b[alias], 'function', alias);
  }
});

test('the names of XLA\'s older documents', () => {
  const b = hlo.builder();
  for (const name of ['broadcast', 'call', 'clamp', 'collapse', 'concatenate', 'concat', 'concatInDim', 'convertElementType', 'convert', 'conv',
    'convWithGeneralPadding', 'crossReplicaSum', 'customCall', 'dot', 'add', 'sub', 'mul', 'div', 'rem', 'max', 'min', 'logicalAnd', 'logicalOr',
    'eq', 'ne', 'ge', 'gt', 'le', 'lt', 'abs', 'ceil', 'cos', 'exp', 'floor', 'isFinite', 'log', 'logicalNot', 'neg', 'sign', 'tanh',
    'batchNormTraining', 'batchNormInference', 'batchNormGrad', 'getTupleElement', 'infeed', 'map', 'pad', 'reduce', 'reducePrecision',
    'reduceWindow', 'reshape', 'rev', 'rngBernoulli', 'rngNormal', 'rngUniform', 'selectAndScatter', 'select', 'slice', 'dynamicSlice',
    'dynamicUpdateSlice', 'sort', 'transpose', 'tuple', 'while', 'constantLiteral', 'minValue', 'maxValue', 'parameter', 'build'])
    assert.equal(typeof b[name], 'function', name);
});

test('the generated types have them all', () => {
  const names = [...hlo.ops.map(({ name }) => camelCase(name)), ...Object.keys(ALIASES)];
  const codes = hlo.errorCodes.map(({ name }) => name);
  assert.ok(names.length > 100 && codes.length > 10);
  assert.equal(typeErrors(names, codes), '');
  assert.match(typeErrors([...names, 'nothing'], codes), /^names\.ts\(\d+,\d+\): error TS\d+: .*"nothing"/);
  assert.match(typeErrors(names, codes.slice(1)), /^names\.ts\(\d+,\d+\): error TS2322: Type 'true' is not assignable to type 'false'/);
});

test('a builder asks for the rows of the operations that it meets, and they are those of the whole table', async () => {
  const { core } = hlo.builder();
  for (const { options, ...op } of hlo.ops) {
    const { own, ...row } = rowOf(core, op.name);
    assert.deepEqual(row, op);
    for (const attribute of op.attributes) assert.deepEqual(own.get(camelCase(attribute.name)), options.get(camelCase(attribute.name)));
  }
  assert.equal(rowOf(core, 'subtrac'), undefined);

  const other = await load();
  const b = other.builder();
  const asked = [];
  const { call } = b.core;
  b.core.call = (name, ...args) => (asked.push(name), call.apply(b.core, [name, ...args]));
  const x = b.parameter(0, 'f32[2,2]');
  b.dot(b.add(x, x), b.add(x, 1));
  assert.deepEqual(asked.filter((name) => name.startsWith('op')), ['op_names', 'op_json', 'op_json']);
});

test('attributes of every kind', async () => {
  const is = async (build, expected) => assert.deepEqual(await evaluate(hlo, build), expected);
  const iota = (b, shape) => b.iota(shape, 0);
  await is((b) => b.gather(b.constant([[1, 2], [3, 4], [5, 6]]), b.constant([2, 0], 's32[2]'),
    { offsetDims: [1], collapsedSliceDims: [0], startIndexMap: [0], indexVectorDim: 1, sliceSizes: [1, 2] }), [[5, 6], [1, 2]]);
  const a = hlo.builder('add');
  const add = a.build(a.add(a.parameter(0, 'f32[]'), a.parameter(1, 'f32[]')));
  await is((b) => b.scatter(b.constant([0, 0, 0]), b.constant([[2], [9]], 's32[2,1]'), b.constant([5, 7]), add,
    { updateWindowDims: [], insertedWindowDims: [0], scatterDimsToOperandDims: [0], indexVectorDim: 1, uniqueIndices: true }), [0, 0, 5]);
  await is((b) => b.reduceWindow([b.constant([1, 2, 3])], [0], add, [2], [1], 'VALID'), [3, 5]);
  await is((b) => b.instruction('reduce-window', [b.constant([1, 2, 3]), 0], { window: '{size=2 pad=1_0}', toApply: add }), [1, 3, 5]);
  await is((b) => b.instruction('pad', [iota(b, 's32[2]'), b.constant(7, 's32[]')], { padding: [[1, 0, 1]] }), [7, 0, 7, 1]);
  await is((b) => b.instruction('compare', [b.constant([1]), b.constant([2])], { direction: 'lt' }), [true]);
  await is((b) => b.instruction('slice', [iota(b, 's32[5]')], { slice: [[1, 5, 2]] }), [1, 3]);
  await is((b) => b.topK(b.constant([3, 1, 2]), 2), [[3, 2], [0, 2]]);
  await is((b) => b.convolution(b.constant([[[1, 2, 3]]]), b.constant([[[1, 1]]]), { window: [{ size: 2 }], dimLabels: 'bf0_oi0->bf0' }), [[[3, 5]]]);
  await is((b) => b.cholesky(b.constant([[4, 0], [0, 9]])), [[2, 0], [0, 3]]);
  await is((b) => b.triangularSolve(b.constant([[2, 0], [0, 4]]), b.constant([[2], [8]])), [[1], [2]]);
  await is((b) => b.fft(b.constant([1, 1, 1, 1]), 'RFFT', [4]), [[4, 0], [0, 0], [0, 0]]);
  await is((b) => b.afterAll([]) && b.optBarrier(b.constant([1])), [1]);
  await is((b) => b.bitcastConvertType(b.constant([1], 'f32[1]'), 'u16'), [[0, 0x3f80]]);
  await is((b) => b.broadcastInDim(b.constant([[1], [2]]), [2, 3], [0, 1]), [[1, 1, 1], [2, 2, 2]]);
  await is((b) => b.zerosLike(b.constant([[1, 2]])), [[0, 0]]);
  await is((b) => b.tuple(b.minValue('s8'), b.maxValue('u16'), b.maxValue('f32'), b.one('f64')), [-128, 65535, Infinity, 1]);
});

test('common attributes are kept and printed', () => {
  const b = hlo.builder('kept');
  const x = b.parameter(0, 'f32[2]', 'x');
  const y = b.negate(x, { name: 'minus', metadata: '{op_name="neg"}' });
  assert.match(String(y), /^minus = f32\[2\]\{0\} negate\(x\), metadata=\{op_name="neg"\}$/);
  const z = b.abs(y, { controlPredecessors: [x] });
  assert.match(String(z), /control-predecessors=\{x\}/);
});
