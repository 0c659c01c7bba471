/* Lowers ops that StableHLO took over from older dialects: einsum, unary_einsum, torch_index_select. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

enum { MAX_LABELS = HLO_MAX_RANK };

typedef struct labels {
  int count;
  char names[MAX_LABELS];
} labels;

static int position(const labels *l, char name) {
  for (int i = 0; i < l->count; i++)
    if (l->names[i] == name) return i;
  return -1;
}

/* Reads letters, all of them different. */
static bool read_labels(const hlo_lower_call *c, hlo_reader *reader, labels *l) {
  l->count = 0;
  for (;;) {
    char name = hlo_reader_peek(reader);
    bool letter = (name >= 'a' && name <= 'z') || (name >= 'A' && name <= 'Z');
    if (!letter) break;
    if (l->count == MAX_LABELS || position(l, name) >= 0)
      return hlo_lower_fail(c, HLO_UNSUPPORTED, "einsum_config with the label '%c' twice in one operand", name);
    l->names[l->count++] = name;
    reader->cursor++;
  }
  if (hlo_reader_peek(reader) == '.') return hlo_lower_fail(c, HLO_UNSUPPORTED, "einsum_config with an ellipsis");
  return true;
}

/* Reads "ab,bc->ac" or "ab->a". */
static bool read_config(const hlo_lower_call *c, labels *operands, int count, labels *result) {
  const hlo_mlir_attribute *config = hlo_mlir_find(c->op, "einsum_config");
  hlo_status status = {0};
  hlo_reader reader;
  if (!config || config->kind != HLO_MLIR_STRING) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute einsum_config, a string");
  hlo_reader_init(&reader, config->text.text, config->text.length, &status);
  for (int i = 0; i < count; i++) {
    if ((i && !hlo_reader_accept(&reader, ",")) || !read_labels(c, &reader, &operands[i])) break;
    if (i + 1 < count) continue;
    if (hlo_reader_accept(&reader, "->") && read_labels(c, &reader, result) && hlo_reader_at_end(&reader)) return true;
  }
  return hlo_ok(c->l->status) ? hlo_lower_fail(c, HLO_SHAPE, "einsum_config \"%pN\" is not of the form ab,bc->ac", &config->text) : false;
}

/* Sums over the labels that neither the other operand nor the result has, and removes them from the list. */
static int sum_alone(const hlo_lower_call *c, int operand, labels *l, const labels *other, const labels *result) {
  int64_t *dims = hlo_arena_many(c->l->arena, int64_t, l->count, c->l->status);
  int count = 0, kept = 0;
  for (int i = 0; dims && i < l->count; i++) {
    bool alone = position(result, l->names[i]) < 0 && (!other || position(other, l->names[i]) < 0);
    if (alone) dims[count++] = i;
    else l->names[kept++] = l->names[i];
  }
  l->count = kept;
  if (!dims || count == 0) return dims ? operand : -1;
  hlo_type type = hlo_lower_shape_of(c, operand)->type;
  int operands[2] = {operand, hlo_lower_scalar(c, type, hlo_scalar_zero(type))}, add = hlo_lower_function_of_two(c, "add", HLO_OP_ADD, type);
  hlo_attribute attributes[2] = {hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){dims, count}), hlo_lower_computation(HLO_ATTR_to_apply, add)};
  return operands[1] < 0 || add < 0 ? -1 : hlo_lower_emit(c, HLO_OP_REDUCE, NULL, operands, 2, attributes, 2);
}

/* Transposes dimensions labelled `from` into the order of `to`. */
static int reorder(const hlo_lower_call *c, int operand, const labels *from, const labels *to) {
  int64_t permutation[MAX_LABELS];
  for (int i = 0; i < to->count; i++)
    if ((permutation[i] = position(from, to->names[i])) < 0)
      return hlo_lower_fail(c, HLO_SHAPE, "no operand of einsum_config has the label '%c'", to->names[i]), -1;
  return hlo_lower_permute(c, operand, permutation);
}

static bool check_rank(const hlo_lower_call *c, int i, int operand, const labels *l) {
  int rank = hlo_lower_shape_of(c, operand)->rank;
  return rank == l->count ||
      hlo_lower_fail(c, HLO_SHAPE, "einsum_config has %d labels for operand %d of rank %d", l->count, i, rank);
}

bool hlo_lower_unary_einsum(const hlo_lower_call *c) {
  labels operand, result;
  int value = hlo_lower_operand(c, 0);
  if (value < 0 || !read_config(c, &operand, 1, &result) || !check_rank(c, 0, value, &operand)) return false;
  value = sum_alone(c, value, &operand, NULL, &result);
  return value >= 0 && (value = reorder(c, value, &operand, &result)) >= 0 && hlo_lower_results(c, value);
}

bool hlo_lower_einsum(const hlo_lower_call *c) {
  labels sides[2], result, product = {0};
  int values[2] = {hlo_lower_operand(c, 0), hlo_lower_operand(c, 1)};
  if (values[0] < 0 || values[1] < 0 || !read_config(c, sides, 2, &result)) return false;
  for (int i = 0; i < 2; i++)
    if (!check_rank(c, i, values[i], &sides[i]) || (values[i] = sum_alone(c, values[i], &sides[i], &sides[1 - i], &result)) < 0) return false;
  int64_t *dims[4]; /* batch and contracting dimensions, of lhs and rhs */
  int batch = 0, contracting = 0;
  for (int i = 0; i < 4; i++)
    if (!(dims[i] = hlo_arena_many(c->l->arena, int64_t, MAX_LABELS, c->l->status))) return false;
  for (int i = 0; i < sides[0].count; i++) {
    char name = sides[0].names[i];
    int other = position(&sides[1], name);
    if (other < 0) continue;
    bool kept = position(&result, name) >= 0;
    if (kept) product.names[product.count++] = name;
    dims[kept ? 0 : 2][kept ? batch : contracting] = i;
    dims[kept ? 1 : 3][kept ? batch++ : contracting++] = other;
  }
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < sides[side].count; i++)
      if (position(&sides[1 - side], sides[side].names[i]) < 0 && product.count < MAX_LABELS) product.names[product.count++] = sides[side].names[i];
  hlo_attribute attributes[4] = {hlo_lower_ints(HLO_ATTR_lhs_batch_dims, (hlo_ints){dims[0], batch}),
                                 hlo_lower_ints(HLO_ATTR_lhs_contracting_dims, (hlo_ints){dims[2], contracting}),
                                 hlo_lower_ints(HLO_ATTR_rhs_batch_dims, (hlo_ints){dims[1], batch}),
                                 hlo_lower_ints(HLO_ATTR_rhs_contracting_dims, (hlo_ints){dims[3], contracting})};
  int value = hlo_lower_emit(c, HLO_OP_DOT, NULL, values, 2, attributes, 4);
  return value >= 0 && (value = reorder(c, value, &product, &result)) >= 0 && hlo_lower_results(c, value);
}

/* A gather: result[batch.., before dim.., index.., after dim..] = operand[batch.., before.., index[batch.., index..], after..]. */
bool hlo_lower_torch_index_select(const hlo_lower_call *c) {
  int64_t dim, batch;
  const int *operands = hlo_lower_operands(c, 0, 2);
  if (!operands || !hlo_lower_required_int(c, "dim", &dim) || !hlo_lower_required_int(c, "batch_dims", &batch)) return false;
  const hlo_shape *operand = hlo_lower_shape_of(c, operands[0]), *index = hlo_lower_shape_of(c, operands[1]);
  if (!hlo_lower_is_known(c, operand)) return false;
  if (dim < 0) dim += operand->rank;
  if (batch < 0) batch += index->rank;
  if (dim < 0 || dim >= operand->rank || batch < 0 || batch > dim || batch > index->rank)
    return hlo_lower_fail(c, HLO_SHAPE, "dim %lld and batch_dims %lld do not fit %pS and %pS", (long long)dim, (long long)batch,
                          operand, index);
  int64_t *offsets = hlo_arena_many(c->l->arena, int64_t, operand->rank, c->l->status);
  int64_t *sizes = hlo_arena_many(c->l->arena, int64_t, operand->rank, c->l->status);
  int64_t *batches = hlo_arena_many(c->l->arena, int64_t, batch, c->l->status);
  int64_t *one = hlo_arena_copy(c->l->arena, &dim, sizeof dim, c->l->status);
  if (!offsets || !sizes || !batches || !one) return false;
  int count = 0;
  for (int64_t i = 0; i < operand->rank; i++) {
    bool whole = i >= batch && i != dim;
    sizes[i] = whole ? operand->dims[i] : 1;
    if (whole) offsets[count++] = i < dim ? i : i + index->rank - batch - 1;
    if (i < batch) batches[i] = i;
  }
  hlo_ints chosen = {one, 1}, batching = {batches, (int)batch};
  hlo_attribute attributes[7] = {hlo_lower_ints(HLO_ATTR_offset_dims, (hlo_ints){offsets, count}),
                                 hlo_lower_ints(HLO_ATTR_collapsed_slice_dims, chosen),
                                 hlo_lower_ints(HLO_ATTR_start_index_map, chosen),
                                 hlo_lower_ints(HLO_ATTR_operand_batching_dims, batching),
                                 hlo_lower_ints(HLO_ATTR_start_indices_batching_dims, batching),
                                 hlo_lower_int(HLO_ATTR_index_vector_dim, index->rank),
                                 hlo_lower_ints(HLO_ATTR_slice_sizes, (hlo_ints){sizes, operand->rank})};
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_GATHER, hlo_lower_result_shape(c, 0), operands, 2, attributes, 7));
}
