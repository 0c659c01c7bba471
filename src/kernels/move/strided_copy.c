/* A copy walks through rows along the innermost output dimension; or through square blocks, where the input is contiguous along another
 * one. */
#include "kernels/move/strided_copy.h"

#include <assert.h>
#include <string.h>

#include "base/built_small.h"
#include "base/checked.h"
#include "kernels/simd128.h"
#include "shape/box.h"

typedef struct block16 {
  uint64_t halves[2];
} block16;

/* ---- Simplifying ---- */

static HLO_SMALL void remove_dimension(hlo_strided_map *map, int d) {
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

HLO_SMALL void hlo_strided_map_simplify(hlo_strided_map *map) {
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

#ifdef __clang__
#define FOUR_AT_A_TIME _Pragma("clang loop unroll_count(4)")
#else
#define FOUR_AT_A_TIME
#endif
#define STRIDED_ROW(type)                                                             \
  FOUR_AT_A_TIME                                                                      \
  for (int64_t i = 0; i < count; i++, from += in_stride, to += out_stride) {          \
    type element;                                                                     \
    memcpy(&element, from, sizeof element);                                           \
    memcpy(to, &element, sizeof element);                                             \
  }

/* Copies short runs by pieces, the last of which may overlap the one before it: memory.copy takes an engine long to start. */
static inline void copy_run(const char *from, char *to, int64_t bytes) {
  if (bytes > 512) {
    memcpy(to, from, (size_t)bytes);
    return;
  }
  if (bytes < 16) {
    uint64_t first = 0, last = 0;
    if (bytes >= 8) {
      memcpy(&first, from, 8), memcpy(&last, from + bytes - 8, 8);
      memcpy(to, &first, 8), memcpy(to + bytes - 8, &last, 8);
    } else if (bytes >= 4) {
      memcpy(&first, from, 4), memcpy(&last, from + bytes - 4, 4);
      memcpy(to, &first, 4), memcpy(to + bytes - 4, &last, 4);
    } else {
      for (int64_t i = 0; i < bytes; i++) to[i] = from[i];
    }
    return;
  }
  for (int64_t i = 0; i < bytes - 16; i += 16) wasm_v128_store(to + i, wasm_v128_load(from + i));
  wasm_v128_store(to + bytes - 16, wasm_v128_load(from + bytes - 16));
}

#define REVERSED_8(a) wasm_i8x16_shuffle(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define REVERSED_16(a) wasm_i16x8_shuffle(a, a, 7, 6, 5, 4, 3, 2, 1, 0)
#define REVERSED_32(a) wasm_i32x4_shuffle(a, a, 3, 2, 1, 0)
#define REVERSED_64(a) wasm_i64x2_shuffle(a, a, 1, 0)
#define EVEN_8(a, b) wasm_i8x16_shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define EVEN_16(a, b) wasm_i16x8_shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define EVEN_32(a, b) wasm_i32x4_shuffle(a, b, 0, 2, 4, 6)
#define EVEN_64(a, b) wasm_i64x2_shuffle(a, b, 0, 2)
#define COPY_VECTORS(bits)                                                                                        \
  if (in_stride < 0)                                                                                             \
    for (; done + lanes <= count; done += lanes, to += 16, from -= 16) {                                         \
      v128_t a = wasm_v128_load(from - 16 + bits / 8);                                                           \
      wasm_v128_store(to, REVERSED_##bits(a));                                                                   \
    }                                                                                                            \
  else                                                                                                           \
    for (; done + lanes < count; done += lanes, to += 16, from += 32) {                                          \
      v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + 16);                                            \
      wasm_v128_store(to, EVEN_##bits(a, b));                                                                    \
    }
/* Copies every third word or byte by vectors. Returns how many. */
static int64_t copy_thirds(const char *from, char *to, int64_t count, int bytes) {
  int64_t done = 0;
  for (; bytes == 4 && done + 4 <= count; done += 4, from += 48)
    wasm_v128_store(to + 4 * done, wasm_i32x4_shuffle(wasm_v128_load(from), wasm_v128_load(from + 24), 0, 3, 4, 7));
  for (; bytes == 1 && done + 16 <= count; done += 16, from += 48) {
    v128_t first = wasm_i8x16_shuffle(wasm_v128_load(from), wasm_v128_load(from + 16), 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    wasm_v128_store(to + done, wasm_i8x16_shuffle(first, wasm_v128_load(from + 30), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 22, 25, 28, 31));
  }
  return done;
}

/* Copies elements backward (stride -bytes), or every second one (stride 2 * bytes) or third, by vectors. Returns how many: of every second one not the last, since a
 * vector would be read on behind them. */
static int64_t copy_vectors(const char *from, int64_t in_stride, char *to, int64_t count, int bytes) {
  int64_t done = 0, lanes = 16 / bytes;
  if (in_stride == 3 * bytes) return copy_thirds(from, to, count, bytes);
  switch (bytes) {
  case 1: COPY_VECTORS(8) break;
  case 2: COPY_VECTORS(16) break;
  case 4: COPY_VECTORS(32) break;
  case 8: COPY_VECTORS(64) break;
  }
  return done;
}

static void copy_row(const char *from, int64_t in_stride, char *to, int64_t out_stride, int64_t count, int bytes) {
  if (out_stride == bytes) {
    if (in_stride == bytes) {
      copy_run(from, to, count * bytes);
      return;
    }
    if (in_stride == 0) {
      hlo_fill(to, from, bytes, count);
      return;
    }
    if (in_stride == -bytes || in_stride == 2 * bytes || in_stride == 3 * bytes) {
      int64_t done = copy_vectors(from, in_stride, to, count, bytes);
      from += done * in_stride, to += done * bytes, count -= done;
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

/* Fills by vectors that hold the element as often as it fits. */
void hlo_fill(void *out, const void *element, int element_bytes, int64_t count) {
  if (count <= 0) return;
  char pattern[16], *to = out;
  v128_t vector;
  switch (element_bytes) {
  case 1: vector = wasm_v128_load8_splat(element); break;
  case 2: vector = wasm_v128_load16_splat(element); break;
  case 4: vector = wasm_v128_load32_splat(element); break;
  case 8: vector = wasm_v128_load64_splat(element); break;
  default: vector = wasm_v128_load(element); break;
  }
  int64_t bytes = count * element_bytes;
  if (bytes < 16) {
    wasm_v128_store(pattern, vector);
    copy_run(pattern, to, bytes);
    return;
  }
  for (int64_t done = 0; done < bytes - 16; done += 16) wasm_v128_store(to + done, vector);
  wasm_v128_store(to + bytes - 16, vector);
}

/* ---- The plain walk ---- */

bool hlo_strided_map_next(const hlo_strided_map *map, int rank, int64_t *index, const char **from, char **to) {
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

void hlo_strided_copy_scalar(const hlo_strided_map *map, const void *in, void *out) {
  assert(map->rank >= 0 && map->rank <= HLO_STRIDED_MAX_RANK);
  if (hlo_box_is_empty(map->dims, map->rank)) return;
  const char *from = in;
  char *to = out;
  if (map->rank == 0) {
    memcpy(to, from, (size_t)map->element_bytes);
    return;
  }
  int last = map->rank - 1;
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  do copy_row(from, map->in_strides[last], to, map->out_strides[last], map->dims[last], map->element_bytes);
  while (hlo_strided_map_next(map, last, index, &from, &to));
}

/* ---- Transposing: the input is contiguous along another dimension than the output ---- */

/* Blocks have a cache line of elements on either side. They are transposed in a buffer, so that each cache line of the input is read once
 * and each cache line of the output is written once: with strides of powers of two, partly used lines would fall out of the cache. Blocks
 * are taken in squares of SQUARE x SQUARE, since neighbouring lines are of the same pages. */
enum { LINE = 64, SQUARE = 8 };

/* Transposes a block element by element, along its longer side. */
static void transpose_block(const char *from, int64_t from_stride, char *to, int64_t to_stride, int64_t rows,
                            int64_t columns, int bytes) {
  if (rows > columns)
    for (int64_t c = 0; c < columns; c++) copy_row(from + c * from_stride, bytes, to + c * bytes, to_stride, rows, bytes);
  else
    for (int64_t r = 0; r < rows; r++) copy_row(from + r * bytes, from_stride, to + r * to_stride, bytes, columns, bytes);
}

/* Transposes a square of as many vectors as a vector has elements: log2(lanes) times, the first half of the vectors is interleaved with the
 * second half. */
#define TRANSPOSE_TILE(name, lanes, low, high)                                                   \
  static inline void name(const char *from, int64_t from_stride, char *to, int64_t to_stride) {  \
    v128_t rows[lanes], mixed[lanes];                                                            \
    for (int i = 0; i < lanes; i++) rows[i] = wasm_v128_load(from + i * from_stride);   \
    for (int round = 1; round < lanes; round *= 2) {                                    \
      for (int i = 0; i < lanes / 2; i++) {                                             \
        mixed[2 * i] = low(rows[i], rows[i + lanes / 2]);                                        \
        mixed[2 * i + 1] = high(rows[i], rows[i + lanes / 2]);                                   \
      }                                                                                          \
      for (int i = 0; i < lanes; i++) rows[i] = mixed[i];                               \
    }                                                                                            \
    for (int i = 0; i < lanes; i++) wasm_v128_store(to + i * to_stride, rows[i]);       \
  }

#define LOW_8(a, b) wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_8(a, b) wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_16(a, b) wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_16(a, b) wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_32(a, b) wasm_i32x4_shuffle(a, b, 0, 4, 1, 5)
#define HIGH_32(a, b) wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)
#define LOW_64(a, b) wasm_i64x2_shuffle(a, b, 0, 2)
#define HIGH_64(a, b) wasm_i64x2_shuffle(a, b, 1, 3)
TRANSPOSE_TILE(transpose_16x16, 16, LOW_8, HIGH_8)
TRANSPOSE_TILE(transpose_8x8, 8, LOW_16, HIGH_16)
TRANSPOSE_TILE(transpose_4x4, 4, LOW_32, HIGH_32)
TRANSPOSE_TILE(transpose_2x2, 2, LOW_64, HIGH_64)

typedef void tiles_function(const char *from, int64_t from_stride, char *to, int64_t to_stride, int64_t rows, int64_t columns);

#ifdef __clang__
#define ROLLED _Pragma("clang loop unroll(disable)")
#else
#define ROLLED
#endif
/* Transposes `rows` x `columns` elements of the output in whole tiles; the input is contiguous along the output's columns. */
#define TRANSPOSE_TILES(size, tile, lanes)                                                                                        \
  static void transpose_tiles_##size(const char *from, int64_t from_stride, char *to, int64_t to_stride, int64_t rows, int64_t columns) { \
    ROLLED for (int64_t c = 0; c < columns; c += lanes)                                                                           \
      ROLLED for (int64_t r = 0; r < rows; r += lanes)                                                                            \
        tile(from + c * from_stride + r * size, from_stride, to + r * to_stride + c * size, to_stride);                           \
  }
TRANSPOSE_TILES(1, transpose_16x16, 16)
TRANSPOSE_TILES(2, transpose_8x8, 8)
TRANSPOSE_TILES(4, transpose_4x4, 4)
TRANSPOSE_TILES(8, transpose_2x2, 2)
static tiles_function *const tiles_functions[] = {transpose_tiles_1, transpose_tiles_2, transpose_tiles_4, transpose_tiles_8};

/* Transposes a block that has a whole cache line of elements on either side. */
static void transpose_lines(tiles_function *tiles, const char *from, int64_t from_stride, char *to, int64_t to_stride, int side) {
  _Alignas(16) char lines[LINE * LINE];
  if (side == LINE / 4) { /* 4-byte elements, the frequent case: all bounds are constants */
    for (int c = 0; c < LINE / 4; c += 4)
      for (int r = 0; r < LINE / 4; r += 4) transpose_4x4(from + c * from_stride + r * 4, from_stride, lines + r * LINE + c * 4, LINE);
  } else {
    tiles(from, from_stride, lines, LINE, side, side);
  }
  for (int r = 0; r < side; r++)
    for (int i = 0; i < LINE; i += 16) wasm_v128_store(to + r * to_stride + i, wasm_v128_load(lines + r * LINE + i));
}

/* Transposes a block at the end of a dimension: whole tiles first, and then the elements that are left. */
static void transpose_rest(tiles_function *tiles, const char *from, int64_t from_stride, char *to, int64_t to_stride, int64_t rows, int64_t columns,
                           int bytes) {
  int lanes = 16 / bytes;
  int64_t whole_rows = tiles ? rows / lanes * lanes : 0, whole_columns = tiles ? columns / lanes * lanes : 0;
  if (tiles) tiles(from, from_stride, to, to_stride, whole_rows, whole_columns);
  transpose_block(from + whole_columns * from_stride, from_stride, to + whole_columns * bytes, to_stride, whole_rows, columns - whole_columns, bytes);
  transpose_block(from + whole_rows * bytes, from_stride, to + whole_rows * to_stride, to_stride, rows - whole_rows, columns, bytes);
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void transpose(const hlo_strided_map *map, int across, int64_t count, const char *from, char *to) {
  int last = map->rank - 1, bytes = map->element_bytes, side = LINE / bytes;
  tiles_function *tiles = bytes < 16 ? tiles_functions[bytes == 8 ? 3 : bytes / 2] : NULL;
  int64_t from_stride = map->in_strides[last], to_stride = map->out_strides[across], square = SQUARE * side;
  for (int64_t n = 0, squares = hlo_ceil_div(map->dims[last], square); n < hlo_ceil_div(count, square) * squares; n++) {
    int64_t end = least((n / squares + 1) * square, count), column = n % squares * square;
    for (int64_t r = n / squares * square; r < end; r += side)
      for (int64_t c = column; c < least(column + square, map->dims[last]); c += side) {
        int64_t rows = least(end - r, side), columns = least(map->dims[last] - c, side);
        const char *block = from + c * from_stride + r * bytes;
        char *result = to + r * to_stride + c * bytes;
        if (tiles && rows == side && columns == side) transpose_lines(tiles, block, from_stride, result, to_stride, side);
        else transpose_rest(tiles, block, from_stride, result, to_stride, rows, columns, bytes);
      }
  }
}

/* The dimension along which the input is contiguous, where the output is contiguous along the last one; -1: the copy is no transpose. */
static int transposed_dimension(const hlo_strided_map *map) {
  int last = map->rank - 1;
  if (map->rank < 2 || map->out_strides[last] != map->element_bytes) return -1;
  if (map->in_strides[last] == map->element_bytes || map->in_strides[last] == 0) return -1;
  for (int d = 0; d < last; d++)
    if (map->in_strides[d] == map->element_bytes && map->dims[d] >= 4) return d;
  return -1;
}

/* ---- Short rows: elements of three numbers, or one that is repeated ---- */

enum {
  SHORT = 8,         /* rows of fewer elements are copied column by column */
  MANY = 32,         /* elements of matrices that are transposed one after another */
  LONGEST_RUN = 128, /* bytes: for longer ones it does not matter how they are found */
  NEAR_ROWS = 512,   /* so many short rows at a time stay in L1, */
  NEAR_BYTES = 16384 /* if they reach over so many bytes */
};

/* Copies `count` rows that are contiguous, those of up to 16 bytes in two pieces, which may overlap. */
static void copy_runs(const hlo_strided_map *map, int rows, int64_t count, const char *from, char *to) {
  int64_t in_stride = map->in_strides[rows], out_stride = map->out_strides[rows], bytes = map->dims[map->rank - 1] * map->element_bytes;
  if (bytes > 16)
    for (; count > 0; count--, from += in_stride, to += out_stride) copy_run(from, to, bytes);
  ROLLED for (; count > 0; count--, from += in_stride, to += out_stride) {
    uint64_t first, end;
    memcpy(&first, from, 8), memcpy(&end, from + bytes - 8, 8);
    memcpy(to, &first, 8), memcpy(to + bytes - 8, &end, 8);
  }
}

static HLO_SMALL void copy_columns(const hlo_strided_map *map, int rows, int64_t count, const char *from, char *to) {
  int last = map->rank - 1;
  for (int64_t c = 0; c < map->dims[last]; c++)
    copy_row(from + c * map->in_strides[last], map->in_strides[rows], to + c * map->out_strides[last], map->out_strides[rows], count, map->element_bytes);
}

/* Transposes `count` matrices of whole tiles, which are the last two dimensions. */
static void transpose_matrices(const hlo_strided_map *map, int rows, int64_t count, const char *from, char *to) {
  int last = map->rank - 1, bytes = map->element_bytes;
  for (; count > 0; count--, from += map->in_strides[rows], to += map->out_strides[rows])
    tiles_functions[bytes == 8 ? 3 : bytes / 2](from, map->in_strides[last], to, map->out_strides[last - 1], map->dims[last - 1], map->dims[last]);
}

/* Copies `count` rows along dimension `rows`. */
typedef void rows_function(const hlo_strided_map *map, int rows, int64_t count, const char *from, char *to);

/* Returns how a copy goes best, and the dimension of its rows; NULL: row after row. */
static HLO_SMALL rows_function *way_of(const hlo_strided_map *map, int *rows) {
  int last = map->rank - 1, bytes = map->element_bytes;
  if (last < 1) return NULL;
  int64_t columns = map->dims[last];
  *rows = transposed_dimension(map);
  if (*rows == last - 1 && last > 1 && columns <= SHORT && map->dims[last - 1] <= SHORT && map->dims[last - 2] > SHORT) { /* many small matrices */
    *rows = last - 2;
    return columns * map->dims[last - 1] >= MANY && bytes < 16 && columns % (16 / bytes) == 0 && map->dims[last - 1] % (16 / bytes) == 0 ? transpose_matrices : copy_columns;
  }
  if (*rows >= 0) return columns < 16 / bytes ? copy_columns : transpose;
  *rows = last - 1 - (last > 1 && map->dims[last - 1] < SHORT && map->dims[last - 1] < map->dims[last - 2]);
  if (map->in_strides[last] == bytes && map->out_strides[last] == bytes && columns * bytes >= 8) return columns * bytes <= LONGEST_RUN ? copy_runs : NULL;
  return columns < SHORT && columns < map->dims[*rows] ? copy_columns : NULL;
}

HLO_SMALL void hlo_strided_copy_simd128(const hlo_strided_map *map, const void *in, void *out) {
  int rows, last = map->rank - 1;
  rows_function *copy = way_of(map, &rows);
  if (!copy || hlo_box_is_empty(map->dims, map->rank)) {
    hlo_strided_copy_scalar(map, in, out);
    return;
  }
  hlo_strided_map outer = *map; /* all dimensions but those of columns, of rows, and of groups of rows that lie within these */
  bool is_transpose = copy == transpose || copy == transpose_matrices;
  int64_t groups = rows == last - 2 && !is_transpose ? map->dims[last - 1] : 1, most = copy == transpose ? map->dims[rows] : NEAR_ROWS;
  if (groups > 1 && map->in_strides[rows] > NEAR_BYTES / NEAR_ROWS) most = NEAR_BYTES / map->in_strides[rows] + 1;
  for (int d = last; d >= rows; d--)
    if (d == last || d == rows || groups > 1 || copy == transpose_matrices) remove_dimension(&outer, d);
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  const char *from = in;
  char *to = out;
  do
    for (int64_t row = 0; row < map->dims[rows]; row += most)
      for (int64_t group = 0; group < groups; group++)
        copy(map, rows, least(map->dims[rows] - row, most), from + row * map->in_strides[rows] + group * map->in_strides[last - 1],
             to + row * map->out_strides[rows] + group * map->out_strides[last - 1]);
  while (hlo_strided_map_next(&outer, outer.rank, index, &from, &to));
}
