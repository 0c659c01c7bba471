// Reads 450 handwritten digits that the network has not seen, and counts how many it gets right.
//
//   npm run quickstart        (builds what is missing first)
//   node demos/digits/digits.js

import { readFile } from 'node:fs/promises';
import { load } from '../../js/index.js';
import { readNpy } from '../../js/values/npy.js';

const SHADES = ' .:-=+*#%@';
const SHOWN = 5;

/** @param {string} name */
const file = (name) => readFile(new URL(name, import.meta.url));

/** @param {string} name */
const array = async (name) => readNpy(await file(name));

/**
 * Some images side by side, what the network says beneath.
 * @param {ArrayLike<number>} images of 0 to 16 a pixel
 * @param {number} size of a side, in pixels
 * @param {number[]} columns the images to show
 * @param {ArrayLike<number>} truths @param {ArrayLike<number>} guesses @param {ArrayLike<number>} probabilities
 */
function picture(images, size, columns, truths, guesses, probabilities) {
  const lines = [];
  for (let y = 0; y < size; y++)
    lines.push(
      columns
        .map((n) =>
          Array.from({ length: size }, (_, x) => {
            const shade = SHADES[Math.min(9, Math.floor((images[(n * size + y) * size + x] / 16) * 9.99))];
            return shade + shade;
          }).join(''),
        )
        .join('    '),
    );
  lines.push(
    columns
      .map((n) => {
        const mark = guesses[n] === truths[n] ? '' : ` (it is ${truths[n]})`;
        return `reads ${guesses[n]}${mark} ${(probabilities[n] * 100).toFixed(0)} %`.padEnd(2 * size);
      })
      .join('    '),
  );
  return lines.join('\n');
}

const [text, images, labels] = await Promise.all([
  file('digits.hlo'),
  array('held-out-images.npy'),
  array('held-out-labels.npy'),
]);
const [count, size] = images.dimensions;

const started = performance.now();
const hlo = await load();
const executable = await hlo.compile(hlo.parse(text));
const ready = performance.now();

const image = new Float32Array(size * size);
const guesses = new Uint8Array(count);
const probabilities = new Float32Array(count);
let output; // the first result's memory serves every run
const begun = performance.now();
for (let n = 0; n < count; n++) {
  for (let i = 0; i < image.length; i++) image[i] = images.data[n * image.length + i] / 16;
  output = output ? executable.run([image], { outputs: output }) : executable.run([image]);
  const logits = /** @type {Float32Array} */ (output.data);
  let best = 0;
  let sum = 0;
  for (let digit = 1; digit < 10; digit++) if (logits[digit] > logits[best]) best = digit;
  for (let digit = 0; digit < 10; digit++) sum += Math.exp(logits[digit] - logits[best]);
  guesses[n] = best;
  probabilities[n] = 1 / sum;
}
const milliseconds = (performance.now() - begun) / count;

const right = guesses.reduce((sum, guess, n) => sum + Number(guess === labels.data[n]), 0);
const wrong = Array.from(guesses.keys()).find((n) => guesses[n] !== labels.data[n]);
const shown = [0, 1, 2, 3, wrong ?? 4].slice(0, SHOWN);

console.log(
  `A convolutional network in XLA HLO (demos/digits/digits.hlo), run by WebHLO ${hlo.version} in WebAssembly:\n`,
);
console.log(picture(images.data, size, shown, labels.data, guesses, probabilities));
console.log(`\nloaded and compiled in ${(ready - started).toFixed(0)} ms, then ${milliseconds.toFixed(3)} ms an image`);
console.log(`
Try next:
  node js/cli.js layout 'f32[3,5]{1,0:T(2,2)}'         where the elements of a tiled array lie
  node js/cli.js ops                                   every operation
  node js/cli.js run MODULE --input 'f32[2] {1, 2}'    your own HLO: jax.jit(f).lower(x).compiler_ir('hlo').as_hlo_text()
  npm test
`);
console.log(`accuracy: ${((right / count) * 100).toFixed(1)} % (${right} of ${count})`);
if (right / count < 0.97) process.exitCode = 1;
