/* reduce with any computation of element-wise ops, over one array or several: results side by side are folded at once, each in the
 * order of its elements. Where there are few results, the elements are folded in segments, if trial shows that this is the same. */
#include <math.h>
#include <string.h>

#include "kernels/strided_copy.h"
#include "plan/applied_program.h"

enum { MOST_PARTS = 4, TILE = 64, SEGMENTS = 64, SHORTEST = 512, FEW = 32, FEWEST_COLUMNS = 16, LARGEST = 8 };

typedef struct fold_parameters {
  hlo_applied_program program;
  int parts, bytes[MOST_PARTS];
  int64_t outer, reduced, inner;
  bool segments;
  int64_t tiles, partials; /* in the scratch, behind that of the program */
} fold_parameters;

typedef struct fold {
  const fold_parameters *p;
  char *scratch;
} fold;

/* ---- Running ---- */

/* acc = f(acc, row) for `count` rows of `width` results, `step` elements apart. */
static void fold_rows(const fold *f, void *const *acc, const char *const *rows, int64_t step, int64_t count, int64_t width) {
  const fold_parameters *p = f->p;
  const void *parameters[2 * MOST_PARTS];
  for (int64_t r = 0; r < count; r++) {
    for (int i = 0; i < p->parts; i++) {
      parameters[i] = acc[i];
      parameters[p->parts + i] = rows[i] + r * step * p->bytes[i];
    }
    hlo_applied_program_run(&p->program, parameters, 0, acc, width, f->scratch);
  }
}

/* Begins with the inits, or else with the first row itself; returns how many rows that took. */
static int begin(const fold *f, const void *const *inits, void *const *acc, const char *const *rows, int64_t width) {
  for (int i = 0; i < f->p->parts; i++) {
    if (inits) hlo_fill(acc[i], inits[i], f->p->bytes[i], width);
    else memcpy(acc[i], rows[i], (size_t)(width * f->p->bytes[i]));
  }
  return inits == NULL;
}

/* Up to TILE lines of `reduced` x `inner` elements: turned in tiles, so that what is folded at once is side by side. */
static void fold_lines(const fold *f, const void *const *inits, void *const *acc, const char *const *in, int64_t line_step, int64_t lines,
                       int64_t reduced) {
  const fold_parameters *p = f->p;
  int64_t width = lines * p->inner;
  for (int64_t r = 0; r < reduced; r += TILE) {
    int64_t rows = reduced - r < TILE ? reduced - r : TILE;
    const char *tile[MOST_PARTS];
    for (int i = 0; i < p->parts; i++) {
      int64_t bytes = p->bytes[i];
      hlo_strided_map map = {.rank = 3, .element_bytes = (int)bytes, .dims = {rows, lines, p->inner},
                             .in_strides = {p->inner * bytes, line_step * bytes, bytes},
                             .out_strides = {width * bytes, p->inner * bytes, bytes}};
      char *out = f->scratch + p->tiles + i * TILE * TILE * LARGEST;
      hlo_strided_map_simplify(&map);
      hlo_strided_copy_simd128(&map, in[i] + r * p->inner * bytes, out);
      tile[i] = out;
    }
    int64_t done = r == 0 ? begin(f, inits, acc, tile, width) : 0;
    for (int i = 0; i < p->parts; i++) tile[i] += done * width * p->bytes[i];
    fold_rows(f, acc, tile, width, rows - done, width);
  }
}

/* One block of `reduced` x `inner` elements, in segments and then segment after segment. */
static void fold_segments(const fold *f, const void *const *inits, void *const *acc, const char *const *in) {
  const fold_parameters *p = f->p;
  int64_t length = p->reduced / SEGMENTS;
  void *partials[MOST_PARTS];
  const char *rows[MOST_PARTS], *rest[MOST_PARTS];
  for (int i = 0; i < p->parts; i++) {
    rows[i] = partials[i] = f->scratch + p->partials + i * TILE * FEW * LARGEST;
    rest[i] = in[i] + SEGMENTS * length * p->inner * p->bytes[i];
  }
  int64_t lines = TILE / p->inner;
  for (int64_t s = 0; s < SEGMENTS; s += lines) {
    const char *from[MOST_PARTS];
    void *to[MOST_PARTS];
    for (int i = 0; i < p->parts; i++) {
      from[i] = in[i] + s * length * p->inner * p->bytes[i];
      to[i] = (char *)partials[i] + s * p->inner * p->bytes[i];
    }
    fold_lines(f, NULL, to, from, length * p->inner, SEGMENTS - s < lines ? SEGMENTS - s : lines, length);
  }
  begin(f, inits, acc, rows, p->inner);
  fold_rows(f, acc, rows, p->inner, SEGMENTS, p->inner);
  fold_rows(f, acc, rest, p->inner, p->reduced - SEGMENTS * length, p->inner);
}

static bool is_by_columns(const fold_parameters *p) { return p->inner >= FEWEST_COLUMNS; }
static int64_t lines_at_once(const fold_parameters *p) { return is_by_columns(p) || p->segments ? 1 : TILE / p->inner; }
static int64_t column_blocks(const fold_parameters *p) { return hlo_ceil_div(p->inner, HLO_APPLIED_BLOCK); }

/* Operands are arrays, then inits, then the results after the first. */
static void fold_some(const hlo_part_call *call, int64_t first, int64_t some) {
  const fold_parameters *p = call->parameters;
  const void *const *operands = call->operands, *const *inits = operands + p->parts;
  fold f = {p, call->scratch};
  bool by_columns = is_by_columns(p);
  int64_t lines = lines_at_once(p), blocks = column_blocks(p);
  for (int64_t n = first; n < first + some; n++) {
    int64_t o = n / blocks * lines, c = n % blocks * HLO_APPLIED_BLOCK;
    int64_t columns = p->inner - c < HLO_APPLIED_BLOCK ? p->inner - c : HLO_APPLIED_BLOCK;
    int64_t count = p->outer - o < lines ? p->outer - o : lines;
    const char *in[MOST_PARTS];
    void *acc[MOST_PARTS];
    for (int i = 0; i < p->parts; i++) {
      in[i] = (const char *)operands[i] + (o * p->reduced * p->inner + c) * p->bytes[i];
      acc[i] = (char *)(i == 0 ? call->result : (void *)operands[2 * p->parts + i - 1]) + (o * p->inner + c) * p->bytes[i];
    }
    if (by_columns || p->reduced == 0) {
      begin(&f, inits, acc, in, by_columns ? columns : count * p->inner);
      fold_rows(&f, acc, in, p->inner, p->reduced, columns);
    } else if (p->segments) {
      fold_segments(&f, inits, acc, in);
    } else {
      fold_lines(&f, inits, acc, in, p->reduced * p->inner, count, p->reduced);
    }
  }
}

/* ---- Setting up ---- */

/* Splits the dimensions; false where those that are reduced do not follow each other. */
static bool split(const hlo_shape *shape, uint32_t dimensions, fold_parameters *p) {
  p->outer = p->reduced = p->inner = 1;
  int part = 0; /* outer, reduced, inner */
  for (int d = 0; d < shape->rank; d++) {
    bool reduces = dimensions >> d & 1;
    if (shape->dims[d] == 1) continue;
    if (reduces && part == 0) part = 1;
    if (!reduces && part == 1) part = 2;
    if (reduces && part == 2) return false;
    *(part == 0 ? &p->outer : part == 1 ? &p->reduced : &p->inner) *= shape->dims[d];
  }
  return true;
}

/* What values can be to each other, for a computation that does nothing but compare and choose. */
static int trial_value(hlo_type type, int number, void *out) {
  static const double floats[] = {-0.0, 0.0, 1, 2, NAN};
  bool is_float = hlo_type_is_float(type);
  hlo_scalar value = {.u = (uint64_t)number};
  if (is_float) value = (hlo_scalar){.f = floats[number]};
  hlo_scalar_store(type, out, 0, value);
  return is_float ? 5 : type == HLO_TYPE_PRED ? 2 : 3;
}

typedef struct cell {
  _Alignas(8) char parts[2][LARGEST];
} cell;

/* f(a, b) of one cell each. */
static cell combined(const fold_parameters *p, const cell *a, const cell *b, char *scratch) {
  cell made;
  const void *parameters[4];
  void *results[2] = {made.parts[0], made.parts[1]};
  for (int i = 0; i < p->parts; i++) {
    parameters[i] = a->parts[i];
    parameters[p->parts + i] = b->parts[i];
  }
  hlo_applied_program_run(&p->program, parameters, 0, results, 1, scratch);
  return made;
}

/* f(f(a, b), c) = f(a, f(b, c)) for all such values of one or two parts. */
static bool is_associative(const fold_parameters *p, const hlo_type *types, char *scratch) {
  int counts[2] = {1, 1}, all = 1;
  cell cells[3];
  if (!p->program.chooses || p->parts > 2) return false;
  for (int i = 0; i < p->parts; i++) all *= counts[i] = trial_value(types[i], 0, cells[0].parts[i]);
  for (int trial = 0; trial < all * all * all; trial++) {
    for (int n = 0, rest = trial; n < 3; n++, rest /= all)
      for (int i = 0, number = rest % all; i < p->parts; i++, number /= counts[0])
        trial_value(types[i], number % counts[i], cells[n].parts[i]);
    cell left = combined(p, &cells[0], &cells[1], scratch), right = combined(p, &cells[1], &cells[2], scratch);
    left = combined(p, &left, &cells[2], scratch);
    right = combined(p, &cells[0], &right, scratch);
    for (int i = 0; i < p->parts; i++)
      if (memcmp(left.parts[i], right.parts[i], (size_t)p->bytes[i]) != 0) return false;
  }
  return true;
}

/* Whether segments pay, and give the same. */
static bool takes_segments(const hlo_kernel_question *question, const fold_parameters *p, const hlo_type *types) {
  if (p->outer * p->inner >= FEW || p->reduced < SHORTEST) return false;
  hlo_arena arena;
  hlo_arena_init(&arena);
  char *scratch = hlo_arena_alloc(&arena, hlo_applied_program_scratch_bytes(&p->program), question->status);
  bool pays = scratch && is_associative(p, types, scratch);
  hlo_arena_free(&arena);
  return pays;
}

bool hlo_setup_fold(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_computation *computation = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  const hlo_shape *first = hlo_kernel_operand(question, 0);
  fold_parameters p = {.parts = instruction->operand_count / 2};
  hlo_type types[MOST_PARTS];
  if (p.parts < 1 || p.parts > MOST_PARTS || !hlo_applied_program_make(question, computation, &p.program)) return false;
  hlo_opcode opcode; /* sums of real and complex numbers are not to be rounded element by element */
  bool is_sum = !hlo_type_is_integral(first->type) && hlo_computation_is_binary_op(computation, &opcode) && opcode == HLO_OP_ADD;
  if (is_sum || p.program.result_count != p.parts ||
      !split(first, hlo_ints_mask(hlo_instruction_ints(instruction, HLO_ATTR_dimensions)), &p))
    return false;
  for (int i = 0; i < p.parts; i++) {
    types[i] = hlo_kernel_operand(question, i)->type;
    p.bytes[i] = hlo_type_bytes(types[i]);
    hlo_type result = hlo_shape_leaf(hlo_computation_root(computation)->shape, i)->type;
    hlo_type init = hlo_kernel_operand(question, p.parts + i)->type;
    if (result != types[i] || init != types[i] || hlo_shape_leaf(instruction->shape, i)->type != types[i]) return false;
    for (int n = 0; n < 2; n++)
      if (hlo_instruction_at(computation, computation->parameters[n * p.parts + i])->shape->type != types[i]) return false;
  }
  p.segments = takes_segments(question, &p, types);
  if (p.segments) choice->kernel = "fold_in_segments";
  p.tiles = (int64_t)hlo_applied_program_scratch_bytes(&p.program);
  p.partials = p.tiles + p.parts * TILE * TILE * LARGEST;
  int64_t units = p.inner ? hlo_ceil_div(p.outer, lines_at_once(&p)) * column_blocks(&p) : 0;
  return HLO_RUN_PARTED(question, choice, p, .run = fold_some, .count = units, .step = 1,
                        .nanoseconds = (double)p.outer * (double)p.reduced * (double)p.inner * p.parts,
                        .scratch_bytes = p.partials + p.parts * TILE * FEW * LARGEST);
}
