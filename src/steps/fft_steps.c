/* fft: one pass for each transformed dimension. Between passes, numbers are in the scratch, in the precision of the elements.
 * Part of webhlo-linear.wasm (side/linear_side.h). */
#include "base/checked.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/fft/fft.h"
#include "kernels/fft/fft_run.h"
#include "shape/box.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

static hlo_fft_element element_of(hlo_type type) {
  switch (type) {
  case HLO_TYPE_F32: return HLO_FFT_F32;
  case HLO_TYPE_F64: return HLO_FFT_F64;
  case HLO_TYPE_C64: return HLO_FFT_C64;
  default: return HLO_FFT_C128;
  }
}

/* Returns the dimension that pass i transforms. The last dimension has the real lines: it comes first for RFFT, and last for IRFFT. */
static int dimension_of(const hlo_fft_parameters *p, int rank, int type, int i) {
  int first = rank - p->pass_count;
  if (type != HLO_fft_type_RFFT) return first + i;
  return i == 0 ? rank - 1 : first + i - 1;
}

static int64_t largest(int64_t a, int64_t b) { return a > b ? a : b; }

bool hlo_setup_fft(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *operand = hlo_kernel_operand(question, 0), *result = instruction->shape;
  int type = hlo_instruction_enum(instruction, HLO_ATTR_fft_type, HLO_fft_type_FFT), rank = operand->rank;
  hlo_fft_parameters p = {.pass_count = hlo_instruction_ints(instruction, HLO_ATTR_fft_length)->count};
  if (p.pass_count < 1 || p.pass_count > HLO_FFT_MAX_PASSES) return false;
  if (hlo_shape_element_count(operand) == 0 || hlo_shape_element_count(result) == 0) return false;
  hlo_fft_element between = operand->type == HLO_TYPE_F32 || operand->type == HLO_TYPE_C64 ? HLO_FFT_C64 : HLO_FFT_C128;
  int64_t dims[HLO_MAX_RANK]; /* of the complex array */
  for (int d = 0; d < rank; d++) dims[d] = operand->dims[d];
  if (type == HLO_fft_type_RFFT) dims[rank - 1] = result->dims[rank - 1];
  for (int i = 0; i < p.pass_count; i++) {
    hlo_fft_pass *pass = &p.passes[i];
    int along = dimension_of(&p, rank, type, i);
    bool is_real = type >= HLO_fft_type_RFFT && along == rank - 1;
    *pass = (hlo_fft_pass){.outer = hlo_box_count(dims, along), .inner = hlo_box_count(dims + along + 1, rank - along - 1),
                           .inverse = type == HLO_fft_type_IFFT || type == HLO_fft_type_IRFFT,
                           .in = i == 0 ? element_of(operand->type) : between,
                           .out = i == p.pass_count - 1 ? element_of(result->type) : between};
    pass->length = !is_real ? dims[along] : type == HLO_fft_type_RFFT ? operand->dims[along] : result->dims[along];
    int64_t doubles = hlo_fft_table_size(pass->length, is_real);
    double *tables = doubles < 0 ? NULL : hlo_kernel_packing(question, (size_t)doubles * sizeof(double));
    if (!tables) return false;
    hlo_fft_prepare(pass, tables);
    p.thread_size = largest(p.thread_size, hlo_fft_scratch_size(pass));
  }
  if (p.pass_count > 1) p.between_size = (between == HLO_FFT_C64 ? 1 : 2) * hlo_ceil_div(hlo_box_count(dims, rank), 8) * 8;
  choice->scratch_bytes = (p.between_size + p.thread_size * question->threads) * (int64_t)sizeof(double);
  choice->resumes = true;
  return HLO_RUN(question, choice, hlo_fft_passes_run, p);
}
