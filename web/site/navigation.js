// Every page of the site, in the order in which one reads: the one list from which the head of each page, its previous and next, the
// indexes of the parts, the home page and the search are made (frame.js, plugin.js).
//
// How a page joins: put its .html file under web/ or demos/, with a <main id="content"> and an <h1>, and add one line to `pages` of a part
// here: its path in the repository, its title, and what it is about. It needs no <header>, no <footer> and no links to its neighbours of
// its own: plugin.js puts them in, when the page is served and when the site is built. A page that is not in this list gets the head, too,
// but stands in no part; tests/web/site.test.js refuses it. A file of docs/ joins by its name in `DOCUMENTS`. Operations come from the
// op table (operations.js).

/**
 * @typedef {object} Page
 * @property {string} path in the repository, and from the top of the site
 * @property {string} title
 * @property {string} about one sentence, for indexes and the search
 */
/**
 * @typedef {object} Part
 * @property {string} title
 * @property {string} path of its index, which is made from this list unless there is such a file
 * @property {string} about
 * @property {Page[]} pages
 * @property {boolean} [aside] its pages are many: they stand beside the text, not in the head
 */

/** @param {string} path @param {string} title @param {string} about @returns {Page} */
const page = (path, title, about) => ({ path, title, about });

export const HOME = page('web/index.html', 'WebHLO', 'XLA programs, running where there is no XLA.');
export const SEARCH = page('web/search.html', 'Search', 'Finds chapters, operations and documentation by any of their words.');

/** The files of docs/, in reading order, and those at the top that belong to them. */
export const DOCUMENTS = [
  'README.md',
  'docs/from-jax.md',
  'docs/trees.md',
  'docs/from-pytorch-and-keras.md',
  'docs/weights.md',
  'docs/building.md',
  'docs/in-a-page.md',
  'docs/hosts.md',
  'docs/command-line.md',
  'docs/elements.md',
  'docs/threads-and-worker.md',
  'docs/memory.md',
  'docs/profiling.md',
  'docs/benchmarks.md',
  'docs/limits.md',
  'docs/past-one-machine.md',
  'docs/dynamic-shapes.md',
  'docs/origins.md',
  'docs/programs.md',
  'docs/errors.md',
  'docs/architecture.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
];

/** @type {Part} */
export const BOOK = {
  title: 'Book',
  path: 'web/chapters/index.html',
  about: 'Chapters in which every picture answers when you touch it, and every number comes from the runtime.',
  pages: [
    page('web/chapters/shapes-and-layout.html', 'Shapes and layout', 'What a shape says, what it leaves open, and how a layout closes the gap: orders of dimensions, strides, padding, cache lines.'),
    page('web/chapters/tiled-layout.html', 'Tiled layout', 'Tiles, tiles within tiles, and the forms that TPUs use. At the end you can predict the offset of any element.'),
    page('web/chapters/broadcasting.html', 'Broadcasting', 'Two rules, one after the other, and no magic: how arrays of different shapes meet in one operation.'),
    page('web/chapters/index-maps.html', 'Index maps', 'The dimension numbers of dot, gather and scatter: from an element of the result to where it comes from.'),
    page('web/chapters/numbers.html', 'Numbers', 'bf16, f8, s4 and the others: bits to flip, neighbours, rounding, and why sums differ.'),
    page('web/chapters/collectives.html', 'Replicas and collectives', 'Who sends what to whom, step by step, and an all-reduce that goes round a ring.'),
    page('web/chapters/how-a-program-runs.html', 'How WebHLO runs a program', 'One layer of a network, from its text to numbers: graph, shapes, passes, fusion, plan, memory, code and threads.'),
  ],
};

/** @type {Part} its pages come from the op table */
export const OPERATIONS = {
  title: 'Operations',
  path: 'web/operations/index.html',
  about: 'The operations of HLO, CHLO and StableHLO: what each takes and gives, its rules with programs that break them, and examples that run.',
  pages: [],
  aside: true,
};

/** @type {Part} */
export const PLAYGROUND = {
  title: 'Playground',
  path: 'demos/playground/index.html',
  about: 'Type a program, or drop one: run it, and see its graph, what each pass does to it, its kernels, memory and time.',
  pages: [],
};

/** @type {Part} */
const EXPLORERS = {
  title: 'Explorers',
  path: 'web/explorers.html',
  about: 'One picture on a full page, for any question you have.',
  pages: [
    page('demos/layout/index.html', 'Layouts', 'Any shape, any order of dimensions, padding and packing, on a full page.'),
    page('demos/tiling/index.html', 'Tiling', 'From two-by-two blocks to the (8,128)(2,1) of a TPU.'),
    page('demos/broadcasting/index.html', 'Broadcasting', 'Two operands of your own, step by step.'),
    page('demos/operations/index.html', 'Operations', 'Pad, reduce, gather, convolve and the others: what made each element of the result?'),
  ],
};

/** @type {Part} */
const DEMOS = {
  title: 'Demos',
  path: 'web/demos.html',
  about: 'Real programs, exported from where they were trained, running in the page.',
  pages: [
    page('demos/digits/index.html', 'Digits', 'Draw a digit, and watch a network trained in JAX read it, layer by layer.'),
    page('demos/sentences/index.html', 'Sentences', 'Which sentences mean much the same? MiniLM tells, in your browser.'),
    page('demos/chat/index.html', 'Chat', 'A small language model, SmolLM2, with weights of 4 bits. What you write stays on your device.'),
    page('demos/train/index.html', 'Train', 'A small network learns while you watch, by a training step from JAX: loss, boundary and weights, live.'),
    page('demos/simulate/index.html', 'Simulate', 'Reaction and diffusion, Life, and a wave: each one program of HLO, at the rate of your display.'),
  ],
};

/** @type {Part} its pages come from DOCUMENTS */
export const DOCUMENTATION = {
  title: 'Documentation',
  path: 'web/docs/index.html',
  about: 'From your model to a program that runs, in a page or in Node.js.',
  pages: [],
  aside: true,
};

/** The parts, as they stand in the head of every page. */
export const PARTS = [BOOK, OPERATIONS, PLAYGROUND, EXPLORERS, DEMOS, DOCUMENTATION];
