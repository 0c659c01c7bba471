/* Functions that inference rules share: messages, results under construction, comparing, checks. */
#include "infer/rules.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/status.h"
#include "graph/opcode.h"
#include "shape/dims.h"

/* ---- Refusing ---- */

/* Returns how many operands the starred name number `starred` stands for. */
static int repeats(const hlo_infer *infer, int plain, int stars, int starred) {
  int rest = infer->operand_count - plain;
  if (infer->instruction->opcode == HLO_OP_SCAN) { /* inputs and inits differ in number */
    int inits = (int)hlo_instruction_int(infer->instruction, HLO_ATTR_num_carries, 0);
    return starred == 0 ? rest - inits : inits;
  }
  return stars ? rest / stars : 0;
}

/* Writes the name of an operand: "lhs", "operands[2]", "init_values[0]". */
static const char *operand_text(const hlo_infer *infer, int operand, char *buffer, size_t size) {
  const char *names = hlo_op(infer->instruction->opcode)->operands;
  int stars = 0, plain = *names != 0;
  for (const char *c = names; *c; c++) {
    plain += *c == ' ';
    stars += *c == '*';
  }
  plain -= stars;
  int first = 0, starred = 0;
  while (*names) {
    int length = (int)strcspn(names, " "), is_starred = names[length - 1] == '*';
    int count = is_starred ? repeats(infer, plain, stars, starred++) : 1;
    if (operand < first + count) {
      if (is_starred) hlo_format(buffer, size, "%.*s[%d]", length - 1, names, operand - first);
      else hlo_format(buffer, size, "%.*s", length, names);
      return buffer;
    }
    first += count;
    names += length;
    names += *names == ' ';
  }
  hlo_format(buffer, size, "operands[%d]", operand);
  return buffer;
}

static const char *thing_text(const void *context, char letter, const void *thing, char *buffer, size_t size) {
  const hlo_infer *infer = context;
  const hlo_shape *const *operand = thing;
  if (letter == 'S') return hlo_shape_text(thing, buffer, size);
  return operand ? operand_text(infer, (int)(operand - infer->operands), buffer, size) : "the result";
}

static const hlo_shape *refuse(const hlo_infer *infer, hlo_code code, const char *format, va_list arguments) {
  char rule[HLO_STATUS_MESSAGE_BYTES];
  hlo_format_things(rule, sizeof rule, thing_text, infer, format, arguments);
  hlo_fail(infer->status, code, "%s: %s", hlo_op_name(infer->instruction->opcode), rule);
  return NULL;
}

const hlo_shape *hlo_refuse(const hlo_infer *infer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  refuse(infer, HLO_SHAPE, format, arguments);
  va_end(arguments);
  return NULL;
}

const hlo_shape *hlo_refuse_unsupported(const hlo_infer *infer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  refuse(infer, HLO_UNSUPPORTED, format, arguments);
  va_end(arguments);
  return NULL;
}

/* ---- Results under construction ---- */

hlo_extents hlo_extents_of(const hlo_shape *shape) {
  hlo_extents extents = {.rank = shape->rank};
  for (int i = 0; i < shape->rank; i++) {
    extents.sizes[i] = shape->dims[i];
    extents.kinds[i] = (uint8_t)hlo_shape_dim_kind(shape, i);
  }
  return extents;
}

bool hlo_extents_push(const hlo_infer *infer, hlo_extents *extents, int64_t size, hlo_dim_kind kind) {
  if (extents->rank == HLO_MAX_RANK)
    return hlo_refuse(infer, "the result would have more than %d dimensions", HLO_MAX_RANK);
  extents->sizes[extents->rank] = size;
  extents->kinds[extents->rank++] = (uint8_t)kind;
  return true;
}

bool hlo_extents_push_from(const hlo_infer *infer, hlo_extents *extents, const hlo_shape *shape, int64_t dimension) {
  return hlo_extents_push(infer, extents, shape->dims[dimension], hlo_shape_dim_kind(shape, (int)dimension));
}

bool hlo_extents_merge(hlo_extents *extents, const hlo_shape *shape) {
  if (extents->rank != shape->rank) return false;
  for (int i = 0; i < shape->rank; i++) {
    hlo_dim_kind kind = hlo_shape_dim_kind(shape, i);
    if (kind == HLO_DIM_UNBOUNDED) continue;
    if (extents->kinds[i] == HLO_DIM_UNBOUNDED) {
      extents->sizes[i] = shape->dims[i];
      extents->kinds[i] = (uint8_t)kind;
    } else if (extents->sizes[i] != shape->dims[i]) {
      return false;
    } else if (kind == HLO_DIM_BOUNDED) {
      extents->kinds[i] = HLO_DIM_BOUNDED;
    }
  }
  return true;
}

/* Passes on a shape that was made, or its failure with the op's name in front. */
static const hlo_shape *named(const hlo_infer *infer, const hlo_shape *made, const hlo_status *local) {
  if (!made) hlo_fail(infer->status, local->code, "%s: %s", hlo_op_name(infer->instruction->opcode), local->message);
  return made;
}

const hlo_shape *hlo_extents_shape(const hlo_infer *infer, hlo_type type, const hlo_extents *extents) {
  hlo_status local = {.code = HLO_OK};
  return named(infer, hlo_shape_make_dynamic(infer->arena, type, extents->sizes, extents->kinds, extents->rank, &local),
               &local);
}

const hlo_shape *hlo_scalar_shape(const hlo_infer *infer, hlo_type type) {
  return hlo_shape_make_scalar(infer->arena, type, infer->status);
}

const hlo_shape *hlo_tuple_shape(const hlo_infer *infer, const hlo_shape *const *elements, int count) {
  hlo_status local = {.code = HLO_OK};
  return named(infer, hlo_shape_make_tuple(infer->arena, elements, count, &local), &local);
}

const hlo_shape *hlo_shape_of_type(const hlo_infer *infer, const hlo_shape *shape, hlo_type type) {
  hlo_extents extents = hlo_extents_of(shape);
  return hlo_extents_shape(infer, type, &extents);
}

const hlo_shape *hlo_shape_without_layout(const hlo_infer *infer, const hlo_shape *shape) {
  if (hlo_shape_is_array(shape)) return hlo_shape_of_type(infer, shape, shape->type);
  if (!hlo_shape_is_tuple(shape)) return hlo_shape_copy(infer->arena, shape, infer->status);
  const hlo_shape **elements = hlo_arena_many(infer->arena, const hlo_shape *, shape->element_count, infer->status);
  if (!elements) return NULL;
  for (int i = 0; i < shape->element_count; i++)
    if (!(elements[i] = hlo_shape_without_layout(infer, shape->elements[i]))) return NULL;
  return hlo_shape_make_tuple(infer->arena, elements, shape->element_count, infer->status);
}

/* ---- Comparing ---- */

bool hlo_dims_agree(const hlo_shape *a, int64_t a_dim, const hlo_shape *b, int64_t b_dim) {
  return !hlo_dim_is_known(a, a_dim) || !hlo_dim_is_known(b, b_dim) || a->dims[a_dim] == b->dims[b_dim];
}

/* ---- Checks ---- */

bool hlo_check_array(const hlo_infer *infer, int operand) {
  if (hlo_shape_is_array(infer->operands[operand])) return true;
  return hlo_refuse(infer, "%pO must be an array, got %pS", infer->operands + operand, infer->operands[operand]);
}

bool hlo_check_arrays(const hlo_infer *infer, int first, int count) {
  for (int i = first; i < first + count; i++)
    if (!hlo_check_array(infer, i)) return false;
  return true;
}

bool hlo_check_token(const hlo_infer *infer, int operand) {
  if (hlo_shape_is_token(infer->operands[operand])) return true;
  return hlo_refuse(infer, "%pO must be a token, got %pS", infer->operands + operand, infer->operands[operand]);
}

bool hlo_check_integer(const hlo_infer *infer, int operand) {
  if (!hlo_check_array(infer, operand)) return false;
  if (hlo_type_is_integral(infer->operands[operand]->type)) return true;
  return hlo_refuse(infer, "%pO must have integer elements, got %pS", infer->operands + operand, infer->operands[operand]);
}

bool hlo_check_scalar(const hlo_infer *infer, int operand) {
  if (hlo_shape_is_scalar(infer->operands[operand])) return true;
  return hlo_refuse(infer, "%pO must be a scalar, got %pS", infer->operands + operand, infer->operands[operand]);
}

bool hlo_check_same_type(const hlo_infer *infer, int operand, int other) {
  if (infer->operands[operand]->type == infer->operands[other]->type) return true;
  const hlo_shape *const *first = infer->operands + operand, *const *second = infer->operands + other;
  return hlo_refuse(infer, "%pO and %pO must have the same element type, got %pO %pS and %pO %pS", first, second, first,
                    *first, second, *second);
}

bool hlo_check_at_least(const hlo_infer *infer, int count) {
  if (infer->operand_count >= count) return true;
  return hlo_refuse(infer, "takes at least %d operand%s (%s), got %d", count, count == 1 ? "" : "s",
                    hlo_op(infer->instruction->opcode)->operands, infer->operand_count);
}

bool hlo_check_dimension(const hlo_infer *infer, const char *attribute, int64_t dimension, int operand) {
  const hlo_shape *const *whose = operand == HLO_RESULT ? NULL : infer->operands + operand;
  const hlo_shape *shape = whose ? *whose : infer->instruction->shape;
  if (dimension >= 0 && dimension < shape->rank) return true;
  return hlo_refuse(infer, "%s must name a dimension of %pO %pS, got %lld", attribute, whose, shape, (long long)dimension);
}

static bool check_unique(const hlo_infer *infer, hlo_attribute_id attribute) {
  hlo_ints dims = *hlo_ints_of(infer, attribute);
  uint64_t seen = 0;
  for (int i = 0; i < dims.count; i++) {
    if (seen >> dims.data[i] & 1)
      return hlo_refuse(infer, "%s must not name a dimension twice, but holds %lld twice", hlo_attribute_name(attribute),
                        (long long)dims.data[i]);
    seen |= (uint64_t)1 << dims.data[i];
  }
  return true;
}

bool hlo_check_dimensions(const hlo_infer *infer, hlo_attribute_id attribute, int operand) {
  hlo_ints dims = *hlo_ints_of(infer, attribute);
  for (int i = 0; i < dims.count; i++)
    if (!hlo_check_dimension(infer, hlo_attribute_name(attribute), dims.data[i], operand)) return false;
  return check_unique(infer, attribute);
}

bool hlo_check_ascending(const hlo_infer *infer, hlo_attribute_id attribute) {
  hlo_ints dims = *hlo_ints_of(infer, attribute);
  for (int i = 1; i < dims.count; i++)
    if (dims.data[i - 1] >= dims.data[i])
      return hlo_refuse(infer, "%s must ascend, got %lld before %lld", hlo_attribute_name(attribute),
                        (long long)dims.data[i - 1], (long long)dims.data[i]);
  return true;
}

bool hlo_check_disjoint(const hlo_infer *infer, hlo_attribute_id attribute, hlo_attribute_id other) {
  hlo_ints dims = *hlo_ints_of(infer, attribute), others = *hlo_ints_of(infer, other);
  for (int i = 0; i < dims.count; i++)
    if (hlo_ints_contain(others, dims.data[i]))
      return hlo_refuse(infer, "%s and %s must have no dimension in common, but both hold %lld",
                        hlo_attribute_name(attribute), hlo_attribute_name(other), (long long)dims.data[i]);
  return true;
}

bool hlo_check_one_dimension(const hlo_infer *infer, int operand, int *dimension) {
  hlo_ints dims = *hlo_ints_of(infer, HLO_ATTR_dimensions);
  if (dims.count != 1) return hlo_refuse(infer, "dimensions must hold exactly one dimension, got %d", dims.count);
  if (!hlo_check_dimension(infer, "dimensions", dims.data[0], operand)) return false;
  *dimension = (int)dims.data[0];
  return true;
}

bool hlo_check_sizes(const hlo_infer *infer, hlo_attribute_id attribute) {
  const hlo_shape *operand = infer->operands[0];
  hlo_ints sizes = *hlo_ints_of(infer, attribute);
  const char *name = hlo_attribute_name(attribute);
  if (sizes.count != operand->rank)
    return hlo_refuse(infer, "%s must have a size for each of the %d dimensions of operand %pS, got %d", name, operand->rank,
                      operand, sizes.count);
  for (int d = 0; d < sizes.count; d++)
    if (sizes.data[d] < 0 || (hlo_dim_is_known(operand, d) && sizes.data[d] > operand->dims[d]))
      return hlo_refuse(infer, "%s must be from 0 to the size of the dimension, got %lld in dimension %d of operand %pS", name,
                        (long long)sizes.data[d], d, operand);
  return true;
}

bool hlo_check_dims_of(const hlo_infer *infer, hlo_extents *extents, int other, int operand) {
  const hlo_shape *const *first = infer->operands + other, *const *second = infer->operands + operand;
  return hlo_extents_merge(extents, *second) ||
         hlo_refuse(infer, "%pO must have the dimensions of %pO %pS, got %pS", second, first, *first, *second);
}

bool hlo_check_common_dims(const hlo_infer *infer, int first, int count, hlo_extents *extents) {
  if (!hlo_check_arrays(infer, first, count)) return false;
  *extents = hlo_extents_of(infer->operands[first]);
  for (int i = 1; i < count; i++)
    if (!hlo_check_dims_of(infer, extents, first, first + i)) return false;
  return true;
}
