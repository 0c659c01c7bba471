"""Operations that only move, repeat or count elements."""

import numpy as np

from .harness import COMPLEX, SMALL_FLOATS, TYPES, Family, array, entry

# One of each width and kind.
SAMPLE = ("pred", "s4", "u2", "s8", "u16", "s32", "u64", "f16", "bf16", "f32", "f64", "f8e4m3fn", "f4e2m1fn", "c64", "c128")


def ramp(t, *dims):
    count = int(np.prod(dims, dtype=np.int64))
    values = np.arange(count)
    if t == "pred":
        return (values % 3 == 1).reshape(dims)
    if t in COMPLEX:
        return (values + 1j * (count - values)).astype(TYPES[t]).reshape(dims)
    if t[0] in "su":
        bits = int(t[1:])
        values = values % (1 << min(bits, 16))
        values = np.where(values >= 1 << (bits - 1), values - (1 << bits), values) if t[0] == "s" and bits < 16 else values
        return values.astype(TYPES[t]).reshape(dims)
    if t in SMALL_FLOATS:
        return np.arange(1, count + 1, dtype=np.float32).__mod__(6).astype(TYPES[t]).reshape(dims)
    return (values + 0.5).astype(np.float32).astype(TYPES[t]).reshape(dims)


def iota(family):
    for t in TYPES:
        if t == "pred" or (t in SMALL_FLOATS and t not in ("f8e4m3fn", "f8e5m2")):
            continue
        n = 2 if t in ("s2", "u2") else 4
        family.add(f"iota_{t}", entry({}, f"r = {t}[{n}] iota(), iota_dimension=0"))
    for d in range(3):
        family.add(f"iota_dimension_{d}", entry({}, f"r = s32[2,3,4] iota(), iota_dimension={d}"))
    family.add("iota_empty", entry({}, "r = s32[0,3] iota(), iota_dimension=1"))
    family.add("iota_u8_wraps", entry({}, "r = u8[300] iota(), iota_dimension=0"))


def shapes(family):
    def one(name, x, result, call):
        family.add(name, entry({"x": x}, f"r = {result} {call}"), [x])

    for t in SAMPLE:
        x = ramp(t, 2, 3)
        one(f"broadcast_{t}", x, f"{t}[2,2,3]", "broadcast(x), dimensions={0,2}")
        one(f"reshape_{t}", x, f"{t}[3,2]", "reshape(x)")
        one(f"transpose_{t}", x, f"{t}[3,2]", "transpose(x), dimensions={1,0}")
        one(f"reverse_{t}", x, f"{t}[2,3]", "reverse(x), dimensions={1}")
        one(f"slice_{t}", x, f"{t}[1,2]", "slice(x), slice={[1:2], [0:3:2]}")
        one(f"copy_{t}", x, f"{t}[2,3]", "copy(x)")
        y, pad = ramp(t, 2, 2), ramp(t, 2)[1]
        family.add(f"concatenate_{t}", entry({"x": x, "y": y}, f"r = {t}[2,5] concatenate(x, y), dimensions={{1}}"), [x, y],
                   expect=[np.concatenate([x, y], axis=1)], xla=t not in ("s4", "u2", "f4e2m1fn"))  # the CPU compiler stops there
        family.add(f"pad_{t}", entry({"x": x, "p": pad}, f"r = {t}[4,6] pad(x, p), padding=1_1x0_1_1"), [x, pad])
    one("broadcast_scalar", np.float32(7), "f32[2,3]", "broadcast(x), dimensions={}")
    one("broadcast_scalar_to_empty", np.float32(7), "f32[0,3]", "broadcast(x), dimensions={}")
    one("broadcast_swaps_dimensions", ramp("s32", 2, 3), "s32[3,4,2]", "broadcast(x), dimensions={2,0}")
    one("broadcast_vector_to_columns", ramp("s32", 3), "s32[3,2]", "broadcast(x), dimensions={0}")
    one("broadcast_vector_to_rows", ramp("s32", 3), "s32[2,3]", "broadcast(x), dimensions={1}")
    one("reshape_to_scalar", ramp("f32", 1, 1), "f32[]", "reshape(x)")
    one("reshape_from_scalar", np.float32(3), "f32[1,1,1]", "reshape(x)")
    one("reshape_split", ramp("s32", 4, 6), "s32[2,2,3,2]", "reshape(x)")
    one("reshape_merge", ramp("s32", 2, 3, 4), "s32[6,4]", "reshape(x)")
    one("reshape_empty", ramp("f32", 0, 3), "f32[5,0]", "reshape(x)")
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        x = ramp("s32", 2, 3, 4)
        dims = ",".join(str(x.shape[d]) for d in order)
        one(f"transpose_{''.join(map(str, order))}", x, f"s32[{dims}]", f"transpose(x), dimensions={{{','.join(map(str, order))}}}")
    one("transpose_4d", ramp("s16", 2, 3, 2, 2), "s16[2,2,2,3]", "transpose(x), dimensions={2,3,0,1}")
    one("transpose_empty", ramp("f32", 0, 3), "f32[3,0]", "transpose(x), dimensions={1,0}")
    one("transpose_scalar", np.float32(3), "f32[]", "transpose(x), dimensions={}")
    for name, dims in (("0", "{0}"), ("01", "{0,1}"), ("02", "{2,0}"), ("none", "{}")):
        one(f"reverse_dimensions_{name}", ramp("s32", 2, 3, 2), "s32[2,3,2]", f"reverse(x), dimensions={dims}")
    one("slice_strides", ramp("s32", 7, 9), "s32[3,3]", "slice(x), slice={[1:7:2], [0:9:4]}")
    one("slice_empty", ramp("s32", 4), "s32[0]", "slice(x), slice={[2:2]}")
    one("slice_stride_past_end", ramp("s32", 5), "s32[1]", "slice(x), slice={[3:5:100]}")
    one("slice_3d", ramp("f32", 3, 4, 5), "f32[1,2,3]", "slice(x), slice={[2:3], [1:4:2], [0:5:2]}")
    x, y, z = ramp("s32", 2, 1, 3), -ramp("s32", 2, 2, 3), ramp("s32", 2, 0, 3)
    family.add("concatenate_middle_with_empty", entry({"x": x, "y": y, "z": z}, "r = s32[2,3,3] concatenate(x, z, y), dimensions={1}"), [x, y, z])
    family.add("concatenate_one", entry({"x": x}, "r = s32[2,1,3] concatenate(x), dimensions={2}"), [x])
    family.add("concatenate_with_itself", entry({"x": x}, "r = s32[6,1,3] concatenate(x, x, x), dimensions={0}"), [x])


def pad(family):
    cases = {
        "edges": ((2, 3), "2_1x0_2", (5, 5)),
        "interior": ((2, 3), "0_0_2x0_0_1", (4, 5)),
        "interior_and_edges": ((3, 2), "1_0_1x2_1_3", (6, 8)),
        "negative_low": ((4, 3), "-1_0x0_0", (3, 3)),
        "negative_high": ((4, 3), "0_-2x0_-1", (2, 2)),
        "negative_low_positive_high": ((4,), "-2_3", (5,)),
        "negative_both_with_interior": ((4,), "-1_-2_1", (4,)),
        "negative_cuts_into_interior": ((3,), "-2_-2_3", (5,)),
        "negative_to_empty": ((4,), "-3_-1", (0,)),
        "empty_operand": ((0, 2), "1_2x0_0", (3, 2)),
        "empty_operand_interior": ((0,), "2_2_5", (4,)),
        "scalar": ((), "", ()),
        "3d": ((2, 2, 2), "1_0x0_1x1_1_1", (3, 3, 5)),
    }
    for name, (dims, padding, result) in cases.items():
        x, p = ramp("s32", *dims) + np.int32(1), np.int32(-9)
        suffix = f", padding={padding}" if padding else ""
        if not dims:
            continue
        text = entry({"x": x, "p": p}, f"r = s32[{','.join(map(str, result))}] pad(x, p){suffix}")
        family.add(f"pad_{name}", text, [x, p])


def dynamic(family):
    x = ramp("s32", 4, 5)
    starts = {"inside": (1, 2), "past_end": (3, 4), "far_past_end": (100, 100), "negative": (-1, -100), "mixed": (-2, 3)}
    for name, (i, j) in starts.items():
        i, j = np.int32(i), np.int32(j)
        text = entry({"x": x, "i": i, "j": j}, "r = s32[2,3] dynamic-slice(x, i, j), dynamic_slice_sizes={2,3}")
        family.add(f"dynamic_slice_{name}", text, [x, i, j])
        u = -ramp("s32", 2, 3) - np.int32(1)
        text = entry({"x": x, "u": u, "i": i, "j": j}, "r = s32[4,5] dynamic-update-slice(x, u, i, j)")
        family.add(f"dynamic_update_slice_{name}", text, [x, u, i, j])
    for t in SAMPLE:
        x, u, i = ramp(t, 3, 2), ramp(t, 2, 2)[:1], np.int32(1)
        text = entry({"x": x, "i": i}, "z = s32[] constant(0)", f"r = {t}[1,2] dynamic-slice(x, i, z), dynamic_slice_sizes={{1,2}}")
        family.add(f"dynamic_slice_{t}", text, [x, i])
        text = entry({"x": x, "u": u, "i": i}, "z = s32[] constant(0)", f"r = {t}[3,2] dynamic-update-slice(x, u, i, z)")
        family.add(f"dynamic_update_slice_{t}", text, [x, u, i])
    for t in ("s8", "u8", "s16", "u16", "u32", "s64", "u64"):
        x = ramp("f32", 6)
        for value in (2, -1 if t[0] == "s" else 200):
            i = array(value, t)
            text = entry({"x": x, "i": i}, "r = f32[3] dynamic-slice(x, i), dynamic_slice_sizes={3}")
            family.add(f"dynamic_slice_index_{t}_{'inside' if value == 2 else 'outside'}", text, [x, i])
    x, i = ramp("f32", 3), np.int32(1)
    family.add("dynamic_slice_nothing", entry({"x": x, "i": i}, "r = f32[0] dynamic-slice(x, i), dynamic_slice_sizes={0}"), [x, i])
    family.add("dynamic_slice_everything", entry({"x": x, "i": i}, "r = f32[3] dynamic-slice(x, i), dynamic_slice_sizes={3}"), [x, i])
    s = np.float32(4)
    family.add("dynamic_update_slice_scalar_operand", entry({"x": s, "u": -s}, "r = f32[] dynamic-update-slice(x, u)"), [s, -s], expect=[-s], xla=False)


def layouts(family):
    """A layout changes where bytes lie, never what a result is; only bitcast sees it."""
    x = ramp("f32", 2, 3)
    text = ("HloModule layouts, entry_computation_layout={(f32[2,3]{0,1})->f32[3,2]{0,1}}\n\nENTRY main {\n"
            "  x = f32[2,3]{0,1} parameter(0)\n  c = f32[2,3]{1,0} copy(x)\n  n = f32[2,3]{0,1} negate(c)\n"
            "  ROOT r = f32[3,2]{0,1} transpose(n), dimensions={1,0}\n}")  # fmt: skip
    family.add("layout_of_parameter_and_result", text, [x], expect=[-x.T.copy()])
    text = ("HloModule bitcast\n\nENTRY main {\n  x = f32[2,3]{0,1} parameter(0)\n  ROOT r = f32[3,2]{1,0} bitcast(x)\n}")
    family.add("bitcast_transposes", text, [x], expect=[x.T.copy()], xla=False)
    text = ("HloModule bitcast\n\nENTRY main {\n  x = f32[2,3]{1,0} parameter(0)\n  ROOT r = f32[3,2]{1,0} bitcast(x)\n}")
    family.add("bitcast_reshapes", text, [x], expect=[x.reshape(3, 2)], xla=False)
    text = ("HloModule bitcast\n\nENTRY main {\n  x = f32[2,3]{1,0} parameter(0)\n  ROOT r = f32[2,3]{0,1} bitcast(x)\n}")
    family.add("bitcast_to_other_order", text, [x], expect=[x.reshape(3, 2).T.copy()], xla=False)
    text = ("HloModule reshape\n\nENTRY main {\n  x = f32[2,3]{0,1} parameter(0)\n  ROOT r = f32[3,2]{0,1} reshape(x)\n}")
    family.add("reshape_is_logical_whatever_the_layout", text, [x], expect=[x.reshape(3, 2)])


def constants(family):
    values = {
        "f32": "f32[7] constant({1, -2.5, nan, inf, -inf, 1e-30, -0.0})",
        "f32_nested": "f32[2,3] constant({ { 1, 2, 3 }, { 4, 5, 6 } })",
        "f32_3d": "f32[2,1,2] constant({ { {1, 2} }, { {3, 4} } })",
        "scalar": "s32[] constant(-7)",
        "pred": "pred[3] constant({true, false, 1})",
        "pred_scalar": "pred[] constant(true)",
        "c64": "c64[2] constant({(1, -2), (0.5, inf)})",
        "bf16": "bf16[3] constant({1, 3.140625, -0.0})",
        "s4": "s4[3] constant({-8, 7, 0})",
        "u64": "u64[1] constant({18446744073709551615})",
        "s64": "s64[1] constant({-9223372036854775808})",
        "empty": "f32[0] constant({})",
        "empty_2d": "f32[2,0] constant({ {}, {} })",
        "f8": "f8e4m3fn[3] constant({1, -448, 0.015625})",
        "rounded": "f32[3] constant({0.1, 16777217, 3.40282346e38})",
    }
    for name, constant in values.items():
        text = f"HloModule constant\n\nENTRY main {{\n  ROOT r = {constant}\n}}"
        family.add(f"constant_{name}", text)
    text = "HloModule t\n\nENTRY main {\n  ROOT r = (f32[2], s32[]) constant(({1, 2}, 3))\n}"
    family.add("constant_tuple", text, expect=[np.float32([1, 2]), np.int32(3)], xla=False)


def make():
    moving, moved = Family("movement"), Family("dynamic_slice")
    iota(moving)
    shapes(moving)
    pad(moving)
    layouts(moving)
    constants(moving)
    dynamic(moved)
    return [moving, moved]
