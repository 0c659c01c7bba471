/* batch-norm-training, -inference, -grad: normalisation over all dimensions but the feature one.
 *
 *   x^ = (x - mean) / sqrt(variance + epsilon)        y = scale * x^ + offset
 *   grad_x = scale / sqrt(variance + epsilon) * (grad_y - mean(grad_y) - x^ * mean(grad_y * x^))
 *   grad_scale = sum(grad_y * x^)                     grad_offset = sum(grad_y)
 *
 * Everything is computed in double, with compensated sums, and rounded once. */
#include <math.h>

#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/apply/wide.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/literal.h"

/* A walk over the elements of one feature, within actual sizes. It ends early where the run is aborted. */
typedef struct feature_walk {
  hlo_evaluation *evaluation;
  int rank;
  int64_t sizes[HLO_MAX_RANK], index[HLO_MAX_RANK];
  hlo_place place;
  double count; /* elements of one feature */
} feature_walk;

static feature_walk walk_of(hlo_evaluation *evaluation, const hlo_literal *operand, int feature_index) {
  feature_walk walk = {.evaluation = evaluation, .rank = operand->shape->rank, .place = hlo_place_of(operand)};
  hlo_sizes_of(operand, walk.sizes);
  walk.sizes[feature_index] = 1;
  walk.count = (double)hlo_box_count(walk.sizes, walk.rank);
  return walk;
}

/* Stands the walk on the first element of feature f; false if there is none. */
static bool begin_feature(feature_walk *walk, int feature_index, int64_t f) {
  walk->place.offset = f * walk->place.strides[feature_index];
  for (int d = 0; d < walk->rank; d++) walk->index[d] = 0;
  return walk->count > 0;
}
static bool next_element(feature_walk *walk) {
  return hlo_reference_tick(walk->evaluation, 1) && hlo_index_next(walk->sizes, walk->rank, walk->index);
}
static int64_t at(const feature_walk *walk) { return hlo_place_index(&walk->place, walk->rank, walk->index); }

static int feature_index_of(const hlo_instruction *instruction) {
  return (int)hlo_instruction_int(instruction, HLO_ATTR_feature_index, 0);
}
/* epsilon is a single-precision number in XLA, whatever the type of the operand. */
static double epsilon_of(const hlo_instruction *instruction) {
  return (float)hlo_instruction_attribute(instruction, HLO_ATTR_epsilon)->real;
}

/* Mean and variance of feature f; NaN where there are no elements. */
static void moments(const hlo_literal *operand, feature_walk *walk, int feature_index, int64_t f, double *mean,
                    double *variance) {
  hlo_sum sum = {0}, squares = {0};
  if (begin_feature(walk, feature_index, f))
    do hlo_sum_add(&sum, hlo_literal_real(operand, at(walk)));
    while (next_element(walk));
  *mean = hlo_sum_total(sum) / walk->count;
  if (begin_feature(walk, feature_index, f)) do {
      double deviation = hlo_literal_real(operand, at(walk)) - *mean;
      hlo_sum_add(&squares, deviation * deviation);
    } while (next_element(walk));
  *variance = hlo_sum_total(squares) / walk->count;
}

static void normalise(const hlo_literal *operand, feature_walk *walk, int feature_index, int64_t f, double scale,
                      double offset, double mean, double deviation, hlo_literal *result) {
  if (begin_feature(walk, feature_index, f))
    do hlo_literal_set_real(result, at(walk), scale * ((hlo_literal_real(operand, at(walk)) - mean) / deviation) + offset);
    while (next_element(walk));
}

bool hlo_reference_batch_norm_training(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                       const hlo_literal *const *operands, hlo_literal *result) {
  int feature_index = feature_index_of(instruction);
  feature_walk walk = walk_of(evaluation, operands[0], feature_index);
  for (int i = 0; i < 3; i++) hlo_literal_clear(result->elements[i]);
  hlo_reference_copy_sizes(result->elements[0], operands[0]);
  for (int64_t f = 0; f < hlo_literal_size(operands[0], feature_index) && hlo_ok(evaluation->status); f++) {
    double mean, variance;
    moments(operands[0], &walk, feature_index, f, &mean, &variance);
    normalise(operands[0], &walk, feature_index, f, hlo_literal_real(operands[1], f), hlo_literal_real(operands[2], f), mean,
              sqrt(variance + epsilon_of(instruction)), result->elements[0]);
    hlo_literal_set_real(result->elements[1], f, mean);
    hlo_literal_set_real(result->elements[2], f, variance);
  }
  return hlo_ok(evaluation->status);
}

bool hlo_reference_batch_norm_inference(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                        const hlo_literal *const *operands, hlo_literal *result) {
  int feature_index = feature_index_of(instruction);
  feature_walk walk = walk_of(evaluation, operands[0], feature_index);
  hlo_literal_clear(result);
  hlo_reference_copy_sizes(result, operands[0]);
  for (int64_t f = 0; f < hlo_literal_size(operands[0], feature_index) && hlo_ok(evaluation->status); f++)
    normalise(operands[0], &walk, feature_index, f, hlo_literal_real(operands[1], f), hlo_literal_real(operands[2], f),
              hlo_literal_real(operands[3], f),
              sqrt(hlo_literal_real(operands[4], f) + epsilon_of(instruction)), result);
  return hlo_ok(evaluation->status);
}

bool hlo_reference_batch_norm_grad(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                   const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0], *grad_output = operands[4];
  int feature_index = feature_index_of(instruction);
  feature_walk walk = walk_of(evaluation, operand, feature_index);
  for (int i = 0; i < 3; i++) hlo_literal_clear(result->elements[i]);
  hlo_reference_copy_sizes(result->elements[0], operand);
  for (int64_t f = 0; f < hlo_literal_size(operand, feature_index) && hlo_ok(evaluation->status); f++) {
    double scale = hlo_literal_real(operands[1], f), mean = hlo_literal_real(operands[2], f);
    double deviation = sqrt(hlo_literal_real(operands[3], f) + epsilon_of(instruction));
    hlo_sum grad_scale = {0}, grad_offset = {0};
    if (begin_feature(&walk, feature_index, f)) do {
        double grad = hlo_literal_real(grad_output, at(&walk));
        hlo_sum_add(&grad_scale, grad * ((hlo_literal_real(operand, at(&walk)) - mean) / deviation));
        hlo_sum_add(&grad_offset, grad);
      } while (next_element(&walk));
    double scale_total = hlo_sum_total(grad_scale), offset_total = hlo_sum_total(grad_offset);
    if (begin_feature(&walk, feature_index, f)) do {
        double normalised = (hlo_literal_real(operand, at(&walk)) - mean) / deviation;
        double grad = hlo_literal_real(grad_output, at(&walk));
        double centred = grad - offset_total / walk.count - normalised * (scale_total / walk.count);
        hlo_literal_set_real(result->elements[0], at(&walk), scale / deviation * centred);
      } while (next_element(&walk));
    hlo_literal_set_real(result->elements[1], f, scale_total);
    hlo_literal_set_real(result->elements[2], f, offset_total);
  }
  return hlo_ok(evaluation->status);
}
