/* Random small programs in HLO text, the same for the same seed.
 *
 * Values that other instructions use are whole numbers small enough that every order of summation is exact, so both
 * paths must agree to the bit; functions that round are only ever results. */
#ifndef HLO_TESTS_RANDOM_PROGRAM_H
#define HLO_TESTS_RANDOM_PROGRAM_H

#include <stdarg.h>

#include "program.h"

enum { GENERATED_BYTES = 1 << 17, GENERATED_VALUES = 256, GENERATED_RANK = 3 };

typedef struct generated_value {
  char name[16];
  const char *type; /* f32, s32, pred */
  int rank;
  int64_t dims[GENERATED_RANK];
  double bound;  /* of its magnitude */
  bool is_final; /* it has been rounded: only for results */
} generated_value;

/* One computation while it is written; what it calls goes to `callees`. */
typedef struct generator {
  char *text, *callees;
  generated_value values[GENERATED_VALUES];
  int count, depth;
  bool may_add_parameters;
  int parameter_count;
} generator;

static int generated_names;

__attribute__((format(printf, 2, 3))) static inline void put(char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t length = strlen(text);
  vsnprintf(text + length, GENERATED_BYTES - length, format, arguments);
  va_end(arguments);
}

static inline const char *shape_of(const generated_value *v) {
  static char texts[8][96];
  static int next;
  char *text = texts[next++ % 8];
  sprintf(text, "%s[", v->type);
  for (int d = 0; d < v->rank; d++) sprintf(text + strlen(text), "%s%lld", d ? "," : "", (long long)v->dims[d]);
  strcat(text, "]");
  return text;
}

static inline int64_t elements_of(const generated_value *v) {
  int64_t count = 1;
  for (int d = 0; d < v->rank; d++) count *= v->dims[d];
  return count;
}

/* A new value like another one; the caller changes what differs and then writes the rest of its line. */
static inline generated_value *like(generator *g, const generated_value *v) {
  generated_value *made = &g->values[g->count++];
  *made = *v;
  sprintf(made->name, "v%d", generated_names++);
  return made;
}

static inline void declare(generator *g, const generated_value *v) { put(g->text, "  %s = %s ", v->name, shape_of(v)); }

static inline generated_value *scalar_constant(generator *g, const char *type, int value) {
  generated_value *v = like(g, &(generated_value){.type = type, .bound = abs(value)});
  declare(g, v);
  if (strcmp(type, "pred") == 0) put(g->text, "constant(%s)\n", value & 1 ? "true" : "false");
  else put(g->text, "constant(%d)\n", value);
  return v;
}

static inline generated_value *broadcast_to(generator *g, const generated_value *scalar, const generated_value *shape) {
  generated_value *v = like(g, shape);
  v->type = scalar->type, v->bound = scalar->bound, v->is_final = false;
  declare(g, v);
  put(g->text, "broadcast(%s), dimensions={}\n", scalar->name);
  return v;
}

static inline generated_value *clamped(generator *g, const generated_value *v) {
  const generated_value *low = scalar_constant(g, v->type, -6), *high = scalar_constant(g, v->type, 7);
  generated_value *made = like(g, v);
  made->bound = 7;
  declare(g, made);
  put(g->text, "clamp(%s, %s, %s)\n", low->name, v->name, high->name);
  return made;
}

static inline generated_value *parameter(generator *g, const char *type, int rank, const int64_t *dims) {
  generated_value *v = like(g, &(generated_value){.type = type, .rank = rank, .bound = 8});
  for (int d = 0; d < rank; d++) v->dims[d] = dims[d];
  declare(g, v);
  put(g->text, "parameter(%d)\n", g->parameter_count++);
  return v;
}

/* Some value to go on with: of the type, small; made where there is none. */
static inline const generated_value *pick(generator *g, const char *type) {
  for (int tries = 0; tries < 20; tries++) {
    const generated_value *v = &g->values[random_below(g->count)];
    if (v->is_final || (type && strcmp(v->type, type) != 0)) continue;
    return v->bound > 1000 && strcmp(v->type, "pred") != 0 ? clamped(g, v) : v;
  }
  return scalar_constant(g, type ? type : "f32", 3);
}

/* A value of the same type and shape, or one broadcast to it. */
static inline const generated_value *pick_like(generator *g, const generated_value *shape) {
  for (int tries = 0; tries < 12; tries++) {
    const generated_value *v = pick(g, shape->type);
    if (v->rank == shape->rank && memcmp(v->dims, shape->dims, (size_t)v->rank * sizeof *v->dims) == 0) return v;
  }
  return shape->rank ? broadcast_to(g, scalar_constant(g, shape->type, random_below(9) - 4), shape)
                     : scalar_constant(g, shape->type, random_below(9) - 4);
}

/* ---- Operations ---- */

static inline void make_binary(generator *g) {
  static const char *const arithmetic[] = {"add", "subtract", "multiply", "maximum", "minimum"}, *const logic[] = {"and", "or", "xor"};
  generated_value lhs = *pick(g, NULL), rhs = *pick_like(g, &lhs);
  bool is_pred = strcmp(lhs.type, "pred") == 0;
  generated_value *v = like(g, &lhs);
  v->bound = lhs.bound * rhs.bound > lhs.bound + rhs.bound ? lhs.bound * rhs.bound : lhs.bound + rhs.bound;
  declare(g, v);
  put(g->text, "%s(%s, %s)\n", is_pred ? logic[random_below(3)] : arithmetic[random_below(5)], lhs.name, rhs.name);
}

static inline void make_unary(generator *g) {
  static const char *const exact[] = {"negate", "abs", "sign"}, *const rounding[] = {"exponential", "tanh", "sine", "logistic", "cbrt"};
  generated_value operand = *pick(g, random_below(3) ? "f32" : "s32");
  bool rounds = strcmp(operand.type, "f32") == 0 && random_below(4) == 0;
  generated_value *v = like(g, &operand);
  v->is_final = rounds;
  declare(g, v);
  put(g->text, "%s(%s)\n", rounds ? rounding[random_below(5)] : exact[random_below(3)], operand.name);
}

static inline void make_compare_select(generator *g) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  generated_value a = *pick(g, random_below(2) ? "f32" : "s32"), b = *pick_like(g, &a), c = *pick_like(g, &a);
  generated_value *p = like(g, &a);
  p->type = "pred", p->bound = 1;
  declare(g, p);
  put(g->text, "compare(%s, %s), direction=%s\n", a.name, b.name, directions[random_below(6)]);
  const char *chooser = random_below(4) ? p->name : scalar_constant(g, "pred", random_below(2))->name;
  generated_value *v = like(g, &a);
  v->bound = b.bound > c.bound ? b.bound : c.bound;
  declare(g, v);
  put(g->text, "select(%s, %s, %s)\n", chooser, b.name, c.name);
}

static inline void make_convert(generator *g) {
  static const char *const types[] = {"f32", "s32", "pred"};
  generated_value operand = *pick(g, NULL);
  generated_value *v = like(g, &operand);
  v->type = types[random_below(3)];
  declare(g, v);
  put(g->text, "convert(%s)\n", operand.name);
}

static inline void make_broadcast(generator *g) {
  generated_value operand = *pick(g, NULL);
  if (operand.rank == GENERATED_RANK) return;
  int place = random_below(operand.rank + 1);
  generated_value *v = like(g, &operand);
  v->rank++;
  for (int d = v->rank - 1; d > place; d--) v->dims[d] = v->dims[d - 1];
  v->dims[place] = 1 + random_below(5);
  declare(g, v);
  put(g->text, "broadcast(%s), dimensions={", operand.name);
  for (int d = 0, kept = 0; d < v->rank; d++)
    if (d != place) put(g->text, "%s%d", kept++ ? "," : "", d);
  put(g->text, "}\n");
}

static inline void make_reshape(generator *g) {
  generated_value operand = *pick(g, NULL);
  int64_t count = elements_of(&operand), first = 1;
  for (int64_t f = 2; f <= count; f++)
    if (count % f == 0 && random_below(2)) first = f;
  generated_value *v = like(g, &operand);
  v->rank = 2, v->dims[0] = first, v->dims[1] = first ? count / first : 0;
  declare(g, v);
  put(g->text, "reshape(%s)\n", operand.name);
}

static inline void make_transpose(generator *g) {
  generated_value operand = *pick(g, NULL);
  int order[GENERATED_RANK] = {0, 1, 2};
  for (int d = 0; d < operand.rank; d++) {
    int other = random_below(operand.rank), kept = order[d];
    order[d] = order[other], order[other] = kept;
  }
  generated_value *v = like(g, &operand);
  for (int d = 0; d < v->rank; d++) v->dims[d] = operand.dims[order[d]];
  declare(g, v);
  put(g->text, "transpose(%s), dimensions={", operand.name);
  for (int d = 0; d < v->rank; d++) put(g->text, "%s%d", d ? "," : "", order[d]);
  put(g->text, "}\n");
}

static inline void make_slice(generator *g) {
  generated_value operand = *pick(g, NULL);
  generated_value *v = like(g, &operand);
  int64_t start[GENERATED_RANK], limit[GENERATED_RANK], stride[GENERATED_RANK];
  for (int d = 0; d < v->rank; d++) {
    start[d] = random_below((int)operand.dims[d] + 1);
    limit[d] = start[d] + random_below((int)(operand.dims[d] - start[d]) + 1);
    if (limit[d] == start[d] && random_below(8)) start[d] = 0, limit[d] = operand.dims[d];
    stride[d] = 1 + random_below(2);
    v->dims[d] = (limit[d] - start[d] + stride[d] - 1) / stride[d];
  }
  declare(g, v);
  put(g->text, "slice(%s), slice={", operand.name);
  for (int d = 0; d < v->rank; d++) put(g->text, "%s[%d:%d:%d]", d ? "," : "", (int)start[d], (int)limit[d], (int)stride[d]);
  put(g->text, "}\n");
}

static inline void make_pad(generator *g) {
  generated_value operand = *pick(g, NULL);
  if (operand.rank == 0) return;
  const generated_value *filler = scalar_constant(g, operand.type, 2);
  generated_value *v = like(g, &operand);
  int low[GENERATED_RANK], high[GENERATED_RANK], interior[GENERATED_RANK];
  for (int d = 0; d < v->rank; d++) {
    interior[d] = random_below(2);
    int64_t size = operand.dims[d] ? operand.dims[d] + (operand.dims[d] - 1) * interior[d] : 0;
    low[d] = random_below(4) - 1, high[d] = random_below(4) - 1;
    if (size + low[d] + high[d] < 0 || size > 8) low[d] = high[d] = interior[d] = 0, size = operand.dims[d];
    v->dims[d] = size + low[d] + high[d];
  }
  declare(g, v);
  put(g->text, "pad(%s, %s), padding=", operand.name, filler->name);
  for (int d = 0; d < v->rank; d++) put(g->text, "%s%d_%d_%d", d ? "x" : "", low[d], high[d], interior[d]);
  put(g->text, "\n");
}

static inline void make_concatenate(generator *g) {
  generated_value a = *pick(g, NULL);
  if (a.rank == 0) return;
  generated_value b = *pick_like(g, &a);
  int d = random_below(a.rank);
  if (a.dims[d] > 6) return;
  generated_value *v = like(g, &a);
  v->dims[d] += b.dims[d];
  v->bound = a.bound > b.bound ? a.bound : b.bound;
  declare(g, v);
  put(g->text, "concatenate(%s, %s), dimensions={%d}\n", a.name, b.name, d);
}

static inline void make_reverse(generator *g) {
  generated_value operand = *pick(g, NULL);
  if (operand.rank == 0) return;
  declare(g, like(g, &operand));
  put(g->text, "reverse(%s), dimensions={%d}\n", operand.name, random_below(operand.rank));
}

static inline void make_reduce(generator *g) {
  static const char *const f32[] = {"add", "maximum", "minimum"}, *const pred[] = {"and", "or", "or"};
  generated_value operand = *pick(g, NULL);
  bool is_pred = strcmp(operand.type, "pred") == 0;
  const char *op = (is_pred ? pred : f32)[random_below(3)];
  int computation = generated_names++;
  put(g->callees, "fold%d { a = %s[] parameter(0) b = %s[] parameter(1) ROOT c = %s[] %s(a, b) }\n", computation, operand.type, operand.type, operand.type, op);
  const generated_value *init = scalar_constant(g, operand.type, random_below(3));
  unsigned folded = (unsigned)random_below(1 << operand.rank);
  generated_value *v = like(g, &operand);
  v->rank = 0;
  for (int d = 0; d < operand.rank; d++)
    if (!(folded >> d & 1)) v->dims[v->rank++] = operand.dims[d];
  v->bound = operand.bound * (double)(elements_of(&operand) + 1) + 3;
  declare(g, v);
  put(g->text, "reduce(%s, %s), dimensions={", operand.name, init->name);
  for (int d = 0, count = 0; d < operand.rank; d++)
    if (folded >> d & 1) put(g->text, "%s%d", count++ ? "," : "", d);
  put(g->text, "}, to_apply=fold%d\n", computation);
}

/* A value times the transpose of one like it. */
static inline void make_dot(generator *g) {
  generated_value lhs = *pick(g, "f32"), rhs;
  if (lhs.rank == 0) return;
  rhs = *pick_like(g, &lhs);
  int contracted = random_below(lhs.rank), batch = lhs.rank == 3 && random_below(2) ? (contracted + 1) % 3 : -1;
  if (batch < 0 && lhs.rank == 3) return;
  generated_value *v = like(g, &lhs);
  v->rank = 0;
  if (batch >= 0) v->dims[v->rank++] = lhs.dims[batch];
  for (int side = 0; side < 2; side++)
    for (int d = 0; d < lhs.rank; d++)
      if (d != contracted && d != batch) v->dims[v->rank++] = lhs.dims[d];
  v->bound = lhs.bound * rhs.bound * (double)(lhs.dims[contracted] + 1);
  declare(g, v);
  put(g->text, "dot(%s, %s), lhs_contracting_dims={%d}, rhs_contracting_dims={%d}", lhs.name, rhs.name, contracted, contracted);
  if (batch >= 0) put(g->text, ", lhs_batch_dims={%d}, rhs_batch_dims={%d}", batch, batch);
  put(g->text, "\n");
}

static inline void make_dynamic_slice(generator *g) {
  generated_value operand = *pick(g, NULL);
  if (operand.rank == 0) return;
  char starts[64] = "";
  generated_value window = operand;
  for (int d = 0; d < operand.rank; d++) {
    sprintf(starts + strlen(starts), ", %s", scalar_constant(g, "s32", random_below(9) - 3)->name);
    window.dims[d] = random_below((int)operand.dims[d] + 1);
  }
  generated_value *v = like(g, &window);
  declare(g, v);
  put(g->text, "dynamic-slice(%s%s), dynamic_slice_sizes={", operand.name, starts);
  for (int d = 0; d < v->rank; d++) put(g->text, "%s%d", d ? "," : "", (int)v->dims[d]);
  put(g->text, "}\n");
  generated_value slice = *v;
  generated_value *updated = like(g, &operand);
  declare(g, updated);
  put(g->text, "dynamic-update-slice(%s, %s%s)\n", operand.name, slice.name, starts);
}

static inline void make_iota(generator *g) {
  generated_value shape = *pick(g, NULL);
  if (shape.rank == 0) return;
  generated_value *v = like(g, &shape);
  v->type = random_below(2) ? "s32" : "f32", v->bound = 10;
  declare(g, v);
  put(g->text, "iota(), iota_dimension=%d\n", random_below(v->rank));
}

static inline void make_instructions(generator *g, int count);

/* A computation of some parameters; the value that it returns is of `shape`, exact and small. */
static inline generated_value write_computation(generator *outer, const char *name, const generated_value *arguments, int argument_count) {
  generator *g = calloc(1, sizeof *g);
  g->text = calloc(1, GENERATED_BYTES);
  g->callees = outer->callees;
  g->depth = outer->depth + 1;
  for (int i = 0; i < argument_count; i++) parameter(g, arguments[i].type, arguments[i].rank, arguments[i].dims)->bound = arguments[i].bound;
  make_instructions(g, 1 + random_below(8));
  generated_value result = *pick_like(g, &arguments[argument_count - 1]);
  if (strcmp(result.type, "pred") != 0) result = *clamped(g, &result);
  put(g->callees, "%s {\n%s  ROOT root%s = %s copy(%s)\n}\n", name, g->text, name, shape_of(&result), result.name);
  free(g->text);
  free(g);
  return result;
}

static inline void make_call(generator *g) {
  if (g->depth >= 2) return;
  generated_value arguments[2] = {*pick(g, NULL), *pick(g, NULL)};
  char name[16];
  sprintf(name, "f%d", generated_names++);
  generated_value result = write_computation(g, name, arguments, 2);
  for (int calls = 1 + random_below(2); calls > 0; calls--) {
    declare(g, like(g, &result));
    put(g->text, "call(%s, %s), to_apply=%s\n", arguments[0].name, arguments[1].name, name);
  }
}

static inline void make_conditional(generator *g) {
  if (g->depth >= 2) return;
  generated_value argument = *pick(g, NULL), index = *pick(g, random_below(2) ? "s32" : "pred");
  if (index.rank) return;
  char first[16], second[16];
  sprintf(first, "f%d", generated_names++);
  sprintf(second, "f%d", generated_names++);
  generated_value result = write_computation(g, first, &argument, 1);
  write_computation(g, second, &argument, 1);
  declare(g, like(g, &result));
  put(g->text, "conditional(%s, %s, %s), ", index.name, argument.name, argument.name);
  if (strcmp(index.type, "pred") == 0) put(g->text, "true_computation=%s, false_computation=%s\n", first, second);
  else put(g->text, "branch_computations={%s, %s}\n", first, second);
}

/* while over (counter, a, b): the body makes a new a, and hands a on as b, or b as a, or neither. */
static inline void make_while(generator *g) {
  if (g->depth >= 2) return;
  generated_value a = *pick(g, NULL), b = *pick_like(g, &a), counter = *scalar_constant(g, "s32", 0);
  int number = generated_names++, form = random_below(3);
  char name[16], tuple[320];
  sprintf(name, "f%d", number);
  a.bound = a.bound > b.bound ? a.bound : b.bound;
  if (a.bound < 8) a.bound = 8;
  b.bound = a.bound;
  generated_value both[2] = {a, b};
  write_computation(g, name, both, 2);
  snprintf(tuple, sizeof tuple, "(s32[], %s, %s)", shape_of(&a), shape_of(&a));
  put(g->callees,
      "body%d {\n  s = %s parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  a = %s get-tuple-element(s), index=1\n"
      "  b = %s get-tuple-element(s), index=2\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n  c = %s call(a, b), to_apply=%s\n"
      "  ROOT t = %s tuple(j, %s)\n}\n",
      number, tuple, shape_of(&a), shape_of(&a), shape_of(&a), name, tuple, form == 0 ? "c, a" : form == 1 ? "b, c" : "c, c");
  put(g->callees, "cond%d {\n  s = %s parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  n = s32[] constant(%d)\n  ROOT p = pred[] compare(i, n), direction=LT\n}\n",
      number, tuple, random_below(5));
  put(g->text, "  s%d = %s tuple(%s, %s, %s)\n  w%d = %s while(s%d), condition=cond%d, body=body%d\n", number, tuple, counter.name, a.name, b.name, number,
      tuple, number, number, number);
  for (int index = 1; index <= 2; index++) {
    declare(g, like(g, &a));
    put(g->text, "get-tuple-element(w%d), index=%d\n", number, index);
  }
}

static inline void make_parameter(generator *g) {
  if (!g->may_add_parameters) return;
  static const char *const types[] = {"f32", "f32", "s32", "pred"};
  int64_t dims[GENERATED_RANK];
  for (int d = 0; d < GENERATED_RANK; d++) dims[d] = random_below(12) ? 1 + random_below(6) : random_below(2) * 37;
  parameter(g, types[random_below(4)], random_below(GENERATED_RANK + 1), dims);
}

static inline void make_instructions(generator *g, int count) {
  static void (*const makers[])(generator *) = {
      make_binary, make_binary, make_binary, make_unary, make_unary, make_compare_select, make_convert, make_broadcast, make_reshape, make_transpose,
      make_slice, make_pad, make_concatenate, make_reverse, make_reduce, make_reduce, make_dot, make_dot, make_dynamic_slice, make_iota,
      make_call, make_conditional, make_while, make_parameter};
  for (int i = 0; i < count && g->count < GENERATED_VALUES - 16; i++) makers[random_below(sizeof makers / sizeof *makers)](g);
}

static inline generator *begin_program(uint64_t seed) {
  random_state = seed * 0x9E3779B97F4A7C15u + 1;
  generated_names = 0;
  generator *g = calloc(1, sizeof *g);
  g->text = calloc(1, GENERATED_BYTES);
  g->callees = calloc(1, GENERATED_BYTES);
  return g;
}

static inline char *end_program(generator *g, uint64_t seed);

/* A whole module; the caller frees it. */
static inline char *random_program(uint64_t seed, int instructions) {
  generator *g = begin_program(seed);
  g->may_add_parameters = true;
  int64_t dims[GENERATED_RANK] = {3, 4, 5};
  parameter(g, "f32", 2, dims);
  parameter(g, "f32", 0, dims);
  parameter(g, "s32", 0, dims);
  make_instructions(g, instructions);
  return end_program(g, seed);
}

/* Some of the values are the results; the generator is freed. */
static inline char *end_program(generator *g, uint64_t seed) {
  char *text = calloc(1, 2 * GENERATED_BYTES), names[GENERATED_BYTES / 8] = "", shapes[GENERATED_BYTES / 8] = "";
  for (int i = 0; i < g->count; i++) {
    if (!g->values[i].is_final && random_below(4)) continue;
    sprintf(names + strlen(names), "%s%s", *names ? ", " : "", g->values[i].name);
    sprintf(shapes + strlen(shapes), "%s%s", *shapes ? ", " : "", shape_of(&g->values[i]));
  }
  put(text, "HloModule random_%llu\n%sENTRY main {\n%s  ROOT root = (%s) tuple(%s)\n}\n", (unsigned long long)seed, g->callees, g->text, shapes, names);
  free(g->text);
  free(g->callees);
  free(g);
  return text;
}

#endif
