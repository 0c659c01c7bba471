/* Replaces batch-norm-* by element-wise ops and sums in f64, which round as the reference does (reference/ops/evaluate_batch_norm.c). */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

typedef struct norm {
  hlo_rewriter *r;
  const hlo_instruction *i;
  const hlo_shape *wide; /* the operand's shape, in f64 */
  int64_t feature;
  double count;          /* elements of one feature */
} norm;

static int constant(const norm *b, double value) { return hlo_add_scalar(b->r, HLO_TYPE_F64, (hlo_scalar){.f = value}); }
static int operand(const norm *b, int n) { return hlo_add_convert(b->r, b->i->operands[n], HLO_TYPE_F64); }
/* Broadcasts one value a feature over the whole array. */
static int spread(const norm *b, int vector) { return hlo_add_broadcast(b->r, vector, b->wide, &b->feature); }
static int of_features(const norm *b, hlo_opcode opcode, int vector, double value) {
  if (vector < 0) return HLO_KEEP;
  return hlo_add_binary(b->r, opcode, vector, hlo_add_broadcast(b->r, constant(b, value), hlo_rewriter_value(b->r, vector)->shape, NULL));
}

static int deviation(const norm *b, int variance) {
  double epsilon = (float)hlo_instruction_attribute(b->i, HLO_ATTR_epsilon)->real;
  return hlo_add_unary(b->r, HLO_OP_SQRT, of_features(b, HLO_OP_ADD, variance, epsilon));
}

static int sum(const norm *b, int array) {
  int64_t dimensions[HLO_MAX_RANK];
  int count = 0;
  for (int d = 0; d < b->wide->rank; d++)
    if (d != b->feature) dimensions[count++] = d;
  int add = hlo_add_binary_computation(b->r, HLO_OP_ADD, HLO_TYPE_F64, "sum_f64");
  return hlo_add_reduce(b->r, array, constant(b, 0), dimensions, count, add);
}

static int mean(const norm *b, int array) { return of_features(b, HLO_OP_DIVIDE, sum(b, array), b->count); }

#define BINARY(op, lhs, rhs) hlo_add_binary(b->r, HLO_OP_##op, lhs, rhs)

static int normalised(const norm *b, int x, int means, int variance) {
  int centred = BINARY(SUBTRACT, x, spread(b, means)), deviations = spread(b, deviation(b, variance));
  return BINARY(DIVIDE, centred, deviations);
}

static int scaled(const norm *b, int x, int means, int variance) {
  int scale = spread(b, operand(b, 1)), product = BINARY(MULTIPLY, scale, normalised(b, x, means, variance));
  return hlo_add_convert(b->r, BINARY(ADD, product, spread(b, operand(b, 2))), hlo_input(b->r, b->i, 0)->shape->type);
}

/* Adds a tuple of the arrays, converted to the declared types. */
static int results(const norm *b, const int *values) {
  int elements[3];
  for (int n = 0; n < 3; n++) elements[n] = hlo_add_convert(b->r, values[n], b->i->shape->elements[n]->type);
  return hlo_add_tuple(b->r, elements, 3);
}

static int training(const norm *b) {
  int x = operand(b, 0), means = mean(b, x), centred = BINARY(SUBTRACT, x, spread(b, means));
  int variance = mean(b, BINARY(MULTIPLY, centred, centred));
  return results(b, (int[]){scaled(b, x, means, variance), means, variance});
}

static int gradients(const norm *b) {
  int grad = operand(b, 4), x = operand(b, 0), means = operand(b, 2), variance = operand(b, 3);
  int hat = normalised(b, x, means, variance);
  int scale_total = sum(b, BINARY(MULTIPLY, grad, hat)), offset_total = sum(b, grad);
  int shifted = BINARY(SUBTRACT, grad, spread(b, of_features(b, HLO_OP_DIVIDE, offset_total, b->count)));
  int centred = BINARY(SUBTRACT, shifted, BINARY(MULTIPLY, hat, spread(b, of_features(b, HLO_OP_DIVIDE, scale_total, b->count))));
  int scale = operand(b, 1), factor = BINARY(DIVIDE, scale, deviation(b, variance));
  return results(b, (int[]){BINARY(MULTIPLY, spread(b, factor), centred), scale_total, offset_total});
}

int hlo_decompose_batch_norm(hlo_rewriter *r, const hlo_instruction *i) {
  bool known = i->opcode == HLO_OP_BATCH_NORM_TRAINING || i->opcode == HLO_OP_BATCH_NORM_INFERENCE || i->opcode == HLO_OP_BATCH_NORM_GRAD;
  if (!known) return HLO_KEEP;
  for (int n = 0; n < i->operand_count; n++)
    if (!hlo_shape_is_static(hlo_input(r, i, n)->shape) || hlo_input(r, i, n)->shape->quantization) return HLO_KEEP;
  const hlo_shape *shape = hlo_input(r, i, 0)->shape;
  norm b = {r, i, hlo_shape_for(r, HLO_TYPE_F64, shape->dims, shape->rank), hlo_instruction_int(i, HLO_ATTR_feature_index, 0), 1};
  if (!b.wide) return HLO_KEEP;
  for (int d = 0; d < shape->rank; d++)
    if (d != b.feature) b.count *= (double)shape->dims[d];
  if (i->opcode == HLO_OP_BATCH_NORM_TRAINING) return training(&b);
  if (i->opcode == HLO_OP_BATCH_NORM_GRAD) return gradients(&b);
  int x = operand(&b, 0), means = operand(&b, 3), variance = operand(&b, 4);
  return scaled(&b, x, means, variance);
}
