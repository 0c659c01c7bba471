// What ends a run: each fault with an error that names the rank, and none with a hang.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ADD, command, environment, folderFor, native, rough, startNative, unavailable, writeInputs } from './native.js';

const skip = unavailable;

/** A sum over replicas in a loop of so many rounds. @param {number} replicas @param {number} rounds */
const rounds = (replicas, rounds) => `HloModule m, replica_count=${replicas}
${ADD}
body {
  s = (s32[], f32[50]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[50] get-tuple-element(s), index=1
  one = s32[] constant(1)
  sum = f32[50] all-reduce(x), to_apply=add
  y = f32[50] tanh(sum)
  j = s32[] add(i, one)
  ROOT r = (s32[], f32[50]) tuple(j, y)
}
goes { s = (s32[], f32[50]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(${rounds}) ROOT c = pred[] compare(i, n), direction=LT }
main {
  x = f32[50] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[50]) tuple(zero, x)
  w = (s32[], f32[50]) while(start), condition=goes, body=body
  ROOT r = f32[50] get-tuple-element(w), index=1
}`;

const INPUT = { type: 'f32', dimensions: [50], of: rough(1) };

/** The process of a rank of the runs in a folder. @param {string} folder @param {number} rank */
function processOf(folder, rank) {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      const here = environment.includes(`OMPI_COMM_WORLD_RANK=${rank}`) && words[0] === command && words.includes(join(folder, 'p.hlo'));
      if (here) return Number(name);
    } catch {
      // it has ended, or is another user's
    }
  }
  return undefined;
}

/** @param {string} folder @param {number} rank */
async function waitForProcess(folder, rank) {
  for (let tries = 0; tries < 600; tries++) {
    const found = processOf(folder, rank);
    if (found) return found;
    await setTimeout(100);
  }
  throw new Error(`rank ${rank} has not been started`);
}

test('a rank that is killed ends all others, which say what they waited for', { skip }, async (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p.hlo'), rounds(3, 2_000_000_000));
  const run = startNative(folder, ['run', join(folder, 'p.hlo'), ...writeInputs(folder, [INPUT], 3)], 3);
  const victim = await waitForProcess(folder, 1);
  await setTimeout(3000);
  process.kill(victim, 'SIGKILL');
  assert.notEqual(await run.ended, 0);
  assert.match(run.output(), /process rank 1 .*exited on signal 9/s);
  assert.match(run.output(), /webhlo-native: rank [02] was ended: replica [02] waits at (all-reduce )?\S*sum\S* for .*replica 1/);
});

test('a rank that hangs is given up after --timeout, by name', { skip }, async (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p.hlo'), rounds(3, 2_000_000_000));
  const run = startNative(folder, ['run', join(folder, 'p.hlo'), ...writeInputs(folder, [INPUT], 3), '--timeout', '4'], 3);
  const victim = await waitForProcess(folder, 2);
  await setTimeout(3000);
  process.kill(victim, 'SIGSTOP');
  t.after(() => spawnSync('kill', ['-9', String(victim)]));
  const end = await Promise.race([run.ended, setTimeout(60_000, 'late')]);
  if (end === 'late') run.child.kill('SIGKILL');
  assert.notEqual(end, 'late', run.output());
  assert.match(run.output(), /rank 2 has not been heard of for 4 seconds/);
  assert.match(run.output(), /rank 0: replica 0 waits at (all-reduce )?\S*sum\S* for /);
});

test('devices that wait for one another for ever are a deadlock, which says who waits where', { skip }, (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p.hlo'), `HloModule m, replica_count=2
main {
  x = f32[2] constant({1, 2})
  token = token[] after-all()
  v = (f32[2], u32[], token[]) recv(token), channel_id=1, source_target_pairs={{0,1},{1,0}}
  vd = (f32[2], token[]) recv-done(v), channel_id=1
  a = f32[2] get-tuple-element(vd), index=0
  at = token[] get-tuple-element(vd), index=1
  s = (f32[2], u32[], token[]) send(x, at), channel_id=1, source_target_pairs={{0,1},{1,0}}
  d = token[] send-done(s), channel_id=1
  ROOT r = f32[2] add(a, x)
}`);
  const { status, stderr } = native(folder, ['run', 'p.hlo', '--timeout', '3'], { ranks: 2 });
  assert.notEqual(status, 0);
  assert.match(stderr, /deadlock: no rank has gone on for 3 seconds\s+rank 0: replica 0 waits at (recv-done )?vd for a send from replica 1\s+rank 1: replica 1 waits at/);
});

test('ranks whose devices stand at different collectives are told apart', { skip }, (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p.hlo'), `HloModule m, replica_count=2
${ADD}
first { x = f32[3] parameter(0) ROOT y = f32[3] all-reduce(x), to_apply=add }
second { x = f32[3] parameter(0) n = f32[3] negate(x) ROOT z = f32[3] all-reduce(n), to_apply=add }
main {
  x = f32[3] constant({1, 2, 3})
  me = u32[] replica-id()
  zero = u32[] constant(0)
  c = pred[] compare(me, zero), direction=EQ
  ROOT r = f32[3] conditional(c, x, x), true_computation=first, false_computation=second
}`);
  const { status, stderr } = native(folder, ['run', 'p.hlo', '--timeout', '5'], { ranks: 2 });
  assert.notEqual(status, 0);
  assert.match(stderr, /rank [01] waits at [yz]\S*, but rank [01], which it waits for, stands at [yz]/);
});

test('another program on one rank is found before anything runs', { skip }, (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p-0.hlo'), rounds(3, 2));
  writeFileSync(join(folder, 'p-1.hlo'), rounds(3, 2));
  writeFileSync(join(folder, 'p-2.hlo'), rounds(3, 3));
  writeFileSync(join(folder, 'start.sh'), `exec ${command} run "p-$OMPI_COMM_WORLD_RANK.hlo" --input in-0-%r.npy\n`);
  writeInputs(folder, [INPUT], 3);
  const { status, stderr } = spawnSync('mpirun', ['-n', '3', 'sh', 'start.sh'], {
    cwd: folder, encoding: 'utf8', timeout: 60_000,
    env: environment(folder),
  });
  assert.notEqual(status, 0);
  assert.match(stderr, /webhlo-native: rank 2: p-2\.hlo, or what was said about how to run it, is not the program of rank 0/);
});

test('an input that does not fit names the rank, the file and the parameter', { skip }, (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p.hlo'), rounds(2, 2));
  const given = writeInputs(folder, [INPUT], 1);
  writeInputs(folder, [{ ...INPUT, dimensions: [49] }], 1);
  const small = readFileSync(join(folder, 'in-0-0.npy'));
  writeInputs(folder, [INPUT], 2);
  writeFileSync(join(folder, 'in-0-1.npy'), small);
  const wrong = native(folder, ['run', 'p.hlo', ...given], { ranks: 2 });
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.stderr, /webhlo-native: rank 1: in-0-1\.npy: it holds <f4 of shape \(49,\), but f32\[50\]\S* is expected \(parameter 0\)/);
  rmSync(join(folder, 'in-0-0.npy'));
  const missing = native(folder, ['run', 'p.hlo', ...given], { ranks: 2 });
  assert.match(missing.stderr, /webhlo-native: rank 0: in-0-0\.npy: No such file or directory/);
});

test('too few ranks, and files that devices would share, are refused once', { skip }, (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p.hlo'), rounds(8, 2));
  const given = writeInputs(folder, [INPUT], 8);
  const few = native(folder, ['run', 'p.hlo', ...given], { ranks: 2 });
  assert.notEqual(few.status, 0);
  assert.match(few.stderr, /webhlo-native: the program needs 8 devices \(8 replicas of 1 partition\), but 2 ranks of 1 device each have 2/);
  assert.equal(few.stderr.match(/the program needs/g)?.length, 1);
  const shared = native(folder, ['run', 'p.hlo', ...given, '--output', 'out.npy']);
  assert.match(shared.stderr, /--output out\.npy: there are 8 devices, so that the name needs %r/);
  const none = native(folder, ['run', 'p.hlo']);
  assert.match(none.stderr, /p\.hlo takes 1 array, but --input was given 0 times/);
});
