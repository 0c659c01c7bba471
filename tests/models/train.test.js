// The network of demos/train learns as in JAX: points, losses and pictures are those of known.json, which export.py wrote.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { POINTS, SIDE, Trainer } from '../../demos/train/trainer.js';
import { load } from '../../js/index.js';

const hlo = await load();
const file = (/** @type {string} */ name) => readFile(new URL(`../../demos/train/${name}`, import.meta.url));
const known = JSON.parse(String(await file('known.json')));
const trainer = await Trainer.make(hlo, (name) => file(`${name}.mlirbc`));

for (const [name, { points, losses, last, pixels }] of Object.entries(known.sets))
  test(`${name}: losses are those of JAX`, () => {
    trainer.begin(known.seed);
    trainer.take(/** @type {any} */ (name), known.seed);
    points.flat().forEach((/** @type {number} */ value, /** @type {number} */ i) => assert.ok(Math.abs(trainer.points.xy[i] - value) < 2e-5, `point ${i}: ${trainer.points.xy[i]}, not ${value}`));
    losses.forEach((/** @type {number} */ loss, /** @type {number} */ i) => {
      const here = trainer.step(known.rate);
      assert.ok(Math.abs(here - loss) < 1e-4 * Math.max(loss, 0.1), `step ${i}: ${here}, not ${loss}`);
    });
    let here = 0;
    while (trainer.count < 400) here = trainer.step(known.rate);
    // Rounding that differs grows over hundreds of steps, and what is learnt is the same.
    assert.ok(here < last * 3 && here > last / 3, `after 400 steps: ${here}, not about ${last}`);
    const picture = trainer.picture();
    assert.equal(picture.length, SIDE * SIDE);
    assert.ok(trainer.share(picture) > 0.98, `${trainer.share(picture)} on their side`);
    [[5, 5], [48, 48], [20, 70], [90, 30]].forEach(([y, x], i) => {
      if (Math.abs(pixels[i] - 0.5) > 0.45) assert.ok(Math.abs(picture[y * SIDE + x] - pixels[i]) < 0.1, `pixel ${y}, ${x}: ${picture[y * SIDE + x]}, not ${pixels[i]}`);
    });
  });

test('a step takes over the memory of what it is given', () => {
  const { inputs } = trainer.stepProgram;
  assert.deepEqual(inputs.map(({ donated }) => donated), inputs.map((_, i) => i < 19));
  trainer.begin(1);
  trainer.take('spirals', 1);
  trainer.step(0.01);
  const before = hlo.memory();
  for (let i = 0; i < 200; i++) trainer.step(0.01);
  const { bytes, bufferBytes } = hlo.memory();
  assert.deepEqual([bytes, bufferBytes], [before.bytes, before.bufferBytes]);
});

test('points are painted: beside a set, or alone, and the oldest give way', () => {
  trainer.take('none', 1);
  assert.equal(trainer.share(new Float32Array(SIDE * SIDE)), 0);
  trainer.begin(2);
  assert.equal(trainer.step(0.01), 0, 'without points there is no loss');
  trainer.add(-0.5, 0.5, 0);
  trainer.add(0.5, -0.5, 1);
  for (let i = 0; i < 100; i++) trainer.step(0.03);
  const picture = trainer.picture();
  assert.equal(trainer.share(picture), 1);
  trainer.take('circles', 1);
  const own = trainer.points.present.reduce((sum, one) => sum + one, 0);
  for (let i = own; i <= POINTS; i++) trainer.add(0, 0, 1);
  assert.equal(trainer.points.present.reduce((sum, one) => sum + one, 0), POINTS);
  assert.deepEqual([trainer.points.xy[2 * own], trainer.points.labels[own]], [0, 1]);
  assert.notEqual(trainer.points.xy[2 * own - 2], 0, 'the points of the set stay');
});
