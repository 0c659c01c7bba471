/* Whole-module checks: what no single instruction can know. */
#include <stdlib.h>

#include "text/hlo_text.h"
#include "unit.h"
#include "verify/verify.h"

typedef struct verify_case {
  const char *name, *text; /* computations, without the module's header */
  hlo_code code;
  const char *message; /* a part of it; "" where the module is sound */
} verify_case;

#define ADD "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n"

static const verify_case call_cases[] = {
    {"no_cycle", ADD "ENTRY e { p = f32[] parameter(0) q = f32[] call(p, p), to_apply=add ROOT r = f32[] call(q, p), to_apply=add }", HLO_OK, ""},
    {"calls_itself", "f { a = f32[] parameter(0) ROOT r = f32[] call(a), to_apply=f }\n"
                     "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=f }", HLO_VERIFY, "computation f calls itself: f -> f"},
    {"cycle_of_three", "f { a = f32[] parameter(0) ROOT r = f32[] call(a), to_apply=g }\n"
                       "g { a = f32[] parameter(0) ROOT r = f32[] call(a), to_apply=h }\n"
                       "h { a = f32[] parameter(0) ROOT r = f32[] call(a), to_apply=f }\n"
                       "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=f }", HLO_VERIFY, "f -> g -> h -> f"},
    {"cycle_that_nobody_calls", "f { a = f32[] parameter(0) ROOT r = f32[] call(a), to_apply=g }\n"
                                "g { a = f32[] parameter(0) ROOT r = f32[] call(a), to_apply=f }\n"
                                "ENTRY e { ROOT p = f32[] parameter(0) }", HLO_VERIFY, "calls itself: f -> g -> f"},
    {"while_of_itself", "c { a = f32[] parameter(0) ROOT r = pred[] is-finite(a) }\n"
                        "b { a = f32[] parameter(0) ROOT r = f32[] while(a), condition=c, body=b }\n"
                        "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] while(p), condition=c, body=b }", HLO_VERIFY, "computation b calls itself"},
    {"callee_defined_later", "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p, p), to_apply=add }\n" ADD, HLO_OK, ""},
    {"callee_defined_later_mismatch", "ENTRY e { p = s32[] parameter(0) ROOT r = s32[] call(p, p), to_apply=add }\n" ADD, HLO_SHAPE,
     "operands[0] must be f32[] as parameter 0 of to_apply add is, got s32[]"},
    {"control_predecessor", "ENTRY e { p = f32[] parameter(0) q = f32[] negate(p) ROOT r = f32[] negate(p), control-predecessors={q} }", HLO_OK, ""},
};

#define REDUCE(f) "ENTRY e { p = f32[4] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=" f " }"

static const verify_case applied_cases[] = {
    {"applied", ADD REDUCE("add"), HLO_OK, ""},
    {"applied_call", ADD "f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] call(a, b), to_apply=add }\n" REDUCE("f"), HLO_OK, ""},
    {"applied_collective", ADD "f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] all-reduce(a), to_apply=add }\n" REDUCE("f"),
     HLO_VERIFY, "computation e, instruction r: computation f is applied to elements, so it must not hold all-reduce (r in computation f)"},
    {"applied_collective_deeper", ADD "g { a = f32[] parameter(0) ROOT s = f32[] all-reduce(a), to_apply=add }\n"
                                  "f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] call(a), to_apply=g }\n" REDUCE("f"),
     HLO_VERIFY, "must not hold all-reduce (s in computation g)"},
    {"applied_infeed", "f { a = f32[] parameter(0) b = f32[] parameter(1) t = token[] after-all() i = (f32[], token[]) infeed(t)\n"
                       "  ROOT r = f32[] get-tuple-element(i), index=0 }\n" REDUCE("f"), HLO_VERIFY, "must not hold infeed (i in computation f)"},
    {"applied_outfeed", "f { a = f32[] parameter(0) b = f32[] parameter(1) t = token[] after-all() o = token[] outfeed(a, t)\n"
                        "  ROOT r = f32[] add(a, b) }\n" REDUCE("f"), HLO_VERIFY, "must not hold outfeed"},
    {"applied_generator_state", "f { a = f32[] parameter(0) b = f32[] parameter(1) s = u64[2] rng-get-and-update-state(), delta=1\n"
                                "  ROOT r = f32[] add(a, b) }\n" REDUCE("f"), HLO_VERIFY, "must not hold rng-get-and-update-state"},
    {"applied_custom_call_is_pure", "f { a = f32[] parameter(0) b = f32[] parameter(1)\n"
                                    "  ROOT r = f32[] custom-call(a, b), custom_call_target=\"f\" }\n" REDUCE("f"), HLO_OK, ""},
    {"all_reduce_computation", ADD "f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] all-reduce(a), to_apply=add }\n"
                               "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] all-reduce(p), to_apply=f }", HLO_VERIFY, "must not hold all-reduce"},
    {"called_collective_is_fine", ADD "f { a = f32[] parameter(0) ROOT r = f32[] all-reduce(a), to_apply=add }\n"
                                  "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=f }", HLO_OK, ""},
};

#define START "s = (f32[4], f32[8]) all-gather-start(p), replica_groups={{0,1}}, dimensions={0} "
#define ASYNC "f { a = f32[] parameter(0) ROOT r = f32[] negate(a) }\ng { a = f32[] parameter(0) ROOT r = f32[] abs(a) }\n"

static const verify_case start_cases[] = {
    {"start_done", "ENTRY e { p = f32[4] parameter(0) " START "ROOT r = f32[8] all-gather-done(s) }", HLO_OK, ""},
    {"done_of_other_start", "ENTRY e { p = f32[4] parameter(0) s = (f32[4], f32[4], u32[]) copy-start(p) ROOT r = f32[4] all-gather-done(s) }",
     HLO_VERIFY, "all-gather-done: operand must be all-gather-start, got copy-start s"},
    {"done_of_a_tuple", "ENTRY e { p = f32[4] parameter(0) q = f32[8] parameter(1) s = (f32[4], f32[8]) tuple(p, q) ROOT r = f32[8] all-gather-done(s) }",
     HLO_VERIFY, "operand must be all-gather-start, got tuple s"},
    {"done_twice", "ENTRY e { p = f32[4] parameter(0) " START "d = f32[8] all-gather-done(s) f = f32[8] all-gather-done(s) ROOT r = f32[8] add(d, f) }",
     HLO_VERIFY, "instruction f: all-gather-done: s is waited for already, by d"},
    {"done_never", "ENTRY e { p = f32[4] parameter(0) " START "ROOT r = f32[4] negate(p) }", HLO_VERIFY,
     "instruction s: all-gather-start: there must be all-gather-done that waits for it"},
    {"start_used_otherwise", "ENTRY e { p = f32[4] parameter(0) " START "g = f32[4] get-tuple-element(s), index=0 ROOT r = f32[8] all-gather-done(s) }",
     HLO_VERIFY, "instruction g: get-tuple-element: s is under way (all-gather-start), so only all-gather-done may use it"},
    {"all_reduce_pair", ADD "ENTRY e { p = f32[4] parameter(0) s = f32[4] all-reduce-start(p), to_apply=add ROOT r = f32[4] all-reduce-done(s) }", HLO_OK, ""},
    {"async_updates", ASYNC "ENTRY e { p = f32[] parameter(0) s = ((f32[]), f32[]) async-start(p), calls=f u = ((f32[]), f32[]) async-update(s)\n"
                      "v = ((f32[]), f32[]) async-update(u) ROOT r = f32[] async-done(v) }", HLO_OK, ""},
    {"async_done_of_stale_update", ASYNC "ENTRY e { p = f32[] parameter(0) s = ((f32[]), f32[]) async-start(p), calls=f\n"
                                   "u = ((f32[]), f32[]) async-update(s) ROOT r = f32[] async-done(s) }", HLO_VERIFY, "s is waited for already, by u"},
    {"async_update_never_done", ASYNC "ENTRY e { p = f32[] parameter(0) s = ((f32[]), f32[]) async-start(p), calls=f\n"
                                "u = ((f32[]), f32[]) async-update(s) ROOT r = f32[] negate(p) }", HLO_VERIFY,
     "instruction u: async-update: there must be async-done that waits for it"},
    {"async_calls_repeated", ASYNC "ENTRY e { p = f32[] parameter(0) s = ((f32[]), f32[]) async-start(p), calls=f\n"
                             "ROOT r = f32[] async-done(s), calls=f }", HLO_OK, ""},
    {"async_calls_differ", ASYNC "ENTRY e { p = f32[] parameter(0) s = ((f32[]), f32[]) async-start(p), calls=f\n"
                           "ROOT r = f32[] async-done(s), calls=g }", HLO_VERIFY, "async-done: calls must be the same as that of s"},
    {"send_done_channel", "ENTRY e { p = f32[] parameter(0) t = token[] after-all() s = (f32[], u32[], token[]) send(p, t), channel_id=1\n"
                          "ROOT r = token[] send-done(s), channel_id=2 }", HLO_VERIFY, "send-done: channel_id must be the same as that of s"},
    {"recv_done_of_send", "ENTRY e { p = f32[] parameter(0) t = token[] after-all() s = (f32[], u32[], token[]) send(p, t), channel_id=1\n"
                          "ROOT r = (f32[], token[]) recv-done(s), channel_id=1 }", HLO_VERIFY, "recv-done: operand must be recv, got send s"},
};

#define LOOP \
  "c { a = (s32[], token[]) parameter(0) i = s32[] get-tuple-element(a), index=0 n = s32[] constant(3) ROOT r = pred[] compare(i, n), direction=LT }\n" \
  "b { a = (s32[], token[]) parameter(0) t = token[] get-tuple-element(a), index=1 f = (s32[], token[]) infeed(t) ROOT r = (s32[], token[]) copy(f) }\n"

static const verify_case infeed_cases[] = {
    {"one_infeed", "ENTRY e { t = token[] after-all() ROOT i = (f32[], token[]) infeed(t) }", HLO_OK, ""},
    {"ordered_by_token", "ENTRY e { t = token[] after-all() i = (f32[], token[]) infeed(t) u = token[] get-tuple-element(i), index=1\n"
                         "ROOT j = (f32[], token[]) infeed(u) }", HLO_OK, ""},
    {"not_ordered", "ENTRY e { t = token[] after-all() i = (f32[], token[]) infeed(t) ROOT j = (f32[], token[]) infeed(t) }", HLO_VERIFY,
     "computation e, instruction j: infeeds must be totally ordered, but neither a token nor data leads from i to j"},
    {"ordered_by_data", "ENTRY e { t = token[] after-all() i = (f32[], token[]) infeed(t) d = f32[] get-tuple-element(i), index=0\n"
                        "u = token[] add-dependency(t, t) o = token[] outfeed(d, u) ROOT j = (f32[], token[]) infeed(o) }", HLO_OK, ""},
    {"ordered_by_control", "ENTRY e { t = token[] after-all() i = (f32[], token[]) infeed(t) ROOT j = (f32[], token[]) infeed(t), control-predecessors={i} }",
     HLO_OK, ""},
    {"third_not_after_second", "ENTRY e { t = token[] after-all() i = (f32[], token[]) infeed(t) u = token[] get-tuple-element(i), index=1\n"
                               "j = (f32[], token[]) infeed(u) ROOT k = (f32[], token[]) infeed(u) }", HLO_VERIFY, "leads from j to k"},
    {"empty_tuple_reads_nothing", "ENTRY e { t = token[] after-all() i = ((), token[]) infeed(t) ROOT j = (f32[], token[]) infeed(t) }", HLO_OK, ""},
    {"loops_ordered_by_data", LOOP "ENTRY e { z = s32[] constant(0) t = token[] after-all() s = (s32[], token[]) tuple(z, t)\n"
                              "w = (s32[], token[]) while(s), condition=c, body=b ROOT x = (s32[], token[]) while(w), condition=c, body=b }", HLO_OK, ""},
    {"loops_not_ordered", LOOP "ENTRY e { z = s32[] constant(0) t = token[] after-all() s = (s32[], token[]) tuple(z, t)\n"
                          "w = (s32[], token[]) while(s), condition=c, body=b ROOT x = (s32[], token[]) while(s), condition=c, body=b }", HLO_VERIFY,
     "leads from w to x"},
};

#define TRANSFER(sent, channel, received) \
  "ENTRY e { p = " sent " parameter(0) t = token[] after-all() s = (" sent ", u32[], token[]) send(p, t), channel_id=" channel "\n" \
  "d = token[] send-done(s), channel_id=" channel " v = (" received ", u32[], token[]) recv(t), channel_id=7\n" \
  "ROOT r = (" received ", token[]) recv-done(v), channel_id=7 }"

static const verify_case channel_cases[] = {
    {"channel", TRANSFER("f32[4]", "7", "f32[4]"), HLO_OK, ""},
    {"other_channels", TRANSFER("f32[4]", "8", "s32[5]"), HLO_OK, ""},
    {"channel_shapes", TRANSFER("f32[4]", "7", "f32[5]"), HLO_VERIFY,
     "instruction v: recv: channel 7 carries f32[4] for send s, so it cannot carry f32[5] here"},
    {"channels_of_two_sends", "ENTRY e { p = f32[4] parameter(0) q = s32[] parameter(1) t = token[] after-all()\n"
                              "s = (f32[4], u32[], token[]) send(p, t), channel_id=9 d = token[] send-done(s), channel_id=9\n"
                              "u = (s32[], u32[], token[]) send(q, d), channel_id=3 ROOT r = token[] send-done(u), channel_id=3 }", HLO_OK, ""},
    {"channel_of_a_collective", ADD "ENTRY e { p = f32[] parameter(0) t = token[] after-all() s = (f32[], u32[], token[]) send(p, t), channel_id=1\n"
                                "d = token[] send-done(s), channel_id=1 ROOT r = f32[] all-reduce(p), channel_id=1, to_apply=add }", HLO_VERIFY,
     "all-reduce: channel 1 is used by send s too; send and recv share no channel with collectives"},
    {"channel_of_two_collectives", ADD "ENTRY e { p = f32[2] parameter(0) q = f32[2] all-reduce(p), channel_id=1, to_apply=add\n"
                                   "ROOT r = f32[4] all-gather(q), channel_id=1, replica_groups={{0,1}}, dimensions={0} }", HLO_OK, ""},
};

static void run_text(const char *name, const char *text, hlo_code code, const char *message) {
  hlo_status status = {.code = HLO_OK};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  CHECK(status.code == code && (code == HLO_OK ? module != NULL : unit_says(status.message, message, text)),
        "%s: expected %s \"%s\", got %s: %s", name, hlo_code_name(code), message, hlo_code_name(status.code),
        status.code ? status.message : "");
  if (module) hlo_module_free(module);
}

static void run_case(const verify_case *c) {
  char text[4096];
  snprintf(text, sizeof text, "HloModule m\n%s\n", c->text);
  run_text(c->name, text, c->code, c->message);
}

#define RUN_CASES(cases) \
  for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) run_case(&(cases)[i])

static void test_entry_layout(void) {
  static const struct {
    const char *name, *layout;
    hlo_code code;
  } cases[] = {
      {"entry_layout", "{(f32[2,3]{0,1})->f32[2,3]{1,0}}", HLO_OK},
      {"entry_layout_parameter", "{(f32[3,2]{0,1})->f32[2,3]{1,0}}", HLO_VERIFY},
      {"entry_layout_result", "{(f32[2,3]{0,1})->s32[2,3]{1,0}}", HLO_VERIFY},
      {"entry_layout_permutation", "{(f32[2,3]{1,1})->f32[2,3]{1,0}}", HLO_OK + 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[300];
    hlo_status status = {.code = HLO_OK};
    snprintf(text, sizeof text, "HloModule m, entry_computation_layout=%s\nENTRY e { p = f32[2,3] parameter(0) ROOT r = f32[2,3] negate(p) }\n",
             cases[i].layout);
    hlo_module *module = hlo_text_parse(text, strlen(text), &status);
    CHECK(cases[i].code == HLO_OK ? module != NULL : !module, "%s: %s", cases[i].name, status.code ? status.message : "accepted");
    if (module) hlo_module_free(module);
  }
}

/* ---- Modules that text cannot describe ---- */

static hlo_computation *add_computation(hlo_module *module, const char *name, hlo_status *status) {
  return hlo_module_add_computation(module, name, strlen(name), status);
}

static hlo_instruction *add_parameter(hlo_module *module, hlo_computation *c, int number, const char *name, hlo_status *status) {
  hlo_attribute attribute = {.id = HLO_ATTR_parameter_number, .integer = number};
  const hlo_shape *shape = hlo_shape_make_scalar(&module->arena, HLO_TYPE_F32, status);
  return hlo_computation_add(module, c, HLO_OP_PARAMETER, name, shape, NULL, 0, &attribute, 1, status);
}

static hlo_instruction *add_call(hlo_module *module, hlo_computation *c, hlo_opcode opcode, int callee, const hlo_shape *shape,
                                 hlo_status *status) {
  hlo_attribute attribute = {.id = HLO_ATTR_to_apply, .computation = callee};
  int operands[] = {0};
  return hlo_computation_add(module, c, opcode, "call", shape, operands, 1, &attribute, 1, status);
}

static void check_verdict(const char *name, hlo_module *module, hlo_code code, const char *message) {
  hlo_status status = {.code = HLO_OK};
  bool ok = hlo_verify_module(module, &status);
  CHECK(ok == (code == HLO_OK) && status.code == code && (ok || unit_says(status.message, message, NULL)), "%s: expected %s \"%s\", got %s: %s",
        name, hlo_code_name(code), message, hlo_code_name(status.code), ok ? "" : status.message);
}

static void test_structure(void) {
  hlo_status status = {.code = HLO_OK};
  hlo_module *module = hlo_module_new("m", 1, &status);
  check_verdict("no_entry", module, HLO_VERIFY, "module m: it has no entry computation");
  hlo_computation *c = add_computation(module, "e", &status);
  module->entry = c->index;
  check_verdict("no_instructions", module, HLO_VERIFY, "computation e: it has no instructions");
  add_parameter(module, c, 0, "p", &status);
  check_verdict("no_root", module, HLO_VERIFY, "computation e: it has no root");
  c->root = 0;
  check_verdict("sound", module, HLO_OK, "");
  add_parameter(module, c, 2, "q", &status);
  check_verdict("parameter_gap", module, HLO_VERIFY, "there is no parameter 1");
  add_parameter(module, c, 1, "o", &status);
  check_verdict("parameters_in_any_order", module, HLO_OK, "");
  c->parameter_count = 2;
  check_verdict("parameter_uncounted", module, HLO_VERIFY, "it has 3 parameter instructions for 2 parameters");
  c->parameter_count = 3;
  const int later[] = {4};
  hlo_instruction *i = hlo_computation_add(module, c, HLO_OP_COPY, "copy", c->instructions[0]->shape, (int[]){0}, 1, NULL, 0, &status);
  i->operands = later;
  check_verdict("operand_comes_later", module, HLO_VERIFY, "computation e, instruction copy: operand 0 must come before the instruction");
  i->operands = (int[]){0};
  hlo_instruction *call = add_call(module, c, HLO_OP_CALL, 7, c->instructions[0]->shape, &status);
  check_verdict("callee_does_not_exist", module, HLO_VERIFY, "instruction call: to_apply names no computation of this module");
  ((hlo_attribute *)call->attributes)->computation = -1;
  check_verdict("callee_is_negative", module, HLO_VERIFY, "to_apply names no computation");
  ((hlo_attribute *)call->attributes)->computation = module->computations[0]->index;
  call->index = 0;
  check_verdict("wrong_place", module, HLO_VERIFY, "instruction call: it stands at place 4, not 0");
  call->index = 4;
  call->opcode = HLO_OPCODE_COUNT;
  check_verdict("no_operation", module, HLO_VERIFY, "instruction call: it has no operation");
  call->opcode = HLO_OP_COPY;
  call->attribute_count = 0;
  check_verdict("attributes_may_be_missing", module, HLO_OK, "");
  const hlo_shape *shape = call->shape;
  call->shape = NULL;
  check_verdict("no_shape", module, HLO_VERIFY, "instruction call: it has no shape");
  call->shape = hlo_shape_make_scalar(&module->arena, HLO_TYPE_S32, &status);
  check_verdict("wrong_shape", module, HLO_SHAPE, "computation e, instruction call: copy: the result is f32[], but s32[] is declared");
  hlo_layout layout = {.rank = 1, .minor_to_major = (int64_t[]){0}};
  hlo_shape with_layout = *shape;
  with_layout.layout = &layout;
  call->shape = &with_layout;
  check_verdict("wrong_layout", module, HLO_SHAPE, "computation e, instruction call: ");
  call->shape = shape;
  const int64_t itself[] = {call->index};
  hlo_attribute before = {.id = HLO_ATTR_control_predecessors, .ints = {itself, 1}};
  call->attributes = &before;
  call->attribute_count = 1;
  check_verdict("control_predecessor_comes_later", module, HLO_VERIFY, "control-predecessors must come before the instruction");
  CHECK(hlo_ok(&status), "%s", status.code ? status.message : "");
  hlo_module_free(module);
}

/* A chain of `count` computations: the first negates, each of the others calls the one before it. */
static hlo_module *make_chain(int count, bool map, hlo_status *status) {
  hlo_module *module = hlo_module_new("m", 1, status);
  for (int n = 0; n < count; n++) {
    char name[24];
    snprintf(name, sizeof name, "c%d", n);
    hlo_computation *c = add_computation(module, name, status);
    const hlo_shape *shape = add_parameter(module, c, 0, "p", status)->shape;
    if (n == 0) hlo_computation_add(module, c, HLO_OP_NEGATE, "call", shape, (int[]){0}, 1, NULL, 0, status);
    else add_call(module, c, map ? HLO_OP_MAP : HLO_OP_CALL, n - 1, shape, status);
    c->root = 1;
  }
  module->entry = count - 1;
  return module;
}

/* The order puts every callee before its callers. */
static void check_order(const hlo_module *module) {
  hlo_status status = {.code = HLO_OK};
  int count = module->computation_count, *order = calloc((size_t)count, sizeof *order), *place = calloc((size_t)count, sizeof *place);
  CHECK(hlo_module_call_order(module, order, &status), "%s", status.code ? status.message : "");
  for (int n = 0; n < count; n++) place[order[n]] = n;
  bool sorted = true;
  for (int n = 1; n < count; n++) sorted &= place[n - 1] < place[n];
  CHECK(sorted, "callees come before callers");
  free(order);
  free(place);
}

static void test_chains(void) {
  static const struct {
    const char *name;
    int count;
    bool map;
    hlo_code code;
  } cases[] = {
      {"calls_100000_deep", 100000, false, HLO_OK},
      {"maps_32_deep", 33, true, HLO_OK},
      {"maps_33_deep", 34, true, HLO_LIMIT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_status status = {.code = HLO_OK};
    hlo_module *module = make_chain(cases[i].count, cases[i].map, &status);
    CHECK(hlo_ok(&status), "%s: %s", cases[i].name, status.code ? status.message : "");
    check_verdict(cases[i].name, module, cases[i].code, "computations applied to elements nest more than 32 deep");
    check_order(module);
    hlo_module_free(module);
  }
}

/* A cycle through all of a long chain is found, and only part of it is named. */
static void test_long_cycle(void) {
  hlo_status status = {.code = HLO_OK};
  hlo_module *module = make_chain(50000, false, &status);
  hlo_computation *first = module->computations[0];
  hlo_attribute back = {.id = HLO_ATTR_to_apply, .computation = 49999};
  first->instructions[1]->opcode = HLO_OP_CALL;
  first->instructions[1]->attributes = &back;
  first->instructions[1]->attribute_count = 1;
  check_verdict("long_cycle", module, HLO_VERIFY, "calls itself: c0 -> c49999 -> ");
  check_verdict("long_cycle_is_cut", module, HLO_VERIFY, "-> ... -> c0");
  hlo_module_free(module);
}

/* The line of the instruction is in the status, for who has the text. */
static void test_line(void) {
  const char *text = "HloModule m\nENTRY e {\nt = token[] after-all()\ni = (f32[], token[]) infeed(t)\nROOT j = (f32[], token[]) infeed(t)\n}\n";
  hlo_status status = {.code = HLO_OK};
  CHECK(!hlo_text_parse(text, strlen(text), &status), "the infeeds have no order");
  CHECK(status.line == 5, "line %d", status.line);
}

int main(void) {
  RUN_CASES(call_cases);
  RUN_CASES(applied_cases);
  RUN_CASES(start_cases);
  RUN_CASES(infeed_cases);
  RUN_CASES(channel_cases);
  test_entry_layout();
  test_structure();
  test_chains();
  test_long_cycle();
  test_line();
  return unit_report();
}
