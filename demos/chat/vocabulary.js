// The tokenizer of a GGUF file, made of the facts at its head.
import { Tokenizer } from '@huggingface/tokenizers';

const CONTROL = 3;

/**
 * @param {Readonly<Record<string, any>>} facts `metadata` of the weights
 * @returns {Tokenizer}
 */
export function tokenizerOf(facts) {
  const [model, kind] = [facts['tokenizer.ggml.model'], facts['tokenizer.ggml.pre']];
  if (model !== 'gpt2' || kind !== 'smollm') throw new Error(`this demo knows the tokenizer of SmolLM2, and the file has ${model}, ${kind}`);
  /** @type {string[]} */
  const tokens = facts['tokenizer.ggml.tokens'];
  /** @type {number[]} */
  const types = facts['tokenizer.ggml.token_type'];
  const special = tokens.flatMap((content, id) => (types[id] === CONTROL ? [{ id, content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false }] : []));
  return new Tokenizer(
    {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: special,
      normalizer: null,
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          { type: 'Digits', individual_digits: true },
          { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
        ],
      },
      post_processor: null,
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges: facts['tokenizer.ggml.merges'],
      },
    },
    {},
  );
}

/** @typedef {{ role: 'system' | 'user' | 'assistant', content: string }} Message */

const SYSTEM = 'You are a helpful AI assistant named SmolLM, trained by Hugging Face';

/**
 * The text of a conversation as the model was trained to read it, up to where its answer begins.
 * @param {readonly Message[]} messages
 */
export function conversation(messages) {
  const all = messages[0]?.role === 'system' ? messages : [{ role: 'system', content: SYSTEM }, ...messages];
  return `${all.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')}<|im_start|>assistant\n`;
}

/** Text from tokens, as they come: a character whose bytes are not all there yet waits. */
export class Speech {
  #tokenizer;
  /** @type {number[]} */
  #tokens = [];
  #shown = 0;

  /** @param {Tokenizer} tokenizer */
  constructor(tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** The tokens that end an answer. @returns {number[]} */
  get ends() {
    return ['<|im_end|>', '<|endoftext|>'].map((text) => /** @type {number} */ (this.#tokenizer.token_to_id(text)));
  }

  /** What a token adds to the text. @param {number} token @returns {string} */
  add(token) {
    this.#tokens.push(token);
    const text = this.#text();
    return text.endsWith('\ufffd') ? '' : this.#show(text);
  }

  /** What is left at the end. @returns {string} */
  rest() {
    return this.#show(this.#text());
  }

  #text() {
    return this.#tokens.length === 0 ? '' : this.#tokenizer.decode(this.#tokens, { skip_special_tokens: true });
  }

  /** @param {string} text */
  #show(text) {
    const added = text.slice(this.#shown);
    this.#shown = text.length;
    return added;
  }
}
