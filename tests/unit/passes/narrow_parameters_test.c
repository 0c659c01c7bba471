/* Programs that take narrow weights: what an entry does with its parameters, the programs that widen some, and what is refused. */
#include "passes/narrow_parameters.h"

#include <stdlib.h>
#include <string.h>

#include "shape/literal.h"
#include "text/hlo_text.h"
#include "unit.h"
#include "verify/verify.h"

enum { MOST = 4 };

static hlo_module *parsed(const char *text, hlo_status *status) {
  hlo_module *module = hlo_text_parse(text, strlen(text), status);
  hlo_module *own = module && hlo_verify_module(module, status) ? hlo_module_inlined(module, status) : NULL;
  hlo_module_free(module);
  return own;
}

/* The lines of the entry that say the phrase. */
static int lines_with(const hlo_module *module, const char *phrase) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_text_write(&writer, module);
  int count = 0;
  for (const char *at = writer.text; (at = strstr(at, phrase)); at += strlen(phrase)) count++;
  hlo_writer_free(&writer);
  return count;
}

#define HEAD "HloModule m\ndouble { a = f32[4,6] parameter(0) ROOT b = f32[4,6] add(a, a) }\n"

/* ---- Uses ---- */

typedef struct use_case {
  const char *name, *text;
  int products, gathers, others; /* of parameter 0 */
  unsigned summed;
  const char *other;
} use_case;

static const use_case uses[] = {
    {"a right side", "ENTRY e { w = f32[4,6] parameter(0) x = f32[2,4] parameter(1) ROOT d = f32[2,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} }", 1, 0, 0, 1, NULL},
    {"a left side, transposed", "ENTRY e { w = f32[4,6] parameter(0) x = f32[6,2] parameter(1) t = f32[6,4] transpose(w), dimensions={1,0} ROOT d = f32[4,2] dot(t, x), lhs_contracting_dims={0}, rhs_contracting_dims={0} }", 1, 0, 0, 2, NULL},
    {"cut and joined", "ENTRY e { w = f32[4,6] parameter(0) x = f32[8,2] parameter(1) r = f32[8,3] reshape(w) ROOT d = f32[2,3] dot(x, r), lhs_contracting_dims={0}, rhs_contracting_dims={0} }", 1, 0, 0, 3, NULL},
    {"in parts", "ENTRY e { w = f32[4,6] parameter(0) x = f32[2,5] parameter(1) r = f32[4,2,3] reshape(w) ROOT d = f32[5,4,3] dot(x, r), lhs_contracting_dims={0}, rhs_contracting_dims={1} }", 1, 0, 0, 2, NULL},
    {"with rows in parts", "ENTRY e { w = f32[4,6] parameter(0) x = f32[5,6] parameter(1) r = f32[2,2,6] reshape(w) ROOT d = f32[5,2,2] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={2} }", 1, 0, 0, 2, NULL},
    {"with a dimension of one", "ENTRY e { w = f32[24] parameter(0) x = f32[2,1] parameter(1) r = f32[24,1] reshape(w) ROOT d = f32[2,24] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={1} }", 1, 0, 0, 0, NULL},
    {"converted, in two products", "ENTRY e { w = f16[4,6] parameter(0) x = f32[2,4] parameter(1) c = f32[4,6] convert(w) a = f32[2,6] dot(x, c), lhs_contracting_dims={1}, rhs_contracting_dims={0} ROOT b = f32[2,4] dot(a, c), lhs_contracting_dims={1}, rhs_contracting_dims={1} }", 2, 0, 0, 3, NULL},
    {"rows", "ENTRY e { w = f32[4,6] parameter(0) i = s32[3] parameter(1) ROOT g = f32[3,6] gather(w, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,6} }", 0, 1, 0, 2, NULL},
    {"parts of rows", "ENTRY e { w = f32[4,6] parameter(0) i = s32[3] parameter(1) ROOT g = f32[3,5] gather(w, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5} }", 0, 0, 1, 0, "gather"},
    {"something else", "ENTRY e { w = f32[4,6] parameter(0) x = f32[2,4] parameter(1) n = f32[4,6] negate(w) d = f32[2,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} ROOT t = (f32[2,6], f32[4,6]) tuple(d, n) }", 1, 0, 1, 1, "negate"},
    {"moved, then something else", "ENTRY e { w = f32[4,6] parameter(0) r = f32[24] reshape(w) ROOT n = f32[24] negate(r) }", 0, 0, 1, 0, "negate"},
    {"the result", "ENTRY e { w = f32[4,6] parameter(0) ROOT r = f32[24] reshape(w) }", 0, 0, 1, 0, "reshape"},
    {"in what is called", HEAD "ENTRY e { w = f32[4,6] parameter(0) ROOT c = f32[4,6] call(w), to_apply=double }", 0, 0, 2, 0, "add"},
};

static void test_uses(void) {
  for (size_t n = 0; n < sizeof uses / sizeof *uses; n++) {
    const use_case *u = &uses[n];
    char text[1 << 12] = "";
    if (strncmp(u->text, "HloModule", 9) != 0) strcat(text, "HloModule m\n");
    strcat(text, u->text);
    hlo_status status = {0};
    hlo_module *module = parsed(text, &status);
    hlo_parameter_use found[MOST];
    bool ok = module && hlo_find_parameter_uses(module, found, &status);
    CHECK(ok, "%s: %s", u->name, status.message);
    if (ok) {
      CHECK(found[0].products == u->products && found[0].gathers == u->gathers && found[0].others == u->others && found[0].summed == u->summed,
            "%s: %d products, %d gathers, %d others, dimensions %u", u->name, found[0].products, found[0].gathers, found[0].others, found[0].summed);
      CHECK_TEXT(found[0].other ? hlo_op_name(found[0].other->opcode) : "", u->other ? u->other : "");
    }
    hlo_module_free(module);
  }
}

/* ---- Narrowing ---- */

#define MATRIX                                                                                                                              \
  "HloModule m\nENTRY e {\n  w = f32[4,6] parameter(0), metadata={op_name=\"p['w']\"}\n  x = f32[2,4] parameter(1)\n"                          \
  "  ROOT d = f32[2,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n"
#define TABLE                                                                                                                               \
  "HloModule m\nENTRY e {\n  w = f16[4,6] parameter(0)\n  i = s32[3,2] parameter(1)\n  ROOT g = f16[3,2,6] gather(w, i), offset_dims={2}, "     \
  "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1,6}\n}\n"

typedef struct narrow_case {
  const char *name, *text;
  hlo_narrowing list[2];
  int count;
  const char *phrases[5]; /* each once in the program; or, of what is refused, the first one in the message */
  bool refused;
} narrow_case;

static const narrow_case cases[] = {
    {"bytes", MATRIX, {{0, HLO_NARROWING_S8, 1, 0}}, 1,
     {"w = s8[4,6]{1,0} parameter(0), metadata={op_name=\"p/w\"}", "w.scale = f32[6]{0} parameter(2), metadata={op_name=\"p/w.scale\"}", "dimensions={1}\n", "f32[4,6]{1,0} multiply("}, false},
    {"one factor", MATRIX, {{0, HLO_NARROWING_S8, 3, 0}}, 1, {"w.scale = f32[] parameter(2)", "broadcast(w.scale), dimensions={}"}, false},
    {"nibbles", MATRIX, {{0, HLO_NARROWING_U4, 2, 3}}, 1,
     {"w = u4[4,6]{1,0} parameter(0)", "w.scale = f16[4,2]{1,0} parameter(2)", "w.minimum = f16[4,2]{1,0} parameter(3)", "f32[4,2,3]{2,1,0} add(", "f32[4,6]{1,0} reshape("}, false},
    {"two parameters", MATRIX, {{1, HLO_NARROWING_S8, 2, 0}, {0, HLO_NARROWING_U4, 1, 2}}, 2,
     {"x = s8[2,4]{1,0} parameter(1)", "x.scale = f32[2]{0} parameter(4)", "w.scale = f16[2,6]{1,0} parameter(2)", "w.minimum = f16[2,6]{1,0} parameter(3)"}, false},
    {"rows of bytes", TABLE, {{0, HLO_NARROWING_S8, 2, 0}}, 1, {"s8[3,2,6]{2,1,0} gather(w, i)", "f32[3,2]{1,0} gather(w.scale, i)", "f16[3,2,6]{2,1,0} convert("}, false},
    {"rows of nibbles", TABLE, {{0, HLO_NARROWING_U4, 2, 2}}, 1, {"u4[3,2,6]{2,1,0} gather(w, i)", "f16[3,2,3]{2,1,0} gather(w.scale, i)", "u4[3,2,3,2]{3,2,1,0} reshape("}, false},
    {"a table along its rows", TABLE, {{0, HLO_NARROWING_S8, 1, 0}}, 1, {"f16[3,2,6]{2,1,0} gather(convert", "w.scale = f32[6]{0} parameter(2)"}, false},
    {"a parameter that is the result", "HloModule m\nENTRY e { ROOT w = f32[4] parameter(0) }\n", {{0, HLO_NARROWING_S8, 1, 0}}, 1, {"ROOT multiply = f32[4]{0} multiply("}, false},
    {"the second parameter", MATRIX, {{1, HLO_NARROWING_S8, 2, 0}}, 1, {"x = s8[2,4]{1,0} parameter(1)", "w = f32[4,6]{1,0} parameter(0)"}, false},
    {"none", "HloModule m\nENTRY e { ROOT w = f32[4] parameter(0) }\n", {{0}}, 0, {"ROOT w = f32[4]{0} parameter(0)"}, false},
    {"a constant that stands first", "HloModule m\nENTRY e {\n  c = f32[] constant(2)\n  w = f32[4] parameter(0)\n  b = f32[4] broadcast(c), dimensions={}\n  ROOT m = f32[4] maximum(w, b)\n}\n",
     {{0, HLO_NARROWING_S8, 1, 0}}, 1, {"c = f32[] constant(2)", "broadcast(c), dimensions={}", "maximum(multiply"}, false},
    {"no such parameter", MATRIX, {{2, HLO_NARROWING_S8, 1, 0}}, 1, {"there is no parameter 2 to narrow"}, true},
    {"a negative one", MATRIX, {{-1, HLO_NARROWING_S8, 1, 0}}, 1, {"there is no parameter -1 to narrow"}, true},
    {"twice", MATRIX, {{0, HLO_NARROWING_S8, 1, 0}, {0, HLO_NARROWING_S8, 1, 0}}, 2, {"parameter 0 is narrowed twice"}, true},
    {"no dimension", MATRIX, {{0, HLO_NARROWING_S8, 0, 0}}, 1, {"parameter w, f32[4,6], has no such dimensions"}, true},
    {"a dimension too many", MATRIX, {{0, HLO_NARROWING_S8, 4, 0}}, 1, {"has no such dimensions"}, true},
    {"groups that do not divide", MATRIX, {{0, HLO_NARROWING_U4, 1, 3}}, 1, {"has no single dimension that groups of 3 divide"}, true},
    {"groups of none", MATRIX, {{0, HLO_NARROWING_U4, 1, 0}}, 1, {"has no single dimension that groups of 0 divide"}, true},
    {"groups along two", MATRIX, {{0, HLO_NARROWING_U4, 3, 2}}, 1, {"has no single dimension that groups of 2 divide"}, true},
    {"integers", "HloModule m\nENTRY e { ROOT w = s32[4] parameter(0) }\n", {{0, HLO_NARROWING_S8, 1, 0}}, 1, {"arrays of f32, bf16 and f16 can be narrowed"}, true},
};

static void test_narrow(void) {
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const narrow_case *c = &cases[n];
    hlo_status status = {0};
    hlo_module *module = parsed(c->text, &status);
    bool narrowed = module && hlo_narrow_parameters(module, c->list, c->count, &status), ok = narrowed && hlo_verify_module(module, &status);
    CHECK(narrowed != c->refused && ok == narrowed, "%s: %s", c->name, status.message);
    if (c->refused) CHECK(strstr(status.message, c->phrases[0]) && status.code == HLO_ARGUMENT, "%s: %s", c->name, status.message);
    for (int k = 0; ok && !c->refused && k < 5 && c->phrases[k]; k++)
      CHECK(lines_with(module, c->phrases[k]) == 1, "%s: \"%s\" is there %d times", c->name, c->phrases[k], lines_with(module, c->phrases[k]));
    hlo_module_free(module);
  }
}

/* ---- Constants ---- */

static void test_lift(void) {
  static const char text[] = "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  small = f32[] constant(2)\n  b = f32[4] broadcast(small), dimensions={}\n"
                             "  c = f32[4] constant({1, 2, 3, 4})\n  k = s32[5] constant({1, 2, 3, 4, 5})\n  y = f32[4] add(x, c)\n  z = f32[4] multiply(y, b)\n"
                             "  ROOT t = (f32[4], s32[5]) tuple(z, k)\n}\n";
  hlo_status status = {0};
  hlo_module *module = parsed(text, &status);
  CHECK(module != NULL, "%s", status.message);
  if (!module) return;
  const hlo_instruction *second = hlo_large_constant(module, 4, 1);
  CHECK(second && strcmp(second->name, "k") == 0, "the second constant");
  CHECK(!hlo_large_constant(module, 4, 2) && !hlo_large_constant(module, 6, 0), "there are no more");
  CHECK(hlo_lift_constants(module, 4, &status) && hlo_verify_module(module, &status), "%s", status.message);
  CHECK(hlo_module_entry(module)->parameter_count == 3, "%d parameters", hlo_module_entry(module)->parameter_count);
  CHECK(lines_with(module, "c = f32[4]{0} parameter(1)") == 1 && lines_with(module, "k = s32[5]{0} parameter(2)") == 1, "constants became parameters");
  CHECK(!hlo_large_constant(module, 4, 0), "none is left");
  hlo_module_free(module);
}

int main(void) {
  test_uses();
  test_narrow();
  test_lift();
  return unit_report();
}
