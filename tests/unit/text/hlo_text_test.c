/* Tests of HLO text: the forms that are read, how they are printed, errors with their place, hostile texts, size. */
#include <dirent.h>
#include <stdlib.h>

#include "text/hlo_text.h"
#include "unit.h"

/* ---- Helpers ---- */

/* Parses a copy that ends exactly where the text does, so that the sanitizer finds a read past it. */
static hlo_module *parse(const char *text, size_t length, hlo_status *status) {
  *status = (hlo_status){0};
  char *copy = malloc(length ? length : 1);
  memcpy(copy, text, length);
  hlo_module *module = hlo_text_parse(copy, length, status);
  free(copy);
  CHECK((module != NULL) == hlo_ok(status), "%s", status->message);
  return module;
}

/* Returns the text as it is printed, or the message of its error; to be freed. */
static char *print(const char *text, size_t length) {
  hlo_status status;
  hlo_module *module = parse(text, length, &status);
  if (!module) return strdup(status.message);
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_text_write(&writer, module);
  hlo_module_free(module);
  return writer.text;
}

/* Checks that printed text is read again, and then printed alike. */
static void check_stable(const char *name, const char *printed) {
  char *again = print(printed, strlen(printed));
  CHECK(strcmp(printed, again) == 0, "%s is printed\n%s\nand then\n%s", name, printed, again);
  free(again);
}

#define BINARY "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\n"

/* ---- Forms ---- */

static const struct { const char *name, *text, *printed; } forms[] = {
    {"short", "HloModule m\n\nENTRY e {\n  x = f32[4]{0} parameter(0)\n  ROOT add.3 = f32[4]{0} add(x, x)\n}\n\n", NULL},
    {"long",
     "HloModule m, entry_computation_layout={(f32[4]{0})->f32[4]{0}}\n\n"
     "ENTRY %e (x: f32[4]) -> f32[4] {\n  %x = f32[4]{0} parameter(0)\n"
     "  ROOT %add.3 = f32[4]{0} add(f32[4]{0} %x, f32[4]{0} %x), metadata={op_name=\"a\" stack_frame_id=3}\n}\n",
     "HloModule m, entry_computation_layout={(f32[4]{0})->f32[4]{0}}\n\n"
     "ENTRY e {\n  x = f32[4]{0} parameter(0)\n"
     "  ROOT add.3 = f32[4]{0} add(x, x), metadata={op_name=\"a\" stack_frame_id=3}\n}\n\n"},
    {"tuples and comments",
     "// first\nHloModule m /* of */ ENTRY e (p: (f32[], /*index=1*/s32[])) -> (s32[]) { p = (f32[], s32[]) parameter(0)\n"
     "  /* a { brace */ g = s32[] get-tuple-element((f32[], s32[]) p), index=1 // } and \" quotes\n ROOT t = (s32[]) tuple(s32[] g) }",
     "HloModule m\n\nENTRY e {\n  p = (f32[], s32[]) parameter(0)\n"
     "  g = s32[] get-tuple-element(p), index=1\n  ROOT t = (s32[]) tuple(g)\n}\n\n"},
    {"no header", "ENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n", "HloModule module\n\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n\n"},
    {"byte-order mark", "\xEF\xBB\xBFHloModule m\n\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n\n", "HloModule m\n\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n\n"},
    {"words that begin a line, as names",
     "HloModule m\n\n%ENTRY {\n  %ROOT = f32[] parameter(0)\n  ROOT %ENTRY = f32[] negate(%ROOT)\n}\n\n"
     "ENTRY %ROOT {\n  a = f32[] parameter(0)\n  ROOT %ROOT = f32[] call(a), to_apply=%ENTRY\n}\n\n", NULL},
    {"no header, long", "%e (x: f32[]) -> f32[] {\n  x = f32[] parameter(0)\n}\n",
     "HloModule module\n\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n\n"},
    {"the last computation is the entry", "HloModule m\n\n" BINARY "f {\n  ROOT x = f32[] constant(1)\n}\n\n",
     "HloModule m\n\n" BINARY "ENTRY f {\n  ROOT x = f32[] constant(1)\n}\n\n"},
    {"the last instruction is the root", "HloModule m ENTRY e { x = f32[] parameter(0) y = f32[] negate(x) }",
     "HloModule m\n\nENTRY e {\n  x = f32[] parameter(0)\n  ROOT y = f32[] negate(x)\n}\n\n"},
    {"the root comes first", "HloModule m\n\nENTRY e {\n  ROOT x = f32[] parameter(0)\n  y = f32[] negate(x)\n}\n\n", NULL},
    {"parameters in any order", "HloModule m\n\nENTRY e {\n  b = f32[] parameter(1)\n  a = f32[] parameter(0)\n  ROOT r = f32[] add(a, b)\n}\n\n", NULL},
    {"shapes that go without saying", "HloModule m ENTRY e { x = f32[2,3]{0,1} parameter(0) y = negate(x) ROOT t = tuple(x, y) }",
     "HloModule m\n\nENTRY e {\n  x = f32[2,3]{0,1} parameter(0)\n  y = f32[2,3]{1,0} negate(x)\n"
     "  ROOT t = (f32[2,3]{1,0}, f32[2,3]{1,0}) tuple(x, y)\n}\n\n"},
    {"attributes that go without saying",
     "HloModule m:\n" BINARY "ENTRY e { x = f32[2] parameter(0) z = f32[] parameter(1) b = f32[2] broadcast(z)\n"
     "  m = f32[2] map(x, b), to_apply=add  ROOT r = f32[2] all-reduce(m), to_apply=add }",
     "HloModule m\n\n" BINARY "ENTRY e {\n  x = f32[2]{0} parameter(0)\n  z = f32[] parameter(1)\n"
     "  b = f32[2]{0} broadcast(z), dimensions={}\n  m = f32[2]{0} map(x, b), dimensions={0}, to_apply=add\n"
     "  ROOT r = f32[2]{0} all-reduce(m), replica_groups={}, to_apply=add\n}\n\n"},
    {"instructions in place of operands",
     "HloModule m ENTRY e {\n  ROOT root = add(f32[10] parameter(0), multiply(f32[10] parameter(1), f32[10] broadcast(f32[] constant(2)))), metadata={op_name=\"a\"}\n}",
     "HloModule m\n\nENTRY e {\n  parameter.anon = f32[10]{0} parameter(0)\n  parameter.anon.1 = f32[10]{0} parameter(1)\n"
     "  constant.anon = f32[] constant(2)\n  broadcast.anon = f32[10]{0} broadcast(constant.anon), dimensions={}\n"
     "  multiply.anon = f32[10]{0} multiply(parameter.anon.1, broadcast.anon)\n"
     "  ROOT root = f32[10]{0} add(parameter.anon, multiply.anon), metadata={op_name=\"a\"}\n}\n\n"},
    {"an instruction called like an operation",
     "HloModule m ENTRY e { add = f32[] parameter(0) ROOT root = tuple(add, add(add, add), f32[] add) }",
     "HloModule m\n\nENTRY e {\n  add = f32[] parameter(0)\n  add.anon = f32[] add(add, add)\n"
     "  ROOT root = (f32[], f32[], f32[]) tuple(add, add.anon, add)\n}\n\n"},
    {"called before it is defined",
     "HloModule m\n\nENTRY e {\n  x = f32[] parameter(0)\n  ROOT r = f32[] call(x, x), to_apply=add\n}\n\n" BINARY,
     "HloModule m\n\n" BINARY "ENTRY e {\n  x = f32[] parameter(0)\n  ROOT r = f32[] call(x, x), to_apply=add\n}\n\n"},
    {"called before it is defined, behind braces that are none",
     "HloModule m ENTRY e { x = f32[] parameter(0), frontend_attributes={a=\"}\\\"}\"} /* } */ // }\n"
     "  ROOT r = f32[] call(x, x), to_apply=add }\n" BINARY,
     "HloModule m\n\n" BINARY "ENTRY e {\n  x = f32[] parameter(0), frontend_attributes={a=\"}\\\"}\"}\n"
     "  ROOT r = f32[] call(x, x), to_apply=add\n}\n\n"},
    {"fields of the module",
     "HloModule m, replica_count=2, frontend_attributes={a=\"b\"}, some_day={1,2}, is_scheduled=true, num_partitions=3, "
     "entry_computation_layout={()->f32[]}, input_output_alias={ {}: (0, {}, may-alias) }\n\nENTRY e {\n  ROOT x = f32[] constant(1)\n}\n\n",
     "HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }, entry_computation_layout={()->f32[]}, "
     "some_day={1,2}, replica_count=2, num_partitions=3, frontend_attributes={a=\"b\"}\n\nENTRY e {\n  ROOT x = f32[] constant(1)\n}\n\n"},
    {"tables of stack frames",
     "HloModule m\n\nFileNames\n1 \"a \\\" b.py\"\n\nFunctionNames\n1 \"<module>\"\n2 \"f\"\n\nFileLocations\n1 {file_name_id=1 line=4}\n\n"
     "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n\nENTRY e {\n  ROOT x = f32[] constant(1)\n}\n\n", NULL},
    {"a computation may be called like a table", "HloModule m\n\nFileNames {\n  ROOT x = f32[] constant(1)\n}\n\nENTRY StackFrames {\n"
     "  ROOT x = f32[] call(), to_apply=FileNames\n}\n\n",
     "HloModule m\n\n%FileNames {\n  ROOT x = f32[] constant(1)\n}\n\nENTRY %StackFrames {\n  ROOT x = f32[] call(), to_apply=%FileNames\n}\n\n"},
    {"execution threads", "HloModule m\n\nf {\n  ROOT x = f32[] constant(1)\n}, execution_thread=\"other\"\n\n"
     "ENTRY e {\n  ROOT x = f32[] call(), to_apply=f\n}\n\n", NULL},
    {"dynamic shapes and layouts", "HloModule m\n\nENTRY e {\n  x = f32[<=4,2]{0,1:T(2,2)} parameter(0)\n  ROOT y = f32[<=4,2]{0,1} copy(x)\n}\n\n", NULL},
    {"attributes in any order", "HloModule m\n\n" BINARY
     "ENTRY e {\n  x = f32[2,3] parameter(0)\n  z = f32[] constant(0)\n"
     "  ROOT r = f32[2] reduce(x, z), metadata={op_name=\"r\"}, to_apply=%add, sharding={replicated}, dimensions={1}\n}\n\n",
     "HloModule m\n\n" BINARY "ENTRY e {\n  x = f32[2,3]{1,0} parameter(0)\n  z = f32[] constant(0)\n"
     "  ROOT r = f32[2]{0} reduce(x, z), dimensions={1}, to_apply=add, sharding={replicated}, metadata={op_name=\"r\"}\n}\n\n"},
    {"what goes without saying is not printed",
     "HloModule m\n\n" BINARY "ENTRY e {\n  x = f32[1,4,4,2] parameter(0)\n  k = f32[1,1,2,3] parameter(1)\n  z = f32[] constant(0)\n"
     "  c = f32[1,4,4,3] convolution(x, k), window={size=1x1 stride=1x1 pad=0_0x0_0 rhs_reversal=0x0}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=1, batch_group_count=1, operand_precision={default,default}\n"
     "  l = pred[1,4,4,2] compare(x, x), direction=LT, type=FLOAT, metadata={}, control-predecessors={}\n"
     "  ROOT w = f32[] reduce-window(z, z), window={}, to_apply=add, backend_config=\"\"\n}\n\n",
     "HloModule m\n\n" BINARY "ENTRY e {\n  x = f32[1,4,4,2]{3,2,1,0} parameter(0)\n  k = f32[1,1,2,3]{3,2,1,0} parameter(1)\n"
     "  z = f32[] constant(0)\n"
     "  c = f32[1,4,4,3]{3,2,1,0} convolution(x, k), window={size=1x1}, dim_labels=b01f_01io->b01f\n"
     "  l = pred[1,4,4,2]{3,2,1,0} compare(x, x), direction=LT\n"
     "  ROOT w = f32[] reduce-window(z, z), to_apply=add\n}\n\n"},
    {"what does not go without saying is",
     "HloModule m\n\nENTRY e {\n  x = f32[4]{0} parameter(0)\n  n = s32[4]{0} parameter(1)\n"
     "  l = pred[4]{0} compare(x, x), direction=LT, type=TOTALORDER\n"
     "  t = (f32[2]{0}, s32[2]{0}) topk(x), k=2, largest=true\n"
     "  u = (f32[2]{0}, s32[2]{0}) topk(x), k=2, largest=false\n"
     "  d = f32[] dot(x, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}, operand_precision={high,default}\n"
     "  s = f32[2]{0} slice(x), slice={[0:4:2]}\n"
     "  ROOT r = f32[4]{0} copy(x), control-predecessors={l, t}, backend_config={\"a\":\"}\"}\n}\n\n", NULL},
    {"custom calls",
     "HloModule m\n\nENTRY e {\n  x = f32[4]{0} parameter(0)\n"
     "  ROOT c = f32[4]{0} custom-call(x), custom_call_target=\"a\\\"b\", operand_layout_constraints={f32[4]{0}}, "
     "custom_call_has_side_effect=true, literal=f32[2]{0} {1, 2}, output_to_operand_aliasing={{}: (0, {})}, schedule=SCHEDULE_LATEST, "
     "api_version=API_VERSION_TYPED_FFI, sharding={devices=[2]<=[2]}, frontend_attributes={a=\"b\"}, backend_config={a = 1 : i32}\n}\n\n", NULL},
    {"constants",
     "HloModule m\n\nENTRY e {\n  a = f32[2,2]{1,0} constant({ { 1, -2.5 }, { nan, inf } })\n  b = pred[] constant(true)\n"
     "  c = c64[] constant((1, -2))\n  d = (f32[], s32[2]{0}) constant(( 1, {2, 3} ))\n  e = f32[0]{0} constant({})\n"
     "  ROOT t = (pred[]) tuple(b)\n}\n\n", NULL},
    {"conditionals",
     "HloModule m\n\nf {\n  ROOT x = f32[] parameter(0)\n}\n\ng {\n  x = f32[] parameter(0)\n  ROOT y = f32[] negate(x)\n}\n\n"
     "ENTRY e {\n  p = pred[] parameter(0)\n  i = s32[] parameter(1)\n  x = f32[] parameter(2)\n"
     "  a = f32[] conditional(p, x, x), true_computation=f, false_computation=g\n"
     "  ROOT b = f32[] conditional(i, x, x, x), branch_computations={f, g, f}\n}\n\n", NULL},
    {"asynchronous ops",
     "HloModule m\n\nENTRY e {\n  x = f32[2]{0} parameter(0)\n"
     "  s = ((f32[2]{0}), f32[2]{0}, u32[]) negate-start(x), metadata={op_name=\"s\"}\n"
     "  u = ((f32[2]{0}), f32[2]{0}, u32[]) negate-update(s)\n  ROOT d = f32[2]{0} negate-done(u)\n}\n\n", NULL},
    {"asynchronous ops spelt out",
     "HloModule m\n\nwrapped {\n  p = f32[2,2]{1,0} parameter(0)\n  ROOT n = f32[2,2]{1,0} transpose(p), dimensions={1,0}\n}, execution_thread=\"t\"\n\n"
     "ENTRY e {\n  x = f32[2,2]{1,0} parameter(0)\n"
     "  s = ((f32[2,2]{1,0}), f32[2,2]{1,0}, u32[]) async-start(x), async_execution_thread=\"t\", calls=wrapped\n"
     "  ROOT d = f32[2,2]{1,0} async-done(s), async_execution_thread=\"t\", calls=wrapped\n}\n\n",
     "HloModule m\n\nENTRY e {\n  x = f32[2,2]{1,0} parameter(0)\n"
     "  s = ((f32[2,2]{1,0}), f32[2,2]{1,0}, u32[]) transpose-start(x), async_execution_thread=\"t\", dimensions={1,0}\n"
     "  ROOT d = f32[2,2]{1,0} transpose-done(s)\n}\n\n"},
    {"an asynchronous computation with an instruction to spare",
     "HloModule m\n\nwrapped {\n  p = f32[] parameter(0)\n  n = f32[] negate(p)\n  ROOT q = f32[] abs(p)\n}\n\n"
     "ENTRY e {\n  x = f32[] parameter(0)\n  s = ((f32[]), f32[], u32[]) async-start(x), calls=wrapped\n  ROOT d = f32[] async-done(s)\n}\n\n", NULL},
    {"an asynchronous computation of another thread",
     "HloModule m\n\nwrapped {\n  p = f32[] parameter(0)\n  ROOT q = f32[] abs(p)\n}, execution_thread=\"t\"\n\n"
     "ENTRY e {\n  x = f32[] parameter(0)\n  s = ((f32[]), f32[], u32[]) async-start(x), calls=wrapped\n  ROOT d = f32[] async-done(s)\n}\n\n", NULL},
    {"an asynchronous op whose name is taken",
     "HloModule m\n\n" BINARY "wrapped {\n  p = f32[] parameter(0)\n  ROOT q = f32[] all-reduce(p), replica_groups={}, to_apply=add\n}\n\n"
     "ENTRY e {\n  x = f32[] parameter(0)\n  s = ((f32[]), f32[], u32[]) async-start(x), calls=wrapped\n  ROOT d = f32[] async-done(s)\n}\n\n", NULL},
    {"an asynchronous computation of two ops",
     "HloModule m\n\nwrapped {\n  p = f32[] parameter(0)\n  n = f32[] negate(p)\n  ROOT q = f32[] add(n, p)\n}\n\n"
     "ENTRY e {\n  x = f32[] parameter(0)\n  s = ((f32[]), f32[], u32[]) async-start(x), calls=wrapped\n  ROOT d = f32[] async-done(s)\n}\n\n", NULL},
};

static void test_forms(void) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char *printed = print(forms[i].text, strlen(forms[i].text));
    const char *expected = forms[i].printed ? forms[i].printed : forms[i].text;
    CHECK(strcmp(printed, expected) == 0, "%s:\n%s", forms[i].name, printed);
    check_stable(forms[i].name, printed);
    free(printed);
  }
}

static void test_lines_are_kept(void) {
  hlo_status status;
  static const char text[] = "HloModule m\n\nENTRY e {\n  x = f32[] parameter(0)\n\n  y = f32[]\n    negate(x)\n}\n";
  hlo_module *module = parse(text, sizeof text - 1, &status);
  if (!module) return;
  CHECK(module->computations[0]->line == 3, "%d", module->computations[0]->line);
  CHECK(module->computations[0]->instructions[1]->line == 6, "%d", module->computations[0]->instructions[1]->line);
  hlo_module_free(module);
}

/* ---- Errors ---- */

#define ENTRY_OF(body) "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n" body "\n}\n"

static const struct { const char *name, *text; hlo_code code; int line, column; const char *message; } errors[] = {
    {"nothing", "", HLO_PARSE, 1, 1, "expected 'HloModule' and a name, found the end of the text"},
    {"something else", "module @jit_f {", HLO_PARSE, 1, 1, "expected 'HloModule' and a name, found 'module'"},
    {"behind a byte-order mark", "\xEF\xBB\xBFHloModule {", HLO_PARSE, 1, 11, "expected the name of the module, found '{'"},
    {"no name", "HloModule {", HLO_PARSE, 1, 11, "expected the name of the module, found '{'"},
    {"only a header", "HloModule m\n", HLO_PARSE, 2, 1, "the module has no computation"},
    {"field twice", "HloModule m, a=1, a=2\n", HLO_PARSE, 1, 19, "'a' is given twice"},
    {"field without a value", "HloModule m, a=\n", HLO_PARSE, 2, 1, "expected a value"},
    {"no replica", "HloModule m, replica_count=0\n", HLO_PARSE, 1, 28, "expected a positive number"},
    {"layout of too few parameters", "HloModule m, entry_computation_layout={()->f32[2]}\nENTRY e {\n x = f32[2] parameter(0)\n}\n", HLO_VERIFY, 1, 14,
     "entry_computation_layout has 0 parameters, but the entry has 1"},
    {"two entries", "HloModule m\nENTRY e {\n x = f32[] constant(1)\n}\nENTRY f {\n x = f32[] constant(1)\n}\n", HLO_PARSE, 5, 1, "'e' is the entry of this module already"},
    {"computation twice", "HloModule m\ne {\n x = f32[] constant(1)\n}\ne {\n x = f32[] constant(1)\n}\n", HLO_PARSE, 5, 1, "computation 'e' is defined already, on line 2"},
    {"two roots", ENTRY_OF("  ROOT y = f32[2] negate(x)\n  ROOT z = f32[2] negate(x)"), HLO_PARSE, 5, 3, "'y' is the root of this computation already"},
    {"no instruction", "HloModule m\nENTRY e {\n}\n", HLO_PARSE, 3, 2, "computation 'e' has no instruction"},
    {"no end", "HloModule m\nENTRY e {\n  x = f32[] constant(1)\n", HLO_PARSE, 4, 1, "computation 'e' is never closed: expected '}'"},
    {"no brace", "HloModule m\nENTRY e\n  x = f32[] constant(1)\n", HLO_PARSE, 3, 3, "expected '{', found 'x'"},
    {"result of the signature", "HloModule m\nENTRY e (x: f32[2]) -> f32[3] {\n  x = f32[2] parameter(0)\n}\n", HLO_SHAPE, 2, 24, "the result is declared f32[3], but the root is f32[2]"},
    {"gap in the parameters", "HloModule m\nENTRY e {\n  x = f32[] parameter(1)\n}\n", HLO_VERIFY, 2, 7, "computation 'e' has parameter 1, but no parameter 0"},
    {"parameter twice", ENTRY_OF("  y = f32[2] parameter(0)"), HLO_VERIFY, 4, 3, "parameter 0 is given twice: 'x' is the first"},
    {"instruction twice", ENTRY_OF("  x = f32[2] negate(x)"), HLO_PARSE, 4, 3, "instruction 'x' is defined already, on line 3"},
    {"operand not defined", ENTRY_OF("  y = f32[2] add(x, z)"), HLO_PARSE, 4, 21, "operand 'z' is not defined before this instruction"},
    {"operand defined later", ENTRY_OF("  y = f32[2] negate(z)\n  z = f32[2] negate(x)"), HLO_PARSE, 4, 21, "operand 'z' is not defined before this instruction"},
    {"operand of itself", ENTRY_OF("  y = f32[2] negate(y)"), HLO_PARSE, 4, 21, "operand 'y' is not defined before this instruction"},
    {"operand of another shape", ENTRY_OF("  y = f32[2] negate(f32[3] x)"), HLO_SHAPE, 4, 21, "operand 'x' is f32[2], not f32[3]"},
    {"comma missing", ENTRY_OF("  ROOT add = f32[2] add(x x)"), HLO_PARSE, 4, 27,
     "4:27: expected ',' or ')' after an operand, found 'x'\n  ROOT add = f32[2] add(x x)\n                          ^"},
    {"unknown operation", ENTRY_OF("  y = f32[2] negat(x)"), HLO_UNKNOWN_OP, 4, 14,
     "4:14: there is no operation 'negat'; did you mean 'negate'?\n  y = f32[2] negat(x)\n             ^"},
    {"unknown operation, nothing near", ENTRY_OF("  y = f32[2] frobnicate(x)"), HLO_UNKNOWN_OP, 4, 14, "there is no operation 'frobnicate'\n"},
    {"unknown operation started", ENTRY_OF("  y = f32[2] frobnicate-start(x)"), HLO_UNKNOWN_OP, 4, 14, "there is no operation 'frobnicate-start'"},
    {"no operation", ENTRY_OF("  y = f32[2] (x)"), HLO_PARSE, 4, 14, "expected an operation, found '('"},
    {"no equals sign", ENTRY_OF("  y f32[2] negate(x)"), HLO_PARSE, 4, 5, "expected '=', found 'f32'"},
    {"unknown type", ENTRY_OF("  y = g32[2] negate(x)"), HLO_PARSE, 4, 7, "expected a shape like f32[3,5], found 'g32'"},
    {"unknown attribute", ENTRY_OF("  y = f32[2] reverse(x), dimension={0}"), HLO_PARSE, 4, 26, "reverse has no attribute 'dimension'; did you mean 'dimensions'?"},
    {"attribute twice", ENTRY_OF("  y = f32[2] reverse(x), dimensions={0}, dimensions={0}"), HLO_PARSE, 4, 42, "attribute 'dimensions' is given twice"},
    {"number given as an attribute", ENTRY_OF("  y = f32[2] parameter(1), parameter_number=1"), HLO_PARSE, 4, 28, "attribute 'parameter_number' is given twice"},
    {"attribute missing", ENTRY_OF("  y = f32[2] reverse(x)"), HLO_SHAPE, 4, 3, "reverse: attribute dimensions must be given"},
    {"attribute without a name", ENTRY_OF("  y = f32[2] negate(x), =3"), HLO_PARSE, 4, 25, "expected the name of an attribute, found '='"},
    {"computation not defined", ENTRY_OF("  y = f32[2] call(x), to_apply=f"), HLO_PARSE, 4, 32, "'f' is not the name of a computation here"},
    {"shapes", ENTRY_OF("  y = f32[3] negate(x)"), HLO_SHAPE, 4, 3, "negate: the result is f32[2], but f32[3] is declared"},
    {"shapes of what is defined later", ENTRY_OF("  y = f32[3] call(x), to_apply=f\n}\nf {\n  x = f32[2] parameter(0)"), HLO_SHAPE, 4, 3, "call: the result is f32[2], but f32[3] is declared"},
    {"shape of what is defined later", ENTRY_OF("  y = call(x), to_apply=f\n}\nf {\n  x = f32[2] parameter(0)"), HLO_PARSE, 4, 7, "needs a shape when it calls a computation that comes later"},
    {"operation without a shape in place of an operand", ENTRY_OF("  y = f32[2] add(x, broadcast(x))"), HLO_SHAPE, 4, 21, "broadcast: attribute dimensions must be given"},
    {"attributes in place of an operand", ENTRY_OF("  y = f32[2] negate(reverse(x), dimensions={0})"), HLO_SHAPE, 4, 21, "attribute dimensions must be given"},
    {"broadcast of an array without dimensions", ENTRY_OF("  y = f32[2,2] broadcast(x)"), HLO_SHAPE, 4, 3, "attribute dimensions must be given"},
    {"constant without a shape", ENTRY_OF("  y = constant(1)"), HLO_PARSE, 4, 7, "a constant must have a shape"},
    {"parameter without a shape", ENTRY_OF("  y = parameter(1)"), HLO_SHAPE, 4, 7, "the shape of the result must be given"},
    {"elided constant", ENTRY_OF("  y = f32[100] constant({...})"), HLO_PARSE, 4, 26, "was elided as {...}"},
    {"string without an end", ENTRY_OF("  y = f32[2] custom-call(x), custom_call_target=\"a"), HLO_PARSE, 4, 49, "this string is never closed"},
    {"comment without an end", "HloModule m /* and so on", HLO_PARSE, 1, 13, "this comment is never closed"},
    {"calls itself", "HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n  ROOT y = f32[] call(x), to_apply=e\n}\n", HLO_VERIFY, 0, 0, "computation e calls itself: e -> e"},
    {"call each other", "HloModule m\nf {\n  x = f32[] parameter(0)\n  ROOT y = f32[] call(x), to_apply=g\n}\n"
     "g {\n  x = f32[] parameter(0)\n  ROOT y = f32[] call(x), to_apply=f\n}\n", HLO_VERIFY, 0, 0, "computation f calls itself: f -> g -> f"},
    {"start without a tuple", ENTRY_OF("  s = f32[2] negate-start(x)"), HLO_SHAPE, 4, 14, "the shape of negate-start must be a tuple"},
    {"start without a shape", ENTRY_OF("  s = negate-start(x)"), HLO_SHAPE, 4, 7, "the shape of negate-start must be a tuple"},
    {"done of what was not started", ENTRY_OF("  s = f32[2] negate-done(x)"), HLO_SHAPE, 4, 14, "'x' is not a started negate"},
    {"done of another op", ENTRY_OF("  s = ((f32[2]), f32[2], u32[]) negate-start(x)\n  d = f32[2] abs-done(s)"), HLO_SHAPE, 5, 14, "'s' is not a started abs"},
    {"execution thread", "HloModule m\nENTRY e {\n  x = f32[] constant(1)\n}, thread=\"a\"\n", HLO_PARSE, 4, 4, "expected execution_thread=\"name\", found 'thread'"},
    {"byte that no text has", "HloModule m\nENTRY e {\n  x = f32[] constant(1)\n\x01}\n", HLO_PARSE, 4, 1, "expected the name of an instruction"},
};

static void test_errors(void) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    hlo_status status;
    hlo_module *module = parse(errors[i].text, strlen(errors[i].text), &status);
    CHECK(!module, "%s is accepted", errors[i].name);
    hlo_module_free(module);
    CHECK(status.code == errors[i].code, "%s: %s: %s", errors[i].name, hlo_code_name(status.code), status.message);
    CHECK(errors[i].line == 0 || (status.line == errors[i].line && status.column == errors[i].column), "%s: %d:%d: %s", errors[i].name,
          status.line, status.column, status.message);
    CHECK(unit_says(status.message, errors[i].message, errors[i].text), "%s: %s", errors[i].name, status.message);
    CHECK(errors[i].line == 0 || strchr(status.message, '^'), "%s: no caret in %s", errors[i].name, status.message);
  }
}

/* ---- Attribute lists of the builder ---- */

static void test_attribute_lists(void) {
  static const struct { hlo_opcode opcode; const char *text; int count; const char *message; } cases[] = {
      {HLO_OP_REVERSE, ", dimensions={0}", 1, ""},
      {HLO_OP_REVERSE, "dimensions={0}, metadata={}", 2, ""},
      {HLO_OP_REVERSE, "", 0, ""},
      {HLO_OP_REVERSE, " ", 0, ""},
      {HLO_OP_CALL, "to_apply=f", 1, ""},
      {HLO_OP_CONSTANT, "literal=f32[2] {1, 2}", 1, ""},
      {HLO_OP_REVERSE, "dimensions={0}, dimensions={1}", 0, "attribute 'dimensions' is given twice"},
      {HLO_OP_REVERSE, "dimensions={0},", 0, "expected the name of an attribute, found the end of the text"},
      {HLO_OP_REVERSE, "dims={0}", 0, "reverse has no attribute 'dims'"},
      {HLO_OP_CALL, "to_apply=g", 0, "'g' is not the name of a computation here"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_status status = {0};
    hlo_module *module = hlo_module_new("m", 1, &status);
    hlo_computation *f = hlo_module_add_computation(module, "f", 1, &status);
    hlo_reader reader;
    hlo_reader_init(&reader, cases[i].text, strlen(cases[i].text), &status);
    hlo_attribute *attributes = NULL;
    int count = 0;
    bool read = hlo_text_parse_attributes(&reader, module, f, cases[i].opcode, &attributes, &count);
    CHECK(read == !cases[i].message[0] && count == cases[i].count, "%s: %d, %s", cases[i].text, count, status.message);
    CHECK(!cases[i].message[0] || unit_says(status.message, cases[i].message, cases[i].text), "%s: %s", cases[i].text, status.message);
    hlo_module_free(module);
  }
}

/* ---- Hostile texts ---- */

static const char sample[] =
    "HloModule sample, is_scheduled=true, entry_computation_layout={(f32[2,3]{1,0}, /*index=1*/f32[])->(f32[2]{0}, s32[])}, replica_count=2\n\n"
    "FileNames\n1 \"a.py\"\n\nStackFrames\n1 {file_location_id=1}\n\n\n"
    "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %c = f32[] add(f32[] %a, f32[] %b)\n}\n\n"
    "ENTRY main {\n  x = f32[2,3]{1,0} parameter(0), sharding={replicated}\n  z = f32[] parameter(1), metadata={op_name=\"z\"}\n"
    "  k = f32[2,3]{1,0} constant({ { 1, 2, 3 }, { 4, 5e1, nan } })\n  y = f32[2,3]{1,0} multiply(x, k), control-predecessors={z}\n"
    "  s = f32[2]{0} reduce(y, z), dimensions={1}, to_apply=add\n  w = f32[2,3]{1,0} reduce-window(y, z), window={size=1x3 pad=0_0x1_1}, to_apply=add\n"
    "  p = f32[4,6]{1,0} pad(w, z), padding=1_1_0x1_0_1\n  l = f32[2,2]{1,0} slice(x), slice={[0:2], [1:3]}\n"
    "  g = f32[2,3]{1,0} all-reduce(x), channel_id=1, replica_groups=[1,2]<=[2], to_apply=add\n"
    "  q = ((f32[2,3]{1,0}), f32[2,3]{1,0}, u32[]) negate-start(x)\n  v = f32[2,3]{1,0} negate-done(q)\n"
    "  h = f32[2,3]{1,0} custom-call(x), custom_call_target=\"t\\n\", backend_config={\"a\":[1]}\n"
    "  i = s32[] constant(7)\n  ROOT t = (f32[2]{0}, s32[]) tuple(s, i)\n}, execution_thread=\"main\"\n";

/* A text cut anywhere is refused with a place, except behind the last brace, and between computations, where it is another module. */
static void test_truncation(void) {
  size_t length = sizeof sample - 1;
  size_t whole = (size_t)(strrchr(sample, '}') - sample) + 1;
  for (size_t end = 0; end <= length; end++) {
    hlo_status status;
    hlo_module *module = parse(sample, end, &status);
    bool is_whole = end == whole || end >= length - 1;
    CHECK((module != NULL) == is_whole, "cut at %zu: %s", end, status.message);
    CHECK(is_whole || status.code == HLO_VERIFY || (status.line > 0 && strchr(status.message, '^')), "cut at %zu: %s", end, status.message);
    hlo_module_free(module);
  }
}

/* Any byte put anywhere, removed or doubled, gives an error or a module whose text is stable. */
static void test_damage(void) {
  static const char bytes[] = "{}()[],=\"'%\\/*-0x9a\n\x80";
  uint64_t random = 1;
  char text[2 * sizeof sample];
  for (int round = 0; round < 6000; round++) {
    size_t length = sizeof sample - 1;
    memcpy(text, sample, length);
    for (int change = 0; change <= round % 3; change++) {
      random = random * 6364136223846793005 + 1442695040888963407;
      size_t at = (size_t)(random >> 33) % length;
      char byte = bytes[(random >> 20) % (sizeof bytes - 1)];
      if (random >> 60 < 6) text[at] = byte;
      else if (random >> 60 < 11) memmove(text + at, text + at + 1, --length - at);
      else memmove(text + at + 1, text + at, length++ - at), text[at] = byte;
    }
    hlo_status status;
    hlo_module *module = parse(text, length, &status);
    if (!module) continue;
    hlo_module_free(module);
    char *printed = print(text, length);
    check_stable("a damaged text", printed);
    free(printed);
  }
}

/* Makes `count` times `piece` between `before` and `after`. */
static char *repeat(const char *before, const char *piece, int count, const char *after, size_t *length) {
  size_t piece_length = strlen(piece);
  char *text = malloc(strlen(before) + piece_length * (size_t)count + strlen(after) + 1), *end = text;
  end = stpcpy(end, before);
  for (int i = 0; i < count; i++) end = (char *)memcpy(end, piece, piece_length) + piece_length;
  end = stpcpy(end, after);
  *length = (size_t)(end - text);
  return text;
}

static void test_nesting(void) {
  static const struct { const char *before, *piece; } cases[] = {
      {"HloModule m\nENTRY e {\n  x = ", "("},
      {"HloModule m\nENTRY e {\n  x = f32[1] constant(", "{"},
      {"HloModule m\nENTRY e {\n  x = f32[] negate(", "("},
      {"HloModule m\nENTRY e {\n  x = f32[] constant(1), metadata=", "{"},
      {"HloModule m\nENTRY e {\n  x = f32[] constant(1), metadata={", "[("},
      {"HloModule m\nENTRY e {\n  x = f32[] constant(1), frontend_attributes={a=", "{{"},
      {"HloModule m, a=", "{"},
      {"HloModule m, entry_computation_layout={(", "("},
      {"HloModule m\nENTRY e ", "("},
      {"HloModule m\nENTRY e (a: ", "("},
      {"HloModule m\nENTRY e () -> ", "("},
      {"HloModule m\nENTRY e {\n  x = f32[] all-reduce(), replica_groups=", "{"},
      {"HloModule m\n\nFileNames\n1 ", "{"},
      {"HloModule m\nENTRY ", "{"},
      {"HloModule m\nENTRY e {\n  x = ", "negate("},
      {"HloModule m\nENTRY e {\n  x = negate(", "f32[] negate("},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_status status;
    size_t length;
    char *text = repeat(cases[i].before, cases[i].piece, 100000, "", &length);
    hlo_module *module = parse(text, length, &status);
    CHECK(!module && (status.code == HLO_LIMIT || status.code == HLO_PARSE) && status.line > 0, "%s: %s", cases[i].before, status.message);
    hlo_module_free(module);
    free(text);
  }
  hlo_status status;
  size_t length;
  char *text = repeat("HloModule m\nENTRY e {\n  x = ", "(", 10000, "f32[]", &length);
  hlo_module_free(parse(text, length, &status));
  CHECK(status.code == HLO_LIMIT && strstr(status.message, "nested more than"), "%s", status.message);
  free(text);
  text = repeat("HloModule m\nENTRY e {\n  x = f32[] ", "negate(", 10000, "f32[] parameter(0)", &length);
  hlo_module_free(parse(text, length, &status));
  CHECK(status.code == HLO_LIMIT && strstr(status.message, "nested more than"), "%s", status.message);
  free(text);
}

/* ---- Size: each of these takes minutes if something is not linear ---- */

static void check_large(const char *name, char *text, size_t length, int computations, int instructions) {
  hlo_status status;
  hlo_module *module = parse(text, length, &status);
  CHECK(module, "%s: %.200s", name, status.message);
  if (module) {
    CHECK(module->computation_count == computations, "%s: %d computations", name, module->computation_count);
    CHECK(hlo_module_entry(module)->instruction_count == instructions, "%s: %d instructions", name, hlo_module_entry(module)->instruction_count);
    hlo_writer writer;
    hlo_writer_init(&writer, &status);
    hlo_text_write(&writer, module);
    CHECK(hlo_ok(&status) && writer.length > length / 2, "%s: %s", name, status.message);
    hlo_writer_free(&writer);
  }
  hlo_module_free(module);
  free(text);
}

static void test_many_instructions(void) {
  enum { COUNT = 100000 };
  char *text = malloc(COUNT * 64 + 100), *end = text;
  end += sprintf(end, "HloModule m\nENTRY e {\n  v.0 = f32[4] parameter(0)\n");
  for (int i = 1; i < COUNT; i++) end += sprintf(end, "  v.%d = f32[4] add(v.%d, v.%d)\n", i, i - 1, i / 2);
  end += sprintf(end, "}\n");
  check_large("instructions", text, (size_t)(end - text), 1, COUNT);
}

/* Each computation calls the next one, so that all shapes are checked at the end. */
static void test_many_computations(void) {
  enum { COUNT = 10000 };
  char *text = malloc(COUNT * 100 + 200), *end = text;
  end += sprintf(end, "HloModule m\n");
  for (int i = 0; i < COUNT; i++)
    end += sprintf(end, "%s f.%d {\n x = f32[] parameter(0)\n ROOT y = f32[] call(x), to_apply=f.%d\n}\n", i ? "" : "ENTRY", i, i + 1);
  end += sprintf(end, "f.%d {\n ROOT x = f32[] parameter(0)\n}\n", COUNT);
  check_large("computations", text, (size_t)(end - text), COUNT + 1, 2);
}

static void test_large_lists(void) {
  size_t length;
  char *text = repeat("HloModule m\nENTRY e {\n  ROOT x = f32[1000000] constant({0", ", 1.5", 999999, "})\n}\n", &length);
  check_large("constant", text, length, 1, 1);
  text = repeat("HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n  ROOT t = tuple(x", ", x", 99999, ")\n}\n", &length);
  check_large("operands", text, length, 1, 2);
  text = repeat("HloModule m\nENTRY e {\n  ROOT x = f32[] constant(1), metadata={op_name=\"", "abcdefghij", 300000, "\"}\n}\n", &length);
  check_large("metadata", text, length, 1, 1);
  text = repeat("HloModule m\nadd {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] add(a, b)\n}\nENTRY e {\n  x = f32[] parameter(0)\n"
                "  ROOT r = f32[] call(x, x), to_apply=add, control-predecessors={x", ", x", 100000, "}\n}\n", &length);
  check_large("names", text, length, 2, 2);
}

/* ---- Modules that JAX made ---- */

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*length + 1);
  *length = fread(text, 1, *length, file);
  text[*length] = 0;
  fclose(file);
  return text;
}

/* What JAX hands to XLA is printed exactly as XLA prints it; every module is read and printed stably. */
static void test_jax_modules(void) {
  static const char folder[] = WEBHLO_ROOT "/tests/formats/text/jax";
  DIR *directory = opendir(folder);
  CHECK(directory, "%s", folder);
  int files = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    if (!strstr(entry->d_name, ".hlo")) continue;
    char path[sizeof folder + 300];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    char *text = read_file(path, &length), *printed = print(text, length);
    CHECK(strncmp(printed, "HloModule", 9) == 0, "%s: %.300s", entry->d_name, printed);
    CHECK(strncmp(entry->d_name, "before_", 7) != 0 || strcmp(printed, text) == 0, "%s is printed otherwise", entry->d_name);
    check_stable(entry->d_name, printed);
    free(printed);
    free(text);
    files++;
  }
  if (directory) closedir(directory);
  CHECK(files > 0, "no modules in %s", folder);
}

int main(void) {
  test_forms();
  test_lines_are_kept();
  test_errors();
  test_attribute_lists();
  test_truncation();
  test_damage();
  test_nesting();
  test_many_instructions();
  test_many_computations();
  test_large_lists();
  test_jax_modules();
  return unit_report();
}
