// Puzzles whose answers need a program that is built or run: loaded when one stands on a page.
import { collectiveModel } from './collective-model.js';
import { multiIndex } from './grid-index.js';
import { convertAll, distanceOf } from './number-model.js';
import { opModel } from './op-model.js';
import { attributesOf } from './op-text.js';
import { answered, answeredOne, integers } from './puzzles.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./puzzles.js').Puzzle} Puzzle */
/** @typedef {(hlo: Runtime, get: (name: string) => string) => Promise<Puzzle>} AskedKind */

const listOf = (/** @type {string} */ text) => text.split(';').map((part) => part.trim());
const words = (/** @type {string} */ text) => text.split(/[\s,]+/).filter(Boolean);

/** Attributes worth telling: empty lists say nothing. @param {string} attrs */
const telling = (attrs) => [...attributesOf(attrs)].filter(([, value]) => value !== '{}').map(([name, value]) => `${name}=${value}`).join(', ');

/** The op of a question, followed. @param {Runtime} hlo @param {(name: string) => string} get */
async function modelOf(hlo, get) {
  const row = hlo.ops.find(({ name }) => name === get('op'));
  if (!row) throw new RangeError(`there is no op ${JSON.stringify(get('op'))}`);
  const operands = listOf(get('operands'));
  const values = listOf(get('values'));
  return opModel(hlo, { row, operands, values: operands.map((_, i) => values[i] ?? ''), attributes: attributesOf(get('attrs')) });
}

/** @type {Record<string, AskedKind>} */
export const askedPuzzles = {
  /** op, operands, attrs: what are the dimensions of the result? */
  async result(hlo, get) {
    const [op, attrs] = [get('op'), get('attrs')];
    const parameters = listOf(get('operands'));
    /** @type {number[] | undefined} */
    let sizes;
    let refusal = '';
    try {
      const builder = hlo.builder('question');
      const operands = parameters.map((text, i) => builder.parameter(i, text));
      const options = Object.fromEntries([...attributesOf(attrs)].map(([name, value]) => [name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()), /^-?\d+$/.test(value) ? Number(value) : integers(value)]));
      sizes = builder.instruction(/** @type {any} */ (op), operands, options).shape.dimensions.map(Number);
      builder.dispose();
    } catch (error) {
      refusal = /** @type {Error} */ (error).message;
    }
    const right = sizes ? `[${sizes.join(',')}]` : 'illegal';
    const isSmall = (/** @type {readonly number[]} */ of) => of.reduce((product, size) => product * size, 1) <= 400;
    const few = sizes && isSmall(sizes) && parameters.every((text) => hlo.shape(text).elementCount <= 400) && /^(gather|scatter|dot)$/.test(op);
    return {
      question: `What are the dimensions of the result of ${op} on ${parameters.join(' and ')}, with ${telling(attrs)}?`,
      form: 'such as [2,3], or "illegal"',
      answer: right,
      judge(answer) {
        if (/illegal|no/i.test(answer)) return sizes ? { right: false, words: 'It is legal.' } : { right: true, words: `Yes, it is refused: ${refusal}` };
        const guess = answered(answer);
        if (!guess) return { right: false, words: 'Give the sizes, such as [2,3], or "illegal".' };
        if (!sizes) return { right: false, words: 'The runtime refuses it. Which rule does it break?' };
        if (`[${guess}]` === right) return { right: true, words: `Yes: ${right}.` };
        if (guess.length !== sizes.length) return { right: false, words: `Not ${guess.length} dimension${guess.length === 1 ? '' : 's'}: count again which ones are left out, and which stay.` };
        const same = [...guess].sort().join() === [...sizes].sort().join();
        return { right: false, words: same ? 'These are the sizes, but not their order.' : `Not [${guess}].` };
      },
      ...(few ? { picture: { element: 'hlo-index-map', op, operands: get('operands'), attrs, at: sizes?.map(() => 0).join(',') || '()' } } : {}),
    };
  },

  /** op, operands, values, attrs, at: which element of the first operand is it? */
  async origin(hlo, get) {
    const model = await modelOf(hlo, get);
    if (model.error) throw new Error(model.error.message);
    const index = integers(get('at'));
    const flat = index.reduce((sum, at, d) => sum * model.outputs[0].sizes[d] + at, 0);
    const source = model.origins[0][flat].data.find(({ operand }) => operand === 0);
    if (!source) throw new Error('this element comes from no element of the operand');
    const [operand] = model.operands;
    const right = multiIndex(operand.sizes, source.flat);
    const others = model.operands.slice(1).map(({ name, shape, values }) => `${name} ${shape.type}[${shape.dimensions}] with ${values.join(', ')}`).join('; ');
    return {
      question: `${model.row.name} on ${operand.name} ${operand.shape.type}[${operand.sizes}] and ${others}; ${telling(get('attrs'))}. Which element of ${operand.name} is result[${index}]?`,
      form: `such as (${operand.sizes.map(() => 0)})`,
      answer: `(${right})`,
      judge(answer) {
        const guess = answered(answer);
        if (guess?.length !== right.length) return { right: false, words: `Give ${right.length} numbers, one for each dimension of ${operand.name}.` };
        if (`${guess}` === `${right}`) return { right: true, words: `Yes: result[${index}] is ${operand.name}[${right}].` };
        const wrong = right.flatMap((at, d) => (at === guess[d] ? [] : [d]));
        return { right: false, words: `Not in dimension${wrong.length > 1 ? 's' : ''} ${wrong.join(' and ')}.` };
      },
      picture: { element: 'hlo-index-map', op: get('op'), operands: get('operands'), values: get('values'), attrs: get('attrs'), at: index.join(',') },
    };
  },

  /** type, value: what does a number become in this type? */
  async round(hlo, get) {
    const [type, value] = [get('type'), get('value')];
    const [{ text: right }] = await convertAll(hlo, value, [type]);
    return {
      question: `What does ${value} become when it is converted to ${type}?`,
      form: 'a number, inf or nan',
      answer: right,
      judge(answer) {
        const guess = answer.trim().replace('−', '-').replace('∞', 'inf').toLowerCase();
        if (guess === right || (guess !== '' && Number(guess) === Number(right))) return { right: true, words: `Yes: ${right}.` };
        return { right: false, words: `Not ${answer.trim()}. Which numbers of ${type} lie next to ${value}?` };
      },
    };
  },

  /** type, value, answer: how many steps is one number from another? */
  async ulps(hlo, get) {
    const [type, value, other] = [get('type'), get('value'), get('answer')];
    const right = await distanceOf(hlo, type, value, other);
    return {
      question: `How many ulps lie between ${value} and ${other} in ${type}, each rounded to it?`,
      form: 'a number',
      answer: String(right),
      judge(answer) {
        const guess = answeredOne(answer);
        if (guess === undefined) return { right: false, words: 'Give one whole number: the steps from one to the next number of the type.' };
        return guess === Number(right) ? { right: true, words: `Yes: ${right}.` } : { right: false, words: `Not ${guess}.` };
      },
    };
  },

  /** op, operands, values, attrs, devices, at: what does a device have afterwards? */
  async device(hlo, get) {
    const device = Number(get('at'));
    const model = await collectiveModel(hlo, { op: get('op'), shape: get('operands'), devices: Number(get('devices') || 4), attrs: get('attrs'), values: get('values') });
    const right = model.after[device].values;
    return {
      question: `${model.devices} replicas have ${model.before.map(({ values }) => `(${values.join(', ')})`).join(', ')}. After ${get('op')} with ${telling(get('attrs'))}, what does replica ${device} have?`,
      form: 'numbers',
      answer: `(${right.join(', ')})`,
      judge(answer) {
        const guess = words(answer.replace(/[()[\]{}]/g, ' ')).map(Number);
        if (guess.length !== right.length) return { right: false, words: `Not ${guess.length} number${guess.length === 1 ? '' : 's'}.` };
        const same = guess.every((number, i) => number === Number(right[i]));
        return same ? { right: true, words: `Yes: (${right.join(', ')}).` } : { right: false, words: 'Not these. Who is in its group, and what does each send?' };
      },
    };
  },
};
