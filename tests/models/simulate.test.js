// The worlds of demos/simulate: a few steps of each program are those of plain loops, and the pen changes what is under it.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { SIZE, Simulation, WORLDS } from '../../demos/simulate/simulations.js';
import { load } from '../../js/index.js';

const hlo = await load();
const STEPS = 5;
const make = async (/** @type {string} */ name) => Simulation.make(hlo, name, await readFile(new URL(`../../demos/simulate/${name}.hlo`, import.meta.url), 'utf8'));

let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const around = (/** @type {number} */ i) => (i + SIZE) % SIZE;

/** @param {(y: number, x: number) => number} value */
const everywhere = (value) => Float64Array.from({ length: SIZE * SIZE }, (_, i) => value(Math.floor(i / SIZE), i % SIZE));

/** One step, in double precision, point by point. @type {Record<string, (fields: Float64Array[], settings: number[]) => Float64Array[]>} */
const loops = {
  life: ([cells]) => [
    everywhere((y, x) => {
      let neighbours = 0;
      for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) if (dy || dx) neighbours += cells[around(y + dy) * SIZE + around(x + dx)];
      return neighbours === 3 || (neighbours === 2 && cells[y * SIZE + x] === 1) ? 1 : 0;
    }),
  ],
  wave([height, before]) {
    const at = (/** @type {number} */ y, /** @type {number} */ x) => (y < 0 || x < 0 || y >= SIZE || x >= SIZE ? 0 : height[y * SIZE + x]);
    const next = everywhere((y, x) => {
      const pull = at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1) - 4 * at(y, x);
      return at(y, x) + (at(y, x) - before[y * SIZE + x]) * 0.999 + pull * 0.25;
    });
    return [next, height];
  },
  reaction([u, v], [feed, decay]) {
    /** @param {Float64Array} field @param {number} y @param {number} x */
    const flow = (field, y, x) => {
      let sum = -field[y * SIZE + x];
      for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) if (dy || dx) sum += field[around(y + dy) * SIZE + around(x + dx)] * (dy && dx ? 0.05 : 0.2);
      return sum;
    };
    const eaten = everywhere((y, x) => u[y * SIZE + x] * v[y * SIZE + x] ** 2);
    return [
      everywhere((y, x) => u[y * SIZE + x] + flow(u, y, x) - eaten[y * SIZE + x] + feed * (1 - u[y * SIZE + x])),
      everywhere((y, x) => v[y * SIZE + x] + 0.5 * flow(v, y, x) + eaten[y * SIZE + x] - (feed + decay) * v[y * SIZE + x]),
    ];
  },
};

for (const name of Object.keys(WORLDS))
  test(`${name}: ${STEPS} steps are those of plain loops`, async () => {
    const simulation = await make(name);
    for (const field of simulation.fields) for (let i = 0; i < field.length; i++) field[i] = name === 'life' ? Math.round(random()) : 0.5 * random(); // more than half would grow without limit in the reaction
    let expected = simulation.fields.map((field) => Float64Array.from(field));
    for (let n = 0; n < STEPS; n++) {
      simulation.step();
      expected = loops[name](expected, simulation.settings);
    }
    assert.equal(simulation.count, STEPS);
    const tolerance = name === 'life' ? 0 : 1e-5;
    simulation.fields.forEach((field, f) => field.forEach((value, i) => assert.ok(Math.abs(value - expected[f][i]) <= tolerance, `field ${f}, point ${i}: ${value}, not ${expected[f][i]}`)));
    assert.ok(simulation.program.inputs.slice(0, simulation.world.fields).every((/** @type {{ donated: boolean }} */ { donated }) => donated));
    simulation.dispose();
  });

test('the pen changes what is under it, in each world, and a setting is heard', async () => {
  for (const name of Object.keys(WORLDS)) {
    const simulation = await make(name);
    simulation.begin(true);
    const before = simulation.fields.map((field) => field.slice());
    simulation.paint(100, 50);
    const changed = [...simulation.fields[simulation.world.seen].keys()].filter((i) => simulation.fields[simulation.world.seen][i] !== before[simulation.world.seen][i]);
    assert.ok(changed.includes(50 * SIZE + 100) && changed.length < 150, `${name}: ${changed.length} points`);
    for (const i of changed) assert.ok(Math.hypot((i % SIZE) - 100, Math.floor(i / SIZE) - 50) <= simulation.world.pen);
    simulation.dispose();
  }
  const [slow, fast] = [await make('reaction'), await make('reaction')];
  fast.settings[0] = 0.08;
  for (const one of [slow, fast]) {
    one.begin(true);
    one.fields[0].fill(0.5);
    one.step();
  }
  assert.ok(Math.abs(slow.fields[0][0] - 0.5185) < 1e-6 && Math.abs(fast.fields[0][0] - 0.54) < 1e-6);
});
