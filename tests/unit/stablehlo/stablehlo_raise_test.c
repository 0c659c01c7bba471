/* Tests of raising: the StableHLO of each family of ops, which must lower to the graph that it was raised from. */
#include <stdlib.h>

#include "stablehlo/forms/forms.h"
#include "stablehlo/mlir/mlir_write.h"
#include "stablehlo/raise/raise.h"
#include "stablehlo/lower/stablehlo.h"
#include "text/hlo_text.h"
#include "unit.h"

typedef struct raising {
  const char *name, *hlo;
  const char *expected[4]; /* parts of the StableHLO text; of the error where `refused` */
  bool refused;
  bool reshaped; /* lowering gives another graph with the same meaning */
} raising;

#define ADD "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n"
#define GE "ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=GE }\n"
#define ENTRY(body) "ENTRY main { " body " }"
#define UNARY(type, op) ENTRY("x = " type " parameter(0) ROOT r = " type " " op)

static const raising raisings[] = {
    {"plain", UNARY("f32[4]", "exponential(x)"), {"\"stablehlo.exponential\"(%0) : (tensor<4xf32>) -> (tensor<4xf32>)", "sym_visibility = \"public\""}, 0, 0},
    {"chlo", UNARY("f32[4]", "erf(x)"), {"\"chlo.erf\"(%0)"}, 0, 0},
    {"element_types", ENTRY("x = u8[2] parameter(0) y = c64[2] parameter(1) z = bf16[2] parameter(2) ROOT r = (u8[2], c64[2], bf16[2]) tuple(x, y, z)"),
     {"(tensor<2xui8>, tensor<2xcomplex<f32>>, tensor<2xbf16>) -> (tensor<2xui8>, tensor<2xcomplex<f32>>, tensor<2xbf16>)"}, 0, 0},
    {"compare", ENTRY("x = f32[2] parameter(0) ROOT r = pred[2] compare(x, x), direction=LT, type=TOTALORDER"),
     {"compare_type = #stablehlo<comparison_type TOTALORDER>", "comparison_direction = #stablehlo<comparison_direction LT>"}, 0, 0},
    {"constant_list", ENTRY("ROOT r = f32[3] constant({1, -0, 0.1})"), {"dense<[1.0, -0.0, 0.1]> : tensor<3xf32>"}, 0, 0},
    {"constant_splat", ENTRY("ROOT r = s32[2,2] constant({{7, 7}, {7, 7}})"), {"dense<7> : tensor<2x2xi32>"}, 0, 0},
    {"iota", ENTRY("ROOT r = s32[100] iota(), iota_dimension=0"), {"{iota_dimension = 0}"}, 0, 0},
    {"constant_infinity", ENTRY("ROOT r = f32[2] constant({inf, 1e-05})"), {"dense<[0x7F800000, 1.0e-05]>"}, 0, 0},
    {"constant_complex", ENTRY("ROOT r = c64[1] constant({(1, -2)})"), {"dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>"}, 0, 0},
    {"broadcast", ENTRY("x = f32[2] parameter(0) ROOT r = f32[3,2] broadcast(x), dimensions={1}"), {"broadcast_dimensions = array<i64: 1>"}, 0, 0},
    {"slice", ENTRY("x = f32[8] parameter(0) ROOT r = f32[3] slice(x), slice={[1:7:2]}"), {"limit_indices = array<i64: 7>, start_indices = array<i64: 1>, strides = array<i64: 2>"}, 0, 0},
    {"pad", ENTRY("x = f32[2] parameter(0) z = f32[] parameter(1) ROOT r = f32[6] pad(x, z), padding=1_2_1"),
     {"edge_padding_high = array<i64: 2>, edge_padding_low = array<i64: 1>, interior_padding = array<i64: 1>"}, 0, 0},
    {"bitcast_moves", ENTRY("x = f32[2,3]{0,1} parameter(0) ROOT r = f32[3,2]{1,0} bitcast(x)"), {"permutation = array<i64: 1, 0>", "stablehlo.reshape"}, 0, true},
    {"bitcast_other_size", ENTRY("x = f32[2] parameter(0) ROOT r = u16[4] bitcast(x)"), {"computation main, instruction r: bitcast: from f32[2]"}, true, 0},
    {"gather", ENTRY("x = f32[5,4] parameter(0) i = s32[3,1] parameter(1) ROOT r = f32[3,4] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}"),
     {"#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>", "slice_sizes = array<i64: 1, 4>"}, 0, 0},
    {"scatter", ADD ENTRY("x = f32[5] parameter(0) i = s32[3,1] parameter(1) u = f32[3] parameter(2) ROOT r = f32[5] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
     {"#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>", "^bb0(%"}, 0, true},
    {"dot", ENTRY("x = f32[2,3] parameter(0) y = f32[3,4] parameter(1) ROOT r = f32[2,4] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,default}"),
     {"#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>", "[#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]"}, 0, true},
    {"convert_complex_to_pred", ENTRY("x = c64[4] parameter(0) ROOT r = pred[4] convert(x)"), {"stablehlo.real", "stablehlo.imag", "stablehlo.or"}, 0, true},
    {"convolution", ENTRY("x = f32[1,8,2] parameter(0) k = f32[3,2,4] parameter(1) ROOT r = f32[1,4,4] convolution(x, k), window={size=3 stride=2 pad=1_1}, dim_labels=b0f_0io->b0f"),
     {"#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>", "padding = dense<1> : tensor<1x2xi64>", "window_reversal = array<i1: false>", "window_strides = array<i64: 2>"}, 0, true},
    {"fft", ENTRY("x = f32[8] parameter(0) ROOT r = c64[5] fft(x), fft_type=RFFT, fft_length={8}"), {"#stablehlo<fft_type RFFT>"}, 0, 0},
    {"triangular_solve", ENTRY("a = f32[2,2] parameter(0) b = f32[2,1] parameter(1) ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, lower=true, transpose_a=TRANSPOSE"),
     {"#stablehlo<transpose TRANSPOSE>", "left_side = true, lower = true"}, 0, true},
    {"rng", ENTRY("a = f32[] parameter(0) ROOT r = f32[2,3] rng(a, a), distribution=rng_uniform"), {"dense<[2, 3]> : tensor<2xi64>", "#stablehlo<rng_distribution UNIFORM>"}, 0, true},
    {"rng_bit_generator", ENTRY("s = u64[2] parameter(0) ROOT r = (u64[2], u32[4]) rng-bit-generator(s), algorithm=rng_three_fry"), {"#stablehlo<rng_algorithm THREE_FRY>"}, 0, true},
    {"top_k", ENTRY("x = f32[4] parameter(0) ROOT r = (f32[2], s32[2]) topk(x), k=2, largest=true"), {"\"chlo.top_k\"(%0) {k = 2}"}, 0, true},
    {"top_k_smallest", ENTRY("x = f32[4] parameter(0) ROOT r = (f32[2], s32[2]) topk(x), k=2, largest=false"), {"\"stablehlo.iota\"", "comparison_type TOTALORDER", "is_stable = true", "limit_indices = array<i64: 2>"}, 0, true},
    {"reduce", ADD ENTRY("x = f32[2,3] parameter(0) z = f32[] parameter(1) ROOT r = f32[2] reduce(x, z), dimensions={1}, to_apply=add"),
     {"\"stablehlo.reduce\"(%0, %1) ({", "\"stablehlo.return\"", "dimensions = array<i64: 1>"}, 0, true},
    {"reduce_window", ADD ENTRY("x = f32[4] parameter(0) z = f32[] parameter(1) ROOT r = f32[3] reduce-window(x, z), window={size=2}, to_apply=add"),
     {"window_dimensions = array<i64: 2>", "base_dilations = array<i64: 1>"}, 0, true},
    {"select_and_scatter", ADD GE ENTRY("x = f32[4] parameter(0) s = f32[2] parameter(1) z = f32[] parameter(2) ROOT r = f32[4] select-and-scatter(x, s, z), window={size=2 stride=2}, select=ge, scatter=add"),
     {"}, {", "window_strides = array<i64: 2>"}, 0, true},
    {"sort", GE ENTRY("x = f32[4] parameter(0) ROOT r = f32[4] sort(x), dimensions={0}, is_stable=true, to_apply=ge"), {"dimension = 0, is_stable = true"}, 0, true},
    {"while", "c { p = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] constant(3) ROOT r = pred[] compare(i, n), direction=LT }\n"
     "b { p = (s32[], f32[2]) parameter(0) i = s32[] get-tuple-element(p), index=0 x = f32[2] get-tuple-element(p), index=1 o = s32[] constant(1) j = s32[] add(i, o) ROOT r = (s32[], f32[2]) tuple(j, x) }\n"
     ENTRY("x = f32[2] parameter(0) z = s32[] constant(0) t = (s32[], f32[2]) tuple(z, x) w = (s32[], f32[2]) while(t), condition=c, body=b ROOT r = f32[2] get-tuple-element(w), index=1"),
     {"\"stablehlo.while\"(%1, %0) ({", ": (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)"}, 0, true},
    {"conditional", "t { x = f32[] parameter(0) ROOT r = f32[] negate(x) }\nf { x = f32[] parameter(0) ROOT r = f32[] abs(x) }\n"
     ENTRY("p = pred[] parameter(0) x = f32[] parameter(1) ROOT r = f32[] conditional(p, x, x), true_computation=t, false_computation=f"),
     {"\"stablehlo.if\"(%0) ({\n", "\"stablehlo.negate\"(%1)"}, 0, true},
    {"call", "main.2 { p = (f32[], f32[]) parameter(0) x = f32[] get-tuple-element(p), index=0 ROOT r = f32[] negate(x) }\n"
     ENTRY("x = f32[] parameter(0) t = (f32[], f32[]) tuple(x, x) ROOT r = f32[] call(t), to_apply=main.2"),
     {"\"func.call\"(%0, %0) {callee = @main.2}", "sym_visibility = \"private\""}, 0, true},
    {"fusion", "f { x = f32[2] parameter(0) ROOT r = f32[2] negate(x) }\n" ENTRY("x = f32[2] parameter(0) ROOT r = f32[2] fusion(x), kind=kLoop, calls=f"), {"{callee = @f}"}, 0, true},
    {"tuple_parameter", ENTRY("p = (f32[], (s32[2])) parameter(0) ROOT r = (s32[2]) get-tuple-element(p), index=1"),
     {"(tuple<tensor<f32>, tuple<tensor<2xi32>>>) -> (tuple<tensor<2xi32>>)", "\"stablehlo.get_tuple_element\"", "index = 1 : i32", "\"stablehlo.tuple\""}, 0, true},
    {"custom_call", ENTRY("x = f32[2,2]{1,0} parameter(0) ROOT r = (f32[2,2]{0,1}, s32[]) custom-call(x), custom_call_target=\"t\", operand_layout_constraints={f32[2,2]{0,1}}, api_version=API_VERSION_TYPED_FFI, backend_config={uplo = 76 : ui8}"),
     {"api_version = 4 : i32, backend_config = {uplo = 76 : ui8}", "operand_layouts = [dense<[0, 1]> : tensor<2xindex>]", "result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]"}, 0, true},
    {"custom_call_of_json", ENTRY("x = f32[2] parameter(0) ROOT r = f32[2] custom-call(x), custom_call_target=\"t\", api_version=API_VERSION_TYPED_FFI, backend_config={\"a\":1}"),
     {"computation main, instruction r: custom-call: backend_config must be a dictionary of MLIR"}, true, 0},
    {"custom_call_of_text", ENTRY("x = f32[2] parameter(0) ROOT r = f32[2] custom-call(x), custom_call_target=\"t\", backend_config=\"a\\n\\\"b\\\"\""),
     {"backend_config = \"a\\0A\\22b\\22\""}, 0, 0},
    {"call_that_declares_more", "f { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }\n" ENTRY("x = f32[4] parameter(0) ROOT r = f32[?] call(x), to_apply=f"),
     {"gives f32[?], but its computation gives f32[4]; a func.call gives what its function does"}, true, 0},
    {"call_that_passes_more", "f { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }\n" ENTRY("x = f32[?] parameter(0) ROOT r = f32[4] call(x), to_apply=f"),
     {"operand 0 is f32[?], but its computation takes f32[4]; a func.call takes what its function does"}, true, 0},
    {"add_dependency", ENTRY("x = f32[2] parameter(0) t = token[] after-all() ROOT r = f32[2] add-dependency(x, t)"), {"\"stablehlo.create_token\"", "\"stablehlo.optimization_barrier\"(%0, %1)"}, 0, true},
    {"copy_started", ENTRY("x = f32[2] parameter(0) s = (f32[2], f32[2], u32[]) copy-start(x) d = f32[2] copy-done(s) ROOT r = f32[2] negate(d)"), {"\"stablehlo.negate\"(%0)"}, 0, true},
    {"all_reduce", ADD ENTRY("x = f32[2] parameter(0) ROOT r = f32[2] all-reduce(x), channel_id=1, replica_groups={{0,1},{2}}, use_global_device_ids=true, to_apply=add"),
     {"#stablehlo.channel_handle<handle = 1, type = 1>", "dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>", "use_global_device_ids}"}, 0, true},
    {"reduce_scatter_of_two", ADD ENTRY("x = f32[4] parameter(0) y = f32[2] parameter(1) ROOT r = (f32[2], f32[1]) reduce-scatter(x, y), replica_groups={{0,1}}, dimensions={0}, to_apply=add"),
     {"(tensor<4xf32>) -> (tensor<2xf32>)", "(tensor<2xf32>) -> (tensor<1xf32>)"}, 0, true},
    {"permute_of_two", ENTRY("x = f32[4] parameter(0) y = f32[2] parameter(1) ROOT r = (f32[4], f32[2]) collective-permute(x, y), source_target_pairs={{0,1}}"),
     {"\"stablehlo.collective_permute\"(%0)", "\"stablehlo.collective_permute\"(%1)"}, 0, true},
    {"permute_of_two_over_a_channel", ENTRY("x = f32[4] parameter(0) y = f32[2] parameter(1) ROOT r = (f32[4], f32[2]) collective-permute(x, y), channel_id=1, source_target_pairs={{0,1}}"),
     {"StableHLO has it for one"}, true, 0},
    {"ragged_all_to_all", ENTRY("a = f32[8] parameter(0) o = f32[8] parameter(1) i = s64[2] parameter(2) ROOT r = f32[8] ragged-all-to-all(a, o, i, i, i, i), channel_id=7, replica_groups={{0,1}}"),
     {"backend_config = {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_id = 7}", "call_target_name = \"ragged_all_to_all\""}, 0, 0},
    {"infeed", ENTRY("t = token[] after-all() ROOT r = ((f32[2]), token[]) infeed(t)"), {"(!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)"}, 0, true},
    {"send", ENTRY("x = f32[2] parameter(0) t = token[] after-all() s = (f32[2], u32[], token[]) send(x, t), channel_id=3 ROOT r = token[] send-done(s), channel_id=3"),
     {"is_host_transfer = false", "handle = 3, type = 1"}, 0, true},
    {"sharding", ENTRY("x = f32[2] parameter(0), sharding={replicated}\nROOT r = f32[2] negate(x), sharding={replicated}"),
     {"arg_attrs = [{mhlo.sharding = \"{replicated}\"}]", "{mhlo.sharding = \"{replicated}\"}"}, 0, true},
    {"bounded", ENTRY("x = f32[<=4] parameter(0) ROOT r = f32[<=4] negate(x)"), {"tensor<?xf32, #stablehlo.bounds<4>>"}, 0, 0},
    {"no_equal", ENTRY("x = f32[2] parameter(0) b = u32[2] parameter(1) ROOT r = bf16[2] stochastic-convert(x, b)"), {"computation main, instruction r: stochastic-convert: StableHLO has no conversion that rounds by given bits"}, true, 0},
    {"opaque", ENTRY("x = opaque[] parameter(0) ROOT r = f32[] constant(0)"), {"no type for opaque[]"}, true, 0},
};

static char *instructions(const hlo_module *module, hlo_status *status) {
  hlo_writer w;
  hlo_writer_init(&w, status);
  const hlo_computation *entry = hlo_module_entry(module);
  for (int i = 0; i < entry->instruction_count; i++) {
    const hlo_instruction *instruction = entry->instructions[i];
    hlo_write_format(&w, "%s %s", hlo_op_name(instruction->opcode), HLO_SHAPE_TEXT(instruction->shape));
    for (int k = 0; k < instruction->operand_count; k++) hlo_write_format(&w, " %d", instruction->operands[k]);
    hlo_write(&w, "\n");
  }
  return w.text;
}

static void check_back(const raising *c, const hlo_module *module, const char *text, size_t length) {
  hlo_status status = {0};
  hlo_mlir *tree = hlo_mlir_parse(text, length, &status);
  hlo_module *back = tree ? hlo_stablehlo_lower(tree, (hlo_span){0}, &status) : NULL;
  CHECK(back != NULL, "%s: %s\n%s", c->name, status.message, text);
  if (back && !c->reshaped) {
    char *before = instructions(module, &status), *after = instructions(back, &status);
    CHECK(strcmp(before, after) == 0, "%s: was\n%s, is\n%s", c->name, before, after);
    free(before);
    free(after);
  }
  if (back) hlo_module_free(back);
  hlo_mlir_free(tree);
}

static void check(const raising *c) {
  char text[4096];
  hlo_status status = {0};
  snprintf(text, sizeof text, "HloModule m\n%s", c->hlo);
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  CHECK(module != NULL, "%s: %s", c->name, status.message);
  hlo_mlir *tree = module ? hlo_stablehlo_raise(module, &status) : NULL;
  CHECK((tree == NULL) == c->refused, "%s: %s", c->name, tree ? "it is raised" : status.message);
  if (c->refused) CHECK(unit_says(status.message, c->expected[0], text) && status.code == HLO_UNSUPPORTED, "%s: %s", c->name, status.message);
  if (tree) {
    hlo_writer w;
    hlo_writer_init(&w, &status);
    hlo_mlir_write(&w, tree);
    for (int i = 0; i < 4 && c->expected[i]; i++) CHECK(strstr(w.text, c->expected[i]), "%s: no %s in\n%s", c->name, c->expected[i], w.text);
    check_back(c, module, w.text, w.length);
    hlo_writer_free(&w);
  }
  hlo_mlir_free(tree);
  if (module) hlo_module_free(module);
}

/* Exactly these operations are refused, because no StableHLO program can have them. */
static void check_refusals(void) {
  static const struct { hlo_opcode opcode; const char *reason; } refusals[] = {
      {HLO_OP_STOCHASTIC_CONVERT, "StableHLO has no conversion that rounds by given bits"},
      {HLO_OP_RNG_GET_AND_UPDATE_STATE, "StableHLO has no generator with a state of its own"}};
  int count = 0;
  for (int i = 0; i < HLO_OPCODE_COUNT; i++) {
    const char *reason = hlo_raise_refusal((hlo_opcode)i);
    bool known = false;
    for (size_t k = 0; reason && k < sizeof refusals / sizeof *refusals; k++)
      known |= refusals[k].opcode == (hlo_opcode)i && strstr(reason, refusals[k].reason) == reason;
    count += reason != NULL;
    CHECK(!reason || known, "%s: %s", hlo_op_name((hlo_opcode)i), reason);
  }
  CHECK(count == 2, "%d operations cannot be raised", count);
}

/* Raising and lowering by the tables would lose an attribute that forms.def has no row for. So the attributes without one are listed
 * here: StableHLO does not have them, or they have rules of their own. */
static void check_forms(void) {
  static const hlo_attribute_id apart[] = {
      HLO_ATTR_result_accuracy, HLO_ATTR_quantization, HLO_ATTR_parameter_number, HLO_ATTR_literal, HLO_ATTR_delta, HLO_ATTR_inferred_dimension,
      HLO_ATTR_dot_algorithm, HLO_ATTR_convolution_kind, HLO_ATTR_index, HLO_ATTR_domain, HLO_ATTR_is_composite, HLO_ATTR_condition,
      HLO_ATTR_body, HLO_ATTR_true_computation, HLO_ATTR_false_computation, HLO_ATTR_branch_computations, HLO_ATTR_fusion_kind,
      HLO_ATTR_output_to_operand_aliasing, HLO_ATTR_calls, HLO_ATTR_async_execution_thread, HLO_ATTR_padding_type,
      HLO_ATTR_custom_call_target, HLO_ATTR_operand_layout_constraints, HLO_ATTR_custom_call_has_side_effect,
      HLO_ATTR_custom_call_literal, HLO_ATTR_schedule, HLO_ATTR_api_version, HLO_ATTR_called_computations, HLO_ATTR_constrain_layout,
      HLO_ATTR_collective_mode, HLO_ATTR_collective_slice_sizes, HLO_ATTR_cross_program_prefetch_index, HLO_ATTR_infeed_config,
      HLO_ATTR_outfeed_shape, HLO_ATTR_outfeed_config, HLO_ATTR_is_host_transfer};
  for (int i = 0; i < HLO_OPCODE_COUNT; i++) {
    const hlo_op_info *op = hlo_op((hlo_opcode)i);
    for (int k = 0; k < op->attribute_count; k++) {
      hlo_attribute_id id = (hlo_attribute_id)op->attributes[k].id;
      const hlo_form *form = hlo_form_of((hlo_opcode)i, id);
      bool known = form != NULL;
      for (size_t n = 0; n < sizeof apart / sizeof *apart; n++) known |= apart[n] == id;
      CHECK(known, "%s of %s has no row in forms.def", hlo_attribute_name(id), hlo_op_name((hlo_opcode)i));
      bool entry = form && (form->kind == HLO_FORM_ENTRY || form->kind == HLO_FORM_ENTRY_INT);
      CHECK(!entry || hlo_form_dictionary_of((hlo_opcode)i), "%s of %s stands in no dictionary", hlo_attribute_name(id), hlo_op_name((hlo_opcode)i));
    }
  }
  CHECK(!hlo_form_dictionary_of(HLO_OP_ADD), "add has a dictionary");
}

/* A raised tree lowers as it is, not only after it was printed and read. */
static void check_unprinted(void) {
  static const char text[] = "HloModule m\n" ENTRY("x = f32[2] parameter(0) ROOT r = f32[2] custom-call(x), custom_call_target=\"t\", api_version=API_VERSION_TYPED_FFI, backend_config={a = {b = [1, 2]}, c = \"d\"}");
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  hlo_mlir *tree = module ? hlo_stablehlo_raise(module, &status) : NULL;
  hlo_module *lowered = tree ? hlo_stablehlo_lower(tree, (hlo_span){0}, &status) : NULL;
  CHECK(lowered != NULL, "%s", status.message);
  hlo_module_free(lowered);
  hlo_mlir_free(tree);
  hlo_module_free(module);
}

/* Branches are raised wherever they are used, so the number of operations must be bounded. */
static void check_doubling(void) {
  hlo_status status = {0};
  hlo_writer w;
  hlo_writer_init(&w, &status);
  hlo_write(&w, "HloModule m\nc0 { x = f32[] parameter(0) ROOT r = f32[] negate(x) }\n");
  for (int i = 1; i <= 40; i++)
    hlo_write_format(&w, "c%d { x = f32[] parameter(0) p = pred[] constant(true) ROOT r = f32[] conditional(p, x, x), true_computation=c%d, false_computation=c%d }\n", i, i - 1, i - 1);
  hlo_write(&w, "ENTRY main { x = f32[] parameter(0) ROOT r = f32[] call(x), to_apply=c40 }");
  hlo_module *module = hlo_text_parse(w.text, w.length, &status);
  CHECK(module != NULL, "%s", status.message);
  hlo_mlir *tree = module ? hlo_stablehlo_raise(module, &status) : NULL;
  CHECK(!tree && status.code == HLO_LIMIT, "%s", status.message);
  hlo_mlir_free(tree);
  if (module) hlo_module_free(module);
  hlo_writer_free(&w);
}

int main(void) {
  for (size_t i = 0; i < sizeof raisings / sizeof *raisings; i++) check(&raisings[i]);
  check_refusals();
  check_forms();
  check_doubling();
  check_unprinted();
  return unit_report();
}
