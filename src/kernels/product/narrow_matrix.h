/* A matrix of narrow elements (the weights of a dot), whose f32 elements are computed while they are read, a few KiB at a time: the matrix
 * is never widened as a whole.
 *
 * Element (p, j) of k rows and n columns begins as the stored number, exactly. Each stage makes (x - zero) * scale + more of it, in this
 * order and each step rounded to f32, and then may round it to bf16 or f16. The three are single values, or come from arrays with an
 * element for every column, for every `group` rows, or both. What a program does not ask for changes no bit: x - 0, x * 1, x + -0. */
#ifndef HLO_KERNELS_PRODUCT_NARROW_MATRIX_H
#define HLO_KERNELS_PRODUCT_NARROW_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an element is stored: see narrow_widen.c. HLO_NARROW_NIBBLES: in panels of 4 bits, see narrow_nibbles.c; TABLE: a byte that numbers
 * one of 256 values. */
typedef enum hlo_narrow_format {
  HLO_NARROW_F32, HLO_NARROW_BF16, HLO_NARROW_F16, HLO_NARROW_S8, HLO_NARROW_U8, HLO_NARROW_TABLE, HLO_NARROW_NIBBLES, HLO_NARROW_FORMATS
} hlo_narrow_format;

typedef enum hlo_narrow_rounding { HLO_ROUND_F32, HLO_ROUND_BF16, HLO_ROUND_F16 } hlo_narrow_rounding;

enum { HLO_NARROW_STAGES = 3, HLO_NARROW_ZERO = 0, HLO_NARROW_SCALE, HLO_NARROW_MORE, HLO_NARROW_VALUES };

typedef struct hlo_narrow_values {
  int operand;                       /* of the step; -1: all are `value` */
  hlo_narrow_format format;          /* of the array: F32 or, for nibbles and columns of s8, BF16 or F16 as well */
  float value;
  int64_t offset, n_stride, g_stride; /* in elements of the array; g_stride leads from one group of rows to the next */
  int64_t group;
  bool in_panels;                     /* of nibbles: the array is packed, as hlo_nibble_values_copy does it; strides are not read */
} hlo_narrow_values;

typedef struct hlo_narrow_stage {
  bool is_plain; /* nothing but the rounding */
  bool has_no_zero, has_no_more;
  hlo_narrow_rounding rounding;
  hlo_narrow_values values[HLO_NARROW_VALUES];
} hlo_narrow_stage;

typedef struct hlo_narrow_form {
  hlo_narrow_format format;
  bool is_signed;                     /* of nibbles */
  int64_t k, n;
  int64_t offset, k_stride, n_stride; /* in elements; 1 along k or along n. Of nibbles: unused */
  int64_t group;                      /* rows for which no array changes its value */
  int stage_count;
  hlo_narrow_stage stages[HLO_NARROW_STAGES];
  const float *table;
} hlo_narrow_form;

/* A matrix at the time of a run. */
typedef struct hlo_narrow_matrix {
  const hlo_narrow_form *form;
  const void *data;
  const void *arrays[HLO_NARROW_STAGES][HLO_NARROW_VALUES]; /* NULL: `value` */
} hlo_narrow_matrix;

/* Returns the matrix of `data`, and of arrays among the operands of the step. */
hlo_narrow_matrix hlo_narrow_bind(const hlo_narrow_form *form, const void *data, const void *const *operands);

/* Returns whether elements of a column are contiguous, else those of a row are. */
static inline bool hlo_narrow_along_k(const hlo_narrow_form *form) { return form->k_stride == 1; }

/* Returns whether a matrix is of s8 times scales, in one stage; `rows` rows have the same. */
bool hlo_narrow_is_scaled_s8(const hlo_narrow_form *form, int rows);
/* Returns whether the host has functions for units of a vector (kernels/product/digit_units.h), and these are whole within groups. */
bool hlo_narrow_has_units(const hlo_narrow_form *form);

enum { HLO_NARROW_LINE = 512, HLO_NARROW_SHORT = 8 }; /* SHORT: groups down a contiguous column have at least so many rows, or all k */
/* Widens `lines` rows (or columns, if the matrix is contiguous along k) from the `line`-th on, `count` elements of each from the
 * `begin`-th on; `to_stride` leads from line to line. Requires count <= HLO_NARROW_LINE, and a matrix not of nibbles. */
void hlo_narrow_widen(const hlo_narrow_matrix *matrix, int64_t line, int64_t lines, int64_t begin, int64_t count, float *to,
                      ptrdiff_t to_stride);
/* Writes panels as the tile kernel of f32 reads them (kernels/product/product.h): as many as `columns` columns fill, one after another. */
void hlo_narrow_panels(const void *matrix, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, void *panels);

/* Returns where one of the three of row p and column j lies; hlo_narrow_value: one of f32. */
const void *hlo_narrow_value_in(const hlo_narrow_matrix *matrix, int stage, int which, int64_t p, int64_t j);
static inline const float *hlo_narrow_value(const hlo_narrow_matrix *matrix, int stage, int which, int64_t p, int64_t j) {
  return (const float *)hlo_narrow_value_in(matrix, stage, which, p, j);
}

/* ---- Steps of widening ---- */

/* to[i] = from[i]. `from` may be `to` where elements are f32, in all of these. */
void hlo_narrow_run_plain(hlo_narrow_format format, const float *table, const void *from, int count, float *to);
/* to[i] = (from[i] - zero) * scale + more, with one of each for the `first` elements, and then for every `group`: three[3 g], ... `scales`:
 * there are no zeros, and no more. */
void hlo_narrow_run_groups(hlo_narrow_format format, const float *table, const void *from, int count, int first, int group,
                           const float *three, bool scales, float *to);
/* The same with values for each element; both zeros and more may be NULL: there are none. */
void hlo_narrow_run_each(hlo_narrow_format format, const float *table, const void *from, int count, const float *const *values, float *to);
void hlo_narrow_round(hlo_narrow_rounding rounding, float *values, int count); /* count <= HLO_NARROW_LINE */
int hlo_narrow_bytes(hlo_narrow_format format); /* of an element; not of nibbles */

/* ---- Bytes: columns of s8 with scales, times a vector of integers ---- */

/* Returns whether columns are such: contiguous, less than 2^31 rows, of one stage of scales, which stay the same for eight rows. Their array may be of 16 bits. */
bool hlo_bytes_are_columns(const hlo_narrow_form *form);
size_t hlo_bytes_prepared_bytes(int64_t k);
void hlo_bytes_prepare(const hlo_narrow_form *form, const float *vector, float *prepared);
/* out[j] = the sum of the first `whole` rows, a multiple of 8, of column `column` + j, j < 4 * fours: for four columns at a time, one of each quarter of 4 * fours. */
void hlo_bytes_columns(const hlo_narrow_matrix *matrix, const float *vector, const float *prepared, int64_t column, int64_t fours, int whole, float *out);

/* ---- Nibbles: integers of 4 bits in panels of eight columns ---- */

/* Returns the bytes of a matrix in panels. Requires that k is a multiple of 8. */
size_t hlo_nibble_bytes(int64_t k, int64_t n);
/* Packs elements that are held one in a byte, with strides in elements. */
void hlo_nibble_pack(const void *elements, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, bool is_signed, void *panels);
/* Undoes that; elements are sign-extended, or not. */
void hlo_nibble_unpack(const void *panels, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, bool is_signed, void *elements);
/* Unpacks one column of k elements. */
void hlo_nibble_column(const void *panels, int64_t k, int64_t column, bool is_signed, void *elements);
/* Packs an array that has a value of `bytes` bytes for every column and group, in the order of panels: [panel][group][column]; or undoes that.
 * Requires that n is a multiple of 8. */
void hlo_nibble_values_copy(const char *from, int64_t bytes, int64_t n_stride, int64_t g_stride, int64_t n, int64_t groups, bool packs, char *to);
/* Writes what hlo_nibble_dot reads of a vector of k elements: hlo_nibble_scratch_bytes(k). */
void hlo_nibble_prepare(const hlo_narrow_form *form, const float *vector, float *prepared);
size_t hlo_nibble_scratch_bytes(int64_t k);
/* Requires a matrix of less than 2^31 rows, of one stage without rounding, and of groups of a multiple of 8 rows, the same for all arrays:
 * out[j] = the sum over p of vector[p] * (p, column + j), where `column` is a multiple of 8. */
void hlo_nibble_dot(const hlo_narrow_matrix *matrix, const float *vector, const float *prepared, int64_t column, int64_t columns, float *out);
/* hlo_narrow_panels for them, where k_begin is a multiple of 8. */
void hlo_nibble_panels(const hlo_narrow_matrix *matrix, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, float *panels);

#endif
