#include "kernels/product/byte_quads.h"

#include "kernels/product/dot.h"
#include "kernels/product/product.h"

static hlo_byte_mode mode; /* of shared memory, that of all threads */

hlo_byte_mode hlo_byte_mode_now(void) { return mode; }
void hlo_byte_mode_set(hlo_byte_mode set) { mode = set; }

/* Multiplies the bytes for which hosts differ: the greatest of rhs, and those of which two products overflow 16 bits. */
void hlo_byte_mode_find(void) {
  bool is_unsigned = true, is_signed = true;
  for (int left = -128; left < 128; left += 255)
    for (int right = 128; right < 256; right += 127) {
      uint32_t lhs = 0x01010101u * (uint8_t)left, rhs[HLO_PRODUCT_PANEL_BYTES / 4];
      int32_t out[HLO_PRODUCT_ROWS * HLO_PRODUCT_PANEL_BYTES / 4];
      for (int i = 0; i < HLO_PRODUCT_PANEL_BYTES / 4; i++) rhs[i] = 0x01010101u * (uint32_t)right;
      hlo_dot_tile(HLO_DOT_S8_QUADS)(1, 1, &lhs, 1, rhs, HLO_PRODUCT_PANEL_BYTES / 4, out, HLO_PRODUCT_PANEL_BYTES / 4, false);
      is_unsigned &= out[0] == 4 * left * right;
      is_signed &= out[0] == 4 * left * (right - 256);
    }
  mode = is_unsigned ? HLO_BYTES_UNSIGNED : is_signed ? HLO_BYTES_SIGNED : HLO_BYTES_INEXACT;
}
