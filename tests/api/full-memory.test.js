// Memory that ends anywhere: a runtime with so many bytes left parses, compiles, emits, runs and prints, or says OUT_OF_MEMORY; and with
// memory again, the same runtime does all of it. tests/unit/api/allocation_test.c fails single allocations, natively.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { HloError, load } from '../../js/index.js';

const root = new URL('../../', import.meta.url);

/** @type {[name: string, source: string | Uint8Array][]} */
const programs = [
  ['a loop, a sort, nested tuples', `HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }
more { s = (s32[], f32[64]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(9) ROOT r = pred[] compare(i, n), direction=LT }
step { s = (s32[], f32[64]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[64] get-tuple-element(s), index=1 o = s32[] constant(1)
 j = s32[] add(i, o) y = f32[64] sine(x) ROOT r = (s32[], f32[64]) tuple(j, y) }
ENTRY e { x = f32[64] parameter(0) z = s32[] constant(0) f = f32[] constant(0) t = (s32[], f32[64]) tuple(z, x) w = (s32[], f32[64]) while(t), condition=more, body=step
 y = f32[64] get-tuple-element(w), index=1 o = f32[64] sort(y), dimensions={0}, to_apply=less d = f32[] reduce(o, f), dimensions={0}, to_apply=sum
 p = (f32[], f32[64]) tuple(d, o) ROOT r = ((f32[], f32[64]), f32[64]) tuple(p, y) }`],
  ['replicas that meet', `HloModule m, replica_count=2
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e { x = f32[16] parameter(0) y = f32[16] all-reduce(x), replica_groups={{0,1}}, to_apply=sum ROOT r = f32[16] multiply(y, y) }`],
  ['StableHLO', readFileSync(new URL('demos/samples/softmax.mlir', root))],
  ['bytecode', readFileSync(new URL('demos/samples/model.mlirbc', root))],
  ['jax.export', readFileSync(new URL('demos/samples/mlp.jax', root))],
  ['a protocol buffer', readFileSync(new URL('tests/formats/proto/before_sorts.pb', root))],
];

/** webhlo.wasm with a memory that cannot grow beyond 5 MB. */
function small() {
  const bytes = new Uint8Array(readFileSync(new URL('dist/webhlo.wasm', root)));
  const at = bytes.findIndex((byte, i) => byte === 5 && bytes[i + 1] < 10 && bytes[i + 2] === 1 && bytes[i + 3] === 1 && bytes[i + 4] === 64 && bytes[i + 5] === 0x80 && bytes[i + 6] === 0x80 && bytes[i + 7] === 4);
  assert.ok(at > 0, 'a memory of 64 pages, and 65536 at most, is looked for');
  bytes.set([0x80 | 80, 0x80, 0], at + 5);
  return bytes;
}

/** Takes all memory but `left` bytes, and returns what gives it back. @param {any} core @param {number} left */
function fill(core, left) {
  const { hlo_api_alloc: alloc, hlo_api_release: release } = core.exports;
  /** @type {[number, number][]} */
  const held = [];
  const kept = left > 0 ? [[alloc(core.handle, left) >>> 0, left]] : [];
  if (kept.length && !kept[0][0]) kept.pop();
  for (let bytes = 1 << 20; bytes >= 64; bytes /= 2)
    for (let block; (block = alloc(core.handle, bytes) >>> 0); ) held.push([block, bytes]);
  for (const [block, bytes] of kept) release(core.handle, block, bytes);
  return () => held.forEach(([block, bytes]) => release(core.handle, block, bytes));
}

/** All that is done with a program; what it is given is made before memory is filled. @param {any} hlo @param {string | Uint8Array} source @param {boolean} reference */
function work(hlo, source, reference) {
  const made = [];
  try {
    const module = hlo.parse(source);
    made.push(module);
    const { core } = hlo;
    const texts = ['module_text', 'module_info', 'module_contents'].map((name) => core.ask(name, module.pointer));
    texts.push(core.ask('module_dump', module.pointer, -1));
    core.must('module_proto', module.pointer, true);
    texts.push(core.answerBytes().join());
    const executable = core.pointer('compile', module.pointer, 1, 0, 0, reference, 0, 0, 0, 0);
    made.push({ dispose: () => core.call('executable_free', executable) });
    const info = core.askJson('executable_info', executable);
    if (!reference) core.call('executable_emit', executable, false);
    return { texts, info: JSON.stringify([info.parameters, info.result]) };
  } finally {
    for (const one of made.reverse()) one.dispose();
  }
}

/** The numbers of live objects, as JSON. @param {any} core */
function live(core) {
  core.call('memory', core.handle);
  return core.answer();
}

for (const [name, source] of programs)
  test(`with memory that ends anywhere: ${name}`, async () => {
    const hlo = await load({ wasm: small() });
    const { core } = /** @type {any} */ (hlo);
    for (const reference of [false, true]) {
      const expected = work(hlo, source, reference);
      const before = live(core);
      let refused = 0;
      for (let left = 0; left < 160000; left += 64 + Math.floor(left / 12)) {
        const free = fill(core, left);
        try {
          assert.deepEqual(work(hlo, source, reference), expected, `${left} bytes are left`);
        } catch (error) {
          assert.ok(error instanceof HloError && error.code === 'OUT_OF_MEMORY', `${left} bytes are left: ${error}`);
          refused++;
        }
        free();
        assert.deepEqual(work(hlo, source, reference), expected, `after ${left} bytes were left`);
        assert.equal(live(core), before, `after ${left} bytes were left`);
      }
      assert.ok(refused > 3, `${refused} refused`);
    }
    hlo.dispose();
  });

test('answers that find no memory', async () => {
  const hlo = await load({ wasm: small() });
  const { core } = /** @type {any} */ (hlo);
  const free = fill(core, 0);
  assert.throws(() => hlo.ops, { name: 'HloError', code: 'OUT_OF_MEMORY' });
  free();
  assert.ok(Object.keys(hlo.ops).length > 100);
  hlo.dispose();
});

test('a run whose memory ends anywhere', async () => {
  const hlo = await load({ wasm: small() });
  const { core } = /** @type {any} */ (hlo);
  for (const [name, source] of programs.slice(0, 2)) {
    const executable = await hlo.compile(hlo.parse(/** @type {string} */ (source)));
    const x = Float32Array.from({ length: name.startsWith('replicas') ? 16 : 64 }, (_, i) => i / 7 - 2);
    const inputs = name.startsWith('replicas') ? [[x], [x]] : [x];
    const result = () => {
      const tree = /** @type {any} */ (executable).run(inputs);
      const leaves = [tree].flat(Infinity);
      const values = leaves.map((leaf) => leaf.toArray());
      for (const leaf of leaves) leaf.dispose();
      return values;
    };
    const expected = result();
    let refused = 0;
    for (let left = 0; left < 20000; left += 64 + Math.floor(left / 12)) {
      const free = fill(core, left);
      try {
        assert.deepEqual(result(), expected);
      } catch (error) {
        assert.ok(error instanceof HloError && error.code === 'OUT_OF_MEMORY', `${name}, ${left} bytes are left: ${error}`);
        refused++;
      }
      free();
      assert.deepEqual(result(), expected, `${name}, after ${left} bytes were left`);
    }
    assert.ok(refused > 0, name);
    executable.dispose();
  }
  hlo.dispose();
});
