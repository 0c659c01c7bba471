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
const integers = (text) => (text.match(/-?\d+/g) ?? []).map(Number);
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
        const [guess] = integers(answer);
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
        const guess = integers(answer);
        if (!inside(shape, guess)) return { right: false, words: `Give one index for each dimension: ${sizes(shape).map((size) => `0 to ${size - 1}`).join(', ')}.` };
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
        const [guess] = integers(answer.replace(/(?<=\d)[ ,](?=\d{3})/g, ''));
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
        const guess = `[${integers(answer).join(',')}]`;
        if (!result) return { right: false, words: 'The runtime refuses it. Which rule does it break?' };
        return guess === result ? { right: true, words: `Yes: ${result}.` } : { right: false, words: `Not ${guess}.` };
      },
      picture: { element: 'hlo-broadcast', lhs: get('lhs'), rhs: get('rhs'), dimensions: get('dimensions') },
    };
  },
};
