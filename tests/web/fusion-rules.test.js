// What the chapter "How WebHLO runs a program" says of fusion: each rule, with a program for which it holds.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { load } from '../../js/index.js';

const hlo = await load();
const CALLED = `add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}
`;

/** The first words of a rule in the chapter, a program, and its steps: ops, a fusion with how many ops its loop has. @type {[string, string, string][]} */
const RULES = [
  ['Operations that go element by element join', 'x = f32[8,64] parameter(0) a = f32[8,64] exponential(x) b = f32[8,64] sine(a) ROOT c = f32[8,64] tanh(b)', 'loop of 3'],
  ['Operations that go element by element join', 'x = f32[8,64] parameter(0) a = f32[8,64] exponential(x) b = f32[8,64] sine(x) ROOT t = (f32[8,64], f32[8,64]) tuple(a, b)', 'loop of 2'],
  ['A reduction of rows', 'x = f32[8,64] parameter(0) z = f32[] constant(0) a = f32[8,64] exponential(x) s = f32[8] reduce(a, z), dimensions={1}, to_apply=add w = f32[8,64] broadcast(s), dimensions={0} ROOT c = f32[8,64] divide(a, w)', 'loop of 4'],
  ['A reduction along another dimension', 'x = f32[8,64] parameter(0) z = f32[] constant(0) a = f32[8,64] exponential(x) s = f32[64] reduce(a, z), dimensions={0}, to_apply=add w = f32[8,64] broadcast(s), dimensions={1} ROOT c = f32[8,64] divide(a, w)', 'exponential, reduce, loop of 1'],
  ['A dot or a convolution', 'x = f32[8,64] parameter(0) w = f32[64,16] parameter(1) b = f32[8,64] tanh(x) d = f32[8,16] dot(b, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} a = f32[8,16] tanh(d) ROOT c = f32[8,16] negate(a)', 'tanh, dot with loop of 2'],
  ['A dot or a convolution', 'x = f32[8,64] parameter(0) w = f32[64,16] parameter(1) d = f32[8,16] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} a = f32[8,16] tanh(d) b = f32[8,16] negate(d) ROOT t = (f32[8,16], f32[8,16]) tuple(a, b)', 'dot, loop of 2'],
  ['A sort, a gather, a pad or a transpose', 'x = f32[64] parameter(0) a = f32[64] negate(x) s = f32[64] sort(a), dimensions={0}, to_apply=less b = f32[64] exponential(s) ROOT c = f32[64] tanh(b)', 'negate, sort, loop of 2'],
  ['A sort, a gather, a pad or a transpose', 'x = f32[8,64] parameter(0) i = s32[4] parameter(1) a = f32[8,64] negate(x) g = f32[4,64] gather(a, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64} b = f32[4,64] exponential(g) ROOT c = f32[4,64] tanh(b)', 'negate, gather, loop of 2'],
  ['A sort, a gather, a pad or a transpose', 'x = f32[64] parameter(0) z = f32[] constant(0) a = f32[64] exponential(x) p = f32[66] pad(a, z), padding=1_1 ROOT c = f32[66] negate(p)', 'exponential, pad, negate'],
  ['What has fewer elements than its reader', 'x = f32[64] parameter(0) y = f32[8,64] parameter(1) a = f32[64] exponential(x) w = f32[8,64] broadcast(a), dimensions={1} ROOT c = f32[8,64] add(w, y)', 'exponential, loop of 1'],
];

test('the plan follows the rules that the chapter gives', async () => {
  const chapter = (await readFile(new URL('../../web/chapters/how-a-program-runs.html', import.meta.url), 'utf8')).replace(/\s+/g, ' ');
  for (const [rule, body, steps] of RULES) {
    assert.ok(chapter.includes(`<li>${rule}`), `the chapter has the rule "${rule}"`);
    const module = hlo.parse(`HloModule m\n\n${CALLED}\nENTRY e { ${body} }`);
    const executable = await hlo.compile(module);
    const [routine] = executable.plan.routines;
    const told = routine.steps.map(({ op, kernel = '' }) => {
      const count = /loop\((\d+) op/.exec(kernel)?.[1];
      return count === undefined ? op : `${/_dot_/.test(kernel) ? 'dot with ' : ''}loop of ${count}`;
    });
    assert.equal(told.join(', '), steps, `${rule}: ${body}`);
    executable.dispose();
    module.dispose();
  }
  const rules = /What joins what.*?<ul>(.*?)<\/ul>/.exec(chapter)?.[1].match(/<li>/g) ?? [];
  assert.equal(new Set(RULES.map(([rule]) => rule)).size, rules.length, 'each rule has a program');
});
