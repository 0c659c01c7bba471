// What a puzzle asks, and how the runtime judges an answer. Nothing here knows an answer beforehand.

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Shape} Shape */
/**
 * @typedef {object} Verdict
 * @property {boolean} right
 * @property {string} words what to tell the reader
 */
/**
 * @typedef {object} Puzzle
 * @property {string} question
 * @property {string} form of an answer, as an example
 * @property {string} [text] a program that the question is about
 * @property {(answer: string) => Verdict} judge
 * @property {string} answer
 * @property {Record<string, string>} [picture] attributes of the element that shows it, under `element`
 * @property {Record<string, string>} [again] attributes of another puzzle of this kind
 */
/** @typedef {(hlo: Runtime, get: (name: string) => string) => Puzzle} PuzzleKind */

/** @param {readonly number[]} index */
const tuple = (index) => `(${index.join(',')})`;
/** @param {number} size */
const below = (size) => Math.floor(Math.random() * size);
/** Every integer of a text. @param {string} text */
export const integers = (text) => (text.match(/-?\d+/g) ?? []).map(Number);
/** The integers of an answer, in brackets or not; undefined if there is anything else. @param {string} answer */
export function answered(answer) {
  const words = answer.split(/[\s,;()[\]{}]+/).filter(Boolean);
  return words.every((word) => /^-?\d{1,15}$/.test(word)) ? words.map(Number) : undefined;
}
/** The one integer of an answer. @param {string} answer */
export function answeredOne(answer) {
  const list = answered(answer);
  return list?.length === 1 ? list[0] : undefined;
}
/** @param {Shape} shape */
const sizes = (shape) => /** @type {number[]} */ (shape.dimensions);
/** @param {Shape} shape */
const anyIndex = (shape) => sizes(shape).map(below);
/** @param {Shape} shape @param {readonly number[]} index */
const inside = (shape, index) => index.length === shape.rank && index.every((i, d) => i >= 0 && i < sizes(shape)[d]);
/** Elements that memory has room for, padding included. @param {Shape} shape */
const places = (shape) => Math.round(shape.arraySize / (shape.byteSize / shape.elementCount));

/** @param {Shape} shape @param {number} offset in words */
function tenant(shape, offset) {
  const index = shape.multiIndex(offset);
  return index ? `element ${tuple(index)}` : 'padding';
}

/** What holds values and computes none. */
const GIVEN = ['parameter', 'constant', 'tuple', 'get-tuple-element'];

/** The graph of a program. @param {Runtime} hlo @param {string} text @param {boolean} optimised as the passes leave it @returns {import('./graph-model.js').Graph} */
function graphOf(hlo, text, optimised) {
  const module = hlo.parse(text);
  try {
    return hlo.core.askJson('module_drawn', module.pointer, optimised);
  } finally {
    module.dispose();
  }
}

/** The instructions that compute something. @param {import('./graph-model.js').Graph['computations'][number]} computation */
const working = ({ instructions }) => instructions.filter(({ op }) => !GIVEN.includes(op));

/** The lines of a text without what they have in common at their beginning. @param {string} text */
export function dedented(text) {
  const lines = text.replace(/^\s*\n|\s+$/g, '').split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** @type {Record<string, PuzzleKind>} */
export const puzzles = {
  /** shape, at: at which offset does an element lie? */
  offset(hlo, get) {
    const shape = hlo.shape(get('shape'));
    const index = integers(get('at'));
    const offset = shape.linearIndex(index);
    const room = places(shape);
    return {
      question: `At which offset does element ${tuple(index)} of ${shape} lie?`,
      form: 'a number',
      answer: String(offset),
      judge(answer) {
        const guess = answeredOne(answer);
        if (guess === undefined) return { right: false, words: 'Give one number, counted in elements from 0.' };
        if (guess === offset) return { right: true, words: `Yes: ${tuple(index)} lies at ${offset}.` };
        if (guess < 0 || guess >= room) return { right: false, words: `The array's memory has offsets 0 to ${room - 1} only.` };
        return { right: false, words: `Not there: at ${guess} lies ${tenant(shape, guess)}.` };
      },
      picture: { element: 'hlo-layout', shape: get('shape'), at: index.join(',') },
      again: { at: anyIndex(shape).join(',') },
    };
  },

  /** shape, offset: which element lies there? */
  index(hlo, get) {
    const shape = hlo.shape(get('shape'));
    const offset = Number(get('offset'));
    const index = shape.multiIndex(offset);
    const right = index ? `${tuple(index)} lies at ${offset}` : `offset ${offset} is padding`;
    return {
      question: `Which element of ${shape} lies at offset ${offset}? (An offset may also hold padding.)`,
      form: `such as ${tuple(sizes(shape).map(() => 0))}, or "padding"`,
      answer: index ? tuple(index) : 'padding',
      judge(answer) {
        if (/pad/i.test(answer)) return index ? { right: false, words: `There is an element at ${offset}.` } : { right: true, words: `Yes: ${right}.` };
        const guess = answered(answer);
        if (!guess || !inside(shape, guess)) return { right: false, words: `Give one index for each dimension: ${sizes(shape).map((size) => `0 to ${size - 1}`).join(', ')}.` };
        const lies = shape.linearIndex(guess);
        return lies === offset ? { right: true, words: `Yes: ${right}.` } : { right: false, words: `Element ${tuple(guess)} lies at ${lies}.` };
      },
      picture: { element: 'hlo-layout', shape: get('shape'), at: index ? index.join(',') : '' },
      again: { offset: String(below(places(shape))) },
    };
  },

  /** shape: how many bytes does it take? */
  bytes(hlo, get) {
    const shape = hlo.shape(get('shape'));
    return {
      question: `How many bytes of memory does ${shape} take?`,
      form: 'a number',
      answer: String(shape.arraySize),
      judge(answer) {
        const guess = answeredOne(answer.replace(/(?<=\d)[ ,](?=\d{3})/g, ''));
        if (guess === undefined) return { right: false, words: 'Give one number.' };
        if (guess === shape.arraySize) return { right: true, words: `Yes: ${shape.arraySize} bytes, of which the elements need ${shape.byteSize}.` };
        const words = guess === shape.byteSize ? 'That is what the elements need; the padding takes memory too.' : 'No: count whole tiles, and the bytes of an element.';
        return { right: false, words };
      },
      picture: { element: 'hlo-layout', shape: get('shape') },
    };
  },

  /** shape (without layout), goal: the letters a, b, c, ... of the array in the order of memory; "0" is padding */
  order(hlo, get) {
    const bare = hlo.shape(get('shape'));
    const goal = get('goal').trim().split(/\s+/).join(' ');
    const letters = Array.from({ length: bare.elementCount }, (_, i) => String.fromCharCode(97 + i));
    return {
      question: `The elements of ${get('shape')} are ${letters.join(' ')}, in row-major order. Which layout puts them into memory as ${goal}?`,
      form: `such as {${sizes(bare).map((_, d) => sizes(bare).length - 1 - d).join(',')}}`,
      answer: get('answer'),
      judge(answer) {
        const given = answer.trim();
        const text = given.startsWith('{') ? given : given.includes('[') ? given.slice(given.indexOf(']') + 1) : `{${given}}`;
        /** @type {Shape} */
        let shape;
        try {
          shape = hlo.shape(`${get('shape')}${text}`);
        } catch (error) {
          return { right: false, words: /** @type {Error} */ (error).message };
        }
        const memory = Array.from({ length: places(shape) }, () => '0');
        shape.offsets().forEach((offset, i) => (memory[offset] = letters[i]));
        const order = memory.join(' ');
        return order === goal ? { right: true, words: `Yes: ${shape} lies as ${order}.` } : { right: false, words: `${shape} would lie as ${order}.` };
      },
    };
  },

  /** lhs, rhs, dimensions: what is the shape of their sum? */
  broadcast(hlo, get) {
    const dimensions = integers(get('dimensions'));
    const words = `${get('lhs')} + ${get('rhs')}${dimensions.length > 0 ? `, broadcast dimensions ${tuple(dimensions)}` : ''}`;
    /** @type {string | undefined} */
    let result;
    let refusal = '';
    try {
      const b = hlo.builder();
      const options = dimensions.length > 0 ? { broadcastDimensions: dimensions } : {};
      const sum = b.add(b.parameter(0, get('lhs')), b.parameter(1, get('rhs')), options);
      result = `[${sizes(sum.shape).join(',')}]`;
    } catch (error) {
      refusal = /** @type {Error} */ (error).message;
    }
    return {
      question: `What are the dimensions of ${words}, if it is legal at all?`,
      form: 'such as [2,3], or "illegal"',
      answer: result ?? 'illegal',
      judge(answer) {
        if (/illegal|no/i.test(answer))
          return result ? { right: false, words: 'It is legal.' } : { right: true, words: `Yes, it is refused: ${refusal}` };
        const list = answered(answer);
        if (!list) return { right: false, words: 'Give the sizes, such as [2,3], or "illegal".' };
        const guess = `[${list.join(',')}]`;
        if (!result) return { right: false, words: 'The runtime refuses it. Which rule does it break?' };
        return guess === result ? { right: true, words: `Yes: ${result}.` } : { right: false, words: `Not ${guess}.` };
      },
      picture: { element: 'hlo-broadcast', lhs: get('lhs'), rhs: get('rhs'), dimensions: get('dimensions') },
    };
  },

  /** program, at: which shape does an instruction get? */
  shape(hlo, get) {
    const [text, name] = [dedented(get('program')), get('at')];
    const { computations, entry } = graphOf(hlo, text, false);
    const found = computations[entry].instructions.find((instruction) => instruction.name === name);
    if (!found) throw new Error(`hlo-puzzle: the program has no instruction ${name}`);
    const answer = found.shape.replace(/\{.*/, '');
    const [type] = answer.split('[');
    return {
      question: `Which shape does ${name} get, where the question mark is?`,
      text: text.replace(new RegExp(`(^|\\s)(${name.replaceAll('.', '\\.')} = )\\S+`), '$1$2?'),
      form: `such as ${type}[2,3]`,
      answer,
      judge(given) {
        const guess = given.replace(/\s+/g, '').replace(/\{.*/, '');
        if (guess === answer || `${type}${guess}` === answer) return { right: true, words: `Yes: ${answer}.` };
        const [sizesGiven, sizesRight] = [integers(guess.slice(guess.indexOf('['))), integers(answer.slice(answer.indexOf('[')))];
        if (sizesGiven.length !== sizesRight.length) return { right: false, words: `No: count the dimensions. There are ${sizesRight.length}.` };
        return { right: false, words: sizesGiven.join() === sizesRight.join() ? 'The sizes are right; the type is another.' : `Not ${guess}: which dimensions does ${found.op} leave over, and in which order?` };
      },
    };
  },

  /** program, at: what becomes one loop with an instruction? */
  fused(hlo, get) {
    const [text, name] = [dedented(get('program')), get('at')];
    const { computations } = graphOf(hlo, text, true);
    const known = working(graphOf(hlo, text, false).computations.find(({ instructions }) => instructions.some((one) => one.name === name)) ?? { name: '', root: 0, instructions: [] }).map((one) => one.name);
    if (!known.includes(name)) throw new Error(`hlo-puzzle: the program has no instruction ${name}`);
    const loops = computations.flatMap(({ instructions }) => instructions.filter(({ op }) => op === 'fusion').flatMap(({ calls }) => calls.map((called) => working(computations[called]).map((one) => one.name))));
    const others = (loops.find((names) => names.includes(name)) ?? []).filter((one) => one !== name);
    const answer = others.join(', ') || 'none';
    return {
      question: `Which instructions become one loop with ${name}?`,
      text,
      form: 'their names, or "none"',
      answer,
      judge(given) {
        const guess = given.split(/[\s,;%]+/).filter((word) => word && word !== name && word !== 'none' && word !== 'and');
        const unknown = guess.find((one) => !known.includes(one));
        if (unknown) return { right: false, words: `${unknown} is no instruction of this program that computes something.` };
        const apart = guess.find((one) => !others.includes(one));
        if (apart) return { right: false, words: `${apart} is not in that loop.` };
        const missing = others.filter((one) => !guess.includes(one)).length;
        if (missing) return { right: false, words: guess.length ? `So far so good: ${missing} more.` : 'There is something that goes with it.' };
        return { right: true, words: `Yes: ${others.length ? `${[name, ...others].join(', ')} are one loop.` : `${name} stays alone.`}` };
      },
    };
  },

  /** program: how many instructions are left when the passes are done? */
  left(hlo, get) {
    const text = dedented(get('program'));
    const { computations, entry } = graphOf(hlo, text, true);
    const names = working(computations[entry]);
    const words = names.map(({ name, op }) => (name === op ? name : `${name} (${op})`)).join(', ');
    const before = graphOf(hlo, text, false);
    const written = working(before.computations[before.entry]).length;
    return {
      question: `Of these ${written} instructions that compute something, how many are left when the passes are done? A fusion counts as one.`,
      text,
      form: 'a number',
      answer: String(names.length),
      judge(given) {
        const guess = answeredOne(given);
        if (guess === undefined) return { right: false, words: 'Give one number. Parameters and constants do not count.' };
        if (guess === names.length) return { right: true, words: `Yes: ${names.length ? words : 'none'}.` };
        return { right: false, words: guess > names.length ? 'Fewer are left: which of them change nothing, or are never used?' : 'More are left.' };
      },
    };
  },
};
