// The cells of an op's pictures: what stands in them, their colours, and which of them light up together.
import { FIGURES } from './op-figures.js';
import { isMoved, sourceName, spoken, typeset, wentWhere } from './op-formula.js';

/** @typedef {import('./op-model.js').Model} Model */
/** @typedef {import('./op-model.js').Frame} Frame */
/** @typedef {import('./hlo-grid.js').Cell} Cell */
/** @typedef {{ operand: number, flat: number } | { output: number, flat: number }} Pointed an element of an operand or of a result */
/** @typedef {'lit' | 'control' | 'twin' | 'window'} Mark pointed at or gone in; deciding; reached; under the window */
/** @typedef {Record<Mark, number[]>} Marks */

/** @param {Model} model @param {number} operand @returns {Frame | undefined} the padded area that the operand is drawn as */
export function frameOf({ frame, operands }, operand) {
  return frame?.operand === operand && frame.ids.length !== operands[operand].values.length ? frame : undefined;
}

/** @param {Model} model */
function coloursOf(model) {
  const { row, operands, outputs, reach, origins } = model;
  const asked = FIGURES[row.name]?.colour ?? 'operand';
  // Colours by result tell something only where no element goes into several.
  const mode = asked === 'result' && reach[0]?.some(({ data }) => data.length > 1) ? 'operand' : asked;
  const [first] = operands;
  const stretch = first ? first.values.length / (first.sizes[0] || 1) : 1;
  /** @param {number} operand @param {number} flat */
  const source = (operand, flat) => {
    if (mode === 'rows' && operand === 0) return Math.floor(flat / stretch);
    if (mode !== 'result') return mode === 'rows' ? undefined : operand;
    const { data } = reach[operand]?.[flat] ?? { data: [] };
    return data.length === 1 && operand === 0 ? data[0].flat : undefined;
  };
  /** @param {number} output @param {number} flat */
  const target = (output, flat) => {
    if (mode === 'result') return flat;
    const moved = isMoved(model, { output, flat }) || (row.flags.includes('elementwise') && operands.length === 1);
    const [only] = moved ? origins[output][flat].data : [];
    return only && source(only.operand, only.flat);
  };
  return { source, target, plain: outputs.length === 0 };
}

/** @param {Model} model @returns {{ operands: Cell[][], outputs: Cell[][] }} */
export function cellsOf(model) {
  const colours = coloursOf(model);
  const operands = model.operands.map(({ values }, operand) => {
    const cells = values.map((text, flat) => {
      const reach = model.reach[operand]?.[flat];
      const lost = reach && reach.data.length + reach.control.length === 0;
      const label = `${typeset(text)}, ${sourceName(model, { operand, flat })}, ${wentWhere(model, { operand, flat })}`;
      return /** @type {Cell} */ ({ text, editable: true, label, ...(lost ? { kind: 'dim' } : { tile: colours.source(operand, flat) }) });
    });
    const frame = frameOf(model, operand);
    const padding = { text: frame?.padding ?? '', kind: 'pad', label: frame?.padding ? `padding, ${typeset(frame.padding)}` : 'padding' };
    return frame ? frame.ids.map((id) => (id < 0 ? padding : cells[id])) : cells;
  });
  const outputs = model.outputs.map(({ values }, output) =>
    values.map((text, flat) => {
      const cell = { text, label: `${typeset(text)}: ${spoken(model, { output, flat })}` };
      return isPadding(model, output, flat) ? { ...cell, kind: 'pad' } : { ...cell, tile: colours.target(output, flat) };
    }),
  );
  return { operands, outputs };
}

/** @param {Model} model @param {number} output @param {number} flat whether a result element is an operand that only fills */
function isPadding({ operands, origins }, output, flat) {
  const { data } = origins[output][flat];
  return data.length === 1 && /^(padding_value|init_value)/.test(operands[data[0].operand].name);
}

/** @returns {Marks} */
const none = () => ({ lit: [], control: [], twin: [], window: [] });

/**
 * What lights up in an operand's picture.
 * @param {Model} model
 * @param {Pointed} pointed
 * @param {number} operand
 * @returns {Marks}
 */
export function operandMarks(model, pointed, operand) {
  const marks = none();
  const frame = frameOf(model, operand);
  const places = (/** @type {number[]} */ ids) => (frame ? ids.map((id) => frame.ids.indexOf(id)).filter((at) => at >= 0) : ids);
  if ('operand' in pointed) {
    if (pointed.operand === operand) marks.lit = places([pointed.flat]);
  } else {
    const { data, control } = model.origins[pointed.output][pointed.flat];
    const own = (/** @type {typeof data} */ sources) => places(sources.filter((source) => source.operand === operand).map(({ flat }) => flat));
    marks.lit = own(data);
    marks.control = own(control);
    // The element that was chosen stands where the result element does.
    if (model.row.name === 'select-and-scatter' && operand === 0 && data.some(({ operand: from }) => from === 1)) marks.twin = places([pointed.flat]);
  }
  if (model.frame?.operand === operand) marks.window = windowOf(model, pointed);
  return marks;
}

/** The window at the place that is pointed at. @param {Model} model @param {Pointed} pointed @returns {number[]} */
function windowOf({ frame, origins }, pointed) {
  if (!frame) return [];
  if (frame.placed !== undefined) return 'output' in pointed ? (frame.windows[pointed.flat] ?? []) : [];
  // Windows of a select-and-scatter stand for source elements: for the one pointed at, or for those that a result took.
  const sources = 'output' in pointed ? origins[pointed.output][pointed.flat].data.filter(({ operand }) => operand === 1) : pointed.operand === 1 ? [pointed] : [];
  return [...new Set(sources.flatMap(({ flat }) => frame.windows[flat] ?? []))];
}

/** What lights up in a result's picture. @param {Model} model @param {Pointed} pointed @param {number} output @returns {Marks} */
export function outputMarks({ reach }, pointed, output) {
  const marks = none();
  if ('output' in pointed) {
    if (pointed.output === output) marks.lit = [pointed.flat];
    return marks;
  }
  const { data, control } = reach[pointed.operand]?.[pointed.flat] ?? { data: [], control: [] };
  const own = (/** @type {typeof data} */ targets) => targets.filter((target) => target.output === output).map(({ flat }) => flat);
  marks.twin = own(data);
  marks.control = own(control);
  return marks;
}
