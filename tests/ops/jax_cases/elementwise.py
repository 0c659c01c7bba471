"""Unary and binary operations, compare, clamp, select: ordinary and special values."""

from decimal import Decimal, localcontext

import numpy as np

from .harness import (COMPLEX, FLOATS, SIGNED, SMALL_FLOATS, TYPES, UNSIGNED, Family, array, entry,
                      int_range, narrow)  # fmt: skip

NAN, INF = float("nan"), float("inf")
INTEGERS = {**SIGNED, **UNSIGNED}

# Largest finite, least normal and least subnormal value of each type.
LIMITS = {
    "f16": (65504.0, 2.0**-14, 2.0**-24),
    "bf16": (float.fromhex("0x1.fep127"), 2.0**-126, 2.0**-133),
    "f32": (float.fromhex("0x1.fffffep127"), 2.0**-126, 2.0**-149),
    "f64": (float.fromhex("0x1.fffffffffffffp1023"), 2.0**-1022, 5e-324),
}
# Element-wise functions: 3 ulp, and 1 where a narrow type is computed in f32.
TOLERANCE = {"f16": "ulp 1", "bf16": "ulp 1", "f32": "ulp 3", "f64": "ulp 3"}


def cbrt(x):
    root = np.sign(x) * np.abs(x) ** (np.longdouble(1) / 3)
    finite = np.isfinite(x) & (x != 0)
    return np.where(finite, root - (root**3 - x) / (3 * root * root), x)


def erf(x):
    def one(v):
        if v != v or v == 0 or abs(v) > 7:
            return v if v != v or v == 0 else np.copysign(np.longdouble(1), v)
        with localcontext() as context:
            context.prec = 70
            z = Decimal(float(v))
            term = total = z
            n = 0
            while term and abs(term) > abs(total) * Decimal("1e-30"):
                n += 1
                term = -term * z * z / n
                total += term / (2 * n + 1)
            pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
            return np.longdouble(str(total * 2 / pi.sqrt()))

    return np.array([one(v) for v in x.ravel()], np.longdouble).reshape(x.shape)


def expm1(x):
    return np.expm1(x) if not np.iscomplexobj(x) else np.exp(x) - 1


def log1p(x):
    return np.log1p(x) if not np.iscomplexobj(x) else np.log(1 + x)


def logistic(x):
    return 1 / (1 + np.exp(-x))


def round_half_away(x):
    return np.copysign(np.trunc(np.abs(x)) + (np.abs(x) - np.trunc(np.abs(x)) >= 0.5), x)


def sign(x):
    return np.where(np.isnan(x) | (x == 0), x, np.sign(x))


EXACT_UNARY = {
    "abs": np.abs,
    "negate": np.negative,
    "sign": sign,
    "floor": np.floor,
    "ceil": np.ceil,
    "round-nearest-afz": round_half_away,
    "round-nearest-even": np.rint,
    "sqrt": np.sqrt,
}
UNARY = {
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": cbrt,
    "exponential": np.exp,
    "exponential-minus-one": expm1,
    "log": np.log,
    "log-plus-one": log1p,
    "logistic": logistic,
    "tanh": np.tanh,
    "tan": np.tan,
    "sine": np.sin,
    "cosine": np.cos,
    "erf": erf,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
}
NOT_ON_CPU = {"sinh", "cosh", "asin", "acos", "asinh", "acosh", "atanh"}
ORDINARY = [0.5, -0.5, 1, -1, 1.5, 2, 2.5, -2.5, 3, 0.1, -0.3, 0.7071, 1e-3, -1e-3, 4.75, -7.3,
            10, -10, 0.99, 12.5, 100.25, -30]  # fmt: skip


def ordinary(op, type_name, random):
    values = ORDINARY + list(np.round(random.normal(0, 2, 4), 4))
    if op in ("log", "rsqrt", "sqrt"):
        values = [abs(v) for v in values]
    if op in ("log-plus-one",):
        values = [v for v in values if v > -1]
    if op in ("asin", "acos", "atanh"):
        values = [v / (abs(v) + 0.3) for v in values]
    if op == "acosh":
        values = [1 + abs(v) for v in values]
    if type_name == "f16":
        values = [v for v in values if abs(v) < 11] if op.startswith(("exp", "sinh", "cosh")) else values
    return array(values, type_name)


def unary_floats(family, random):
    for op, function in {**EXACT_UNARY, **UNARY}.items():
        exact = op in EXACT_UNARY
        for t in FLOATS:
            largest, normal, subnormal = LIMITS[t]
            groups = {"": ordinary(op, t, random),
                      "_special": array([NAN, INF, -INF, 0.0, -0.0, largest, -largest], t),
                      "_subnormal": array([subnormal, -subnormal, 3 * subnormal, normal / 2, -normal / 2, normal], t)}  # fmt: skip
            if op in ("sine", "cosine", "tan"):
                # The largest numbers ask for an argument reduction with hundreds of bits.
                groups["_special"] = array([NAN, INF, -INF, 0.0, -0.0], t)
                groups["_large"] = array([1000, -5000, 20000, 1e5, -3e6][: 3 if t == "f16" else 5], t)
            if t in ("f16", "bf16") and not exact:
                del groups["_subnormal"]
            for group, x in groups.items():
                # f64 arithmetic in long double would round twice.
                middle = np.float64 if exact and t == "f64" else np.longdouble
                expect = narrow(function(x.astype(middle)), t)
                text = entry({"x": x}, f"r = {t}[{x.size}] {op}(x)", name=op.replace("-", "_"))
                family.add(f"{op.replace('-', '_')}_{t}{group}", text, [x],
                           compare="exact" if exact else TOLERANCE[t], expect=[expect],
                           xla=op not in NOT_ON_CPU)  # fmt: skip
    for t in FLOATS:
        x = array([NAN, INF, -INF, 0.0, -0.0, *LIMITS[t], 1], t)
        text = entry({"x": x}, f"r = pred[{x.size}] is-finite(x)", name="is_finite")
        family.add(f"is_finite_{t}", text, [x])
        text = entry({"x": x}, f"r = {t}[{x.size}] real(x)", name="real")
        family.add(f"real_of_real_{t}", text, [x], expect=[x])
        text = entry({"x": x}, f"r = {t}[{x.size}] imag(x)", name="imag")
        family.add(f"imag_of_real_{t}", text, [x], expect=[np.zeros_like(x)])


def integer_values(t):
    low, high = int_range(t)
    wanted = [0, 1, 2, 3, 5, 7, 8, 12, 85, 100, 1000, 46341, 1 << 20, (1 << 31) + 7, high - 1, high, high // 2 + 1]
    wanted += [-1, -2, -3, -7, -8, -100, -1000, low + 1, low]
    seen = [v for v in dict.fromkeys(wanted) if low <= v <= high]
    return array(seen, t)


def unary_integers(family):
    for t in INTEGERS:
        x = integer_values(t)
        ops = ["not", "popcnt", "count-leading-zeros", "negate"] + (["abs", "sign"] if t in SIGNED else [])
        for op in ops:
            text = entry({"x": x}, f"r = {t}[{x.size}] {op}(x)", name=op.replace("-", "_"))
            family.add(f"{op.replace('-', '_')}_{t}", text, [x])
    x = np.array([True, False])
    family.add("not_pred", entry({"x": x}, "r = pred[2] not(x)"), [x])


def unary_complex(family, random):
    for t in COMPLEX:
        real = "f32" if t == "c64" else "f64"
        values = [1 + 2j, -1.5 + 0.5j, 0.25 - 3j, -2 - 1j, 1e-2 + 1e-2j, 2j + 0.5, 3 + 0.1j]
        values += list(np.round(random.normal(0, 1, 8), 3) + 1j * np.round(random.normal(0, 1, 8), 3))
        x = array(values, t)
        z = x.astype(np.clongdouble)
        functions = {k: UNARY[k] for k in ("rsqrt", "exponential", "exponential-minus-one", "log",
                     "log-plus-one", "logistic", "tanh", "tan", "sine", "cosine")}  # fmt: skip
        functions |= {"sqrt": np.sqrt, "sign": lambda z: z / np.abs(z)}
        for op, function in functions.items():
            text = entry({"x": x}, f"r = {t}[{x.size}] {op}(x)", name=op.replace("-", "_"))
            family.add(f"{op.replace('-', '_')}_{t}", text, [x],
                       compare="relative 1e-6" if t == "c64" else "relative 1e-14",
                       expect=[function(z).astype(x.dtype)])  # fmt: skip
        text = entry({"x": x}, f"r = {real}[{x.size}] abs(x)", name="abs")
        family.add(f"abs_{t}", text, [x], compare="ulp 3", expect=[np.abs(z).astype(TYPES[real])])
        special = array([1 + 2j, complex(-0.0, 3), complex(NAN, -1), complex(INF, -0.0), 0], t)
        text = entry({"x": special}, f"r = {t}[5] negate(x)", name="negate")
        family.add(f"negate_{t}", text, [special], expect=[-special])
        for op, result in (("real", special.real), ("imag", special.imag)):
            text = entry({"x": special}, f"r = {real}[5] {op}(x)", name=op)
            family.add(f"{op}_{t}", text, [special], expect=[result.copy()])
        a, b = special.real.copy(), special.imag.copy()
        text = entry({"a": a, "b": b}, f"r = {t}[5] complex(a, b)", name="complex")
        family.add(f"complex_{t}", text, [a, b], expect=[special])
        y = array([complex(0, 0), complex(-0.0, 0.0)], t)
        for op in ("sqrt", "exponential", "sine", "tanh", "log-plus-one", "sign"):
            text = entry({"x": y}, f"r = {t}[2] {op}(x)", name=op.replace("-", "_"))
            family.add(f"{op.replace('-', '_')}_{t}_zero", text, [y], compare="relative 1e-6")


def pairs(values):
    a, b = np.meshgrid(np.arange(len(values)), np.arange(len(values)), indexing="ij")
    return a.ravel(), b.ravel()


def binary_floats(family, random):
    exact = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
             "maximum": np.maximum, "minimum": np.minimum, "remainder": np.fmod}  # fmt: skip
    inexact = {"power": np.power, "atan2": np.arctan2}
    for op, function in {**exact, **inexact}.items():
        for t in FLOATS:
            largest, normal, subnormal = LIMITS[t]
            special = array([NAN, INF, -INF, 0.0, -0.0, -2.5, 1, largest, 3][: 9 if t == "f32" else 6], t)
            left, right = pairs(special)
            groups = {"_special": (special[left], special[right])}
            if op in ("maximum", "minimum"):
                # Which zero wins is left open.
                keep = ~((special[left] == 0) & (special[right] == 0))
                groups["_special"] = (special[left][keep], special[right][keep])
            if op == "power" and t != "f64":
                keep = ~(np.abs(special[left].astype(np.float64)) == largest)
                groups["_special"] = (special[left][keep], special[right][keep])
            a = array(np.round(random.normal(0, 5, 12), 3), t)
            b = array(np.round(random.normal(0, 5, 12), 3), t)
            groups[""] = (np.abs(a), b) if op == "power" else (a, b)
            small = array([subnormal, -3 * subnormal, normal, -normal / 2, normal / 4], t)
            scale = array([3, 2, 0.5, 1, 1], t)
            if op != "power":
                groups["_subnormal"] = (small, scale if op in ("multiply", "divide") else small[::-1].copy())
            for group, (x, y) in groups.items():
                # f64 arithmetic in long double would round twice.
                middle = np.float64 if op in exact and t == "f64" else np.longdouble
                expect = narrow(function(x.astype(middle), y.astype(middle)), t)
                text = entry({"x": x, "y": y}, f"r = {t}[{x.size}] {op}(x, y)", name=op)
                family.add(f"{op}_{t}{group}", text, [x, y],
                           compare="exact" if op in exact else TOLERANCE[t], expect=[expect])  # fmt: skip


def binary_integers(family):
    ops = ["add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "and", "or", "xor",
           "shift-left", "shift-right-arithmetic", "shift-right-logical"]  # fmt: skip
    for t in INTEGERS:
        low, high = int_range(t)
        bits = int(t[1:])
        values = [v for v in dict.fromkeys([0, 1, -1, high, low, low + 100]) if low <= v <= high]
        for op in ops:
            y = values
            if op.startswith("shift"):
                y = [v for v in dict.fromkeys([0, 1, bits - 1, bits, -1]) if low <= v <= high]
            left, right = np.meshgrid(np.arange(len(values)), np.arange(len(y)), indexing="ij")
            a, b = array(values, t)[left.ravel()], array(y, t)[right.ravel()]
            text = entry({"x": a, "y": b}, f"r = {t}[{a.size}] {op}(x, y)", name=op.replace("-", "_"))
            family.add(f"{op.replace('-', '_')}_{t}", text, [a, b])
    for t in ("s8", "s32", "s64", "u8", "u32", "u64"):
        base = [v for v in (0, 1, 2, 3, 5, 10, -1, -2, -3) if int_range(t)[0] <= v]
        exponent = [v for v in (0, 1, 2, 3, 7, 31, -1, -2) if int_range(t)[0] <= v]
        left, right = np.meshgrid(np.arange(len(base)), np.arange(len(exponent)), indexing="ij")
        a, b = array(base, t)[left.ravel()], array(exponent, t)[right.ravel()]
        keep = ~((a == 0) & (b < 0))
        a, b = a[keep], b[keep]
        text = entry({"x": a, "y": b}, f"r = {t}[{a.size}] power(x, y)", name="power")
        family.add(f"power_{t}", text, [a, b])
    a, b = np.array([False, False, True, True]), np.array([False, True, False, True])
    for op in ("and", "or", "xor", "add", "multiply", "maximum", "minimum"):
        family.add(f"{op}_pred", entry({"x": a, "y": b}, f"r = pred[4] {op}(x, y)", name=op), [a, b])


def binary_complex(family, random):
    for t in COMPLEX:
        tolerance = "relative 1e-6" if t == "c64" else "relative 1e-14"
        a = array([1 + 2j, -3 + 1j, 0.5 - 4j, -2 - 2j, 7, 3j], t)
        b = array([2 - 1j, 1 + 1j, 4 + 2j, -1 + 3j, 2j, -1 + 0j], t)
        wide_a, wide_b = a.astype(np.clongdouble), b.astype(np.clongdouble)
        for op, function, compare in (("add", np.add, "exact"), ("subtract", np.subtract, "exact"),
                                      ("multiply", np.multiply, "exact"), ("divide", np.divide, tolerance),
                                      ("power", np.power, tolerance)):  # fmt: skip
            text = entry({"x": a, "y": b}, f"r = {t}[6] {op}(x, y)", name=op)
            family.add(f"{op}_{t}", text, [a, b], compare=compare, expect=[function(wide_a, wide_b).astype(a.dtype)])
        for direction in ("EQ", "NE"):
            x, y = a[[0, 1, 2]], np.array([a[0], a[1] + 1, complex(NAN, 0)], a.dtype)
            text = entry({"x": x, "y": y}, f"r = pred[3] compare(x, y), direction={direction}")
            family.add(f"compare_{direction.lower()}_{t}", text, [x, y])


def small_floats(family):
    for t, dtype in SMALL_FLOATS.items():
        bits = 4 if t == "f4e2m1fn" else 8
        x = np.arange(1 << bits, dtype=np.uint8).view(dtype)[:: 1 if bits == 4 else 11].copy()
        y = x[::-1].copy()
        for op, function in (("add", np.add), ("multiply", np.multiply), ("subtract", np.subtract), ("divide", np.divide)):
            if t == "f4e2m1fn":
                # It has no NaN: what 0 / 0 gives is nobody's promise.
                y = np.where(y.astype(np.float32) == 0, np.float32(1), y.astype(np.float32)).astype(dtype)
            text = entry({"x": x, "y": y}, f"r = {t}[{x.size}] {op}(x, y)", name=op)
            family.add(f"{op}_{t}", text, [x, y])
        for op in ("negate", "abs"):
            if op == "negate" and t == "f8e8m0fnu":
                continue
            text = entry({"x": x}, f"r = {t}[{x.size}] {op}(x)", name=op)
            family.add(f"{op}_{t}", text, [x])
        text = entry({"x": x, "y": y}, f"r = pred[{x.size}] compare(x, y), direction=LT", name="compare")
        family.add(f"compare_lt_{t}", text, [x, y])


def compare(family):
    directions = ("EQ", "NE", "LT", "LE", "GT", "GE")
    for t in (*FLOATS, "s2", "s4", "s8", "s32", "s64", "u2", "u4", "u8", "u32", "u64", "pred"):
        if t in FLOATS:
            values = array([NAN, INF, -INF, 0.0, -0.0, 1, -1], t)
        elif t == "pred":
            values = np.array([False, True])
        else:
            values = array([v for v in (0, 1, -1, *int_range(t)) if v >= int_range(t)[0]], t)
        left, right = pairs(values)
        x, y = values[left], values[right]
        for direction in directions if t not in ("f16", "s2", "u2", "s8", "u8") else ("EQ", "LE", "GT"):
            text = entry({"x": x, "y": y}, f"r = pred[{x.size}] compare(x, y), direction={direction}")
            family.add(f"compare_{direction.lower()}_{t}", text, [x, y])
        if t in FLOATS:
            # Total order: -nan < -inf < ... < -0 < 0 < ... < inf < nan.
            for direction in directions if t == "f32" else ("LT", "EQ"):
                text = entry({"x": x, "y": y}, f"r = pred[{x.size}] compare(x, y), direction={direction}, type=TOTALORDER")
                family.add(f"compare_{direction.lower()}_{t}_total_order", text, [x, y])
    x, y = array([1, -1, 200], "s32"), array([1, 2, -3], "s32")
    family.add("compare_type_signed", entry({"x": x, "y": y}, "r = pred[3] compare(x, y), direction=LT, type=SIGNED"), [x, y])
    x, y = x.astype(np.uint32), y.astype(np.uint32)
    family.add("compare_type_unsigned", entry({"x": x, "y": y}, "r = pred[3] compare(x, y), direction=LT, type=UNSIGNED"), [x, y])
    bits = np.array([0xFFC00000, 0x7FC00000, 0xFF800000, 0x80000000, 0, 0xBF800000], np.uint32)
    left, right = pairs(bits)
    a, b = bits[left], bits[right]
    text = entry({"a": a, "b": b}, f"x = f32[{a.size}] bitcast-convert(a)", f"y = f32[{a.size}] bitcast-convert(b)",
                 f"r = pred[{a.size}] compare(x, y), direction=LT, type=TOTALORDER")  # fmt: skip
    family.add("compare_total_order_negative_nan", text, [a, b])


def choices(family):
    for t in ("f32", "f64", "f16", "bf16", "s32", "u8", "s64"):
        x = array([1, 5, 3, 7, 2, 100, 9, 0], t)
        low, high = array([2] * 8, t), array([6, 6, 6, 6, 6, 6, 1, 6], t)
        family.add(f"clamp_{t}", entry({"low": low, "x": x, "high": high}, f"r = {t}[8] clamp(low, x, high)"), [low, x, high])
        text = entry({"low": low[0], "x": x, "high": high[0]}, f"r = {t}[8] clamp(low, x, high)")
        family.add(f"clamp_{t}_scalar_bounds", text, [low[0], x, high[0]])
        p = np.arange(8) % 3 == 0
        family.add(f"select_{t}", entry({"p": p, "x": x, "y": low}, f"r = {t}[8] select(p, x, y)"), [p, x, low])
    x = array([NAN, 1, NAN, INF, -INF], "f32")
    low, high = array([0, NAN, NAN, 0, 0], "f32"), array([1, 2, 3, NAN, 1], "f32")
    family.add("clamp_f32_nan", entry({"low": low, "x": x, "high": high}, "r = f32[5] clamp(low, x, high)"), [low, x, high])
    p, y = np.array(False), np.float32([[1, 2], [3, 4]])
    text = entry({"p": p, "x": y, "y": -y}, "r = f32[2,2] select(p, x, y)")
    family.add("select_scalar_predicate", text, [p, y, -y], expect=[-y], xla=False)
    x = array([1 + 1j, 2 - 1j], "c64")
    p = np.array([True, False])
    family.add("select_c64", entry({"p": p, "x": x, "y": -x}, "r = c64[2] select(p, x, y)"), [p, x, -x])
    family.add("select_pred", entry({"p": p, "x": p, "y": ~p}, "r = pred[2] select(p, x, y)"), [p, p, ~p])


def make():
    random = np.random.default_rng(1)
    unary, binary, chosen = Family("unary"), Family("binary"), Family("compare_select_clamp")
    unary_floats(unary, random)
    unary_integers(unary)
    unary_complex(unary, random)
    binary_floats(binary, random)
    binary_integers(binary)
    binary_complex(binary, random)
    small_floats(binary)
    compare(chosen)
    choices(chosen)
    return [unary, binary, chosen]
