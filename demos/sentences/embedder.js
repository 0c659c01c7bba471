// Sentences to embeddings: the tokenizer, the program, and how near two embeddings are.
import { Tokenizer } from '@huggingface/tokenizers';
import { Bound } from '../models/bound.js';

/** Sentences are filled up to one of these lengths, so that few programs are compiled. */
const LENGTHS = [16, 32, 64, 128, 256, 512];
const LONGEST = 512;

export class Embedder {
  #tokenizer;
  #programs;
  #width;

  /**
   * @param {any} hlo a runtime, of this thread or in a worker
   * @param {any} module sentences.mlirbc
   * @param {import('../models/weights.js').Weights} weights of model.safetensors
   * @param {any} tokenizer what tokenizer.json holds
   */
  constructor(hlo, module, weights, tokenizer) {
    this.#tokenizer = new Tokenizer({ ...tokenizer, padding: null, truncation: null }, {});
    this.#programs = new Bound(hlo, module, weights);
    this.#width = module.outputs[0].dimensions[0];
  }

  /** The tokens of a sentence, no more than the model has places for. @param {string} text @returns {number[]} */
  tokens(text) {
    const { ids } = this.#tokenizer.encode(text);
    return ids.length <= LONGEST ? ids : [...ids.slice(0, LONGEST - 1), ids[ids.length - 1]];
  }

  /** The embedding of tokens: a vector of length 1. @param {readonly number[]} tokens @returns {Promise<Float32Array>} */
  async embedTokens(tokens) {
    const length = LENGTHS.find((size) => size >= tokens.length) ?? LONGEST;
    const run = await this.#programs.at([`s32[${length}]`, 's32[]']);
    const filled = new Int32Array(length);
    filled.set(tokens);
    const result = await run([filled, new Int32Array([tokens.length])]);
    const embedding = await result.toTypedArray();
    result.dispose();
    return embedding;
  }

  /** The embedding of a sentence. @param {string} text */
  embed(text) {
    return this.embedTokens(this.tokens(text));
  }

  /** How many numbers an embedding has. */
  get width() {
    return this.#width;
  }
}

/** The cosine of the angle of two embeddings: 1 where they point the same way. @param {Float32Array} a @param {Float32Array} b */
export function similarity(a, b) {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}
