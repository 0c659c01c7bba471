/* dot: the dimensions of each kind (batch, free, contracting) become one dimension with one stride, where there is such a stride. Else outer free
 * dimensions are treated as a batch for which the other operand is always the same, or the operand is copied first. */
#include "steps/dot_steps.h"

#include "base/alignment.h"
#include "base/checked.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "kernels/product/dot.h"
#include "shape/dims.h"
#include "shape/strides.h"
#include "steps/packing.h"
#include "steps/widened_steps.h"

/* The most multiplications of a product that is divided before it begins; the least rows or columns of a part; and the least multiplications of a product
 * that is made one of several, so that an operand need not be copied. */
enum { MOST_DIVIDED = 1 << 20, LEAST_PART = 16, LEAST_SPLIT = 4096 };

/* Finds the stride of the last dimensions, as many as merge into one. Returns how many do not. */
static int merged_stride(const hlo_dot_dimensions *dims, const hlo_shape *shape, const int64_t *strides, int64_t *stride) {
  bool found = false;
  int64_t expected = 0;
  *stride = 1;
  for (int i = dims->count - 1; i >= 0; i--) {
    int d = dims->numbers[i];
    if (shape->dims[d] == 1) continue;
    if (!found) *stride = strides[d];
    else if (strides[d] != expected) return i + 1;
    expected = strides[d] * shape->dims[d];
    found = true;
  }
  return 0;
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

static void swap_with_previous(int *numbers, int i) {
  int kept = numbers[i];
  numbers[i] = numbers[i - 1];
  numbers[i - 1] = kept;
}

/* Sorts the contracting dimensions of both operands by their order in the memory of one. Returns whether they merge there. */
static bool sort_contracting(hlo_dot_sorted *one, hlo_dot_sorted *other) {
  for (int i = 1; i < one->contracting.count; i++)
    for (int j = i; j > 0 && one->contracting.numbers[j - 1] > one->contracting.numbers[j]; j--) {
      swap_with_previous(one->contracting.numbers, j);
      swap_with_previous(other->contracting.numbers, j);
    }
  int64_t strides[HLO_MAX_RANK], stride;
  hlo_shape_strides(one->shape, strides);
  return merged_stride(&one->contracting, one->shape, strides, &stride) == 0;
}

/* Any order will do that is the same on both sides: the larger operand is copied only where it would be in any order. */
static void order_contracting(hlo_dot_sorted *lhs, hlo_dot_sorted *rhs) {
  bool by_rhs = hlo_shape_element_count(rhs->shape) > hlo_shape_element_count(lhs->shape);
  hlo_dot_sorted *larger = by_rhs ? rhs : lhs, *smaller = by_rhs ? lhs : rhs;
  if (!sort_contracting(larger, smaller)) sort_contracting(smaller, larger);
}

void hlo_dot_copy(const hlo_dot_sorted *s, int bytes, hlo_strided_map *copy) {
  const hlo_dot_dimensions *kinds[] = {&s->batch, &s->free, &s->contracting};
  int64_t strides[HLO_MAX_RANK], stride = hlo_shape_strides(s->shape, strides);
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

void hlo_dot_plan_operand(const hlo_dot_sorted *s, int bytes, hlo_dot_operand *out, int64_t *free_stride, int64_t *contracting_stride) {
  int64_t strides[HLO_MAX_RANK];
  hlo_shape_strides(s->shape, strides);
  if (merged_stride(&s->free, s->shape, strides, free_stride) == 0 &&
      merged_stride(&s->contracting, s->shape, strides, contracting_stride) == 0) {
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

/* Takes the outer free dimensions out of an operand that would have to be copied for them alone, and adds them to the batch. Returns how many they are. */
static int split_free(hlo_dot_sorted *s, const hlo_dot_sorted *other, hlo_batched_dot *p, hlo_dot_operand *operand) {
  int64_t strides[HLO_MAX_RANK], stride;
  hlo_shape_strides(s->shape, strides);
  int outer = merged_stride(&s->contracting, s->shape, strides, &stride) == 0 ? merged_stride(&s->free, s->shape, strides, &stride) : 0;
  hlo_dot_dimensions inner = {.size = 1};
  for (int i = outer; i < s->free.count; i++) append(&inner, s->shape, s->free.numbers[i]);
  if (inner.size < HLO_F32_DOT_PANEL || inner.size * other->free.size * s->contracting.size < LEAST_SPLIT) return 0;
  for (int i = 0; i < outer; i++) {
    int64_t size = s->shape->dims[s->free.numbers[i]];
    operand->batch_strides[p->batch_rank] = strides[s->free.numbers[i]];
    p->batch_dims[p->batch_rank++] = size;
    p->batch_count *= size;
  }
  s->free = inner;
  return outer;
}

/* Places the copies of operands in the scratch; the scratch of the products comes behind them. */
static void place_copies(hlo_batched_dot *p, const hlo_dot_sorted *lhs, const hlo_dot_sorted *rhs) {
  int64_t bytes = 0;
  const hlo_dot_sorted *sorted[] = {lhs, rhs};
  hlo_dot_operand *operands[] = {&p->lhs, &p->rhs};
  for (int i = 0; i < 2; i++) {
    if (!operands[i]->copied) continue;
    operands[i]->copy_offset = bytes;
    bytes += hlo_shape_element_count(sorted[i]->shape) * hlo_dot_bytes(p->type);
    bytes = hlo_aligned(bytes);
  }
  p->product_offset = bytes;
}

/* Divides products that are few and short, and would not be worth sharing one by one, among threads. Small ones stay as they are. */
static void divide_products(const hlo_kernel_question *question, hlo_batched_dot *p) {
  const hlo_dot *dot = &p->dot;
  int64_t side = p->part, parts = hlo_ceil_div(2 * question->threads, p->batch_count);
  if (p->packed || dot->k <= LEAST_PART || side < parts * LEAST_PART || (double)dot->m * (double)dot->n * (double)dot->k > MOST_DIVIDED) return;
  bool by_rows = hlo_dot_longer_side(&p->dot) == &p->dot.m;
  p->part = hlo_ceil_div(hlo_ceil_div(side, parts), LEAST_PART) * LEAST_PART;
  while (side % p->part > 0 && side % p->part < HLO_F32_DOT_PANEL) p->part += LEAST_PART; /* else the last would be computed in another way */
  p->parts = hlo_ceil_div(side, p->part);
  p->lhs_part = by_rows ? p->part * dot->lhs_m_stride : 0;
  p->rhs_part = by_rows ? 0 : p->part * dot->rhs_n_stride;
  p->out_part = p->part * (by_rows ? dot->out_m_stride : dot->out_n_stride);
}

/* Gives the products their scratch, behind the copies. Where there are many products, or short ones, each thread runs some in its own scratch. */
static void place_products(const hlo_kernel_question *question, hlo_batched_dot *p, hlo_kernel_choice *choice) {
  bool packed = p->packed != NULL;
  choice->scratch_bytes = p->product_offset;
  bool are_many = p->batch_count >= 2 * question->threads;
  p->parts = 1;
  p->part = *hlo_dot_longer_side(&p->dot);
  if (question->threads > 1 && !are_many && p->batch_count > 1) divide_products(question, p);
  if (question->threads > 1 && (are_many || p->parts > 1)) {
    int64_t bytes = (int64_t)hlo_dot_scratch_bytes(&p->dot, p->type, packed, 1);
    p->product_bytes = hlo_aligned(bytes + 1); /* at least 1: 0 says that the team shares each product */
    choice->scratch_bytes += p->product_bytes * question->threads;
  } else {
    choice->scratch_bytes += (int64_t)hlo_dot_scratch_bytes(&p->dot, p->type, packed, question->threads);
  }
}

/* Takes the copy of a rhs that is packed instead, the second of the copies, out of the scratch. */
static void leave_rhs(hlo_batched_dot *p) {
  p->product_offset = p->rhs.copy_offset;
  p->rhs.copied = false;
}

bool hlo_dot_choose(const hlo_kernel_question *question, hlo_batched_dot *p, hlo_kernel_choice *choice) {
  static const char *const names[][2] = {[HLO_DOT_F32] = {"f32_dot_simd128", "f32_dot_packed_simd128"},
                                         [HLO_DOT_F64] = {"f64_dot_simd128", "f64_dot_packed_simd128"},
                                         [HLO_DOT_S32] = {"s32_dot_simd128", "s32_dot_packed_simd128"},
                                         [HLO_DOT_S64] = {"s64_dot_simd128", "s64_dot_packed_simd128"}};
  p->packed = hlo_pack_dot(question, p);
  if (p->packed) {
    choice->operand_count = 1;
    if (p->rhs.copied) leave_rhs(p);
  }
  choice->kernel = names[p->type][p->packed != NULL];
  place_products(question, p, choice);
  choice->run_shared = hlo_batched_dot_run;
  choice->resumes = true;
  if (hlo_dot_takes_epilogue(&p->dot)) {
    bool by_rows = p->dot.n > 1 && p->dot.out_n_stride == 1;
    choice->run_with_epilogue = hlo_batched_dot_run_with_epilogue;
    choice->epilogue_width = by_rows ? p->dot.out_m_stride : p->dot.m;
  }
  choice->parameters = HLO_KERNEL_COPY(question, *p);
  return choice->parameters && hlo_widened_wrap(question, choice);
}

bool hlo_setup_dot(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *rhs_shape = hlo_kernel_operand(question, 1);
  const hlo_shape *lhs_shape = hlo_kernel_operand(question, 0);
  hlo_dot_type type;
  if (!hlo_widened_type(question, &type)) return false;
  hlo_dot_dims dims = hlo_dot_dims_of(instruction);
  hlo_dot_sorted lhs, rhs;
  hlo_dot_sort_dimensions(lhs_shape, &dims.lhs_batch, &dims.lhs_contracting, &lhs);
  hlo_dot_sort_dimensions(rhs_shape, &dims.rhs_batch, &dims.rhs_contracting, &rhs);
  order_contracting(&lhs, &rhs);
  hlo_batched_dot p = {.type = type, .batch_rank = lhs.batch.count, .batch_count = lhs.batch.size};
  for (int i = 0; i < p.batch_rank; i++) p.batch_dims[i] = lhs.shape->dims[lhs.batch.numbers[i]];
  int64_t columns = rhs.free.size;
  /* A constant rhs is packed, once. */
  if (!hlo_kernel_is_constant(question, 1) && split_free(&lhs, &rhs, &p, &p.lhs) == 0 && (p.batch_count == 1 || lhs.free.size == 1)) split_free(&rhs, &lhs, &p, &p.rhs);
  p.dot = (hlo_dot){.m = lhs.free.size, .n = rhs.free.size, .k = lhs.contracting.size, .out_m_stride = columns, .out_n_stride = 1};
  hlo_dot_plan_operand(&lhs, hlo_dot_bytes(type), &p.lhs, &p.dot.lhs_m_stride, &p.dot.lhs_k_stride);
  hlo_dot_plan_operand(&rhs, hlo_dot_bytes(type), &p.rhs, &p.dot.rhs_n_stride, &p.dot.rhs_k_stride);
  p.out_batch_stride = p.dot.n < columns ? p.dot.n : p.dot.m * p.dot.n; /* side by side, or one below the other */
  place_copies(&p, &lhs, &rhs);
  return hlo_dot_choose(question, &p, choice);
}
