#include "kernels/linear/sparse_product.h"

#include <string.h>

void hlo_sparse_product_run(const hlo_range_call *call, int64_t first, int64_t count) {
  const hlo_sparse_product *p = call->parameters;
  const char *values = call->operands[0], *b = call->operands[3];
  const int32_t *begins = call->operands[1], *columns = call->operands[2];
  const hlo_line_kernels *line = &hlo_line_kernels_of[p->type];
  int bytes = hlo_linear_bytes(p->type);
  int64_t begin = 0;
  for (int64_t r = 0; r < first; r++) begin = begins[r] > begin ? begins[r] : begin;
  for (int64_t r = first; r < first + count; r++) {
    char *to = (char *)call->result + r * p->width * bytes;
    hlo_number sum = {0};
    memset(to, 0, (size_t)(p->width * bytes));
    begin = begins[r] > begin ? begins[r] : begin;
    for (int64_t e = begin; e < begins[r + 1] && e < p->count; e++) {
      if (columns[e] < 0 || columns[e] >= p->height) continue;
      hlo_number value = line->get(values + e * bytes);
      const char *row = b + (int64_t)columns[e] * p->width * bytes;
      if (p->width == 1) sum += hlo_number_product(value, line->get(row));
      else line->combine(p->width, &value, row, 0, 1, to);
    }
    if (p->width == 1) line->set(to, sum);
  }
}
