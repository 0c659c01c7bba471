/* webhlo.wasm and webhlo-linear.wasm, as they see each other.
 *
 * webhlo-linear.wasm works on the memory, the stack and the table of webhlo.wasm (js/host/side-module.js gives it room in them). It imports
 * no function: the few that it calls stand in a table of the core's, and its own in a hlo_linear_library. */
#ifndef HLO_SIDE_LINEAR_SIDE_H
#define HLO_SIDE_LINEAR_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/api.h"
#include "base/team.h"
#include "kernels/linear/linear_library.h"
#include "kernels/product/product.h"

/* The functions of the core that the kernels call. */
typedef struct hlo_linear_services {
  size_t (*product_scratch_bytes)(const hlo_product *product, int threads);
  void (*product_run)(const hlo_product *product, void *scratch, hlo_team *team);
  hlo_tile_kernel *(*product_float_tile)(bool single);
  double (*frexp)(double value, int *exponent);
  double (*ldexp)(double value, int exponent);
  double (*fmax)(double a, double b);
} hlo_linear_services;

/* ---- In webhlo.wasm: linear_core.c ---- */
/* Returns whether a program has operations with such kernels, and they are not loaded. */
bool hlo_api_linear_wanted(const hlo_api_module *module);
const hlo_linear_services *hlo_api_linear_services(void);
/* Has programs that are compiled from now on use the kernels. `bytes`: the room from hlo_api_alloc that their data has, for good. */
void hlo_api_linear_install(hlo_runtime *runtime, const hlo_linear_library *library, size_t bytes);

/* ---- In webhlo-linear.wasm: linear_module.c ---- */
/* Returns the kernels, which call these functions. */
const hlo_linear_library *hlo_side_linear(const hlo_linear_services *services);

#endif
