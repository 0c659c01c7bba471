/* dot: dimensions of one kind become one dimension with one stride where they can. */
#include "plan/dot_parameters.h"
#include "plan/kernel_table.h"

/* ---- Running ---- */

static const float *side_data(const hlo_dot_side *side, const void *operand, void *scratch) {
  if (!side->copied) return operand;
  void *copy = (char *)scratch + side->copy_offset;
  hlo_strided_copy_simd128(&side->copy, operand, copy);
  return copy;
}

void hlo_dot_run(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const hlo_dot_parameters *p = parameters;
  const float *lhs = side_data(&p->lhs, operands[0], scratch), *rhs = side_data(&p->rhs, operands[1], scratch);
  float *out = result;
  void *product_scratch = scratch ? (char *)scratch + p->product_offset : NULL;
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  for (int64_t b = 0; b < p->batch_count; b++, out += p->out_batch_stride) {
    hlo_f32_dot_simd128(&p->dot, lhs, rhs, out, product_scratch);
    for (int d = p->batch_rank - 1; d >= 0; d--) {
      lhs += p->lhs.batch_strides[d];
      rhs += p->rhs.batch_strides[d];
      if (++index[d] < p->batch_dims[d]) break;
      lhs -= p->lhs.batch_strides[d] * p->batch_dims[d];
      rhs -= p->rhs.batch_strides[d] * p->batch_dims[d];
      index[d] = 0;
    }
  }
}

/* ---- Setting up ---- */

/* Dimensions of an operand in the order in which they are to be run through. */
typedef struct dimensions {
  int count;
  int numbers[HLO_MAX_RANK];
  int64_t size; /* their product */
} dimensions;

/* Some dimensions seen as one. False where no single stride does it. */
static bool merged_stride(const dimensions *dims, const hlo_shape *shape, const int64_t *strides, int64_t *stride) {
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

typedef struct side {
  const hlo_shape *shape;
  dimensions batch, free, contracting;
} side;

static void append(dimensions *dims, const hlo_shape *shape, int64_t number) {
  dims->numbers[dims->count++] = (int)number;
  dims->size *= shape->dims[number];
}

static side side_of(const hlo_shape *shape, hlo_ints batch, hlo_ints contracting) {
  side s = {.shape = shape, .batch = {.size = 1}, .free = {.size = 1}, .contracting = {.size = 1}};
  bool taken[HLO_MAX_RANK] = {false};
  for (int i = 0; i < batch.count; i++) append(&s.batch, shape, batch.data[i]), taken[batch.data[i]] = true;
  for (int i = 0; i < contracting.count; i++) append(&s.contracting, shape, contracting.data[i]), taken[contracting.data[i]] = true;
  for (int d = 0; d < shape->rank; d++)
    if (!taken[d]) append(&s.free, shape, d);
  return s;
}

/* Contracting dimensions may be run through in any order, the same on both sides: that of lhs's memory. */
static void sort_contracting(side *lhs, side *rhs) {
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

/* The copy in the order batch, free, contracting, dense. */
static void plan_copy(const side *s, const int64_t *strides, hlo_dot_side *out) {
  const dimensions *kinds[] = {&s->batch, &s->free, &s->contracting};
  out->copied = true;
  out->copy = (hlo_strided_map){.element_bytes = (int)sizeof(float)};
  for (int kind = 0; kind < 3; kind++)
    for (int i = 0; i < kinds[kind]->count; i++) {
      int d = kinds[kind]->numbers[i];
      out->copy.dims[out->copy.rank] = s->shape->dims[d];
      out->copy.in_strides[out->copy.rank++] = strides[d] * (int64_t)sizeof(float);
    }
  int64_t stride = sizeof(float);
  for (int d = out->copy.rank - 1; d >= 0; d--) {
    out->copy.out_strides[d] = stride;
    stride *= out->copy.dims[d];
  }
  hlo_strided_map_simplify(&out->copy);
}

/* Strides of the free and contracting dimension of one side; of the operand itself or of a copy of it. */
static void plan_side(const side *s, hlo_dot_side *out, int64_t *free_stride, int64_t *contracting_stride) {
  int64_t strides[HLO_MAX_RANK];
  hlo_row_major_strides(s->shape, strides);
  if (merged_stride(&s->free, s->shape, strides, free_stride) &&
      merged_stride(&s->contracting, s->shape, strides, contracting_stride)) {
    for (int i = 0; i < s->batch.count; i++) out->batch_strides[i] = strides[s->batch.numbers[i]];
    return;
  }
  plan_copy(s, strides, out);
  *contracting_stride = 1;
  *free_stride = s->contracting.size;
  int64_t stride = s->contracting.size * s->free.size;
  for (int i = s->batch.count - 1; i >= 0; i--) {
    out->batch_strides[i] = stride;
    stride *= s->shape->dims[s->batch.numbers[i]];
  }
}

/* Places the copies and then the kernel's own scratch; returns the bytes in all. */
static int64_t place_scratch(hlo_dot_parameters *p, const side *lhs, const side *rhs) {
  int64_t bytes = 0;
  const side *sides[] = {lhs, rhs};
  hlo_dot_side *places[] = {&p->lhs, &p->rhs};
  for (int i = 0; i < 2; i++) {
    if (!places[i]->copied) continue;
    places[i]->copy_offset = bytes;
    bytes += hlo_shape_element_count(sides[i]->shape) * (int64_t)sizeof(float);
    bytes = (bytes + HLO_PLACE_ALIGNMENT - 1) / HLO_PLACE_ALIGNMENT * HLO_PLACE_ALIGNMENT;
  }
  p->product_offset = bytes;
  return bytes + (int64_t)hlo_f32_dot_scratch_bytes(&p->dot);
}

bool hlo_setup_dot(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *rhs_shape = hlo_operand(question->computation, instruction, 1)->shape;
  if (rhs_shape->type != HLO_TYPE_F32) return false;
  const hlo_shape *lhs_shape = hlo_operand(question->computation, instruction, 0)->shape;
  hlo_dot_dims dims = hlo_dot_dims_of(instruction, lhs_shape, rhs_shape);
  side lhs = side_of(lhs_shape, dims.lhs_batch, dims.lhs_contracting);
  side rhs = side_of(rhs_shape, dims.rhs_batch, dims.rhs_contracting);
  sort_contracting(&lhs, &rhs);
  hlo_dot_parameters p = {.batch_rank = lhs.batch.count, .batch_count = lhs.batch.size};
  p.dot = (hlo_f32_dot){.m = lhs.free.size, .n = rhs.free.size, .k = lhs.contracting.size,
                        .out_m_stride = rhs.free.size, .out_n_stride = 1};
  plan_side(&lhs, &p.lhs, &p.dot.lhs_m_stride, &p.dot.lhs_k_stride);
  plan_side(&rhs, &p.rhs, &p.dot.rhs_n_stride, &p.dot.rhs_k_stride);
  for (int i = 0; i < p.batch_rank; i++) p.batch_dims[i] = lhs.shape->dims[lhs.batch.numbers[i]];
  p.out_batch_stride = p.dot.m * p.dot.n;
  choice->scratch_bytes = place_scratch(&p, &lhs, &rhs);
  choice->run = hlo_dot_run;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}
