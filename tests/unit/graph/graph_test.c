/* The op and attribute tables, attribute values, names, building, equality, import. */
#include <stdlib.h>

#include "graph/attribute_forms.h"
#include "graph/module.h"
#include "base/nearest_name.h"
#include "base/text_writer.h"
#include "unit.h"

/* ---- Tables ---- */

static void test_ops_are_found_by_name(void) {
  for (int i = 0; i < HLO_OPCODE_COUNT; i++) {
    hlo_opcode found = HLO_OPCODE_COUNT;
    CHECK(hlo_opcode_from_name(hlo_span_of(hlo_op_name((hlo_opcode)i)), &found) && found == (hlo_opcode)i, "%s", hlo_op_name((hlo_opcode)i));
  }
  hlo_opcode found;
  CHECK(!hlo_opcode_from_name(hlo_span_of("ad"), &found), "a beginning is no name");
  CHECK(!hlo_opcode_from_name(hlo_span_of(""), &found), "nothing is no name");
}

/* In each row, names lead to the row's own attributes, and every op knows the common ones. */
static void test_attributes_are_found_by_name(void) {
  for (int i = 0; i < HLO_OPCODE_COUNT; i++) {
    const hlo_op_info *op = hlo_op((hlo_opcode)i);
    hlo_attribute_id found;
    for (int a = 0; a < op->attribute_count; a++) {
      hlo_attribute_id id = op->attributes[a].id;
      CHECK(hlo_op_attribute_from_name((hlo_opcode)i, hlo_span_of(hlo_attribute_name(id)), &found) && found == id, "%s of %s",
            hlo_attribute_name(id), hlo_op_name((hlo_opcode)i));
    }
    CHECK(hlo_op_attribute_from_name((hlo_opcode)i, hlo_span_of("metadata"), &found) && found == HLO_ATTR_metadata, "%s", hlo_op_name((hlo_opcode)i));
    CHECK(!hlo_op_attribute_from_name((hlo_opcode)i, hlo_span_of("nothing"), &found), "%s", hlo_op_name((hlo_opcode)i));
  }
  hlo_attribute_id found;
  CHECK(hlo_op_attribute_from_name(HLO_OP_DOT, hlo_span_of("algorithm"), &found) && found == HLO_ATTR_dot_algorithm, "dot");
  CHECK(hlo_op_attribute_from_name(HLO_OP_RNG_BIT_GENERATOR, hlo_span_of("algorithm"), &found) && found == HLO_ATTR_rng_algorithm, "rng");
  CHECK(!hlo_op_attribute_from_name(HLO_OP_ADD, hlo_span_of("dimensions"), &found), "add has no dimensions");
}

static void test_suggestions(void) {
  static const struct { const char *given, *nearest; } cases[] = {
      {"addd", "add"}, {"dto", "dot"}, {"mutliply", "multiply"}, {"reduce_window", "reduce-window"}, {"dynamic-slic", "dynamic-slice"},
      {"transpos", "transpose"}, {"convolve", NULL}, {"xyzzy-plugh", NULL}, {"", NULL}, {"x", NULL}, {"ad", "add"}, {"expo", "exponential"},
      {"a-name-that-is-much-longer-than-any-operation-has", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_nearest_name nearest = {.name = hlo_span_of(cases[i].given)};
    hlo_op_offer_names(&nearest);
    CHECK_TEXT(nearest.best.length ? nearest.best.text : "none", cases[i].nearest ? cases[i].nearest : "none");
  }
  hlo_nearest_name nearest = {.name = hlo_span_of("dimension")};
  hlo_op_offer_attributes(HLO_OP_REDUCE, &nearest);
  CHECK_TEXT(nearest.best.text, "dimensions");
}

/* ---- Attribute values ---- */

static int no_computation(void *context, hlo_span name) { return hlo_span_is(name, "add.1") ? 3 : -1; }
static int no_instruction(void *context, hlo_span name) { return hlo_span_is(name, "x") ? 5 : hlo_span_is(name, "y") ? 6 : -1; }
static void write_computation(void *context, hlo_writer *writer, int index) { hlo_write(writer, index == 3 ? "add.1" : "other"); }
static void write_instruction(void *context, hlo_writer *writer, int index) { hlo_write(writer, index == 5 ? "x" : "y"); }
static const hlo_name_scope scope = {NULL, no_computation, no_instruction, write_computation, write_instruction};

/* text: one value; printed: as it is written back, NULL if the same; other: a value that is not equal. */
static const struct { hlo_attribute_id id; const char *text, *printed, *other; } values[] = {
    {HLO_ATTR_index, "3", NULL, "4"},
    {HLO_ATTR_delta, "-9223372036854775808", NULL, "0"},
    {HLO_ATTR_dimensions, "{0,1}", NULL, "{1,0}"},
    {HLO_ATTR_dimensions, "{}", NULL, "{0}"},
    {HLO_ATTR_dimensions, "{ 0 , /*one*/ 1 }", "{0,1}", "{0,1,2}"},
    {HLO_ATTR_is_stable, "true", NULL, "false"},
    {HLO_ATTR_epsilon, "0.001", NULL, "0.002"},
    {HLO_ATTR_epsilon, "1e-05", NULL, "1e-06"},
    {HLO_ATTR_custom_call_target, "\"a \\\"b\\\" \\n\\t\\001\\\\\"", NULL, "\"a\""},
    {HLO_ATTR_custom_call_target, "\"\\x41\\102\\'\\?\"", "\"AB\\'?\"", "\"AB\""},
    {HLO_ATTR_metadata, "{op_name=\"a}\" source_line=3}", NULL, "{}"},
    {HLO_ATTR_api_version, "API_VERSION_TYPED_FFI", NULL, "API_VERSION_ORIGINAL"},
    {HLO_ATTR_custom_call_literal, "f32[2]{0} {1, 2}", NULL, "s32[] 5"},
    {HLO_ATTR_backend_config, "\"a, b\"", NULL, "{\"a\":1}"},
    {HLO_ATTR_window, "{size=3x3}", NULL, "{size=3x2}"},
    {HLO_ATTR_window, "{size=3x3 stride=2x2 pad=1_1x0_-1 lhs_dilate=1x2 rhs_dilate=2x1 rhs_reversal=0x1}", NULL, "{size=3x3}"},
    {HLO_ATTR_window, "{ pad=0_0x0_0 size=1x2 stride=1x1 }", "{size=1x2}", "{size=1x2 pad=0_0x0_1}"},
    {HLO_ATTR_window, "{}", NULL, "{size=1}"},
    {HLO_ATTR_window, "{size=3 rhs_reversal=1}", NULL, "{size=3}"},
    {HLO_ATTR_window, "{size=3 rhs_dilate=2}", NULL, "{size=3 lhs_dilate=2}"},
    {HLO_ATTR_padding, "0_1x2_-2", NULL, "0_1x2_2"},
    {HLO_ATTR_padding, "0_1_0x2_2_1", NULL, "0_1x2_2"},
    {HLO_ATTR_padding, "0_1x2_2_1", "0_1_0x2_2_1", "0_1"},
    {HLO_ATTR_padding, "", NULL, "0_1"},
    {HLO_ATTR_dim_labels, "b01f_01io->b01f", NULL, "bf01_01io->b01f"},
    {HLO_ATTR_dim_labels, "bf_io->fb", NULL, "bf_oi->fb"},
    {HLO_ATTR_slice, "{[0:4], [1:3]}", NULL, "{[0:4], [1:4]}"},
    {HLO_ATTR_slice, "{[0:4:1],[1:3:2]}", "{[0:4:1], [1:3:2]}", "{[0:4]}"},
    {HLO_ATTR_slice, "{[2:3:1]}", "{[2:3]}", "{}"},
    {HLO_ATTR_to_apply, "%add.1", "add.1", NULL},
    {HLO_ATTR_branch_computations, "{add.1, %add.1}", "{add.1, add.1}", "{add.1}"},
    {HLO_ATTR_control_predecessors, "{%x, y}", "{x, y}", "{y, x}"},
    {HLO_ATTR_outfeed_shape, "(f32[2]{0}, s32[])", NULL, "f32[2]{0}"},
    {HLO_ATTR_replica_groups, "{{0,1},{2,3}}", NULL, "{{0,1},{3,2}}"},
    {HLO_ATTR_replica_groups, "{}", NULL, "{{}}"},
    {HLO_ATTR_replica_groups, "[2,2]<=[4]", NULL, "[2,2]<=[2,2]T(1,0)"},
    {HLO_ATTR_direction, "GE", NULL, "EQ"},
    {HLO_ATTR_rng_algorithm, "rng_three_fry", NULL, "rng_philox"},
    {HLO_ATTR_fusion_kind, "kLoop", NULL, "kInput"},
};

static bool read_value(hlo_arena *arena, hlo_attribute_id id, const char *text, hlo_attribute *attribute, hlo_status *status) {
  *status = (hlo_status){0};
  *attribute = (hlo_attribute){.id = id};
  hlo_reader reader;
  hlo_reader_init(&reader, text, strlen(text), status);
  return hlo_attribute_read(&reader, arena, &scope, attribute) && hlo_reader_at_end(&reader);
}

static void check_written(const hlo_attribute *attribute, const char *expected) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_write(&writer, "");
  hlo_attribute_write(&writer, attribute, &scope);
  CHECK_TEXT(writer.text ? writer.text : "", expected);
  hlo_writer_free(&writer);
}

static void test_values(void) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    hlo_status status;
    hlo_attribute first, again, other;
    const char *printed = values[i].printed ? values[i].printed : values[i].text;
    CHECK(read_value(&arena, values[i].id, values[i].text, &first, &status), "%s: %s", values[i].text, status.message);
    if (!hlo_ok(&status)) continue;
    check_written(&first, printed);
    CHECK(read_value(&arena, values[i].id, printed, &again, &status), "%s: %s", printed, status.message);
    CHECK(hlo_attribute_equal(&first, &again), "%s", printed);
    CHECK(hlo_attribute_hash(&first) == hlo_attribute_hash(&again), "%s", printed);
    if (!values[i].other) continue;
    CHECK(read_value(&arena, values[i].id, values[i].other, &other, &status), "%s: %s", values[i].other, status.message);
    CHECK(!hlo_attribute_equal(&first, &other), "%s and %s", values[i].text, values[i].other);
  }
  hlo_arena_free(&arena);
}

/* A float, as in XLA: what a double would keep beyond that is gone. */
static void test_reals_are_floats(void) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_status status;
  hlo_attribute attribute;
  CHECK(read_value(&arena, HLO_ATTR_epsilon, "0.1", &attribute, &status) && attribute.real == (double)0.1f, "%.17g", attribute.real);
  check_written(&attribute, "0.1");
  hlo_arena_free(&arena);
}

static const struct { hlo_attribute_id id; const char *text; hlo_code code; const char *message; } refused[] = {
    {HLO_ATTR_index, "x", HLO_PARSE, "expected an integer, found 'x'"},
    {HLO_ATTR_dimensions, "{0,}", HLO_PARSE, "expected an integer, found '}'"},
    {HLO_ATTR_dimensions, "{0 1}", HLO_PARSE, "expected '}', found '1'"},
    {HLO_ATTR_is_stable, "yes", HLO_PARSE, "expected true or false, found 'yes'"},
    {HLO_ATTR_custom_call_target, "foo", HLO_PARSE, "expected a string in double quotes, found 'foo'"},
    {HLO_ATTR_metadata, "", HLO_PARSE, "expected a value, found the end of the text"},
    {HLO_ATTR_metadata, "{a", HLO_PARSE, "this '{' is never closed"},
    {HLO_ATTR_window, "{size=3x}", HLO_PARSE, "expected an integer, found '}'"},
    {HLO_ATTR_window, "{stride=3}", HLO_PARSE, "a window must have a size"},
    {HLO_ATTR_window, "{size=3x3 stride=2}", HLO_PARSE, "this window has 2 dimensions, but here are 1"},
    {HLO_ATTR_window, "{size=3 size=3}", HLO_PARSE, "each once, or '}', found 'size'"},
    {HLO_ATTR_window, "{sise=3}", HLO_PARSE, "found 'sise'"},
    {HLO_ATTR_window, "{size=3 pad=1}", HLO_PARSE, "expected '_' between low and high padding"},
    {HLO_ATTR_window, "{size=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1}", HLO_LIMIT, "more than 32 dimensions"},
    {HLO_ATTR_padding, "1x2", HLO_PARSE, "expected '_' between low and high padding"},
    {HLO_ATTR_padding, "{1}", HLO_PARSE, "expected a padding like 0_1x2_2_1, found '{'"},
    {HLO_ATTR_dim_labels, "b01f_01io", HLO_PARSE, "expected '->', found the end of the text"},
    {HLO_ATTR_dim_labels, "b01f_0io->b01f", HLO_PARSE, "the spatial dimensions must be 0 to 1 here, each once"},
    {HLO_ATTR_dim_labels, "b02f_01io->b01f", HLO_PARSE, "the spatial dimensions must be 0 to 1 here, each once"},
    {HLO_ATTR_dim_labels, "b00f_01io->b01f", HLO_PARSE, "dimension '0' is given twice"},
    {HLO_ATTR_dim_labels, "b01_01io->b01f", HLO_PARSE, "expected dimension labels with 'b' and 'f'"},
    {HLO_ATTR_dim_labels, "b0?f_01io->b01f", HLO_UNSUPPORTED, "dimensions without a meaning ('?') are not supported"},
    {HLO_ATTR_slice, "{[0]}", HLO_PARSE, "expected ':', found ']'"},
    {HLO_ATTR_to_apply, "sub", HLO_PARSE, "'sub' is not the name of a computation here"},
    {HLO_ATTR_to_apply, "{sub}", HLO_PARSE, "expected the name of a computation, found '{'"},
    {HLO_ATTR_control_predecessors, "{z}", HLO_PARSE, "'z' is not the name of an instruction here"},
    {HLO_ATTR_direction, "GTE", HLO_PARSE, "'GTE' is no value of direction; did you mean 'GE'?"},
    {HLO_ATTR_replica_groups, "{0,1}", HLO_PARSE, "expected '{', found '0'"},
    {HLO_ATTR_replica_groups, "[2,3]<=[4]", HLO_PARSE, "4 devices do not make 2 groups of 3"},
    {HLO_ATTR_replica_groups, "[2,2]<=[2,2]T(0,0)", HLO_PARSE, "this must be a permutation of 0 to 1"},
    {HLO_ATTR_replica_groups, "[2,2]<=[2,2]T(-1,0)", HLO_PARSE, "this must be a permutation of 0 to 1"},
    {HLO_ATTR_replica_groups, "[2,2]<=[2,2]T(0)", HLO_PARSE, "this must be a permutation of 0 to 1"},
    {HLO_ATTR_replica_groups, "[4]<=[4]", HLO_PARSE, "expected [groups,size], got 1 numbers"},
    {HLO_ATTR_replica_groups, "[0,2]<=[0]", HLO_PARSE, "sizes here must be positive"},
    {HLO_ATTR_replica_groups, "[1000000,1000000]<=[1000000000000]", HLO_LIMIT, "more than 1048576 devices"},
    {HLO_ATTR_replica_groups, "4", HLO_PARSE, "expected groups like {{0,1},{2,3}} or [2,2]<=[4], found '4'"},
    {HLO_ATTR_replica_groups, "mesh['a'=2] {'b'}", HLO_PARSE, "the mesh has no such axis"},
    {HLO_ATTR_replica_groups, "mesh[=2]", HLO_PARSE, "expected the name of an axis, found '='"},
    {HLO_ATTR_replica_groups, "mesh['a'=2", HLO_PARSE, "expected ']', found the end of the text"},
    {HLO_ATTR_replica_groups, "mesh['a'=4] {'a':(3)2}", HLO_PARSE, "this does not divide the axis, whose size is 4"},
    {HLO_ATTR_replica_groups, "mesh['a'=8] {'a':(1)4,'a':(2)4}", HLO_PARSE, "parts of an axis overlap"},
    {HLO_ATTR_replica_groups, "mesh['a'=12] {'a':(1)2,'a':(3)4}", HLO_PARSE, "parts of an axis overlap"},
    {HLO_ATTR_replica_groups, "mesh['a'=2] {'a','a'}", HLO_PARSE, "parts of an axis overlap"},
    {HLO_ATTR_replica_groups, "mesh['a'=2], device_ids=(0,1,2) {'a'}", HLO_PARSE, "3 device ids for a mesh of 2"},
};

static void test_refused_values(void) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    hlo_status status;
    hlo_attribute attribute;
    CHECK(!read_value(&arena, refused[i].id, refused[i].text, &attribute, &status), "%s", refused[i].text);
    CHECK(status.code == refused[i].code, "%s: %s", refused[i].text, hlo_code_name(status.code));
    CHECK(unit_says(status.message, refused[i].message, refused[i].text), "%s: %s", refused[i].text, status.message);
    CHECK(status.line == 1 && status.column > 0, "%s: %d:%d", refused[i].text, status.line, status.column);
  }
  hlo_arena_free(&arena);
}

/* Counted groups mean what listed ones say. */
static void test_groups_are_expanded(void) {
  static const struct { const char *counted, *listed; } cases[] = {
      {"[2,2]<=[4]", "{{0,1},{2,3}}"},
      {"[1,4]<=[4]", "{{0,1,2,3}}"},
      {"[2,2]<=[2,2]T(1,0)", "{{0,2},{1,3}}"},
      {"[4,2]<=[2,2,2]T(2,0,1)", "{{0,2},{4,6},{1,3},{5,7}}"},
      {"mesh['a'=2,'b'=3] {'b'}", "{{0,1,2},{3,4,5}}"},
      {"mesh[a=2,b=3] {a}", "{{0,3},{1,4},{2,5}}"},
      {"mesh['a'=2,'b'=3] {'a'}", "{{0,3},{1,4},{2,5}}"},
      {"mesh['a'=2,'b'=3] {'a','b'}", "{{0,1,2,3,4,5}}"},
      {"mesh['a'=2,'b'=3] {'b','a'}", "{{0,3,1,4,2,5}}"},
      {"mesh['a'=2,'b'=2] {}", "{{0},{1},{2},{3}}"},
      {"mesh['a'=2,'b'=1] {'b'}", "{{0},{1}}"},
      {"mesh['a'=4] {'a':(1)2}", "{{0,2},{1,3}}"},
      {"mesh['a'=4] {'a':(2)2}", "{{0,1},{2,3}}"},
      {"mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)) {'b'}", "{{0,2},{1,3}}"},
      {"mesh['a'=2,'b'=2], device_ids=(3,2,1,0) {'b'}", "{{3,2},{1,0}}"},
      {"mesh['a'=2,'b'=2], device_ids=(3,2,1,0) {'a'}", "{{3,1},{2,0}}"},
  };
  hlo_arena arena;
  hlo_arena_init(&arena);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_status status;
    hlo_attribute counted, listed;
    CHECK(read_value(&arena, HLO_ATTR_replica_groups, cases[i].counted, &counted, &status), "%s: %s", cases[i].counted, status.message);
    CHECK(read_value(&arena, HLO_ATTR_replica_groups, cases[i].listed, &listed, &status), "%s: %s", cases[i].listed, status.message);
    CHECK(hlo_attribute_equal(&counted, &listed), "%s is not %s", cases[i].counted, cases[i].listed);
    CHECK(hlo_attribute_hash(&counted) == hlo_attribute_hash(&listed), "%s", cases[i].counted);
    check_written(&counted, cases[i].counted);
  }
  hlo_arena_free(&arena);
}

/* ---- Names ---- */

static void test_names(void) {
  static const struct { const char *given, *fit; } cases[] = {
      {"x", "x"}, {"jit_f.1-2", "jit_f.1-2"}, {"a b", "a_b"}, {"2x", "_2x"}, {"", "_"}, {"\xc3\xa9", "__"}, {".x", "_.x"}, {"<lambda>", "_lambda_"}};
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_status status = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) CHECK_TEXT(hlo_name_fit(&arena, hlo_span_of(cases[i].given), &status), cases[i].fit);
  hlo_name_table table = {0};
  for (int i = 0; i < 1000; i++) {
    const char *name = hlo_name_table_unique(&table, &arena, i % 2 ? "x" : "y", &status);
    CHECK(hlo_name_table_find(&table, hlo_span_of(name)) < 0, "%s", name);
    CHECK(hlo_name_table_add(&table, &arena, name, i, &status), "%s", status.message);
    CHECK(hlo_name_table_find(&table, hlo_span_of(name)) == i, "%s", name);
  }
  CHECK(hlo_name_table_find(&table, hlo_span_of("x.499")) == 999, "x.499");
  CHECK(hlo_name_table_find(&table, hlo_span_of("x.500")) == -1, "x.500");
  hlo_arena_free(&arena);
}

/* ---- Building ---- */

typedef struct fixture {
  hlo_status status;
  hlo_module *module;
  hlo_computation *c;
  const hlo_shape *scalar;
} fixture;

static fixture begin(const char *name) {
  fixture f = {0};
  f.module = hlo_module_new("m", 1, &f.status);
  f.c = hlo_module_add_computation(f.module, name, strlen(name), &f.status);
  f.scalar = hlo_shape_make_scalar(&f.module->arena, HLO_TYPE_F32, &f.status);
  return f;
}

static hlo_instruction *parameter(fixture *f, const char *name, int number) {
  const hlo_attribute attribute = {.id = HLO_ATTR_parameter_number, .integer = number};
  return hlo_computation_add(f->module, f->c, HLO_OP_PARAMETER, name, f->scalar, NULL, 0, &attribute, 1, &f->status);
}

static hlo_instruction *binary(fixture *f, hlo_opcode opcode, const char *name, int lhs, int rhs) {
  const int operands[] = {lhs, rhs};
  return hlo_computation_add(f->module, f->c, opcode, name, f->scalar, operands, 2, NULL, 0, &f->status);
}

static void check_failed(fixture *f, const void *result, hlo_code code, const char *message) {
  CHECK(!result, "%s", message);
  CHECK(f->status.code == code, "%s", hlo_code_name(f->status.code));
  CHECK(unit_says(f->status.message, message, NULL), "%s", f->status.message);
  f->status = (hlo_status){0};
}

static void test_building(void) {
  fixture f = begin("main");
  CHECK(parameter(&f, "b", 1) && parameter(&f, "a", 0) && binary(&f, HLO_OP_ADD, "sum", 1, 0), "%s", f.status.message);
  CHECK(f.c->parameter_count == 2 && f.c->parameters[0] == 1 && f.c->parameters[1] == 0, "parameters");
  CHECK(hlo_computation_find(f.c, hlo_span_of("sum")) == 2, "sum");
  check_failed(&f, parameter(&f, "c", 1), HLO_VERIFY, "parameter 1 is given twice: 'b' is the first");
  check_failed(&f, parameter(&f, "d", -1), HLO_VERIFY, "a parameter number must be 0 or more");
  check_failed(&f, parameter(&f, "e", 2000000000), HLO_LIMIT, "at most 1048576 parameters");
  check_failed(&f, binary(&f, HLO_OP_ADD, "sum", 0, 1), HLO_ARGUMENT, "there is an instruction 'sum' already");
  check_failed(&f, binary(&f, HLO_OP_ADD, "a b", 0, 1), HLO_ARGUMENT, "'a b' cannot be the name of an instruction");
  check_failed(&f, binary(&f, HLO_OP_ADD, "x", 0, 3), HLO_ARGUMENT, "operand 1 is instruction 3, which does not come before instruction 3");
  check_failed(&f, binary(&f, HLO_OP_ADD, "x", -1, 0), HLO_ARGUMENT, "operand 0 is instruction -1");
  check_failed(&f, hlo_module_add_computation(f.module, "main", 4, &f.status), HLO_ARGUMENT, "there is a computation 'main' already");
  CHECK(f.c->instruction_count == 3, "%d", f.c->instruction_count);
  CHECK_TEXT(hlo_computation_unique_name(f.module, f.c, "sum", &f.status), "sum.1");
  CHECK_TEXT(hlo_computation_unique_name(f.module, f.c, "new one", &f.status), "new_one");
  CHECK_TEXT(hlo_module_unique_name(f.module, "main", &f.status), "main.1");
  hlo_module_free(f.module);
  hlo_module_free(NULL);
}

static void test_attributes_are_in_order(void) {
  fixture f = begin("main");
  parameter(&f, "a", 0);
  const hlo_attribute attributes[] = {{.id = HLO_ATTR_metadata, .text = {"{}", 2}},
                                      {.id = HLO_ATTR_comparison_type, .enumerant = HLO_comparison_type_TOTALORDER},
                                      {.id = HLO_ATTR_sharding, .text = {"{}", 2}},
                                      {.id = HLO_ATTR_direction, .enumerant = HLO_direction_LT}};
  const int operands[] = {0, 0};
  const hlo_instruction *i = hlo_computation_add(f.module, f.c, HLO_OP_COMPARE, "c", f.scalar, operands, 2, attributes, 4, &f.status);
  static const hlo_attribute_id expected[] = {HLO_ATTR_direction, HLO_ATTR_comparison_type, HLO_ATTR_sharding, HLO_ATTR_metadata};
  for (int k = 0; k < 4; k++) CHECK(i->attributes[k].id == expected[k], "%d is %s", k, hlo_attribute_name(i->attributes[k].id));
  CHECK(hlo_instruction_enum(i, HLO_ATTR_direction, -1) == HLO_direction_LT, "direction");
  CHECK(hlo_instruction_int(i, HLO_ATTR_index, 7) == 7 && hlo_instruction_ints(i, HLO_ATTR_dimensions)->count == 0, "missing");
  CHECK(hlo_instruction_window(i)->rank == 0, "no window");
  hlo_module_free(f.module);
}

/* ---- Equality ---- */

static void test_equality_ignores_what_has_no_effect(void) {
  fixture f = begin("main");
  parameter(&f, "a", 0);
  parameter(&f, "b", 1);
  const hlo_attribute here = {.id = HLO_ATTR_metadata, .text = {"{op_name=\"x\"}", 13}};
  const hlo_attribute there = {.id = HLO_ATTR_frontend_attributes, .text = {"{a=\"1\"}", 7}};
  const int operands[] = {0, 1};
  hlo_module *m = f.module;
  const hlo_instruction *plain = binary(&f, HLO_OP_ADD, "p", 0, 1), *swapped = binary(&f, HLO_OP_ADD, "s", 1, 0);
  const hlo_instruction *noted = hlo_computation_add(m, f.c, HLO_OP_ADD, "n", f.scalar, operands, 2, &here, 1, &f.status);
  const hlo_instruction *other = binary(&f, HLO_OP_MULTIPLY, "o", 0, 1);
  const hlo_instruction *call = hlo_computation_add(m, f.c, HLO_OP_CUSTOM_CALL, "c", f.scalar, operands, 2, &here, 1, &f.status);
  const hlo_instruction *told = hlo_computation_add(m, f.c, HLO_OP_CUSTOM_CALL, "d", f.scalar, operands, 2, &there, 1, &f.status);
  CHECK(hlo_instruction_equal(plain, noted) && hlo_instruction_hash(plain) == hlo_instruction_hash(noted), "metadata has no effect");
  CHECK(!hlo_instruction_equal(plain, swapped) && hlo_instruction_hash(plain) != hlo_instruction_hash(swapped), "operands in order");
  CHECK(!hlo_instruction_equal(plain, other) && hlo_instruction_hash(plain) != hlo_instruction_hash(other), "opcode");
  CHECK(!hlo_instruction_equal(call, told), "a custom call may read its frontend attributes");
  hlo_module_free(m);
}

static void check_binary(hlo_opcode opcode, int lhs, int rhs, bool expected) {
  fixture f = begin("f");
  hlo_opcode found;
  parameter(&f, "a", 0);
  parameter(&f, "b", 1);
  f.c->root = binary(&f, opcode, "r", lhs, rhs)->index;
  bool is = hlo_computation_is_binary_op(f.c, &found);
  CHECK(is == expected && (!is || found == opcode), "%s %d %d", hlo_op_name(opcode), lhs, rhs);
  hlo_module_free(f.module);
}

static void test_binary_computations(void) {
  check_binary(HLO_OP_ADD, 0, 1, true);
  check_binary(HLO_OP_ADD, 1, 0, true);
  check_binary(HLO_OP_SUBTRACT, 0, 1, true);
  check_binary(HLO_OP_SUBTRACT, 1, 0, false);
  check_binary(HLO_OP_ADD, 0, 0, false);
  check_binary(HLO_OP_COMPARE, 0, 1, false);
}

/* ---- Import ---- */

/* f(a, b) = a opcode b; g(a) = call f(a, a); its index. */
static int add_caller(fixture *f, hlo_opcode opcode) {
  f->c = hlo_module_add_computation(f->module, "f", 1, &f->status);
  parameter(f, "a", 0);
  parameter(f, "b", 1);
  f->c->root = binary(f, opcode, "r", 0, 1)->index;
  const hlo_attribute calls = {.id = HLO_ATTR_to_apply, .computation = f->c->index};
  f->c = hlo_module_add_computation(f->module, "g", 1, &f->status);
  parameter(f, "a", 0);
  const int operands[] = {0, 0};
  f->c->root = hlo_computation_add(f->module, f->c, HLO_OP_CALL, "r", f->scalar, operands, 2, &calls, 1, &f->status)->index;
  return f->c->index;
}

static void test_import(void) {
  fixture to = begin("main"), add = begin("x"), multiply = begin("x");
  int from_add = add_caller(&add, HLO_OP_ADD), from_multiply = add_caller(&multiply, HLO_OP_MULTIPLY);
  int first = hlo_module_import(to.module, add.module, from_add, &to.status);
  CHECK(first >= 0 && to.module->computation_count == 3, "%s", to.status.message);
  CHECK(hlo_module_import(to.module, add.module, from_add, &to.status) == first, "a copy made before is shared");
  CHECK(to.module->computation_count == 3, "%d", to.module->computation_count);
  int second = hlo_module_import(to.module, multiply.module, from_multiply, &to.status);
  CHECK(second >= 0 && second != first && to.module->computation_count == 5, "%s", to.status.message);
  CHECK(hlo_module_import(to.module, multiply.module, from_multiply, &to.status) == second, "found under its new name");
  const hlo_computation *g = to.module->computations[second];
  CHECK_TEXT(g->name, "g.1");
  const hlo_computation *called = hlo_instruction_computation(to.module, hlo_computation_root(g), HLO_ATTR_to_apply);
  CHECK_TEXT(called->name, "f.1");
  CHECK(hlo_computation_root(called)->opcode == HLO_OP_MULTIPLY, "the callee came along");
  CHECK(hlo_module_import(to.module, to.module, first, &to.status) == first, "a module's own stays");
  hlo_module_free(add.module);
  hlo_module_free(multiply.module);
  CHECK_TEXT(to.module->computations[first]->instructions[0]->name, "a");
  hlo_module_free(to.module);
}

static void test_import_of_a_cycle(void) {
  fixture to = begin("main"), from = begin("f");
  const hlo_attribute calls = {.id = HLO_ATTR_to_apply, .computation = 0};
  parameter(&from, "a", 0);
  const int operand = 0;
  from.c->root = hlo_computation_add(from.module, from.c, HLO_OP_CALL, "r", from.scalar, &operand, 1, &calls, 1, &from.status)->index;
  CHECK(hlo_module_import(to.module, from.module, 0, &to.status) == -1, "a cycle");
  CHECK(to.status.code == HLO_VERIFY && strstr(to.status.message, "computation 'f' calls itself"), "%s", to.status.message);
  hlo_module_free(to.module);
  hlo_module_free(from.module);
}

static void test_flags_agree(void) {
  for (int n = 0; n < HLO_OPCODE_COUNT; n++) {
    hlo_opcode opcode = (hlo_opcode)n;
    hlo_op_flags not_moved = HLO_FLAG_ELEMENTWISE | HLO_FLAG_RANDOM | HLO_FLAG_SIDE_EFFECT | HLO_FLAG_CALLS | HLO_FLAG_FRAMES;
    CHECK(!hlo_op_has(opcode, HLO_FLAG_MOVES) || !hlo_op_has(opcode, not_moved), "%s only moves elements", hlo_op_name(opcode));
    for (int k = 0; k < hlo_op(opcode)->attribute_count; k++) {
      hlo_attribute attribute = {.id = hlo_op(opcode)->attributes[k].id};
      hlo_attribute_kind kind = hlo_attribute_kind_of(attribute.id);
      if (kind == HLO_KIND_COMPUTATION) attribute.computation = 5;
      else if (kind == HLO_KIND_COMPUTATIONS) attribute.ints = (hlo_ints){.count = 2, .data = (int64_t[]){3, 5}};
      else continue;
      const hlo_instruction calls = {.opcode = opcode, .attributes = &attribute, .attribute_count = 1};
      int computation = 0, last = kind == HLO_KIND_COMPUTATIONS;
      CHECK(hlo_instruction_call(&calls, last, &computation) && computation == 5, "%s calls %s", hlo_op_name(opcode), hlo_attribute_name(attribute.id));
    }
  }
  CHECK(hlo_op_has(HLO_OP_GATHER, HLO_FLAG_ELEMENTWISE | HLO_FLAG_MOVES), "one of several flags is enough");
  CHECK(!hlo_op_has(HLO_OP_DOT, HLO_FLAG_ELEMENTWISE | HLO_FLAG_MOVES), "none of several flags");
}

int main(void) {
  test_flags_agree();
  test_ops_are_found_by_name();
  test_attributes_are_found_by_name();
  test_suggestions();
  test_values();
  test_reals_are_floats();
  test_refused_values();
  test_groups_are_expanded();
  test_names();
  test_building();
  test_attributes_are_in_order();
  test_equality_ignores_what_has_no_effect();
  test_binary_computations();
  test_import();
  test_import_of_a_cycle();
  return unit_report();
}
