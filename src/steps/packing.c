#include "steps/packing.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/convert/widen.h"
#include "kernels/move/strided_copy.h"
#include "kernels/product/dot.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shared_array.h"
#include "steps/widened_steps.h"

/* What comes before packing: widening, and copying into the order free, contracting. Absent: as it is. */
typedef struct preparation {
  hlo_widen_kernel *widen;
  int64_t count, wide_bytes; /* of all elements, widened */
  int64_t copies;            /* `copy` is to be done */
  hlo_strided_map copy;
} preparation;

/* Prepares in two blocks, one after the other. Returns the last of them, or `dense` itself. */
static const void *prepare(const preparation *p, const void *dense, void *wide, void *copy) {
  if (p->widen) p->widen(dense, p->count, wide);
  const void *elements = p->widen ? wide : dense;
  if (p->copies) hlo_strided_copy_simd128(&p->copy, elements, copy);
  return p->copies ? copy : elements;
}

static preparation preparation_of(const hlo_kernel_question *question) {
  preparation p;
  memset(&p, 0, sizeof p); /* with what lies between members: geometries are compared byte by byte */
  p.widen = hlo_widened_widening(question, 1);
  p.count = hlo_shape_element_count(hlo_kernel_operand(question, 1));
  p.wide_bytes = hlo_widened_bytes(question, hlo_kernel_operand(question, 1));
  return p;
}

/* ---- Dots ---- */

typedef struct dot_geometry {
  preparation before;
  hlo_dot dot; /* n, k and the strides of rhs; all else is 0 but m, which is 2: of one row, the product might be better transposed */
  int64_t type;
} dot_geometry;

static bool pack_dot(const void *geometry, const void *dense, void *packed) {
  const dot_geometry *g = geometry;
  void *wide = g->before.widen ? malloc((size_t)g->before.wide_bytes) : NULL, *copy = g->before.copies ? malloc((size_t)g->before.wide_bytes) : NULL;
  bool has_memory = (wide || !g->before.widen) && (copy || !g->before.copies);
  if (has_memory) hlo_dot_pack_rhs(&g->dot, (hlo_dot_type)g->type, prepare(&g->before, dense, wide, copy), packed);
  free(wide);
  free(copy);
  return has_memory;
}

/* Swaps what a copy reads and what it writes. Every element of the operand is copied once. */
static hlo_strided_map inverse(const hlo_strided_map *copy) {
  hlo_strided_map map = *copy;
  memcpy(map.in_strides, copy->out_strides, sizeof map.in_strides);
  memcpy(map.out_strides, copy->in_strides, sizeof map.out_strides);
  hlo_strided_map_simplify(&map);
  return map;
}

static bool unpack_dot(const void *geometry, const void *packed, void *dense) {
  const dot_geometry *g = geometry;
  if (!g->before.copies) return hlo_dot_unpack_rhs(&g->dot, (hlo_dot_type)g->type, packed, dense), true;
  void *copy = malloc((size_t)g->before.wide_bytes);
  hlo_strided_map back = inverse(&g->before.copy);
  if (copy) {
    hlo_dot_unpack_rhs(&g->dot, (hlo_dot_type)g->type, packed, copy);
    hlo_strided_copy_simd128(&back, copy, dense);
  }
  free(copy);
  return copy != NULL;
}

const hlo_packed *hlo_pack_dot(const hlo_kernel_question *question, const hlo_batched_dot *p) {
  size_t bytes = p->batch_count == 1 ? hlo_dot_packed_bytes(&p->dot, p->type) : 0;
  if (!bytes) return NULL;
  dot_geometry g;
  memset(&g, 0, sizeof g);
  g.before = preparation_of(question);
  g.before.copies = p->rhs.copied;
  if (p->rhs.copied) g.before.copy = p->rhs.copy;
  g.dot.m = 2;
  g.dot.n = p->dot.n, g.dot.k = p->dot.k;
  g.dot.rhs_k_stride = p->dot.rhs_k_stride, g.dot.rhs_n_stride = p->dot.rhs_n_stride;
  g.type = p->type;
  hlo_packing packing = {.pack = pack_dot, .unpack = g.before.widen ? NULL : unpack_dot, .geometry = &g, .geometry_bytes = sizeof g, .packed_bytes = bytes};
  return hlo_kernel_pack(question, 1, &packing, !p->rhs.copied && hlo_dot_gains_packed(&p->dot, p->type));
}

/* ---- Dots of bytes ---- */

static bool pack_byte_dot(const void *geometry, const void *dense, void *packed) {
  const hlo_byte_dot *p = geometry;
  void *copy = malloc((size_t)(p->dot.n * p->k) + 1), *elements = malloc((size_t)(p->dot.n * p->dot.k * 4) + 1);
  bool has_memory = copy && elements;
  if (has_memory)
    hlo_dot_pack_rhs(&p->dot, hlo_byte_dot_type(&p->operands[1]), hlo_byte_dot_make(&p->operands[1], dense, copy, elements), packed);
  free(copy);
  free(elements);
  return has_memory;
}

const hlo_packed *hlo_pack_byte_dot(const hlo_kernel_question *question, const hlo_byte_dot *dot) {
  hlo_dot_type type = hlo_byte_dot_type(&dot->operands[1]);
  size_t bytes = dot->operands[0].batch == 1 ? hlo_dot_packed_bytes(&dot->dot, type) : 0;
  if (!bytes) return NULL;
  hlo_byte_dot g;
  memset(&g, 0, sizeof g);
  g.operands[1] = dot->operands[1];
  g.operands[1].offset = 0;
  g.k = dot->k;
  g.dot = dot->dot;
  g.dot.m = 2, g.dot.lhs_m_stride = g.dot.lhs_k_stride = g.dot.out_m_stride = g.dot.out_n_stride = 0;
  hlo_packing packing = {.pack = pack_byte_dot, .geometry = &g, .geometry_bytes = sizeof g, .packed_bytes = bytes};
  hlo_dot seen = dot->dot;
  seen.rhs_n_stride = 0; /* what few rows read is not in place: it would have to be made for each run */
  return hlo_kernel_pack(question, 1, &packing, hlo_dot_gains_packed(&seen, type));
}

/* ---- Convolutions ---- */

typedef struct convolution_geometry {
  preparation before;
  hlo_convolution convolution;
} convolution_geometry;

static bool pack_convolution(const void *geometry, const void *dense, void *packed) {
  const convolution_geometry *g = geometry;
  void *wide = g->before.widen ? malloc((size_t)g->before.wide_bytes) : NULL;
  if (g->before.widen && !wide) return false;
  hlo_convolution_pack(&g->convolution, prepare(&g->before, dense, wide, NULL), packed);
  free(wide);
  return true;
}

/* Packs the numbers of the elements, which says where each went; 0 is filling. */
static bool unpack_convolution(const void *geometry, const void *packed, void *dense) {
  const convolution_geometry *g = geometry;
  size_t bytes = hlo_convolution_packed_bytes(&g->convolution), words = (size_t)hlo_dot_bytes(g->convolution.type) / sizeof(uint32_t);
  uint32_t *numbers = calloc(1, (size_t)g->before.wide_bytes), *places = malloc(bytes); /* of doubles, the first words are numbered */
  for (size_t i = 0; numbers && i < (size_t)g->before.count; i++) numbers[i * words] = (uint32_t)i + 1;
  if (numbers && places) hlo_convolution_pack(&g->convolution, (const float *)numbers, places);
  for (size_t i = 0; numbers && places && i < bytes / sizeof *places; i += words)
    for (size_t w = 0; w < words && places[i]; w++) ((uint32_t *)dense)[(places[i] - 1) * words + w] = ((const uint32_t *)packed)[i + w];
  bool has_memory = numbers && places;
  free(numbers);
  free(places);
  return has_memory;
}

const hlo_packed *hlo_pack_convolution(const hlo_kernel_question *question, const hlo_convolution *convolution) {
  size_t bytes = hlo_convolution_packed_bytes(convolution);
  if (!bytes) return NULL;
  convolution_geometry g;
  memset(&g, 0, sizeof g);
  g.before = preparation_of(question);
  g.convolution = hlo_convolution_kernel_of(convolution);
  hlo_packing packing = {.pack = pack_convolution, .unpack = g.before.widen ? NULL : unpack_convolution, .geometry = &g, .geometry_bytes = sizeof g,
                         .packed_bytes = bytes};
  return hlo_kernel_pack(question, 1, &packing, true);
}

typedef struct byte_convolution_geometry {
  hlo_byte_dot_operand kernel;
  hlo_convolution convolution;
} byte_convolution_geometry;

static bool pack_byte_convolution(const void *geometry, const void *dense, void *packed) {
  const byte_convolution_geometry *g = geometry;
  int64_t rows = g->kernel.batch * g->kernel.free;
  void *copy = malloc((size_t)(rows * g->kernel.k)), *elements = malloc((size_t)(rows * hlo_byte_dot_length(&g->kernel) * 4));
  bool has_memory = copy && elements;
  if (has_memory) hlo_convolution_pack(&g->convolution, hlo_byte_dot_make(&g->kernel, dense, copy, elements), packed);
  free(copy);
  free(elements);
  return has_memory;
}

const hlo_packed *hlo_pack_byte_convolution(const hlo_kernel_question *question, const hlo_byte_convolution *p) {
  size_t bytes = hlo_convolution_packed_bytes(&p->convolution);
  if (!bytes) return NULL;
  byte_convolution_geometry g;
  memset(&g, 0, sizeof g);
  g.kernel = p->operands[1];
  g.kernel.offset = 0;
  g.convolution = hlo_convolution_kernel_of(&p->convolution);
  hlo_packing packing = {.pack = pack_byte_convolution, .geometry = &g, .geometry_bytes = sizeof g, .packed_bytes = bytes};
  return hlo_kernel_pack(question, 1, &packing, true);
}

/* ---- Integers of 4 bits ---- */

typedef struct nibble_geometry {
  int64_t k, n, k_stride, n_stride, offset, is_signed;
} nibble_geometry;

static bool pack_nibbles(const void *geometry, const void *dense, void *packed) {
  const nibble_geometry *g = geometry;
  hlo_nibble_pack((const char *)dense + g->offset, g->k_stride, g->n_stride, g->k, g->n, g->is_signed, packed);
  return true;
}

static bool unpack_nibbles(const void *geometry, const void *packed, void *dense) {
  const nibble_geometry *g = geometry;
  hlo_nibble_unpack(packed, g->k_stride, g->n_stride, g->k, g->n, g->is_signed, dense);
  return true;
}

const hlo_packed *hlo_pack_nibbles(const hlo_kernel_question *question, const hlo_literal *literal, const hlo_narrow_form *form) {
  nibble_geometry g = {.k = form->k, .n = form->n, .k_stride = form->k_stride, .n_stride = form->n_stride, .offset = form->offset,
                       .is_signed = literal->shape->type == HLO_TYPE_S4};
  bool is_whole = g.offset == 0 && g.k * g.n == hlo_shape_element_count(literal->shape);
  hlo_packing packing = {.pack = pack_nibbles, .unpack = is_whole ? unpack_nibbles : NULL, .geometry = &g, .geometry_bytes = sizeof g,
                         .packed_bytes = hlo_nibble_bytes(form->k, form->n)};
  return hlo_kernel_pack_constant(question, literal, &packing, true);
}

typedef struct values_geometry {
  int64_t is_f16, bytes, n_stride, g_stride, n, groups;
} values_geometry;

/* Kernels read f16 as if there were no infinity or NaN: where there are, arrays stay as they are. */
static bool are_finite(const uint16_t *halves, int64_t count) {
  uint16_t most = 0;
  for (int64_t i = 0; i < count; i++) most = (halves[i] & 0x7fff) > most ? halves[i] & 0x7fff : most;
  return most < 0x7c00;
}

static bool pack_values(const void *geometry, const void *dense, void *packed) {
  const values_geometry *g = geometry;
  if (g->is_f16 && !are_finite(dense, g->n * g->groups)) return false;
  hlo_nibble_values_copy(dense, g->bytes, g->n_stride, g->g_stride, g->n, g->groups, true, packed);
  return true;
}

static bool unpack_values(const void *geometry, const void *packed, void *dense) {
  const values_geometry *g = geometry;
  hlo_nibble_values_copy(packed, g->bytes, g->n_stride, g->g_stride, g->n, g->groups, false, dense);
  return true;
}

const hlo_packed *hlo_pack_nibble_values(const hlo_kernel_question *question, const hlo_literal *literal, const hlo_narrow_form *form, const hlo_narrow_values *values) {
  values_geometry g = {.is_f16 = values->format == HLO_NARROW_F16, .bytes = hlo_narrow_bytes(values->format), .n_stride = values->n_stride, .g_stride = values->g_stride, .n = form->n, .groups = form->k / form->group};
  bool is_whole = values->n_stride && values->g_stride && values->offset == 0 && g.n * g.groups == hlo_shape_element_count(literal->shape);
  if (!is_whole || g.n % HLO_F32_DOT_PANEL) return NULL;
  hlo_packing packing = {.pack = pack_values, .unpack = unpack_values, .geometry = &g, .geometry_bytes = sizeof g, .packed_bytes = (size_t)(g.n * g.groups * g.bytes)};
  return hlo_kernel_pack_constant(question, literal, &packing, false);
}
