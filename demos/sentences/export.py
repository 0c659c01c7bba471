"""Writes the program of the sentences demo: MiniLM, a BERT encoder, in plain JAX.

    pip install jax safetensors
    python export.py                    # sentences.mlirbc, and the small model of the tests
    python export.py FOLDER             # and compares: what JAX computes with the weights in that folder

The program holds no weights. It takes them as inputs, which have the names of the
tensors in model.safetensors. The length of a sentence is symbolic: one file serves all.
"""

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

jax.config.update("jax_traceback_in_locations_limit", 0)  # the program names its inputs, and no lines of this file
HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[1] / "tests" / "models"
MINILM = dict(vocabulary=30522, positions=512, width=384, hidden=1536, layers=6, heads=12)
SMALL = dict(vocabulary=50, positions=16, width=16, hidden=32, layers=2, heads=2)
EPSILON = 1e-12


def shapes(model):
    """The tensors of the file, and their shapes. Matrices are [to, from], as PyTorch has them."""
    width, hidden = model["width"], model["hidden"]
    found = {
        "embeddings.word_embeddings.weight": (model["vocabulary"], width),
        "embeddings.position_embeddings.weight": (model["positions"], width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for n in range(model["layers"]):
        layer = f"encoder.layer.{n}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            found[layer + name + ".weight"] = (width, width)
            found[layer + name + ".bias"] = (width,)
        found[layer + "intermediate.dense.weight"] = (hidden, width)
        found[layer + "intermediate.dense.bias"] = (hidden,)
        found[layer + "output.dense.weight"] = (width, hidden)
        found[layer + "output.dense.bias"] = (width,)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[layer + name + ".weight"] = (width,)
            found[layer + name + ".bias"] = (width,)
    return found


def encoder(model):
    heads = model["heads"]

    def dense(weights, x, name):
        return x @ weights[name + ".weight"].T + weights[name + ".bias"]

    def norm(weights, x, name):
        mean = jnp.mean(x, axis=-1, keepdims=True)
        variance = jnp.mean((x - mean) ** 2, axis=-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + EPSILON) * weights[name + ".weight"] + weights[name + ".bias"]

    @jax.jit
    def layer(weights, x, counts):
        """One layer over x f32[n, width]; its weights are named without `encoder.layer.0.`. One function serves all layers."""

        def split(part):
            y = dense(weights, x, "attention.self." + part)
            return y.reshape(y.shape[0], heads, y.shape[1] // heads).transpose(1, 0, 2)

        query, key, value = map(split, ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) * (query.shape[-1] ** -0.5)
        attention = jax.nn.softmax(jnp.where(counts, scores, -1e30), axis=-1) @ value
        attention = attention.transpose(1, 0, 2).reshape(x.shape)
        x = norm(weights, x + dense(weights, attention, "attention.output.dense"), "attention.output.LayerNorm")
        hidden = jax.nn.gelu(dense(weights, x, "intermediate.dense"), approximate=False)
        return norm(weights, x + dense(weights, hidden, "output.dense"), "output.LayerNorm")

    def embed(weights, tokens, count):
        """The embedding f32[width] of tokens s32[n], of which `count` are the sentence and the rest are filled up."""
        counts = jnp.arange(tokens.shape[0]) < count
        x = weights["embeddings.word_embeddings.weight"][tokens]
        x = x + weights["embeddings.position_embeddings.weight"][: tokens.shape[0]] + weights["embeddings.token_type_embeddings.weight"][0]
        x = norm(weights, x, "embeddings.LayerNorm")
        for n in range(model["layers"]):
            block = f"encoder.layer.{n}."
            x = layer({name.removeprefix(block): value for name, value in weights.items() if name.startswith(block)}, x, counts)
        mean = jnp.sum(jnp.where(counts[:, None], x, 0), axis=0) / count
        return mean / jnp.maximum(jnp.sqrt(jnp.sum(mean * mean)), 1e-12)

    return embed


def array(shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def write(model, path):
    weights = {name: array(shape) for name, shape in shapes(model).items()}
    (length,) = export.symbolic_shape("n", constraints=[f"n <= {model['positions']}"])
    program = export.export(jax.jit(encoder(model)), platforms=["cpu"])(weights, array((length,), jnp.int32), array((), jnp.int32))
    path.write_bytes(program.mlir_module_serialized)
    print(f"{path.name}: {path.stat().st_size} bytes")


def number_of(name):
    """A seed from a name, the same in every run."""
    return sum((n + 1) * byte for n, byte in enumerate(name.encode()))


def small():
    """The small model: random weights, and what XLA computes with them."""
    from safetensors.numpy import save_file

    weights = {}
    for name, shape in shapes(SMALL).items():
        random = np.random.default_rng(number_of(name))
        weights[name] = (random.standard_normal(shape) * (0.5 if len(shape) == 2 else 0.1) + (name.endswith("Norm.weight"))).astype(np.float32)
    TESTS.mkdir(exist_ok=True)
    write(SMALL, TESTS / "small-sentences.mlirbc")
    save_file(weights, TESTS / "small-sentences.safetensors")
    embed = jax.jit(encoder(SMALL))
    cases = []
    for length, count in ((4, 4), (8, 5), (16, 16), (16, 1)):
        tokens = np.random.default_rng(length + count).integers(0, SMALL["vocabulary"], length).astype(np.int32)
        cases.append({"tokens": tokens.tolist(), "count": count, "embedding": [float(x) for x in embed(weights, tokens, count)]})
    (TESTS / "small-sentences.json").write_text(json.dumps(cases, indent=1) + "\n")


def compare(folder):
    """What JAX makes of tokens that stand in FOLDER/tokens.json, a list of lists, with FOLDER/model.safetensors."""
    from safetensors.numpy import load_file

    weights = load_file(folder / "model.safetensors")
    weights = {name: weights[name] for name in shapes(MINILM)}
    embed = jax.jit(encoder(MINILM))
    rows = [np.asarray(embed(weights, np.array(tokens, np.int32), len(tokens))) for tokens in json.loads((folder / "tokens.json").read_text())]
    np.save(folder / "embeddings.npy", np.stack(rows))


if __name__ == "__main__":
    write(MINILM, HERE / "sentences.mlirbc")
    small()
    if len(sys.argv) > 1:
        compare(Path(sys.argv[1]))
