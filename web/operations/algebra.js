// Products of arrays, and linear algebra.
import { refused, run } from './notation.js';

const PLAIN = 'lhs_contracting_dims={1}, rhs_contracting_dims={0}';
const RAGGED = 'lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}';
const IMAGE = 'dim_labels=b01f_01io->b01f';

/** @type {import('./notation.js').Group} */
export default {
  title: 'Products and linear algebra',
  says: 'Sums of products, and what solves equations of them.',
  operations: {
    dot: {
      names: 'Dot DotGeneral dot_general matmul einsum',
      more: 'Contracting dimensions are multiplied and summed away; batch dimensions go side by side; all others make up the result, the batch first, then those of lhs, then those of rhs.',
      gives: 'An array of the batch dimensions, the rest of lhs and the rest of rhs.',
      examples: [
        run('vector · vector', 'x: f32[3] {1, 2, 3}; y: f32[3] {4, 5, 6}', 'dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}', 'f32[] 32'),
        run('matrix × vector', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}; y: f32[3] {1, 0, -1}', 'dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}', 'f32[2] {-2, -2}'),
        run('matrix × matrix', 'x: f32[2,3] {{1, 2, 3}, {4, 5, 6}}; y: f32[3,2] {{1, 0}, {0, 1}, {1, 1}}', `dot(x, y), ${PLAIN}`, 'f32[2,2] {{4, 5}, {10, 11}}'),
        run('a batch of them', 'x: f32[2,1,2] {{{1, 2}}, {{3, 4}}}; y: f32[2,2,1] {{{1}, {2}}, {{3}, {4}}}', 'dot(x, y), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}', 'f32[2,1,1] {{{5}}, {{25}}}'),
        run('everything with everything', 'x: f32[2] {1, 2}; y: f32[3] {1, 10, 100}', 'dot(x, y), lhs_contracting_dims={}, rhs_contracting_dims={}', 'f32[2,3] {{1, 10, 100}, {2, 20, 200}}', { says: 'Nothing is contracted: the outer product.' }),
      ],
      rules: [
        refused('Contracting dimensions have one size.', 'x: f32[2,3]; y: f32[4,5]', `dot(x, y), ${PLAIN}`, 'dot: contracting dimensions must have the same size, got dimension 1 of lhs f32[2,3] and dimension 0 of rhs f32[4,5]'),
        refused('There are as many on either side.', 'x: f32[2,3]; y: f32[3,4]', 'dot(x, y), lhs_contracting_dims={0,1}, rhs_contracting_dims={0}', 'dot: lhs and rhs must have as many contracting dimensions as each other, got 2 and 1'),
        refused('A dimension is a batch or contracted, not both.', 'x: f32[2,3]; y: f32[2,3]', 'dot(x, y), lhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_batch_dims={0}, rhs_contracting_dims={1}', 'dot: lhs_batch_dims and lhs_contracting_dims must have no dimension in common, but both hold 0'),
        refused('Batch dimensions have one size.', 'x: f32[5,2,3]; y: f32[4,3,4]', 'dot(x, y), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}', 'dot: batch dimensions must have the same size, got dimension 0 of lhs f32[5,2,3] and dimension 0 of rhs f32[4,3,4]'),
        refused('One element type, unless the result’s is declared.', 'x: f32[2,3]; y: s32[3,4]', `dot(x, y), ${PLAIN}`, 'dot: lhs and rhs must have the same element type, got lhs f32[2,3] and rhs s32[3,4]'),
      ],
      old: ['that the last dimension of lhs meets the last but one of rhs. That is so for matrices; of two vectors the only ones meet, and in HLO the attributes say which.'],
      cost: 'Two operations for each element of the result and each contracted one. Products of matrices are cut into blocks that fit the cache; a product with one row is bound by memory instead.',
    },
    'ragged-dot': {
      names: 'chlo.ragged_dot',
      more: 'The rows of lhs fall into groups of group_sizes rows, and each group is multiplied with a matrix of its own, as in a mixture of experts.',
      gives: 'An array as dot gives it.',
      examples: [run('two groups', 'x: f32[3,2] {{1, 2}, {3, 4}, {5, 6}}; w: f32[2,2,1] {{{1}, {1}}, {{10}, {10}}}; n: s32[2] {1, 2}', `ragged-dot(x, w, n), ${RAGGED}`, 'f32[3,1] {{3}, {70}, {110}}', { says: 'The first row meets the first matrix, the other two the second.' })],
      rules: [
        refused('Exactly one dimension is ragged.', 'x: f32[11,5]; w: f32[3,5,7]; n: s32[3]', 'ragged-dot(x, w, n), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0,1}, rhs_group_dims={0}', 'ragged-dot: lhs_ragged_dims must hold exactly one dimension, got 2'),
        refused('Sizes of groups are whole numbers.', 'x: f32[11,5]; w: f32[3,5,7]; n: f32[3]', `ragged-dot(x, w, n), ${RAGGED}`, 'ragged-dot: group_sizes must have integer elements, got f32[3]'),
        refused('A matrix for each group.', 'x: f32[11,5]; w: f32[3,5,7]; n: s32[4]', `ragged-dot(x, w, n), ${RAGGED}`, 'ragged-dot: rhs must have as many groups in dimension 0 as group_sizes has, got rhs f32[3,5,7] and group_sizes s32[4]'),
      ],
    },
    convolution: {
      names: 'Conv ConvWithGeneralPadding ConvGeneral ConvGeneralDilated conv',
      more: 'A window moves over the spatial dimensions of lhs; at each place its elements are multiplied with the kernel and summed over all input features. dim_labels names the dimensions: b the batch, f the features, i and o the kernel’s input and output features, digits the spatial ones.',
      gives: 'An array with the batch of lhs, the output features of rhs, and a spatial size for each place of the window.',
      examples: [
        run('a 2×2 kernel', 'x: f32[1,3,3,1] {{{{1}, {2}, {3}}, {{4}, {5}, {6}}, {{7}, {8}, {9}}}}; k: f32[2,2,1,1] {{{{1}}, {{0}}}, {{{0}}, {{1}}}}', `convolution(x, k), window={size=2x2}, ${IMAGE}`, 'f32[1,2,2,1] {{{{6}, {8}}, {{12}, {14}}}}', { says: 'Each result is a pixel plus its neighbour below and to the right.' }),
        run('same size', 'x: f32[1,4,1] {{{1}, {2}, {3}, {4}}}; k: f32[3,1,1] {{{1}}, {{1}}, {{1}}}', 'convolution(x, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f', 'f32[1,4,1] {{{3}, {6}, {9}, {7}}}', { says: 'The older document’s SAME: as many zeros around as keep the size. VALID is no padding.' }),
        run('every second place', 'x: f32[1,4,1] {{{1}, {2}, {3}, {4}}}; k: f32[2,1,1] {{{1}}, {{1}}}', 'convolution(x, k), window={size=2 stride=2}, dim_labels=b0f_0io->b0f', 'f32[1,2,1] {{{3}, {7}}}'),
        run('features in groups', 'x: f32[1,2,2] {{{1, 10}, {2, 20}}}; k: f32[1,1,2] {{{3, 5}}}', 'convolution(x, k), window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2', 'f32[1,2,2] {{{3, 50}, {6, 100}}}', { says: 'As many groups as features: a depthwise convolution.' }),
      ],
      rules: [
        refused('dim_labels name every dimension.', 'x: f32[2,8,9]; k: f32[3,3,3,16]', `convolution(x, k), window={size=3x3}, ${IMAGE}`, 'convolution: dim_labels name 4 dimensions, so lhs must have as many, got f32[2,8,9]'),
        refused('The window has the kernel’s size.', 'x: f32[2,8,9,3]; k: f32[3,3,3,16]', `convolution(x, k), window={size=3x2}, ${IMAGE}`, 'convolution: window size must be 3 in dimension 1, the size of dimension 1 of rhs f32[3,3,3,16], got 2'),
        refused('Features meet as many input features.', 'x: f32[2,8,9,4]; k: f32[3,3,3,16]', `convolution(x, k), window={size=3x3}, ${IMAGE}`, 'convolution: lhs has 4 features, so rhs must have as many input features, got 3 in rhs f32[3,3,3,16]'),
        refused('Groups divide the features.', 'x: f32[2,8,9,3]; k: f32[3,3,1,16]', `convolution(x, k), window={size=3x3}, ${IMAGE}, feature_group_count=2`, 'convolution: feature_group_count 2 must divide the input features, 3, of lhs f32[2,8,9,3]'),
        refused('A stride goes forward.', 'x: f32[2,8,9,3]; k: f32[3,3,3,16]', `convolution(x, k), window={size=3x3 stride=1x0}, ${IMAGE}`, 'convolution: window stride must be at least 1, got 0 in dimension 1'),
      ],
      cost: 'Two operations for each element of the result and each of the kernel’s that belongs to its feature. A 1×1 kernel is a product of matrices, and depthwise kernels have a loop of their own.',
    },
    fft: {
      names: 'Fft',
      more: 'FFT and IFFT of complex numbers, RFFT of real ones and IRFFT back to them, over the last one to three dimensions.',
      gives: 'Complex elements; of RFFT, the last dimension has half as many and one more; IRFFT gives real ones.',
      examples: [
        run('one frequency', 'x: c64[4] {(1, 0), (0, 1), (-1, 0), (0, -1)}', 'fft(x), fft_type=FFT, fft_length={4}', 'c64[4] {(0, 0), (4, 0), (0, 0), (0, 0)}'),
        run('real numbers', 'x: f32[4] {1, 2, 3, 4}', 'fft(x), fft_type=RFFT, fft_length={4}', 'c64[3] {(10, 0), (-2, 2), (-2, 0)}', { says: 'The other half would be its mirror.' }),
        run('and back', 'x: c64[3] {(10, 0), (-2, 2), (-2, 0)}', 'fft(x), fft_type=IRFFT, fft_length={4}', 'f32[4] {1, 2, 3, 4}'),
      ],
      rules: [
        refused('FFT takes complex numbers.', 'x: f32[8]', 'fft(x), fft_type=FFT, fft_length={8}', 'fft: operand must have complex elements for FFT, got f32[8]'),
        refused('RFFT takes real ones.', 'x: c64[8]', 'fft(x), fft_type=RFFT, fft_length={8}', 'fft: operand must have f32 or f64 elements for RFFT, got c64[8]'),
        refused('The length is that of the dimension.', 'x: c64[3,8]', 'fft(x), fft_type=FFT, fft_length={4}', 'fft: operand must have size 4 in dimension 1 for FFT of length 4, got c64[3,8]'),
        refused('One to three dimensions.', 'x: c64[2,2,2,2]', 'fft(x), fft_type=FFT, fft_length={2,2,2,2}', 'fft: fft_length must hold 1 to 3 lengths, got 4'),
      ],
      cost: 'n log n for lengths with small factors; lengths that are large primes go by way of a longer power of two.',
    },
    cholesky: {
      names: 'Cholesky',
      more: 'The triangle L with L · Lᴴ = a, of Hermitian matrices (real ones: symmetric) with positive eigenvalues. The other triangle of the result is left open.',
      gives: 'An array with the operand’s shape.',
      examples: [
        run('a matrix of two', 'a: f32[2,2] {{4, 2}, {2, 5}}', 'l = f32[2,2] cholesky(a), lower=true\nrow = s32[2,2] iota(), iota_dimension=0\ncolumn = s32[2,2] iota(), iota_dimension=1\nbelow = pred[2,2] compare(row, column), direction=GE\nzero = f32[] constant(0)\nzeros = f32[2,2] broadcast(zero), dimensions={}\nROOT r = select(below, l, zeros)', 'f32[2,2] {{2, 0}, {1, 2}}', { says: '2·2 = 4; 2·1 = 2; 1·1 + 2·2 = 5.' }),
        run('not positive', 'a: f32[2,2] {{4, 2}, {2, -1}}', 'l = f32[2,2] cholesky(a), lower=true\nd = f32[1,1] slice(l), slice={[1:2], [1:2]}\nROOT r = f32[1,1] copy(d)', 'f32[1,1] {{nan}}'),
      ],
      rules: [
        refused('Square matrices.', 'a: f32[2,3]', 'cholesky(a)', 'cholesky: a must hold square matrices in its last two dimensions, got f32[2,3]'),
        refused('At least two dimensions.', 'a: f32[3]', 'cholesky(a)', 'cholesky: a must hold square matrices in its last two dimensions, got f32[3]'),
        refused('Floating-point or complex elements.', 'a: s32[3,3]', 'cholesky(a)', 'cholesky: a must have floating-point or complex elements, got s32[3,3]'),
      ],
      cost: 'n³ / 3 operations for a matrix of n rows.',
    },
    'triangular-solve': {
      names: 'TriangularSolve',
      more: 'Solves a · x = b (left_side=true) or x · a = b for x; only one triangle of a is read.',
      gives: 'An array with the shape of b.',
      examples: [
        run('from the top', 'a: f32[2,2] {{2, 99}, {1, 4}}; b: f32[2,1] {{6}, {11}}', 'triangular-solve(a, b), left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE', 'f32[2,1] {{3}, {2}}', { says: 'x₀ = 6 / 2, x₁ = (11 − 1·3) / 4. The 99 is not read.' }),
        run('ones on the diagonal', 'a: f32[2,2] {{2, 0}, {1, 4}}; b: f32[2,1] {{6}, {11}}', 'triangular-solve(a, b), left_side=true, lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE', 'f32[2,1] {{6}, {5}}', { says: 'The diagonal is taken to be 1, whatever stands there.' }),
      ],
      rules: [
        refused('One element type.', 'a: f32[3,3]; b: f64[3,4]', 'triangular-solve(a, b), left_side=true', 'triangular-solve: a and b must have the same element type, got a f32[3,3] and b f64[3,4]'),
        refused('a is square.', 'a: f32[3]; b: f32[3]', 'triangular-solve(a, b), left_side=true', 'triangular-solve: a must hold square matrices in its last two dimensions, got f32[3]'),
        refused('b fits a on the side of the solution.', 'a: f32[3,3]; b: f32[4,3]', 'triangular-solve(a, b), left_side=true', 'triangular-solve: b must have the size of a\'s matrices in dimension 0, as left_side=true, got a f32[3,3] and b f32[4,3]'),
        refused('Batches agree.', 'a: f32[2,3,3]; b: f32[5,3,4]', 'triangular-solve(a, b), left_side=true', 'triangular-solve: a and b must have the same batch dimensions, got a f32[2,3,3] and b f32[5,3,4]'),
      ],
      cost: 'n² operations for each column.',
    },
  },
};
