// Where values come from.
import { refused, run } from './notation.js';

/** @type {import('./notation.js').Group} */
export default {
  title: 'Sources',
  says: 'Values that come from outside of the program, from its text, or from chance.',
  operations: {
    parameter: {
      names: 'Parameter',
      more: 'The number between the brackets says which argument it is. The parameters of a computation are numbered from 0, without gaps.',
      gives: 'The argument: an array, or a tuple of them.',
      examples: [run('an argument, and back', 'x: f32[2] {1, 2}', 'x2 = f32[2] copy(x)\nROOT r = copy(x2)', 'f32[2] {1, 2}')],
      rules: [
        refused('Numbers leave no gap.', 'x: f32[2]', 'y = f32[2] parameter(2)\nROOT r = add(x, y)', 'computation \'main\' has parameter 2, but no parameter 1'),
        refused('A number is given once.', 'x: f32[2]', 'y = f32[2] parameter(0)\nROOT r = add(x, y)', 'parameter 0 is given twice: \'x\' is the first'),
      ],
      cost: 'A typed array is copied into WebAssembly’s memory for a run; a Tensor lies there already.',
    },
    constant: {
      names: 'ConstantLiteral',
      gives: 'The value that is written.',
      examples: [
        run('a scalar', '', 'f32[] constant(-inf)', 'f32[] -inf'),
        run('a matrix', '', 's32[2,3] constant({{1, 2, 3}, {4, 5, 6}})', 's32[2,3] {{1, 2, 3}, {4, 5, 6}}'),
        run('truth and complex numbers', '', 'p = pred[2] constant({1, 0})\nz = c64[1] constant({(1, -2)})\nROOT r = (pred[2], c64[1]) tuple(p, z)', 'pred[2] {1, 0}; c64[1] {(1, -2)}'),
      ],
      rules: [
        refused('The value has as many elements as the shape.', '', 'f32[3] constant({1, 2})', 'expected 3 elements in dimension 0 of f32[3], found 2'),
        refused('The value fits the element type.', '', 's8[] constant(300)', '300 does not fit into s8, which holds -128 to 127'),
      ],
      cost: 'Constants are computed with when the program is compiled: what depends on nothing else is folded.',
    },
    iota: {
      names: 'Iota arange',
      gives: 'An array of the declared shape; each element is its own index along iota_dimension.',
      examples: [run('along dimension 1', '', 's32[3,4] iota(), iota_dimension=1', 's32[3,4] {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}}'), run('along dimension 0', '', 's32[3,4] iota(), iota_dimension=0', 's32[3,4] {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}}'), run('as floats', '', 'f32[5] iota(), iota_dimension=0', 'f32[5] {0, 1, 2, 3, 4}')],
      rules: [
        refused('iota_dimension is one of the result.', '', 's32[2,3] iota(), iota_dimension=2', 'iota: iota_dimension must name a dimension of the result s32[2,3], got 2'),
        refused('A scalar has no index.', '', 's32[] iota(), iota_dimension=0', 'iota: the result must be an array of at least one dimension, but s32[] is declared'),
        refused('Indices are numbers.', '', 'pred[2] iota(), iota_dimension=0', 'iota: the result must have integer, floating-point or complex elements, but pred[2] is declared'),
      ],
      cost: 'One store for each element.',
    },
    rng: {
      names: 'RngNormal RngUniform RngBernoulli',
      more: 'rng_uniform draws from a up to b, b excluded; rng_normal has a mean and a standard deviation. The draws follow from the seed: run(inputs, { seed }) repeats them. The pages show what is sure of them whatever the seed.',
      gives: 'An array of the declared shape.',
      examples: [
        run('all within the bounds', 'a: f32[] 2; b: f32[] 3', 'draws = f32[1000] rng(a, b), distribution=rng_uniform\nlow = f32[1000] broadcast(a), dimensions={}\nhigh = f32[1000] broadcast(b), dimensions={}\nabove = pred[1000] compare(draws, low), direction=GE\nbelow = pred[1000] compare(draws, high), direction=LT\nwithin = pred[1000] and(above, below)\ntruth = pred[] constant(true)\nROOT r = reduce(within, truth), dimensions={0}, to_apply=and_pred', 'pred[] true'),
        run('a die', 'a: s32[] 1; b: s32[] 2', 's32[4] rng(a, b), distribution=rng_uniform', 's32[4] {1, 1, 1, 1}', { says: 'From 1 up to 2, 2 excluded, there is one whole number.' }),
      ],
      rules: [
        refused('The parameters have the element type of the result.', 'a: f32[]; b: f32[]', 'f64[4] rng(a, b), distribution=rng_uniform', 'rng: parameters[0] must be a scalar of the result\'s element type, f64[], got f32[]'),
        refused('They are scalars.', 'a: f32[]; b: f32[1]', 'f32[4] rng(a, b), distribution=rng_uniform', 'rng: parameters[1] must be a scalar of the result\'s element type, f32[], got f32[1]'),
        refused('There are two of them.', 'a: f32[]', 'f32[4] rng(a), distribution=rng_uniform', 'rng: rng_uniform takes 2 parameters (the bounds a and b), got 1'),
        refused('Whole numbers are not normally distributed.', 'a: s32[]; b: s32[]', 's32[4] rng(a, b), distribution=rng_normal', 'rng: the result must have floating-point elements, but s32[4] is declared'),
      ],
      old: ['that there is an RngBernoulli. Today’s XLA has none: compare a uniform draw with the mean.', 'that the shape is an array of U32. It is the result’s shape, of any size.'],
    },
    'rng-bit-generator': {
      names: 'RngBitGenerator',
      more: 'The state goes in and a new state comes out, so the same state always gives the same bits: XLA’s own, for Threefry and Philox.',
      gives: 'A tuple of the new state, u64[2] or u64[3], and the bits, of the declared shape.',
      examples: [run('four draws of Threefry', 's: u64[2] {1, 0}', '(u64[2], u32[4]) rng-bit-generator(s), algorithm=rng_three_fry', 'u64[2] {1, 2}; u32[4] {3023415290, 2531993477, 247883890, 763684785}'), run('Philox', 's: u64[2] {0, 0}', '(u64[2], u32[]) rng-bit-generator(s), algorithm=rng_philox', 'u64[2] {0, 1}; u32[] 1713891541')],
      rules: [
        refused('Threefry has a state of two numbers.', 's: u64[3]', '(u64[3], u32[8]) rng-bit-generator(s), algorithm=rng_three_fry', 'rng-bit-generator: state must be u64[2] for rng_three_fry, got u64[3]'),
        refused('The state comes out as it went in.', 's: u64[2]', '(u64[3], u32[8]) rng-bit-generator(s), algorithm=rng_three_fry', 'rng-bit-generator: the result is (state, bits) with a state of shape u64[2], but (u64[3], u32[8]) is declared'),
        refused('Bits are no truth.', 's: u64[2]', '(u64[2], pred[8]) rng-bit-generator(s), algorithm=rng_three_fry', 'rng-bit-generator: the bits must be an array of integers or floating-point numbers, but pred[8] is declared'),
      ],
    },
    'rng-get-and-update-state': {
      more: 'A state of the whole program, kept between runs’ instructions and advanced by delta. Compilers write it; programs pass states on by themselves.',
      gives: 'u64[2], the state before it was advanced.',
      examples: [run('one step', '', 'a = u64[2] rng-get-and-update-state(), delta=0\nb = u64[2] rng-get-and-update-state(), delta=0\nROOT r = pred[2] compare(a, b), direction=EQ', 'pred[2] {1, 1}', { says: 'By 0 it does not advance.' })],
      rules: [refused('The state is u64[2].', '', 'u64[3] rng-get-and-update-state(), delta=1', 'rng-get-and-update-state: the state is u64[2], but u64[3] is declared')],
    },
    'replica-id': {
      names: 'ReplicaId',
      gives: 'u32[]: which of the replicas is running, counted from 0.',
      examples: [run('two replicas', '', 'replica-id()', 'u32[] 0 | u32[] 1', { header: 'replica_count=2' })],
    },
    'partition-id': {
      names: 'PartitionId',
      gives: 'u32[]: which of the partitions is running, counted from 0.',
      examples: [run('two partitions', '', 'partition-id()', 'u32[] 0 | u32[] 1', { header: 'num_partitions=2' })],
    },
  },
};
