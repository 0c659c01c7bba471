/* dot: dimensions of one kind become one dimension with one stride where they can. */
#include "plan/dot_parameters.h"
#include "plan/widened_steps.h"

/* ---- Running ---- */

static const char *side_data(const hlo_dot_side *side, const void *operand, void *scratch, hlo_team *team) {
  if (!side->copied) return operand;
  void *copy = (char *)scratch + side->copy_offset;
  hlo_strided_copy_shared(&side->copy, operand, copy, team);
  return copy;
}

typedef struct batch {
  const hlo_dot_parameters *parameters;
  const char *lhs, *rhs;
  char *out, *scratch;
  const hlo_finish *finish;
  hlo_team *team; /* of each product */
  int64_t share;  /* products of a unit */
} batch;

static void run_products(void *context, int64_t unit, int thread) {
  const batch *all = context;
  const hlo_dot_parameters *p = all->parameters;
  int bytes = hlo_dot_bytes(p->type);
  int64_t number = unit * all->share, count = p->batch_count - number < all->share ? p->batch_count - number : all->share;
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  const char *lhs = all->lhs, *rhs = all->rhs;
  char *out = all->out + number * p->out_batch_stride * bytes;
  int64_t rest = number;
  for (int d = p->batch_rank - 1; d >= 0 && rest > 0; d--, rest /= p->batch_dims[d + 1]) {
    index[d] = rest % p->batch_dims[d];
    lhs += p->lhs.batch_strides[d] * index[d] * bytes;
    rhs += p->rhs.batch_strides[d] * index[d] * bytes;
  }
  for (int64_t end = number + count; number < end; number++, out += p->out_batch_stride * bytes) {
    hlo_dot_simd128(&p->dot, p->type, lhs, rhs, p->packed != NULL, out, hlo_team_scratch(all->scratch, (size_t)p->product_bytes, thread),
                    (hlo_telling){all->finish, number * p->out_batch_stride, thread}, all->team);
    for (int d = p->batch_rank - 1; d >= 0; d--) {
      lhs += p->lhs.batch_strides[d] * bytes;
      rhs += p->rhs.batch_strides[d] * bytes;
      if (++index[d] < p->batch_dims[d]) break;
      lhs -= p->lhs.batch_strides[d] * p->batch_dims[d] * bytes;
      rhs -= p->rhs.batch_strides[d] * p->batch_dims[d] * bytes;
      index[d] = 0;
    }
  }
}

static void run_telling(const void *parameters, const void *const *operands, void *result, void *scratch, const hlo_finish *finish,
                        hlo_team *team) {
  const hlo_dot_parameters *p = parameters;
  batch all = {.parameters = p, .out = result, .scratch = scratch, .finish = finish, .team = team, .share = p->batch_count};
  all.lhs = side_data(&p->lhs, operands[0], scratch, team);
  all.rhs = p->packed ? p->packed : side_data(&p->rhs, operands[1], scratch, team);
  if (scratch) all.scratch += p->product_offset;
  if (p->batch_count == 0) return;
  double nanoseconds = (double)p->batch_count * hlo_product_nanoseconds(p->dot.m, p->dot.n, p->dot.k, hlo_dot_bytes(p->type));
  if (p->product_bytes > 0) {
    all.team = NULL;
    all.share = hlo_team_share(team, p->batch_count, 1, nanoseconds);
  }
  hlo_team_run(team, hlo_ceil_div(p->batch_count, all.share), nanoseconds, run_products, &all);
}

void hlo_dot_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  run_telling(parameters, operands, result, scratch, NULL, team);
}

/* ---- Setting up ---- */

/* Some dimensions seen as one. False where no single stride does it. */
static bool merged_stride(const hlo_dot_dimensions *dims, const hlo_shape *shape, const int64_t *strides, int64_t *stride) {
  bool found = false;
  int64_t expected = 0;
  *stride = 1;
  for (int i = dims->count - 1; i >= 0; i--) {
    int d = dims->numbers[i];
    if (shape->dims[d] == 1) continue;
    if (!found) *stride = strides[d];
    else if (strides[d] != expected) return false;
    expected = strides[d] * shape->dims[d];
    found = true;
  }
  return true;
}

static void append(hlo_dot_dimensions *dims, const hlo_shape *shape, int64_t number) {
  dims->numbers[dims->count++] = (int)number;
  dims->size *= shape->dims[number];
}

void hlo_dot_sort_dimensions(const hlo_shape *shape, const hlo_ints *batch, const hlo_ints *contracting, hlo_dot_sorted *s) {
  *s = (hlo_dot_sorted){.shape = shape, .batch = {.size = 1}, .free = {.size = 1}, .contracting = {.size = 1}};
  uint32_t taken = hlo_ints_mask(batch) | hlo_ints_mask(contracting);
  for (int i = 0; i < batch->count; i++) append(&s->batch, shape, batch->data[i]);
  for (int i = 0; i < contracting->count; i++) append(&s->contracting, shape, contracting->data[i]);
  for (int d = 0; d < shape->rank; d++)
    if (!(taken >> d & 1)) append(&s->free, shape, d);
}

/* Contracting dimensions may be run through in any order, the same on both sides: that of lhs's memory. */
static void sort_contracting(hlo_dot_sorted *lhs, hlo_dot_sorted *rhs) {
  for (int i = 1; i < lhs->contracting.count; i++)
    for (int j = i; j > 0 && lhs->contracting.numbers[j - 1] > lhs->contracting.numbers[j]; j--) {
      int kept = lhs->contracting.numbers[j];
      lhs->contracting.numbers[j] = lhs->contracting.numbers[j - 1];
      lhs->contracting.numbers[j - 1] = kept;
      kept = rhs->contracting.numbers[j];
      rhs->contracting.numbers[j] = rhs->contracting.numbers[j - 1];
      rhs->contracting.numbers[j - 1] = kept;
    }
}

void hlo_dot_copy(const hlo_dot_sorted *s, int bytes, hlo_strided_map *copy) {
  const hlo_dot_dimensions *kinds[] = {&s->batch, &s->free, &s->contracting};
  int64_t strides[HLO_MAX_RANK], stride = hlo_row_major_strides(s->shape, strides);
  *copy = (hlo_strided_map){.element_bytes = bytes};
  for (int kind = 0; kind < 3; kind++)
    for (int i = 0; i < kinds[kind]->count; i++) {
      int d = kinds[kind]->numbers[i];
      stride = s->shape->dims[d] ? stride / s->shape->dims[d] : 0;
      copy->dims[copy->rank] = s->shape->dims[d];
      copy->in_strides[copy->rank] = strides[d] * bytes;
      copy->out_strides[copy->rank++] = stride * bytes;
    }
  hlo_strided_map_simplify(copy);
}

/* Strides of the free and contracting dimension of one side; of the operand itself or of a copy of it. */
static void plan_side(const hlo_dot_sorted *s, int bytes, hlo_dot_side *out, int64_t *free_stride, int64_t *contracting_stride) {
  int64_t strides[HLO_MAX_RANK];
  hlo_row_major_strides(s->shape, strides);
  if (merged_stride(&s->free, s->shape, strides, free_stride) &&
      merged_stride(&s->contracting, s->shape, strides, contracting_stride)) {
    for (int i = 0; i < s->batch.count; i++) out->batch_strides[i] = strides[s->batch.numbers[i]];
    return;
  }
  out->copied = true;
  hlo_dot_copy(s, bytes, &out->copy);
  *contracting_stride = 1;
  *free_stride = s->contracting.size;
  int64_t stride = s->contracting.size * s->free.size;
  for (int i = s->batch.count - 1; i >= 0; i--) {
    out->batch_strides[i] = stride;
    stride *= s->shape->dims[s->batch.numbers[i]];
  }
}

/* Places the copies and, behind them, the kernel's own scratch. */
static void place_scratch(hlo_dot_parameters *p, const hlo_dot_sorted *lhs, const hlo_dot_sorted *rhs) {
  int64_t bytes = 0;
  const hlo_dot_sorted *sides[] = {lhs, rhs};
  hlo_dot_side *places[] = {&p->lhs, &p->rhs};
  for (int i = 0; i < 2; i++) {
    if (!places[i]->copied) continue;
    places[i]->copy_offset = bytes;
    bytes += hlo_shape_element_count(sides[i]->shape) * hlo_dot_bytes(p->type);
    bytes = hlo_place_aligned(bytes);
  }
  p->product_offset = bytes;
}

/* The scratch behind the copies; many products are shared out whole. */
static void place_products(const hlo_kernel_question *question, hlo_dot_parameters *p, hlo_kernel_choice *choice) {
  bool packed = p->packed != NULL;
  choice->scratch_bytes = p->product_offset;
  if (question->threads > 1 && p->batch_count >= 2 * question->threads) {
    int64_t bytes = (int64_t)hlo_dot_scratch_bytes(&p->dot, p->type, packed, 1);
    p->product_bytes = hlo_place_aligned(bytes + 1);
    choice->scratch_bytes += p->product_bytes * question->threads;
  } else {
    choice->scratch_bytes += (int64_t)hlo_dot_scratch_bytes(&p->dot, p->type, packed, question->threads);
  }
}

static void pack(const hlo_kernel_question *question, hlo_dot_parameters *p, hlo_kernel_choice *choice) {
  size_t bytes = p->batch_count == 1 && !p->rhs.copied ? hlo_dot_packed_bytes(&p->dot, p->type) : 0;
  hlo_arena arena;
  hlo_arena_init(&arena);
  const void *constant = bytes ? hlo_widened_constant(question, 1, &arena) : NULL;
  void *packed = constant ? hlo_kernel_packing(question, bytes) : NULL;
  if (packed) {
    hlo_dot_pack_rhs(&p->dot, p->type, constant, packed);
    p->packed = packed;
    choice->operand_count = 1;
  }
  hlo_arena_free(&arena);
}

bool hlo_dot_finish(const hlo_kernel_question *question, hlo_dot_parameters *p, hlo_kernel_choice *choice) {
  static const char *const names[][2] = {[HLO_DOT_F32] = {"f32_dot_simd128", "f32_dot_packed_simd128"},
                                         [HLO_DOT_F64] = {"f64_dot_simd128", "f64_dot_packed_simd128"},
                                         [HLO_DOT_S32] = {"s32_dot_simd128", "s32_dot_packed_simd128"}};
  pack(question, p, choice);
  choice->kernel = names[p->type][p->packed != NULL];
  place_products(question, p, choice);
  choice->run_shared = hlo_dot_run;
  if (hlo_dot_is_finished_in_parts(&p->dot)) {
    bool by_rows = p->dot.n > 1 && p->dot.out_n_stride == 1;
    choice->run_telling = run_telling;
    choice->told_width = by_rows ? p->dot.n : p->dot.m;
  }
  choice->parameters = HLO_KEEP(question, *p);
  return choice->parameters && hlo_widened_finish(question, choice);
}

bool hlo_setup_dot(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *rhs_shape = hlo_kernel_operand(question, 1);
  const hlo_shape *lhs_shape = hlo_kernel_operand(question, 0);
  hlo_dot_type type;
  if (!hlo_widened_type(question, &type)) return false;
  hlo_dot_dims dims = hlo_dot_dims_of(instruction, lhs_shape, rhs_shape);
  hlo_dot_sorted lhs, rhs;
  hlo_dot_sort_dimensions(lhs_shape, &dims.lhs_batch, &dims.lhs_contracting, &lhs);
  hlo_dot_sort_dimensions(rhs_shape, &dims.rhs_batch, &dims.rhs_contracting, &rhs);
  sort_contracting(&lhs, &rhs);
  hlo_dot_parameters p = {.type = type, .batch_rank = lhs.batch.count, .batch_count = lhs.batch.size};
  p.dot = (hlo_dot){.m = lhs.free.size, .n = rhs.free.size, .k = lhs.contracting.size,
                        .out_m_stride = rhs.free.size, .out_n_stride = 1};
  plan_side(&lhs, hlo_dot_bytes(type), &p.lhs, &p.dot.lhs_m_stride, &p.dot.lhs_k_stride);
  plan_side(&rhs, hlo_dot_bytes(type), &p.rhs, &p.dot.rhs_n_stride, &p.dot.rhs_k_stride);
  for (int i = 0; i < p.batch_rank; i++) p.batch_dims[i] = lhs.shape->dims[lhs.batch.numbers[i]];
  p.out_batch_stride = p.dot.m * p.dot.n;
  place_scratch(&p, &lhs, &rhs);
  return hlo_dot_finish(question, &p, choice);
}
