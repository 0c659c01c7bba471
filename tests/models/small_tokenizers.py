"""Writes small-tokenizers.json: two small tokenizers, and what the library `tokenizers` makes of texts with them.

    pip install tokenizers
    python small_tokenizers.py
"""

import json
from pathlib import Path

from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the bread is warm ##er ##s , . ! ? cafe nai ##ve 你 2 ##4".split()
SENTENCES = ["The bread is warm.", "Breads, WARMER!", "the  naïve\tcafé?", "你是 24", "", "unknown words"]
TEXTS = ["Hello 42!", "  two spaces\nline", "naïve 你好", "<|im_start|>user\nhi<|im_end|>\n", "it's 3.14", ""]


def bert():
    return {
        "version": "1.0",
        "truncation": None,
        "padding": {"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [
            {"id": n, "special": True, "content": WORDS[n], "single_word": False, "lstrip": False, "rstrip": False, "normalized": False} for n in range(5)
        ],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {name: {"id": name, "ids": [WORDS.index(name)], "tokens": [name]} for name in ("[CLS]", "[SEP]")},
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {word: n for n, word in enumerate(WORDS)},
        },
    }


def letters_of_bytes():
    """The letters that stand for bytes in vocabularies like GPT-2's."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + n) for n, byte in enumerate(others)}}


def facts():
    """What a GGUF file with a small vocabulary says."""
    merges = ["l l", "h e", "he ll", "hell o", "H e", "He ll", "Hell o", "Ġ t", "Ġt w", "Ġtw o", "i t", "' s", "u s", "us e", "use r", "h i"]
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tokens = [*special, *letters_of_bytes().values(), *("".join(merge.split()) for merge in merges)]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3] * len(special) + [1] * (len(tokens) - len(special)),
        "tokenizer.ggml.merges": merges,
    }


def gpt(of):
    tokens = of["tokenizer.ggml.tokens"]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": n, "special": True, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
            for n, token in enumerate(tokens[:3])
        ],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Digits", "individual_digits": True},
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            ],
        },
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": {token: n for n, token in enumerate(tokens)},
            "merges": of["tokenizer.ggml.merges"],
        },
    }


def main():
    whole = bert()
    words = Tokenizer.from_str(json.dumps(whole))
    words.no_padding()
    pieces = Tokenizer.from_str(json.dumps(gpt(facts())))
    found = {
        "sentences": {"tokenizer": whole, "cases": [[text, words.encode(text).ids] for text in SENTENCES]},
        "chat": {"facts": facts(), "cases": [[text, pieces.encode(text).ids] for text in TEXTS]},
    }
    (HERE / "small-tokenizers.json").write_text(json.dumps(found, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
