/* A fused loop as an epilogue: it visits each element of the regions that a product completes once, and no other, however the regions lie
 * in the loop's rows; and all of the product at the end where the product takes no epilogue. */
#include "loops/fused_epilogue.h"

#include "random.h"
#include "unit.h"

enum { MOST = 4096 };

/* A loop that counts how often it visits each element of its only output, and refuses regions that do not lie in its rows. */
static void count_visits(const hlo_fused_loop *loop, const void *const *operands, void *const *results, const hlo_fused_region *region,
                         void *scratch) {
  bool is_inside = region->row >= 0 && region->rows > 0 && region->row + region->rows <= loop->rows;
  is_inside &= region->column >= 0 && region->columns > 0 && region->column + region->columns <= loop->width;
  CHECK(is_inside, "rows %d+%d, columns %d+%d of %d by %d", (int)region->row, (int)region->rows, (int)region->column, (int)region->columns,
        (int)loop->rows, (int)loop->width);
  for (int64_t r = region->row; is_inside && r < region->row + region->rows; r++)
    for (int64_t c = region->column; c < region->column + region->columns; c++) ((uint8_t *)results[0])[r * loop->width + c]++;
}

/* A region as hlo_epilogue.run is given it. */
typedef struct region {
  int64_t offset, rows, row_stride, columns;
} region;

static void complete_region(const void *parameters, const void *const *operands, void *result, void *scratch, const hlo_epilogue *epilogue,
                            hlo_team *team) {
  const region *r = parameters;
  epilogue->run(epilogue, r->offset, r->rows, r->row_stride, r->columns, 0);
}

static void complete_all(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {}

static void run(int64_t rows, int64_t width, const region *r, uint8_t *visits) {
  hlo_fused_epilogue e = {.run = complete_all, .parameters = r, .product_output = 0};
  if (r) e.run_with_epilogue = complete_region;
  e.step.loop.rows = rows, e.step.loop.width = width, e.step.loop.output_count = 1;
  e.step.function = count_visits;
  memset(visits, 0, MOST);
  hlo_fused_epilogue_run(&e, (const void *const[]){NULL}, visits, NULL, NULL);
}

static void check_region(int64_t rows, int64_t width, region r) {
  uint8_t visits[MOST], expected[MOST] = {0};
  for (int64_t i = 0; i < r.rows; i++) memset(expected + r.offset + i * r.row_stride, 1, (size_t)r.columns);
  run(rows, width, &r, visits);
  CHECK(memcmp(visits, expected, MOST) == 0, "%d by %d: region at %d, %d rows of %d, %d apart", (int)rows, (int)width, (int)r.offset, (int)r.rows,
        (int)r.columns, (int)r.row_stride);
}

static void test_regions(void) {
  for (int round = 0; round < 20000; round++) {
    int64_t width = 1 + random_below(20), rows = 1 + random_below(20), count = rows * width;
    region r = {.columns = 1 + random_below(random_below(3) ? width : count)};
    r.row_stride = random_below(3) ? width : 1 + random_below(40);
    if (r.row_stride < r.columns) r.row_stride = r.columns;
    r.rows = 1 + (count - r.columns) / r.row_stride;
    r.rows = 1 + random_below(r.rows);
    r.offset = random_below(count - (r.rows - 1) * r.row_stride - r.columns + 1);
    check_region(rows, width, r);
  }
  check_region(6, 4, (region){.offset = 4, .rows = 2, .row_stride = 4, .columns = 4});   /* whole rows */
  check_region(6, 4, (region){.offset = 1, .rows = 3, .row_stride = 4, .columns = 2});   /* some columns of rows */
  check_region(6, 4, (region){.offset = 2, .rows = 1, .row_stride = 16, .columns = 16}); /* a run over many rows */
  check_region(6, 4, (region){.offset = 0, .rows = 4, .row_stride = 6, .columns = 1});   /* elements apart */
}

static void test_at_the_end(void) {
  uint8_t visits[MOST], expected[MOST] = {0};
  memset(expected, 1, 7 * 9);
  run(7, 9, NULL, visits);
  CHECK(memcmp(visits, expected, MOST) == 0, "not all elements once");
}

int main(void) {
  test_regions();
  test_at_the_end();
  return unit_report();
}
