"""Reduce, reduce-window, select-and-scatter, sort, top-k, map."""

import itertools

import numpy as np

from .harness import FLOATS, TYPES, Family, array, combiner, entry, shape, type_of
from .movement import ramp

NAN, INF = float("nan"), float("inf")


def dims(values):
    return ",".join(map(str, values))


def lowest(t, op):
    if op == "maximum":
        return "-inf" if t in FLOATS else str(np.iinfo(TYPES[t]).min)
    return "inf" if t in FLOATS else str(np.iinfo(TYPES[t]).max)


def initial(op, t):
    one = {"add": "0", "multiply": "1", "and": "1" if t == "pred" else "-1", "or": "0", "xor": "0"}
    return one.get(op) or lowest(t, op)


def reduce(family):
    for t in ("f32", "f64", "f16", "bf16", "s8", "s32", "s64", "u8", "u32", "u64"):
        x = array((np.arange(12) * 7 % 5 - (2 if t[0] not in "u" else 0)).reshape(3, 4), t)
        for op in ("add", "multiply", "maximum", "minimum"):
            text = entry({"x": x}, f"i = {t}[] constant({initial(op, t)})",
                         f"r = {t}[3] reduce(x, i), dimensions={{1}}, to_apply={op}", regions=combiner(op, t))  # fmt: skip
            family.add(f"reduce_{op}_{t}", text, [x])
    for t in ("pred", "s32", "u8"):
        x = np.array([[1, 1, 1], [1, 0, 1], [0, 0, 0]]).astype(TYPES[t])
        for op in ("and", "or", "xor") if t != "pred" else ("and", "or"):
            text = entry({"x": x}, f"i = {t}[] constant({initial(op, t) if t != 'u8' or op != 'and' else 255})",
                         f"r = {t}[3] reduce(x, i), dimensions={{0}}, to_apply={op}", regions=combiner(op, t))  # fmt: skip
            family.add(f"reduce_{op}_{t}", text, [x])
    x = array([1 + 2j, 3 - 1j, -2 + 0.5j, 1j], "c64")
    for op in ("add", "multiply"):
        text = entry({"x": x}, f"i = c64[] constant(({initial(op, 'c64')}, 0))",
                     f"r = c64[] reduce(x, i), dimensions={{0}}, to_apply={op}", regions=combiner(op, "c64"))  # fmt: skip
        family.add(f"reduce_{op}_c64", text, [x])
    x = ramp("s32", 2, 3, 4)
    for count in range(4):
        for chosen in itertools.combinations(range(3), count):
            result = [d for k, d in enumerate(x.shape) if k not in chosen]
            text = entry({"x": x}, "i = s32[] constant(1000)",
                         f"r = s32[{dims(result)}] reduce(x, i), dimensions={{{dims(chosen)}}}, to_apply=add",
                         regions=combiner("add", "s32"))  # fmt: skip
            family.add(f"reduce_dimensions_{''.join(map(str, chosen)) or 'none'}", text, [x])
    for name, d, chosen, result in (("reduced", (2, 0), 1, "2"), ("kept", (2, 0), 0, "0")):
        x = ramp("f32", *d)
        text = entry({"x": x}, "i = f32[] constant(5)", f"r = f32[{result}] reduce(x, i), dimensions={{{chosen}}}, to_apply=add",
                     regions=combiner("add", "f32"))  # fmt: skip
        family.add(f"reduce_empty_{name}", text, [x])
    x = array([1, NAN, 3, -INF], "f32")
    for op in ("maximum", "minimum", "add"):
        text = entry({"x": x}, f"i = f32[] constant({initial(op, 'f32')})", f"r = f32[] reduce(x, i), dimensions={{0}}, to_apply={op}",
                     regions=combiner(op, "f32"))  # fmt: skip
        family.add(f"reduce_{op}_nan", text, [x])
    random = np.random.default_rng(2)
    for n in (1, 7, 100, 700):
        x = random.uniform(0.5, 1.5, n).astype(np.float32)
        text = entry({"x": x}, "i = f32[] constant(0)", "r = f32[] reduce(x, i), dimensions={0}, to_apply=add", regions=combiner("add", "f32"))
        family.add(f"reduce_sum_{n}", text, [x], compare="sum", expect=[x.astype(np.float64).sum().astype(np.float32)])
    x = np.ones((64, 300), np.float32)[:1, :1]
    text = ("HloModule big\n\n" + combiner("add", "bf16") + "\nENTRY main {\n  one = bf16[] constant(1)\n  x = bf16[3,1000] broadcast(one), dimensions={}\n"
            "  i = bf16[] constant(0)\n  ROOT r = bf16[3] reduce(x, i), dimensions={1}, to_apply=add\n}")  # fmt: skip
    family.add("reduce_bf16_accumulates_in_f32", text, expect=[array([1000] * 3, "bf16")], source="1000 ones: in bf16 steps the sum would stop at 256")
    argmax = ("argmax {\n  av = f32[] parameter(0)\n  ai = s32[] parameter(1)\n  bv = f32[] parameter(2)\n  bi = s32[] parameter(3)\n"
              "  gt = pred[] compare(av, bv), direction=GT\n  isnan = pred[] compare(av, av), direction=NE\n  first = pred[] or(gt, isnan)\n"
              "  eq = pred[] compare(av, bv), direction=EQ\n  lower = pred[] compare(ai, bi), direction=LT\n  tie = pred[] and(eq, lower)\n"
              "  v = f32[] select(first, av, bv)\n  take = pred[] or(first, tie)\n  i = s32[] select(take, ai, bi)\n"
              "  ROOT t = (f32[], s32[]) tuple(v, i)\n}\n")  # fmt: skip
    x = array([[1, 5, 5, 2], [NAN, 1, 2, 3], [-1, -2, -3, -1]], "f32")
    text = entry({"x": x}, "n = s32[3,4] iota(), iota_dimension=1", "lowest = f32[] constant(-inf)", "zero = s32[] constant(0)",
                 "r = (f32[3], s32[3]) reduce(x, n, lowest, zero), dimensions={1}, to_apply=argmax", regions=argmax)  # fmt: skip
    family.add("reduce_argmax", text, [x])
    two = ("both {\n  a = s32[] parameter(0)\n  b = f32[] parameter(1)\n  c = s32[] parameter(2)\n  d = f32[] parameter(3)\n"
           "  s = s32[] add(a, c)\n  m = f32[] maximum(b, d)\n  ROOT t = (s32[], f32[]) tuple(s, m)\n}\n")  # fmt: skip
    x, y = ramp("s32", 2, 3), ramp("f32", 2, 3)
    text = entry({"x": x, "y": y}, "i = s32[] constant(0)", "j = f32[] constant(-inf)",
                 "r = (s32[3], f32[3]) reduce(x, y, i, j), dimensions={0}, to_apply=both", regions=two)  # fmt: skip
    family.add("reduce_variadic", text, [x, y])
    custom = ("hypot {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  aa = f32[] multiply(a, a)\n  bb = f32[] multiply(b, b)\n"
              "  s = f32[] add(aa, bb)\n  ROOT r = f32[] sqrt(s)\n}\n")  # fmt: skip
    x = array([3, 4, 12, 84], "f32")
    text = entry({"x": x}, "i = f32[] constant(0)", "r = f32[] reduce(x, i), dimensions={0}, to_apply=hypot", regions=custom)
    family.add("reduce_custom", text, [x])


def window(size, stride=None, pad=None, lhs_dilate=None, rhs_dilate=None):
    def joined(values):
        return "x".join("_".join(map(str, v)) if isinstance(v, tuple) else str(v) for v in values)

    fields = {"size": size, "stride": stride, "pad": pad, "lhs_dilate": lhs_dilate, "rhs_dilate": rhs_dilate}
    return "window={" + " ".join(f"{key}={joined(value)}" for key, value in fields.items() if value) + "}"


def window_result(d, size, stride=None, pad=None, lhs_dilate=None, rhs_dilate=None):
    out = []
    for k, n in enumerate(d):
        base = (n - 1) * (lhs_dilate[k] if lhs_dilate else 1) + 1 if n else 0
        low, high = pad[k] if pad else (0, 0)
        span = (size[k] - 1) * (rhs_dilate[k] if rhs_dilate else 1) + 1
        room = base + low + high - span
        out.append(room // (stride[k] if stride else 1) + 1 if room >= 0 else 0)
    return out


def reduce_window(family):
    def one(name, x, op="add", init=None, **fields):
        t = type_of(x)
        result = window_result(x.shape, **fields)
        text = entry({"x": x}, f"i = {t}[] constant({init or initial(op, t)})",
                     f"r = {t}[{dims(result)}] reduce-window(x, i), {window(**fields)}, to_apply={op}", regions=combiner(op, t))  # fmt: skip
        family.add(name, text, [x])

    x = array((np.arange(30) * 11 % 17).reshape(5, 6), "f32")
    one("reduce_window_1x1", x, size=(1, 1))
    one("reduce_window_2x3_stride_2x3", x, size=(2, 3), stride=(2, 3))
    one("reduce_window_2x3_stride_1", x, size=(2, 3))
    one("reduce_window_same_padding", x, size=(3, 3), pad=((1, 1), (1, 1)))
    one("reduce_window_same_padding_max", x, "maximum", size=(3, 3), pad=((1, 1), (1, 1)))
    one("reduce_window_uneven_padding", x, size=(2, 2), stride=(2, 2), pad=((0, 1), (1, 2)))
    one("reduce_window_negative_padding", x, size=(2, 2), pad=((-1, 0), (0, -2)))
    one("reduce_window_window_dilation", x, size=(2, 3), rhs_dilate=(2, 2))
    one("reduce_window_base_dilation", x, size=(2, 2), lhs_dilate=(2, 3))
    one("reduce_window_everything", x, size=(3, 2), stride=(2, 1), pad=((2, 1), (0, 3)), lhs_dilate=(2, 1), rhs_dilate=(1, 2))
    one("reduce_window_no_window_fits", x[:1], size=(2, 2))
    one("reduce_window_whole", x, "maximum", size=(5, 6))
    for op in ("add", "multiply", "maximum", "minimum"):
        for t in ("f32", "f64", "bf16", "s32", "u8"):
            y = array([1, 2, 3, 1, 0, 2, 2], t)
            one(f"reduce_window_{op}_{t}", y, op, size=(3,), stride=(2,), pad=((1, 1),))
    one("reduce_window_init_counts_once_a_window", array([1, 2, 3, 4], "s32"), init="100", size=(2,), pad=((1, 0),))
    y = ramp("s32", 8)
    one("cumulative_sum", y, size=(8,), pad=((7, 0),))
    one("cumulative_sum_reverse", y, size=(8,), pad=((0, 7),))
    one("cumulative_product", array([1, 2, -1, 3, 2, 1, -2, 1], "s32"), "multiply", size=(8,), pad=((7, 0),))
    one("cumulative_max", array([1, 5, 2, NAN, 7, 3], "f32"), "maximum", size=(6,), pad=((5, 0),))
    one("cumulative_min_columns", x, "minimum", size=(5, 1), pad=((4, 0), (0, 0)))
    one("reduce_window_nan_max", array([1, NAN, 3, 4, 5], "f32"), "maximum", size=(2,))
    one("reduce_window_3d", ramp("s32", 3, 3, 3), size=(2, 1, 3), stride=(1, 2, 1), pad=((0, 0), (0, 0), (1, 1)))
    one("reduce_window_nhwc_pool", ramp("f32", 1, 4, 4, 2), "maximum", size=(1, 2, 2, 1), stride=(1, 2, 2, 1))
    one("reduce_window_pred", np.array([True, False, False, True, False]), "or", size=(2,))
    one("reduce_window_custom_init_max", array([-5, -3, -9], "f32"), "maximum", init="-4", size=(2,), pad=((1, 1),))
    both = ("both {\n  a = f32[] parameter(0)\n  b = s32[] parameter(1)\n  c = f32[] parameter(2)\n  d = s32[] parameter(3)\n"
            "  s = f32[] add(a, c)\n  m = s32[] maximum(b, d)\n  ROOT t = (f32[], s32[]) tuple(s, m)\n}\n")  # fmt: skip
    x, y = ramp("f32", 6), ramp("s32", 6)[::-1].copy()
    text = entry({"x": x, "y": y}, "i = f32[] constant(0)", "j = s32[] constant(-100)",
                 "r = (f32[3], s32[3]) reduce-window(x, y, i, j), window={size=2 stride=2}, to_apply=both", regions=both)  # fmt: skip
    family.add("reduce_window_variadic", text, [x, y])


def select_and_scatter(family):
    def one(name, x, source, select="GE", op="add", **fields):
        t = type_of(x)
        regions = (f"select {{\n  a = {t}[] parameter(0)\n  b = {t}[] parameter(1)\n  ROOT r = pred[] compare(a, b), direction={select}\n}}\n\n"
                   + combiner(op, t, "scatter"))  # fmt: skip
        text = entry({"x": x, "s": source}, f"i = {t}[] constant({initial(op, t)})",
                     f"r = {shape(x)} select-and-scatter(x, s, i), {window(**fields)}, select=select, scatter=scatter", regions=regions)  # fmt: skip
        family.add(name, text, [x, source])

    x = array([[7, 2, 5, 3, 10, 2], [3, 8, 9, 3, 4, 2], [1, 5, 7, 5, 6, 1], [0, 6, 2, 7, 2, 8]], "f32")
    one("select_and_scatter_disjoint", x, array([[2, 6], [3, 1]], "f32"), size=(2, 3), stride=(2, 3))
    y = array([[7, 2, 5, 3, 8], [3, 8, 9, 3, 4], [1, 5, 7, 5, 6], [0, 6, 2, 10, 2]], "f32")
    one("select_and_scatter_overlapping", y, array([[2, 6], [3, 1]], "f32"), size=(2, 3), stride=(2, 2))
    one("select_and_scatter_ties_take_the_first", np.ones((1, 6), np.float32), array([[1, 2, 3]], "f32"), size=(1, 2), stride=(1, 2))
    one("select_and_scatter_strict_ties_take_the_last", np.ones((1, 6), np.float32), array([[1, 2, 3]], "f32"), "GT", size=(1, 2), stride=(1, 2))
    one("select_and_scatter_padded", y, array(np.arange(12).reshape(4, 3) + 1, "f32"), size=(2, 2), stride=(1, 2), pad=((1, 0), (0, 1)))
    one("select_and_scatter_minimum", x, array([[2, 6], [3, 1]], "f32"), "LE", size=(2, 3), stride=(2, 3))
    one("select_and_scatter_s32", x.astype(np.int32), array([[2, 6], [3, 1]], "s32"), size=(2, 3), stride=(2, 3))
    one("select_and_scatter_multiply", y, array([[2, 6], [3, 1]], "f32"), op="multiply", size=(2, 3), stride=(2, 2))
    one("select_and_scatter_1d_f64", array([3, 1, 4, 1, 5, 9, 2], "f64"), array([1, 2, 3], "f64"), size=(3,), stride=(2,))


def less(t, direction="LT", total=False, name="compare", count=1, key=0):
    lines = [f"  p{k} = {tt}[] parameter({k})" for k, tt in enumerate(x for tt in (t if isinstance(t, tuple) else (t,) * count) for x in (tt, tt))]
    suffix = ", type=TOTALORDER" if total else ""
    return f"{name} {{\n" + "\n".join(lines) + f"\n  ROOT r = pred[] compare(p{2 * key}, p{2 * key + 1}), direction={direction}{suffix}\n}}\n"


def sort(family):
    for t in ("f32", "f64", "f16", "bf16", "s8", "s32", "s64", "u8", "u16", "u32", "u64"):
        values = np.array([5, 3, 9, 1, 1, 7, 100, 0, 64, 2])
        x = array(values - (4 if t[0] not in "u" else 0), t)
        for direction in ("LT", "GT"):
            text = entry({"x": x}, f"r = {t}[10] sort(x), dimensions={{0}}, to_apply=compare", regions=less(t, direction))
            family.add(f"sort_{t}_{direction.lower()}", text, [x])
    x = array([3, NAN, -INF, 0.0, -0.0, 1, INF, -3, NAN, -0.0, 0.0], "f32")
    for direction in ("LT", "GT"):
        text = entry({"x": x}, "r = f32[11] sort(x), dimensions={0}, is_stable=true, to_apply=compare", regions=less("f32", direction, True))
        family.add(f"sort_total_order_{direction.lower()}", text, [x])
    x = ramp("s32", 3, 4, 2) * 7 % 13
    for d in range(3):
        text = entry({"x": x}, f"r = s32[3,4,2] sort(x), dimensions={{{d}}}, is_stable=true, to_apply=compare", regions=less("s32"))
        family.add(f"sort_dimension_{d}", text, [x])
    keys = array([3, 1, 2, 3, 1, 2, 3, 1], "s32")
    y, z = ramp("f32", 8), np.arange(8, dtype=np.uint8)
    text = entry({"k": keys, "y": y, "z": z}, "r = (s32[8], f32[8], u8[8]) sort(k, y, z), dimensions={0}, is_stable=true, to_apply=compare",
                 regions=less(("s32", "f32", "u8")))  # fmt: skip
    family.add("sort_three_operands_stable", text, [keys, y, z])
    text = entry({"k": keys, "z": z}, "r = (s32[8], u8[8]) sort(k, z), dimensions={0}, is_stable=true, to_apply=compare",
                 regions=less(("s32", "u8"), "GT"))  # fmt: skip
    family.add("sort_descending_stable_keeps_order", text, [keys, z])
    text = entry({"z": z, "k": keys}, "r = (u8[8], s32[8]) sort(z, k), dimensions={0}, is_stable=true, to_apply=compare",
                 regions=less(("u8", "s32"), key=1))  # fmt: skip
    family.add("sort_by_second_operand", text, [z, keys])
    lexicographic = ("compare {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  c = s32[] parameter(2)\n  d = s32[] parameter(3)\n"
                     "  lt = pred[] compare(a, b), direction=LT\n  eq = pred[] compare(a, b), direction=EQ\n  lt2 = pred[] compare(c, d), direction=GT\n"
                     "  tie = pred[] and(eq, lt2)\n  ROOT r = pred[] or(lt, tie)\n}\n")  # fmt: skip
    second = array([1, 2, 3, 4, 5, 6, 7, 8], "s32")
    text = entry({"k": keys, "y": second}, "r = (s32[8], s32[8]) sort(k, y), dimensions={0}, to_apply=compare", regions=lexicographic)
    family.add("sort_two_keys", text, [keys, second])
    magnitude = ("compare {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  x = f32[] abs(a)\n  y = f32[] abs(b)\n"
                 "  ROOT r = pred[] compare(x, y), direction=LT\n}\n")  # fmt: skip
    x = array([-3, 2, -1, 5, -4, 0.5], "f32")
    text = entry({"x": x}, "r = f32[6] sort(x), dimensions={0}, to_apply=compare", regions=magnitude)
    family.add("sort_by_magnitude", text, [x])
    for n in (0, 1, 2, 33, 100):
        x = (np.arange(n) * 37 % 101).astype(np.int32)
        text = entry({"x": x}, f"r = s32[{n}] sort(x), dimensions={{0}}, to_apply=compare", regions=less("s32"))
        family.add(f"sort_length_{n}", text, [x])
    x = array([4, 1, 7, 3, 7, 2], "f32")
    for largest in ("true", "false"):
        text = entry({"x": x}, f"r = (f32[3], s32[3]) topk(x), k=3, largest={largest}")
        family.add(f"topk_largest_{largest}", text, [x], expect=[array([7, 7, 4] if largest == "true" else [1, 2, 3], "f32"),
                   array([2, 4, 0] if largest == "true" else [1, 5, 3], "s32")])  # fmt: skip
    x = array([[4, 1, 7, 3], [0, NAN, -1, 2]], "f32")
    text = entry({"x": x}, "r = (f32[2,2], s32[2,2]) topk(x), k=2, largest=true")
    family.add("topk_rows", text, [x])


def mapping(family):
    x, y = ramp("f32", 2, 3), ramp("f32", 2, 3) + 2
    region = ("f {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  p = f32[] multiply(a, b)\n  c = f32[] constant(1)\n"
              "  ROOT r = f32[] add(p, c)\n}\n")  # fmt: skip
    text = entry({"x": x, "y": y}, "r = f32[2,3] map(x, y), dimensions={0,1}, to_apply=f", regions=region)
    family.add("map_two_operands", text, [x, y])
    region = "f {\n  a = f32[] parameter(0)\n  z = f32[] constant(2)\n  ROOT r = pred[] compare(a, z), direction=GT\n}\n"
    text = entry({"x": x}, "r = pred[2,3] map(x), dimensions={0,1}, to_apply=f", regions=region)
    family.add("map_changes_type", text, [x])
    x = ramp("s32", 5)
    region = "f {\n  a = s32[] parameter(0)\n  b = s32[] multiply(a, a)\n  ROOT r = s32[] negate(b)\n}\n"
    family.add("map_s32", entry({"x": x}, "r = s32[5] map(x), dimensions={0}, to_apply=f", regions=region), [x])


def make():
    families = []
    for name, function in (("reduce", reduce), ("reduce_window", reduce_window), ("select_and_scatter", select_and_scatter),
                           ("sort", sort), ("map", mapping)):  # fmt: skip
        families.append(Family(name))
        function(families[-1])
    return families
