#include "kernels/product/widened_run.h"

#include "base/ranges.h"
#include "base/team.h"

typedef struct conversion {
  hlo_widen_kernel *kernel;
  const char *in;
  char *out;
  int in_bytes, out_bytes; /* of an element */
  int64_t count;
} conversion;

static void convert_part(const void *context, int64_t first, int64_t count, int thread) {
  const conversion *c = context;
  c->kernel(c->in + first * c->in_bytes, count, c->out + first * c->out_bytes);
}

static void convert(conversion c, hlo_team *team) { hlo_ranges_run(team, c.count, 64, (double)c.count / 2, convert_part, &c); }

/* Sets wide[i] to operand i as the wide step reads it; NULL where it has none. */
static void widen(const hlo_widened_step *w, const void *const *operands, char *memory, const void **wide, hlo_team *team) {
  wide[0] = operands[0], wide[1] = NULL;
  for (int i = 0; i < 2; i++) {
    if (w->counts[i] < 0) continue;
    wide[i] = w->widen[i] ? memory + w->offsets[i] : operands[i];
    if (w->widen[i])
      convert((conversion){w->widen[i], operands[i], memory + w->offsets[i], w->bytes[i], w->wide_bytes, w->counts[i]}, team);
  }
  for (int i = 1; i <= w->passed; i++) wide[i] = operands[i];
}

void hlo_widened_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_widened_step *w = parameters;
  char nothing[16], *memory = scratch ? scratch : nothing; /* without a scratch, what is widened is empty */
  const void *wide[HLO_WIDENED_OPERANDS];
  widen(w, operands, memory, wide, team);
  w->run(w->parameters, wide, w->narrow ? memory + w->offsets[2] : result, memory + w->scratch_offset, team);
  if (w->narrow) convert((conversion){w->narrow, memory + w->offsets[2], result, w->wide_bytes, w->bytes[2], w->counts[2]}, team);
}

void hlo_widened_run_with_epilogue(const void *parameters, const void *const *operands, void *result, void *scratch,
                                   const hlo_epilogue *epilogue, hlo_team *team) {
  const hlo_widened_step *w = parameters;
  char nothing[16], *memory = scratch ? scratch : nothing;
  const void *wide[HLO_WIDENED_OPERANDS];
  widen(w, operands, memory, wide, team);
  w->run_with_epilogue(w->parameters, wide, result, memory + w->scratch_offset, epilogue, team);
}
