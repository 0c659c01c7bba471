"""Modules that must be refused, as XLA refuses them: every line breaks one constraint.

What is asked of the message is only that it names the instruction's operation
(or, where the text itself is broken, the word that is wrong).
"""

import re

from .harness import Family, accepted

PARAMETERS = {
    "x": "f32[2,3]",
    "y": "f32[3,2]",
    "v": "f32[3]",
    "i": "s32[]",
    "n": "s32[4]",
    "p": "pred[2,3]",
    "c": "c64[2]",
    "a": "f32[3,3]",
    "k": "f32[1,4,4,2]",
    "w": "f32[2,2,2,3]",
    "f": "f32[]",
}

REGIONS = """sum {
  q = f32[] parameter(0)
  r = f32[] parameter(1)
  ROOT t = f32[] add(q, r)
}

less {
  q = f32[] parameter(0)
  r = f32[] parameter(1)
  ROOT t = pred[] compare(q, r), direction=LT
}

one {
  q = f32[] parameter(0)
  ROOT t = f32[] negate(q)
}

vector {
  q = f32[3] parameter(0)
  ROOT t = f32[3] negate(q)
}

loop {
  q = (s32[], f32[3]) parameter(0)
  ROOT t = pred[] constant(false)
}
"""

LINES = {
    # element-wise
    "add_shapes_differ": ("f32[2,3] add(x, y)", "add"),
    "add_types_differ": ("s32[] add(i, f)", "add"),
    "add_result_shape": ("f32[3,2] add(x, x)", "add"),
    "add_result_type": ("f64[2,3] add(x, x)", "add"),
    "add_one_operand": ("f32[2,3] add(x)", "add"),
    "add_three_operands": ("f32[2,3] add(x, x, x)", "add"),
    "and_of_floats": ("f32[2,3] and(x, x)", "and"),
    "not_of_floats": ("f32[2,3] not(x)", "not"),
    "exponential_of_integers": ("s32[] exponential(i)", "exponential"),
    "floor_of_integers": ("s32[] floor(i)", "floor"),
    "popcnt_of_floats": ("f32[] popcnt(f)", "popcnt"),
    "shift_left_of_floats": ("f32[] shift-left(f, f)", "shift-left"),
    "compare_result_not_pred": ("f32[2,3] compare(x, x), direction=LT", "compare"),
    "compare_without_direction": ("pred[2,3] compare(x, x)", "compare"),
    "compare_unknown_direction": ("pred[2,3] compare(x, x), direction=ABOVE", "ABOVE"),
    "complex_types": ("c64[4] complex(n, n)", "complex"),
    "is_finite_of_integers": ("pred[] is-finite(i)", "is-finite"),
    "clamp_shapes": ("f32[2,3] clamp(v, x, x)", "clamp"),
    "select_predicate_type": ("f32[2,3] select(x, x, x)", "select"),
    "select_branches_differ": ("f32[2,3] select(p, x, y)", "select"),
    # shapes
    "reshape_count": ("f32[2,4] reshape(x)", "reshape"),
    "reshape_type": ("s32[3,2] reshape(x)", "reshape"),
    "broadcast_dimension_size": ("f32[3,4] broadcast(v), dimensions={1}", "broadcast"),
    "broadcast_dimension_out_of_range": ("f32[2,3] broadcast(v), dimensions={2}", "broadcast"),
    "broadcast_dimension_count": ("f32[2,3] broadcast(v), dimensions={0,1}", "broadcast"),
    "transpose_not_a_permutation": ("f32[2,2] transpose(x), dimensions={0,0}", "transpose"),
    "transpose_too_few": ("f32[2,3] transpose(x), dimensions={0}", "transpose"),
    "transpose_result": ("f32[2,3] transpose(x), dimensions={1,0}", "transpose"),
    "reverse_out_of_range": ("f32[2,3] reverse(x), dimensions={2}", "reverse"),
    "slice_limit_past_end": ("f32[2,4] slice(x), slice={[0:2], [0:4]}", "slice"),
    "slice_start_after_limit": ("f32[0,3] slice(x), slice={[2:1], [0:3]}", "slice"),
    "slice_stride_zero": ("f32[2,3] slice(x), slice={[0:2:0], [0:3]}", "slice"),
    "slice_rank": ("f32[2,3] slice(x), slice={[0:2]}", "slice"),
    "concatenate_other_dimensions_differ": ("f32[5,3] concatenate(x, y), dimensions={0}", "concatenate"),
    "concatenate_dimension_out_of_range": ("f32[2,6] concatenate(x, x), dimensions={2}", "concatenate"),
    "concatenate_types": ("f32[7] concatenate(v, n), dimensions={0}", "concatenate"),
    "pad_rank": ("f32[3,3] pad(x, f), padding=1_0", "pad"),
    "pad_value_type": ("f32[3,3] pad(x, i), padding=1_0x0_0", "pad"),
    "pad_value_not_scalar": ("f32[3,3] pad(x, v), padding=1_0x0_0", "pad"),
    "pad_negative_interior": ("f32[2,3] pad(x, f), padding=0_0_-1x0_0", ""),
    "iota_dimension": ("f32[2,3] iota(), iota_dimension=2", "iota"),
    "bitcast_convert_sizes": ("f64[2,3] bitcast-convert(x)", "bitcast-convert"),
    "reduce_precision_of_integers": ("s32[] reduce-precision(i), exponent_bits=5, mantissa_bits=10", "reduce-precision"),
    "reduce_precision_no_exponent": ("f32[] reduce-precision(f), exponent_bits=0, mantissa_bits=10", "reduce-precision"),
    # indexing
    "dynamic_slice_too_large": ("f32[3,3] dynamic-slice(x, i, i), dynamic_slice_sizes={3,3}", "dynamic-slice"),
    "dynamic_slice_index_count": ("f32[1,3] dynamic-slice(x, i), dynamic_slice_sizes={1,3}", "dynamic-slice"),
    "dynamic_slice_index_type": ("f32[1,3] dynamic-slice(x, f, f), dynamic_slice_sizes={1,3}", "dynamic-slice"),
    "dynamic_update_slice_too_large": ("f32[2,3] dynamic-update-slice(x, y, i, i)", "dynamic-update-slice"),
    "gather_slice_too_large": ("f32[4,4] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}", "gather"),
    "gather_collapsed_slice_not_one": ("f32[4,3] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={2,3}", "gather"),
    "gather_index_vector_dim": ("f32[4,3] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1,3}", "gather"),
    "gather_float_indices": ("f32[3,3] gather(x, v), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}", "gather"),
    "scatter_update_shape": ("f32[2,3] scatter(x, n, y), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum", "scatter"),
    # regions
    "reduce_dimension_out_of_range": ("f32[2,3] reduce(x, f), dimensions={2}, to_apply=sum", "reduce"),
    "reduce_dimension_twice": ("f32[2] reduce(x, f), dimensions={1,1}, to_apply=sum", "reduce"),
    "reduce_result": ("f32[3] reduce(x, f), dimensions={1}, to_apply=sum", "reduce"),
    "reduce_region_parameters": ("f32[2] reduce(x, f), dimensions={1}, to_apply=one", "reduce"),
    "reduce_region_result": ("f32[2] reduce(x, f), dimensions={1}, to_apply=less", "reduce"),
    "reduce_init_not_scalar": ("f32[2] reduce(x, v), dimensions={1}, to_apply=sum", "reduce"),
    "reduce_init_type": ("f32[2] reduce(x, i), dimensions={1}, to_apply=sum", "reduce"),
    "reduce_unknown_region": ("f32[2] reduce(x, f), dimensions={1}, to_apply=nowhere", "nowhere"),
    "reduce_window_rank": ("f32[2,2] reduce-window(x, f), window={size=2}, to_apply=sum", "reduce-window"),
    "reduce_window_size_zero": ("f32[2,2] reduce-window(x, f), window={size=0x1}, to_apply=sum", "reduce-window"),
    "reduce_window_stride_zero": ("f32[2,3] reduce-window(x, f), window={size=1x1 stride=0x1}, to_apply=sum", "reduce-window"),
    "select_and_scatter_source": ("f32[2,3] select-and-scatter(x, y, f), window={size=1x3 stride=1x3}, select=less, scatter=sum", "select-and-scatter"),
    "sort_dimension": ("f32[2,3] sort(x), dimensions={2}, to_apply=less", "sort"),
    "sort_region": ("f32[2,3] sort(x), dimensions={1}, to_apply=sum", "sort"),
    "sort_shapes_differ": ("(f32[2,3], f32[3,2]) sort(x, y), dimensions={0}, to_apply=less", "sort"),
    "map_region_shape": ("f32[3] map(v), dimensions={0}, to_apply=vector", "map"),
    "while_condition_parameter": ("f32[3] while(v), condition=loop, body=vector", "while"),
    "call_argument_shape": ("f32[3] call(x), to_apply=vector", "call"),
    "conditional_predicate_type": ("f32[3] conditional(f, v, v), true_computation=vector, false_computation=vector", "conditional"),
    "conditional_argument": ("f32[3] conditional(i, x, v), branch_computations={vector, vector}", "conditional"),
    # contractions
    "dot_contracting_sizes": ("f32[2,2] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "dot"),
    "dot_contracting_counts": ("f32[2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0,1}", "dot"),
    "dot_contracting_out_of_range": ("f32[2,2] dot(x, y), lhs_contracting_dims={2}, rhs_contracting_dims={0}", "dot"),
    "dot_result": ("f32[3,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "dot"),
    "dot_batch_sizes": ("f32[2,3] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}", "dot"),
    "convolution_labels": ("f32[1,3,3,3] convolution(k, w), window={size=2x2}, dim_labels=b01f_01io->b0f", "spatial dimensions"),
    "convolution_input_features": ("f32[1,3,3,2] convolution(k, w), window={size=2x2}, dim_labels=b01f_01oi->b01f", "convolution"),
    "convolution_window_size": ("f32[1,2,2,3] convolution(k, w), window={size=3x3}, dim_labels=b01f_01io->b01f", "convolution"),
    "convolution_groups": ("f32[1,3,3,3] convolution(k, w), window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=3", "convolution"),
    # linear algebra and others
    "cholesky_not_square": ("f32[2,3] cholesky(x), lower=true", "cholesky"),
    "triangular_solve_not_square": ("f32[2,3] triangular-solve(x, x), left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE", "triangular-solve"),
    "fft_of_integers": ("c64[4] fft(n), fft_type=FFT, fft_length={4}", "fft"),
    "batch_norm_scale": ("(f32[2,3], f32[3], f32[3]) batch-norm-training(x, f, v), epsilon=0.1, feature_index=1", "batch-norm-training"),
    "rng_bit_generator_state": ("(s32[4], u32[3]) rng-bit-generator(n), algorithm=rng_three_fry", "rng-bit-generator"),
    "get_tuple_element_of_array": ("f32[3] get-tuple-element(v), index=0", "get-tuple-element"),
    "tuple_result": ("(f32[3], s32[]) tuple(v, v)", "tuple"),
    # text
    "text_unknown_operation": ("f32[3] frobnicate(v)", "frobnicate"),
    "text_unknown_operand": ("f32[3] negate(nobody)", "nobody"),
    "text_unknown_attribute": ("f32[3] negate(v), colour=red", "colour"),
    "text_unknown_type": ("f33[3] negate(v)", "f33"),
    "text_no_closing_parenthesis": ("f32[3] add(v, v", ""),
    "text_negative_dimension": ("f32[-3] negate(v)", ""),
    "text_layout_not_a_permutation": ("f32[2,3]{1,1} negate(x)", ""),
    "text_layout_rank": ("f32[2,3]{0} negate(x)", ""),
    "text_constant_too_few": ("f32[3] constant({1, 2})", "constant"),
    "text_constant_too_many": ("f32[2] constant({1, 2, 3})", ""),
    "text_constant_nested_wrong": ("f32[2,2] constant({1, 2, 3, 4})", ""),
    "text_constant_out_of_range": ("s8[] constant(128)", "128"),
    "text_parameter_twice": ("f32[3] parameter(0)", "parameter"),
    "text_name_twice": ("f32[3] negate(v)\n  r = f32[3] negate(v)", ""),
}


def module(line):
    """The line as root, after the regions and parameters that it names."""
    words = re.findall(r"\w+", line)
    regions = "".join(region + "\n\n" for region in REGIONS.strip().split("\n\n") if region.split()[0] in words)
    kept = [key for key in PARAMETERS if re.search(rf"[(, ]{key}[,)]", line)] or ["v"]
    parameters = "".join(f"  {key} = {PARAMETERS[key]} parameter({k})\n" for k, key in enumerate(kept))
    return f"HloModule refused\n\n{regions}ENTRY main {{\n{parameters}  ROOT r = {line}\n}}"


WHOLE = {
    "text_parameter_numbers_have_a_gap": (
        "HloModule refused\n\nENTRY main {\n  x = f32[2] parameter(0)\n  y = f32[2] parameter(2)\n  ROOT r = f32[2] add(x, y)\n}", "parameter"),
    "text_use_before_definition": (
        "HloModule refused\n\nENTRY main {\n  x = f32[2] parameter(0)\n  r = f32[2] add(x, later)\n  ROOT later = f32[2] add(r, x)\n}", "later"),
    "text_empty_computation": ("HloModule refused\n\nENTRY main {\n}", ""),
    "text_not_a_module": ("Hello, world", ""),
    "text_ends_early": ("HloModule refused\n\nENTRY main {\n  x = f32[2] parameter(0)", ""),
    "text_constant_elided": ("HloModule refused\n\nENTRY main {\n  ROOT r = f32[4] constant({...})\n}", "{...}"),
}  # fmt: skip


def make():
    family = Family("refused")
    cases = {name: (module(line), message) for name, (line, message) in LINES.items()} | WHOLE
    for (name, (text, message)), xla_accepts in zip(cases.items(), accepted([text for text, _ in cases.values()]), strict=True):
        family.refuse(name, text, message, "XLA is more lenient here" if xla_accepts else None)
        if xla_accepts:
            family.remarks.append(f"{name}: XLA accepts it")
    return [family]
