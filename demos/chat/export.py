"""Writes the program of the chat demo: SmolLM2, a llama decoder, in plain JAX.

    pip install jax
    python export.py                    # chat.mlirbc, and the small model of the tests
    python export.py --loop FILE        # the whole of a greedy answer as one program (tests/models/generation.test.js runs a small one)
    pip install gguf
    python export.py MODEL.gguf PROMPT.json     # and prints what JAX answers: 64 tokens, each the likeliest

The program holds no weights. It takes them as inputs, which have the names of the
tensors in the GGUF file, and stay as narrow as they are there: a matrix is whole
numbers (NAME) with, for each group of 32 in a row, an f16 factor (NAME.scale) and,
for Q4_1, an f16 that is added (NAME.minimum).

One step takes n tokens and a cache of c places, both symbolic: the same file reads a
prompt in pieces and writes an answer token by token.
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
SMOLLM2 = dict(vocabulary=49152, width=576, hidden=1536, layers=30, heads=9, groups=3, size=64, base=100000.0)
SMALL = dict(vocabulary=275, width=64, hidden=96, layers=2, heads=4, groups=2, size=16, base=100000.0)
EPSILON = 1e-5
GROUP = 32


def matrices(model):
    """The matrices [to, from] of the file and their types there."""
    width, hidden, size = model["width"], model["hidden"], model["size"]
    found = {"token_embd.weight": ("Q8_0", model["vocabulary"], width)}
    for n in range(model["layers"]):
        for name, to, start in (
            ("attn_q", model["heads"] * size, width),
            ("attn_k", model["groups"] * size, width),
            ("attn_v", model["groups"] * size, width),
            ("attn_output", width, model["heads"] * size),
            ("ffn_gate", hidden, width),
            ("ffn_up", hidden, width),
            ("ffn_down", width, hidden),
        ):
            found[f"blk.{n}.{name}.weight"] = ("Q4_1", to, start)
    return found


def vectors(model):
    layers = [f"blk.{n}.{name}.weight" for n in range(model["layers"]) for name in ("attn_norm", "ffn_norm")]
    return {name: (model["width"],) for name in [*layers, "output_norm.weight"]}


def shapes(model):
    found = {name: (shape, jnp.float32) for name, shape in vectors(model).items()}
    for name, (kind, to, start) in matrices(model).items():
        found[name] = ((to, start), jnp.int8 if kind == "Q8_0" else jnp.uint4)
        found[name + ".scale"] = ((to, start // GROUP), jnp.float16)
        if kind == "Q4_1":
            found[name + ".minimum"] = ((to, start // GROUP), jnp.float16)
    return found


def decoder(model):
    heads, groups, size = model["heads"], model["groups"], model["size"]

    def widened(weights, name, rows=None):
        whole, scale, minimum = (weights.get(name + part) for part in ("", ".scale", ".minimum"))
        if rows is not None:
            whole, scale = whole[rows], scale[rows]  # of the table of tokens, which has no minimum
        wide = whole.reshape(*scale.shape, GROUP).astype(jnp.float32) * scale.astype(jnp.float32)[..., None]
        if minimum is not None:
            wide = wide + minimum.astype(jnp.float32)[..., None]
        return wide.reshape(whole.shape)

    def norm(x, weight):
        return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + EPSILON) * weight

    @jax.jit
    def layer(weights, kept, x, position, last=None):
        """One layer over x f32[n, width]; its weights are named without `blk.0.`. One function serves all layers but the last: of that, all rows
        go into the cache, and only row `last` goes on."""

        def dense(x, name):
            return x @ widened(weights, name + ".weight").T

        length = x.shape[0]
        places = position + jnp.arange(length)
        angles = places[:, None] * (model["base"] ** (-jnp.arange(0, size, 2) / size))[None, :]
        turns = jnp.cos(angles)[:, None, :], jnp.sin(angles)[:, None, :]

        def turned(x, turns):
            """Rotates neighbours, each pair as a point, by the angle of its place."""
            cosine, sine = turns
            pairs = x.reshape(x.shape[0], -1, size // 2, 2)
            a, b = pairs[..., 0], pairs[..., 1]
            return jnp.stack([a * cosine - b * sine, a * sine + b * cosine], axis=-1).reshape(x.shape)

        y = norm(x, weights["attn_norm.weight"])
        key = turned(dense(y, "attn_k").reshape(length, groups, size), turns)
        value = dense(y, "attn_v").reshape(length, groups, size)
        keys = jax.lax.dynamic_update_slice(kept[0], key.transpose(1, 0, 2), (0, position, 0))
        values = jax.lax.dynamic_update_slice(kept[1], value.transpose(1, 0, 2), (0, position, 0))
        if last is not None:
            x, y, places, *turns = (jax.lax.dynamic_slice_in_dim(rows, last, 1) for rows in (x, y, places, *turns))
            length = 1
        query = turned(dense(y, "attn_q").reshape(length, heads, size), turns)
        query = query.reshape(length, groups, heads // groups, size).transpose(1, 2, 0, 3)
        scores = jnp.einsum("ghns,gcs->ghnc", query, keys) * size**-0.5
        seen = jnp.arange(keys.shape[1])[None, :] <= places[:, None]
        attention = jax.nn.softmax(jnp.where(seen, scores, -1e30), axis=-1)
        attention = jnp.einsum("ghnc,gcs->nghs", attention, values).reshape(length, heads * size)
        x = x + dense(attention, "attn_output")
        y = norm(x, weights["ffn_norm.weight"])
        return x + dense(jax.nn.silu(dense(y, "ffn_gate")) * dense(y, "ffn_up"), "ffn_down"), (keys, values)

    def step(weights, cache, tokens, position, count):
        """Takes tokens s32[n], of which `count` count, to stand at `position` and after it. Gives the logits of what
        follows the last one, and the cache with them: for each layer keys and values, f32[groups, c, size]."""
        x = widened(weights, "token_embd.weight", tokens)
        made = []
        for n, kept in enumerate(cache):
            block = f"blk.{n}."
            parts = {name.removeprefix(block): value for name, value in weights.items() if name.startswith(block)}
            x, kept = layer(parts, kept, x, position, count - 1 if n == model["layers"] - 1 else None)
            made.append(kept)
        return (norm(x, weights["output_norm.weight"]) @ widened(weights, "token_embd.weight").T)[0], made

    return step


def generator(model):
    """The whole of a greedy answer as one `while`."""
    step = decoder(model)

    def generate(weights, cache, written, token, position, count, end):
        """Begins with `token` at `position`, and writes the likeliest tokens that follow into `written`, until there are
        `count`, or the one called `end` is among them. Gives how many there are, `written`, and the cache."""

        def goes_on(state):
            made, token, _, _ = state
            return (made < count) & (token != end)

        def one_more(state):
            made, token, cache, written = state
            logits, cache = step(weights, cache, token[None], position + made, 1)
            token = jnp.argmax(logits).astype(jnp.int32)
            return made + 1, token, cache, jax.lax.dynamic_update_slice(written, token[None], (made,))

        made, _, cache, written = jax.lax.while_loop(goes_on, one_more, (jnp.int32(0), token, cache, written))
        return made, written, cache

    return generate


def array(shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def write(model, path):
    weights = {name: array(*of) for name, of in shapes(model).items()}
    length, places = export.symbolic_shape("n, c", constraints=["n <= c"])
    kept = array((model["groups"], places, model["size"]))
    whole = array((), jnp.int32)
    program = export.export(jax.jit(decoder(model)), platforms=["cpu"])(
        weights, [(kept, kept)] * model["layers"], array((length,), jnp.int32), whole, whole
    )
    path.write_bytes(program.mlir_module_serialized)
    print(f"{path.name}: {path.stat().st_size} bytes")


def write_loop(model, path):
    weights = {name: array(*of) for name, of in shapes(model).items()}
    places, room = export.symbolic_shape("c, m")
    kept = array((model["groups"], places, model["size"]))
    whole = array((), jnp.int32)
    program = export.export(jax.jit(generator(model)), platforms=["cpu"])(
        weights, [(kept, kept)] * model["layers"], array((room,), jnp.int32), whole, whole, whole, whole
    )
    path.write_bytes(program.mlir_module_serialized)
    print(f"{path.name}: {path.stat().st_size} bytes")


def empty_cache(model, places):
    return [tuple(np.zeros((model["groups"], places, model["size"]), np.float32) for _ in range(2))] * model["layers"]


def answer(model, weights, prompt, count, places):
    """The likeliest tokens after a prompt, one after the other, and the logits of the first."""
    step = jax.jit(decoder(model))
    logits, cache = step(weights, empty_cache(model, places), np.array(prompt, np.int32), 0, len(prompt))
    first, tokens = np.asarray(logits), []
    margin = np.inf
    for n in range(count):
        best, second = np.sort(np.asarray(logits))[[-1, -2]]
        margin = min(margin, best - second)
        tokens.append(int(np.argmax(logits)))
        logits, cache = step(weights, cache, np.array(tokens[-1:], np.int32), len(prompt) + n, 1)
    print(f"the closest call was {margin:.3g}")
    return tokens, first


def number_of(name):
    """A seed from a name, the same in every run."""
    return sum((n + 1) * byte for n, byte in enumerate(name.encode()))


def random_weights(model):
    weights = {}
    for name, shape in vectors(model).items():
        weights[name] = (1 + 0.1 * np.random.default_rng(number_of(name)).standard_normal(shape)).astype(np.float32)
    for name, (kind, to, start) in matrices(model).items():
        random = np.random.default_rng(number_of(name))
        wide = random.standard_normal((to, start // GROUP, GROUP)) * (0.3 if kind == "Q8_0" else 5 * start**-0.5)
        if kind == "Q8_0":
            scale = (np.abs(wide).max(-1) / 127).astype(np.float16)
            weights[name] = np.round(wide / scale[..., None].astype(np.float64)).clip(-127, 127).astype(np.int8)
        else:
            minimum = wide.min(-1).astype(np.float16)
            scale = ((wide.max(-1) - minimum) / 15).astype(np.float16)
            weights[name] = np.round((wide - minimum[..., None]) / scale[..., None].astype(np.float64)).clip(0, 15).astype(np.uint8)
            weights[name + ".minimum"] = minimum
        weights[name] = weights[name].reshape(to, start)
        weights[name + ".scale"] = scale
    return weights


def write_gguf(model, weights, vocabulary, path):
    """The weights as a GGUF file: Q4_1 is, of 32 numbers, factor, minimum, then 16 bytes with number n low and n + 16 high."""
    from gguf import GGMLQuantizationType, GGUFWriter

    writer = GGUFWriter(path, "llama")
    writer.add_string("tokenizer.ggml.model", vocabulary["tokenizer.ggml.model"])
    writer.add_string("tokenizer.ggml.pre", vocabulary["tokenizer.ggml.pre"])
    for name in ("tokens", "token_type", "merges"):
        writer.add_array(f"tokenizer.ggml.{name}", vocabulary[f"tokenizer.ggml.{name}"])
    for name in vectors(model):
        writer.add_tensor(name, weights[name])
    for name, (kind, to, start) in matrices(model).items():
        whole, parts = weights[name].reshape(to, start // GROUP, GROUP), [weights[name + ".scale"][..., None].view(np.uint8)]
        if kind == "Q4_1":
            parts.append(weights[name + ".minimum"][..., None].view(np.uint8))
            whole = whole[..., :16] | whole[..., 16:] << 4
        blocks = np.concatenate([*parts, whole.view(np.uint8)], axis=-1)
        writer.add_tensor(name, blocks.reshape(to, -1), raw_dtype=getattr(GGMLQuantizationType, kind))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def typed(model, weights):
    """NumPy has no u4: what is narrower than a byte becomes JAX's type."""
    return {name: jnp.asarray(weights[name]).astype(dtype) for name, (_, dtype) in shapes(model).items()}


def small():
    TESTS.mkdir(exist_ok=True)
    weights = random_weights(SMALL)
    vocabulary = json.loads((TESTS / "small-tokenizers.json").read_text())["chat"]["facts"]
    write(SMALL, TESTS / "small-chat.mlirbc")
    write_loop(SMALL, TESTS / "small-generate.mlirbc")
    write_gguf(SMALL, weights, vocabulary, TESTS / "small-chat.gguf")
    prompt = [3, 14, 15, 9, 26]
    tokens, logits = answer(SMALL, typed(SMALL, weights), prompt, 64, 80)
    found = {"prompt": prompt, "tokens": tokens, "logits": [float(f"{x:.7g}") for x in logits]}
    (TESTS / "small-chat.json").write_text(json.dumps(found) + "\n")


def read_gguf(path):
    from gguf import GGUFReader

    weights = {}
    for tensor in GGUFReader(path).tensors:
        to, data = tensor.shape.tolist()[::-1], np.array(tensor.data)
        if tensor.tensor_type.name == "F32":
            weights[tensor.name] = data.reshape(to)
            continue
        start = {"Q4_1": 4, "Q8_0": 2}[tensor.tensor_type.name]
        blocks = data.reshape(to[0], to[1] // GROUP, -1)
        halves = np.ascontiguousarray(blocks[..., :start]).view(np.float16)
        whole = np.ascontiguousarray(blocks[..., start:])
        weights[tensor.name + ".scale"] = halves[..., 0]
        if start == 4:
            weights[tensor.name + ".minimum"] = halves[..., 1]
            weights[tensor.name] = np.concatenate([whole & 15, whole >> 4], axis=-1)
        else:
            weights[tensor.name] = whole.view(np.int8)
        weights[tensor.name] = weights[tensor.name].reshape(to)
    return weights


if __name__ == "__main__":
    if sys.argv[1:2] == ["--loop"]:
        write_loop(SMOLLM2, Path(sys.argv[2]))
        sys.exit()
    write(SMOLLM2, HERE / "chat.mlirbc")
    small()
    if len(sys.argv) > 2:
        prompt = json.loads(Path(sys.argv[2]).read_text())
        print(json.dumps(answer(SMOLLM2, typed(SMOLLM2, read_gguf(sys.argv[1])), prompt, 64, 512)[0]))
