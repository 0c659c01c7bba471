/* Quads: four bytes that are neighbours in k, as one element of 32 bits of a product. The tile of quads multiplies signed bytes of lhs by
 * bytes of rhs whose greatest bit has a meaning that depends on the host: one instruction of relaxed SIMD does so on most machines,
 * and src/emit/tile_emit.h writes the tile for those. */
#ifndef HLO_KERNELS_PRODUCT_BYTE_QUADS_H
#define HLO_KERNELS_PRODUCT_BYTE_QUADS_H

#include <stdbool.h>

/* The host's mode says how it reads bytes of rhs, and whether products of all bytes are exact. */
typedef enum hlo_byte_mode {
  HLO_BYTES_NEVER,   /* there is no such instruction */
  HLO_BYTES_INEXACT, /* sums of two products are cut to 16 bits, and quads are of no use; bytes below 128 are multiplied alike everywhere */
  HLO_BYTES_UNSIGNED,
  HLO_BYTES_SIGNED
} hlo_byte_mode;

/* Returns the mode of this process, which plans and packed constants depend on: it does not change once there are any. */
hlo_byte_mode hlo_byte_mode_now(void);
/* Returns whether the host multiplies bytes in pairs faster than in fours: the latter are several instructions there. */
static inline bool hlo_byte_mode_in_pairs(void) { return hlo_byte_mode_now() == HLO_BYTES_INEXACT; }
/* Sets the mode that the tile shows, once it is installed. */
void hlo_byte_mode_find(void);
/* Sets a mode by hand, where tiles are C: the tile of quads obeys it. For tests. */
void hlo_byte_mode_set(hlo_byte_mode mode);

#endif
