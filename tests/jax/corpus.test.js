// Functions exported by JAX, in every form that it writes: each is read, run, and gives what XLA gives. See README.md.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { load } from '../../js/index.js';
import { physicalForm } from '../../js/values/values.js';
import { disagreement } from '../ops/compare.js';

const only = process.env.CASES ? new RegExp(process.env.CASES) : /./;
const folder = new URL('./', import.meta.url);
const hlo = await load();

const leaves = (tree) => (Array.isArray(tree) ? tree.flatMap(leaves) : [tree]);

/** A line of JSON, then the bytes it points into. */
function readCorpus(url) {
  const content = new Uint8Array(gunzipSync(readFileSync(url)));
  const end = content.indexOf(10);
  const { entries } = JSON.parse(new TextDecoder().decode(content.subarray(0, end)));
  const bytes = (offset, length) => content.slice(end + 1 + offset, end + 1 + offset + length);
  return entries.map(({ name, forms, inputs, outputs }) => ({
    name,
    forms: Object.entries(forms).map(([form, place]) => {
      const data = bytes(...place);
      return [form, form === 'text' ? new TextDecoder().decode(data) : data];
    }),
    inputs: inputs.map(([shape, ...place]) => ({ shape, data: bytes(...place) })),
    outputs: outputs.map(([shape, rule, ...place]) => ({ shape, rule, data: bytes(...place) })),
  }));
}

function tensorOf({ shape: text, data }) {
  const shape = hlo.shape(text);
  return hlo.tensor(new (physicalForm(shape).array)(data.buffer), shape);
}

/** Compiles and runs a module, and says what is wrong with its results. */
async function wrongWith(module, inputs, expected, known, options) {
  let results = [];
  let executable;
  try {
    executable = await hlo.compile(module, { ...options, flat: true }); // jax.export files too: results are listed
    results = leaves(executable.run(inputs)).filter((tensor) => tensor !== null);
    if (results.length !== expected.length) return `expected ${expected.length} results, got ${results.length}`;
    const largest = Math.max(0, ...inputs.map((tensor) => tensor.shape.elementCount));
    for (const [i, actual] of results.entries()) {
      const wrong = disagreement(actual, expected[i], known.outputs[i].rule, largest);
      if (wrong) return `result ${i}: ${wrong}`;
    }
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    for (const tensor of results) tensor.dispose();
    executable?.dispose();
  }
}

/**
 * What the passes make of a module is a whole module, and so it is once more after those that fuse; before them, they find nothing
 * more in it, barriers apart, which they remove last.
 */
function wrongAfterPasses(module) {
  let again;
  try {
    const once = module.dumpAfter('remove-dead');
    hlo.parse(module.dumpAfter('fuse-loops')).dispose();
    again = hlo.parse(once);
    if (again.dumpAfter('remove-dead') !== once && !module.toString().includes('opt-barrier')) return 'a second run finds more';
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    again?.dispose();
  }
}

const files = readdirSync(folder).filter((name) => name.endsWith('.corpus.gz'));
test('there are corpora', () => assert.equal(files.length, 9));

for (const file of files) {
  describe(file.split('.')[0], () => {
    for (const known of readCorpus(new URL(file, folder))) {
      if (!only.test(known.name)) continue;
      test(known.name, async () => {
        const inputs = known.inputs.map(tensorOf);
        const expected = known.outputs.map(tensorOf);
        const failures = [];
        assert.ok(known.forms.length >= 3 && expected.length > 0, 'too few forms, or no result');
        for (const [form, source] of known.forms) {
          let module;
          try {
            module = hlo.parse(source);
          } catch (error) {
            failures.push(`${known.name}, ${form}, not read: ${error}`);
            continue;
          }
          for (const path of ['ordinary', 'reference']) {
            const wrong = await wrongWith(module, inputs, expected, known, { reference: path === 'reference' });
            if (wrong) failures.push(`${known.name}, ${form}, ${path} path: ${wrong}`);
          }
          const wrong = module.isDynamic ? undefined : wrongAfterPasses(module);
          if (wrong) failures.push(`${known.name}, ${form}, passes: ${wrong}`);
          module.dispose();
        }
        for (const tensor of [...inputs, ...expected]) tensor.dispose();
        assert.equal(failures.length, 0, `\n${failures.join('\n')}`);
      });
    }
  });
}
