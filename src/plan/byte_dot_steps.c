/* dot of s8 or u8 into 32 bits: both sides become rows of s16, so that one instruction multiplies and adds pairs of them.
 * Scratch: [bytes in the order batch, free, contracting][lhs in pairs][rhs in pairs][that of the product]. */
#include "infer/infer.h"
#include "kernels/widen.h"
#include "plan/dot_parameters.h"

enum { FEW_ROWS = 16 }; /* for which making pairs of a matrix takes longer than multiplying it */

typedef struct byte_side {
  bool is_signed, copied;
  hlo_strided_map copy; /* to the order batch, free, contracting */
  int64_t batch, free;
  int64_t pairs_offset; /* in the scratch */
} byte_side;

typedef struct byte_dot {
  byte_side sides[2];
  int64_t k;
  hlo_dot dot; /* of pairs */
  const void *packed; /* rhs, a constant; else NULL */
  int64_t product_offset;
} byte_dot;

static void make_pairs(const byte_dot *p, const byte_side *side, const void *operand, char *bytes, void *pairs) {
  if (side->copied) hlo_strided_copy_simd128(&side->copy, operand, bytes);
  hlo_widen_byte_rows_simd128(side->copied ? bytes : operand, side->is_signed, side->batch * side->free, p->k, pairs);
}

static void run_byte_dot(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const byte_dot *p = parameters;
  char *memory = scratch, *pairs[2];
  for (int i = 0; i < 2; i++) {
    pairs[i] = memory + p->sides[i].pairs_offset;
    if (i == 0 || !p->packed) make_pairs(p, &p->sides[i], operands[i], memory, pairs[i]);
  }
  for (int64_t b = 0; b < p->sides[0].batch; b++) {
    const void *rhs = p->packed ? p->packed : pairs[1] + b * p->dot.n * p->dot.k * 4;
    hlo_dot_simd128(&p->dot, HLO_DOT_S16_PAIRS, pairs[0] + b * p->dot.m * p->dot.k * 4, rhs, p->packed != NULL,
                    (char *)result + b * p->dot.m * p->dot.n * 4, memory + p->product_offset, (hlo_telling){0}, team);
  }
}

/* Returns the size of what is contracted. */
static int64_t describe_side(const hlo_shape *shape, const hlo_ints *batch, const hlo_ints *contracting, byte_side *side) {
  hlo_dot_sorted sorted;
  hlo_dot_sort_dimensions(shape, batch, contracting, &sorted);
  *side = (byte_side){.is_signed = shape->type == HLO_TYPE_S8, .batch = sorted.batch.size, .free = sorted.free.size};
  hlo_dot_copy(&sorted, 1, &side->copy);
  side->copied = side->copy.rank > 1 || (side->copy.rank == 1 && side->copy.in_strides[0] != 1);
  return sorted.contracting.size;
}

static void pack(const hlo_kernel_question *question, byte_dot *p, hlo_kernel_choice *choice) {
  const void *constant = p->sides[0].batch == 1 ? hlo_kernel_constant(question, 1) : NULL;
  size_t bytes = constant ? hlo_dot_packed_bytes(&p->dot, HLO_DOT_S16_PAIRS) : 0;
  void *packed = hlo_kernel_packing(question, bytes);
  if (!packed) return;
  hlo_arena arena;
  hlo_status status = {0};
  hlo_arena_init(&arena);
  void *copy = hlo_arena_alloc(&arena, (size_t)(p->dot.n * p->k), &status);
  void *pairs = hlo_arena_alloc(&arena, (size_t)(p->dot.n * p->dot.k * 4), &status);
  if (copy && pairs) {
    make_pairs(p, &p->sides[1], constant, copy, pairs);
    hlo_dot_pack_rhs(&p->dot, HLO_DOT_S16_PAIRS, pairs, packed);
    p->packed = packed;
    choice->operand_count = 1;
    choice->kernel = "s16_pairs_dot_packed_simd128";
  }
  hlo_arena_free(&arena);
}

bool hlo_setup_byte_dot(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shapes[2];
  if (instruction->shape->type != HLO_TYPE_S32 && instruction->shape->type != HLO_TYPE_U32) return false;
  for (int i = 0; i < 2; i++) {
    shapes[i] = hlo_kernel_operand(question, i);
    if (shapes[i]->type != HLO_TYPE_S8 && shapes[i]->type != HLO_TYPE_U8) return false;
  }
  hlo_dot_dims dims = hlo_dot_dims_of(instruction, shapes[0], shapes[1]);
  byte_dot p = {.packed = NULL};
  p.k = describe_side(shapes[0], &dims.lhs_batch, &dims.lhs_contracting, &p.sides[0]);
  describe_side(shapes[1], &dims.rhs_batch, &dims.rhs_contracting, &p.sides[1]);
  int64_t m = p.sides[0].free, n = p.sides[1].free;
  if (m == 0 || n == 0 || p.k == 0 || p.sides[0].batch == 0) return false;
  int64_t pairs = (p.k + 1) / 2;
  p.dot = (hlo_dot){.m = m, .n = n, .k = pairs, .lhs_m_stride = pairs, .lhs_k_stride = 1, .rhs_k_stride = 1, .rhs_n_stride = pairs,
                    .out_m_stride = n, .out_n_stride = 1};
  pack(question, &p, choice);
  if (!p.packed && (m <= FEW_ROWS || n <= FEW_ROWS)) return false;
  for (int i = 0; i < 2; i++) {
    int64_t bytes = p.sides[i].batch * p.sides[i].free * p.k;
    if (p.sides[i].copied && bytes > choice->scratch_bytes) choice->scratch_bytes = bytes;
  }
  for (int i = 0; i < 2 - (p.packed != NULL); i++) {
    choice->scratch_bytes = hlo_place_aligned(choice->scratch_bytes);
    p.sides[i].pairs_offset = choice->scratch_bytes;
    choice->scratch_bytes += p.sides[i].batch * p.sides[i].free * pairs * 4;
  }
  p.product_offset = hlo_place_aligned(choice->scratch_bytes);
  choice->scratch_bytes = p.product_offset + (int64_t)hlo_dot_scratch_bytes(&p.dot, HLO_DOT_S16_PAIRS, p.packed != NULL, question->threads);
  return HLO_RUN(question, choice, run_byte_dot, p);
}
