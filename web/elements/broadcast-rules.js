// The rules of broadcasting in words, and which of them an illegal pair of operands breaks.

/** @typedef {import('./broadcast-model.js').Model} Model */
/** @typedef {import('./broadcast-model.js').Side} Side */
/**
 * @typedef {object} Breach
 * @property {string} rule
 * @property {string} why
 * @property {number[]} columns result dimensions where it shows
 */

const RULES = {
  places: 'Operands of different rank need dimension numbers: one for each dimension of the lower-ranked operand.',
  exist: 'A dimension number names a dimension of the higher-ranked operand.',
  order: 'Dimension numbers are strictly increasing: broadcasting never swaps dimensions, nor puts two in one place.',
  sizes: 'Where two dimensions meet, their sizes are equal, or one of them is 1.',
  same: 'Operands of the same rank meet dimension by dimension, so dimension numbers are left out, or are all of them in order.',
  types: 'Both operands have the same element type: broadcasting repeats elements and never converts them.',
};

/**
 * The runtime's message, understood. The message is the verdict; the words only explain it.
 * @type {[RegExp, (model: Model, found: number[], words: string[]) => Breach][]}
 */
const BREACHES = [
  [
    /sizes must be equal or 1, but dimension (\d+) of lhs .* meets dimension (\d+) of rhs/,
    ({ lhs, rhs }, [left, right]) => ({
      rule: RULES.sizes,
      why:
        `Dimension ${left} of lhs has size ${lhs.sizes[left]}, dimension ${right} of rhs has size ${rhs.sizes[right]}. ` +
        'Neither is 1, so neither can be repeated to match the other.',
      columns: [lhs.places[left]],
    }),
  ],
  [
    /must be strictly ascending, got (-?\d+) before (-?\d+)/,
    (_, [first, second]) => ({
      rule: RULES.order,
      why:
        first === second
          ? `Two dimensions want the same place, ${first}.`
          : `${first} stands before ${second}. To swap dimensions, transpose the operand first.`,
      columns: [first, second],
    }),
  ],
  [
    /must name dimensions of (lhs|rhs) .*, got (-?\d+)$/,
    (model, [number], [, side]) => {
      const { sizes } = model[/** @type {'lhs' | 'rhs'} */ (side)];
      return {
        rule: RULES.exist,
        why: `There is no dimension ${number}: ${side} has rank ${sizes.length}, and its dimensions are ${list(sizes.map((_, i) => i))}.`,
        columns: [],
      };
    },
  ],
  [
    /one entry for each of the (\d+) dimensions of (lhs|rhs) .*, got (\d+)$/,
    (_, [wanted, given], [, , side]) => ({
      rule: RULES.places,
      why:
        wanted === 0
          ? `${side} is a scalar: it has no dimension to place, and goes with any shape as it is. Leave the numbers out.`
          : `${side} has ${count(wanted, 'dimension')} to place, and ${count(given, 'number')} ${given === 1 ? 'is' : 'are'} given.`,
      columns: [],
    }),
  ],
  [
    /operands of different rank need broadcast_dimensions/,
    (model) => ({ rule: RULES.places, why: withoutNumbers(model), columns: [] }),
  ],
  [
    /operands of the same rank must be all dimensions in order/,
    ({ lhs, dimensions = [] }) => ({
      rule: RULES.same,
      why:
        `Both have rank ${lhs.sizes.length}. Given is ${braces(dimensions)}; ` +
        `what could stand there is ${braces(lhs.sizes.map((_, i) => i))}, or nothing.`,
      columns: [],
    }),
  ],
  [
    /must have the same element type/,
    ({ lhs, rhs }) => ({ rule: RULES.types, why: `lhs is ${lhs.shape.type}, rhs is ${rhs.shape.type}. Convert one of them first.`, columns: [] }),
  ],
];

/** @param {Model} model @returns {Breach | undefined} undefined for what has nothing to do with broadcasting */
export function breachOf(model) {
  for (const [pattern, explain] of BREACHES) {
    const words = pattern.exec(model.error?.message.split('\n')[0] ?? '');
    if (words) return explain(model, words.slice(1).filter((word) => /^-?\d+$/.test(word)).map(Number), [...words]);
  }
  return undefined;
}

/** What NumPy would do without numbers, and why XLA does not. @param {Model} model */
function withoutNumbers({ lhs, rhs, lower, placements }) {
  const [low, high] = lower === 'lhs' ? [lhs, rhs] : [rhs, lhs];
  const guess = low.sizes.map((_, i) => high.sizes.length - low.sizes.length + i);
  const legal = placements.filter((placement) => placement.legal);
  const fits = legal.some(({ dimensions }) => dimensions.join() === guess.join());
  const choice =
    legal.length === 0
      ? 'Here no choice of numbers is legal either.'
      : legal.length === 1
        ? `Here only ${braces(legal[0].dimensions)} is legal.`
        : `Here ${list(legal.map(({ dimensions }) => braces(dimensions)))} are ${legal.length > 2 ? 'all' : 'both'} legal, with different results.`;
  return (
    `${low.name} has rank ${low.sizes.length}, ${high.name} rank ${high.sizes.length}. ` +
    `NumPy would line dimensions up from the right, ${braces(guess)}${fits ? '' : ', and fail'}; ` +
    `XLA's builder has no such implicit mode and asks you to say it. ${choice}`
  );
}

// ---- Steps ----

/** What happens to dimension numbers. @param {Model} model @returns {string[]} sentences */
export function placingWords({ lhs, rhs, lower, placed }) {
  if (lhs.sizes.length + rhs.sizes.length === 0) return ['Both operands are scalars: there are no dimensions.'];
  if (!lower || !placed) return [`Both operands have rank ${lhs.sizes.length}: there is nothing to place.`];
  const [low, high] = lower === 'lhs' ? [lhs, rhs] : [rhs, lhs];
  if (low.sizes.length === 0)
    return [`${low.name} is a scalar and needs no dimension numbers: its one element goes with every element of ${high.name}.`];
  const fresh = placed.sizes.flatMap((size, i) => (low.places.includes(i) ? [] : [`dimension ${i} (size ${size})`]));
  const moved = low.places.map((place, i) => `${i === 0 ? 'its dimension' : 'dimension'} ${i} becomes dimension ${place}`);
  return [
    `${low.name} has rank ${low.sizes.length}, ${high.name} rank ${high.sizes.length}. By ${braces(low.places)}, ${list(moved)}.`,
    fresh.length > 1
      ? `New to it are ${list(fresh)}, as large as in ${high.name}: it is repeated along them.`
      : `New to it is ${fresh}, as large as in ${high.name}: it is repeated along it.`,
  ];
}

/** What happens to sizes of 1. @param {Model} model @returns {string[]} sentences */
export function stretchingWords({ lhs, rhs, lower, placed, result }) {
  if (!result) return [];
  const sizesOf = (/** @type {Side} */ side) => (placed && side.name === lower ? placed.sizes : side.sizes);
  const stretched = result.sizes.flatMap((size, i) =>
    [lhs, rhs]
      .filter((side) => sizesOf(side)[i] !== size)
      .map(({ name }) => `${name}, of size 1 in dimension ${i}, ${size === 0 ? 'becomes as empty as the other' : `is stretched to ${size}`}`),
  );
  if (result.sizes.length === 0) return ['There is nothing to stretch.'];
  if (stretched.length === 0) return ['Now all sizes are equal: there is nothing to stretch.'];
  return [`${stretched.join('; ')}.${stretched.length < result.sizes.length ? ' All other sizes are equal.' : ''}`];
}

// ---- Words ----

/** @param {readonly (string | number)[]} items */
export function list(items) {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** @param {readonly number[]} numbers */
export function braces(numbers) {
  return `{${numbers.join(', ')}}`;
}

/** @param {number} number @param {string} noun */
export function count(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
