"""Modules that must be refused, as XLA refuses them: every line breaks one constraint.

Each case names the error's code and a phrase of the rule that our message must state. The phrase does not occur in the module,
as messages quote the module's lines.
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
    "add_shapes_differ": ("f32[2,3] add(x, y)", "SHAPE", "lhs and rhs must have the same dimensions"),
    "add_types_differ": ("s32[] add(i, f)", "SHAPE", "lhs and rhs must have the same element type"),
    "add_result_shape": ("f32[3,2] add(x, x)", "SHAPE", "the result is f32[2,3], but f32[3,2] is declared"),
    "add_result_type": ("f64[2,3] add(x, x)", "SHAPE", "the result is f32[2,3], but f64[2,3] is declared"),
    "add_one_operand": ("f32[2,3] add(x)", "SHAPE", "takes 2 operands (lhs rhs), got 1"),
    "add_three_operands": ("f32[2,3] add(x, x, x)", "SHAPE", "takes 2 operands (lhs rhs), got 3"),
    "and_of_floats": ("f32[2,3] and(x, x)", "SHAPE", "lhs must have pred, signed or unsigned elements"),
    "not_of_floats": ("f32[2,3] not(x)", "SHAPE", "operand must have pred, signed or unsigned elements"),
    "exponential_of_integers": ("s32[] exponential(i)", "SHAPE", "operand must have floating-point or complex elements"),
    "floor_of_integers": ("s32[] floor(i)", "SHAPE", "operand must have floating-point elements"),
    "popcnt_of_floats": ("f32[] popcnt(f)", "SHAPE", "operand must have signed or unsigned elements"),
    "shift_left_of_floats": ("f32[] shift-left(f, f)", "SHAPE", "lhs must have signed or unsigned elements"),
    "compare_result_not_pred": ("f32[2,3] compare(x, x), direction=LT", "SHAPE", "the result is pred[2,3], but f32[2,3] is declared"),
    "compare_without_direction": ("pred[2,3] compare(x, x)", "SHAPE", "attribute direction must be given"),
    "compare_unknown_direction": ("pred[2,3] compare(x, x), direction=ABOVE", "PARSE", "'ABOVE' is no value of direction"),
    "complex_types": ("c64[4] complex(n, n)", "SHAPE", "real must have floating-point elements"),
    "is_finite_of_integers": ("pred[] is-finite(i)", "SHAPE", "operand must have floating-point elements"),
    "clamp_shapes": ("f32[2,3] clamp(v, x, x)", "SHAPE", "min must be a scalar or have the dimensions of operand f32[2,3]"),
    "select_predicate_type": ("f32[2,3] select(x, x, x)", "SHAPE", "pred must have pred elements"),
    "select_branches_differ": ("f32[2,3] select(p, x, y)", "SHAPE", "on_true and on_false must have the same dimensions"),
    # shapes
    "reshape_count": ("f32[2,4] reshape(x)", "SHAPE", "operand f32[2,3] has 6 elements, so the result must have as many"),
    "reshape_type": ("s32[3,2] reshape(x)", "SHAPE", "the result must be an array with the element type of operand f32[2,3]"),
    "broadcast_dimension_size": ("f32[3,4] broadcast(v), dimensions={1}", "SHAPE", "dimension 0 of operand has size 3, so dimension 1 of the result must have it too"),
    "broadcast_dimension_out_of_range": ("f32[2,3] broadcast(v), dimensions={2}", "SHAPE", "dimensions must name a dimension of the result f32[2,3]"),
    "broadcast_dimension_count": ("f32[2,3] broadcast(v), dimensions={0,1}", "SHAPE", "dimensions must say where each of the 1 dimensions of operand f32[3] goes"),
    "transpose_not_a_permutation": ("f32[2,2] transpose(x), dimensions={0,0}", "SHAPE", "dimensions must not name a dimension twice"),
    "transpose_too_few": ("f32[2,3] transpose(x), dimensions={0}", "SHAPE", "dimensions must be a permutation of the 2 dimensions of operand f32[2,3]"),
    "transpose_result": ("f32[2,3] transpose(x), dimensions={1,0}", "SHAPE", "the result is f32[3,2], but f32[2,3] is declared"),
    "reverse_out_of_range": ("f32[2,3] reverse(x), dimensions={2}", "SHAPE", "dimensions must name a dimension of operand f32[2,3]"),
    "slice_limit_past_end": ("f32[2,4] slice(x), slice={[0:2], [0:4]}", "SHAPE", "limit must be at most 3, the size of dimension 1 of operand f32[2,3]"),
    "slice_start_after_limit": ("f32[0,3] slice(x), slice={[2:1], [0:3]}", "SHAPE", "limit must not be less than start"),
    "slice_stride_zero": ("f32[2,3] slice(x), slice={[0:2:0], [0:3]}", "SHAPE", "stride must be at least 1"),
    "slice_rank": ("f32[2,3] slice(x), slice={[0:2]}", "SHAPE", "slice must have a range for each of the 2 dimensions of operand f32[2,3]"),
    "concatenate_other_dimensions_differ": ("f32[5,3] concatenate(x, y), dimensions={0}", "SHAPE", "operands[1] must have size 3 in dimension 1 as operands[0] has"),
    "concatenate_dimension_out_of_range": ("f32[2,6] concatenate(x, x), dimensions={2}", "SHAPE", "dimensions must name a dimension of operands[0] f32[2,3]"),
    "concatenate_types": ("f32[7] concatenate(v, n), dimensions={0}", "SHAPE", "operands[0] and operands[1] must have the same element type"),
    "pad_rank": ("f32[3,3] pad(x, f), padding=1_0", "SHAPE", "padding must be given for each of the 2 dimensions of operand f32[2,3]"),
    "pad_value_type": ("f32[3,3] pad(x, i), padding=1_0x0_0", "SHAPE", "operand and padding_value must have the same element type"),
    "pad_value_not_scalar": ("f32[3,3] pad(x, v), padding=1_0x0_0", "SHAPE", "padding_value must be a scalar"),
    "pad_negative_interior": ("f32[2,3] pad(x, f), padding=0_0_-1x0_0", "SHAPE", "interior padding must not be negative"),
    "iota_dimension": ("f32[2,3] iota(), iota_dimension=2", "SHAPE", "iota_dimension must name a dimension of the result f32[2,3]"),
    "bitcast_convert_sizes": ("f64[2,3] bitcast-convert(x)", "SHAPE", "operand must have the dimensions of the result and then one of size 2"),
    "reduce_precision_of_integers": ("s32[] reduce-precision(i), exponent_bits=5, mantissa_bits=10", "SHAPE", "operand must have floating-point elements"),
    "reduce_precision_no_exponent": ("f32[] reduce-precision(f), exponent_bits=0, mantissa_bits=10", "SHAPE", "exponent_bits must be at least 1"),
    # indexing
    "dynamic_slice_too_large": ("f32[3,3] dynamic-slice(x, i, i), dynamic_slice_sizes={3,3}", "SHAPE", "dynamic_slice_sizes must be from 0 to the size of the dimension"),
    "dynamic_slice_index_count": ("f32[1,3] dynamic-slice(x, i), dynamic_slice_sizes={1,3}", "SHAPE", "there must be one of start_indices for each of the 2 dimensions of operand f32[2,3]"),
    "dynamic_slice_index_type": ("f32[1,3] dynamic-slice(x, f, f), dynamic_slice_sizes={1,3}", "SHAPE", "start_indices[0] must have integer elements"),
    "dynamic_update_slice_too_large": ("f32[2,3] dynamic-update-slice(x, y, i, i)", "SHAPE", "update must not be larger than operand in any dimension"),
    "gather_slice_too_large": ("f32[4,4] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}", "SHAPE", "slice_sizes must be from 0 to the size of the dimension"),
    "gather_collapsed_slice_not_one": ("f32[4,3] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={2,3}", "SHAPE", "slice_sizes must be at most 1 in a collapsed or batching dimension"),
    "gather_index_vector_dim": ("f32[4,3] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1,3}", "SHAPE", "index_vector_dim must be from 0 to 1, the number of dimensions of start_indices s32[4]"),
    "gather_float_indices": ("f32[3,3] gather(x, v), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}", "SHAPE", "start_indices must have integer elements"),
    "scatter_update_shape": ("f32[2,3] scatter(x, n, y), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum", "SHAPE", "dimension 0 of updates[0] f32[3,2] must have the size of dimension 0 of scatter_indices s32[4]"),
    # regions
    "reduce_dimension_out_of_range": ("f32[2,3] reduce(x, f), dimensions={2}, to_apply=sum", "SHAPE", "dimensions must name a dimension of operands[0] f32[2,3]"),
    "reduce_dimension_twice": ("f32[2] reduce(x, f), dimensions={1,1}, to_apply=sum", "SHAPE", "dimensions must not name a dimension twice"),
    "reduce_result": ("f32[3] reduce(x, f), dimensions={1}, to_apply=sum", "SHAPE", "the result is f32[2], but f32[3] is declared"),
    "reduce_region_parameters": ("f32[2] reduce(x, f), dimensions={1}, to_apply=one", "SHAPE", "to_apply one must take 2 parameters"),
    "reduce_region_result": ("f32[2] reduce(x, f), dimensions={1}, to_apply=less", "SHAPE", "parameter 0 of to_apply less carries the result on and must be pred[] as the result is"),
    "reduce_init_not_scalar": ("f32[2] reduce(x, v), dimensions={1}, to_apply=sum", "SHAPE", "init_values[0] must be a scalar"),
    "reduce_init_type": ("f32[2] reduce(x, i), dimensions={1}, to_apply=sum", "SHAPE", "init_values[0] must be f32[], on which to_apply sum works"),
    "reduce_unknown_region": ("f32[2] reduce(x, f), dimensions={1}, to_apply=nowhere", "PARSE", "'nowhere' is not the name of a computation here"),
    "reduce_window_rank": ("f32[2,2] reduce-window(x, f), window={size=2}, to_apply=sum", "SHAPE", "window must have one dimension for each of the 2 dimensions that operands[0] f32[2,3] has"),
    "reduce_window_size_zero": ("f32[2,2] reduce-window(x, f), window={size=0x1}, to_apply=sum", "SHAPE", "window size must be at least 1"),
    "reduce_window_stride_zero": ("f32[2,3] reduce-window(x, f), window={size=1x1 stride=0x1}, to_apply=sum", "SHAPE", "window stride must be at least 1"),
    "select_and_scatter_source": ("f32[2,3] select-and-scatter(x, y, f), window={size=1x3 stride=1x3}, select=less, scatter=sum", "SHAPE", "source must have one element for each position of the window, which is f32[2,1]"),
    "sort_dimension": ("f32[2,3] sort(x), dimensions={2}, to_apply=less", "SHAPE", "dimensions must name a dimension of operands[0] f32[2,3]"),
    "sort_region": ("f32[2,3] sort(x), dimensions={1}, to_apply=sum", "SHAPE", "to_apply sum must give pred[]"),
    "sort_shapes_differ": ("(f32[2,3], f32[3,2]) sort(x, y), dimensions={0}, to_apply=less", "SHAPE", "operands[1] must have the dimensions of operands[0] f32[2,3]"),
    "map_region_shape": ("f32[3] map(v), dimensions={0}, to_apply=vector", "SHAPE", "parameter 0 of to_apply vector must be f32[], an element of operands[0]"),
    "while_condition_parameter": ("f32[3] while(v), condition=loop, body=vector", "SHAPE", "init must be (s32[], f32[3]) as parameter 0 of condition loop is"),
    "call_argument_shape": ("f32[3] call(x), to_apply=vector", "SHAPE", "operands[0] must be f32[3] as parameter 0 of to_apply vector is"),
    "conditional_predicate_type": ("f32[3] conditional(f, v, v), true_computation=vector, false_computation=vector", "SHAPE", "branch_index must have pred or signed elements"),
    "conditional_argument": ("f32[3] conditional(i, x, v), branch_computations={vector, vector}", "SHAPE", "operands[0] must be f32[3] as parameter 0 of branch vector is"),
    # contractions
    "dot_contracting_sizes": ("f32[2,2] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "SHAPE", "contracting dimensions must have the same size"),
    "dot_contracting_counts": ("f32[2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0,1}", "SHAPE", "lhs and rhs must have as many contracting dimensions as each other"),
    "dot_contracting_out_of_range": ("f32[2,2] dot(x, y), lhs_contracting_dims={2}, rhs_contracting_dims={0}", "SHAPE", "lhs_contracting_dims must name a dimension of lhs f32[2,3]"),
    "dot_result": ("f32[3,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "SHAPE", "the result is f32[2,2], but f32[3,2] is declared"),
    "dot_batch_sizes": ("f32[2,3] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}", "SHAPE", "batch dimensions must have the same size"),
    "convolution_labels": ("f32[1,3,3,3] convolution(k, w), window={size=2x2}, dim_labels=b01f_01io->b0f", "PARSE", "the spatial dimensions must be 0 to 1 here, each once"),
    "convolution_input_features": ("f32[1,3,3,2] convolution(k, w), window={size=2x2}, dim_labels=b01f_01oi->b01f", "SHAPE", "lhs has 2 features, so rhs must have as many input features"),
    "convolution_window_size": ("f32[1,2,2,3] convolution(k, w), window={size=3x3}, dim_labels=b01f_01io->b01f", "SHAPE", "window size must be 2 in dimension 0, the size of dimension 0 of rhs f32[2,2,2,3]"),
    "convolution_groups": ("f32[1,3,3,3] convolution(k, w), window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=3", "SHAPE", "feature_group_count 3 must divide the input features, 2, of lhs f32[1,4,4,2]"),
    # linear algebra and others
    "cholesky_not_square": ("f32[2,3] cholesky(x), lower=true", "SHAPE", "a must hold square matrices in its last two dimensions"),
    "triangular_solve_not_square": ("f32[2,3] triangular-solve(x, x), left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE", "SHAPE", "a must hold square matrices in its last two dimensions"),
    "fft_of_integers": ("c64[4] fft(n), fft_type=FFT, fft_length={4}", "SHAPE", "operand must have floating-point or complex elements"),
    "batch_norm_scale": ("(f32[2,3], f32[3], f32[3]) batch-norm-training(x, f, v), epsilon=0.1, feature_index=1", "SHAPE", "scale must have one dimension of size 3, that of the features of operand f32[2,3]"),
    "rng_bit_generator_state": ("(s32[4], u32[3]) rng-bit-generator(n), algorithm=rng_three_fry", "SHAPE", "state must have unsigned elements"),
    "get_tuple_element_of_array": ("f32[3] get-tuple-element(v), index=0", "SHAPE", "operand must be a tuple"),
    "tuple_result": ("(f32[3], s32[]) tuple(v, v)", "SHAPE", "the result is (f32[3], f32[3]), but (f32[3], s32[]) is declared"),
    # text
    "text_unknown_operation": ("f32[3] frobnicate(v)", "UNKNOWN_OP", "there is no operation 'frobnicate'"),
    "text_unknown_operand": ("f32[3] negate(nobody)", "PARSE", "operand 'nobody' is not defined before this instruction"),
    "text_unknown_attribute": ("f32[3] negate(v), colour=red", "PARSE", "negate has no attribute 'colour'"),
    "text_unknown_type": ("f33[3] negate(v)", "PARSE", "expected a shape like f32[3,5]"),
    "text_no_closing_parenthesis": ("f32[3] add(v, v", "PARSE", "expected ',' or ')' after an operand"),
    "text_negative_dimension": ("f32[-3] negate(v)", "PARSE", "a dimension cannot have the negative size -3"),
    "text_layout_not_a_permutation": ("f32[2,3]{1,1} negate(x)", "SHAPE", "the layout names dimension 1 twice"),
    "text_layout_rank": ("f32[2,3]{0} negate(x)", "SHAPE", "the layout must order every dimension of f32[2,3], of rank 2"),
    "text_constant_too_few": ("f32[3] constant({1, 2})", "PARSE", "expected 3 elements in dimension 0 of f32[3], found 2"),
    "text_constant_too_many": ("f32[2] constant({1, 2, 3})", "PARSE", "expected 2 elements in dimension 0 of f32[2], found more"),
    "text_constant_nested_wrong": ("f32[2,2] constant({1, 2, 3, 4})", "PARSE", "expected '{' for dimension 1 of f32[2,2]"),
    "text_constant_out_of_range": ("s8[] constant(128)", "PARSE", "128 does not fit into s8, which holds -128 to 127"),
    "text_parameter_twice": ("f32[3] parameter(0)", "VERIFY", "parameter 0 is given twice: 'v' is the first"),
    "text_name_twice": ("f32[3] negate(v)\n  r = f32[3] negate(v)", "PARSE", "instruction 'r' is defined already, on line 5"),
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
        "HloModule refused\n\nENTRY main {\n  x = f32[2] parameter(0)\n  y = f32[2] parameter(2)\n  ROOT r = f32[2] add(x, y)\n}", "VERIFY", "computation 'main' has parameter 2"),
    "text_use_before_definition": (
        "HloModule refused\n\nENTRY main {\n  x = f32[2] parameter(0)\n  r = f32[2] add(x, later)\n  ROOT later = f32[2] add(r, x)\n}", "PARSE", "operand 'later' is not defined before this instruction"),
    "text_empty_computation": ("HloModule refused\n\nENTRY main {\n}", "PARSE", "computation 'main' has no instruction"),
    "text_not_a_module": ("Hello, world", "PARSE", "expected 'HloModule' and a name"),
    "text_ends_early": ("HloModule refused\n\nENTRY main {\n  x = f32[2] parameter(0)", "PARSE", "computation 'main' is never closed"),
    "text_constant_elided": ("HloModule refused\n\nENTRY main {\n  ROOT r = f32[4] constant({...})\n}", "PARSE", "print the module again with print_large_constants"),
}  # fmt: skip


def make():
    family = Family("refused")
    cases = {name: (module(line), code, phrase) for name, (line, code, phrase) in LINES.items()} | WHOLE
    for (name, (text, code, phrase)), xla_accepts in zip(cases.items(), accepted([text for text, *_ in cases.values()]), strict=True):
        family.refuse(name, text, code, phrase, "XLA is more lenient here" if xla_accepts else None)
        if xla_accepts:
            family.remarks.append(f"{name}: XLA accepts it")
    return [family]
