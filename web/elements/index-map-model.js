// How each dimension number of a gather, a scatter or a dot leads from an element of the result to elements of the operands. The ways are
// read off the attributes; every index and value in them is what the runtime followed.
import { flatIndex, multiIndex } from './grid-index.js';
import { integersOf } from './op-text.js';

/** @typedef {import('./op-model.js').Model} Model */
/** @typedef {import('./op-cells.js').Pointed} Pointed */
/**
 * One dimension of an operand on the way to an element.
 * @typedef {object} Leg
 * @property {number} dimension of the operand
 * @property {string} role what the attributes make of it
 * @property {string} start where the slice begins there
 * @property {string} startFrom what says so
 * @property {string} within how far into the slice
 * @property {string} withinFrom
 * @property {string} index of the element that is reached
 */
/**
 * @typedef {object} Way
 * @property {string} from the element of the result, or of the updates
 * @property {string} batch words for the batch index
 * @property {string} vector the index vector, words
 * @property {Leg[]} legs
 * @property {string} to the element that is reached
 */
/** @typedef {{ letter: string, role: string, lhs?: number, rhs?: number, result?: number, at: string }} Letter a dimension of a dot */

/** @param {Model} model @param {string} name */
function numbersOf({ attributes }, name) {
  return integersOf(name, attributes.get(name) ?? '{}');
}

/** @param {Model} model @param {string} name @param {number} fallback */
function numberOf({ attributes }, name, fallback) {
  const text = attributes.get(name);
  return text === undefined ? fallback : Number(text);
}

const below = (/** @type {number} */ rank) => Array.from({ length: rank }, (_, i) => i);
const tuple = (/** @type {readonly unknown[]} */ parts) => `(${parts.join(', ')})`;
const element = (/** @type {string} */ name, /** @type {readonly unknown[]} */ index) => (index.length ? `${name}[${index.join(', ')}]` : name);

/** What gather and scatter call the same things. @param {Model} model */
function wordsOf(model) {
  const isGather = model.row.name === 'gather';
  const indices = model.operands[1];
  const vector = numberOf(model, 'index_vector_dim', indices.sizes.length);
  const [windows, left, map, batching, indicesBatching] = isGather
    ? ['offset_dims', 'collapsed_slice_dims', 'start_index_map', 'operand_batching_dims', 'start_indices_batching_dims']
    : ['update_window_dims', 'inserted_window_dims', 'scatter_dims_to_operand_dims', 'input_batching_dims', 'scatter_indices_batching_dims'];
  const rank = model.operands[0].sizes.length;
  const leftOut = numbersOf(model, left);
  const batched = numbersOf(model, batching);
  return {
    isGather, indices, vector, windows, left, map, batching, leftOut, batched,
    windowDims: numbersOf(model, windows),
    startMap: numbersOf(model, map),
    indicesBatched: numbersOf(model, indicesBatching),
    /** operand dimensions that the slice keeps, in order: they meet the window dimensions one by one */
    kept: below(rank).filter((d) => !leftOut.includes(d) && !batched.includes(d)),
    /** dimensions of the indices that count index vectors */
    counting: below(indices.sizes.length).filter((d) => d !== vector),
  };
}

// ---- What each dimension is ----

/** @param {Model} model @returns {{ operands: string[][], outputs: string[][] }} words for the axes of the pictures */
export function axesOf(model) {
  const { operands, outputs, row } = model;
  const named = (/** @type {number} */ rank, /** @type {(d: number) => string} */ word) => below(rank).map((d) => `dim ${d}, ${word(d)}`);
  const [output] = outputs;
  if (row.name === 'dot') {
    const letters = lettersOf(model);
    const word = (/** @type {'lhs' | 'rhs' | 'result'} */ side) => (/** @type {number} */ d) => letters.find((letter) => letter[side] === d)?.letter ?? '';
    return {
      operands: [named(operands[0].sizes.length, word('lhs')), named(operands[1].sizes.length, word('rhs'))],
      outputs: output ? [named(output.sizes.length, word('result'))] : [],
    };
  }
  const words = wordsOf(model);
  const windowed = (/** @type {number} */ rank) => {
    const counted = below(rank).filter((d) => !words.windowDims.includes(d));
    return named(rank, (d) => (words.windowDims.includes(d) ? `${words.isGather ? 'offset' : 'window'} ${words.windowDims.indexOf(d)}` : `batch ${counted.indexOf(d)}`));
  };
  const operand = named(operands[0].sizes.length, (d) => roleOf(words, d));
  const indices = named(words.indices.sizes.length, (d) => (d === words.vector ? 'index vector' : `batch ${words.counting.indexOf(d)}`));
  const result = output && (words.isGather ? windowed(output.sizes.length) : named(output.sizes.length, (d) => roleOf(words, d)));
  return { operands: words.isGather ? [operand, indices] : [operand, indices, windowed(operands[2].sizes.length)], outputs: result ? [result] : [] };
}

/** @param {ReturnType<typeof wordsOf>} words @param {number} d of the operand */
function roleOf({ isGather, leftOut, batched, kept }, d) {
  if (leftOut.includes(d)) return isGather ? 'collapsed' : 'inserted';
  if (batched.includes(d)) return 'batching';
  return `${isGather ? 'offset' : 'window'} ${kept.indexOf(d)}`;
}

// ---- Gather and scatter ----

/**
 * The way from an element of a gather's result to the operand, or from an element of a scatter's updates.
 * @param {Model} model
 * @param {number} flat of the result's, or of the updates'
 * @returns {Way}
 */
export function wayOf(model, flat) {
  const words = wordsOf(model);
  const { isGather, indices, vector, windowDims, startMap, counting } = words;
  const [operand] = model.operands;
  const array = isGather ? model.outputs[0] : model.operands[2];
  const index = multiIndex(array.sizes, flat);
  const batchDims = below(index.length).filter((d) => !windowDims.includes(d));
  const batch = batchDims.map((d) => index[d]);
  const vectorAt = (/** @type {number} */ k) => {
    const at = counting.reduce((/** @type {number[]} */ all, d, i) => ((all[d] = batch[i]), all), []);
    if (vector < indices.sizes.length) at[vector] = k;
    return { name: element(indices.name, at), value: indices.values[flatIndex(indices.sizes, at)] };
  };
  // Where the element went, as the runtime followed it; for a gather also where its slice begins, after clamping.
  const reached = isGather ? model.origins[0][flat].data.find(({ operand: from }) => from === 0)?.flat : model.reach[2]?.[flat]?.data[0]?.flat;
  const place = reached === undefined ? undefined : multiIndex(operand.sizes, reached);
  const corner = isGather ? sliceCorner(model, index, windowDims) : undefined;
  const legs = below(operand.sizes.length).map((dimension) => {
    const k = startMap.indexOf(dimension);
    const b = words.batched.indexOf(dimension);
    const w = words.kept.indexOf(dimension);
    const told = k >= 0 ? vectorAt(k) : undefined;
    const batchAt = b >= 0 ? batch[counting.indexOf(words.indicesBatched[b])] : undefined;
    const begin = told?.value ?? String(batchAt ?? 0);
    const clamped = corner && String(corner[dimension]) !== begin ? corner[dimension] : undefined;
    return {
      dimension,
      role: roleOf(words, dimension),
      start: clamped === undefined ? begin : `${begin} → ${clamped}`,
      startFrom: told
        ? `${told.name}, as ${words.map}[${k}] is ${dimension}${clamped === undefined ? '' : '; moved back so that the slice fits'}`
        : b >= 0 ? `the batch index, as ${words.batching}[${b}] is ${dimension}` : `0: ${words.map} does not name it`,
      within: w >= 0 ? String(index[windowDims[w]]) : '0',
      withinFrom: w >= 0 ? `dimension ${windowDims[w]} of the ${isGather ? 'result' : 'updates'}, ${words.windows}[${w}]` : b >= 0 ? `batching: one element` : `${words.left} has it: one element`,
      index: place ? String(place[dimension]) : 'outside',
    };
  });
  const along = vector < indices.sizes.length ? `, along index_vector_dim ${vector}` : '; a single number is a vector of one';
  return {
    from: element(array.name, index),
    batch: batchDims.length ? `batch dimension${batchDims.length > 1 ? 's' : ''} ${batchDims.join(', ')}: the index vector of ${tuple(batch)}` : 'no batch dimension: there is one index vector',
    vector: `${tuple(startMap.map((_, k) => vectorAt(k).value))}${along}`,
    legs,
    to: place ? element(isGather ? operand.name : 'result', place) : 'nowhere: it would lie outside, and is skipped',
  };
}

/** Where the slice begins that a result element belongs to: the origin of its first element. @param {Model} model @param {readonly number[]} index @param {readonly number[]} windowDims */
function sliceCorner(model, index, windowDims) {
  const first = index.map((at, d) => (windowDims.includes(d) ? 0 : at));
  const origin = model.origins[0][flatIndex(model.outputs[0].sizes, first)].data.find(({ operand }) => operand === 0);
  return origin && multiIndex(model.operands[0].sizes, origin.flat);
}

/** The elements whose ways are worth telling at what is pointed at: of the result (gather) or of the updates (scatter). @param {Model} model @param {Pointed} pointed @returns {number[]} */
export function travellers({ row, origins, reach }, pointed) {
  if (row.name === 'gather') {
    if ('output' in pointed) return [pointed.flat];
    const { data, control } = reach[pointed.operand][pointed.flat];
    return (data.length ? data : control).map(({ flat }) => flat);
  }
  if ('output' in pointed) return origins[0][pointed.flat].data.filter(({ operand }) => operand === 2).map(({ flat }) => flat);
  if (pointed.operand === 2) return [pointed.flat];
  return (reach[pointed.operand][pointed.flat].data).flatMap(({ flat }) => origins[0][flat].data.filter(({ operand }) => operand === 2).map((source) => source.flat));
}

// ---- Dot ----

/** The dimensions of a dot, each with a letter. @param {Model} model @param {number} [flat] of the result, whose indices the letters are @returns {Letter[]} */
export function lettersOf(model, flat) {
  const [lhs, rhs] = model.operands.map(({ sizes }) => below(sizes.length));
  const get = (/** @type {string} */ name) => numbersOf(model, name);
  const [lhsBatch, rhsBatch, lhsMeets, rhsMeets] = [get('lhs_batch_dims'), get('rhs_batch_dims'), get('lhs_contracting_dims'), get('rhs_contracting_dims')];
  const lhsFree = lhs.filter((d) => !lhsBatch.includes(d) && !lhsMeets.includes(d));
  const rhsFree = rhs.filter((d) => !rhsBatch.includes(d) && !rhsMeets.includes(d));
  const index = flat === undefined || !model.outputs[0] ? undefined : multiIndex(model.outputs[0].sizes, flat);
  const pairs = flat === undefined ? [] : (model.pairs?.[flat] ?? []);
  const result = (/** @type {number} */ at) => ({ result: at, at: index ? String(index[at]) : '' });
  // What a contracting index runs over: as the pairs tell that the runtime multiplied.
  const runs = (/** @type {number} */ d) => [...new Set(pairs.map(([left]) => multiIndex(model.operands[0].sizes, left)[d]))].sort((a, b) => a - b).join(', ');
  return [
    ...lhsBatch.map((d, i) => ({ letter: 'bcd'[i] ?? `b${i}`, role: 'batch', lhs: d, rhs: rhsBatch[i], ...result(i) })),
    ...lhsFree.map((d, i) => ({ letter: 'ijl'[i] ?? `i${i}`, role: 'free, of lhs', lhs: d, ...result(lhsBatch.length + i) })),
    ...rhsFree.map((d, i) => ({ letter: 'mno'[i] ?? `m${i}`, role: 'free, of rhs', rhs: d, ...result(lhsBatch.length + lhsFree.length + i) })),
    ...lhsMeets.map((d, i) => ({ letter: 'kpq'[i] ?? `k${i}`, role: 'contracting', lhs: d, rhs: rhsMeets[i], at: runs(d) })),
  ];
}

/** `result[i, m] = Σ_k lhs[i, k] · rhs[k, m]` @param {Model} model */
export function einsumOf(model) {
  const letters = lettersOf(model);
  const side = (/** @type {'lhs' | 'rhs' | 'result'} */ name, /** @type {number} */ rank) => element(name, below(rank).map((d) => letters.find((letter) => letter[name] === d)?.letter ?? '?'));
  const sums = letters.filter(({ role }) => role === 'contracting').map(({ letter }) => letter);
  const rank = letters.filter(({ result }) => result !== undefined).length;
  const [lhs, rhs] = model.operands;
  return `${side('result', rank)} = ${sums.length ? `Σ ${sums.join(', ')}  ` : ''}${side('lhs', lhs.sizes.length)} · ${side('rhs', rhs.sizes.length)}`;
}
