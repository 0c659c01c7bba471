// `webhlo convert --quantize`: the programs that it writes compute what it says, with the weights that it writes.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { halfOf, numberOfHalf, packedNibbles, toBytes, toNibbles } from '../../js/commands/quantization.js';
import { startSafetensors } from '../../js/commands/safetensors-file.js';
import { load } from '../../js/index.js';
import { randomSource } from '../api/emitted-programs.js';
import { file, folder, root, succeeds, webhlo } from '../package/command.js';

const hlo = await load();
const { next } = randomSource(5);
const normal = (/** @type {number} */ count) => Float32Array.from({ length: count }, () => next() + next() + next() - 1.5);

const MLP = `HloModule mlp
layer {
  x = f32[2,64] parameter(0)
  w = f32[64,32] parameter(1)
  ROOT d = f32[2,32] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
ENTRY main {
  x = f32[2,64] parameter(0)
  w1 = f32[64,32] parameter(1), metadata={op_name="weights['one']"}
  w2 = f32[16,32] parameter(2), metadata={op_name="weights['two']"}
  e = f32[10,16] parameter(3), metadata={op_name="weights['rows']"}
  b = f32[16] parameter(4), metadata={op_name="weights['bias']"}
  ids = s32[3] parameter(5)
  h = f32[2,32] call(x, w1), to_apply=layer
  t = f32[32,16] transpose(w2), dimensions={1,0}
  d = f32[2,16] dot(h, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  bs = f32[2,16] broadcast(b), dimensions={1}
  y = f32[2,16] add(d, bs)
  g = f32[3,16] gather(e, ids), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,16}
  ROOT s = f32[2,3] dot(y, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}
}
`;

/** A file of f32 arrays. @param {string} name @param {Record<string, [dims: number[], values: Float32Array]>} arrays */
function weightsFile(name, arrays) {
  const path = join(folder, name);
  const out = startSafetensors(path, Object.entries(arrays).map(([of, [dims]]) => ({ name: of, type: 'f32', dims })));
  for (const [, values] of Object.values(arrays)) out.write(values);
  out.close();
  return path;
}

const arrays = /** @type {Record<string, [number[], Float32Array]>} */ ({
  one: [[64, 32], normal(64 * 32)], two: [[16, 32], normal(16 * 32)], rows: [[10, 16], normal(160)], bias: [[16], normal(16)], unused: [[3], normal(3)],
});
const mlp = file('mlp.hlo', MLP);
const weights = weightsFile('mlp.safetensors', arrays);

/** The programs before and after, on the same inputs. @param {string} before @param {string} after @param {Record<string, any>} was @param {any[]} inputs */
async function differences(before, after, was, inputs) {
  const [one, two] = [hlo.parse(readFileSync(before)), hlo.parse(readFileSync(after))];
  const narrow = await hlo.weights(after.replace(/\w+$/, 'safetensors'));
  const expected = (await hlo.compile(one, { constants: was })).run(inputs).toFloat32Array();
  const got = (await hlo.compile(two, { constants: narrow })).run(inputs).toFloat32Array();
  const reference = (await hlo.compile(two, { constants: narrow, reference: true })).run(inputs).toFloat32Array();
  const most = (/** @type {Float32Array} */ a, /** @type {Float32Array} */ b) => a.reduce((sum, x, i) => Math.max(sum, Math.abs(x - b[i])), 0);
  assert.ok(most(got, reference) <= 1e-4 * reference.reduce((sum, x) => Math.max(sum, Math.abs(x)), 0), 'both paths agree');
  return { most: most(got, expected), names: two.inputs.map(({ name, shape }) => `${name} ${shape.type}[${shape.dimensions}]`), narrow };
}

test('halves, and back', () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    const number = numberOfHalf(bits);
    if (!Number.isNaN(number)) assert.equal(halfOf(number), bits);
  }
  for (const [number, bits] of [[1 + 2 ** -11, 0x3c00], [1 + 3 * 2 ** -11, 0x3c02], [65519, 0x7bff], [65520, 0x7c00], [2 ** -25, 0], [1.5 * 2 ** -25, 1], [3 * 2 ** -25, 2], [2 ** -14 - 2 ** -26, 0x400], [-1e-30, 0x8000]])
    assert.equal(halfOf(number), bits, `${number}`);
});

test('narrow arrays are off by half a step at most, along any dimension, and say by how much', () => {
  for (const dims of [[24, 6], [6, 24], [3, 8, 5], [40]]) {
    const values = normal(dims.reduce((a, b) => a * b, 1));
    for (let along = 0; along < dims.length; along++) {
      const inner = dims.slice(along + 1).reduce((a, b) => a * b, 1);
      const group = dims[along] % 2 ? dims[along] : dims[along] / 2;
      const four = toNibbles(values, dims, along, group);
      let most = 0;
      values.forEach((value, i) => {
        const outer = Math.floor(i / (inner * dims[along]));
        const place = (outer * (dims[along] / group) + Math.floor((Math.floor(i / inner) % dims[along]) / group)) * inner + (i % inner);
        const [scale, minimum] = [numberOfHalf(four.scale[place]), numberOfHalf(/** @type {Uint16Array} */ (four.minimum)[place])];
        const off = Math.abs(Math.fround(Math.fround(four.whole[i] * scale) + minimum) - value);
        assert.ok(off <= 0.51 * scale + 2e-3, `${dims} along ${along}, element ${i}: off by ${off} of ${scale}`);
        most = Math.max(most, off);
      });
      assert.equal(four.most, most);
      if (dims.length === 1) continue;
      const eight = toBytes(values, dims, 1 << along);
      assert.equal(eight.scale.length, values.length / dims[along]);
      values.forEach((value, i) => {
        const place = Math.floor(i / (inner * dims[along])) * inner + (i % inner);
        assert.ok(Math.abs(Math.fround(eight.whole[i] * eight.scale[place]) - value) <= 0.5001 * eight.scale[place]);
      });
    }
  }
  assert.deepEqual([...toBytes(new Float32Array(4), [2, 2], 1).scale], [1, 1], 'zeros');
  assert.deepEqual([...toNibbles(new Float32Array(4).fill(2), [4], 0, 4).whole], [0, 0, 0, 0], 'one number');
  assert.deepEqual([...packedNibbles(Uint8Array.of(1, 2, 15))], [0x21, 0x0f]);
});

for (const [type, group] of /** @type {[string, string[]][]} */ ([['int8', []], ['int4', ['--group', '16']]]))
  test(`an MLP in ${type}: inputs, weights and errors are as printed`, async () => {
    const out = join(folder, `mlp-${type}.hlo`);
    const values = normal(128);
    const x = join(folder, 'x.txt');
    writeFileSync(x, `f32[2,64] {${[0, 1].map((row) => `{${[...values.subarray(64 * row, 64 * row + 64)].join(', ')}}`)}}`);
    const said = succeeds('convert', mlp, '--quantize', type, ...group, '--at-least', '100', '--embeddings', '--constants', weights, '--input', `x=${x}`, '--input', 'ids=[1, 9, 2]', '-o', out);
    const was = Object.fromEntries(Object.entries(arrays).flatMap(([name, [dims, data]]) => (name === 'unused' ? [] : [[`weights/${name}`, hlo.tensor(data, `f32[${dims}]`)]])));
    const found = await differences(mlp, out, was, [values, [1, 9, 2]]);
    const expected = type === 'int8'
      ? ['x f32[2,64]', 'weights/one s8[64,32]', 'weights/two s8[16,32]', 'weights/rows s8[10,16]', 'weights/bias f32[16]', 'ids s32[3]',
        'weights/one.scale f32[32]', 'weights/two.scale f32[16]', 'weights/rows.scale f32[10]']
      : ['x f32[2,64]', 'weights/one u4[64,32]', 'weights/two u4[16,32]', 'weights/rows u4[10,16]', 'weights/bias f32[16]', 'ids s32[3]',
        ...[['one', '4,32'], ['two', '16,2'], ['rows', '10,1']].flatMap(([name, dims]) => ['scale', 'minimum'].map((part) => `weights/${name}.${part} f16[${dims}]`))];
    assert.deepEqual(found.names, expected);
    assert.deepEqual([...found.narrow.tensor('weights/bias').toFloat32Array()], [...arrays.bias[1]]);
    const [, printed] = /result 0, f32\[2,3\]: differs by (\S+) at most/.exec(said) ?? [];
    assert.ok(Number(printed) > 0 && found.most <= Number(printed) * 1.02, `${found.most}, and it said ${printed}`);
    for (const [name, [dims]] of Object.entries(arrays).slice(0, 3)) {
      const [, largest] = new RegExp(`weights/${name} +f32\\[${dims}\\] +int\\S+(?: in groups of 16)? +(\\S+) +(\\S+) +\\S+ %`).exec(said) ?? [];
      assert.ok(Number(largest) > 0 && Number(largest) < (type === 'int8' ? 0.01 : 0.15), `${name}: ${largest}`);
    }
    const [, before, after] = /weights: (\S+) kB before, (\S+) kB in /.exec(said) ?? [];
    assert.ok(Number(before) === 10.9 && Number(after) < 0.35 * Number(before), said);
  });

test('constants of a program become narrow inputs', async () => {
  const digits = join(root, 'demos/digits/digits.hlo');
  const out = join(folder, 'digits.hlo');
  const said = succeeds('convert', digits, '--quantize', 'int8', '--at-least', '500', '--input', 'random:3', '-o', out);
  assert.match(said, /f32\[288,64\] +int8/);
  const found = await differences(digits, out, {}, [new Float32Array(64).fill(0.5)]);
  assert.equal(found.names.length, 6);
  assert.ok(found.most < 0.2, `${found.most}`);
});

test('large constants, which programs keep apart', async () => {
  const [x, w] = [normal(300), normal(300 * 700)];
  const b = hlo.builder('large');
  const module = b.build(b.dot(b.parameter(0, 'f32[1,300]', 'x'), b.constant(w, 'f32[300,700]'))).module;
  const [program, out] = [file('large.pb', module.toProto()), join(folder, 'large-out.hlo')];
  succeeds('convert', program, '--quantize', 'int4', '--group', '60', '-o', out);
  const found = await differences(program, out, {}, [x]);
  assert.deepEqual(found.names.length, 4);
  assert.ok(found.most > 0 && found.most < 1.5, `${found.most}`);
});

test('constants that stay keep their names in every form of the program', async () => {
  const [rows, w] = [normal(10 * 16), normal(16 * 64)];
  const list = (/** @type {Float32Array} */ values, /** @type {number} */ width) =>
    `{${Array.from({ length: values.length / width }, (_, r) => `{${[...values.subarray(r * width, (r + 1) * width)].join(',')}}`).join(',')}}`;
  const program = file('looked-up.hlo', `HloModule m\nENTRY e {
  ids = s32[3] parameter(0)
  table = f32[10,16] constant(${list(rows, 16)})
  kernel = f32[16,64] constant(${list(w, 64)})
  g = f32[3,16] gather(table, ids), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,16}
  ROOT d = f32[3,64] dot(g, kernel), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}`);
  for (const [to, ending] of [['stablehlo', 'mlir'], ['hlo', 'hlo'], ['proto', 'pb']]) {
    const out = join(folder, `looked-up-out.${ending}`);
    assert.match(succeeds('convert', program, '--quantize', 'int8', '--at-least', '100', '--to', to, '-o', out), /table +f32\[10,16\] +stays: rows are looked up in it/);
    const found = await differences(program, out, {}, [Int32Array.of(1, 5, 9)]);
    assert.ok(found.names.includes('table f32[10,16]') && found.most < 0.2, `${to}: ${found.names}, ${found.most}`);
  }
});

test('a dynamic program, with the shapes of its open inputs alone', () => {
  const [program, of] = ['small-sentences.mlirbc', 'small-sentences.safetensors'].map((name) => join(root, 'tests/models', name));
  const out = join(folder, 'sentences.mlir');
  const said = succeeds('convert', program, '--shapes', 's32[8]', '--to', 'stablehlo', '--quantize', 'int4', '--group', '16', '--at-least', '64', '--constants', of,
    '--input', 'tokens=[1, 2, 3, 4, 5, 6, 7, 8]', '--input', 'count=8', '-o', out);
  assert.match(said, /weights\/encoder\.layer\.1\.output\.dense\.weight +f32\[16,32\] +int4 in groups of 16/);
  assert.match(said, /word_embeddings\.weight +f32\[50,16\] +stays: rows are looked up in it/);
  assert.match(said, /result 0, f32\[16\]: differs by 0\.\d+ at most/);
  assert.match(readFileSync(out, 'utf8'), /ui4/);
});

test('weights that stay, and why', () => {
  const text = MLP.replace('ROOT s = f32[2,3]', 'u = f32[64,32] negate(w1)\n  r = f32[] constant(0)\n  ROOT s = f32[2,3]');
  const used = text.replace('ROOT s', 's').replace(/\}\n$/, '  ROOT q = (f32[2,3], f32[64,32]) tuple(s, u)\n}\n');
  const said = succeeds('convert', file('used.hlo', used), '--quantize', 'int4', '--at-least', '100', '--constants', weights, '-o', join(folder, 'used-out.hlo'));
  assert.match(said, /weights\/one +f32\[64,32\] +stays: negate reads it as well/);
  assert.match(said, /weights\/two +f32\[16,32\] +int4 in groups of 32/);
  assert.match(said, /1 other weight as before/);
  const wide = succeeds('convert', mlp, '--quantize', 'int4', '--group', '24', '--at-least', '100', '--constants', weights, '-o', join(folder, 'wide.hlo'));
  assert.match(wide, /weights\/one +f32\[64,32\] +int8, as groups of 24 do not divide it/);
});

test('what cannot be is refused, in words', () => {
  const out = join(folder, 'refused.hlo');
  const cases = /** @type {[RegExp, string[], number?][]} */ ([
    [/--quantize int5: there are int8 and int4/, [mlp, '--quantize', 'int5', '-o', out], 2],
    [/--quantize writes two files: give --output FILE/, [mlp, '--quantize', 'int8'], 2],
    [/the program and its weights would both go to .*both\.safetensors: give --weights-output FILE/, [mlp, '--quantize', 'int8', '-o', join(folder, 'both.safetensors')], 2],
    [/the weights would go to .*mlp\.safetensors, which is read: give another --weights-output/, [mlp, '--quantize', 'int8', '--constants', weights, '-o', out, '--weights-output', weights], 2],
    [/the weights would go to .*mlp\.hlo, which is read/, [mlp, '--quantize', 'int8', '-o', out, '--weights-output', mlp], 2],
    [/the program would go to .*mlp\.safetensors, which is read: give another --output/, [mlp, '--quantize', 'int8', '--constants', weights, '-o', weights, '--weights-output', join(folder, 'beside.safetensors')], 2],
    [/--group is an option of --quantize int4/, [mlp, '--quantize', 'int8', '--group', '32', '-o', out], 2],
    [/--constants is an option of --quantize/, [mlp, '--constants', weights], 2],
    [/no weight of 4096 elements or more is the side of a product, and nothing else \(.*\); --constants names a file/, [mlp, '--quantize', 'int8', '-o', out]],
    [/^nowhere\.safetensors: LOAD: /, [mlp, '--quantize', 'int8', '--constants', 'nowhere.safetensors', '-o', out]],
    [/none of its 2 arrays has the name of an input; the program takes x/, [mlp, '--quantize', 'int8', '--constants', weightsFile('others.safetensors', { p: [[2], normal(2)], q: [[2], normal(2)] }), '-o', out]],
    [/the program takes weights\/one as f32\[64,32\].*, and one is f32\[2\]/, [mlp, '--quantize', 'int8', '--constants', weightsFile('wrong.safetensors', { one: [[2], normal(2)] }), '-o', out]],
    [/the weight weights\/one holds infinities or NaN/, [mlp, '--quantize', 'int8', '--at-least', '100', '--constants', weightsFile('nan.safetensors', { ...arrays, one: [[64, 32], normal(2048).fill(NaN, 3, 4)] }), '-o', out]],
    [/sizes of it are open; --shapes gives them: those of tokens \(s32\[\?\]\)/, [join(root, 'tests/models/small-sentences.mlirbc'), '--quantize', 'int8', '-o', out]],
    [/takes 2 inputs beside its weights \(x: f32\[2,64\].*, ids: s32\[3\].*\), but 1 were given/, [mlp, '--quantize', 'int8', '--at-least', '100', '--constants', weights, '--input', '2', '-o', out, '--weights-output', join(folder, 'beside.safetensors')], 2],
  ]);
  for (const [message, args, code = 1] of cases) {
    const { status, stderr } = webhlo('convert', ...args);
    assert.equal(status, code, `${args}`);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
  assert.ok(!existsSync(join(folder, 'beside.safetensors')), 'inputs are read before anything is written');
});
