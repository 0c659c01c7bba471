// Batch normalization.
import { refused, run } from './notation.js';

const SAME = 'epsilon=0, feature_index=1';

/** @type {import('./notation.js').Group} */
export default {
  title: 'Batch normalization',
  says: 'Numbers of one feature are moved and scaled to a mean of 0 and a variance of 1, then to what the network has learned.',
  operations: {
    'batch-norm-training': {
      names: 'BatchNormTraining',
      more: 'For each feature, the mean and the variance are taken over all other dimensions: y = scale · (x − mean) / √(variance + epsilon) + offset. The variance is divided by the count, not by one less.',
      gives: 'A tuple of y, with the operand’s shape, and the mean and the variance of each feature.',
      examples: [
        run('two features, followed by hand', 'x: f32[2,2] {{1, 10}, {3, 30}}; scale: f32[2] {1, 2}; offset: f32[2] {0, 5}', `batch-norm-training(x, scale, offset), ${SAME}`, 'f32[2,2] {{-1, 3}, {1, 7}}; f32[2] {2, 20}; f32[2] {1, 100}', { says: 'Feature 0 is 1 and 3: mean 2, variance 1, so −1 and 1. Feature 1 is 10 and 30: mean 20, variance 100, so −1 and 1 again; times 2, plus 5: 3 and 7.' }),
        run('epsilon', 'x: f32[2,1] {{4}, {4}}; scale: f32[1] {1}; offset: f32[1] {0}', 'batch-norm-training(x, scale, offset), epsilon=0.001, feature_index=1', 'f32[2,1] {{0}, {0}}; f32[1] {4}; f32[1] {0}', { says: 'All the same: without epsilon it would be 0 / 0.' }),
      ],
      rules: [
        refused('The feature is a dimension of the operand.', 'x: f32[2,3]; scale: f32[3]; offset: f32[3]', 'batch-norm-training(x, scale, offset), epsilon=0.001, feature_index=2', 'batch-norm-training: feature_index must name a dimension of operand f32[2,3], got 2'),
        refused('A scale for each feature.', 'x: f32[2,3]; scale: f32[2]; offset: f32[3]', 'batch-norm-training(x, scale, offset), epsilon=0.001, feature_index=1', 'batch-norm-training: scale must have one dimension of size 3, that of the features of operand f32[2,3], got f32[2]'),
        refused('One element type.', 'x: f32[2,3]; scale: f64[3]; offset: f32[3]', 'batch-norm-training(x, scale, offset), epsilon=0.001, feature_index=1', 'batch-norm-training: operand and scale must have the same element type, got operand f32[2,3] and scale f64[3]'),
        refused('Floats.', 'x: s32[2,3]; scale: s32[3]; offset: s32[3]', 'batch-norm-training(x, scale, offset), epsilon=0.001, feature_index=1', 'batch-norm-training: operand must have floating-point elements, got s32[2,3]'),
      ],
      cost: 'It becomes reductions and element-wise loops; of f32, the sums are f64. The operand is read for the mean, for the variance and for the result.',
    },
    'batch-norm-inference': {
      names: 'BatchNormInference',
      more: 'The same formula with the mean and the variance that training found.',
      gives: 'An array with the operand’s shape.',
      examples: [run('with what training gave', 'x: f32[2,2] {{1, 10}, {3, 30}}; scale: f32[2] {1, 2}; offset: f32[2] {0, 5}; mean: f32[2] {2, 20}; variance: f32[2] {1, 100}', `batch-norm-inference(x, scale, offset, mean, variance), ${SAME}`, 'f32[2,2] {{-1, 3}, {1, 7}}')],
      rules: [refused('A variance for each feature.', 'x: f32[2,3]; scale: f32[3]; offset: f32[3]; mean: f32[3]; variance: f32[2]', 'batch-norm-inference(x, scale, offset, mean, variance), epsilon=0.001, feature_index=1', 'batch-norm-inference: variance must have one dimension of size 3, that of the features of operand f32[2,3], got f32[2]')],
      old: ['that it computes the mean and the variance. It is given them: that is what tells it from training.'],
      cost: 'Element-wise loops: a short one over the features, and one over the operand, which fuses with its neighbours.',
    },
    'batch-norm-grad': {
      names: 'BatchNormGrad',
      more: 'The way back through training, with n numbers to a feature and g the gradient of y: of scale, Σ g · (x − mean) / √(variance + epsilon); of offset, Σ g; of the operand, scale / √(variance + epsilon) · (g − Σg / n − (x − mean) · Σ(g · (x − mean)) / (n · (variance + epsilon))).',
      gives: 'A tuple of the gradients of operand, scale and offset.',
      examples: [
        run('followed by hand', 'x: f32[4,1] {{1}, {3}, {1}, {3}}; scale: f32[1] {1}; mean: f32[1] {2}; variance: f32[1] {1}; g: f32[4,1] {{1}, {0}, {0}, {0}}', `batch-norm-grad(x, scale, mean, variance, g), ${SAME}`, 'f32[4,1] {{0.5}, {0}, {-0.5}, {0}}; f32[1] {-1}; f32[1] {1}', { says: 'Σg is 1, and Σ g · (x − mean) is −1. For the first number: 1 − 1/4 − (−1)(−1)/4 = 0.5; for the third: 0 − 1/4 − 1/4.' }),
        run('all gradients alike', 'x: f32[2,1] {{1}, {3}}; scale: f32[1] {7}; mean: f32[1] {2}; variance: f32[1] {1}; g: f32[2,1] {{5}, {5}}', `batch-norm-grad(x, scale, mean, variance, g), ${SAME}`, 'f32[2,1] {{0}, {0}}; f32[1] {0}; f32[1] {10}', { says: 'Moving all numbers alike changes nothing: the mean follows.' }),
      ],
      rules: [refused('The gradient has the operand’s dimensions.', 'x: f32[2,3]; scale: f32[3]; mean: f32[3]; variance: f32[3]; g: f32[3,2]', 'batch-norm-grad(x, scale, mean, variance, g), epsilon=0.001, feature_index=1', 'batch-norm-grad: grad_output must have the dimensions of operand f32[2,3], got f32[3,2]')],
      old: [
        'that the gradient of x is g · scale · √(variance + epsilon). It is divided by the root, and two more terms belong to it, since the mean and the variance depend on x.',
        'that the gradient of scale is Σ g · (x − mean) · √(variance + epsilon). It is divided by the root as well.',
        'that the results are the gradients of operand, offset and scale. Scale comes before offset.',
      ],
    },
  },
};
