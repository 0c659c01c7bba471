/* The first of the `outer` blocks is computed, the others are copies of it. */
#include "kernels/move/count_up.h"

#include <string.h>

#include "kernels/move/strided_copy.h"

enum { IOTA_BLOCK = 1024 };

static void put_number(const hlo_iota_parameters *p, int64_t number, void *out) {
  hlo_scalar_store(p->type, out, 0, hlo_scalar_convert(p->type, HLO_TYPE_S64, (hlo_scalar){.s = number}));
}

/* Fills one line: the numbers that stand there already, plus their count, are those that follow them. */
static void count_up(const hlo_iota_parameters *p, char *out) {
  int bytes = hlo_type_bytes(p->type);
  put_number(p, 0, out);
  for (int64_t done = 1, count; done < p->size; done += count) {
    uint64_t step[2];
    const void *operands[2] = {out, step};
    put_number(p, done, step);
    count = done < IOTA_BLOCK ? done : IOTA_BLOCK;
    if (count > p->size - done) count = p->size - done;
    p->add(operands, 2, out + done * bytes, count);
  }
}

void hlo_iota_run(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const hlo_iota_parameters *p = parameters;
  int bytes = hlo_type_bytes(p->type);
  size_t block = (size_t)(p->size * p->inner * bytes);
  char *out = result;
  if (p->size == 0 || p->outer == 0 || p->inner == 0) return;
  if (p->add) count_up(p, out);
  for (int64_t i = 0; i < p->size && !p->add; i++) {
    uint64_t element[2];
    put_number(p, i, element);
    hlo_fill(out + i * p->inner * bytes, element, bytes, p->inner);
  }
  for (int64_t o = 1; o < p->outer; o++) memcpy(out + (size_t)o * block, out, block);
}
