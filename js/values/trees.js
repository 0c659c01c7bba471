// Trees of jax.export: the nested arguments of a JAX function as the flat list that its module takes, and the results back.

import { HloError, describe, mistyped } from '../objects/errors.js';
import { isTypedArray } from './element-types.js';

/** @typedef {import('../objects/shape.js').Shape} Shape */
/**
 * A node of the tree of a function's arguments or results. `path` is `params/dense/kernel`, or `result/logits`.
 * @typedef {LeafNode | NoneNode | SequenceNode | DictNode | CustomNode} Tree
 */
/**
 * An array.
 * @typedef {object} LeafNode
 * @property {'leaf'} kind
 * @property {string} path
 * @property {number | null} [input] of arguments: which of `module.inputs` it is; null: JAX pruned it, and its value is not used
 * @property {number} [output] of results: which of `module.outputs` it is
 */
/** None in JAX, null here. @typedef {{ kind: 'none', path: string }} NoneNode */
/** @typedef {{ kind: 'tuple' | 'list', path: string, children: Tree[] }} SequenceNode */
/** @typedef {{ kind: 'dict', path: string, keys: string[], children: Tree[] }} DictNode */
/**
 * A named tuple, or another node that was registered with JAX: `type` is the name that it is serialized by; `keys` are
 * there where the file names the children.
 * @typedef {{ kind: 'custom', path: string, type: string, keys?: string[], children: Tree[] }} CustomNode
 */
/** The arguments of a JAX function. @typedef {{ arguments: Tree[], keywords: DictNode }} InputTree */
/**
 * The JSON of src/stablehlo/bytecode/jax_export_tree.c.
 * @typedef {{ platforms: string[], platformIndex: number | null, tokens: number, kept: number[], inputs: any, outputs: any }} ExportFacts
 */
/** Run options with outputs as a module has them. @typedef {import('../objects/executable.js').RunOptions} RunOptions */

/** A node of a tree with what walks need: whether any leaf in it is an input, and what its children are called. */
class Node {
  /** Of children whose names the file does not tell, as far as the names of inputs tell them. @type {(string | undefined)[]} */
  names;
  /** Which input or output a leaf is. @type {number | null} */
  number = null;
  path = '';
  /** Whether any leaf in it is used. */
  used = false;

  /** @param {any} facts */
  constructor({ kind, type, keys, children = [] }) {
    /** @type {Tree['kind']} */
    this.kind = kind;
    this.type = type;
    /** @type {string[] | undefined} */
    this.keys = keys;
    /** @type {Node[]} */
    this.children = children.map((/** @type {any} */ child) => new Node(child));
    this.names = keys ? [...keys] : this.children.map((_, i) => (kind === 'custom' ? undefined : String(i)));
  }

  /** @returns {Node[]} */
  get leaves() {
    return this.kind === 'leaf' ? [this] : this.children.flatMap((child) => child.leaves);
  }

  /** Gives leaves other numbers, and none to those that have no place. @param {ReadonlyMap<number, number>} places */
  renumber(places) {
    for (const child of this.children) child.renumber(places);
    if (this.number !== null) this.number = places.get(this.number) ?? null;
    this.used = this.number !== null || this.children.some((child) => child.used);
  }

  /** Whether its children have names, as those of dictionaries and named tuples. */
  get named() {
    return this.kind === 'dict' || (this.kind === 'custom' && this.names.some((name, i) => name !== undefined && name !== String(i)));
  }

  /** @param {string} path */
  finish(path) {
    this.path = path;
    this.children.forEach((child, i) => child.finish(`${path}/${this.names[i] ?? i}`));
    this.used = this.number !== null || this.children.some((child) => child.used);
  }

  /** What users see. @param {'input' | 'output'} side @returns {Tree} */
  describe(side) {
    const { kind, path, type, keys, number } = this;
    if (kind === 'leaf') return /** @type {LeafNode} */ ({ kind, path, [side]: number });
    if (kind === 'none') return { kind, path };
    const children = this.children.map((child) => child.describe(side));
    if (kind === 'dict') return { kind, path, keys: /** @type {string[]} */ (keys), children };
    return kind === 'custom' ? { kind, path, type, ...(keys && { keys }), children } : { kind, path, children };
  }
}

/**
 * Finds by the name of an input what it is in is called: `state/mu/w` at the place [?, w] of an argument is mu of state.
 * @param {Node} node an argument
 * @param {Node} leaf
 * @param {string} name
 * @returns {string | undefined} the name of the argument
 */
function rootName(node, leaf, name) {
  if (node === leaf) return name;
  for (const [i, child] of node.children.entries()) {
    const rest = rootName(child, leaf, name);
    if (rest === undefined) continue;
    const known = node.names[i];
    const cut = known === undefined ? rest.lastIndexOf('/') : rest.endsWith(`/${known}`) ? rest.length - known.length - 1 : -1;
    if (cut < 1) return undefined;
    node.names[i] ??= rest.slice(cut + 1);
    return rest.slice(0, cut);
  }
  return undefined;
}

/** How a function of JAX is called: its arguments and results as trees. */
export class Calling {
  #facts;
  #inputs;
  #arguments;
  #keywords;
  #result;
  #platform;
  #tokens;

  /** @param {ExportFacts} facts @param {readonly { name: string, shape: Shape }[]} inputs of the module */
  constructor(facts, inputs) {
    const { inputs: pair, outputs, kept, tokens, platforms, platformIndex } = facts;
    this.#facts = facts;
    const root = new Node(pair);
    const before = tokens + (platformIndex === null ? 0 : 1);
    const { leaves } = root;
    kept.forEach((leaf, i) => (leaves[leaf].number = before + i));
    const [positional, keywords] = root.children;
    this.#inputs = inputs;
    this.#arguments = positional.children;
    this.#keywords = keywords;
    this.#result = new Node(outputs);
    this.#result.leaves.forEach((leaf, i) => (leaf.number = tokens + i));
    this.#platform = platformIndex;
    this.#tokens = tokens;
    /** What it was exported for. @readonly */
    this.platforms = platforms;
    this.#namePaths();
  }

  #namePaths() {
    for (const [i, argument] of this.#arguments.entries()) {
      const used = argument.leaves.filter(({ number }) => number !== null);
      const roots = used.map((leaf) => rootName(argument, leaf, this.#inputs[/** @type {number} */ (leaf.number)].name));
      argument.finish(roots[0] ?? `args/${i}`);
    }
    this.#keywords.finish('');
    this.#keywords.children.forEach((child, i) => child.finish(/** @type {string} */ (this.#keywords.names[i])));
    // Nodes of one type have the same names in results.
    const known = new Map([...this.#arguments, this.#keywords].flatMap(customNodes).map((node) => [node.type, node.names]));
    for (const node of customNodes(this.#result)) if (!node.keys) node.names = [...(known.get(node.type) ?? node.names)];
    this.#result.finish('result');
  }

  /**
   * The same function where inputs are constants: arguments that consist of nothing else are none any more, and elsewhere their values are
   * not used.
   * @param {readonly number[]} bound numbers of inputs
   * @returns {Calling}
   */
  without(bound) {
    const calling = new Calling(this.#facts, this.#inputs);
    calling.#leave(new Set(bound));
    return calling;
  }

  /** @param {ReadonlySet<number>} bound */
  #leave(bound) {
    const places = new Map(this.#inputs.map((_, number) => number).filter((number) => !bound.has(number)).map((number, i) => [number, i]));
    const arguments_ = this.#arguments.filter((argument) => argument.leaves.every(({ number }) => number === null) || argument.leaves.some(({ number }) => number !== null && !bound.has(number)));
    for (const node of [...arguments_, this.#keywords]) node.renumber(places);
    this.#arguments = arguments_;
    if (this.#platform !== null && bound.has(0)) this.#platform = null;
    this.#inputs = this.#inputs.filter((_, number) => !bound.has(number));
  }

  /** @returns {InputTree} */
  get inputTree() {
    const keywords = /** @type {DictNode} */ (this.#keywords.describe('input'));
    return { arguments: this.#arguments.map((argument) => argument.describe('input')), keywords };
  }

  /** @returns {Tree} */
  get outputTree() {
    return this.#result.describe('output');
  }

  /**
   * The list that the module takes.
   * @param {unknown} values the arguments, and then an object of those with keywords
   * @param {string} [where] that is in messages
   * @returns {any[]}
   */
  flatten(values, where = '') {
    const { type } = this.#inputs[0]?.shape ?? {};
    const before = this.#platform === null ? [] : [type === 's64' || type === 'u64' ? BigInt(this.#platform) : this.#platform];
    return this.#flatten(values, [...before, ...Array(this.#tokens).fill(null)], where);
  }

  /** The same of shapes. @param {unknown} shapes @returns {any[]} */
  flattenShapes(shapes) {
    const before = this.#tokens + (this.#platform === null ? 0 : 1);
    return this.#flatten(shapes, this.#inputs.slice(0, before).map(({ shape }) => shape), '');
  }

  /** @param {unknown} values @param {unknown[]} flat what stands before the arguments @param {string} where */
  #flatten(values, flat, where) {
    if (!Array.isArray(values)) throw mistyped(`${where}expected an array of arguments`, values);
    const { length } = this.#arguments;
    const keywords = this.#keywords;
    const given = values.slice();
    if (given.length !== length + 1 || keywords.children.length === 0)
      if (given.length !== length || keywords.used) throw this.#wrongCount(given.length, where);
    this.#arguments.forEach((argument, i) => spread(argument, given[i], flat, where));
    if (given.length > length) spread(keywords, given[length], flat, where, 'the keyword arguments');
    return flat;
  }

  /** @param {number} count @param {string} where */
  #wrongCount(count, where) {
    const names = this.#arguments.map(({ path }) => path).join(', ');
    const keywords = this.#keywords.children.length ? `, and an object of keyword arguments (${this.#keywords.names.join(', ')})` : '';
    const flat = count === this.#inputs.length ? '; compile(module, { flat: true }) takes the inputs of the module as one list' : '';
    const { length } = this.#arguments;
    return new HloError('INPUT', `${where}expected ${length} argument${length === 1 ? '' : 's'}${names && ` (${names})`}${keywords}, got ${count}${flat}`);
  }

  /** The results of the module in their tree. @param {readonly any[]} flat @returns {any} */
  nest(flat) {
    return gather(this.#result, flat);
  }

  /** Tensors to be overwritten, in the order of the module's results. @param {unknown} outputs @param {string} where @returns {any[]} */
  flattenOutputs(outputs, where) {
    return spread(this.#result, outputs, Array(this.#tokens).fill(null), `${where}outputs: `);
  }

  /**
   * Runs a module with nested arguments.
   * @template T
   * @param {{ devices: number, result: Shape }} executable
   * @param {unknown} inputs
   * @param {RunOptions | undefined} options
   * @param {(inputs: any[], options: RunOptions | undefined) => T} run with flat inputs and outputs
   * @returns {{ made: T, nested: (result: any) => any }} what it gave, and how its results are nested
   */
  run({ devices, result }, inputs, options, run) {
    const single = devices === 1;
    /** @param {unknown} lists @param {(list: unknown, where: string) => any[]} flatten @param {string} what */
    const each = (lists, flatten, what) => {
      if (single) return flatten(lists, '');
      if (!Array.isArray(lists) || lists.length !== devices)
        throw new HloError('INPUT', `expected ${what} for each of ${devices} devices, got ${describe(lists)}`);
      return lists.map((list, device) => flatten(list, `device ${device}: `));
    };
    const outputs = options?.outputs;
    const flat = outputs === undefined ? options : { ...options, outputs: each(outputs, (list, where) => this.flattenOutputs(list, where), 'outputs') };
    const made = run(each(inputs, (list, where) => this.flatten(list, where), 'one array of inputs'), flat);
    const list = (/** @type {any} */ one) => this.nest(result.isTuple ? one : [one]);
    return { made, nested: (given) => (outputs !== undefined ? outputs : single ? list(given) : given.map(list)) };
  }
}

/** @param {Node} node @returns {Node[]} */
function customNodes(node) {
  const inside = node.children.flatMap(customNodes);
  return node.kind === 'custom' ? [node, ...inside] : inside;
}

/** Whether a value can have keys: no array, and nothing that stands for one. @param {unknown} value @returns {value is Record<string, unknown>} */
function hasKeys(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isTypedArray(value) && !('shape' in value && 'dispose' in value);
}

/**
 * Appends the leaves of a value that are used.
 * @param {Node} node
 * @param {any} value
 * @param {any[]} flat
 * @param {string} where
 * @param {string} [label] in place of the path
 * @returns {any[]} flat
 */
function spread(node, value, flat, where, label = node.path) {
  const misfit = (/** @type {string} */ expected) => new HloError('INPUT', `${where}${label}: expected ${expected}, got ${describe(value)}`);
  if (node.kind === 'leaf') {
    if (node.number !== null) flat.push(value);
  } else if (node.kind === 'none') {
    if (value !== null && value !== undefined) throw misfit('null, which is None in JAX');
  } else if (node.used) {
    const { children } = node;
    const expected = `an array of ${children.length} value${children.length === 1 ? '' : 's'}`;
    if (Array.isArray(value) && node.kind !== 'dict') {
      if (value.length !== children.length) throw misfit(expected);
      const items = value.slice();
      children.forEach((child, i) => spread(child, items[i], flat, where));
    } else if (node.named && hasKeys(value)) {
      const items = readKeys(node, value, `${where}${label}`);
      children.forEach((child, i) => spread(child, items[i], flat, where));
    } else {
      const keys = `an object with keys ${node.names.filter((name) => name !== undefined).join(', ')}`;
      throw misfit(node.kind === 'dict' ? keys : node.named ? `${keys}, or ${expected}` : expected);
    }
  }
  return flat;
}

/**
 * The values of the children, each read once.
 * @param {Node} node
 * @param {Record<string, unknown>} value
 * @param {string} label
 */
function readKeys(node, value, label) {
  const { names, children } = node;
  const items = names.map((name) => (name === undefined || !Object.hasOwn(value, name) ? undefined : value[name]));
  const lacking = names.filter((_, i) => children[i].used && items[i] === undefined);
  const strange = names.includes(undefined) ? [] : Object.keys(value).filter((key) => !names.includes(key));
  if (lacking.length === 0 && strange.length === 0) return items;
  const found = [...(lacking.length ? [`lacks ${lacking.join(', ')}`] : []), ...(strange.length ? [`has ${strange.join(', ')}`] : [])];
  throw new HloError('INPUT', `${label}: expected an object with keys ${names.filter((name) => name !== undefined).join(', ')}; it ${found.join(' and ')}`);
}

/** @param {Node} node @param {readonly any[]} flat @returns {any} */
function gather(node, flat) {
  if (node.kind === 'leaf') return flat[/** @type {number} */ (node.number)];
  if (node.kind === 'none') return null;
  const items = node.children.map((child) => gather(child, flat));
  const named = node.kind === 'dict' || (node.named && !node.names.includes(undefined));
  return named ? Object.fromEntries(items.map((item, i) => [node.names[i], item])) : items;
}
