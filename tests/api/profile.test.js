// Profiles of runs, and the figures that plans give for each step.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';

const hlo = await load();
const cli = fileURLToPath(new URL('../../js/cli.js', import.meta.url));

const loop = `HloModule m
body { s = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[8,8] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (s32[], f32[8,8]) tuple(j, y) }
cond { s = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT }
ENTRY e { x = f32[8,8] parameter(0)
  z = s32[] constant(0)
  t = (s32[], f32[8,8]) tuple(z, x)
  w = (s32[], f32[8,8]) while(t), condition=cond, body=body
  ROOT r = f32[8,8] get-tuple-element(w), index=1 }`;

const steps = ({ traceEvents }) => traceEvents.filter(({ ph }) => ph === 'X');

test('every run of a step is in the trace, within its call', async () => {
  const executable = await hlo.compile(hlo.parse(loop));
  const input = new Float32Array(64).fill(0.5);
  const expected = executable.run([input]).toTypedArray();
  const { result, trace } = executable.profile([input]);
  assert.deepEqual(result.toTypedArray(), expected);
  const dots = steps(trace).filter(({ cat }) => cat === 'dot');
  const bodies = steps(trace).filter(({ name }) => name === 'w: body');
  assert.equal(dots.length, 3);
  assert.equal(bodies.length, 3);
  dots.forEach((dot, i) => {
    assert.ok(bodies[i].ts <= dot.ts && dot.ts + dot.dur <= bodies[i].ts + bodies[i].dur + 1e-6);
    assert.equal(dot.args.shape, 'f32[8,8]');
    assert.equal(dot.args.computation, 'body');
  });
  assert.ok(steps(trace).every(({ ts, dur }) => ts >= 0 && dur >= 0));
  assert.equal(Math.min(...steps(trace).map(({ ts }) => ts)), 0);
  const again = executable.profile([input]).trace;
  assert.equal(steps(again).length, steps(trace).length);
});

test('a long loop is shown step by step at first, and then as a whole', async () => {
  const executable = await hlo.compile(hlo.parse(loop.replaceAll('constant(3)', 'constant(5000)').replace('y = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}', 'y = f32[8,8] sine(x)')));
  const input = new Float32Array(64).fill(0.5);
  const { result, trace } = executable.profile([input]);
  assert.deepEqual(result.toTypedArray(), executable.run([input]).toTypedArray());
  assert.equal(steps(trace).filter(({ name }) => name === 'w: body').length, 1000);
  const whole = steps(trace).filter(({ name, dur }) => name === 'w: cond' && dur > 0).at(-1);
  assert.ok(whole && whole.ts + whole.dur >= Math.max(...steps(trace).filter(({ name }) => name === 'w: body').map(({ ts, dur }) => ts + dur)), 'the rest comes last');
});

test('devices have rows of their own, and a failed run leaves no profile behind', async () => {
  const module = hlo.parse(`HloModule m
    add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    ENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] all-reduce(x), replica_groups={}, to_apply=add }`);
  const executable = await hlo.compile(module, { replicas: 2 });
  const inputs = [[new Float32Array([1, 2])], [new Float32Array([3, 4])]];
  const { trace } = executable.profile(inputs);
  assert.deepEqual(steps(trace).map(({ tid }) => tid).sort(), [0, 1]);
  assert.equal(trace.traceEvents.filter(({ name }) => name === 'thread_name').length, 2);
  assert.throws(() => executable.profile(inputs, { workBudget: 1 }), { code: 'LIMIT' });
  assert.equal(steps(executable.profile(inputs).trace).length, 2);
});

test('a dynamic executable profiles the specialization that it runs', async () => {
  const executable = await hlo.compile(
    hlo.parse('func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { %0 = stablehlo.exponential %a : tensor<?xf32> return %0 : tensor<?xf32> }'),
  );
  const { result, trace } = executable.profile([new Float32Array(3)]);
  assert.deepEqual([...result.toTypedArray()], [1, 1, 1]);
  assert.deepEqual(steps(trace).map(({ args }) => args.shape), ['f32[3]']);
});

test('the reference evaluator has no profile', async () => {
  const executable = await hlo.compile(hlo.parse(loop), { reference: true });
  assert.throws(() => executable.profile([new Float32Array(64)]), { code: 'UNSUPPORTED', message: /no steps to profile/ });
});

const costs = [
  ['a = f32[3,4] parameter(0) b = f32[4,5] parameter(1) ROOT r = f32[3,5] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}',
    2 * 3 * 4 * 5, 4 * (12 + 20 + 15)],
  ['a = f32[1,6,6,2] parameter(0) b = f32[3,3,2,8] parameter(1) ROOT r = f32[1,4,4,8] convolution(a, b), window={size=3x3}, dim_labels=b01f_01io->b01f',
    2 * 16 * 8 * 9 * 2, 4 * (72 + 144 + 128)],
  ['a = f32[6] parameter(0) ROOT r = f32[6] exponential(a)', 6, 48],
  ['a = f32[2,3] parameter(0) ROOT r = f32[3,2] transpose(a), dimensions={1,0}', 0, 48],
];
for (const [body, flops, bytes] of costs)
  test(`the plan counts ${body.split('= ').at(-1)}`, async () => {
    const { plan } = await hlo.compile(hlo.parse(`HloModule m ENTRY e { ${body} }`));
    const figures = plan.routines[0].steps.map((step) => [step.flops, step.bytes]);
    assert.deepEqual(figures, [[flops, bytes]]);
  });

test('webhlo run --profile writes a trace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-'));
  const [module, trace] = [join(folder, 'm.hlo'), join(folder, 'trace.json')];
  writeFileSync(module, loop.replaceAll('8,8', '2,2'));
  const printed = execFileSync(process.execPath, [cli, 'run', module, '--input', 'f32[2,2] {{1, 0}, {0, 1}}', '--profile', trace], { encoding: 'utf8' });
  assert.match(printed, /f32\[2,2\]/);
  const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8'));
  assert.equal(traceEvents.filter(({ cat }) => cat === 'dot').length, 3);
});
