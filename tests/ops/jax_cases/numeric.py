"""FFT, Cholesky, triangular solve, batch normalisation, random bits."""

import itertools

import numpy as np

from .harness import TYPES, Family, array, entry, shape, type_of
from .reduction import dims


def fft(family):
    random = np.random.default_rng(5)

    def one(name, x, kind, lengths):
        t = type_of(x)
        rank = len(lengths)
        axes = tuple(range(-rank, 0))
        wide = x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)
        wide = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn}.get(kind, lambda a, axes: np.fft.irfftn(a, lengths, axes=axes))(wide, axes=axes)
        single = t in ("f32", "c64")
        out = ("f32" if single else "f64") if kind == "IRFFT" else ("c64" if single else "c128")
        line = f"r = {out}[{dims(wide.shape)}] fft(x), fft_type={kind}, fft_length={{{dims(lengths)}}}"
        family.add(name, entry({"x": x}, line, name="fft"), [x], compare="relative 1e-6" if single else "relative 1e-14",
                   expect=[wide.astype(TYPES[out])])  # fmt: skip

    def complex_values(*d):
        return np.round(random.normal(0, 1, d), 2) + 1j * np.round(random.normal(0, 1, d), 2)

    for t in ("c64", "c128"):
        for n in (1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 30):
            x = complex_values(n).astype(TYPES[t])
            one(f"fft_{t}_{n}", x, "FFT", (n,))
            if n in (1, 4, 7, 12):
                one(f"ifft_{t}_{n}", x, "IFFT", (n,))
    for t in ("f32", "f64"):
        for n in (1, 2, 4, 5, 8, 9, 15):
            x = np.round(random.normal(0, 1, n), 2).astype(TYPES[t])
            one(f"rfft_{t}_{n}", x, "RFFT", (n,))
            # The zero frequency, and the middle one of an even length, are real.
            y = np.fft.rfft(x.astype(np.float64)).astype(np.complex64 if t == "f32" else np.complex128)
            one(f"irfft_{t}_{n}", y, "IRFFT", (n,))
    one("fft_batch", complex_values(2, 3, 4).astype(np.complex64), "FFT", (4,))
    one("fft_2d", complex_values(3, 4).astype(np.complex64), "FFT", (3, 4))
    one("fft_2d_batch", complex_values(2, 3, 2).astype(np.complex64), "FFT", (3, 2))
    one("fft_3d", complex_values(2, 3, 4).astype(np.complex64), "FFT", (2, 3, 4))
    one("ifft_2d", complex_values(4, 3).astype(np.complex64), "IFFT", (4, 3))
    one("ifft_3d", complex_values(2, 2, 3).astype(np.complex64), "IFFT", (2, 2, 3))
    one("rfft_2d", np.round(random.normal(0, 1, (3, 6)), 2).astype(np.float32), "RFFT", (3, 6))
    one("rfft_3d", np.round(random.normal(0, 1, (2, 2, 5)), 2).astype(np.float32), "RFFT", (2, 2, 5))
    one("irfft_2d", np.fft.rfft2(random.normal(0, 1, (3, 6))).astype(np.complex64), "IRFFT", (3, 6))
    one("irfft_3d", np.fft.rfftn(random.normal(0, 1, (2, 2, 5))).astype(np.complex64), "IRFFT", (2, 2, 5))


def linear_algebra(family):
    random = np.random.default_rng(6)
    tolerance = {"f32": "relative 1e-5", "f64": "relative 1e-13", "c64": "relative 1e-5", "c128": "relative 1e-13"}

    def positive(t, *d):
        a = random.normal(0, 1, d) + (1j * random.normal(0, 1, d) if t[0] == "c" else 0)
        a = a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(d[-1]) * d[-1]
        return np.round(a, 2).astype(TYPES[t])

    def half(a, lower):
        keep = np.tril(np.ones(a.shape[-2:], bool)) if lower else np.triu(np.ones(a.shape[-2:], bool))
        return np.where(keep, a, 0).astype(a.dtype)

    for t, lower in itertools.product(("f32", "f64", "c64", "c128"), (True, False)):
        for d in ((1, 1), (4, 4), (2, 3, 3)) if t == "f32" else ((3, 3),):
            a = positive(t, *d)
            factor = np.linalg.cholesky(a.astype(np.complex128 if t[0] == "c" else np.float64))
            factor = factor if lower else np.conj(np.swapaxes(factor, -1, -2))
            name = f"cholesky_{t}_{'x'.join(map(str, d))}_{'lower' if lower else 'upper'}"
            side = "GE" if lower else "LE"
            n, rank = d[-1], len(d)
            text = entry({"a": a}, f"c = {shape(a)} cholesky(a), lower={str(lower).lower()}",
                         f"i = s32[{dims(d)}] iota(), iota_dimension={rank - 2}", f"j = s32[{dims(d)}] iota(), iota_dimension={rank - 1}",
                         f"keep = pred[{dims(d)}] compare(i, j), direction={side}",
                         f"z = {t}[] constant({'(0, 0)' if t[0] == 'c' else '0'})", f"zeros = {shape(a)} broadcast(z), dimensions={{}}",
                         f"r = {shape(a)} select(keep, c, zeros)", name="cholesky")  # fmt: skip
            family.add(name, text, [a], compare=tolerance[t], expect=[half(factor, lower).astype(TYPES[t])])
    a = array([[4, 2], [2, 1]], "f32") * np.float32([[1, 1], [1, -1]])
    text = entry({"a": a}, "c = f32[2,2] cholesky(a), lower=true", "s = f32[1,1] slice(c), slice={[1:2], [1:2]}",
                 "r = pred[1,1] compare(s, s), direction=NE")  # fmt: skip
    family.add("cholesky_not_positive_definite_is_nan", text, [a])

    def solve(t, left, lower, unit, transpose, d=(3, 3), columns=2):
        a = np.round(random.uniform(-1, 1, d), 2).astype(np.complex128 if t[0] == "c" else np.float64)
        if t[0] == "c":
            a = a + 1j * np.round(random.uniform(-1, 1, d), 2)
        a = a + 2 * np.eye(d[-1])
        b_shape = (*d[:-2], d[-1], columns) if left else (*d[:-2], columns, d[-1])
        b = np.round(random.uniform(-2, 2, b_shape), 2).astype(TYPES[t])
        a = a.astype(TYPES[t])
        # The other triangle holds what must not be read.
        poison = np.where(half(np.ones(d), lower) != 0, a, TYPES[t].type(77)).astype(TYPES[t])
        used = half(a, lower).astype(np.complex128 if t[0] == "c" else np.float64)
        if unit:
            used = used - np.eye(d[-1]) * used + np.eye(d[-1])
            poison = np.where(np.eye(d[-1], dtype=bool), TYPES[t].type(55), poison).astype(TYPES[t])
        op = {"NO_TRANSPOSE": lambda m: m, "TRANSPOSE": lambda m: np.swapaxes(m, -1, -2),
              "ADJOINT": lambda m: np.conj(np.swapaxes(m, -1, -2))}[transpose](used)  # fmt: skip
        x = np.linalg.solve(op, b) if left else np.swapaxes(np.linalg.solve(np.swapaxes(op, -1, -2), np.swapaxes(b, -1, -2)), -1, -2)
        flags = (f"left_side={str(left).lower()}, lower={str(lower).lower()}, unit_diagonal={str(unit).lower()}, transpose_a={transpose}")
        name = f"triangular_solve_{t}_{'left' if left else 'right'}_{'lower' if lower else 'upper'}{'_unit' if unit else ''}_{transpose.lower()}"
        name += "_batch" if len(d) > 2 else ""
        text = entry({"a": poison, "b": b}, f"r = {shape(b)} triangular-solve(a, b), {flags}", name="solve")
        family.add(name, text, [poison, b], compare=tolerance[t], expect=[x.astype(TYPES[t])])

    for left, lower, unit, transpose in itertools.product((True, False), (True, False), (False, True), ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")):
        if transpose == "ADJOINT" and unit:
            continue
        solve("c64" if transpose == "ADJOINT" else "f32", left, lower, unit, transpose)
    for t in ("f64", "c128"):
        solve(t, True, True, False, "ADJOINT" if t == "c128" else "NO_TRANSPOSE")
        solve(t, False, False, False, "TRANSPOSE")
    solve("f32", True, True, False, "NO_TRANSPOSE", d=(2, 3, 3), columns=1)


def batch_norm(family):
    random = np.random.default_rng(7)
    for feature, d in ((3, (2, 2, 2, 3)), (1, (2, 3, 4)), (0, (4, 3))):
        x = np.round(random.normal(0, 2, d), 2).astype(np.float32)
        n = d[feature]
        scale, offset = np.round(random.uniform(0.5, 2, n), 2).astype(np.float32), np.round(random.normal(0, 1, n), 2).astype(np.float32)
        mean, variance = np.round(random.normal(0, 1, n), 2).astype(np.float32), np.round(random.uniform(0.5, 2, n), 2).astype(np.float32)
        gradient = np.round(random.normal(0, 1, d), 2).astype(np.float32)
        axes = tuple(k for k in range(len(d)) if k != feature)
        view = tuple(n if k == feature else 1 for k in range(len(d)))
        suffix = f"epsilon=0.001, feature_index={feature}"

        def along(v):
            return v.astype(np.float64).reshape(view)

        wide = x.astype(np.float64)
        m, v = wide.mean(axes), wide.var(axes)
        y = (wide - along(m)) / np.sqrt(along(v) + 0.001) * along(scale) + along(offset)
        text = entry({"x": x, "scale": scale, "offset": offset},
                     f"r = ({shape(x)}, f32[{n}], f32[{n}]) batch-norm-training(x, scale, offset), {suffix}", name="batch_norm")  # fmt: skip
        family.add(f"batch_norm_training_feature_{feature}", text, [x, scale, offset], compare="relative 1e-5",
                   expect=[a.astype(np.float32) for a in (y, m, v)])  # fmt: skip
        y = (wide - along(mean)) / np.sqrt(along(variance) + 0.001) * along(scale) + along(offset)
        text = entry({"x": x, "scale": scale, "offset": offset, "mean": mean, "variance": variance},
                     f"r = {shape(x)} batch-norm-inference(x, scale, offset, mean, variance), {suffix}", name="batch_norm")  # fmt: skip
        family.add(f"batch_norm_inference_feature_{feature}", text, [x, scale, offset, mean, variance], compare="relative 1e-5", expect=[y.astype(np.float32)])
        m32, v32 = m.astype(np.float32), v.astype(np.float32)
        inverse = 1 / np.sqrt(along(v32) + 0.001)
        centred = (wide - along(m32)) * inverse
        g = gradient.astype(np.float64)
        dx = along(scale) * inverse * (g - g.mean(axes, keepdims=True) - centred * (g * centred).mean(axes, keepdims=True))
        text = entry({"x": x, "scale": scale, "mean": m32, "variance": v32, "g": gradient},
                     f"r = ({shape(x)}, f32[{n}], f32[{n}]) batch-norm-grad(x, scale, mean, variance, g), {suffix}", name="batch_norm")  # fmt: skip
        family.add(f"batch_norm_grad_feature_{feature}", text, [x, scale, m32, v32, gradient], compare="relative 1e-5",
                   expect=[a.astype(np.float32) for a in (dx, (g * centred).sum(axes), g.sum(axes))])  # fmt: skip


def random_bits(family):
    words = {"three_fry": (2,), "philox": (2, 3), "default": (2, 3)}
    states = [[0, 0, 0], [1, 2, 3], [0x0123456789ABCDEF, 2**64 - 1, 0xDEADBEEFCAFEF00D]]
    for algorithm, lengths in words.items():
        for length in lengths:
            for k, values in enumerate(states):
                state = np.array(values[:length], np.uint64)
                for t, d in (("u32", (4,)), ("u32", (1,)), ("u32", (5,)), ("u32", (2, 3)), ("u32", (9,)), ("u64", (4,)), ("u64", (3,)),
                             ("u8", (5,)), ("u16", (5,)), ("s32", (3,)), ("u32", ())):  # fmt: skip
                    if k == 2 and (t, d) not in (("u32", (5,)), ("u64", (3,))):
                        continue
                    if k == 0 and t in ("u8", "u16", "s32"):
                        continue
                    out = f"{t}[{dims(d)}]"
                    text = entry({"s": state}, f"r = (u64[{length}], {out}) rng-bit-generator(s), algorithm=rng_{algorithm}", name="rng")
                    name = f"rng_{algorithm}_state_{length}_seed_{k}_{t}_{'x'.join(map(str, d)) or 'scalar'}"
                    try:
                        family.add(name, text, [state])
                    except Exception as error:
                        family.remarks.append(f"{name}: {str(error)[:200]}")
    state = np.array([7, 8], np.uint64)
    text = entry({"s": state}, "r = (u64[2], u32[2,3,5]) rng-bit-generator(s), algorithm=rng_three_fry", name="rng")
    family.add("rng_three_fry_3d", text, [state])
    # Two draws, the second from the state that the first left.
    for algorithm, length in (("three_fry", 2), ("philox", 3)):
        state = np.array([5, 6, 7][:length], np.uint64)
        text = entry({"s": state}, f"a = (u64[{length}], u32[3]) rng-bit-generator(s), algorithm=rng_{algorithm}",
                     f"t = u64[{length}] get-tuple-element(a), index=0", "x = u32[3] get-tuple-element(a), index=1",
                     f"b = (u64[{length}], u32[3]) rng-bit-generator(t), algorithm=rng_{algorithm}",
                     f"u = u64[{length}] get-tuple-element(b), index=0", "y = u32[3] get-tuple-element(b), index=1",
                     f"r = (u32[3], u32[3], u64[{length}]) tuple(x, y, u)", name="rng")  # fmt: skip
        family.add(f"rng_{algorithm}_two_draws", text, [state])


def make():
    families = []
    for name, function in (("fft", fft), ("linear_algebra", linear_algebra), ("batch_norm", batch_norm), ("rng_bit_generator", random_bits)):
        families.append(Family(name))
        function(families[-1])
    return families
