// Parts of the playground that need no page: differences of texts, WebAssembly as text, packed texts, values' lives, completion's list.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { layered } from '../../web/elements/graph-layout.js';
import { packText, unpackText } from '../../web/elements/playground-packing.js';
import { rowsOf } from '../../web/elements/playground-profile.js';
import { PROGRAMS } from '../../web/elements/playground-programs.js';
import { Session } from '../../web/elements/playground-session.js';
import { STABLEHLO_OPS } from '../../web/elements/playground-stablehlo.js';
import { livesOf } from '../../web/elements/playground-steps.js';
import { differences, hunks } from '../../web/elements/text-difference.js';
import { wasmFunctions } from '../../web/elements/wasm-text.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hlo = await load({ wasm: await readFile(`${root}dist/webhlo-origins.wasm`) });

/** Numbers that are the same in every run. @param {number} seed */
function numbers(seed) {
  return (/** @type {number} */ below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
}

/** The length of the longest common subsequence. @param {readonly string[]} a @param {readonly string[]} b */
function common(a, b) {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) lengths[i][j] = a[i - 1] === b[j - 1] ? lengths[i - 1][j - 1] + 1 : Math.max(lengths[i - 1][j], lengths[i][j - 1]);
  return lengths[a.length][b.length];
}

test('differences lead from one text to the other, and are the least', () => {
  const next = numbers(7);
  for (let round = 0; round < 1000; round++) {
    const [a, b] = [0, 1].map(() => Array.from({ length: next(12) }, () => 'abcd'[next(4)]));
    const changes = differences(a, b);
    assert.equal(changes.filter(({ kind }) => kind !== 'added').map(({ text }) => text).join(''), a.join(''));
    assert.equal(changes.filter(({ kind }) => kind !== 'removed').map(({ text }) => text).join(''), b.join(''));
    assert.equal(changes.filter(({ kind }) => kind === 'same').length, common(a, b), `${a.join('')} ${b.join('')}`);
  }
  const far = differences(['a', 'b', 'c', 'd', 'e', 'f'], ['a', 'b', 'c', 'd', 'e', 'g']);
  assert.deepEqual(hunks(far, 1).map((change) => change?.text), [undefined, 'e', 'f', 'g']);
});

test('every function of the emitted WebAssembly is read to its end, as the host reads it', async () => {
  let count = 0;
  for (const [name, { text, inputs = [] }] of Object.entries(PROGRAMS)) {
    const session = new Session(hlo, text);
    await session.compile(session.values(inputs, 0), new AbortController().signal);
    const bytes = session.emitted();
    if (bytes) {
      const functions = wasmFunctions(bytes);
      const exported = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).filter(({ kind }) => kind === 'function');
      assert.deepEqual(functions.map((one) => one.name).sort(), exported.map((one) => one.name).sort(), name);
      for (const { lines } of functions) {
        count += lines.length;
        assert.equal(lines.at(-1), ')');
        const opened = lines.filter((line) => /^\s*(block|loop|if)\b/.test(line)).length;
        assert.equal(lines.filter((line) => /^\s*end$/.test(line)).length, opened, name);
        for (const line of lines) assert.match(line, /^(\(func .*|\)| +(\(local .*\)|[a-z][\w.]*( .*)?))$/, name);
      }
    }
    session.dispose();
  }
  assert.ok(count > 1000, `${count} lines`);
});

test('names of instructions are those of their codes', () => {
  // (func (param i32) (result i32) local.get 0 i32.const -2 i32.add if (result i32) i32.const 624485 else f32.const 1.5 i32.trunc_sat_f32_s end)
  const code = [0x20, 0, 0x41, 0x7e, 0x6a, 0x04, 0x7f, 0x41, 0xe5, 0x8e, 0x26, 0x05, 0x43, 0, 0, 0xc0, 0x3f, 0xfc, 0, 0x0b];
  const vectors = [0x20, 0, 0xfd, 0, 4, 16, 0xfd, 0x0c, ...new Array(16).fill(1), 0xfd, 0xe4, 1, 0xfd, 0x1f, 2, 0xfd, 0x83, 2, 0x1a];
  const body = [...code.slice(0, 2), ...vectors, ...code, 0x0b];
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0, 10, body.length + 3, 1, body.length + 1, 0, ...body];
  assert.deepEqual(wasmFunctions(new Uint8Array(bytes)), [
    {
      name: 'f',
      bytes: body.length + 1,
      lines: [
        '(func f (param i32) (result i32)', '  local.get 0', '  local.get 0', '  v128.load offset=16 align=16', '  v128.const i32x4 0x01010101 0x01010101 0x01010101 0x01010101',
        '  f32x4.add', '  f32x4.extract_lane 2', '  i32x4.relaxed_trunc_f64x2_s_zero', '  drop', '  local.get 0', '  i32.const -2', '  i32.add', '  if (result i32)', '    i32.const 624485',
        '  else', '    f32.const 1.5', '    i32.trunc_sat_f32_s', '  end', ')',
      ],
    },
  ]);
});

test('texts are packed into letters of an address', async () => {
  for (const text of ['', 'HloModule m', 'é ≠ 🙂\n'.repeat(500), PROGRAMS.softmax.text]) {
    const packed = await packText(text);
    assert.match(packed, /^[\w-]*$/);
    assert.equal(await unpackText(packed), text);
  }
  assert.ok((await packText(PROGRAMS.softmax.text)).length < PROGRAMS.softmax.text.length);
  for (const damaged of ['A', '*', (await packText(PROGRAMS.softmax.text)).slice(0, 40)]) await assert.rejects(unpackText(damaged), /damaged/);
});

test('values that live at once share no byte of the workspace', async () => {
  let count = 0;
  for (const { text, inputs = [] } of Object.values(PROGRAMS)) {
    const session = new Session(hlo, text);
    await session.compile(session.values(inputs, 0), new AbortController().signal);
    for (const routine of session.plan().routines) {
      const lives = livesOf(routine);
      count += lives.length;
      for (const [i, a] of lives.entries()) {
        assert.ok(a.from <= a.to && a.offset + a.bytes <= routine.offset + routine.bytes, JSON.stringify(a));
        for (const b of lives.slice(i + 1)) {
          const atOnce = a.from < b.to && b.from < a.to;
          assert.ok(!atOnce || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset, `${a.step.name} and ${b.step.name}`);
        }
      }
    }
    session.dispose();
  }
  assert.ok(count > 10, `${count} values`);
});

test('a profile counts the runs of each step, and what the plan says of them', async () => {
  const session = new Session(hlo, PROGRAMS.scan.text);
  const values = session.values(PROGRAMS.scan.inputs ?? [], 0);
  await session.compile(values, new AbortController().signal);
  const trace = session.profile(values);
  const rows = rowsOf(trace, session.plan());
  const work = trace.traceEvents.filter(({ ph, args }) => ph === 'X' && !args.calls);
  assert.equal(rows.reduce((sum, { count }) => sum + count, 0), work.length);
  const steps = session.plan().routines.flatMap((routine) => routine.steps.map((step) => ({ ...step, routine: routine.name })));
  for (const { step, computation, kernel, count, gflop, gigabytes } of rows) {
    const planned = steps.find((one) => one.name === step && one.routine === computation && one.kernel === kernel);
    assert.ok(planned, step);
    assert.ok(Math.abs(gflop - (count * planned.flops) / 1e9) < 1e-12 && Math.abs(gigabytes - (count * planned.bytes) / 1e9) < 1e-12, step);
  }
  assert.ok(rows.some(({ count }) => count === 96), 'a step of the loop runs 96 times');
  session.dispose();
});

test('in a laid out graph operands stand above their users, and nodes apart', () => {
  const next = numbers(3);
  const count = 300;
  const sizes = Array.from({ length: count }, () => ({ width: 60 + next(120), height: 30 + next(3) * 40 }));
  const edges = Array.from({ length: 500 }, () => next(count - 1) + 1).map((to) => /** @type {[number, number]} */ ([next(to), to]));
  const { x, y, width, height, points } = layered(sizes, edges, sizes.map((_, i) => i < 4));
  edges.forEach(([from, to], i) => {
    assert.ok(y[from] + sizes[from].height <= y[to], `${from} above ${to}`);
    assert.deepEqual(points[i].slice(0, 2), [x[from] + sizes[from].width / 2, y[from] + sizes[from].height]);
    assert.deepEqual(points[i].slice(-2), [x[to] + sizes[to].width / 2, y[to]]);
  });
  for (let a = 0; a < count; a++) {
    assert.ok(x[a] > -1e-6 && x[a] + sizes[a].width < width + 1e-6 && y[a] >= 0 && y[a] + sizes[a].height <= height);
    for (let b = 0; b < a; b++) {
      const apart = x[a] + sizes[a].width <= x[b] || x[b] + sizes[b].width <= x[a] || y[a] + sizes[a].height <= y[b] || y[b] + sizes[b].height <= y[a];
      assert.ok(apart, `${a} and ${b}`);
    }
  }
});

test('completion knows the operations of StableHLO', async () => {
  const table = await readFile(`${root}src/stablehlo/forms/operation_table.def`, 'utf8');
  assert.deepEqual(STABLEHLO_OPS, [...new Set(Array.from(table.matchAll(/"stablehlo\.(\w+)"/g), ([, name]) => name))].sort());
});

test('devices have their own inputs between |, or the same', () => {
  const session = new Session(hlo, 'HloModule m, replica_count=2\n\nENTRY e {\n  x = f32[2] parameter(0)\n  y = f32[2] parameter(1)\n  ROOT z = f32[2] add(x, y)\n}\n');
  const values = session.values(['[1, 2] | f32[2] {3, 4}', '[5, 6]'], 1);
  assert.deepEqual(values.map((own) => own.map((tensor) => tensor.toArray())), [[[1, 2], [5, 6]], [[3, 4], [5, 6]]]);
  const random = session.values(['random | [0, 0]', 'random'], 1).map((own) => own.map((tensor) => tensor.toArray()));
  assert.deepEqual(random[1][0], [0, 0]);
  assert.notDeepEqual(random[0][1], random[1][1]);
  assert.throws(() => session.values(['[1, 2] | [3, 4] | [5, 6]', '[5, 6]'], 1), { input: 0, message: 'There are 3 values between |, and 2 devices: give one, or one for each.' });
  session.dispose();
});

test('inputs are typed as on the command line', () => {
  const session = new Session(hlo, 'HloModule m\n\nENTRY e {\n  x = f32[2,2] parameter(0)\n  y = s64[] parameter(1)\n  ROOT z = (f32[2,2], s64[]) tuple(x, y)\n}\n');
  const typed = (/** @type {string} */ x, /** @type {string} */ y) => session.values([x, y], 1)[0].map((tensor) => tensor.toArray());
  assert.deepEqual(typed('[[+inf, -Infinity], [1e2, .5,],]', '+9007199254740993'), [[[Infinity, -Infinity], [100, 0.5]], 9007199254740993n]);
  assert.deepEqual(typed('f32 [2, 2] {{1, 2}, {3, 4}}', 's64[ ] -1'), [[[1, 2], [3, 4]], -1n]);
  const message = (/** @type {string} */ x, y = '0') => {
    try {
      typed(x, y);
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  };
  assert.match(message('[[1, constructor]]') ?? '', /^“constructor” is no number\. Type random, a list such as \[1, 2\], or a literal such as f32\[2\] \{1, 2\}\.$/);
  assert.match(message('[[1, 2], [3, 4]') ?? '', /^This is no list/);
  assert.match(message('random', '2.5') ?? '', /^expected s64\[\], got 2\.5/);
  session.dispose();
});

test('an open size is the length of a list, and the others are the program\'s', () => {
  const session = new Session(hlo, 'module {\n  func.func public @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {\n    return %x : tensor<?x2xf32>\n  }\n}\n');
  assert.equal(String(session.values(['[[1, 2], [3, 4], [5, 6]]'], 1)[0][0].shape).replace(/\{.*/, ''), 'f32[3,2]');
  assert.throws(() => session.values(['[[1, 2, 3]]'], 1), { input: 0, message: /^expected f32\[1,2\]/ });
  session.dispose();
});
