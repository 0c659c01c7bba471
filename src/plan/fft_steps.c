/* fft: one pass for each dimension. Between passes numbers are double, in scratch. */
#include "base/parts.h"
#include "kernels/fft.h"
#include "plan/kernel_table.h"
#include "reference/box.h"

enum { MOST_PASSES = 3 };

typedef struct fft_parameters {
  int pass_count;
  hlo_fft_pass passes[MOST_PASSES];
  int64_t between, lines; /* doubles of the scratch: that passes hand on; and behind them, of a thread */
} fft_parameters;

typedef struct shared_pass {
  const fft_parameters *p;
  const hlo_fft_pass *pass;
  const void *in;
  void *out;
  double *lines;
} shared_pass;

static void run_part(const void *context, int64_t first, int64_t count, int thread) {
  const shared_pass *s = context;
  hlo_fft_run(s->pass, first, count, s->in, s->out, s->lines + s->p->lines * thread);
}

static void run_fft(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const fft_parameters *p = parameters;
  for (int i = 0; i < p->pass_count; i++) {
    const hlo_fft_pass *pass = &p->passes[i];
    const shared_pass s = {p, pass, i == 0 ? operands[0] : scratch, i == p->pass_count - 1 ? result : scratch, (double *)scratch + p->between};
    hlo_parts_run(team, hlo_fft_batches(pass), 1, (double)pass->outer * (double)pass->length * (double)pass->inner * 10, run_part, &s);
  }
}

static hlo_fft_element element_of(hlo_type type) {
  switch (type) {
  case HLO_TYPE_F32: return HLO_FFT_F32;
  case HLO_TYPE_F64: return HLO_FFT_F64;
  case HLO_TYPE_C64: return HLO_FFT_C64;
  default: return HLO_FFT_C128;
  }
}

/* The real dimension, which is the last one, comes first on the way from real numbers, and last on the way to them. */
static int dimension_of(const fft_parameters *p, int rank, int type, int i) {
  int first = rank - p->pass_count;
  return type != HLO_fft_type_RFFT ? first + i : i == 0 ? rank - 1 : first + i - 1;
}

bool hlo_setup_fft(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *operand = hlo_kernel_operand(question, 0), *result = instruction->shape;
  int type = hlo_instruction_enum(instruction, HLO_ATTR_fft_type, HLO_fft_type_FFT), rank = operand->rank;
  fft_parameters p = {.pass_count = hlo_instruction_ints(instruction, HLO_ATTR_fft_length)->count};
  if (p.pass_count < 1 || p.pass_count > MOST_PASSES || hlo_shape_element_count(operand) == 0 || hlo_shape_element_count(result) == 0) return false;
  int64_t dims[HLO_MAX_RANK];
  for (int d = 0; d < rank; d++) dims[d] = operand->dims[d];
  if (type == HLO_fft_type_RFFT) dims[rank - 1] = result->dims[rank - 1];
  for (int i = 0; i < p.pass_count; i++) {
    hlo_fft_pass *pass = &p.passes[i];
    int along = dimension_of(&p, rank, type, i);
    bool is_real = type >= HLO_fft_type_RFFT && along == rank - 1;
    *pass = (hlo_fft_pass){.outer = hlo_box_count(dims, along), .inner = hlo_box_count(dims + along + 1, rank - along - 1),
                           .inverse = type == HLO_fft_type_IFFT || type == HLO_fft_type_IRFFT,
                           .in = i == 0 ? element_of(operand->type) : HLO_FFT_C128,
                           .out = i == p.pass_count - 1 ? element_of(result->type) : HLO_FFT_C128};
    pass->length = !is_real ? dims[along] : type == HLO_fft_type_RFFT ? operand->dims[along] : result->dims[along];
    int64_t doubles = hlo_fft_table_size(pass->length, is_real);
    double *tables = doubles < 0 ? NULL : hlo_kernel_packing(question, (size_t)doubles * sizeof(double));
    if (!tables) return false;
    hlo_fft_prepare(pass, tables);
    if (hlo_fft_scratch_size(pass) > p.lines) p.lines = hlo_fft_scratch_size(pass);
  }
  if (p.pass_count > 1) p.between = 2 * hlo_box_count(dims, rank);
  choice->scratch_bytes = (p.between + p.lines * question->threads) * (int64_t)sizeof(double);
  return HLO_RUN(question, choice, run_fft, p);
}
