#include "loops/fused_epilogue.h"

#include "base/team.h"
#include "loops/fused_loop.h"

/* Runs the loop over a region of the product. The loop's rows may have another width than the product's: where the region is no
 * rectangle of the loop's rows, each run is cut where rows end. */
void hlo_loop_epilogue_run(const hlo_epilogue *epilogue, int64_t offset, int64_t rows, int64_t row_stride, int64_t columns, int thread) {
  const hlo_fused_loop_call *call = &((const hlo_loop_epilogue *)epilogue)->call;
  int64_t width = call->step->loop.width, row = offset / width, column = offset - row * width;
  if (column + columns <= width && (row_stride == width || rows == 1)) {
    hlo_fused_loop_call_part(call, (hlo_fused_region){row, rows, column, columns}, thread);
    return;
  }
  for (int64_t r = 0; r < rows; r++, offset += row_stride)
    for (int64_t done = 0, count; done < columns; done += count) {
      int64_t at = offset + done, left = columns - done;
      column = at % width;
      bool whole_rows = column == 0 && left >= width;
      count = whole_rows ? left / width * width : left < width - column ? left : width - column;
      hlo_fused_region region = {.row = at / width, .rows = 1, .column = column, .columns = count};
      if (whole_rows) region.rows = count / width, region.columns = width;
      hlo_fused_loop_call_part(call, region, thread);
    }
}

static void *within(void *scratch, int64_t offset) { return scratch ? (char *)scratch + offset : NULL; }

void hlo_fused_epilogue_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_fused_epilogue *e = parameters;
  const void *product_operands[HLO_EPILOGUE_OPERANDS] = {NULL};
  hlo_loop_epilogue l;
  l.epilogue.run = hlo_loop_epilogue_run;
  hlo_fused_loop_call_begin(&l.call, &e->step, operands, result, within(scratch, e->loop_offset));
  for (int n = 0; n < e->product_operand_count; n++) product_operands[n] = operands[e->product_operands[n]];
  void *product = e->product_output < 0 ? within(scratch, e->product_offset) : l.call.results[e->product_output];
  hlo_fused_loop_call_operands(&l.call, operands, product);
  if (e->run_with_epilogue) {
    e->run_with_epilogue(e->parameters, product_operands, product, scratch, &l.epilogue, team);
  } else {
    e->run(e->parameters, product_operands, product, scratch, team);
    hlo_fused_loop_call_shared(&l.call, team);
  }
}
