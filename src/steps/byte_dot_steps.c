/* dot of s8 or u8 into 32 bits: of few rows with a rhs that is read as it lies, of many with quads of bytes or pairs of s16. */
#include "base/alignment.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "kernels/product/batched_dot.h"
#include "kernels/product/byte_dot.h"
#include "kernels/product/dot.h"
#include "kernels/product/product.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/dot_steps.h"
#include "steps/kernel_table.h"
#include "steps/packing.h"

/* With so many rows or columns of the result, making pairs or quads takes longer than multiplying them. */
enum { FEW_OF_PAIRS = HLO_BYTE_ROWS, FEW_OF_QUADS = HLO_PRODUCT_ROWS - 1 };

/* Returns how many elements the contracting dimensions have. */
static int64_t describe_operand(const hlo_shape *shape, const hlo_ints *batch, const hlo_ints *contracting, hlo_byte_dot_operand *operand) {
  hlo_dot_sorted sorted;
  hlo_dot_sort_dimensions(shape, batch, contracting, &sorted);
  *operand = (hlo_byte_dot_operand){.is_signed = shape->type == HLO_TYPE_S8, .batch = sorted.batch.size, .free = sorted.free.size};
  hlo_dot_copy(&sorted, 1, &operand->copy);
  operand->copied = operand->copy.rank > 1 || (operand->copy.rank == 1 && operand->copy.in_strides[0] != 1);
  return operand->k = sorted.contracting.size;
}

/* Has an operand interleaved, if it may be, and sets the strides of its elements. */
static void interleave(hlo_byte_dot_operand *operand, int64_t *free_stride, int64_t *k_stride) {
  if (!operand->copied || !hlo_byte_dot_interleaves(operand)) return;
  operand->copied = false, operand->interleaves = true;
  *free_stride = 1, *k_stride = operand->free;
}

static int64_t few(const hlo_byte_dot *p) { return p->operands[1].width == 4 ? FEW_OF_QUADS : FEW_OF_PAIRS; }

/* Finds the strides of a rhs that few rows read as it lies. Strides of the copied form lead nowhere. */
static void find_strides(const hlo_shape *shape, const hlo_dot_dims *dims, hlo_byte_dot *p) {
  hlo_dot_sorted sorted;
  hlo_dot_operand operand = {0};
  int64_t n_stride, k_stride;
  hlo_dot_sort_dimensions(shape, &dims->rhs_batch, &dims->rhs_contracting, &sorted);
  hlo_dot_plan_operand(&sorted, 1, &operand, &n_stride, &k_stride);
  if (p->dot.m > few(p) || p->operands[0].batch != 1 || operand.copied) return;
  if (p->k == 1) k_stride = 1;
  if (k_stride == 1 || n_stride == 1) p->rhs_k_stride = k_stride, p->rhs_n_stride = n_stride;
}

/* Describes the product of operands that are not interleaved. */
static void describe_product(hlo_byte_dot *p) {
  int64_t n = p->operands[1].free, length = hlo_byte_dot_length(&p->operands[0]);
  p->dot = (hlo_dot){.m = p->operands[0].free, .n = n, .k = length, .lhs_m_stride = length, .lhs_k_stride = 1, .rhs_k_stride = 1,
                     .rhs_n_stride = length, .out_m_stride = n, .out_n_stride = 1, .row_factor = hlo_byte_dot_row_factor(&p->operands[1])};
}

/* Packs the elements of a constant rhs, if there is memory. */
static void pack(const hlo_kernel_question *question, hlo_byte_dot *p, hlo_kernel_choice *choice) {
  p->packed = hlo_pack_byte_dot(question, p);
  if (!p->packed) return;
  choice->operand_count = 1;
  choice->kernel = p->operands[1].width == 4 ? "s8_quads_dot_packed_simd128" : "s16_pairs_dot_packed_simd128";
}

/* Lays out the scratch: see kernels/product/byte_dot.h. */
static void place_scratch(const hlo_kernel_question *question, hlo_byte_dot *p, hlo_kernel_choice *choice) {
  int64_t bytes = 0;
  for (int i = 0; i < 2; i++) { /* operands are copied to the same place, one after the other */
    int64_t copy = p->operands[i].batch * p->operands[i].free * p->k;
    if (p->operands[i].copied && copy > bytes && !(i == 1 && p->rhs_k_stride)) bytes = copy;
  }
  for (int i = 0; i < 2; i++) {
    if (i == 1 && (p->packed || p->rhs_k_stride)) continue;
    bytes = hlo_aligned(bytes);
    p->operands[i].offset = bytes;
    bytes += p->operands[i].batch * p->operands[i].free * p->dot.k * 4;
  }
  choice->scratch_bytes = p->product_offset = hlo_aligned(bytes);
  if (p->rhs_k_stride) return;
  bytes = (int64_t)hlo_dot_scratch_bytes(&p->dot, hlo_byte_dot_type(&p->operands[0]), p->packed != NULL, question->threads);
  choice->scratch_bytes = p->product_offset + bytes;
}

bool hlo_multiplies_bytes(const hlo_kernel_question *question) {
  hlo_type type = question->instruction->shape->type;
  for (int i = 0; i < 2; i++) {
    hlo_type operand = hlo_kernel_operand(question, i)->type;
    if (operand != HLO_TYPE_S8 && operand != HLO_TYPE_U8) return false;
  }
  return type == HLO_TYPE_S32 || type == HLO_TYPE_U32;
}

bool hlo_setup_byte_dot(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shapes[2] = {hlo_kernel_operand(question, 0), hlo_kernel_operand(question, 1)};
  if (!hlo_multiplies_bytes(question)) return false;
  hlo_dot_dims dims = hlo_dot_dims_of(instruction);
  hlo_byte_dot p = {.packed = NULL};
  p.k = describe_operand(shapes[0], &dims.lhs_batch, &dims.lhs_contracting, &p.operands[0]);
  describe_operand(shapes[1], &dims.rhs_batch, &dims.rhs_contracting, &p.operands[1]);
  int64_t m = p.operands[0].free, n = p.operands[1].free;
  if (m == 0 || n == 0 || p.k == 0 || p.operands[0].batch == 0) return false;
  if (hlo_byte_dot_set_width(&p.operands[0], &p.operands[1], p.k)) choice->kernel = "s8_quads_dot_simd128";
  describe_product(&p);
  interleave(&p.operands[1], &p.dot.rhs_n_stride, &p.dot.rhs_k_stride);
  if (m >= HLO_PRODUCT_ROWS) pack(question, &p, choice); /* fewer rows gain nothing from a packed copy, which may be twice as large */
  if (!p.packed) find_strides(shapes[1], &dims, &p);
  if (p.rhs_k_stride) {
    choice->kernel = "byte_rows_dot_simd128";
    p.operands[0].width = 2;
    describe_product(&p);
  } else {
    interleave(&p.operands[0], &p.dot.lhs_m_stride, &p.dot.lhs_k_stride);
  }
  if (!p.packed && !p.rhs_k_stride && (m <= few(&p) || n <= few(&p))) return false;
  place_scratch(question, &p, choice);
  return HLO_RUN(question, choice, hlo_byte_dot_run, p);
}
