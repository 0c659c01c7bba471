/* Equality of attribute values, and a hash that equal values share. */
#include <string.h>

#include "base/text_reader.h"
#include "graph/attribute.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* ---- Equality ---- */

static bool same_real(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_ints(hlo_ints a, hlo_ints b) {
  return a.count == b.count && (a.count == 0 || memcmp(a.data, b.data, (size_t)a.count * sizeof *a.data) == 0);
}

static bool same_rows(const hlo_attribute *a, const hlo_attribute *b) {
  hlo_rows x = hlo_attribute_rows(a), y = hlo_attribute_rows(b);
  return same_ints((hlo_ints){x.values, x.rank * x.columns}, (hlo_ints){y.values, y.rank * y.columns});
}

static bool same_dim_labels(const hlo_dim_labels *a, const hlo_dim_labels *b) {
  size_t bytes = (size_t)a->spatial_rank * sizeof(int);
  return a->spatial_rank == b->spatial_rank && a->input_batch == b->input_batch && a->input_feature == b->input_feature &&
         a->kernel_input_feature == b->kernel_input_feature && a->kernel_output_feature == b->kernel_output_feature &&
         a->output_batch == b->output_batch && a->output_feature == b->output_feature &&
         memcmp(a->input_spatial, b->input_spatial, bytes) == 0 && memcmp(a->kernel_spatial, b->kernel_spatial, bytes) == 0 &&
         memcmp(a->output_spatial, b->output_spatial, bytes) == 0;
}

static bool same_groups(const hlo_groups *a, const hlo_groups *b) {
  if (a->count != b->count) return false;
  for (int i = 0; i < a->count; i++)
    if (!same_ints(a->groups[i], b->groups[i])) return false;
  return true;
}

static bool same_literal(const hlo_literal *a, const hlo_literal *b) {
  return hlo_shape_compatible(a->shape, b->shape) && hlo_literal_equal_bits(a, b);
}

bool hlo_attribute_equal(const hlo_attribute *a, const hlo_attribute *b) {
  if (a->id != b->id) return false;
  switch (hlo_attribute_kind_of(a->id)) {
  case HLO_KIND_INT: return a->integer == b->integer;
  case HLO_KIND_INTS: case HLO_KIND_COMPUTATIONS: case HLO_KIND_INSTRUCTIONS: return same_ints(a->ints, b->ints);
  case HLO_KIND_BOOL: return a->boolean == b->boolean;
  case HLO_KIND_FLOAT: return same_real(a->real, b->real);
  case HLO_KIND_STRING: case HLO_KIND_RAW: return hlo_span_equal(a->text, b->text);
  case HLO_KIND_WINDOW: case HLO_KIND_PADDING: case HLO_KIND_SLICE: return same_rows(a, b);
  case HLO_KIND_DIM_LABELS: return same_dim_labels(a->dim_labels, b->dim_labels);
  case HLO_KIND_COMPUTATION: return a->computation == b->computation;
  case HLO_KIND_SHAPE: return hlo_shape_equal(a->shape, b->shape);
  case HLO_KIND_GROUPS: return same_groups(a->groups, b->groups);
  case HLO_KIND_LITERAL: return same_literal(a->literal, b->literal);
  case HLO_KIND_QUANTIZATION: return hlo_quantization_equal(a->quantization, b->quantization);
  default: return a->enumerant == b->enumerant;
  }
}

/* ---- Hash ---- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
  const unsigned char *c = bytes;
  for (size_t i = 0; i < length; i++) hash = (hash ^ c[i]) * 0x100000001b3;
  return hash ^ hash >> 32;
}

static uint64_t hash_int(uint64_t hash, int64_t value) { return hash_bytes(hash, &value, sizeof value); }

static uint64_t hash_ints(uint64_t hash, hlo_ints ints) {
  return hash_bytes(hash_int(hash, ints.count), ints.data, (size_t)ints.count * sizeof *ints.data);
}

static uint64_t hash_rows(uint64_t hash, const hlo_attribute *attribute) {
  hlo_rows rows = hlo_attribute_rows(attribute);
  return hash_ints(hash, (hlo_ints){rows.values, rows.rank * rows.columns});
}

static uint64_t hash_groups(uint64_t hash, const hlo_groups *groups) {
  for (int i = 0; i < groups->count; i++) hash = hash_ints(hash, groups->groups[i]);
  return hash;
}

uint64_t hlo_attribute_hash(const hlo_attribute *a) {
  uint64_t hash = hash_int(0xcbf29ce484222325, a->id);
  switch (hlo_attribute_kind_of(a->id)) {
  case HLO_KIND_INT: return hash_int(hash, a->integer);
  case HLO_KIND_INTS: case HLO_KIND_COMPUTATIONS: case HLO_KIND_INSTRUCTIONS: return hash_ints(hash, a->ints);
  case HLO_KIND_BOOL: return hash_int(hash, a->boolean);
  case HLO_KIND_FLOAT: return hash_bytes(hash, &a->real, sizeof a->real);
  case HLO_KIND_STRING: case HLO_KIND_RAW: return hash_bytes(hash, a->text.text, a->text.length);
  case HLO_KIND_WINDOW: case HLO_KIND_PADDING: case HLO_KIND_SLICE: return hash_rows(hash, a);
  case HLO_KIND_DIM_LABELS: return hash_int(hash_int(hash, a->dim_labels->input_feature), a->dim_labels->kernel_input_feature);
  case HLO_KIND_COMPUTATION: return hash_int(hash, a->computation);
  case HLO_KIND_SHAPE: return hash_int(hash_int(hash, a->shape->type), a->shape->rank);
  case HLO_KIND_GROUPS: return hash_groups(hash, a->groups);
  case HLO_KIND_LITERAL: return hash_int(hash, (int64_t)hlo_literal_hash(a->literal));
  case HLO_KIND_QUANTIZATION:
    return hash_bytes(hash, a->quantization->scales, (size_t)a->quantization->count * sizeof *a->quantization->scales);
  default: return hash_int(hash, a->enumerant);
  }
}
