/* Types and attributes of StableHLO and CHLO as they stand, which are not those of VHLO: codes and fields as the
 * dialects define them today. */
#include "stablehlo/bytecode/bytecode_reader.h"

static const void *unknown(hlo_bytecode *b, size_t at, const char *what, uint64_t code) {
  hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "%s %llu, which is unknown; jax.export or stablehlo.serialize_portable_artifact write a portable artifact", what,
                    (unsigned long long)code);
  return NULL;
}

const hlo_mlir_type *hlo_stablehlo_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  if (code == 0) return hlo_bytecode_token(b);
  return code == 1 ? hlo_bytecode_future(b, c) : unknown(b, at, "StableHLO type", code);
}

static const hlo_bytecode_enum enums[] = {
    {2, {"EQ", "NE", "GE", "GT", "LE", "LT"}},
    {3, {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
    {6, {"FFT", "IFFT", "RFFT", "IRFFT"}},
    {8, {"DEFAULT", "HIGH", "HIGHEST"}},
    {9, {"DEFAULT", "THREE_FRY", "PHILOX"}},
    {10, {"", "UNIFORM", "NORMAL"}},
    {12, {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
    {16, {"DEFAULT", "HIGHEST", "TOLERANCE"}},
};

static const hlo_bytecode_struct structs[] = {
    {1, "stablehlo.channel_handle", "nn", {"handle", "type"}},
    {5, "stablehlo.dot", "llll", {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions", "rhs_contracting_dimensions"}},
    {7, "stablehlo.gather", "llllln",
     {"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims", "start_index_map", "index_vector_dim"}},
    {11, "stablehlo.scatter", "llllln",
     {"update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
      "index_vector_dim"}},
    {13, "stablehlo.type_extensions", "l", {"bounds"}},
    {14, "stablehlo.output_operand_alias", "lnl", {"output_tuple_indices", "operand_index", "operand_tuple_indices"}},
    {15, "stablehlo.dot_algorithm", "tttnnnb",
     {"lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count", "rhs_component_count", "num_primitive_operations",
      "allow_imprecise_accumulation"}},
    {17, "stablehlo.result_accuracy", "rrna", {"atol", "rtol", "ulps", "mode"}},
    {18, "stablehlo.replica_group_mesh_axes", "ai", {"mesh", "axes"}},
    {19, "stablehlo.sub_axis_info", "nn", {"pre_size", "size"}},
    {20, "stablehlo.axis_ref", "sg", {"name", "sub_axis_info"}},
    {21, "stablehlo.mesh_axis", "sn", {"name", "size"}},
    {22, "stablehlo.mesh", "ag", {"axes", "device_ids"}},
};

enum { CONVOLUTION = 4 };
static const hlo_bytecode_struct convolution = {
    CONVOLUTION, NULL, "nnlnnlnnl",
    {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions", "kernel_input_feature_dimension", "kernel_output_feature_dimension",
     "kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"}};

/* Nine numbers and lists become [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]. */
static const hlo_mlir_attribute *read_convolution(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_list named = {.size = sizeof(hlo_mlir_named)};
  hlo_vhlo_op op = {.at = c->at, .named = &named};
  const hlo_mlir_attribute *dict = hlo_bytecode_read_struct(b, c, &convolution), *numbers = NULL;
  bool ok = dict != NULL;
  for (int i = 0; ok && i < dict->count; i++) ok = hlo_list_push(&named, &(hlo_mlir_named){dict->names[i], dict->elements[i]}, b->status);
  if (ok && hlo_vhlo_gather_convolution(b, &op)) numbers = ((const hlo_mlir_named *)named.items)->value;
  hlo_list_drop(&named);
  return numbers;
}

/* What an attribute may not say is refused here as it is in text. */
static const hlo_mlir_attribute *checked(hlo_bytecode *b, size_t at, const hlo_mlir_attribute *dict) {
  const char *problem = dict ? hlo_mlir_attribute_problem(dict) : NULL;
  if (problem) hlo_bytecode_fail(b, at, HLO_SHAPE, "#%.*s %s", (int)dict->text.length, dict->text.text, problem);
  return problem ? NULL : dict;
}

const hlo_mlir_attribute *hlo_stablehlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  for (size_t i = 0; i < sizeof enums / sizeof *enums; i++)
    if (code == (uint64_t)enums[i].code) return hlo_bytecode_read_enum(b, c, &enums[i]);
  for (size_t i = 0; i < sizeof structs / sizeof *structs; i++)
    if (code == (uint64_t)structs[i].code) return checked(b, at, hlo_bytecode_read_struct(b, c, &structs[i]));
  return code == CONVOLUTION ? read_convolution(b, c) : unknown(b, at, "StableHLO attribute", code);
}

/* Those of CHLO that have an encoding: comparison_direction and comparison_type. */
const hlo_mlir_attribute *hlo_chlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  return code < 2 ? hlo_bytecode_read_enum(b, c, &enums[code]) : unknown(b, at, "CHLO attribute", code);
}
