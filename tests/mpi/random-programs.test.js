// Programs of collectives chosen at random, spread over ranks in several ways.
import { test } from 'node:test';
import { ADD, compareWithOneProcess, rough, unavailable } from './native.js';

const PROGRAMS = 6, LENGTH = 14, DEVICES = 8;

/** @param {number} seed */
function chooser(seed) {
  let state = seed * 2654435761 + 12345;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (/** @type {number} */ n) => Math.floor(next() * n);
  const shuffled = (/** @type {number[]} */ list) => {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = below(i + 1);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  };
  return { below, shuffled, of: (/** @type {any[]} */ list) => list[below(list.length)] };
}

/** A program on x: f32[16,8], with replicas or partitions alone, whose every value has that shape. @param {number} seed */
function program(seed) {
  const { below, shuffled, of } = chooser(seed);
  const isPartitions = seed % 2 === 1;
  const everyone = Array.from({ length: DEVICES }, (_, d) => d);
  const groups = (/** @type {number} */ size) => {
    const order = shuffled(everyone);
    return `{${Array.from({ length: DEVICES / size }, (_, g) => `{${order.slice(g * size, (g + 1) * size)}}`)}}`;
  };
  const lines = ['  x = f32[16,8] parameter(0)'];
  const values = ['x'];
  let channel = 1;
  for (let n = 0; n < LENGTH; n++) {
    const operand = of(values), size = of([2, 4, 8]), name = `v${n}`;
    const over = (/** @type {string} */ op) => (isPartitions ? `channel_id=${channel++}, ${op === 'ids' ? 'use_global_device_ids=true, ' : ''}` : '');
    const apply = of(['add', 'smooth']);
    const pairs = () => {
      const targets = shuffled(everyone);
      return `{${shuffled(everyone).slice(0, 1 + below(DEVICES)).map((s, i) => `{${s},${targets[i]}}`)}}`;
    };
    switch (below(8)) {
      case 0: lines.push(`  ${name} = f32[16,8] all-reduce(${operand}), ${over('ids')}replica_groups=${groups(size)}, to_apply=${apply}`); break;
      case 1:
        lines.push(`  ${name}g = f32[${16 * size},8] all-gather(${operand}), dimensions={0}, ${over('ids')}replica_groups=${groups(size)}`,
          `  ${name} = f32[16,8] slice(${name}g), slice={[${below(size) * 16}:${16 * size}:${1}], [0:8]}`.replace(/\[(\d+):\d+:1\]/, (_, at) => `[${at}:${Number(at) + 16}]`));
        break;
      case 2:
        lines.push(`  ${name}s = f32[${16 / size},8] reduce-scatter(${operand}), dimensions={0}, ${over('ids')}replica_groups=${groups(size)}, to_apply=${apply}`,
          `  ${name}r = f32[${size},${16 / size},8] broadcast(${name}s), dimensions={1,2}`, `  ${name} = f32[16,8] reshape(${name}r)`);
        break;
      case 3: lines.push(`  ${name} = f32[16,8] all-to-all(${operand}), dimensions={${of([0, 1])}}, ${over('')}replica_groups=${groups(size)}`); break;
      case 4: lines.push(`  ${name} = f32[16,8] collective-permute(${operand}), ${over('')}source_target_pairs=${pairs()}`); break;
      case 5: lines.push(`  ${name} = f32[16,8] collective-broadcast(${operand}), ${over('')}replica_groups=${groups(size)}`); break;
      case 6:
        lines.push(`  ${name}s = f32[16,8] all-reduce-start(${operand}), ${over('ids')}replica_groups=${groups(size)}, to_apply=${apply}`,
          `  ${name}m = f32[16,8] multiply(${operand}, ${of(values)})`, `  ${name}t = f32[16,8] tanh(${name}m)`,
          `  ${name}d = f32[16,8] all-reduce-done(${name}s)`, `  ${name} = f32[16,8] subtract(${name}t, ${name}d)`);
        break;
      default: lines.push(`  ${name}m = f32[16,8] multiply(${operand}, ${of(values)})`, `  ${name} = f32[16,8] tanh(${name}m)`);
    }
    values.push(name);
  }
  const shapes = values.map(() => 'f32[16,8]');
  lines.push(`  ROOT r = (${shapes.join(', ')}) tuple(${values.join(', ')})`);
  const text = `HloModule m, ${isPartitions ? 'num_partitions' : 'replica_count'}=${DEVICES}
${ADD}
smooth { x = f32[] parameter(0) y = f32[] parameter(1) z = f32[] subtract(x, y) ROOT s = f32[] tanh(z) }
main {
${lines.join('\n')}
}`;
  return { text, results: values.length };
}

for (let seed = 0; seed < PROGRAMS; seed++)
  test(`random program ${seed}`, { skip: unavailable }, (t) => {
    const { text, results } = program(seed);
    compareWithOneProcess(t, { text, devices: DEVICES, inputs: [{ type: 'f32', dimensions: [16, 8], of: rough(100 + seed) }], results });
  });
