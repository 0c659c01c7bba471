// The plan of a program: its steps, where their values lie, and the life of each in the workspace.

/** @typedef {import('../../js/objects/types.js').Plan} Plan */
/** @typedef {import('../../js/objects/types.js').Step} Step */
/** @typedef {import('../../js/objects/types.js').Routine} Routine */
/** @typedef {import('../../js/objects/types.js').PlanPlace} PlanPlace */
/** @typedef {import('./graph-model.js').Graph} Graph */
/** @typedef {{ offset: number, bytes: number, from: number, to: number, step: Step, scratch: boolean }} Life from, to: steps of a routine */

/** The lines of the text that a step of a routine is made of. @typedef {(routine: string, step: string) => number[]} LinesOf */

/** @param {Graph} optimised @returns {LinesOf} */
export function linesOfSteps(optimised) {
  /** @type {Map<string, number[]>} */
  const lines = new Map();
  for (const { name: computation, instructions } of optimised.computations)
    for (const { name, op, line, calls } of instructions) {
      const inner = op === 'fusion' ? calls.flatMap((called) => optimised.computations[called].instructions.filter((one) => one.op !== 'parameter').map((one) => one.line)) : [];
      lines.set(`${computation}/${name}`, [...new Set(inner.length ? inner.reverse() : [line])].filter((one) => one > 0));
    }
  return (routine, step) => lines.get(`${routine}/${step}`) ?? [];
}

/** All places that a step reads or writes. @param {Step} step */
function placesOf({ operands = [], result, scratch, leaves = [], before = [], after = [] }) {
  const written = [result, scratch, ...before.map(([, to]) => to), ...after.map(([, to]) => to), ...leaves];
  return { read: [...operands, ...leaves, ...before.map(([from]) => from), ...after.map(([from]) => from)], written };
}

/** @param {PlanPlace | undefined} place @returns {place is PlanPlace & { offset: number }} */
const isWorkspace = (place) => place?.kind === 'workspace' && place.bytes > 0 && place.offset !== undefined;

/** Of a view, the place of its address; else the place itself. @param {PlanPlace | undefined} place */
const addressOfView = (place) => (place?.kind === 'view' ? { ...place, kind: /** @type {const} */ ('workspace'), bytes: 1 } : place);

/** How long each value of a routine is needed: from the step that writes it to the last that reads it before the place has another. @param {Routine} routine @returns {Life[]} */
export function livesOf({ steps }) {
  /** @type {Life[]} */
  const lives = [];
  /** @type {Life[]} those whose place no other value has taken yet */
  let present = [];
  steps.forEach((step, at) => {
    const { read, written } = placesOf(step);
    for (const place of read.map(addressOfView)) if (isWorkspace(place)) for (const life of present) if (overlap(life, place)) life.to = at;
    for (const place of written) {
      if (!isWorkspace(place)) continue;
      const same = present.find((life) => life.offset === place.offset && life.bytes === place.bytes && life.from === at);
      if (same) continue;
      present = present.filter((life) => !overlap(life, place));
      const life = { offset: place.offset, bytes: place.bytes, from: at, to: at, step, scratch: place === step.scratch };
      present.push(life);
      lives.push(life);
    }
  });
  return lives;
}

/** @param {Life} life @param {{ offset: number, bytes: number }} place */
function overlap(life, { offset, bytes }) {
  return life.offset < offset + bytes && offset < life.offset + life.bytes;
}

/** A place in words. @param {PlanPlace | undefined} place */
export function placeText(place) {
  if (!place || place.kind === 'none') return '';
  if (place.kind === 'workspace') return `workspace @${place.offset}`;
  if (place.kind === 'view') return `a view, with its address in workspace @${place.offset}`;
  if (place.kind === 'argument' || place.kind === 'result') return `${place.kind} ${place.offset}`;
  return place.kind;
}

/** Bytes in few characters. @param {number} bytes */
export function bytesText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  const [size, unit] = bytes < 2 ** 20 ? [bytes / 1024, 'KiB'] : bytes < 2 ** 30 ? [bytes / 2 ** 20, 'MiB'] : [bytes / 2 ** 30, 'GiB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** Counts in few characters. @param {number} count */
export function countText(count) {
  if (count < 1e4) return String(count);
  const [size, unit] = count < 1e6 ? [count / 1e3, 'k'] : count < 1e9 ? [count / 1e6, 'M'] : [count / 1e9, 'G'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)}${unit}`;
}
