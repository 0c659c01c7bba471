// The network with its layers laid open: the module's own text, whose result becomes a tuple of what is worth seeing.

/**
 * @typedef {object} Layer
 * @property {string} instruction of digits.hlo
 * @property {string} title
 * @property {string} words
 */

/** @type {Layer[]} */
export const layers = [
  { instruction: 'image.1', title: 'What the network sees', words: '8×8 pixels, each the share of ink in its square' },
  { instruction: 'max.9', title: 'Convolution 3×3, 16 features, ReLU', words: 'strokes and edges' },
  { instruction: 'max.10', title: 'Convolution 3×3, 32 features, ReLU', words: 'corners, ends and arcs, made of the features before' },
  { instruction: 'reduce_window_max.7', title: 'Maximum of each 2×2 window', words: 'where something is, roughly' },
  { instruction: 'max.11', title: 'Dot with 288×64 weights, ReLU', words: '64 numbers that sum up the image' },
  { instruction: 'add.19', title: 'Dot with 64×10 weights', words: 'one number for each digit: the greatest wins' },
];

/**
 * The module with a tuple of all layers as its result.
 * @param {string} text of digits.hlo
 * @returns {string}
 */
export function opened(text) {
  const shapes = layers.map(({ instruction }) => {
    const found = new RegExp(`^\\s*(?:ROOT )?${instruction.replaceAll('.', '\\.')} = (\\S+) `, 'm').exec(text);
    if (!found) throw new Error(`digits.hlo has no instruction ${instruction}`);
    return found[1];
  });
  const tuple = `  ROOT layers = (${shapes.join(', ')}) tuple(${layers.map(({ instruction }) => instruction).join(', ')})\n}`;
  const entry = text.lastIndexOf('ENTRY ');
  const body = text
    .slice(entry)
    .replace('ROOT add.19', 'add.19')
    .replace(/\}\s*$/, tuple);
  return text.slice(0, entry).replace(/, entry_computation_layout=\{.*\}/, '') + body;
}
