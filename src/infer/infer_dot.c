/* dot and ragged-dot: sums of products over contracting dimensions. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* ---- Element types of products ---- */

/* Returns whether sums of products of one type may be declared to have another: any floating-point type for floats, and a type that is not
 * narrower for others. Complex sums stay complex, and all may be declared so: JAX declares products of real arrays in an einsum of complex ones. */
static bool may_accumulate(hlo_type from, hlo_type to) {
  if (hlo_type_is_complex(to) || hlo_type_is_complex(from)) return hlo_type_is_complex(to);
  if (hlo_type_is_float(from)) return hlo_type_is_float(to);
  return hlo_type_bits(to) >= hlo_type_bits(from);
}

/* Returns the type of products: the complex one of two types, else the floating-point one, else the one with more bits. */
static hlo_type type_of_products(hlo_type a, hlo_type b) {
  if (hlo_type_is_complex(a) != hlo_type_is_complex(b)) return hlo_type_is_complex(a) ? a : b;
  if (hlo_type_is_float(a) != hlo_type_is_float(b)) return hlo_type_is_float(a) ? a : b;
  return hlo_type_bits(a) >= hlo_type_bits(b) ? a : b;
}

bool hlo_product_type(const hlo_infer *infer, hlo_type *type) {
  const hlo_shape *lhs = infer->operands[0], *rhs = infer->operands[1], *declared = infer->instruction->shape;
  if (!declared && !hlo_check_same_type(infer, 0, 1)) return false;
  *type = type_of_products(lhs->type, rhs->type);
  if (!declared || declared->type == *type) return true;
  if (!may_accumulate(*type, declared->type))
    return hlo_refuse(infer, "sums of products of %s cannot be declared as %pS", hlo_type_name(*type), declared);
  *type = declared->type;
  return true;
}

/* ---- Dimension numbers ---- */

hlo_dot_dims hlo_dot_dims_of(const hlo_instruction *instruction) {
  return (hlo_dot_dims){*hlo_instruction_ints(instruction, HLO_ATTR_lhs_batch_dims), *hlo_instruction_ints(instruction, HLO_ATTR_rhs_batch_dims),
                        *hlo_instruction_ints(instruction, HLO_ATTR_lhs_contracting_dims), *hlo_instruction_ints(instruction, HLO_ATTR_rhs_contracting_dims)};
}

static const hlo_attribute_id attributes_of_dims[] = {HLO_ATTR_lhs_batch_dims, HLO_ATTR_lhs_contracting_dims, HLO_ATTR_rhs_batch_dims, HLO_ATTR_rhs_contracting_dims};

int hlo_dot_attributes(const hlo_dot_dims *dims, hlo_attribute *attributes) {
  const hlo_ints *all[] = {&dims->lhs_batch, &dims->lhs_contracting, &dims->rhs_batch, &dims->rhs_contracting};
  int count = 0;
  for (int n = 0; n < HLO_DOT_ATTRIBUTES; n++)
    if (all[n]->count || n % 2) attributes[count++] = (hlo_attribute){.id = attributes_of_dims[n], .ints = *all[n]};
  return count;
}

bool hlo_is_dot_attribute(hlo_attribute_id id) {
  for (int n = 0; n < HLO_DOT_ATTRIBUTES; n++)
    if (attributes_of_dims[n] == id) return true;
  return false;
}

/* Checks a pair of attributes: both have the same number of dimensions, of the same sizes. */
static bool check_pair(const hlo_infer *infer, const char *what, hlo_ints lhs_dims, hlo_ints rhs_dims) {
  const hlo_shape *lhs = infer->operands[0], *rhs = infer->operands[1];
  if (lhs_dims.count != rhs_dims.count)
    return hlo_refuse(infer, "lhs and rhs must have as many %s dimensions as each other, got %d and %d", what,
                      lhs_dims.count, rhs_dims.count);
  for (int i = 0; i < lhs_dims.count; i++)
    if (!hlo_dims_agree(lhs, lhs_dims.data[i], rhs, rhs_dims.data[i]))
      return hlo_refuse(infer, "%s dimensions must have the same size, got dimension %lld of lhs %pS and dimension %lld of "
                               "rhs %pS",
                        what, (long long)lhs_dims.data[i], lhs, (long long)rhs_dims.data[i], rhs);
  return true;
}

static bool check_side(const hlo_infer *infer, int operand, hlo_attribute_id batch, hlo_attribute_id contracting) {
  return hlo_check_dimensions(infer, batch, operand) &&
         hlo_check_dimensions(infer, contracting, operand) &&
         hlo_check_disjoint(infer, batch, contracting);
}

static bool check_dot_dims(const hlo_infer *infer, const hlo_dot_dims *dims) {
  return check_side(infer, 0, HLO_ATTR_lhs_batch_dims, HLO_ATTR_lhs_contracting_dims) &&
         check_side(infer, 1, HLO_ATTR_rhs_batch_dims, HLO_ATTR_rhs_contracting_dims) &&
         check_pair(infer, "batch", dims->lhs_batch, dims->rhs_batch) &&
         check_pair(infer, "contracting", dims->lhs_contracting, dims->rhs_contracting);
}

/* Appends the dimensions that are neither batch, contracting nor group. */
static bool push_free(const hlo_infer *infer, hlo_extents *extents, const hlo_shape *shape, hlo_ints batch,
                      hlo_ints contracting, hlo_ints group) {
  for (int d = 0; d < shape->rank; d++)
    if (!hlo_ints_contain(batch, d) && !hlo_ints_contain(contracting, d) && !hlo_ints_contain(group, d) &&
        !hlo_extents_push_from(infer, extents, shape, d))
      return false;
  return true;
}

/* Appends a batch dimension with what is known of it on either side. */
static bool push_batch(const hlo_infer *infer, hlo_extents *extents, const hlo_dot_dims *dims) {
  const hlo_shape *lhs = infer->operands[0], *rhs = infer->operands[1];
  for (int i = 0; i < dims->lhs_batch.count; i++) {
    int64_t left = dims->lhs_batch.data[i], right = dims->rhs_batch.data[i];
    bool from_rhs = !hlo_dim_is_known(lhs, left) || hlo_shape_dim_kind(rhs, (int)right) == HLO_DIM_BOUNDED;
    if (!hlo_extents_push_from(infer, extents, from_rhs ? rhs : lhs, from_rhs ? right : left)) return false;
  }
  return true;
}

const hlo_shape *hlo_infer_dot(const hlo_infer *infer) {
  const hlo_shape *lhs = infer->operands[0], *rhs = infer->operands[1];
  hlo_extents extents = {0};
  hlo_ints no_group = {0};
  hlo_type type;
  if (!hlo_check_array(infer, 1) || !hlo_product_type(infer, &type)) return NULL;
  hlo_dot_dims dims = hlo_dot_dims_of(infer->instruction);
  if (!check_dot_dims(infer, &dims) || !push_batch(infer, &extents, &dims) ||
      !push_free(infer, &extents, lhs, dims.lhs_batch, dims.lhs_contracting, no_group) ||
      !push_free(infer, &extents, rhs, dims.rhs_batch, dims.rhs_contracting, no_group))
    return NULL;
  return hlo_extents_shape(infer, type, &extents);
}

/* ---- ragged-dot ---- */

/* Collects the dimensions of lhs that come before the ragged one among those of its kind (batch, free or contracting): group_sizes may have
 * sizes of its own for each of their indices. */
static bool outer_dims(const hlo_infer *infer, const hlo_dot_dims *dims, int64_t ragged, hlo_extents *outer) {
  const hlo_shape *lhs = infer->operands[0];
  for (int i = 0; i < dims->lhs_batch.count; i++) {
    if (dims->lhs_batch.data[i] == ragged) return true;
    if (!hlo_extents_push_from(infer, outer, lhs, dims->lhs_batch.data[i])) return false;
  }
  if (!hlo_ints_contain(dims->lhs_contracting, ragged)) {
    for (int d = 0; d < ragged; d++)
      if (!hlo_ints_contain(dims->lhs_batch, d) && !hlo_ints_contain(dims->lhs_contracting, d) &&
          !hlo_extents_push_from(infer, outer, lhs, d))
        return false;
    return true;
  }
  for (int i = 0; dims->lhs_contracting.data[i] != ragged; i++)
    if (!hlo_extents_push_from(infer, outer, lhs, dims->lhs_contracting.data[i])) return false;
  return true;
}

/* Checks that group_sizes is [g], or [outer.., g]. */
static bool check_group_sizes(const hlo_infer *infer, const hlo_dot_dims *dims, int64_t ragged) {
  const hlo_shape *sizes = infer->operands[2];
  hlo_extents outer = {0};
  if (!hlo_check_integer(infer, 2) || !outer_dims(infer, dims, ragged, &outer)) return false;
  bool fits = sizes->rank == 1;
  if (!fits && sizes->rank == outer.rank + 1) {
    if (!hlo_extents_push_from(infer, &outer, sizes, sizes->rank - 1)) return false;
    fits = hlo_extents_merge(&outer, sizes);
  }
  if (fits) return true;
  return hlo_refuse(infer, "group_sizes must have one dimension, or one for each dimension of lhs %pS outside the ragged "
                           "dimension %lld and then one for the groups, got %pS",
                    infer->operands[0], (long long)ragged, sizes);
}

static bool check_group_dims(const hlo_infer *infer, bool wanted) {
  const hlo_shape *rhs = infer->operands[1], *sizes = infer->operands[2];
  hlo_ints group = *hlo_ints_of(infer, HLO_ATTR_rhs_group_dims);
  if (group.count != wanted)
    return hlo_refuse(infer, "rhs_group_dims must hold %s where the ragged dimension is %s, got %d",
                      wanted ? "exactly one dimension" : "no dimension",
                      wanted ? "neither batch nor contracting" : "batch or contracting", group.count);
  if (!hlo_check_dimensions(infer, HLO_ATTR_rhs_group_dims, 1) ||
      !hlo_check_disjoint(infer, HLO_ATTR_rhs_group_dims, HLO_ATTR_rhs_batch_dims) ||
      !hlo_check_disjoint(infer, HLO_ATTR_rhs_group_dims, HLO_ATTR_rhs_contracting_dims))
    return false;
  if (!wanted || hlo_dims_agree(rhs, group.data[0], sizes, sizes->rank - 1)) return true;
  return hlo_refuse(infer, "rhs must have as many groups in dimension %lld as group_sizes has, got rhs %pS and group_sizes %pS",
                    (long long)group.data[0], rhs, sizes);
}

const hlo_shape *hlo_infer_ragged_dot(const hlo_infer *infer) {
  const hlo_shape *lhs = infer->operands[0], *rhs = infer->operands[1], *sizes = infer->operands[2];
  hlo_ints ragged = *hlo_ints_of(infer, HLO_ATTR_lhs_ragged_dims), group = *hlo_ints_of(infer, HLO_ATTR_rhs_group_dims);
  hlo_extents extents = {0};
  hlo_ints none = {0};
  hlo_type type;
  if (!hlo_check_array(infer, 1) || !hlo_product_type(infer, &type)) return NULL;
  hlo_dot_dims dims = hlo_dot_dims_of(infer->instruction);
  if (!check_dot_dims(infer, &dims) ||
      !hlo_check_dimensions(infer, HLO_ATTR_lhs_ragged_dims, 0))
    return NULL;
  if (ragged.count != 1)
    return hlo_refuse(infer, "lhs_ragged_dims must hold exactly one dimension, got %d", ragged.count);
  bool by_batch = hlo_ints_contain(dims.lhs_batch, ragged.data[0]);
  bool by_sum = hlo_ints_contain(dims.lhs_contracting, ragged.data[0]);
  if (!check_group_sizes(infer, &dims, ragged.data[0]) || !check_group_dims(infer, !by_batch && !by_sum)) return NULL;
  if (by_sum && !hlo_extents_push_from(infer, &extents, sizes, sizes->rank - 1)) return NULL;
  if (!push_batch(infer, &extents, &dims) ||
      !push_free(infer, &extents, lhs, dims.lhs_batch, dims.lhs_contracting, none) ||
      !push_free(infer, &extents, rhs, dims.rhs_batch, dims.rhs_contracting, group))
    return NULL;
  return hlo_extents_shape(infer, type, &extents);
}
