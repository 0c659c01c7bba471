// npm run bench -- --growth: how the time of a program grows with its size. Each row is a family of programs, of 1,000 to 100,000 parts;
// a family grows in step with its size where time per part stays the same.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { load } from '../../dist/node/index.js';

/** @typedef {{ name: string, program: (parts: number) => string, run?: boolean }} Family */

const lines = (/** @type {number} */ count, /** @type {(i: number) => string} */ line) => Array.from({ length: count }, (_, i) => line(i)).join('\n');
const list = (/** @type {number} */ count, /** @type {(i: number) => string} */ item) => Array.from({ length: count }, (_, i) => item(i)).join(', ');

/** @type {Family[]} */
const families = [
  {
    name: 'results of one program',
    run: true,
    program: (n) => `HloModule m
ENTRY e {
p = f32[4] parameter(0)
${lines(n, (i) => `c${i} = f32[] constant(${i})\nb${i} = f32[4] broadcast(c${i}), dimensions={}\na${i} = f32[4] add(p, b${i})`)}
ROOT r = (${list(n, () => 'f32[4]')}) tuple(${list(n, (i) => `a${i}`)})
}`,
  },
  {
    name: 'parameters',
    run: true,
    program: (n) => `HloModule m
ENTRY e {
${lines(n, (i) => `p${i} = f32[4] parameter(${i})`)}
a0 = f32[4] negate(p0)
${lines(n - 1, (i) => `a${i + 1} = f32[4] add(a${i}, p${i + 1})`)}
ROOT r = f32[4] negate(a${n - 1})
}`,
  },
  {
    name: 'slices of one concatenate',
    program: (n) => `HloModule m
ENTRY e {
${lines(n, (i) => `p${i} = f32[1] parameter(${i})`)}
c = f32[${n}] concatenate(${list(n, (i) => `p${i}`)}), dimensions={0}
${lines(n, (i) => `s${i} = f32[1] slice(c), slice={[${i}:${i + 1}]}`)}
ROOT r = (${list(n, () => 'f32[1]')}) tuple(${list(n, (i) => `s${i}`)})
}`,
  },
  {
    name: 'a chain of element-wise operations',
    program: (n) => `HloModule m
ENTRY e {
a0 = f32[64] parameter(0)
${lines(n, (i) => `a${i + 1} = f32[64] ${['sine', 'cosine', 'tanh'][i % 3]}(a${i})`)}
ROOT r = f32[64] negate(a${n})
}`,
  },
  {
    name: 'a chain of dots',
    program: (n) => `HloModule m
ENTRY e {
w = f32[4,4] parameter(0)
a0 = f32[4,4] parameter(1)
${lines(n, (i) => `a${i + 1} = f32[4,4] dot(a${i}, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}`)}
ROOT r = f32[4,4] negate(a${n})
}`,
  },
  {
    name: 'dots of one operand',
    program: (n) => `HloModule m
ENTRY e {
x = f32[4,4] parameter(0)
${lines(n, (i) => `w${i} = f32[4,4] parameter(${i + 1})\nd${i} = f32[4,4] dot(x, w${i}), lhs_contracting_dims={1}, rhs_contracting_dims={0}`)}
ROOT r = (${list(n, () => 'f32[4,4]')}) tuple(${list(n, (i) => `d${i}`)})
}`,
  },
  {
    name: 'a chain of calls',
    program: (n) => `HloModule m
f0 {
p = f32[4] parameter(0)
ROOT r = f32[4] sine(p)
}
${lines(n, (i) => `f${i + 1} {\np = f32[4] parameter(0)\nROOT r = f32[4] call(p), to_apply=f${i}\n}`)}
ENTRY e {
p = f32[4] parameter(0)
ROOT r = f32[4] call(p), to_apply=f${n}
}`,
  },
  {
    name: 'while loops, one after another',
    program: (n) => `HloModule m
condition {
s = (s32[], f32[4]) parameter(0)
i = s32[] get-tuple-element(s), index=0
t = s32[] constant(3)
ROOT l = pred[] compare(i, t), direction=LT
}
body {
s = (s32[], f32[4]) parameter(0)
i = s32[] get-tuple-element(s), index=0
o = s32[] constant(1)
j = s32[] add(i, o)
x = f32[4] get-tuple-element(s), index=1
y = f32[4] sine(x)
ROOT t = (s32[], f32[4]) tuple(j, y)
}
ENTRY e {
z = s32[] constant(0)
x0 = f32[4] parameter(0)
${lines(n, (i) => `t${i} = (s32[], f32[4]) tuple(z, x${i})\nw${i} = (s32[], f32[4]) while(t${i}), condition=condition, body=body\nx${i + 1} = f32[4] get-tuple-element(w${i}), index=1`)}
ROOT r = f32[4] negate(x${n})
}`,
  },
];

/** Milliseconds of parsing, compiling and one run. @param {import('../../js/index.js').Runtime} hlo @param {Family} family @param {number} parts */
async function measure(hlo, family, parts) {
  const text = family.program(parts);
  const times = [performance.now()];
  const module = hlo.parse(text);
  times.push(performance.now());
  const executable = await hlo.compile(module);
  times.push(performance.now());
  if (family.run) {
    const inputs = executable.inputs.map(({ shape }) => hlo.tensor(new Float32Array(shape.elementCount), shape));
    const result = executable.run(inputs);
    for (const tensor of [result].flat()) tensor.dispose();
    for (const tensor of inputs) tensor.dispose();
  }
  times.push(performance.now());
  executable.dispose();
  module.dispose();
  return times.slice(1).map((time, i) => time - times[i]);
}

const patience = 120_000;

/** Prints the table. @param {number[]} sizes @param {RegExp} only */
async function printGrowth(sizes, only) {
  console.log('| program | parts | parse, ms | compile, ms | first run, ms | µs a part |\n|---|--:|--:|--:|--:|--:|');
  for (const family of families.filter(({ name }) => only.test(name))) {
    for (const parts of sizes) {
      const hlo = await load();
      try {
        const [parse, compile, run] = await measure(hlo, family, parts);
        const all = parse + compile + run;
        console.log(`| ${family.name} | ${parts} | ${parse.toFixed(0)} | ${compile.toFixed(0)} | ${family.run ? run.toFixed(0) : ''} | ${((1000 * all) / parts).toFixed(1)} |`);
        if (all > patience) break;
      } catch (error) {
        console.log(`| ${family.name} | ${parts} | ${String(error).slice(0, 100)} |`);
        break;
      } finally {
        hlo.dispose();
      }
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { growth: { type: 'boolean' }, only: { type: 'string', default: '' }, parts: { type: 'string', default: '1000,10000,30000,100000' } },
  });
  await printGrowth(values.parts.split(',').map(Number), new RegExp(values.only));
}
