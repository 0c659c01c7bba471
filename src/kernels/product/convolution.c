/* A convolution as matrix products, in one of two ways:
 *
 * - one product for each group: rows are windows (batch by position), columns are output features, and k runs over taps and,
 *   innermost, input features;
 * - where positions are contiguous in the output instead of features, one product for each group and image: rows are output features,
 *   columns are positions, and k runs over input features and, innermost, taps. */
#include "kernels/product/convolution.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/product/product.h"
#include "kernels/simd128.h"

/* Elements are one float, or the two words of a double: only their places matter to what gathers them. */
static ptrdiff_t words_of(const hlo_convolution *c) { return hlo_dot_bytes(c->type) / (ptrdiff_t)sizeof(float); }

/* The view of a convolution that gathers operands: one group and, where positions are columns, one image. */
typedef struct group {
  const hlo_convolution *convolution;
  const float *in, *kernel;
  const hlo_narrow_matrix *narrow; /* instead of `kernel`; or NULL */
  int64_t first;                   /* its column of the group's first output feature */
} group;

/* ---- Windows: rows of lhs ---- */

/* The window that is a row of the product: its image, and its position in that. */
typedef struct place {
  int64_t batch, coordinates[HLO_CONVOLUTION_MAX_SPATIAL];
} place;

static place place_of(const hlo_convolution *c, int64_t row) {
  place p = {.batch = row / c->positions};
  hlo_convolution_position(c, row - p.batch * c->positions, p.coordinates);
  return p;
}

/* Splits tap number `number` into its coordinates. */
static void split_tap(const hlo_convolution *c, int64_t number, int64_t *tap) {
  for (int d = c->spatial_rank - 1; d >= 0; d--) {
    tap[d] = number % c->dims[d].window;
    number /= c->dims[d].window;
  }
}

/* Returns the input coordinate that a window reads at a tap of one dimension; negative in padding and holes. */
static inline int64_t read_at(const hlo_convolution_dim *dim, int64_t coordinate, int64_t tap) {
  int64_t at = coordinate * dim->stride - dim->padding_low + tap * dim->window_dilation;
  if (dim->base_dilation != 1) {
    if (at < 0 || at % dim->base_dilation) return -1;
    at /= dim->base_dilation;
  }
  return at < dim->in_size ? at : -1;
}

/* Copies `count` elements of so many words that lie `stride` apart to contiguous ones. */
static void copy(const float *from, int64_t stride, ptrdiff_t count, ptrdiff_t words, float *to) {
  if (stride == 1) count *= words, words = 1;
  if (stride != 1 || count < 4) {
    for (; count > 0; count--, from += (ptrdiff_t)stride * words, to += words)
      for (ptrdiff_t i = 0; i < words; i++) to[i] = from[i];
    return;
  }
  const float *last = from + count - 4;
  float *last_to = to + count - 4;
  for (; from + 12 < last; from += 16, to += 16) {
    v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + 4), c = wasm_v128_load(from + 8), d = wasm_v128_load(from + 12);
    wasm_v128_store(to, a);
    wasm_v128_store(to + 4, b);
    wasm_v128_store(to + 8, c);
    wasm_v128_store(to + 12, d);
  }
  for (; from < last; from += 4, to += 4) wasm_v128_store(to, wasm_v128_load(from));
  wasm_v128_store(last_to, wasm_v128_load(last)); /* overlaps the vector before, unless count is a multiple of 4 */
}

static void clear(ptrdiff_t count, float *to) {
  for (ptrdiff_t i = 0; i < count; i++) to[i] = 0;
}

static int64_t between(int64_t low, int64_t value, int64_t high) { return value < low ? low : value > high ? high : value; }

/* The part of k that one copy reads: the features of one tap or, where these lie side by side in the input, the features of all taps of
 * the last dimension. */
typedef struct unit {
  const hlo_convolution *convolution;
  const hlo_convolution_dim *last;
  bool all_taps;
  int64_t tap;        /* of the last dimension, unless all_taps */
  int64_t begin, end; /* the elements of the unit that are asked for */
} unit;

/* The last dimension of a convolution without spatial dimensions. */
static const hlo_convolution_dim point = {.in_size = 1, .window = 1, .out_size = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1};

/* Copies elements begin to end of a unit for `count` windows, from coordinate x of the last dimension on, to floats `step` apart. `line`
 * is the input that these windows share; NULL: it is padding. */
static void copy_unit(const unit *u, const float *line, int64_t x, int count, float *to, ptrdiff_t step) {
  const hlo_convolution *c = u->convolution;
  int64_t begin = u->begin, end = u->end, stride = c->in_feature_stride;
  ptrdiff_t words = words_of(c);
  for (int i = 0; i < count; i++, x++, to += step) {
    int64_t first = begin, last = line ? end : begin, at = 0; /* what lies outside first to last is padding */
    if (!u->all_taps) {
      at = read_at(u->last, x, u->tap);
      if (at < 0) last = first;
    } else {
      at = x * u->last->stride - u->last->padding_low;
      if (at < 0 || at + u->last->window > u->last->in_size) {
        first = between(begin, -at * c->in_features, last);
        last = between(first, (u->last->in_size - at) * c->in_features, last);
      }
    }
    if (first < last) copy(line + (at * u->last->in_stride + first * stride) * words, stride, (ptrdiff_t)(last - first), words, to + (first - begin) * words);
    if (last - first == end - begin) continue;
    clear((ptrdiff_t)(first - begin) * words, to);
    clear((ptrdiff_t)(end - last) * words, to + (last - begin) * words);
  }
}

/* Returns the line of the input that windows of one line of the output read at a tap, by all dimensions but the last; NULL: padding. */
static const float *find_line(const hlo_convolution *c, const float *image, const int64_t *coordinates, const int64_t *tap) {
  for (int d = 0; d < c->spatial_rank - 1; d++) {
    int64_t at = read_at(&c->dims[d], coordinates[d], tap[d]);
    if (at < 0) return NULL;
    image += at * c->dims[d].in_stride * words_of(c);
  }
  return image;
}

static void gather_windows(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, void *panel) {
  const group *g = context;
  const hlo_convolution *c = g->convolution;
  int rank = c->spatial_rank;
  unit u = {.convolution = c, .last = rank ? &c->dims[rank - 1] : &point};
  bool is_dilated = u.last->window_dilation != 1 || u.last->base_dilation != 1;
  u.all_taps = c->in_feature_stride == 1 && u.last->in_stride == c->in_features && !is_dilated;
  int64_t taps = u.all_taps ? u.last->window : 1, length = taps * c->in_features;
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL];
  ptrdiff_t words = words_of(c);
  float *to = panel;
  for (int count; rows > 0; rows -= count, row += count, to += count * k_count * words) {
    place p = place_of(c, row);
    int64_t x = rank ? p.coordinates[rank - 1] : 0;
    count = u.last->out_size - x < rows ? (int)(u.last->out_size - x) : rows;
    split_tap(c, k_begin / length * taps, tap);
    for (int64_t k = 0; k < k_count; k += u.end - u.begin) {
      u.begin = (k_begin + k) % length;
      u.end = length - u.begin < k_count - k ? length : u.begin + k_count - k;
      u.tap = rank ? tap[rank - 1] : 0;
      const float *line = find_line(c, g->in + p.batch * c->in_batch_stride * words, p.coordinates, tap);
      copy_unit(&u, line, x, count, to + k * words, (ptrdiff_t)k_count * words);
      if (u.all_taps && rank) tap[rank - 1] = taps - 1;
      hlo_convolution_next_tap(c, tap);
    }
  }
}

/* ---- The kernel: panels of rhs ---- */

static void gather_kernel(const void *context, int64_t column, int columns, int64_t k_begin, int64_t k_count, void *panel) {
  const group *g = context;
  const hlo_convolution *c = g->convolution;
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL];
  split_tap(c, k_begin / c->in_features, tap);
  int64_t feature = k_begin % c->in_features;
  ptrdiff_t words = words_of(c);
  int bytes = hlo_dot_bytes(c->type), width = HLO_PRODUCT_PANEL_BYTES / bytes;
  for (int64_t left = k_count; left > 0; hlo_convolution_next_tap(c, tap)) {
    int64_t count = c->in_features - feature < left ? c->in_features - feature : left;
    int64_t place = hlo_convolution_kernel_offset(c, tap) + feature * c->kernel_in_stride + column * c->kernel_out_stride;
    hlo_pack_simd128(bytes, g->kernel + place * words, c->kernel_out_stride, c->kernel_in_stride, columns, width, count, panel);
    panel = (char *)panel + count * HLO_PRODUCT_PANEL_BYTES;
    left -= count;
    feature = 0;
  }
}

/* ---- Windows: columns of rhs ---- */

enum { COLUMNS = HLO_PRODUCT_PANEL_BYTES / sizeof(float) };

/* The places that the windows of a panel's positions read at one tap: offsets, in words, from the line of a feature; -1 is padding. */
typedef struct reading {
  int count, words; /* positions; of an element */
  int step; /* 1 or 2: as many places as a panel has, so far apart, of which only the first is set; 0: places are any */
  int32_t places[COLUMNS];
} reading;

static reading read_positions(const hlo_convolution_dim *dim, int64_t x, int count, int words, int64_t tap) {
  reading r = {.count = count, .words = words};
  int step = (int)(dim->stride * dim->in_stride);
  int64_t first = x * dim->stride - dim->padding_low + tap * dim->window_dilation, last = first + (count - 1) * dim->stride;
  /* with step 2, the last vector reads one element more than it uses */
  if (count * words == COLUMNS && (step == 1 || step == 2) && dim->base_dilation == 1 && first >= 0 && last + step - 1 < dim->in_size) {
    r.step = step;
    r.places[0] = (int32_t)(first * dim->in_stride) * words;
    return r;
  }
  for (int i = 0; i < count; i++) {
    int64_t at = read_at(dim, x + i, tap);
    r.places[i] = at < 0 ? -1 : (int32_t)(at * dim->in_stride) * words;
  }
  return r;
}

/* Copies what is read of `features` features, in_step apart, to rows of a panel, out_step apart. */
static void copy_reading(const reading *r, const float *line, float padding, ptrdiff_t in_step, int64_t features, float *to, ptrdiff_t out_step) {
  for (const float *from; features > 0; features--, line += in_step, to += out_step) {
    from = line + r->places[0];
    if (r->step == 1) {
      wasm_v128_store(to, wasm_v128_load(from));
      wasm_v128_store(to + 4, wasm_v128_load(from + 4));
    } else if (r->step == 2 && r->words == 2) {
      wasm_v128_store(to, wasm_i64x2_shuffle(wasm_v128_load(from), wasm_v128_load(from + 4), 0, 2));
      wasm_v128_store(to + 4, wasm_i64x2_shuffle(wasm_v128_load(from + 8), wasm_v128_load(from + 12), 0, 2));
    } else if (r->step == 2) {
      wasm_v128_store(to, wasm_i32x4_shuffle(wasm_v128_load(from), wasm_v128_load(from + 4), 0, 2, 4, 6));
      wasm_v128_store(to + 4, wasm_i32x4_shuffle(wasm_v128_load(from + 8), wasm_v128_load(from + 12), 0, 2, 4, 6));
    } else {
      for (int i = 0; i < r->count * r->words; i++) {
        int at = r->words == 2 ? i / 2 : i, place = r->places[at];
        to[i] = place < 0 ? padding : line[place + i - at * r->words];
      }
    }
  }
}

/* Returns the first feature i whose number in k, i * taps + tap, is at least k. */
static int64_t first_feature(int64_t k, int64_t tap, int64_t taps) { return hlo_ceil_div(k > tap ? k - tap : 0, taps); }

static void gather_positions(const void *context, int64_t column, int columns, int64_t k_begin, int64_t k_count, void *panel) {
  enum { KEPT = 16 };
  const group *g = context;
  const hlo_convolution *c = g->convolution;
  const hlo_convolution_dim *last = &c->dims[c->spatial_rank - 1];
  reading kept[KEPT], other; /* of taps along the last dimension, which are the same in all lines */
  bool all = k_begin == 0 && k_count == c->taps * c->in_features;
  int words = (int)words_of(c);
  float *to = panel, padding;
  memcpy(&padding, &c->padding, sizeof padding); /* both words of a double are 0 */
  if (columns * words < COLUMNS) clear((ptrdiff_t)(k_count * COLUMNS), to);
  for (int count; columns > 0; columns -= count, column += count, to += count * words) {
    int64_t coordinates[HLO_CONVOLUTION_MAX_SPATIAL], tap[HLO_CONVOLUTION_MAX_SPATIAL] = {0};
    hlo_convolution_position(c, column, coordinates);
    int64_t x = coordinates[c->spatial_rank - 1];
    count = last->out_size - x < columns ? (int)(last->out_size - x) : columns;
    const reading nothing = {.count = count, .words = words, .places = {-1, -1, -1, -1, -1, -1, -1, -1}};
    for (int64_t first = 0; first < c->taps; first += last->window) {
      const float *line = find_line(c, g->in, coordinates, tap);
      for (int64_t at = 0, t = first; at < last->window; at++, t++) {
        int64_t i = all ? 0 : first_feature(k_begin, t, c->taps), end = all ? c->in_features : first_feature(k_begin + k_count, t, c->taps);
        reading *r = at < KEPT ? &kept[at] : &other;
        if (t == at || at >= KEPT) *r = read_positions(last, x, count, words, at);
        copy_reading(line ? r : &nothing, line ? line + i * c->in_feature_stride * words : g->in, padding, line ? (ptrdiff_t)c->in_feature_stride * words : 0, end - i,
                     to + (i * c->taps + t - k_begin) * COLUMNS, (ptrdiff_t)(c->taps * COLUMNS));
      }
      tap[c->spatial_rank - 1] = last->window - 1;
      hlo_convolution_next_tap(c, tap);
    }
  }
}

static void gather_kernel_rows(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, void *panel) {
  const group *g = context;
  const hlo_convolution *c = g->convolution;
  ptrdiff_t words = words_of(c);
  int64_t tap[HLO_CONVOLUTION_MAX_SPATIAL] = {0};
  for (int64_t t = 0; t < c->taps; t++, hlo_convolution_next_tap(c, tap)) {
    int64_t first = hlo_convolution_kernel_offset(c, tap) + row * c->kernel_out_stride, end = first_feature(k_begin + k_count, t, c->taps);
    for (int r = 0; r < rows; r++)
      for (int64_t i = first_feature(k_begin, t, c->taps); i < end; i++) {
        int64_t to = r * k_count + i * c->taps + t - k_begin, from = first + r * c->kernel_out_stride + i * c->kernel_in_stride;
        for (ptrdiff_t w = 0; w < words; w++) ((float *)panel)[to * words + w] = g->kernel[from * words + w];
      }
  }
}

/* ---- Narrow kernels ---- */

static void gather_narrow_panels(const void *context, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, void *panels) {
  const group *g = context;
  hlo_narrow_panels(g->narrow, g->first + column, columns, k_begin, k_count, panels);
}

static void gather_narrow_rows(const void *context, int64_t row, int rows, int64_t k_begin, int64_t k_count, void *panel) {
  const group *g = context;
  for (int64_t k = 0, count; k < k_count; k += count) {
    count = k_count - k < HLO_NARROW_LINE ? k_count - k : HLO_NARROW_LINE;
    hlo_narrow_widen(g->narrow, g->first + row, rows, k_begin + k, count, (float *)panel + k, (ptrdiff_t)k_count);
  }
}

/* Returns whether the weights of an output feature lie in the order of k, where positions are columns: rows are then read in place. */
static bool has_kernel_rows(const hlo_convolution *c) {
  int64_t stride = 1;
  for (int d = c->spatial_rank - 1; d >= 0; stride *= c->dims[d--].window)
    if (c->dims[d].kernel_stride != stride) return false;
  return c->kernel_in_stride == stride;
}

/* ---- Results ---- */

/* Returns whether positions lie one stride apart in the output. *next is where the position after the last one would be. */
static bool has_even_positions(const hlo_convolution *c, int64_t *stride, int64_t *next) {
  *next = *stride = c->spatial_rank ? c->dims[c->spatial_rank - 1].out_stride : c->out_batch_stride;
  for (int d = c->spatial_rank - 1; d >= 0; d--) {
    if (c->dims[d].out_stride != *next && c->dims[d].out_size != 1) return false;
    *next *= c->dims[d].out_size;
  }
  return true;
}

bool hlo_convolution_has_columns(const hlo_convolution *c) {
  int64_t stride, next;
  bool fits = c->type < HLO_DOT_S16_PAIRS || c->in_feature_stride != 1;
  return fits && c->spatial_rank > 0 && c->out_feature_stride != 1 && c->out_features > 1 && has_even_positions(c, &stride, &next) && stride == 1;
}

static int64_t out_row(const void *context, int64_t row) {
  const hlo_convolution *c = ((const group *)context)->convolution;
  place p = place_of(c, row);
  return p.batch * c->out_batch_stride + hlo_convolution_out_offset(c, p.coordinates);
}

static bool is_empty(const hlo_convolution *c) { return c->taps * c->in_features == 0 || c->batch * c->positions * c->out_features == 0; }

static hlo_product product_of(const hlo_convolution *c, bool is_narrow) {
  hlo_product product = {.m = c->batch * c->positions, .n = c->out_features, .k = c->taps * c->in_features, .bytes = hlo_dot_bytes(c->type),
                         .tile = hlo_dot_tile(c->type),
                         .out_n_stride = c->out_feature_stride, .row_factor = c->row_factor};
  if (hlo_convolution_has_columns(c)) {
    product.m = c->out_features, product.out_m_stride = c->out_feature_stride;
    product.n = c->positions, product.out_n_stride = 1;
    product.gather_rhs = gather_positions;
    if (is_narrow) product.gather_lhs = gather_narrow_rows;
    else if (!has_kernel_rows(c)) product.gather_lhs = gather_kernel_rows;
    product.lhs_m_stride = c->kernel_out_stride, product.lhs_k_stride = 1;
    return product;
  }
  int64_t next;
  product.gather_lhs = gather_windows;
  if (is_narrow) product.gather_panels = gather_narrow_panels;
  else product.gather_rhs = gather_kernel;
  if (!has_even_positions(c, &product.out_m_stride, &next) || (c->batch > 1 && c->out_batch_stride != next)) product.out_row = out_row;
  return product;
}

static int64_t product_count(const hlo_convolution *c) { return c->groups * (hlo_convolution_has_columns(c) ? c->batch : 1); }

/* Returns whether each thread runs whole products, of which there are enough, or the team shares each one. */
static bool shares_products(const hlo_convolution *c, int threads) { return threads > 1 && product_count(c) >= 2 * threads; }

/* Returns the scratch of a thread that runs whole products. */
static size_t own_scratch(const hlo_product *product) { return (hlo_product_scratch_bytes(product, 1) + 63) / 64 * 64; }

static size_t scratch_bytes(const hlo_convolution *c, bool packed, bool is_narrow, int threads) {
  if (is_empty(c)) return 0;
  hlo_product product = product_of(c, is_narrow);
  if (packed) product.packed_rhs = c;
  return shares_products(c, threads) ? own_scratch(&product) * (size_t)threads : hlo_product_scratch_bytes(&product, threads);
}

size_t hlo_convolution_scratch_bytes(const hlo_convolution *c, bool packed, int threads) { return scratch_bytes(c, packed, false, threads); }
size_t hlo_convolution_narrow_scratch_bytes(const hlo_convolution *c, int threads) { return scratch_bytes(c, false, true, threads); }

/* Returns the size of one group's packed kernel. */
static size_t packed_bytes(const hlo_convolution *c) {
  hlo_product product = product_of(c, false);
  return (hlo_product_packed_bytes(&product) + 15) / 16 * 16;
}

size_t hlo_convolution_packed_bytes(const hlo_convolution *c) {
  return is_empty(c) || hlo_convolution_has_columns(c) ? 0 : packed_bytes(c) * (size_t)c->groups;
}

hlo_convolution hlo_convolution_kernel_of(const hlo_convolution *c) {
  hlo_convolution kernel;
  memset(&kernel, 0, sizeof kernel); /* with what lies between members: geometries are compared byte by byte */
  kernel.type = c->type;
  kernel.groups = c->groups, kernel.batch = 1, kernel.positions = 1;
  kernel.in_features = c->in_features, kernel.out_features = c->out_features;
  kernel.kernel_group_stride = c->kernel_group_stride, kernel.kernel_in_stride = c->kernel_in_stride;
  kernel.kernel_out_stride = c->kernel_out_stride, kernel.kernel_offset = c->kernel_offset;
  kernel.out_feature_stride = 1;
  kernel.taps = c->taps;
  kernel.spatial_rank = c->spatial_rank;
  for (int d = 0; d < c->spatial_rank; d++) {
    kernel.dims[d].window = c->dims[d].window;
    kernel.dims[d].kernel_stride = c->dims[d].kernel_stride;
  }
  return kernel;
}

void hlo_convolution_pack(const hlo_convolution *c, const float *kernel, void *packed) {
  hlo_product product = product_of(c, false);
  for (int64_t n = 0; n < c->groups; n++, packed = (char *)packed + packed_bytes(c)) {
    group context = {.convolution = c, .kernel = kernel + n * c->kernel_group_stride * words_of(c)};
    product.context = &context;
    hlo_product_pack_rhs(&product, packed);
  }
}

typedef struct products {
  const hlo_convolution *convolution;
  const hlo_product *product;
  const float *in;
  const void *kernel;
  const hlo_narrow_matrix *narrow;
  bool packed;
  float *out;
  const hlo_epilogue *epilogue;
  char *scratch;
  size_t scratch_step; /* from one thread's part to the next one's */
  hlo_team *team;      /* that shares each product; NULL: each thread runs whole products */
  int64_t share;       /* products in a unit of work */
} products;

static void run_products(void *context, int64_t unit, int thread) {
  const products *all = context;
  const hlo_convolution *c = all->convolution;
  hlo_product product = *all->product;
  int64_t count = product_count(c), images = count / c->groups;
  ptrdiff_t words = words_of(c);
  for (int64_t n = unit * all->share; n < count && n < (unit + 1) * all->share; n++) {
    int64_t number = n / images, image = n % images;
    group context = {c, all->in + (number * c->in_group_stride + image * c->in_batch_stride) * words,
                     all->packed || all->narrow ? NULL : (const float *)all->kernel + number * c->kernel_group_stride * words, all->narrow,
                     number * c->out_features};
    product.context = &context;
    if (hlo_convolution_has_columns(c) && !all->narrow) product.lhs = context.kernel + c->kernel_offset * words;
    hlo_product_epilogue epilogue = {&product, {all->epilogue, number * c->out_group_stride + image * c->out_batch_stride, thread}};
    if (all->epilogue) product.epilogue = hlo_product_run_epilogue, product.epilogue_context = &epilogue;
    product.out = all->out + epilogue.target.offset * words;
    if (all->packed) product.packed_rhs = (const char *)all->kernel + (size_t)number * packed_bytes(c);
    hlo_product_run(&product, hlo_team_scratch(all->scratch, all->scratch_step, thread), all->team);
  }
}

int64_t hlo_convolution_epilogue_width(const hlo_convolution *c) {
  if (is_empty(c)) return 0;
  return hlo_convolution_has_columns(c) ? c->positions : c->out_feature_stride == 1 ? c->out_features * c->groups : 0;
}

static void run(const hlo_convolution *c, const float *in, const void *kernel, const hlo_narrow_matrix *narrow, bool packed, float *out,
                void *scratch, const hlo_epilogue *epilogue, hlo_team *team) {
  assert(c->spatial_rank <= HLO_CONVOLUTION_MAX_SPATIAL);
  if (is_empty(c)) {
    clear((ptrdiff_t)(c->groups * c->batch * c->positions * c->out_features) * words_of(c), out); /* empty sums */
    return;
  }
  hlo_product product = product_of(c, narrow != NULL);
  if (packed) product.packed_rhs = kernel;
  int64_t count = product_count(c);
  double nanoseconds = (double)count * hlo_product_nanoseconds(product.m, product.n, product.k, product.bytes);
  products all = {c, &product, in, kernel, narrow, packed, out, epilogue, scratch, 0, team, count};
  if (shares_products(c, hlo_team_threads(team))) {
    all.scratch_step = own_scratch(&product);
    all.team = NULL;
    all.share = hlo_team_share(team, count, 1, nanoseconds);
  }
  if (all.team) run_products(&all, 0, 0); /* which has units of its own */
  else hlo_team_run(team, hlo_ceil_div(count, all.share), nanoseconds, run_products, &all);
}

void hlo_convolution_simd128(const hlo_convolution *c, const float *in, const void *kernel, bool packed, float *out, void *scratch,
                             const hlo_epilogue *epilogue, hlo_team *team) {
  run(c, in, kernel, NULL, packed, out, scratch, epilogue, team);
}

void hlo_convolution_narrow(const hlo_convolution *c, const float *in, const hlo_narrow_matrix *kernel, float *out, void *scratch,
                            const hlo_epilogue *epilogue, hlo_team *team) {
  run(c, in, NULL, kernel, false, out, scratch, epilogue, team);
}
