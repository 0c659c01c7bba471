/* Bytes are made into the elements of products: pairs of s16, or quads of bytes (kernels/product/byte_quads.h). Arrays do not overlap. These
 * functions never fail and never allocate. */
#ifndef HLO_KERNELS_PRODUCT_BYTE_ELEMENTS_H
#define HLO_KERNELS_PRODUCT_BYTE_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Widens rows of k bytes to rows of s16, each filled up with a zero to an even number of elements. */
typedef void hlo_widen_rows_kernel(const void *from, bool is_signed, int64_t rows, int64_t k, int16_t *to);
hlo_widen_rows_kernel hlo_widen_byte_rows_simd128, hlo_widen_byte_rows_scalar;
/* Widens k rows of n bytes to (k + 1) / 2 rows of n pairs of s16: a byte and the one below it, or zero behind the last row. */
void hlo_interleave_byte_rows(const void *from, bool is_signed, int64_t k, int64_t n, int16_t *to);

/* Makes quads of bytes, which are copies of these, exclusive or `flip`, and filled up with zeros: of rows of k bytes rows of (k + 3) / 4 quads, and
 * of k rows of n bytes (k + 3) / 4 rows of n quads. */
void hlo_quads_of_rows(const void *from, uint8_t flip, int64_t rows, int64_t k, void *to);
void hlo_interleave_quads(const void *from, uint8_t flip, int64_t k, int64_t n, void *to);

#endif
