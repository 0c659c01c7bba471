// A page for each operation of the op table: what the table says, what is written by hand in web/operations, and what the core answers when
// the page is made. In the page, web/operations-page.js asks it again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attributeDoc, opDoc } from '../../dist/generated/documentation.js';
import { ALIASES } from '../../js/builder/table.js';
import { load } from '../../js/index.js';
import { FIGURES } from '../elements/op-figures.js';
import { madeExample } from '../elements/op-question.js';
import { sharedText } from '../elements/playground-link.js';
import { packText } from '../elements/playground-packing.js';
import { KINDS, commonRules, listed } from '../operations/common-rules.js';
import { ENTRIES, GROUPS } from '../operations/index.js';
import { tellingPart } from '../operations/notation.js';
import { runExample } from '../operations/runner.js';
import { escaped, hrefOf, madePage } from './frame.js';
import { OPERATIONS, PLAYGROUND } from './navigation.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {Runtime['ops'][number]} OpRow */
/** @typedef {import('../operations/notation.js').Example} Example */
/** @typedef {import('../operations/notation.js').Rule} Rule */
/** @typedef {import('../operations/notation.js').Entry} Entry */

const STYLES = ['web/styles/page.css', 'web/styles/operations.css'];
const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} name */
const operationPath = (name) => `web/operations/${name}.html`;

/** @param {string} name */
const anchorOfGroup = (name) => name.toLowerCase().replace(/[^a-z]+/g, '-');

/** @param {string} name in HLO text @returns {string} as a method */
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** The names that StableHLO and CHLO have for operations, the one that programs are written with first. */
const FORMS = [...readFileSync(join(root, 'src/stablehlo/forms/operation_table.def'), 'utf8').matchAll(/^[A-Z_]+\("((?:stablehlo|chlo)\.\w+)", (\w+)/gm)].map(([, form, opcode]) => ({ form, opcode }));

/** What an operation is called elsewhere, for the page and for the search. @param {string} name */
function namesOf(name) {
  const aliases = Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name);
  const opcode = name.toUpperCase().replaceAll('-', '_');
  return { methods: [camel(name), ...aliases], stablehlo: FORMS.filter((row) => row.opcode === opcode).map(({ form }) => form) };
}

/** StableHLO's text of a program; nothing where it has no form for it. @param {Runtime} hlo @param {string} program */
function stableHloOf(hlo, program) {
  const module = hlo.parse(program);
  try {
    return module.toStableHlo();
  } catch {
    return '';
  } finally {
    module.dispose();
  }
}

/** Where a program opens in the playground. @param {string} path @param {string} program @param {readonly string[]} [inputs] */
async function playgroundLink(path, program, inputs = []) {
  const parameters = new URLSearchParams({ 'playground.code': await packText(program) });
  if (inputs.length) parameters.set('playground.inputs', inputs.join('; '));
  return `${hrefOf(path, PLAYGROUND.path)}#${escaped(String(parameters))}`;
}

/** What a plan makes of an example, in a line. @param {import('../../js/objects/types.js').Plan | undefined} plan */
function planLine(plan) {
  const steps = plan?.routines.flatMap((routine) => routine.steps) ?? [];
  if (steps.length === 0) return 'The plan has no step: nothing has to be done.';
  const kernels = [...new Set(steps.map((step) => step.kernel ?? step.op))];
  const sum = (/** @type {'flops' | 'bytes'} */ key) => steps.reduce((total, step) => total + (step[key] ?? 0), 0);
  const shown = kernels.length > 4 ? [...kernels.slice(0, 4), `${kernels.length - 4} more`] : kernels;
  const [operations, bytes] = [sum('flops'), sum('bytes')];
  return `${steps.length === 1 ? 'One step' : `${steps.length} steps`}: ${listed(shown.map((kernel) => (/ more$/.test(kernel) ? kernel : `<code>${escaped(kernel)}</code>`)), 'and')}${operations ? `; ${operations.toLocaleString('en')} ${operations === 1 ? 'operation' : 'operations'}` : ''}${bytes ? `; ${bytes.toLocaleString('en')} bytes read and written` : ''}.`;
}

/** Letters of a line beside the values. */
const WIDTH = 54;

/** The last comma that a line may end with, outside of braces. @param {string} line */
function breakOf(line) {
  let depth = 0;
  let found = -1;
  for (let i = 0; i < WIDTH; i++) {
    depth += line[i] === '{' ? 1 : line[i] === '}' ? -1 : 0;
    if (depth === 0 && line.startsWith(', ', i)) found = i;
  }
  return found;
}

/** A program whose long lines go on in the next one. @param {string} program */
const wrapped = (program) => program.split('\n').flatMap((line) => {
  const lines = [line];
  for (let last = line; last.length > WIDTH; last = lines[lines.length - 1]) {
    const at = breakOf(last);
    if (at < 20) break;
    lines.splice(-1, 1, last.slice(0, at + 1), `      ${last.slice(at + 2)}`);
  }
  return lines;
}).join('\n');

/** @param {string} path @param {Example} example @param {number} number of all that run on the page @param {string} plan */
async function exampleHtml(path, { title, program, inputs, gives, says, devices, feed }, number, plan) {
  const parameters = [...program.slice(program.indexOf('ENTRY')).matchAll(/^\s+(\S+) = .* parameter\(\d+\)$/gm)].map(([, name]) => name);
  const each = inputs.length / devices;
  const given = inputs.map((literal, i) => `<dt>${escaped(parameters[i % each] ?? '')}${devices > 1 ? ` of ${Math.floor(i / each)}` : ''}</dt><dd>${escaped(literal)}</dd>`);
  const fed = feed.map((literal) => `<dt>infeed</dt><dd>${escaped(literal)}</dd>`);
  return `<section class="example" data-run="${number}">
<h3>${escaped(title[0].toUpperCase() + title.slice(1))}</h3>
<div class="sides">
<pre tabindex="0">${escaped(wrapped(program.replace(/^HloModule example\n\n/, '').trim()))}</pre>
<div><dl class="values">${[...given, ...fed].join('')}<dt>gives</dt><dd><output>${escaped(gives.join('\n')) || '()'}</output></dd></dl>
${says ? `<p>${escaped(says)}</p>\n` : ''}<p class="hint">${plan}</p>
<p class="hint"><span class="ran"></span> <a href="${await playgroundLink(path, program, inputs.slice(0, each).map((_, i) => sharedText(Array.from({ length: devices }, (__, device) => inputs[device * each + i]))))}">Open in the playground</a></p></div>
</div>
</section>`;
}

/** @param {string} path @param {Rule} rule @param {number} number */
async function ruleHtml(path, { says, program, message }, number) {
  return `<li class="rule" data-run="${number}">
<p>${escaped(says)}</p>
<pre tabindex="0">${escaped(wrapped(tellingPart(program)))}</pre>
<p class="refusal"><output>${escaped(message)}</output></p>
<p class="hint"><span class="ran"></span> <a href="${await playgroundLink(path, program)}">Open in the playground</a></p>
</li>`;
}

/** What is written behind an attribute's name. @type {Record<string, string>} */
const WRITTEN = { INT: 'a whole number', INTS: 'whole numbers, {0,1}', BOOL: 'true or false', FLOAT: 'a number', STRING: 'a text in quotes', COMPUTATION: 'the name of a computation', COMPUTATIONS: 'names of computations', SHAPE: 'a shape' };

/** @param {OpRow['attributes'][number]} attribute */
function attributeHtml(attribute) {
  const doc = attributeDoc(attribute);
  const values = (attribute.values ?? []).filter((value) => !doc.includes(value));
  const written = values.length ? `: ${listed(values.map((value) => `<code>${value}</code>`), 'or')}` : WRITTEN[attribute.kind] ? `: ${WRITTEN[attribute.kind]}` : '';
  return `<dt><code>${attribute.name}</code></dt><dd>${escaped(doc)}<span class="soft">${written}.${attribute.required ? '' : ' Optional.'}</span></dd>`;
}

/** @param {OpRow} row @param {Entry} entry @param {string} gives */
function signatureHtml(row, entry, gives) {
  const operand = (/** @type {string} */ name) => (name.endsWith('*') ? `${name.slice(0, -1)} …` : name);
  const kinds = row.types === '' ? '' : ` Elements of ${row.flags.includes('elementwise') && row.arity > 1 ? 'each' : row.arity === 1 ? 'it' : 'the first'} may be ${listed([...row.types].map((letter) => KINDS[letter]), 'or')}.`;
  return `<dl class="signature">
<dt>Takes</dt><dd>${row.operands.length ? `${listed(row.operands.map((name) => `<code>${operand(name)}</code>`), 'and')}.${kinds}` : 'No operands.'}</dd>
${row.attributes.map(attributeHtml).join('\n')}
<dt>Gives</dt><dd>${escaped(gives)}</dd>
</dl>`;
}

/** @param {OpRow} row @param {Entry} entry @param {string | undefined} ofGroup */
function costHtml(row, entry, ofGroup) {
  const flags = new Set(row.flags);
  const general = flags.has('costly')
    ? 'It takes longer to compute a vector of elements than to load and store it. In a fused loop its neighbours’ trips through memory are saved, not its own work.'
    : flags.has('elementwise')
      ? 'Memory bounds it: by itself it costs what reading the operands and writing the result cost, and next to nothing where it fuses with a neighbour.'
      : flags.has('moves')
        ? 'It computes nothing; at most, it costs the bytes that it moves.'
        : '';
  return [general, entry.cost, ofGroup].filter(Boolean).map((text) => `<p>${escaped(/** @type {string} */ (text))}</p>`).join('\n');
}

/** @param {string} path of the page that it stands on @param {string} [current] */
function listHtml(path, current) {
  const groups = GROUPS.map(({ title, operations }) => {
    const items = Object.keys(operations).map((name) => `<li><a href="${hrefOf(path, operationPath(name))}"${name === current ? ' aria-current="page"' : ''}>${name}</a></li>`);
    return `<details${current !== undefined && current in operations ? ' open' : ''}><summary>${title}</summary><ul>${items.join('')}</ul></details>`;
  });
  return `<nav class="beside" aria-label="Operations"><strong><a href="${hrefOf(path, OPERATIONS.path)}">All operations</a></strong>${groups.join('')}</nav>`;
}

/** @param {Runtime} hlo @param {OpRow} row @returns {Promise<{ html: string, names: string }>} */
async function operationPage(hlo, row) {
  const { name } = row;
  const known = ENTRIES.get(name);
  if (!known) throw new Error(`web/operations says nothing of ${name}`);
  const { entry, group } = known;
  const path = operationPath(name);
  const stablehlo = stableHloOf(hlo, entry.examples[0].program);
  const names = namesOf(name);
  const rules = [...(entry.rules ?? []), ...(await commonRules(hlo, row, entry.examples[0].program))];
  const runs = [...entry.examples, ...rules];
  const examples = [];
  for (const [i, example] of entry.examples.entries()) examples.push(await exampleHtml(path, example, i, planLine((await runExample(hlo, example)).plan)));
  const broken = [];
  for (const [i, rule] of rules.entries()) broken.push(await ruleHtml(path, rule, entry.examples.length + i));
  const figured = name in FIGURES || madeExample(hlo, row) !== undefined;
  const also = [names.stablehlo.length ? `In StableHLO ${listed(names.stablehlo.map((each) => `<code>${each}</code>`), 'and')}.` : '', `In the builder ${listed(names.methods.map((each) => `<code>${each}</code>`), 'and')}.`].filter(Boolean).join(' ');
  const main = `<article class="operation">
<p class="group"><a href="${hrefOf(path, OPERATIONS.path)}#${anchorOfGroup(group.title)}">${group.title}</a></p>
<h1>${name}</h1>
<p class="lead">${escaped(opDoc(row))}</p>
${entry.more ? `<p>${escaped(entry.more)}</p>` : ''}
<p class="hint">${also}</p>
${signatureHtml(row, entry, entry.gives ?? group.gives ?? '')}
${figured ? `<h2>Element by element</h2>
<hlo-op id="op" name="${name}" playground="${hrefOf(path, PLAYGROUND.path)}">A picture of the operands and the result, in which each element shows where it comes from. It needs JavaScript; the examples below do not.</hlo-op>` : ''}
<h2>Examples</h2>
${examples.join('\n')}
${(entry.old ?? []).length ? `<h2>Where the older document is wrong</h2>
<p>XLA’s “Operation Semantics” has been copied and translated for years. Where a copy of it says otherwise, this holds:</p>
${(entry.old ?? []).map((text) => `<div class="erratum"><p>${escaped(text)}</p></div>`).join('\n')}` : ''}
<h2>Rules</h2>
<p>Each rule with a program that breaks it, and what WebHLO says to that.</p>
<ul class="rules">
${broken.join('\n')}
</ul>
<h2>Cost</h2>
${costHtml(row, entry, group.cost) || '<p>It orders and names values, and costs nothing by itself.</p>'}
${stablehlo ? `<h2>In StableHLO</h2>
<p>The first example, in StableHLO’s generic form.</p>
<pre tabindex="0">${escaped(stablehlo.trim())}</pre>` : '<h2>In StableHLO</h2>\n<p>StableHLO has no form for the first example.</p>'}
<script type="application/json" id="runs">${JSON.stringify(runs.map((run) => ('gives' in run ? { program: run.program, inputs: run.inputs, devices: run.devices, feed: run.feed, fetch: run.fetch } : { program: run.program, refused: true }))).replaceAll('<', '\\u003c')}</script>
</article>
${listHtml(path, name)}`;
  const html = madePage({ path, title: name, about: opDoc(row), main, scripts: ['web/operations-page.js', ...(figured ? ['web/page.js'] : [])], styles: STYLES, kind: 'sided' });
  return { html, names: [name, ...names.methods, ...names.stablehlo.flatMap((each) => [each, each.replace(/^.*\./, '')]), ...(entry.names ?? '').split(' ')].filter(Boolean).join(' ') };
}

/** @param {readonly OpRow[]} ops */
function indexPage(ops) {
  const { path, title, about } = OPERATIONS;
  const rows = new Map(ops.map((row) => [row.name, row]));
  const groups = GROUPS.map((group) => `<h2 id="${anchorOfGroup(group.title)}">${group.title}</h2>
<p>${escaped(group.says)}</p>
<dl class="operations">${Object.keys(group.operations).map((name) => `<div><dt><a href="${hrefOf(path, operationPath(name))}">${name}</a></dt><dd>${escaped(opDoc(/** @type {OpRow} */ (rows.get(name))))}</dd></div>`).join('\n')}</dl>`);
  const main = `<article>
<h1>Operations</h1>
<p class="lead">${escaped(about)}</p>
<p>There are ${ops.length} of them. Those that only CHLO or StableHLO has (digamma, erf-inv, uniform-quantize and a few more) are written in HLO text as the others are, but XLA’s own parser does not know them; of XLA’s opcodes, scaled-dot is missing. The search at the top of the page knows their names in HLO, in StableHLO, in the builder and in XLA’s older document.</p>
${groups.join('\n')}
<h2 id="older">By the headings of the older document</h2>
<p>XLA’s “Operation Semantics”, as it was first written and is still copied, in its order: what each heading has become.</p>
<dl class="older">${OLDER.map(([heading, ...names]) => `<dt>${heading}</dt><dd>${names.map((name) => `<a href="${hrefOf(path, operationPath(name))}">${name}</a>`).join(', ')}</dd>`).join('\n')}</dl>
</article>
${listHtml(path)}`;
  return madePage({ path, title, about, main, styles: STYLES, kind: 'sided' });
}

/** The headings of XLA's older “Operation Semantics”, in its order, and the operations that they became. @type {readonly (readonly [string, ...string[]])[]} */
const OLDER = [
  ['Broadcast', 'broadcast'], ['Call', 'call'], ['Clamp', 'clamp'], ['Collapse', 'reshape'], ['Concatenate', 'concatenate'], ['ConvertElementType', 'convert'],
  ['Conv', 'convolution'], ['ConvWithGeneralPadding', 'convolution'], ['CrossReplicaSum', 'all-reduce'], ['CustomCall', 'custom-call'], ['Dot', 'dot'],
  ['Element-wise binary arithmetic operations', 'add', 'subtract', 'multiply', 'divide', 'remainder', 'maximum', 'minimum', 'and', 'or'],
  ['Element-wise comparison operations', 'compare'],
  ['Element-wise unary functions', 'abs', 'ceil', 'cosine', 'exponential', 'floor', 'is-finite', 'log', 'not', 'negate', 'sign', 'tanh'],
  ['BatchNormTraining', 'batch-norm-training'], ['BatchNormInference', 'batch-norm-inference'], ['BatchNormGrad', 'batch-norm-grad'],
  ['GetTupleElement', 'get-tuple-element'], ['Infeed', 'infeed'], ['Map', 'map'], ['Pad', 'pad'], ['Reduce', 'reduce'], ['ReducePrecision', 'reduce-precision'],
  ['ReduceWindow', 'reduce-window'], ['Reshape', 'reshape'], ['Rev', 'reverse'], ['RngBernoulli', 'rng', 'compare'], ['RngNormal', 'rng'], ['RngUniform', 'rng'],
  ['SelectAndScatter', 'select-and-scatter'], ['Select', 'select'], ['Slice', 'slice'], ['DynamicSlice', 'dynamic-slice'], ['DynamicUpdateSlice', 'dynamic-update-slice'],
  ['Sort', 'sort'], ['Transpose', 'transpose'], ['Tuple', 'tuple'], ['While', 'while'],
];

/** Every operation’s page, and their index. @returns {Promise<{ pages: Map<string, string>, list: import('./navigation.js').Page[], names: Map<string, string> }>} names: by path, for the search */
export async function operationPages() {
  const hlo = await load({ wasm: readFileSync(join(root, 'dist/webhlo.wasm')) });
  const rows = new Map(hlo.ops.map((row) => [row.name, row]));
  /** @type {Map<string, string>} */
  const pages = new Map([[OPERATIONS.path, indexPage(hlo.ops)]]);
  /** @type {Map<string, string>} */
  const names = new Map();
  const list = [];
  for (const name of ENTRIES.keys()) {
    const row = rows.get(name);
    if (!row) throw new Error(`web/operations has a page for ${name}, and there is no such operation`);
    const made = await operationPage(hlo, row);
    pages.set(operationPath(name), made.html);
    names.set(operationPath(name), made.names);
    list.push({ path: operationPath(name), title: name, about: opDoc(row) });
  }
  hlo.dispose();
  return { pages, list, names };
}
