// Sentences to embeddings: the tokenizer, the program, and how near two embeddings are.
import { Tokenizer } from '@huggingface/tokenizers';
import { compileBound } from '../shared/bound.js';

/** Sentences are filled up to one of these lengths, so that few programs are compiled. */
const LENGTHS = [16, 32, 64, 128, 256, 512];
const LONGEST = 512;

export class Embedder {
  #program;
  #tokenizer;

  /** Use `await Embedder.make()`. @param {any} program @param {Tokenizer} tokenizer */
  constructor(program, tokenizer) {
    this.#program = program;
    this.#tokenizer = tokenizer;
  }

  /**
   * @param {any} hlo a runtime, of this thread or in a worker
   * @param {Uint8Array | Promise<Uint8Array>} program sentences.mlirbc
   * @param {any} weights of model.safetensors, or a promise of them
   * @param {any} tokenizer what tokenizer.json holds, or a promise of it: it is read while the weights are on their way
   */
  static async make(hlo, program, weights, tokenizer) {
    const words = Promise.resolve(tokenizer).then((json) => new Tokenizer({ ...json, padding: null, truncation: null }, {}));
    const [compiled, made] = await Promise.all([compileBound(hlo, program, weights), words]);
    return new Embedder(compiled, made);
  }

  /** The tokens of a sentence, no more than the model has places for. @param {string} text @returns {number[]} */
  tokens(text) {
    const { ids } = this.#tokenizer.encode(text);
    return ids.length <= LONGEST ? ids : [...ids.slice(0, LONGEST - 1), ids[ids.length - 1]];
  }

  /** The embedding of tokens: a vector of length 1. @param {readonly number[]} tokens @returns {Promise<Float32Array>} */
  async embedTokens(tokens) {
    const length = LENGTHS.find((size) => size >= tokens.length) ?? LONGEST;
    const filled = new Int32Array(length);
    filled.set(tokens);
    const result = await this.#program.run([filled, tokens.length]);
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
    return this.#program.outputs[0].dimensions[0];
  }
}

/** The cosine of the angle of two embeddings: 1 where they point the same way. @param {Float32Array} a @param {Float32Array} b */
export function similarity(a, b) {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}
