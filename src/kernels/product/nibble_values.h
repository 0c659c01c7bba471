/* Zeros, scales and what is added, of the columns of a panel of nibbles: read from arrays of f32, f16 or bf16, some groups at once. */
#ifndef HLO_KERNELS_PRODUCT_NIBBLE_VALUES_H
#define HLO_KERNELS_PRODUCT_NIBBLE_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"

/* A panel has so many columns; eight rows of it are so many bytes. BIAS: what is added to stored integers that have a sign. */
enum { HLO_NIBBLE_COLUMNS = 8, HLO_NIBBLE_ROWS = 8, HLO_NIBBLE_ROW_BYTES = 32, HLO_NIBBLE_BIAS = 8, HLO_NIBBLE_GROUPS = 64 /* read at once, at most */ };

typedef struct hlo_nibble_reader {
  const char *at;         /* the value of the panel's first column in the first group */
  ptrdiff_t stride, step; /* from column to column, and from group to group, in bytes; step 0: all groups have the same */
  hlo_narrow_format format;
  v128_t read[HLO_NIBBLE_GROUPS][2];
} hlo_nibble_reader;

typedef struct hlo_nibble_values {
  v128_t bias; /* what is added to zeros */
  hlo_nibble_reader readers[HLO_NARROW_VALUES];
  int columns, first, end, groups; /* groups that were read: from first to end, of all groups */
  int ahead;                       /* how many are read at once */
} hlo_nibble_values;

/* Begins the panel of a column. Values are read as they are asked for, of `ahead` <= HLO_NIBBLE_GROUPS groups at once. */
void hlo_nibble_values_begin(const hlo_narrow_matrix *m, int64_t column, int ahead, hlo_nibble_values *values);
/* Reads the values of a group, and of those behind it. */
void hlo_nibble_values_read(hlo_nibble_values *values, int group);

/* Returns two vectors. */
static inline const v128_t *hlo_nibble_value(hlo_nibble_values *v, int which, int group) {
  hlo_nibble_reader *r = &v->readers[which];
  if (!r->step) return r->read[0];
  if (group >= v->end || group < v->first) hlo_nibble_values_read(v, group);
  return r->read[group - v->first];
}

/* Returns where the value of a column and a group lies among packed ones. */
static inline int64_t hlo_nibble_value_place(int64_t column, int64_t group, int64_t groups) {
  return (column / HLO_NIBBLE_COLUMNS * groups + group) * HLO_NIBBLE_COLUMNS + column % HLO_NIBBLE_COLUMNS;
}

#endif
