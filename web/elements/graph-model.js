// The graph that is drawn: computations within the instructions that call them, as far as they are open.
import { layered } from './graph-layout.js';

/** @typedef {{ name: string, op: string, line: number, shape: string, operands: number[], calls: number[] }} Instruction as the core tells it */
/** @typedef {{ entry: number, computations: { name: string, root: number, instructions: Instruction[] }[] }} Graph */
/**
 * @typedef {object} Box an instruction in the picture
 * @property {string} path its name, behind the names of those that it is within: `loop/add.1`
 * @property {Instruction} instruction
 * @property {string} computation its computation's name
 * @property {number} depth how many open boxes it is within
 * @property {number} x @property {number} y of its corner
 * @property {number} width @property {number} height
 * @property {boolean} isOpen
 * @property {boolean} isRoot
 * @property {Box[]} operands once each @property {Box[]} users
 * @property {string[]} operandNames in order
 * @property {{ y: number, text: string }[]} titles of the computations in it
 */
/** @typedef {{ from: Box, to: Box, points: number[] }} Line points: x, y, x, y, ... */
/** @typedef {{ width: number, height: number, boxes: Box[], lines: Line[] }} Picture boxes: those around others first */

const HEIGHT = 40;
const HEADER = 44;
const TITLE = 22;
const MARGIN = 16;
const CHARACTER = 7.25;

/** The graph of a program. @param {import('../../js/index.js').Runtime} runtime @param {string} program HLO or StableHLO text @param {boolean} optimised @returns {Graph} */
export function graphOf(runtime, program, optimised) {
  const module = runtime.parse(program);
  try {
    runtime.core.begin();
    return runtime.core.askJson('module_drawn', module.pointer, optimised);
  } finally {
    module.dispose();
  }
}

/** The instructions that are open. @param {string | null | undefined} text their paths between blanks @returns {Set<string>} */
export const openPaths = (text) => new Set((text ?? '').split(/\s+/).filter(Boolean));

/** The type and sizes of a shape, without its layout. @param {string} shape */
export function plainShape(shape) {
  return shape.replace(/\{[^{}]*\}/g, '').replace(/\/\*.*?\*\//g, '');
}

/** The second line of a box. @param {Instruction} instruction */
export function shapeLabel({ shape }) {
  const text = plainShape(shape);
  return text.length > 26 ? `${text.slice(0, 24)}…` : text;
}

/** The first line of a box. @param {Instruction} instruction */
export function nameLabel({ name, op }) {
  const text = name === op || name.startsWith(`${op}.`) ? name : `${name} · ${op}`;
  return text.length > 34 ? `${text.slice(0, 32)}…` : text;
}

/** @param {Instruction} instruction */
function widthOf(instruction) {
  return Math.ceil(Math.max(nameLabel(instruction).length, shapeLabel(instruction).length) * CHARACTER) + 24 + (instruction.calls.length ? 20 : 0);
}

/** @param {Graph} graph @param {ReadonlySet<string>} open paths of the boxes that show what they call @returns {Picture} */
export function pictureOf(graph, open) {
  const { boxes, lines, width, height } = computationPicture(graph, open, graph.entry, '', 0);
  for (const { from, to } of lines) {
    from.users.push(to);
    to.operands.push(from);
  }
  return { boxes, lines, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
}

/**
 * @param {Graph} graph @param {ReadonlySet<string>} open @param {number} number of the computation @param {string} above @param {number} depth
 * @returns {Picture} with its corner at MARGIN
 */
function computationPicture(graph, open, number, above, depth) {
  const { name, root, instructions } = graph.computations[number];
  const insides = instructions.map((instruction) => {
    const path = above + instruction.name;
    if (!instruction.calls.length || !open.has(path) || depth > 12) return undefined;
    return instruction.calls.map((called) => ({ called, picture: computationPicture(graph, open, called, `${path}/`, depth + 1) }));
  });
  const sizes = instructions.map((instruction, i) => sizeOf(instruction, insides[i]?.map(({ picture }) => picture)));
  const edges = instructions.flatMap((instruction, to) => [...new Set(instruction.operands)].map((from) => /** @type {[number, number]} */ ([from, to])));
  const layout = layered(sizes, edges, instructions.map(({ op }) => op === 'parameter'));
  /** @type {Box[]} */
  const own = instructions.map((instruction, i) => ({
    path: above + instruction.name, instruction, computation: name, depth, x: MARGIN + layout.x[i], y: MARGIN + layout.y[i], ...sizes[i],
    isOpen: insides[i] !== undefined, isRoot: i === root, operands: [], users: [], operandNames: instruction.operands.map((operand) => instructions[operand].name), titles: [],
  }));
  const lines = edges.map(([from, to], i) => ({ from: own[from], to: own[to], points: layout.points[i].map((value) => value + MARGIN) }));
  const boxes = [...own];
  insides.forEach((inside, i) => {
    let y = own[i].y + HEADER;
    for (const { called, picture } of inside ?? []) {
      own[i].titles.push({ y, text: graph.computations[called].name });
      moved(picture, own[i].x + (own[i].width - picture.width) / 2 - MARGIN, y + TITLE - MARGIN);
      boxes.push(...picture.boxes);
      lines.push(...picture.lines);
      y += TITLE + picture.height + MARGIN;
    }
  });
  return { width: layout.width, height: layout.height, boxes, lines };
}

/** @param {Instruction} instruction @param {Picture[] | undefined} inside */
function sizeOf(instruction, inside) {
  if (!inside) return { width: widthOf(instruction), height: HEIGHT };
  const width = Math.max(widthOf(instruction), ...inside.map((picture) => picture.width + 2 * MARGIN));
  return { width, height: HEADER + inside.reduce((sum, { height }) => sum + height + TITLE + MARGIN, 0) };
}

/** @param {Picture} picture @param {number} dx @param {number} dy */
function moved({ boxes, lines }, dx, dy) {
  for (const box of boxes) {
    box.x += dx;
    box.y += dy;
    for (const title of box.titles) title.y += dy;
  }
  for (const { points } of lines) for (let i = 0; i < points.length; i += 2) points[i] += dx, (points[i + 1] += dy);
}

/** Paths of boxes that lead to an instruction of a computation, so that opening them shows it. @param {Graph} graph @param {number} line */
export function pathToLine(graph, line) {
  /** @type {(number: number, above: string, depth: number) => string | undefined} */
  const find = (number, above, depth) => {
    const { instructions } = graph.computations[number];
    const own = instructions.findLast((instruction) => instruction.line === line && !instruction.calls.length) ?? instructions.findLast((instruction) => instruction.line === line);
    if (own) return above + own.name;
    if (depth > 12) return undefined;
    for (const { name, calls } of instructions)
      for (const called of calls) {
        const found = find(called, `${above}${name}/`, depth + 1);
        if (found) return found;
      }
    return undefined;
  };
  return line > 0 ? find(graph.entry, '', 0) : undefined;
}
