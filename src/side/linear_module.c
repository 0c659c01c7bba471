/* What webhlo-linear.wasm has beside src/kernels/linear: its only export, and what leads to the functions of the core. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "api/api.h"
#include "base/team.h"
#include "kernels/linear/linear_library.h"
#include "kernels/product/product.h"
#include "side/linear_side.h"

/* An instance belongs to one instance of the core. */
static const hlo_linear_services *core;

HLO_API(const hlo_linear_library *, hlo_side_linear)(const hlo_linear_services *services) {
  core = services;
  return &hlo_linear_kernels;
}

size_t hlo_product_scratch_bytes(const hlo_product *product, int threads) { return core->product_scratch_bytes(product, threads); }
void hlo_product_run(const hlo_product *product, void *scratch, hlo_team *team) { core->product_run(product, scratch, team); }
hlo_tile_kernel *hlo_product_float_tile(bool single) { return core->product_float_tile(single); }

/* Of the C library. */
double frexp(double value, int *exponent) { return core->frexp(value, exponent); }
double ldexp(double value, int exponent) { return core->ldexp(value, exponent); }
double fmax(double a, double b) { return core->fmax(a, b); }
