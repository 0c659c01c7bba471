/* The plan: lifetimes that never share a byte, values that are still there when they are read, what moves no byte. */
#include "plan/lifetimes.h"
#include "plan/plan.h"
#include "random_program.h"

/* ---- Lifetimes ---- */

/* Returns the offset that the lifetime must get, in units of 64 bytes: the start of the smallest run of free units that is large enough, the
 * first of equal ones; else the start of the free units below the top, or the top. Units are looked at one by one. */
static int64_t best_fit(const hlo_lifetime *lifetimes, int number, int64_t units, int64_t top) {
  int64_t best = top, best_length = INT64_MAX;
  for (int64_t unit = 0, length = 0; unit <= top; unit++) {
    bool is_free = unit < top;
    for (int n = 0; n < number && is_free; n++) {
      int64_t first = lifetimes[n].offset / 64, taken = lifetimes[n].bytes ? (lifetimes[n].bytes + 63) / 64 : 1;
      is_free = lifetimes[n].end < lifetimes[number].begin || unit < first || unit >= first + taken;
    }
    if (!is_free && length >= units && length < best_length) {
      best_length = length;
      best = unit - length;
    }
    if (unit == top && best_length == INT64_MAX) best = top - length;
    length = is_free ? length + 1 : 0;
  }
  return best;
}

static void check_best_fit(int count, int most_bytes, int longest) {
  hlo_arena arena;
  hlo_status status = {0};
  hlo_arena_init(&arena);
  hlo_lifetime *lifetimes = hlo_arena_many(&arena, hlo_lifetime, count, &status);
  int64_t total = 0, top = 0;
  for (int i = 0, begin = 0; i < count; i++, begin += random_below(3) == 0)
    lifetimes[i] = (hlo_lifetime){.bytes = random_below(most_bytes), .begin = begin, .end = begin + random_below(longest) - 1};
  CHECK(hlo_lifetimes_place(lifetimes, count, 64, &arena, &total, &status), "%s", status.message);
  for (int i = 0; i < count; i++) {
    int64_t units = lifetimes[i].bytes ? (lifetimes[i].bytes + 63) / 64 : 1, expected = best_fit(lifetimes, i, units, top);
    CHECK(lifetimes[i].offset == 64 * expected, "lifetime %d of %d lies at %lld, not at %lld", i, count, (long long)lifetimes[i].offset, (long long)(64 * expected));
    if (expected + units > top) top = expected + units;
  }
  CHECK(total == 64 * top, "%lld bytes, not %lld", (long long)total, (long long)(64 * top));
  hlo_arena_free(&arena);
}

static void check_lifetimes(int count, int span) {
  hlo_arena arena;
  hlo_status status = {0};
  hlo_arena_init(&arena);
  hlo_lifetime *lifetimes = hlo_arena_many(&arena, hlo_lifetime, count, &status);
  int64_t total = 0, sum = 0, largest_moment = 0;
  for (int i = 0; i < count; i++) {
    int begin = i * span / count;
    lifetimes[i] = (hlo_lifetime){.bytes = random_below(1000), .begin = begin, .end = begin + random_below(8)};
    sum += (lifetimes[i].bytes + 63) / 64 * 64 + 64;
  }
  CHECK(hlo_lifetimes_place(lifetimes, count, 64, &arena, &total, &status), "%s", status.message);
  CHECK(total <= sum, "%lld bytes of %lld", (long long)total, (long long)sum);
  for (int i = 0; i < count; i++) {
    CHECK(lifetimes[i].offset % 64 == 0 && lifetimes[i].offset >= 0 && lifetimes[i].offset + lifetimes[i].bytes <= total, "lifetime %d", i);
    for (int j = 0; j < i; j++) {
      bool meet = lifetimes[i].begin <= lifetimes[j].end && lifetimes[j].begin <= lifetimes[i].end;
      bool share = lifetimes[i].offset < lifetimes[j].offset + lifetimes[j].bytes && lifetimes[j].offset < lifetimes[i].offset + lifetimes[i].bytes;
      CHECK(!meet || !share, "lifetimes %d and %d share bytes", i, j);
    }
  }
  for (int time = 0; time < span; time++) {
    int64_t live = 0;
    for (int i = 0; i < count; i++)
      if (lifetimes[i].begin <= time && time <= lifetimes[i].end) live += lifetimes[i].bytes;
    if (live > largest_moment) largest_moment = live;
  }
  CHECK(total >= largest_moment && total <= 3 * largest_moment + 64 * count, "%lld bytes where %lld live at once", (long long)total, (long long)largest_moment);
  hlo_arena_free(&arena);
}

/* A value that fits into no gap lies over the last one: what a step needs beside its result, say, where the step before needed less. */
static void the_last_gap_is_widened(void) {
  hlo_arena arena;
  hlo_status status = {0};
  hlo_arena_init(&arena);
  hlo_lifetime lifetimes[] = {{.bytes = 128, .begin = 0, .end = 3}, {.bytes = 640, .begin = 1, .end = 1}, {.bytes = 704, .begin = 2, .end = 2}, {.bytes = 64, .begin = 3, .end = 3}};
  int64_t total;
  CHECK(hlo_lifetimes_place(lifetimes, 4, 64, &arena, &total, &status), "%s", status.message);
  CHECK(lifetimes[2].offset == 128 && lifetimes[3].offset == 128 && total == 832, "at %lld, of %lld bytes", (long long)lifetimes[2].offset, (long long)total);
  hlo_arena_free(&arena);
}

static void test_lifetimes(void) {
  the_last_gap_is_widened();
  for (int count = 0; count < 60; count++) check_lifetimes(count, count / 2 + 1);
  for (int round = 0; round < 20; round++) check_lifetimes(300, 50 + 20 * round);
  for (int round = 0; round < 40; round++) check_best_fit(5 * round, 100 + 40 * round, 3 + round);
  hlo_arena arena;
  hlo_status status = {0};
  hlo_arena_init(&arena);
  hlo_lifetime huge[2] = {{.bytes = INT64_MAX - 100, .begin = 0, .end = 1}, {.bytes = INT64_MAX - 100, .begin = 0, .end = 1}};
  int64_t total;
  CHECK(!hlo_lifetimes_place(huge, 2, 64, &arena, &total, &status) && status.code == HLO_OUT_OF_MEMORY, "%s", status.message);
  hlo_arena_free(&arena);
}

/* ---- Values that are still there: a run of the steps in which every byte holds the number of its writer ---- */

enum { NOBODY = -1 };

typedef struct shadow {
  const hlo_plan *plan;
  const hlo_routine *routine;
  int *writers;                        /* by byte of the workspace: the step that wrote it */
  int results[256];                    /* by leaf of the result */
} shadow;

/* Whether `maker` may be what `reader` reads as `value`: through everything that only passes values on. */
static bool is_source(const hlo_computation *computation, int value, int maker) {
  const hlo_instruction *instruction = computation->instructions[value];
  if (value == maker) return true;
  switch (instruction->opcode) {
  case HLO_OP_TUPLE: case HLO_OP_GET_TUPLE_ELEMENT: case HLO_OP_RESHAPE: case HLO_OP_BITCAST: case HLO_OP_BITCAST_CONVERT:
  case HLO_OP_COPY: case HLO_OP_BROADCAST: case HLO_OP_OPT_BARRIER:
    for (int n = 0; n < instruction->operand_count; n++)
      if (is_source(computation, instruction->operands[n], maker)) return true;
    return false;
  default:
    return false;
  }
}

/* How many bytes of the workspace a place has, from its offset on: a view has its address there. */
static int64_t workspace_bytes(const hlo_plan_place *place) {
  if (place->kind == HLO_PLACE_VIEW) return (int64_t)sizeof(void *);
  return place->kind == HLO_PLACE_WORKSPACE ? place->bytes : 0;
}

/* The one step that wrote all of a place; -2 where it was several, or not one of this routine. */
static int writer_of(const shadow *s, const hlo_plan_place *place) {
  if (place->kind == HLO_PLACE_RESULT) return s->results[place->offset];
  if (workspace_bytes(place) == 0) return -2;
  int writer = s->writers[place->offset];
  for (int64_t i = 1; i < workspace_bytes(place); i++)
    if (s->writers[place->offset + i] != writer) return -3;
  return writer;
}

static void write_place(shadow *s, const hlo_plan_place *place, int step) {
  if (place->kind == HLO_PLACE_RESULT) s->results[place->offset] = step;
  for (int64_t i = 0; i < workspace_bytes(place); i++) s->writers[place->offset + i] = step;
}

static void check_read(const shadow *s, const hlo_plan_place *place, const hlo_instruction *reader, int value, int seed) {
  int writer = writer_of(s, place);
  if (writer == -2) return;
  CHECK(writer >= 0, "seed %d: %s reads bytes that no one step wrote", seed, reader->name);
  if (writer < 0) return;
  const hlo_instruction *maker = s->routine->steps[writer].instruction;
  bool found = false;
  for (int n = 0; n < reader->operand_count && value < 0; n++) found |= is_source(s->routine->computation, reader->operands[n], maker->index);
  if (value >= 0) found = is_source(s->routine->computation, value, maker->index);
  CHECK(found, "seed %d: %s reads what %s wrote", seed, reader->name, maker->name);
}

/* Only routines that enter no others: then their steps run in order, once. */
static void check_routine(const hlo_plan *plan, const hlo_routine *routine, int seed) {
  for (int i = 0; i < routine->step_count; i++)
    if (routine->steps[i].kind > HLO_STEP_MEET) return;
  shadow s = {.plan = plan, .routine = routine, .writers = malloc((size_t)(plan->workspace_bytes + 1) * sizeof(int))};
  for (int64_t i = 0; i < plan->workspace_bytes; i++) s.writers[i] = -2; /* of others */
  for (int64_t i = 0; i < routine->bytes; i++) s.writers[routine->offset + i] = NOBODY;
  for (int i = 0; i < 256; i++) s.results[i] = NOBODY;
  for (int i = 0; i < routine->parameter_leaf_count; i++) write_place(&s, &routine->parameters[i], -2);
  for (int i = 0; i < routine->step_count; i++) {
    const hlo_step *step = &routine->steps[i];
    int more = step->kind == HLO_STEP_KERNEL ? hlo_shape_leaf_count(step->instruction->shape) - 1 : 0, reads = step->operand_count - more;
    for (int n = 0; n < reads; n++) check_read(&s, &step->operands[n], step->instruction, -1, seed);
    for (int n = 0; step->literals && n < step->literals->first_result_leaf; n++) check_read(&s, &step->literals->places[n], step->instruction, -1, seed);
    write_place(&s, &step->scratch, NOBODY);
    write_place(&s, &step->result, i);
    for (int n = 0; n < more; n++) write_place(&s, &step->operands[reads + n], i);
    for (int n = step->literals ? step->literals->first_result_leaf : 0; step->literals && n < step->literals->leaf_count; n++)
      write_place(&s, &step->literals->places[n], i);
  }
  for (int i = 0; i < routine->result_leaf_count; i++) /* a move may have put it there: by the root itself */
    check_read(&s, &routine->results[i], hlo_computation_root(routine->computation), routine->computation->root, seed);
  free(s.writers);
}

static int64_t bytes_of_all_values(const hlo_module *module) {
  int64_t bytes = 0;
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++) {
      const hlo_shape *shape = module->computations[c]->instructions[i]->shape;
      for (int leaf = 0; leaf < hlo_shape_leaf_count(shape); leaf++) bytes += hlo_shape_dense_bytes(hlo_shape_leaf(shape, leaf)) + 2 * 63 + 64;
    }
  return bytes;
}

static void test_random_plans(void) {
  for (int seed = 0; seed < 400; seed++) {
    char *text = random_program((uint64_t)seed, 5 + seed % 40);
    hlo_status status = {0};
    hlo_module *module = hlo_text_parse(text, strlen(text), &status);
    hlo_plan *plan = module ? hlo_plan_build(module, &status) : NULL;
    CHECK(plan != NULL, "seed %d: %s", seed, status.message);
    for (int r = 0; plan && r < plan->routine_count; r++) check_routine(plan, &plan->routines[r], seed);
    if (plan) CHECK(plan->workspace_bytes <= bytes_of_all_values(module), "seed %d: %lld bytes", seed, (long long)plan->workspace_bytes);
    hlo_plan_free(plan);
    hlo_module_free(module);
    free(text);
  }
}

/* ---- What a plan is made of ---- */

typedef struct plan_case {
  const char *name, *text;
  const char *steps;        /* kernels of all routines in order, "|" between routines */
  int64_t workspace_bytes;
  int moves;                /* of calls */
} plan_case;

#define COUNTED(state) \
  "cond { s = " state " parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(9) ROOT p = pred[] compare(i, n), direction=LT }\n"

/* Terms enough for a product that is not small. */
#define ROWS_4(row) row "," row "," row "," row
#define ROWS_17(row) ROWS_4(row) "," ROWS_4(row) "," ROWS_4(row) "," ROWS_4(row) "," row

static const plan_case plan_cases[] = {
    {"a chain runs in the result's memory",
     "HloModule m\nENTRY e { x = f32[1000] parameter(0) a = f32[1000] add(x, x) b = f32[1000] multiply(a, x) c = f32[1000] negate(b) ROOT d = f32[1000] add(c, a) }",
     "f32_add f32_multiply f32_negate f32_add", 4032, 0},
    {"a dead operand is overwritten",
     "HloModule m\nENTRY e { x = f32[1000] parameter(0) a = f32[1000] add(x, x) b = f32[1000] multiply(a, x) c = f32[1000] negate(b) ROOT d = f32[1000] add(c, x) }",
     "f32_add f32_multiply f32_negate f32_add", 0, 0},
    {"tuples, reshapes and copies move nothing",
     "HloModule m\nENTRY e { x = f32[6,4] parameter(0) t = (f32[6,4], f32[6,4]) tuple(x, x) g = f32[6,4] get-tuple-element(t), index=1 r = f32[24] reshape(g) c = f32[24] copy(r) "
     "o = f32[24] opt-barrier(c) b = s32[24] bitcast-convert(o) ROOT n = s32[24] negate(b) }",
     "s32_negate", 0, 0},
    {"dead instructions take no step",
     "HloModule m\nENTRY e { x = f32[4] parameter(0) a = f32[4] add(x, x) b = f32[4] sine(a) ROOT c = f32[4] negate(x) }", "f32_negate", 0, 0},
    {"a broadcast scalar is not made an array",
     "HloModule m\nENTRY e { x = f32[4] parameter(0) s = f32[] parameter(1) b = f32[4] broadcast(s), dimensions={} ROOT c = f32[4] multiply(x, b) }", "f32_multiply", 0, 0},
    {"unless somebody needs it",
     "HloModule m\nENTRY e { x = f32[4] parameter(0) s = f32[] parameter(1) b = f32[4] broadcast(s), dimensions={} c = f32[4] multiply(x, b) ROOT d = f32[4] reverse(b), dimensions={0} }",
     "strided_copy_simd128 strided_copy_simd128", 64, 0},
    {"a pointwise convolution is a dot",
     "HloModule m\nENTRY e { x = f32[2,5,5,3] parameter(0) k = f32[1,1,3,7] parameter(1) ROOT y = f32[2,5,5,7] convolution(x, k), window={size=1x1}, dim_labels=b01f_01io->b01f }",
     "f32_dot_simd128", 128, 0},
    {"constant weights are packed, and not read again",
     "HloModule m\nENTRY e { x = f32[100,2] parameter(0) c = f32[6] constant({1,2,3,4,5,6}) w = f32[2,3] reshape(c) y = f32[100,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} "
     "k = f32[1,100,3] reshape(y) v = f32[2,3,1] constant({{{1},{2},{3}},{{4},{5},{6}}}) ROOT z = f32[1,99,1] convolution(k, v), window={size=2}, dim_labels=b0f_0io->b0f }",
     "f32_dot_packed_simd128 f32_convolution_packed_simd128", 2752, 0},
    {"for a vector, too",
     "HloModule m\nENTRY e { x = f32[17] parameter(0) w = f32[17,9] constant({" ROWS_17("{1,2,3,4,5,6,7,8,9}") "}) ROOT y = f32[9] dot(x, w), lhs_contracting_dims={0}, "
     "rhs_contracting_dims={0} }",
     "f32_dot_packed_simd128", 0, 0},
    {"but not for a vector with a few columns",
     "HloModule m\nENTRY e { x = f32[17] parameter(0) w = f32[17,3] constant({" ROWS_17("{1,2,3}") "}) ROOT y = f32[3] dot(x, w), lhs_contracting_dims={0}, rhs_contracting_dims={0} }",
     "f32_dot_simd128", 0, 0},
    {"nor for a few rows",
     "HloModule m\nENTRY e { x = f32[16,17] parameter(0) w = f32[17,9] constant({" ROWS_17("{1,2,3,4,5,6,7,8,9}") "}) ROOT y = f32[16,9] dot(x, w), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0} }",
     "f32_dot_simd128", 576, 0},
    {"a loop updates its state in place",
     "HloModule m\n" COUNTED("(s32[], f32[100])")
     "body { s = (s32[], f32[100]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[100] get-tuple-element(s), index=1 one = s32[] constant(1) u = f32[1] constant({5}) "
     "y = f32[100] dynamic-update-slice(x, u, i) j = s32[] add(i, one) ROOT t = (s32[], f32[100]) tuple(j, y) }\n"
     "ENTRY e { z = s32[] constant(0) x = f32[100] parameter(0) n = f32[100] negate(x) s = (s32[], f32[100]) tuple(z, n) w = (s32[], f32[100]) while(s), condition=cond, body=body ROOT y = f32[100] get-tuple-element(w), index=1 }",
     "f32_negate move call unless call jump | strided_copy_simd128 s32_add | s32_compare", 128, 0},
    {"a swap goes through a place of its own",
     "HloModule m\n" COUNTED("(s32[], f32[9], f32[9])")
     "body { s = (s32[], f32[9], f32[9]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[9] get-tuple-element(s), index=1 y = f32[9] get-tuple-element(s), index=2 one = s32[] constant(1) "
     "j = s32[] add(i, one) ROOT t = (s32[], f32[9], f32[9]) tuple(j, y, x) }\n"
     "ENTRY e { z = s32[] constant(0) x = f32[9] parameter(0) y = f32[9] parameter(1) s = (s32[], f32[9], f32[9]) tuple(z, x, y) ROOT w = (s32[], f32[9], f32[9]) while(s), condition=cond, body=body }",
     "move move move call unless call jump | s32_add move move | s32_compare", 192, 2},
    {"one caller: no moves",
     "HloModule m\nf { a = f32[8] parameter(0) b = f32[8] parameter(1) ROOT c = f32[8] add(a, b) }\nENTRY e { x = f32[8] parameter(0) ROOT y = f32[8] call(x, x), to_apply=f }", "call | f32_add", 0, 0},
    {"two callers: moves in and out",
     "HloModule m\nf { a = f32[8] parameter(0) b = f32[8] parameter(1) ROOT c = f32[8] subtract(a, b) }\nENTRY e { x = f32[8] parameter(0) y = f32[8] call(x, x), to_apply=f ROOT z = f32[8] call(y, x), to_apply=f }",
     "call call | f32_subtract", 192, 6},
};

static void describe(const hlo_plan *plan, char *text, size_t size, int *moves) {
  *text = 0;
  *moves = 0;
  for (int r = 0; r < plan->routine_count; r++)
    for (int i = 0; i < plan->routines[r].step_count; i++) {
      const hlo_step *step = &plan->routines[r].steps[i];
      snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? " " : r ? " | " : "", step->kernel);
      *moves += step->before_count + step->after_count;
    }
}

static void test_plans(void) {
  for (size_t i = 0; i < sizeof plan_cases / sizeof *plan_cases; i++) {
    const plan_case *c = &plan_cases[i];
    hlo_status status = {0};
    char steps[1024];
    int moves;
    hlo_module *module = hlo_text_parse(c->text, strlen(c->text), &status);
    hlo_plan *plan = module ? hlo_plan_build(module, &status) : NULL;
    CHECK(plan != NULL, "%s: %s", c->name, status.message);
    if (!plan) continue;
    describe(plan, steps, sizeof steps, &moves);
    CHECK(strcmp(steps, c->steps) == 0, "%s: %s", c->name, steps);
    CHECK(plan->workspace_bytes == c->workspace_bytes, "%s: %lld bytes of workspace, not %lld", c->name, (long long)plan->workspace_bytes, (long long)c->workspace_bytes);
    CHECK(moves == c->moves, "%s: %d moves, not %d", c->name, moves, c->moves);
    hlo_plan_free(plan);
    hlo_module_free(module);
  }
}

static void test_json(void) {
  hlo_status status = {0};
  const char *text = "HloModule m\nENTRY e { x = f32[2,3] parameter(0) ROOT y = f32[2,3] add(x, x) }";
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  hlo_plan *plan = hlo_plan_build(module, &status);
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_plan_write_json(plan, &writer);
  CHECK_TEXT(writer.text,
             "{\"workspace_bytes\":0,\"packed_bytes\":0,\"routines\":[{\"name\":\"e\",\"offset\":0,\"bytes\":0,\"steps\":[{\"index\":0,\"op\":\"add\",\"name\":\"y\",\"kernel\":\"f32_add\","
             "\"shape\":\"f32[2,3]\",\"flops\":6,\"bytes\":72,\"operands\":[{\"kind\":\"argument\",\"offset\":0,\"bytes\":24},{\"kind\":\"argument\",\"offset\":0,\"bytes\":24}],"
             "\"result\":{\"kind\":\"result\",\"offset\":0,\"bytes\":24}}]}]}");
  hlo_writer_free(&writer);
  hlo_plan_free(plan);
  hlo_module_free(module);
}

static void test_packed_bytes(void) {
  hlo_status status = {0};
  const char *text = "HloModule m\nENTRY e { x = f64[64,2] parameter(0) w = f64[2,5] constant({{1,2,3,4,5},{6,7,8,9,0}}) "
                     "ROOT y = f64[64,5] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  hlo_plan *plan = hlo_plan_build(module, &status);
  CHECK(plan && plan->packed_bytes == 2 * 5 * 8, "%lld bytes of packed constants", plan ? (long long)plan->packed_bytes : -1); /* a panel of 4 columns, and one column */
  hlo_plan_free(plan);
  hlo_module_free(module);
}

/* Each donated parameter becomes the first result of its shape that no other has become: of shapes in any order, many and few alike. */
static void test_donation(void) {
  enum { COUNT = 3000, ALIKE = 7 };
  size_t size = COUNT * 120 + 200;
  char *text = malloc(size), *end = text + size, *at = text;
  at += snprintf(at, (size_t)(end - at), "HloModule m\nENTRY e {\n");
  for (int n = 0; n < COUNT; n++) at += snprintf(at, (size_t)(end - at), "p%d = f32[%d] parameter(%d)\nn%d = f32[%d] negate(p%d)\n", n, n / ALIKE + 1, n, n, n / ALIKE + 1, n);
  at += snprintf(at, (size_t)(end - at), "ROOT t = (");
  for (int n = COUNT - 1; n >= 0; n--) at += snprintf(at, (size_t)(end - at), "f32[%d]%s", n / ALIKE + 1, n ? ", " : ") tuple(");
  for (int n = COUNT - 1; n >= 0; n--) at += snprintf(at, (size_t)(end - at), "n%d%s", n, n ? ", " : ") }\n");
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, (size_t)(at - text), &status);
  CHECK(module, "%s", status.message);
  bool *donated = calloc(COUNT, sizeof *donated);
  for (int n = 0; n < COUNT; n++) donated[n] = n % 3 != 0;
  hlo_plan *plan = module ? hlo_plan_build_donating(module, donated, 1, NULL, &status) : NULL;
  CHECK(plan, "%s", status.message);
  for (int n = 0, before = 0; plan && n < COUNT; n++) { /* before: donated ones of the same shape in front of it */
    int group = n / ALIKE, members = group == COUNT / ALIKE ? COUNT % ALIKE : ALIKE, first_result = COUNT - group * ALIKE - members;
    if (n % ALIKE == 0) before = 0;
    int expected = donated[n] ? first_result + before++ : -1;
    CHECK(plan->parameter_leaves[n].donated_to == expected, "parameter %d becomes result %d, not %d", n, plan->parameter_leaves[n].donated_to, expected);
  }
  hlo_plan_free(plan);
  hlo_module_free(module);
  free(donated);
  free(text);
}

int main(void) {
  test_donation();
  test_packed_bytes();
  test_lifetimes();
  test_random_plans();
  test_plans();
  test_json();
  return unit_report();
}
