/* The walk: rows along the innermost output dimension, or square blocks where the input runs across it. */
#include "kernels/strided_copy.h"

#include <assert.h>
#include <string.h>

#include "kernels/simd128.h"

typedef struct block16 {
  uint64_t halves[2];
} block16;

/* ---- Simplifying ---- */

static void remove_dimension(hlo_strided_map *map, int d) {
  map->rank--;
  for (int i = d; i < map->rank; i++) {
    map->dims[i] = map->dims[i + 1];
    map->in_strides[i] = map->in_strides[i + 1];
    map->out_strides[i] = map->out_strides[i + 1];
  }
}

static void swap(int64_t *values, int i, int j) {
  int64_t kept = values[i];
  values[i] = values[j];
  values[j] = kept;
}

static void sort_by_output(hlo_strided_map *map) {
  for (int i = 1; i < map->rank; i++)
    for (int j = i; j > 0 && map->out_strides[j - 1] < map->out_strides[j]; j--) {
      swap(map->dims, j - 1, j);
      swap(map->in_strides, j - 1, j);
      swap(map->out_strides, j - 1, j);
    }
}

void hlo_strided_map_simplify(hlo_strided_map *map) {
  for (int d = map->rank - 1; d >= 0; d--)
    if (map->dims[d] == 1) remove_dimension(map, d);
  sort_by_output(map);
  for (int d = map->rank - 2; d >= 0; d--) {
    int64_t inner = map->dims[d + 1];
    if (map->in_strides[d] != map->in_strides[d + 1] * inner || map->out_strides[d] != map->out_strides[d + 1] * inner)
      continue;
    map->dims[d + 1] *= map->dims[d];
    remove_dimension(map, d);
  }
}

/* ---- One row ---- */

#define STRIDED_ROW(type)                                                             \
  for (int64_t i = 0; i < count; i++, from += in_stride, to += out_stride) {          \
    type element;                                                                     \
    memcpy(&element, from, sizeof element);                                           \
    memcpy(to, &element, sizeof element);                                             \
  }

static void copy_row(const char *from, int64_t in_stride, char *to, int64_t out_stride, int64_t count, int bytes) {
  if (out_stride == bytes) {
    if (in_stride == bytes) {
      memcpy(to, from, (size_t)(count * bytes));
      return;
    }
    if (in_stride == 0) {
      hlo_fill(to, from, bytes, count);
      return;
    }
  }
  switch (bytes) {
  case 1: STRIDED_ROW(uint8_t) break;
  case 2: STRIDED_ROW(uint16_t) break;
  case 4: STRIDED_ROW(uint32_t) break;
  case 8: STRIDED_ROW(uint64_t) break;
  default: STRIDED_ROW(block16) break;
  }
}

void hlo_fill(void *out, const void *element, int element_bytes, int64_t count) {
  if (count <= 0) return;
  char *to = out;
  size_t total = (size_t)count * (size_t)element_bytes;
  if (element_bytes == 1) {
    memset(to, *(const uint8_t *)element, total);
    return;
  }
  size_t done = (size_t)element_bytes;
  memcpy(to, element, done);
  while (done < total) { /* doubling, up to what stays in the cache */
    size_t chunk = done < 4096 ? done : 4096 / (size_t)element_bytes * (size_t)element_bytes;
    if (chunk > total - done) chunk = total - done;
    memcpy(to + done, to, chunk);
    done += chunk;
  }
}

/* ---- The plain walk ---- */

/* Advances to the next row: false after the last. `index` covers the dimensions before `rank`. */
static bool next_row(const hlo_strided_map *map, int rank, int64_t *index, const char **from, char **to) {
  for (int d = rank - 1; d >= 0; d--) {
    *from += map->in_strides[d];
    *to += map->out_strides[d];
    if (++index[d] < map->dims[d]) return true;
    *from -= map->in_strides[d] * map->dims[d];
    *to -= map->out_strides[d] * map->dims[d];
    index[d] = 0;
  }
  return false;
}

static bool is_empty(const hlo_strided_map *map) {
  for (int d = 0; d < map->rank; d++)
    if (map->dims[d] == 0) return true;
  return false;
}

void hlo_strided_copy_scalar(const hlo_strided_map *map, const void *in, void *out) {
  assert(map->rank >= 0 && map->rank <= HLO_STRIDED_MAX_RANK);
  if (is_empty(map)) return;
  const char *from = in;
  char *to = out;
  if (map->rank == 0) {
    memcpy(to, from, (size_t)map->element_bytes);
    return;
  }
  int last = map->rank - 1;
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  do copy_row(from, map->in_strides[last], to, map->out_strides[last], map->dims[last], map->element_bytes);
  while (next_row(map, last, index, &from, &to));
}

/* ---- Transposing: the input is contiguous along another dimension than the output ---- */

enum { BLOCK = 32 };

#define TRANSPOSE_BLOCK(type)                                                                   \
  for (int64_t r = 0; r < rows; r++)                                                            \
    for (int64_t c = 0; c < columns; c++)                                                       \
      memcpy(to + r * to_stride + c * (int64_t)sizeof(type), from + c * from_stride + r * (int64_t)sizeof(type), sizeof(type));

static void transpose_block(const char *from, int64_t from_stride, char *to, int64_t to_stride, int64_t rows,
                            int64_t columns, int bytes) {
  switch (bytes) {
  case 1: TRANSPOSE_BLOCK(uint8_t) break;
  case 2: TRANSPOSE_BLOCK(uint16_t) break;
  case 4: TRANSPOSE_BLOCK(uint32_t) break;
  case 8: TRANSPOSE_BLOCK(uint64_t) break;
  default: TRANSPOSE_BLOCK(block16) break;
  }
}

static void transpose_4x4(const char *from, int64_t from_stride, char *to, int64_t to_stride) {
  v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + from_stride);
  v128_t c = wasm_v128_load(from + 2 * from_stride), d = wasm_v128_load(from + 3 * from_stride);
  v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  wasm_v128_store(to, wasm_i32x4_shuffle(ab_low, cd_low, 0, 1, 4, 5));
  wasm_v128_store(to + to_stride, wasm_i32x4_shuffle(ab_low, cd_low, 2, 3, 6, 7));
  wasm_v128_store(to + 2 * to_stride, wasm_i32x4_shuffle(ab_high, cd_high, 0, 1, 4, 5));
  wasm_v128_store(to + 3 * to_stride, wasm_i32x4_shuffle(ab_high, cd_high, 2, 3, 6, 7));
}

/* `rows` x `columns` of the output; the input's columns are contiguous. */
static void transpose_block_4(const char *from, int64_t from_stride, char *to, int64_t to_stride, int64_t rows,
                              int64_t columns) {
  int64_t whole_rows = rows & ~(int64_t)3, whole_columns = columns & ~(int64_t)3;
  for (int64_t r = 0; r < whole_rows; r += 4)
    for (int64_t c = 0; c < whole_columns; c += 4)
      transpose_4x4(from + c * from_stride + r * 4, from_stride, to + r * to_stride + c * 4, to_stride);
  transpose_block(from + whole_columns * from_stride, from_stride, to + whole_columns * 4, to_stride, whole_rows,
                  columns - whole_columns, 4);
  transpose_block(from + whole_rows * 4, from_stride, to + whole_rows * to_stride, to_stride, rows - whole_rows,
                  columns, 4);
}

static void transpose(const hlo_strided_map *map, int across, const char *from, char *to) {
  int last = map->rank - 1, bytes = map->element_bytes;
  int64_t from_stride = map->in_strides[last], to_stride = map->out_strides[across];
  for (int64_t r = 0; r < map->dims[across]; r += BLOCK) {
    int64_t rows = map->dims[across] - r < BLOCK ? map->dims[across] - r : BLOCK;
    for (int64_t c = 0; c < map->dims[last]; c += BLOCK) {
      int64_t columns = map->dims[last] - c < BLOCK ? map->dims[last] - c : BLOCK;
      const char *block = from + c * from_stride + r * bytes;
      char *result = to + r * to_stride + c * bytes;
      if (bytes == 4) transpose_block_4(block, from_stride, result, to_stride, rows, columns);
      else transpose_block(block, from_stride, result, to_stride, rows, columns, bytes);
    }
  }
}

/* The dimension along which the input is contiguous, when the output is so along the last; -1 if it is another matter. */
static int transposed_dimension(const hlo_strided_map *map) {
  int last = map->rank - 1;
  if (map->rank < 2 || map->out_strides[last] != map->element_bytes) return -1;
  if (map->in_strides[last] == map->element_bytes || map->in_strides[last] == 0) return -1;
  for (int d = 0; d < last; d++)
    if (map->in_strides[d] == map->element_bytes && map->dims[d] >= 4) return d;
  return -1;
}

void hlo_strided_copy_simd128(const hlo_strided_map *map, const void *in, void *out) {
  int across = transposed_dimension(map);
  if (across < 0 || is_empty(map)) {
    hlo_strided_copy_scalar(map, in, out);
    return;
  }
  hlo_strided_map outer = *map; /* every dimension but the two of the blocks */
  remove_dimension(&outer, map->rank - 1);
  remove_dimension(&outer, across);
  const char *from = in;
  char *to = out;
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  do transpose(map, across, from, to);
  while (next_row(&outer, outer.rank, index, &from, &to));
}
