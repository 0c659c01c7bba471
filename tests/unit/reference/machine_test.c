/* The machine: loops, branches, deep calls, devices that meet, deadlocks, budgets. */
#include "reference_case.h"

/* ---- A host with queues ---- */

typedef struct test_host {
  hlo_host host;
  const char *infeed[8]; /* literals; NULL after the last */
  int taken;
  char outfed[512];
  bool abort;
} test_host;

static bool take_infeed(hlo_host *host, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status) {
  test_host *self = host->context;
  const char *text = self->infeed[self->taken];
  *empty = text == NULL;
  if (*empty) return true;
  self->taken++;
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_literal *literal = hlo_literal_parse(&arena, text, strlen(text), status);
  if (literal) hlo_literal_assign(value, literal);
  hlo_arena_free(&arena);
  return literal != NULL;
}

static void append_literal(char *text, size_t size, const hlo_literal *literal) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_literal_write_with_shape(&writer, literal);
  snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? " | " : "", writer.text);
  hlo_writer_free(&writer);
}

static bool put_outfeed(hlo_host *host, const hlo_literal *value, hlo_status *status) {
  test_host *self = host->context;
  append_literal(self->outfed, sizeof self->outfed, value);
  return true;
}

static bool is_aborted(hlo_host *host) { return ((test_host *)host->context)->abort; }

static test_host make_host(void) {
  return (test_host){.host = {.infeed = take_infeed, .outfeed = put_outfeed, .aborted = is_aborted}};
}

/* ---- Running ---- */

/* The results of all devices, separated by bars, or the error: "DEADLOCK: ...". Every parameter of device d is
 * filled with 10 d, 10 d + 1, ... */
static void run_grid(const char *text, int replicas, int partitions, int64_t budget, test_host *host, char *out, size_t size) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  int devices = replicas * partitions;
  hlo_literal *results[16] = {NULL};
  const hlo_literal *arguments[64] = {NULL};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  host->host.context = host;
  *out = 0;
  if (module) {
    const hlo_computation *entry = hlo_module_entry(module);
    for (int i = 0; i < devices * entry->parameter_count; i++) {
      int device = i / entry->parameter_count, number = i % entry->parameter_count;
      hlo_literal *argument = hlo_literal_make(&arena, entry->instructions[entry->parameters[number]]->shape, &status);
      bool is_float = hlo_type_is_float(argument->shape->type);
      for (int64_t k = 0; k < hlo_shape_element_count(argument->shape); k++)
        hlo_literal_set(argument, k, is_float ? (hlo_scalar){.f = 10 * device + k} : (hlo_scalar){.s = 10 * device + k});
      arguments[i] = argument;
    }
    hlo_run_options options = {.replicas = replicas, .partitions = partitions, .work_budget = budget, .host = &host->host};
    if (hlo_reference_run(module, &options, arguments, &arena, results, &status))
      for (int i = 0; i < devices; i++) append_literal(out, size, results[i]);
  }
  if (!hlo_ok(&status)) snprintf(out, size, "%s: %s", hlo_code_name(status.code), status.message);
  if (module) hlo_module_free(module);
  hlo_arena_free(&arena);
}

typedef struct grid_case {
  const char *name;
  int replicas, partitions;
  const char *module;
  const char *expected;
} grid_case;

#define MODULE "HloModule case\n\n"
#define ADD SCALAR_OP("add", "s32", "add")

/* ---- Control flow ---- */

#define PAIR_PARTS "p = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 s = s32[] get-tuple-element(p), index=1\n"
#define LESS_THAN(name, count) name " { " PAIR_PARTS "n = s32[] constant(" count ") ROOT c = pred[] compare(i, n), direction=LT }\n"

static const grid_case control_cases[] = {
    {"while_false_at_once", 1, 1,
     MODULE LESS_THAN("cond", "0") "body { " PAIR_PARTS "ROOT t = (s32[], s32[]) tuple(s, i) }\n" ENTRY(
         "x = s32[2] parameter(0) a = s32[1] slice(x), slice={[0:1]} b = s32[1] slice(x), slice={[1:2]} i = s32[] reshape(a) s = s32[] reshape(b)\n"
         "t = (s32[], s32[]) tuple(i, s) ROOT w = (s32[], s32[]) while(t), condition=cond, body=body"),
     "( s32[] 0, s32[] 1 )"},
    {"while_swaps_its_state", 1, 1,
     MODULE "cond { p = (s32[], s32[], s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] constant(5) ROOT c = pred[] compare(i, n), direction=LT }\n"
     "body { p = (s32[], s32[], s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 a = s32[] get-tuple-element(p), index=1 b = s32[] get-tuple-element(p), index=2\n"
     "one = s32[] constant(1) j = s32[] add(i, one) ROOT t = (s32[], s32[], s32[]) tuple(j, b, a) }\n" ENTRY(
         "i = s32[] constant(0) a = s32[] constant(7) b = s32[] constant(9) t = (s32[], s32[], s32[]) tuple(i, a, b)\n"
         "ROOT w = (s32[], s32[], s32[]) while(t), condition=cond, body=body"),
     "( s32[] 5, s32[] 9, s32[] 7 )"},
    {"while_nested_ten_thousand_rounds", 1, 1,
     MODULE LESS_THAN("inner_cond", "3") LESS_THAN("outer_cond", "10000")
     "inner { " PAIR_PARTS "one = s32[] constant(1) j = s32[] add(i, one) u = s32[] add(s, j) ROOT t = (s32[], s32[]) tuple(j, u) }\n"
     "outer { " PAIR_PARTS "zero = s32[] constant(0) one = s32[] constant(1) q = (s32[], s32[]) tuple(zero, s)\n"
     "w = (s32[], s32[]) while(q), condition=inner_cond, body=inner u = s32[] get-tuple-element(w), index=1 j = s32[] add(i, one) ROOT t = (s32[], s32[]) tuple(j, u) }\n" ENTRY(
         "zero = s32[] constant(0) t = (s32[], s32[]) tuple(zero, zero) ROOT w = (s32[], s32[]) while(t), condition=outer_cond, body=outer"),
     "( s32[] 10000, s32[] 60000 )"},
    {"while_one_array_as_state", 1, 1,
     MODULE "cond { p = s32[] parameter(0) n = s32[] constant(100) ROOT c = pred[] compare(p, n), direction=LT }\n"
     "body { p = s32[] parameter(0) three = s32[] constant(3) ROOT j = s32[] add(p, three) }\n" ENTRY("i = s32[] constant(1) ROOT w = s32[] while(i), condition=cond, body=body"),
     "s32[] 100"},
    {"conditional_clamps_its_index", 1, 1,
     MODULE "a { x = s32[] parameter(0) ROOT n = s32[] negate(x) }\nb { x = s32[] parameter(0) ROOT n = s32[] add(x, x) }\n" ENTRY(
         "five = s32[] constant(5) minus = s32[] constant(-1) zero = s32[] constant(0) seven = s32[] constant(7)\n"
         "r0 = s32[] conditional(zero, five, seven), branch_computations={a, b} r1 = s32[] conditional(minus, five, seven), branch_computations={a, b}\n"
         "r2 = s32[] conditional(seven, five, seven), branch_computations={a, b} ROOT t = (s32[], s32[], s32[]) tuple(r0, r1, r2)"),
     "( s32[] -5, s32[] 14, s32[] 14 )"},
    {"conditional_of_a_predicate", 1, 1,
     MODULE "a { x = s32[] parameter(0) ROOT n = s32[] negate(x) }\nb { x = f32[] parameter(0) ROOT n = s32[] convert(x) }\n" ENTRY(
         "five = s32[] constant(5) seven = f32[] constant(7) yes = pred[] constant(true) no = pred[] constant(false)\n"
         "r0 = s32[] conditional(yes, five, seven), true_computation=a, false_computation=b\n"
         "r1 = s32[] conditional(no, five, seven), true_computation=a, false_computation=b ROOT t = (s32[], s32[]) tuple(r0, r1)"),
     "( s32[] -5, s32[] 7 )"},
    {"call_twice_keeps_both_results", 1, 1,
     MODULE "f { x = s32[] parameter(0) ROOT n = s32[] add(x, x) }\n" ENTRY(
         "a = s32[] constant(1) b = s32[] constant(2) c = s32[] call(a), to_apply=f d = s32[] call(b), to_apply=f ROOT t = (s32[], s32[]) tuple(c, d)"),
     "( s32[] 2, s32[] 4 )"},
    {"fusion_and_async_run_their_computations", 1, 1,
     MODULE "f { x = s32[] parameter(0) ROOT n = s32[] add(x, x) }\n" ENTRY(
         "a = s32[] constant(3) c = s32[] fusion(a), kind=kLoop, calls=f\n"
         "s = ((s32[]), s32[], u32[]) async-start(a), calls=f u = ((s32[]), s32[], u32[]) async-update(s), calls=f\n"
         "d = s32[] async-done(u), calls=f ROOT t = (s32[], s32[]) tuple(c, d)"),
     "( s32[] 6, s32[] 6 )"},
    {"unneeded_values_take_no_memory", 1, 1,
     MODULE "f { x = s32[] parameter(0) u = s32[512,1,6400,6400] broadcast(x), dimensions={} v = s32[512,1,6400,6400] add(u, u) ROOT n = s32[] add(x, x) }\n" ENTRY(
         "a = s32[] constant(3) b = s32[512,1,6400,6400] broadcast(a), dimensions={} c = s32[512,1,6400,6400] negate(b) t = (s32[512,1,6400,6400], s32[]) tuple(c, a)\n"
         "g = s32[512,1,6400,6400] get-tuple-element(t), index=0 d = s32[] call(a), to_apply=f ROOT r = s32[] negate(d) z = s32[512,1,6400,6400] negate(b)"),
     "s32[] -6"},
    {"root_before_the_end", 1, 1, MODULE ENTRY("a = s32[] constant(3) ROOT b = s32[] negate(a) c = s32[] negate(b)"), "s32[] -3"},
};

/* ---- Devices that meet ---- */

static const grid_case meeting_cases[] = {
    {"recv_waited_for_in_a_loop_and_behind_it", 2, 1,
     MODULE "body { s = (s32[], s32[], (s32[], u32[], token[])) parameter(0) i = s32[] get-tuple-element(s), index=0 x = s32[] get-tuple-element(s), index=1 c = (s32[], u32[], token[]) get-tuple-element(s), index=2\n"
     "d = (s32[], token[]) recv-done(c), channel_id=1 v = s32[] get-tuple-element(d), index=0 y = s32[] add(x, v) k = token[] get-tuple-element(d), index=1\n"
     "w = (s32[], u32[], token[]) send(y, k), channel_id=1, source_target_pairs={{0,1},{1,0}} wd = token[] send-done(w)\n"
     "r = (s32[], u32[], token[]) recv(wd), channel_id=1, source_target_pairs={{0,1},{1,0}} one = s32[] constant(1) j = s32[] add(i, one) ROOT t = (s32[], s32[], (s32[], u32[], token[])) tuple(j, y, r) }\n"
     "cond { s = (s32[], s32[], (s32[], u32[], token[])) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(3) ROOT p = pred[] compare(i, n), direction=LT }\n" ENTRY(
         "x = s32[] parameter(0) k = token[] after-all() z = s32[] constant(0) w = (s32[], u32[], token[]) send(x, k), channel_id=1, source_target_pairs={{0,1},{1,0}} wd = token[] send-done(w)\n"
         "r = (s32[], u32[], token[]) recv(wd), channel_id=1, source_target_pairs={{0,1},{1,0}} s = (s32[], s32[], (s32[], u32[], token[])) tuple(z, x, r) l = (s32[], s32[], (s32[], u32[], token[])) while(s), condition=cond, body=body\n"
         "c = (s32[], u32[], token[]) get-tuple-element(l), index=2 d = (s32[], token[]) recv-done(c) v = s32[] get-tuple-element(d), index=0 y = s32[] get-tuple-element(l), index=1 ROOT o = s32[] add(y, v)"),
     "s32[] 80 | s32[] 80"},
    {"all_reduce_groups", 4, 1, MODULE ADD ENTRY("x = s32[2] parameter(0) ROOT r = s32[2] all-reduce(x), replica_groups={{0,2},{3,1}}, to_apply=add"),
     "s32[2] {20, 22} | s32[2] {40, 42} | s32[2] {20, 22} | s32[2] {40, 42}"},
    {"all_reduce_everyone_two_operands", 2, 1, MODULE ADD ENTRY("x = s32[2] parameter(0) y = s32[] parameter(1) ROOT r = (s32[2], s32[]) all-reduce(x, y), replica_groups={}, to_apply=add"),
     "( s32[2] {10, 12}, s32[] 10 ) | ( s32[2] {10, 12}, s32[] 10 )"},
    {"all_reduce_any_computation", 3, 1,
     MODULE "last { a = s32[] parameter(0) b = s32[] parameter(1) c = s32[] add(a, a) ROOT d = s32[] add(c, b) }\n" ENTRY("x = s32[] parameter(0) ROOT r = s32[] all-reduce(x), replica_groups={}, to_apply=last"),
     "s32[] 40 | s32[] 40 | s32[] 40"},
    {"all_reduce_half_precision_rounds_once", 4, 1,
     MODULE SCALAR_OP("add", "bf16", "add") ENTRY("x = bf16[] parameter(0) o = bf16[] constant(256) y = bf16[] add(x, o) ROOT r = bf16[] all-reduce(y), replica_groups={}, to_apply=add"),
     "bf16[] 1088 | bf16[] 1088 | bf16[] 1088 | bf16[] 1088"},
    {"all_reduce_crosses_replicas_only", 2, 2, MODULE ADD ENTRY("x = s32[] parameter(0) ROOT r = s32[] all-reduce(x), replica_groups={{0,1}}, to_apply=add"),
     "s32[] 20 | s32[] 40 | s32[] 20 | s32[] 40"},
    {"all_reduce_crosses_both", 2, 2, MODULE ADD ENTRY("x = s32[] parameter(0) ROOT r = s32[] all-reduce(x), channel_id=1, replica_groups={{0,1}}, to_apply=add"),
     "s32[] 60 | s32[] 60 | s32[] 60 | s32[] 60"},
    {"all_reduce_of_device_ids", 2, 2, MODULE ADD ENTRY("x = s32[] parameter(0) ROOT r = s32[] all-reduce(x), channel_id=1, replica_groups={{0,3},{1,2}}, use_global_device_ids=true, to_apply=add"),
     "s32[] 30 | s32[] 30 | s32[] 30 | s32[] 30"},
    {"all_gather_order_of_the_group", 2, 1, MODULE ENTRY("x = s32[1,2] parameter(0) ROOT r = s32[1,4] all-gather(x), replica_groups={{1,0}}, dimensions={1}"),
     "s32[1,4] { { 10, 11, 0, 1 } } | s32[1,4] { { 10, 11, 0, 1 } }"},
    {"all_gather_crosses_both_in_order_of_partitions", 2, 2, MODULE ENTRY("x = s32[1] parameter(0) ROOT r = s32[4] all-gather(x), channel_id=1, replica_groups={{0,1}}, dimensions={0}"),
     "s32[4] {0, 20, 10, 30} | s32[4] {0, 20, 10, 30} | s32[4] {0, 20, 10, 30} | s32[4] {0, 20, 10, 30}"},
    {"reduce_scatter", 2, 1, MODULE ADD ENTRY("x = s32[4] parameter(0) ROOT r = s32[2] reduce-scatter(x), replica_groups={{1,0}}, dimensions={0}, to_apply=add"),
     "s32[2] {14, 16} | s32[2] {10, 12}"},
    {"all_to_all_array", 2, 1, MODULE ENTRY("x = s32[2,2] parameter(0) ROOT r = s32[2,2] all-to-all(x), replica_groups={{0,1}}, dimensions={1}"),
     "s32[2,2] { { 0, 10 }, { 2, 12 } } | s32[2,2] { { 1, 11 }, { 3, 13 } }"},
    {"all_to_all_tuple", 2, 1, MODULE ENTRY("x = s32[] parameter(0) y = s32[] negate(x) ROOT r = (s32[], s32[]) all-to-all(x, y), replica_groups={{0,1}}"),
     "( s32[] 0, s32[] 10 ) | ( s32[] 0, s32[] -10 )"},
    {"all_to_all_crosses_partitions", 1, 2, MODULE ENTRY("x = s32[2] parameter(0) ROOT r = s32[2] all-to-all(x), channel_id=1, replica_groups={{0,1}}, dimensions={0}"),
     "s32[2] {0, 10} | s32[2] {1, 11}"},
    {"all_to_all_crosses_partitions_also_with_use_global_device_ids_false", 2, 2,
     "HloModule case, replica_count=2, num_partitions=2\n\n" ENTRY("x = s32[2] parameter(0) ROOT r = s32[2] all-to-all(x), channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=false"),
     "s32[2] {0, 10} | s32[2] {1, 11} | s32[2] {20, 30} | s32[2] {21, 31}"},
    {"all_to_all_of_every_partition", 2, 2, MODULE ENTRY("x = s32[2] parameter(0) ROOT r = s32[2] all-to-all(x), channel_id=1, dimensions={0}"),
     "s32[2] {0, 10} | s32[2] {1, 11} | s32[2] {20, 30} | s32[2] {21, 31}"},
    {"ragged_all_to_all", 2, 1,
     MODULE ENTRY("x = s32[3] parameter(0) o = s32[4] constant({-1, -1, -1, -1}) r = u32[] replica-id() q = s32[] convert(r) b = s32[2] broadcast(q), dimensions={}\n"
                  "i = s32[2] constant({0, 1}) n = s32[2] constant({1, 2}) f = s32[2] add(b, b) ROOT a = s32[4] ragged-all-to-all(x, o, i, n, f, n), replica_groups={{0,1}}"),
     "s32[4] {0, -1, 10, -1} | s32[4] {1, 2, 11, 12}"},
    {"collective_permute_zeros_without_source", 3, 1, MODULE ENTRY("x = s32[2] parameter(0) ROOT r = s32[2] collective-permute(x), source_target_pairs={{0,1},{2,0}}"),
     "s32[2] {20, 21} | s32[2] {0, 1} | s32[2] {0, 0}"},
    {"collective_permute_ring", 3, 1, MODULE ENTRY("x = s32[] parameter(0) ROOT r = s32[] collective-permute(x), source_target_pairs={{0,1},{1,2},{2,0}}"),
     "s32[] 20 | s32[] 0 | s32[] 10"},
    {"collective_permute_crosses_partitions", 2, 2, MODULE ENTRY("x = s32[] parameter(0) ROOT r = s32[] collective-permute(x), channel_id=1, source_target_pairs={{0,1},{1,0}}"),
     "s32[] 10 | s32[] 0 | s32[] 30 | s32[] 20"},
    {"collective_broadcast", 4, 1, MODULE ENTRY("x = s32[] parameter(0) ROOT r = s32[] collective-broadcast(x), replica_groups={{2,1}}"),
     "s32[] 0 | s32[] 20 | s32[] 20 | s32[] 0"},
    {"starts_and_dones", 2, 1,
     MODULE ADD ENTRY("x = s32[1] parameter(0) a = s32[1] all-reduce-start(x), replica_groups={}, to_apply=add ad = s32[1] all-reduce-done(a)\n"
                      "g = (s32[1], s32[2]) all-gather-start(x), replica_groups={}, dimensions={0} gd = s32[2] all-gather-done(g)\n"
                      "p = (s32[1], s32[1], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,1},{1,0}} pd = s32[1] collective-permute-done(p)\n"
                      "c = (s32[1], s32[1], u32[]) copy-start(x) cd = s32[1] copy-done(c) ROOT t = (s32[1], s32[2], s32[1], s32[1]) tuple(ad, gd, pd, cd)"),
     "( s32[1] {10}, s32[2] {0, 10}, s32[1] {10}, s32[1] {0} ) | ( s32[1] {10}, s32[2] {0, 10}, s32[1] {0}, s32[1] {10} )"},
    {"ids", 2, 2, MODULE ENTRY("r = u32[] replica-id() p = u32[] partition-id() ROOT t = (u32[], u32[]) tuple(r, p)"),
     "( u32[] 0, u32[] 0 ) | ( u32[] 0, u32[] 1 ) | ( u32[] 1, u32[] 0 ) | ( u32[] 1, u32[] 1 )"},
    {"collective_in_a_loop", 2, 1,
     MODULE ADD LESS_THAN("cond", "4") "body { " PAIR_PARTS "one = s32[] constant(1) j = s32[] add(i, one) r = s32[] all-reduce(s), replica_groups={}, to_apply=add ROOT t = (s32[], s32[]) tuple(j, r) }\n" ENTRY(
         "x = s32[] parameter(0) zero = s32[] constant(0) t = (s32[], s32[]) tuple(zero, x) ROOT w = (s32[], s32[]) while(t), condition=cond, body=body"),
     "( s32[] 4, s32[] 80 ) | ( s32[] 4, s32[] 80 )"},
    {"collectives_of_different_branches_meet", 2, 1,
     MODULE ADD "a { x = s32[] parameter(0) ROOT r = s32[] all-reduce(x), replica_groups={}, to_apply=add }\n"
     "b { x = s32[] parameter(0) n = s32[] negate(x) ROOT r = s32[] all-reduce(n), replica_groups={}, to_apply=add }\n" ENTRY(
         "x = s32[] parameter(0) i = u32[] replica-id() k = s32[] convert(i) ROOT c = s32[] conditional(k, x, x), branch_computations={a, b}"),
     "s32[] -10 | s32[] -10"},
    {"send_and_recv_by_pairs", 2, 1,
     MODULE ENTRY("x = s32[] parameter(0) k = token[] after-all() r = (s32[], u32[], token[]) recv(k), channel_id=1, source_target_pairs={{0,1},{1,0}}\n"
                  "s = (s32[], u32[], token[]) send(x, k), channel_id=1, source_target_pairs={{0,1},{1,0}} sd = token[] send-done(s), channel_id=1\n"
                  "rd = (s32[], token[]) recv-done(r), channel_id=1 ROOT v = s32[] get-tuple-element(rd), index=0"),
     "s32[] 10 | s32[] 0"},
    {"send_to_oneself", 2, 1,
     MODULE ENTRY("x = s32[] parameter(0) k = token[] after-all() s = (s32[], u32[], token[]) send(x, k), channel_id=3 sd = token[] send-done(s), channel_id=3\n"
                  "r = (s32[], u32[], token[]) recv(sd), channel_id=3 rd = (s32[], token[]) recv-done(r), channel_id=3 ROOT v = s32[] get-tuple-element(rd), index=0"),
     "s32[] 0 | s32[] 10"},
};

/* ---- What goes wrong ---- */

#define INFEED "k = token[] after-all() f = (s32[], token[]) infeed(k) v = s32[] get-tuple-element(f), index=0\n"
#define BY_REPLICA "i = u32[] replica-id() b = s32[] convert(i)\n"
#define REDUCES(name) name " { x = s32[] parameter(0) ROOT all-reduce.3 = s32[] all-reduce(x), replica_groups={}, to_apply=add }\n"
#define PASSES(name) name " { x = s32[] parameter(0) ROOT y = s32[] negate(x) }\n"
#define FEEDS(name) name " { x = s32[] parameter(0) k = token[] after-all() infeed.1 = (s32[], token[]) infeed(k) ROOT v = s32[] get-tuple-element(infeed.1), index=0 }\n"

static const grid_case failing_cases[] = {
    {"deadlock_of_a_recv_in_a_loop", 2, 1,
     MODULE "body { s = (s32[], s32[], (s32[], u32[], token[])) parameter(0) i = s32[] get-tuple-element(s), index=0 x = s32[] get-tuple-element(s), index=1 c = (s32[], u32[], token[]) get-tuple-element(s), index=2\n"
     "d = (s32[], token[]) recv-done(c), channel_id=1 v = s32[] get-tuple-element(d), index=0 y = s32[] add(x, v) k = token[] get-tuple-element(d), index=1\n"
     "r = (s32[], u32[], token[]) recv(k), channel_id=1, source_target_pairs={{0,1},{1,0}} one = s32[] constant(1) j = s32[] add(i, one) ROOT t = (s32[], s32[], (s32[], u32[], token[])) tuple(j, y, r) }\n"
     "cond { s = (s32[], s32[], (s32[], u32[], token[])) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(3) ROOT p = pred[] compare(i, n), direction=LT }\n" ENTRY(
         "x = s32[] parameter(0) k = token[] after-all() z = s32[] constant(0) w = (s32[], u32[], token[]) send(x, k), channel_id=1, source_target_pairs={{0,1},{1,0}} wd = token[] send-done(w)\n"
         "r = (s32[], u32[], token[]) recv(wd), channel_id=1, source_target_pairs={{0,1},{1,0}} s = (s32[], s32[], (s32[], u32[], token[])) tuple(z, x, r) l = (s32[], s32[], (s32[], u32[], token[])) while(s), condition=cond, body=body\n"
         "c = (s32[], u32[], token[]) get-tuple-element(l), index=2 d = (s32[], token[]) recv-done(c) v = s32[] get-tuple-element(d), index=0 y = s32[] get-tuple-element(l), index=1 ROOT o = s32[] add(y, v)"),
     "DEADLOCK: deadlock: replica 0 waits at recv-done d for a send from replica 1; replica 1 waits at recv-done d for a send from replica 0"},
    {"deadlock_with_one_that_has_finished", 2, 1,
     MODULE ADD REDUCES("a") PASSES("b") ENTRY(BY_REPLICA "x = s32[] parameter(0) ROOT c = s32[] conditional(b, x, x), branch_computations={a, b}"),
     "DEADLOCK: deadlock: replica 0 waits at all-reduce.3 for replica 1, which has finished"},
    {"deadlock_three_ways", 3, 1,
     MODULE ADD REDUCES("a") PASSES("b") FEEDS("c") ENTRY(BY_REPLICA "x = s32[] parameter(0) ROOT r = s32[] conditional(b, x, x, x), branch_computations={a, b, c}"),
     "DEADLOCK: deadlock: replica 0 waits at all-reduce.3 for replica 1, which has finished, and replica 2; replica 2 waits at infeed.1 for data in the infeed queue"},
    {"deadlock_of_rounds", 2, 1,
     MODULE ADD "cond { p = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] get-tuple-element(p), index=1 ROOT c = pred[] compare(i, n), direction=LT }\n"
     "body { " PAIR_PARTS "one = s32[] constant(1) j = s32[] add(i, one) meet = s32[] all-reduce(j), replica_groups={}, to_apply=add ROOT t = (s32[], s32[]) tuple(j, s) }\n" ENTRY(
         BY_REPLICA "zero = s32[] constant(0) t = (s32[], s32[]) tuple(zero, b) ROOT w = (s32[], s32[]) while(t), condition=cond, body=body"),
     "DEADLOCK: deadlock: replica 1 waits at all-reduce meet for replica 0, which has finished"},
    {"deadlock_of_a_permute", 1, 2,
     MODULE "a { x = s32[] parameter(0) ROOT p = s32[] collective-permute(x), channel_id=1, source_target_pairs={{1,0}} }\n" PASSES("b") ENTRY(
         "i = u32[] partition-id() b = s32[] convert(i) x = s32[] parameter(0) ROOT c = s32[] conditional(b, x, x), branch_computations={a, b}"),
     "DEADLOCK: deadlock: partition 0 waits at collective-permute p for partition 1, which has finished"},
    {"deadlock_of_a_recv", 2, 1,
     MODULE "a { x = s32[] parameter(0) k = token[] after-all() r = (s32[], u32[], token[]) recv(k), channel_id=1, source_target_pairs={{1,0}} recv-done.9 = (s32[], token[]) recv-done(r), channel_id=1 ROOT v = s32[] get-tuple-element(recv-done.9), index=0 }\n"
     PASSES("b") "c { x = s32[] parameter(0) k = token[] after-all() s = (s32[], u32[], token[]) send(x, k), channel_id=1, source_target_pairs={{1,0}} d = token[] send-done(s), channel_id=1 ROOT y = s32[] copy(x) }\n"
     ENTRY(BY_REPLICA "x = s32[] parameter(0) ROOT r = s32[] conditional(b, x, x, x), branch_computations={a, b, c}"),
     "DEADLOCK: deadlock: replica 0 waits at recv-done.9 for a send from replica 1, which has finished"},
    {"infeed_without_data", 1, 1, MODULE ENTRY(INFEED "ROOT n = s32[] negate(v)"), "DEADLOCK: deadlock: replica 0 waits at infeed f for data in the infeed queue"},
    {"custom_call_nobody_registered", 1, 1, MODULE ENTRY("x = s32[] parameter(0) ROOT c = s32[] custom-call(x), custom_call_target=\"nobody\""),
     "UNSUPPORTED: computation main, instruction c: custom-call: the target \"nobody\" is neither built in nor registered (customCalls)"},
    {"group_of_a_replica_that_is_not_there", 2, 1, MODULE ADD ENTRY("x = s32[] parameter(0) ROOT r = s32[] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=add"),
     "SHAPE: computation main, instruction r: all-reduce: a group names replica 2, but there are 2"},
    {"replica_in_no_group", 3, 1, MODULE ADD ENTRY("x = s32[] parameter(0) ROOT r = s32[] all-reduce(x), replica_groups={{0,1}}, to_apply=add"),
     "SHAPE: computation main, instruction r: all-reduce: no group holds replica 2"},
    {"all_gather_of_another_group_size", 3, 1, MODULE ENTRY("x = s32[2] parameter(0) ROOT r = s32[4] all-gather(x), replica_groups={}, dimensions={0}"),
     "SHAPE: computation main, instruction r: all-gather: groups of 3 do not fit operand 0 s32[2] and result s32[4]"},
    {"send_to_the_host", 1, 1,
     MODULE ENTRY("x = s32[] parameter(0) k = token[] after-all() s = (s32[], u32[], token[]) send(x, k), channel_id=4, is_host_transfer=true ROOT d = token[] send-done(s), channel_id=4, is_host_transfer=true"),
     "UNSUPPORTED: computation main, instruction s: send: a transfer to the host over channel 4 is not supported; use outfeed"},
};

static void check_grid(const grid_case *cases, int count) {
  for (int i = 0; i < count; i++) {
    char out[2000];
    test_host host = make_host();
    run_grid(cases[i].module, cases[i].replicas, cases[i].partitions, 0, &host, out, sizeof out);
    CHECK(strcmp(out, cases[i].expected) == 0, "%s:\n  expected %s\n  got      %s", cases[i].name, cases[i].expected, out);
  }
}

/* ---- Depth, budgets, queues ---- */

static void check_deep_calls(void) {
  enum { DEPTH = 10000 };
  char *text = malloc(DEPTH * 120), *end = text, out[200];
  end += sprintf(end, MODULE "f0 { x = s32[] parameter(0) ROOT y = s32[] add(x, x) }\n");
  for (int i = 1; i < DEPTH; i++)
    end += sprintf(end, "f%d { x = s32[] parameter(0) one = s32[] constant(1) y = s32[] add(x, one) ROOT z = s32[] call(y), to_apply=f%d }\n", i, i - 1);
  sprintf(end, "ENTRY main { x = s32[] constant(0) ROOT z = s32[] call(x), to_apply=f%d }\n", DEPTH - 1);
  test_host host = make_host();
  run_grid(text, 1, 1, 0, &host, out, sizeof out);
  CHECK_TEXT(out, "s32[] 19998");
  free(text);
}

static const char *const endless = MODULE "cond { p = s32[] parameter(0) ROOT c = pred[] constant(true) }\nbody { p = s32[] parameter(0) ROOT n = s32[] negate(p) }\n" ENTRY(
    "x = s32[] parameter(0) ROOT w = s32[] while(x), condition=cond, body=body");

static void check_budget_and_abort(void) {
  char out[400];
  test_host host = make_host();
  run_grid(endless, 1, 1, 5000, &host, out, sizeof out);
  CHECK(strncmp(out, "LIMIT: computation ", 19) == 0 && strstr(out, "units of work, and ") && strstr(out, "left of the run's workBudget of 5000"), "%s", out);
  host.abort = true;
  run_grid(endless, 2, 1, 0, &host, out, sizeof out);
  CHECK(strncmp(out, "ABORTED: ", 9) == 0, "%s", out);
  host.abort = false;
  run_grid(MODULE ENTRY("x = s32[] constant(1) y = s32[] negate(x) ROOT z = s32[] negate(y)"), 1, 1, 5, &host, out, sizeof out);
  CHECK_TEXT(out, "s32[] 1");
  run_grid(MODULE ENTRY("x = s32[] constant(1) y = s32[] negate(x) ROOT z = s32[] negate(y)"), 1, 1, 4, &host, out, sizeof out);
  CHECK(strncmp(out, "LIMIT", 5) == 0, "%s", out);
}

/* An effect without a reader happens, with all that it needs; another value without a reader takes no work. */
static void check_unneeded(void) {
  char out[400];
  test_host host = make_host();
  host.infeed[0] = "s32[] 5";
  run_grid(MODULE ENTRY("x = s32[] constant(1) u = s32[1000] broadcast(x), dimensions={} k = token[] after-all() f = (s32[], token[]) infeed(k) v = s32[] get-tuple-element(f), index=0\n"
                        "w = s32[] negate(v) l = token[] get-tuple-element(f), index=1 o = token[] outfeed(w, l), outfeed_shape=s32[] ROOT z = s32[] negate(x)"),
           1, 1, 100, &host, out, sizeof out);
  CHECK_TEXT(out, "s32[] -1");
  CHECK_TEXT(host.outfed, "s32[] -5");
}

static void check_queues(void) {
  char out[400];
  test_host host = make_host();
  host.infeed[0] = "s32[] 5";
  host.infeed[1] = "(s32[], f32[2]) (3, {1, 2})";
  host.infeed[2] = "s32[] 7";
  run_grid(MODULE ENTRY("k = token[] after-all() n = ((), token[]) infeed(k) k0 = token[] get-tuple-element(n), index=1\n"
                        "a = (s32[], token[]) infeed(k0) k1 = token[] get-tuple-element(a), index=1 v = s32[] get-tuple-element(a), index=0\n"
                        "b = ((s32[], f32[2]), token[]) infeed(k1) k2 = token[] get-tuple-element(b), index=1 w = (s32[], f32[2]) get-tuple-element(b), index=0\n"
                        "o = token[] outfeed(v, k2), outfeed_shape=s32[] p = token[] outfeed(w, o), outfeed_shape=(s32[], f32[2])\n"
                        "c = (s32[], token[]) infeed(p) ROOT r = s32[] get-tuple-element(c), index=0"), 1, 1, 0, &host, out, sizeof out);
  CHECK_TEXT(out, "s32[] 7");
  CHECK_TEXT(host.outfed, "s32[] 5 | ( s32[] 3, f32[2] {1, 2} )");
}

int main(void) {
  check_grid(control_cases, COUNT(control_cases));
  check_grid(meeting_cases, COUNT(meeting_cases));
  check_grid(failing_cases, COUNT(failing_cases));
  check_deep_calls();
  check_budget_and_abort();
  check_unneeded();
  check_queues();
  return unit_report();
}
