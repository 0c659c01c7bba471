"""Gather and scatter: dimension numbers, batching, bounds, combiners."""

import numpy as np

from .harness import Family, array, combiner, entry, shape, type_of
from .movement import SAMPLE, ramp


def dims(values):
    return ",".join(map(str, values))


def attributes(**lists):
    """Attributes in the order given; those with no value are left out where XLA allows it."""
    return ", ".join(f"{key}={{{dims(value)}}}" if isinstance(value, (tuple, list)) else f"{key}={value}" for key, value in lists.items() if value is not None)


def gather_text(x, indices, result, **numbers):
    line = f"r = {type_of(x)}[{dims(result)}] gather(x, i), {attributes(**numbers)}"
    return entry({"x": x, "i": indices}, line, name="gather")


def gather(family):
    def one(name, x, indices, result, offset, collapsed, start_map, vector_dim, sizes, batching=None, index_type="s32", **more):
        indices = array(indices, index_type)
        numbers = dict(offset_dims=offset, collapsed_slice_dims=collapsed, start_index_map=start_map)
        if batching:
            numbers |= dict(operand_batching_dims=batching[0], start_indices_batching_dims=batching[1])
        numbers |= dict(index_vector_dim=vector_dim, slice_sizes=sizes, **more)
        family.add(name, gather_text(x, indices, result, **numbers), [x, indices])

    x = ramp("s32", 5, 4)
    one("gather_rows", x, [3, 0, 3], (3, 4), (1,), (0,), (0,), 1, (1, 4))
    one("gather_rows_offset_first", x, [3, 0, 1], (4, 3), (0,), (0,), (0,), 1, (1, 4))
    one("gather_columns", x, [2, 0], (2, 5), (1,), (1,), (1,), 1, (5, 1))
    one("gather_rows_kept", x, [3, 1], (2, 2, 4), (1, 2), (), (0,), 1, (2, 4))
    one("gather_out_of_bounds_is_clamped", x, [-7, 4, 5, 100], (4, 2, 4), (1, 2), (), (0,), 1, (2, 4))
    one("gather_elements", x, [[0, 0], [4, 3], [2, 1]], (3,), (), (0, 1), (0, 1), 1, (1, 1))
    one("gather_elements_vector_first", x, [[0, 4, 2], [0, 3, 1]], (3,), (), (0, 1), (0, 1), 0, (1, 1))
    one("gather_elements_swapped_map", x, [[0, 0], [3, 4], [1, 2]], (3,), (), (0, 1), (1, 0), 1, (1, 1))
    one("gather_windows", x, [[0, 0], [3, 2], [9, -1]], (3, 2, 3), (1, 2), (), (0, 1), 1, (2, 3))
    one("gather_windows_around_batch", x, [[0, 0], [3, 2], [1, 1]], (2, 3, 3), (0, 2), (), (0, 1), 1, (2, 3))
    one("gather_index_matrix", x, [[0, 1, 2], [4, 3, 2]], (2, 3, 4), (2,), (0,), (0,), 2, (1, 4))
    one("gather_index_matrix_offset_middle", x, [[0, 1, 2], [4, 3, 2]], (2, 4, 3), (1,), (0,), (0,), 2, (1, 4))
    one("gather_scalar_index", x, 2, (4,), (0,), (0,), (0,), 0, (1, 4))
    one("gather_like_dynamic_slice", x, [1, 2], (2, 2), (0, 1), (), (0, 1), 0, (2, 2))
    one("gather_nothing", x, np.zeros((0,)), (0, 4), (1,), (0,), (0,), 1, (1, 4))
    one("gather_empty_slices", x, [1, 2], (2, 0), (1,), (0,), (0,), 1, (1, 0))
    one("gather_sorted_unique", x, [0, 2, 4], (3, 4), (1,), (0,), (0,), 1, (1, 4), indices_are_sorted="true")
    y = ramp("f32", 3, 4, 2)
    one("gather_3d_middle", y, [1, 3], (3, 2, 2), (0, 2), (1,), (1,), 1, (3, 1, 2))
    one("gather_3d_two_dimensions", y, [[0, 1], [2, 0]], (2, 4), (1,), (0, 2), (0, 2), 1, (1, 4, 1))
    one("gather_3d_partial_map", y, [[2, 1], [1, 0]], (2, 2, 2), (1, 2), (0,), (0, 1), 1, (1, 2, 2))
    one("gather_batching", y, [[[0], [3]], [[1], [1]], [[2], [9]]], (3, 2, 2), (2,), (1,), (1,), 2, (1, 1, 2), ((0,), (0,)))
    one("gather_batching_take_along", ramp("s32", 2, 4), [[3, 0, 1], [2, 2, 0]], (2, 3), (), (1,), (1,), 2, (1, 1), ((0,), (0,)))
    one("gather_batching_swapped", y, [[[0], [3], [1]], [[2], [0], [3]]], (2, 3), (), (1,), (1,), 2, (1, 1, 1), ((0, 2), (1, 0)))
    for t in ("u8", "s8", "u32", "s64", "u64", "s16"):
        one(f"gather_index_{t}", x, [3, 0, 200 if t[0] == "u" else -100], (3, 4), (1,), (0,), (0,), 1, (1, 4), index_type=t)
    for t in SAMPLE:
        one(f"gather_{t}", ramp(t, 4, 2), [3, 1], (2, 2), (1,), (0,), (0,), 1, (1, 2))


def scatter_text(operands, indices, updates, region, region_name, **numbers):
    inputs = {f"x{k}": x for k, x in enumerate(operands)} | {"i": indices} | {f"update{k}": u for k, u in enumerate(updates)}
    result = ", ".join(shape(x) for x in operands)
    result = f"({result})" if len(operands) > 1 else result
    line = f"r = {result} scatter({', '.join(inputs)}), {attributes(**numbers)}, to_apply={region_name}"
    return entry(inputs, line, regions=region, name="scatter"), list(inputs.values())


def replace(t):
    return f"replace {{\n  a = {t}[] parameter(0)\n  ROOT b = {t}[] parameter(1)\n}}\n"


def scatter(family):
    def one(name, x, indices, u, window, inserted, to_operand, vector_dim, batching=None, op="add", index_type="s32", **more):
        indices = array(indices, index_type)
        numbers = dict(update_window_dims=window, inserted_window_dims=inserted, scatter_dims_to_operand_dims=to_operand)
        if batching:
            numbers |= dict(input_batching_dims=batching[0], scatter_indices_batching_dims=batching[1])
        numbers |= dict(index_vector_dim=vector_dim, **more)
        t = type_of(x)
        region = replace(t) if op == "replace" else combiner(op, t, "combine")
        text, inputs = scatter_text([x], indices, [u], region, "replace" if op == "replace" else "combine", **numbers)
        family.add(name, text, inputs)

    x = ramp("s32", 5, 4)

    def u(*d):
        return (ramp("s32", *d) + 1) * 100

    one("scatter_rows", x, [3, 0], u(2, 4), (1,), (0,), (0,), 1)
    one("scatter_rows_repeated_index_adds", x, [3, 3, 3], u(3, 4), (1,), (0,), (0,), 1)
    one("scatter_rows_window_first", x, [3, 0], u(4, 2), (0,), (0,), (0,), 1)
    one("scatter_columns", x, [2, 0], u(2, 5), (1,), (1,), (1,), 1)
    one("scatter_out_of_bounds_is_skipped", x, [-1, 5, 2, 100], u(4, 4), (1,), (0,), (0,), 1)
    one("scatter_window_partly_outside_is_skipped", x, [[3, 2], [4, 0], [0, -1], [3, 3]], u(4, 2, 2), (1, 2), (), (0, 1), 1)
    one("scatter_elements", x, [[0, 0], [4, 3], [0, 0]], u(3), (), (0, 1), (0, 1), 1)
    one("scatter_elements_vector_first", x, [[0, 4, 0], [0, 3, 0]], u(3), (), (0, 1), (0, 1), 0)
    one("scatter_elements_swapped_map", x, [[0, 0], [3, 4]], u(2), (), (0, 1), (1, 0), 1)
    one("scatter_windows", x, [[0, 0], [2, 1]], u(2, 2, 3), (1, 2), (), (0, 1), 1)
    one("scatter_windows_around_batch", x, [[0, 0], [2, 1], [1, 1]], u(2, 3, 3), (0, 2), (), (0, 1), 1)
    one("scatter_smaller_window", x, [1, 3], u(2, 2), (1,), (0,), (0,), 1)
    one("scatter_index_matrix", x, [[0, 1], [1, 4]], u(2, 2, 4), (2,), (0,), (0,), 2)
    one("scatter_scalar_index", x, 2, u(4), (0,), (0,), (0,), 0)
    one("scatter_like_dynamic_update_slice", x, [1, 2], u(2, 2), (0, 1), (), (0, 1), 0, op="replace")
    one("scatter_nothing", x, np.zeros((0,)), u(0, 4), (1,), (0,), (0,), 1)
    one("scatter_unique_sorted", x, [0, 2, 4], u(3, 4), (1,), (0,), (0,), 1, indices_are_sorted="true", unique_indices="true")
    y = ramp("f32", 3, 4, 2)
    one("scatter_3d_middle", y, [1, 3], ramp("f32", 3, 2, 2), (0, 2), (1,), (1,), 1)
    one("scatter_3d_partial_map", y, [[2, 1], [1, 3]], ramp("f32", 2, 2, 2), (1, 2), (0,), (0, 1), 1)
    one("scatter_batching", y, [[[0], [3]], [[1], [1]], [[2], [9]]], ramp("f32", 3, 2, 2), (2,), (1,), (1,), 2, ((0,), (0,)))
    one("scatter_batching_elements", ramp("s32", 2, 4), [[3, 0, 3], [2, -2, 0]], u(2, 3), (), (1,), (1,), 2, ((0,), (0,)))
    for op in ("add", "multiply", "maximum", "minimum", "replace", "subtract"):
        for t in ("f32", "s32", "f64", "bf16", "u8"):
            x = ramp(t, 4)
            one(f"scatter_{op}_{t}", x, [2, 0, 3], ramp(t, 3)[::-1].copy(), (), (0,), (0,), 1, op=op)
    for op in ("and", "or", "xor"):
        one(f"scatter_{op}_u32", ramp("u32", 4) * 5, [2, 0, 2], ramp("u32", 3) + np.uint32(9), (), (0,), (0,), 1, op=op)
    for t in ("pred", "s4", "s64", "f16", "c64", "u16", "f8e4m3fn"):
        one(f"scatter_replace_{t}", ramp(t, 4), [2, 0], ramp(t, 2), (), (0,), (0,), 1, op="replace")
    for t in ("u8", "s8", "u32", "s64"):
        one(f"scatter_index_{t}", ramp("s32", 5), [3, 0, 200 if t[0] == "u" else -100], u(3), (), (0,), (0,), 1, index_type=t)
    # Ordered updates to one element: a combiner that is not commutative sees them in order.
    one("scatter_replace_last_wins", ramp("s32", 3), [1, 1, 1], u(3), (), (0,), (0,), 1, op="replace")
    region = ("combine {\n  a0 = f32[] parameter(0)\n  a1 = s32[] parameter(1)\n  b0 = f32[] parameter(2)\n  b1 = s32[] parameter(3)\n"
              "  s = f32[] add(a0, b0)\n  m = s32[] maximum(a1, b1)\n  ROOT t = (f32[], s32[]) tuple(s, m)\n}\n")  # fmt: skip
    text, inputs = scatter_text([ramp("f32", 4), ramp("s32", 4)], array([2, 0, 2, 7], "s32"),
                                [ramp("f32", 4), ramp("s32", 4) * 3], region, "combine", update_window_dims=(),
                                inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), index_vector_dim=1)  # fmt: skip
    family.add("scatter_variadic", text, inputs)
    region = ("combine {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  h = f32[] constant(0.5)\n"
              "  m = f32[] multiply(a, h)\n  ROOT r = f32[] add(m, b)\n}\n")  # fmt: skip
    text, inputs = scatter_text([ramp("f32", 4)], array([2, 0, 1], "s32"), [ramp("f32", 3)], region, "combine", update_window_dims=(),
                                inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), index_vector_dim=1)  # fmt: skip
    family.add("scatter_custom_combiner", text, inputs)


def make():
    gathering, scattering = Family("gather"), Family("scatter")
    gather(gathering)
    scatter(scattering)
    return [gathering, scattering]
