// A module is read by what its bytes are; `webhlo check` names what fails.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { load, HloError } from '../../js/index.js';
import { instructionsOf } from '../formats/text/instructions.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hlo = await load();
const cli = (...args) => spawnSync(process.execPath, [join(root, 'js/cli.js'), ...args], { encoding: 'utf8' });

const STABLEHLO = `module @axpy {
  func.func public @main(%a: tensor<f32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.multiply %0, %x : tensor<4xf32>
    %2 = stablehlo.add %1, %y : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}`;

test('StableHLO text runs', async () => {
  for (const reference of [false, true]) {
    const executable = await hlo.compile(hlo.parse(STABLEHLO), { reference });
    assert.deepEqual(executable.run([2, [1, 2, 3, 4], [10, 20, 30, 40]]).toArray(), [12, 24, 36, 48]);
  }
});

test('instructions may follow attributes that are kept as text, on the same line', async () => {
  const attributes = ['sharding={replicated}', 'metadata={op_name="a b"}', 'frontend_attributes={a="b"}', 'backend_config="{}"', 'backend_config={"a":[1]}'];
  for (const attribute of attributes) {
    const text = `HloModule m\nENTRY e { x = f32[2] parameter(0), ${attribute} n = f32[2] negate(x), ${attribute} ROOT y = f32[2] add(n, n), ${attribute} }`;
    assert.deepEqual((await hlo.compile(hlo.parse(text))).run([[1, 2]]).toArray(), [-2, -4], attribute);
  }
});

test('forms of StableHLO text that only printers write', async () => {
  const square = 'tensor<2x2xf32>';
  /** @type {[string, number[][]][]} */
  const bodies = [
    [`%0 = stablehlo.dot %x, %x, precision = [DEFAULT, HIGHEST] : (${square}, ${square}) -> ${square}`, [[7, 10], [15, 22]]],
    [`%0 = stablehlo.einsum %x, %x, config = "ij,kj->ik" : (${square}, ${square}) -> ${square}`, [[5, 11], [11, 25]]],
    [`%0 = stablehlo.unary_einsum %x, config = "ij->ji" : (${square}) -> ${square}`, [[1, 3], [2, 4]]],
  ];
  for (const [body, expected] of bodies) {
    const text = `func.func @main(%x: ${square}) -> ${square} { ${body} return %0 : ${square} }`;
    assert.deepEqual((await hlo.compile(hlo.parse(text))).run([[[1, 2], [3, 4]]]).toArray(), expected, body);
  }
  assert.throws(() => hlo.parse(`func.func @main(%x: ${square}) -> ${square} { %0 = stablehlo.dot %x, %x, precision = DEFAULT : (${square}, ${square}) -> ${square} return %0 : ${square} }`),
    { code: 'PARSE', message: /expected '\[', found 'DEFAULT'/ });
  // A function that an operation applies, as lowered.
  const text = `func.func @main(%x: ${square}) -> ${square} { %0 = call @less(%x) : (${square}) -> ${square} return %0 : ${square} }
    func.func private @less(%x: ${square}) -> ${square} { %0 = stablehlo.negate %x : ${square} stablehlo.return %0 : ${square} }`;
  assert.deepEqual((await hlo.compile(hlo.parse(text))).run([[[1, 2], [3, 4]]]).toArray(), [[-1, -2], [-3, -4]]);
});

test('computations may stand in place of their names, as XLA prints them canonically', async () => {
  const text = `HloModule m
ENTRY e {
  a = f32[2,3] parameter(0)
  z = f32[] constant(0)
  s = f32[2] reduce(a, z), dimensions={1}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT c = f32[] add(a, b)
  }, metadata={op_name="sum"}
  t = (s32[], f32[2]) tuple(s32[] constant(0), s)
  w = (s32[], f32[2]) while(t), condition={
    p = (s32[], f32[2]) parameter(0)
    i = s32[] get-tuple-element(p), index=0
    ROOT l = pred[] compare(i, s32[] constant(3)), direction=LT
  }, body={
    p = (s32[], f32[2]) parameter(0)
    i = s32[] get-tuple-element(p), index=0
    x = f32[2] get-tuple-element(p), index=1
    y = f32[2] fusion(x), kind=kLoop, calls={
      x = f32[2] parameter(0)
      ROOT y = f32[2] map(x), dimensions={0}, to_apply={
        x = f32[] parameter(0)
        ROOT y = f32[] add(x, x)
      }
    }
    ROOT r = (s32[], f32[2]) tuple(s32[] add(i, s32[] constant(1)), y)
  }
  ROOT o = f32[2] conditional(pred[] constant(false), get-tuple-element(w), get-tuple-element(w)), branch_computations={ { q = f32[2] parameter(0) }, { q = f32[2] parameter(0) ROOT n = f32[2] negate(q) } }
}`.replace(/get-tuple-element\(w\)/g, 'v').replace('  ROOT o', '  v = f32[2] get-tuple-element(w), index=1\n  ROOT o').replace('pred[] constant(false)', 's32[] constant(1)');
  const module = hlo.parse(text);
  for (const one of [module, hlo.parse(String(module)), hlo.parse(module.toProto())])
    assert.deepEqual((await hlo.compile(one)).run([[[1, 2, 3], [4, 5, 6]]]).toArray(), [-48, -120]);
  assert.throws(() => hlo.parse('HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] map(x), dimensions={0}, to_apply={ a = f32[] parameter(1) } }'), /computation 'region' has parameter 1, but no parameter 0/);
  assert.throws(() => hlo.parse('HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] map(x), dimensions={0}, to_apply={ a = f32[] parameter(0)'), /2:108: computation 'region' is never closed/);
  const deep = 'c = f32[] call(x), to_apply={ x = f32[] parameter(0) '.repeat(500);
  assert.throws(() => hlo.parse(`HloModule m\nENTRY e { x = f32[] parameter(0) ${deep}`), { code: 'LIMIT' });
});

test('a dot without dimensions is an outer product, unless its shape says what older texts mean', async () => {
  const run = async (/** @type {string} */ shape) => (await hlo.compile(hlo.parse(`HloModule m\nENTRY e { x = f32[2] parameter(0) y = f32[2] parameter(1) ROOT d = ${shape} dot(x, y) }`))).run([[1, 2], [3, 4]]).toArray();
  assert.deepEqual(await run(''), [[3, 4], [6, 8]]);
  assert.deepEqual(await run('f32[2,2]'), [[3, 4], [6, 8]]);
  assert.deepEqual(await run('f32[]'), 11);
  await assert.rejects(run('f32[3,2]'), /f32\[2,2\]/);
});

test('names that XLA’s parser does not take are written as others', async () => {
  const names = ['s1', 'f32', 'token', '__x', 'true', 'ROOT', 'manual', 'tuple', 'f32_'];
  const b = hlo.builder('bf16');
  const parts = names.map((name, i) => b.parameter(i, 'f32[]', name));
  const built = b.build(parts.reduce((sum, one) => b.add(sum, one)));
  const text = String(built);
  for (const [written, read] of [['s1_', true], ['f32__', true], ['token_', true], ['a__x_', true], ['%true', true], ['%ROOT', true], ['%manual', true], ['tuple', true], ['f32_', true]]) assert.equal(new RegExp(`^ +${written} = `, 'm').test(text), read, `${written} in ${text}`);
  assert.match(text, /add\(s1_, f32__\)/);
  assert.match(text, /, %true\)/);
  assert.match(text, /^ENTRY bf16_ \{/m);
  const values = names.map((_, i) => 2 ** i);
  assert.equal((await hlo.compile(hlo.parse(text))).run(values).toArray(), 511);
  assert.equal(String(hlo.parse(text)), text);
});

test('protocol buffers: topk of the smallest, and what must run before', async () => {
  for (const [attribute, expected] of [['', [5, 4]], [', largest=true', [5, 4]], [', largest=false', [1, 2]]]) {
    const module = hlo.parse(`HloModule m\nENTRY e { x = f32[4] parameter(0) t = (f32[2], s32[2]) topk(x), k=2${attribute} ROOT v = f32[2] get-tuple-element(t), index=0 }`);
    for (const one of [module, hlo.parse(module.toProto())]) assert.deepEqual((await hlo.compile(one)).run([[4, 1, 5, 2]]).toArray(), expected);
  }
  const module = hlo.parse('HloModule m\nENTRY e { x = f32[4] parameter(0) y = f32[4] negate(x) ROOT z = f32[4] abs(x), control-predecessors={y} }');
  const bytes = module.toProto();
  assert.match(String(hlo.parse(bytes)), /z = f32\[4\]\{0\} abs\(x\), control-predecessors=\{y\}/);
  const at = bytes.findIndex((byte, i) => byte === 0xa8 && bytes[i + 1] === 2); // the field 37
  bytes[at + 2] += 1; // itself
  assert.throws(() => hlo.parse(bytes), /instruction z uses one that comes after it/);
});

test('numbers of u64 below zero wrap, as XLA reads them; of other types, and hexadecimal ones, they must fit', () => {
  const constant = (/** @type {string} */ text) => String(hlo.parse(`HloModule m\nENTRY e { ROOT c = ${text} }`));
  assert.match(constant('u64[2] constant({-1, -9223372036854775808})'), /\{18446744073709551615, 9223372036854775808\}/);
  assert.throws(() => constant('u32[] constant(-1)'), /u32 holds no negative numbers/);
  const dense = (/** @type {string} */ text) => String(hlo.parse(`func.func @main() -> tensor<i8> { %0 = stablehlo.constant dense<${text}> : tensor<i8> return %0 : tensor<i8> }`));
  assert.match(dense('0xFF'), /s8\[\] constant\(-1\)/);
  assert.throws(() => dense('0x100'), /256 does not fit s8/);
});

test('webhlo check prints programs over meshes, and runs them on as many devices as they have', () => {
  for (const name of ['line', 'grid', 'one_axis_of_two']) {
    const { status, stdout } = cli('check', join(root, `tests/formats/shard_map/${name}.mlir`));
    assert.equal(status, 0, stdout);
  }
});

test('a module written as HloModuleProto and read again is the same', async () => {
  const module = hlo.parse(STABLEHLO);
  const again = hlo.parse(module.toProto());
  assert.equal(again.toString().split('\n').slice(1).join('\n'), module.toString().split('\n').slice(1).join('\n'));
});

test('a run is kept as an HloSnapshot, and run again from it', async () => {
  const module = hlo.parse(STABLEHLO);
  const executable = await hlo.compile(module);
  const inputs = [2, [1, 2, 3, 4], [10, 20, 30, 40]];
  const given = executable.run(inputs);
  const { buffers, values } = hlo.memory();
  const bytes = hlo.snapshot(module, inputs, given);
  assert.deepEqual([hlo.memory().buffers, hlo.memory().values], [buffers, values]);
  const { inputs: again, result } = hlo.snapshotValues(bytes);
  assert.deepEqual(again.map((tensor) => tensor.toArray()), inputs);
  assert.deepEqual(result.toArray(), [12, 24, 36, 48]);
  assert.deepEqual((await hlo.compile(hlo.parse(bytes))).run(again).toArray(), [12, 24, 36, 48]);
  assert.deepEqual(hlo.snapshot(hlo.parse(bytes), again, result), hlo.snapshot(hlo.parse(bytes), inputs, [12, 24, 36, 48]));
  assert.deepEqual(hlo.snapshotValues(module.toProto({ kind: 'hlo' })), { inputs: [], result: undefined });
  assert.equal(hlo.snapshotValues(hlo.snapshot(module, inputs)).result, undefined);
  assert.deepEqual(hlo.snapshot(module.entry, inputs), hlo.snapshot(module, inputs));
  assert.throws(() => hlo.snapshot(module, inputs.slice(1)), /snapshot: expected \(f32\[\], f32\[4\], f32\[4\]\)/);
  assert.throws(() => hlo.parse(bytes.subarray(0, bytes.length - 9)), /of the protocol buffer/);
  assert.throws(() => module.toProto({ kind: 'text' }), /kind is 'module' or 'hlo', got/);
});

test('an HloProto holds the same module', () => {
  const module = hlo.parse(STABLEHLO);
  const wrapped = module.toProto({ kind: 'hlo' });
  assert.deepEqual(wrapped.subarray(-module.toProto().length), module.toProto());
  assert.equal(hlo.parse(wrapped).toString(), hlo.parse(module.toProto()).toString());
});

test('webhlo run writes a snapshot, and takes the inputs of one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-snapshot-'));
  const [source, snapshot, wrong] = ['axpy.mlir', 'axpy.pb', 'wrong.pb'].map((name) => join(folder, name));
  writeFileSync(source, STABLEHLO);
  const inputs = ['f32[] 2', 'f32[4] {1, 2, 3, 4}', 'f32[4] {0, 0, 0, 1}'].flatMap((text) => ['--input', text]);
  assert.equal(cli('run', source, ...inputs, '--snapshot', snapshot).stdout.trim(), 'f32[4] {2, 4, 6, 9}');
  const again = cli('run', snapshot);
  assert.equal(again.stdout.trim(), 'f32[4] {2, 4, 6, 9}');
  assert.equal(again.stderr.trim(), "the snapshot's result: the same");
  const values = hlo.snapshotValues(readFileSync(snapshot));
  writeFileSync(wrong, hlo.snapshot(hlo.parse(readFileSync(snapshot)), values.inputs, [2, 4, 6.5, 9]));
  assert.equal(cli('run', wrong).stderr.trim(), "the snapshot's result: 1 of 4 numbers differ, by 0.5 at most");
  const other = cli('run', snapshot, ...inputs.with(-1, 'f32[4] {0, 0, 0, 2}'));
  assert.deepEqual([other.stdout.trim(), other.stderr], ['f32[4] {2, 4, 6, 10}', '']);
  const proto = join(folder, 'hlo.pb');
  assert.equal(cli('convert', snapshot, '--to', 'hlo-proto', '--output', proto).status, 0);
  assert.deepEqual(new Uint8Array(readFileSync(proto)), hlo.parse(readFileSync(snapshot)).toProto({ kind: 'hlo' }));
});

test('protocol buffers that XLA wrote are read', () => {
  const folder = join(root, 'tests/formats/proto');
  const names = readdirSync(folder).filter((file) => file.endsWith('.pb'));
  assert.equal(names.length, 8);
  for (const name of names) {
    const module = hlo.parse(readFileSync(join(folder, name)));
    if (name !== 'snapshot.pb') {
      const text = readFileSync(join(root, 'tests/formats/text/jax', name.replace('.pb', '.hlo')), 'utf8');
      assert.deepEqual(instructionsOf(String(module)).sort(), instructionsOf(text).sort(), name);
    }
    module.dispose();
  }
  const { inputs, result } = hlo.snapshotValues(readFileSync(join(folder, 'snapshot.pb')));
  assert.ok(inputs.length > 0 && result !== undefined);
});

test('a function other than @main can be the entry', async () => {
  const source = `func.func @one() -> tensor<i32> { %0 = stablehlo.constant dense<1> : tensor<i32>
    return %0 : tensor<i32> }
  func.func @two() -> tensor<i32> { %0 = stablehlo.constant dense<2> : tensor<i32>
    return %0 : tensor<i32> }`;
  assert.deepEqual(hlo.functions(source).map((f) => f.name), ['one', 'two']);
  const executable = await hlo.compile(hlo.parse(source, { entry: 'two' }));
  assert.equal(executable.run([]).toArray(), 2);
  assert.throws(() => hlo.parse(source), /expected a function @main, or one public function; there are 2/);
  assert.throws(() => hlo.parse(source, { entry: 'three' }), /there is no function @three/);
});

test('errors in StableHLO have line and column', () => {
  const wrong = STABLEHLO.replace('stablehlo.add %1, %y', 'stablehlo.add %1, %z');
  assert.throws(() => hlo.parse(wrong), (error) => {
    assert.ok(error instanceof HloError);
    assert.equal(error.line, 5);
    assert.match(error.message, /'%z' is not defined before this use/);
    return true;
  });
});

test('functions within functions are refused, however deep; a mesh may come first', async () => {
  for (const open of ['func.func @main() {', 'func.func private @a() {'])
    assert.throws(() => hlo.parse(open.repeat(3000)), { code: 'LIMIT', message: /nested more than 256 deep/ });
  assert.throws(() => hlo.functions('func.func @main() {'.repeat(3000)), { code: 'LIMIT' });
  const inner = 'func.func @inner() -> tensor<i32> { %0 = stablehlo.constant dense<1> : tensor<i32> return %0 : tensor<i32> }';
  assert.throws(() => hlo.parse(`func.func @main() -> tensor<i32> { ${inner} %1 = stablehlo.constant dense<1> : tensor<i32> return %1 : tensor<i32> }`), { code: 'UNKNOWN_OP', message: /func\.func/ });
  const meshed = await hlo.compile(hlo.parse(`sdy.mesh @mesh = <["x"=1]>\nfunc.func @main() -> tensor<i32> { %0 = stablehlo.constant dense<7> : tensor<i32> return %0 : tensor<i32> }`));
  assert.equal(meshed.run([]).toArray(), 7);
});

test('bytes that are no module are refused', () => {
  assert.throws(() => hlo.parse(new Uint8Array([0, 1, 2, 3, 4, 5])), { code: 'PARSE', message: /field number 0; nor are these bytes HLO text/ });
  assert.throws(() => hlo.parse(new Uint8Array([10, 255, 255, 255, 255, 15])), { code: 'PARSE', message: /field 1 says that it has 4294967295 bytes, but 0 are left/ });
  assert.throws(() => hlo.parse(''), { code: 'PARSE', message: /found the end of the text/ });
});

test('webhlo check counts, names and explains', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-check-'));
  const file = (name, text) => writeFileSync(join(folder, name), text);
  const holds = (value) => `func.func @case() {
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %1 = stablehlo.add %0, %0 : tensor<2xi32>
    check.expect_eq_const %1, dense<[2, ${value}]> : tensor<2xi32>
    func.return
  }`;
  file('a_right.mlir', holds(4));
  file('b_wrong.mlir', holds(5));
  file('c_refused.mlir', `func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{compatible}}
    %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }`);
  file('d_not_refused.mlir', `func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{something}}
    %0 = stablehlo.add %a, %a : tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }`);
  file('e_nothing.mlir', 'func.func @f() { func.return }');
  for (const args of [[], ['--reference']]) {
    const { stdout, status } = cli('check', ...args, folder);
    const lines = stdout.trim().split('\n');
    assert.equal(lines.at(-1), '2 passed, 3 failed');
    assert.match(stdout, /b_wrong\.mlir:4: CHECK: .*element \[1\] is 4, expected 5/);
    assert.match(stdout, /d_not_refused\.mlir: not refused \(expected line 3: something\)/);
    assert.match(stdout, /e_nothing\.mlir: no check was executed/);
    assert.equal(status, 1);
  }
});

test('webhlo convert writes HLO text and protocol buffers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-convert-'));
  const source = join(folder, 'axpy.mlir');
  writeFileSync(source, STABLEHLO);
  const text = cli('convert', source, '--to', 'hlo');
  assert.match(text.stdout, /^HloModule axpy/);
  assert.equal(cli('convert', source, '--to', 'proto', '--output', join(folder, 'axpy.pb')).status, 0);
  assert.equal(cli('convert', join(folder, 'axpy.pb'), '--to', 'hlo').stdout.split('\n').slice(1).join('\n'), text.stdout.split('\n').slice(1).join('\n'));
  assert.equal(cli('convert', join(folder, 'axpy.pb'), '--to', 'stablehlo', '--output', join(folder, 'again.mlir')).status, 0);
  assert.match(readFileSync(join(folder, 'again.mlir'), 'utf8'), /"stablehlo\.multiply"/);
  assert.match(cli('convert', source, '--to', 'onnx').stderr, /--to onnx: there are hlo, stablehlo, proto \(an HloModuleProto\) and hlo-proto/);
  const run = cli('run', join(folder, 'again.mlir'), '--input', 'f32[] 2', '--input', 'f32[4] {1, 2, 3, 4}', '--input', 'f32[4] {0, 0, 0, 1}');
  assert.equal(run.stdout.trim(), 'f32[4] {2, 4, 6, 9}');
});

test('a dynamic module is specialised to the shapes it is given', async () => {
  const source = `func.func @main(%x: tensor<?x2xf32>) -> tensor<?xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }`;
  for (const rows of [1, 3]) {
    const executable = await hlo.compile(hlo.parse(source, { shapes: [`f32[${rows},2]`] }));
    const x = Array.from({ length: rows }, (_, i) => [i, 10]);
    assert.deepEqual(executable.run([x]).toArray(), x.map(([a, b]) => a + b));
  }
  assert.throws(() => hlo.parse(source, { shapes: ['f32[3,4]'] }), { code: 'ARGUMENT', message: /argument 0 is declared as tensor<\?x2xf32>, which f32\[3,4\] is not/ });
  assert.throws(() => hlo.parse(source, { shapes: [] }), { code: 'ARGUMENT', message: /takes 1 arguments, got 0/ });
  const module = hlo.parse(source);
  for (const shapes of [['f32[3,2'], ['f32[3,2], f32[]']]) {
    assert.throws(() => hlo.parse(source, { shapes }), { code: 'PARSE', message: /expected (']'|the end of the shape), found/ });
    assert.throws(() => module.specialize(shapes), { code: 'PARSE' });
  }
  for (const shapes of [[null], [{ a: 'f32[3,2]' }]]) assert.throws(() => module.specialize(shapes), { name: 'TypeError', message: /a shape is a text/ });
  for (const data of [[1, 2], new Float32Array(2)]) assert.throws(() => hlo.tensor(data, 'f32[?]'), { name: 'TypeError', message: /a tensor has known sizes, got the shape f32\[\?\]/ });
  const rows = hlo.parse(readFileSync(new URL('../../demos/samples/rows.mlirbc', import.meta.url)));
  assert.throws(() => rows.toText(), { code: 'UNSUPPORTED' });
  assert.match(String(rows), /^module @jit_normalize/, 'what HLO cannot tell is StableHLO');
});
