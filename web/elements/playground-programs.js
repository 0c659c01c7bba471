// The programs of the playground's menu, with inputs that show what they do.

/** @typedef {{ title: string, inputs?: readonly string[], pane?: string, text: string }} Program inputs: as a reader types them; random unless given */

/** A square of numbers as text. @param {number} size @param {(y: number, x: number) => number} value */
function square(size, value) {
  return `[${Array.from({ length: size }, (_, y) => `[${Array.from({ length: size }, (__, x) => value(y, x)).join(', ')}]`).join(', ')}]`;
}

/** Numbers as text. @param {number} count @param {(i: number) => number} value */
const row = (count, value) => `[${Array.from({ length: count }, (_, i) => Number(value(i).toFixed(3))).join(', ')}]`;

const ring = square(16, (y, x) => (Math.abs(Math.hypot(y - 7.5, x - 7.5) - 5) < 1.1 ? 1 : 0));
const GLIDERS = ['..#.............', '#.#.............', '.##.............', '................', '.........###....', '................', '......#....#....', '......#....#....', '......#....#....', '.........###....'];
const life = square(16, (y, x) => (GLIDERS[y]?.[x] === '#' ? 1 : 0));

/** @type {Record<string, Program>} */
export const PROGRAMS = {
  softmax: {
    title: 'Softmax',
    inputs: ['[[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0], [3, 1, 4, 1, 5, 9], [-1, 1, -1, 1, -1, 1]]'],
    text: `HloModule softmax

maximum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT larger = f32[] maximum(a, b)
}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT total = f32[] add(a, b)
}

ENTRY main {
  x = f32[4,6] parameter(0)
  least = f32[] constant(-inf)
  zero = f32[] constant(0)
  largest = f32[4] reduce(x, least), dimensions={1}, to_apply=maximum
  largest.rows = f32[4,6] broadcast(largest), dimensions={0}
  shifted = f32[4,6] subtract(x, largest.rows)
  powers = f32[4,6] exponential(shifted)
  total = f32[4] reduce(powers, zero), dimensions={1}, to_apply=sum
  total.rows = f32[4,6] broadcast(total), dimensions={0}
  ROOT odds = f32[4,6] divide(powers, total.rows)
}
`,
  },
  layer: {
    title: 'One layer: softmax(x·W + b)',
    text: `HloModule layer

maximum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT larger = f32[] maximum(a, b)
}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT total = f32[] add(a, b)
}

ENTRY main {
  x = f32[4,8] parameter(0)
  W = f32[8,3] parameter(1)
  b = f32[3] parameter(2)
  product = f32[4,3] dot(x, W), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  bias = f32[4,3] broadcast(b), dimensions={1}
  scores = f32[4,3] add(product, bias)

  // softmax, in the way in which JAX writes it
  least = f32[] constant(-inf)
  found = f32[4] reduce(scores, least), dimensions={1}, to_apply=maximum
  floor = f32[4] broadcast(least), dimensions={}
  largest = f32[4] maximum(floor, found)
  largest.rows = f32[4,3] broadcast(largest), dimensions={0}
  shifted = f32[4,3] subtract(scores, largest.rows)
  powers = f32[4,3] exponential(shifted)
  zero = f32[] constant(0)
  total = f32[4] reduce(powers, zero), dimensions={1}, to_apply=sum
  total.rows = f32[4,3] broadcast(total), dimensions={0}
  ROOT odds = f32[4,3] divide(powers, total.rows)
}
`,
  },
  attention: {
    title: 'Attention',
    text: `HloModule attention

maximum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT larger = f32[] maximum(a, b)
}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT total = f32[] add(a, b)
}

ENTRY main {
  queries = f32[24,16] parameter(0)
  keys = f32[24,16] parameter(1)
  values = f32[24,16] parameter(2)

  // How much each word looks at each other one.
  products = f32[24,24] dot(queries, keys), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  quarter = f32[] constant(0.25)
  scale = f32[24,24] broadcast(quarter), dimensions={}
  scores = f32[24,24] multiply(products, scale)

  // Nothing looks ahead.
  from = s32[24,24] iota(), iota_dimension=0
  to = s32[24,24] iota(), iota_dimension=1
  past = pred[24,24] compare(from, to), direction=GE
  least = f32[] constant(-inf)
  never = f32[24,24] broadcast(least), dimensions={}
  masked = f32[24,24] select(past, scores, never)

  zero = f32[] constant(0)
  largest = f32[24] reduce(masked, least), dimensions={1}, to_apply=maximum
  largest.rows = f32[24,24] broadcast(largest), dimensions={0}
  shifted = f32[24,24] subtract(masked, largest.rows)
  powers = f32[24,24] exponential(shifted)
  total = f32[24] reduce(powers, zero), dimensions={1}, to_apply=sum
  total.rows = f32[24,24] broadcast(total), dimensions={0}
  weights = f32[24,24] divide(powers, total.rows)

  mixed = f32[24,16] dot(weights, values), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT both = (f32[24,24], f32[24,16]) tuple(weights, mixed)
}
`,
  },
  convolution: {
    title: 'Convolution block',
    inputs: [ring, '[[[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], [[-1, -2, -1], [0, 0, 0], [1, 2, 1]]]', '[0, 0]'],
    text: `HloModule convolution_block

maximum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT larger = f32[] maximum(a, b)
}

ENTRY main {
  picture = f32[16,16] parameter(0)
  edges = f32[2,3,3] parameter(1)
  bias = f32[2] parameter(2)
  image = f32[1,1,16,16] reshape(picture)
  kernel = f32[2,1,3,3] reshape(edges)
  found = f32[1,2,16,16] convolution(image, kernel), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01
  shift = f32[1,2,16,16] broadcast(bias), dimensions={1}
  shifted = f32[1,2,16,16] add(found, shift)
  zero = f32[] constant(0)
  zeros = f32[1,2,16,16] broadcast(zero), dimensions={}
  positive = f32[1,2,16,16] maximum(shifted, zeros)
  least = f32[] constant(-inf)
  pooled = f32[1,2,8,8] reduce-window(positive, least), window={size=1x1x2x2 stride=1x1x2x2}, to_apply=maximum
  maps = f32[2,16,16] reshape(positive)
  small = f32[2,8,8] reshape(pooled)
  ROOT both = (f32[2,16,16], f32[2,8,8]) tuple(maps, small)
}
`,
  },
  scan: {
    title: 'Scan',
    inputs: ['3.7', '0.2'],
    text: `// x becomes r x (1 - x), again and again:
// a loop that writes down every value it meets.
HloModule scan

step {
  state = (s32[], f32[], f32[], f32[96]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  r = f32[] get-tuple-element(state), index=1
  x = f32[] get-tuple-element(state), index=2
  trail = f32[96] get-tuple-element(state), index=3
  one = f32[] constant(1)
  rest = f32[] subtract(one, x)
  product = f32[] multiply(x, rest)
  next = f32[] multiply(r, product)
  seen = f32[1] reshape(x)
  longer = f32[96] dynamic-update-slice(trail, seen, i)
  single = s32[] constant(1)
  i.next = s32[] add(i, single)
  ROOT after = (s32[], f32[], f32[], f32[96]) tuple(i.next, r, next, longer)
}

goes_on {
  state = (s32[], f32[], f32[], f32[96]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  end = s32[] constant(96)
  ROOT more = pred[] compare(i, end), direction=LT
}

ENTRY main {
  r = f32[] parameter(0)
  x = f32[] parameter(1)
  first = s32[] constant(0)
  zero = f32[] constant(0)
  empty = f32[96] broadcast(zero), dimensions={}
  begin = (s32[], f32[], f32[], f32[96]) tuple(first, r, x, empty)
  end = (s32[], f32[], f32[], f32[96]) while(begin), condition=goes_on, body=step
  ROOT trail = f32[96] get-tuple-element(end), index=3
}
`,
  },
  'training-step': {
    title: 'Training step',
    inputs: [row(32, (i) => i / 16 - 1), row(32, (i) => 0.8 * (i / 16 - 1) + 0.3 + 0.15 * Math.sin(9 * i)), '[0, 0]'],
    text: `// A line through points, by gradient descent:
// parameters in, better ones and the loss out.
module @training_step {
  func.func @main(%x: tensor<32xf32>, %y: tensor<32xf32>, %line: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>, tensor<32xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %rate = stablehlo.constant dense<0.5> : tensor<2xf32>
    %count = stablehlo.constant dense<32.0> : tensor<f32>
    %counts = stablehlo.constant dense<16.0> : tensor<2xf32>
    %ones = stablehlo.constant dense<1.0> : tensor<1x32xf32>
    %row = stablehlo.reshape %x : (tensor<32xf32>) -> tensor<1x32xf32>
    %both = stablehlo.concatenate %row, %ones, dim = 0 : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<2x32xf32>
    %guess = stablehlo.dot_general %line, %both, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x32xf32>) -> tensor<32xf32>
    %off = stablehlo.subtract %guess, %y : tensor<32xf32>
    %squares = stablehlo.multiply %off, %off : tensor<32xf32>
    %total = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.divide %total, %count : tensor<f32>
    %slope = stablehlo.dot_general %both, %off, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32xf32>) -> tensor<2xf32>
    %mean = stablehlo.divide %slope, %counts : tensor<2xf32>
    %change = stablehlo.multiply %rate, %mean : tensor<2xf32>
    %better = stablehlo.subtract %line, %change : tensor<2xf32>
    return %better, %loss, %off : tensor<2xf32>, tensor<f32>, tensor<32xf32>
  }
}
`,
  },
  'shard-map': {
    title: 'shard_map, four devices',
    inputs: ['random:1', 'random:2'],
    text: `// Each of four devices has two columns of x and two rows of w.
// The products are partial; all-reduce adds them up.
HloModule shard_map, num_partitions=4

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT total = f32[] add(a, b)
}

ENTRY main {
  x = f32[3,2] parameter(0)
  w = f32[2,4] parameter(1)
  partial = f32[3,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  whole = f32[3,4] all-reduce(partial), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=sum
  me = u32[] partition-id()
  ROOT result = (f32[3,4], f32[3,4], u32[]) tuple(partial, whole, me)
}
`,
  },
  sort: {
    title: 'Sort',
    inputs: ['[5, 2, 8, 1, 9, 3]', '[0, 1, 2, 3, 4, 5]'],
    text: `HloModule sort

before {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  a.place = s32[] parameter(2)
  b.place = s32[] parameter(3)
  ROOT smaller = pred[] compare(a, b), direction=LT
}

ENTRY main {
  keys = s32[6] parameter(0)
  places = s32[6] parameter(1)
  ROOT sorted = (s32[6], s32[6]) sort(keys, places), dimensions={0}, is_stable=true, to_apply=before
}
`,
  },
  fft: {
    title: 'FFT',
    inputs: [row(128, (i) => Math.sin(i / 3) + 0.5 * Math.sin(i))],
    text: `// Two tones, and how strong each frequency is.
module @fft {
  func.func @main(%signal: tensor<128xf32>) -> (tensor<65xf32>, tensor<128xf32>) {
    %spectrum = stablehlo.fft %signal, type = RFFT, length = [128] : (tensor<128xf32>) -> tensor<65xcomplex<f32>>
    %strength = stablehlo.abs %spectrum : (tensor<65xcomplex<f32>>) -> tensor<65xf32>
    %back = stablehlo.fft %spectrum, type = IRFFT, length = [128] : (tensor<65xcomplex<f32>>) -> tensor<128xf32>
    return %strength, %back : tensor<65xf32>, tensor<128xf32>
  }
}
`,
  },
  gather: {
    title: 'Gather',
    inputs: [square(5, (y, x) => 10 * y + x), '[3, 0, 3]'],
    text: `// Rows of a table, by their numbers.
HloModule gather

ENTRY main {
  table = f32[5,5] parameter(0)
  rows = s32[3] parameter(1)
  ROOT found = f32[3,5] gather(table, rows), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}
}
`,
  },
  while: {
    title: 'While',
    inputs: ['27'],
    text: `// Halve what is even, else three times and one more.
// How many steps until 1?
HloModule collatz

step {
  state = (s32[], s32[]) parameter(0)
  n = s32[] get-tuple-element(state), index=0
  steps = s32[] get-tuple-element(state), index=1
  one = s32[] constant(1)
  two = s32[] constant(2)
  three = s32[] constant(3)
  zero = s32[] constant(0)
  half = s32[] divide(n, two)
  triple = s32[] multiply(n, three)
  more = s32[] add(triple, one)
  odd = s32[] and(n, one)
  even = pred[] compare(odd, zero), direction=EQ
  next = s32[] select(even, half, more)
  counted = s32[] add(steps, one)
  ROOT after = (s32[], s32[]) tuple(next, counted)
}

goes_on {
  state = (s32[], s32[]) parameter(0)
  n = s32[] get-tuple-element(state), index=0
  one = s32[] constant(1)
  ROOT more = pred[] compare(n, one), direction=GT
}

ENTRY main {
  n = s32[] parameter(0)
  zero = s32[] constant(0)
  begin = (s32[], s32[]) tuple(n, zero)
  end = (s32[], s32[]) while(begin), condition=goes_on, body=step
  ROOT steps = s32[] get-tuple-element(end), index=1
}
`,
  },
  life: {
    title: 'Life',
    inputs: [life, '20'],
    text: `// Conway's game: so many generations on a torus.
HloModule life

sum {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT total = s32[] add(a, b)
}

step {
  state = (s32[], s32[16,16]) parameter(0)
  left = s32[] get-tuple-element(state), index=0
  cells = s32[16,16] get-tuple-element(state), index=1
  last = s32[1,16] slice(cells), slice={[15:16], [0:16]}
  first = s32[1,16] slice(cells), slice={[0:1], [0:16]}
  tall = s32[18,16] concatenate(last, cells, first), dimensions={0}
  right.edge = s32[18,1] slice(tall), slice={[0:18], [15:16]}
  left.edge = s32[18,1] slice(tall), slice={[0:18], [0:1]}
  torus = s32[18,18] concatenate(right.edge, tall, left.edge), dimensions={1}
  zero = s32[] constant(0)
  around = s32[16,16] reduce-window(torus, zero), window={size=3x3}, to_apply=sum
  three = s32[] constant(3)
  threes = s32[16,16] broadcast(three), dimensions={}
  neighbours = s32[16,16] subtract(around, cells)
  alive = s32[16,16] or(neighbours, cells)
  lives = pred[16,16] compare(alive, threes), direction=EQ
  next = s32[16,16] convert(lives)
  one = s32[] constant(1)
  fewer = s32[] subtract(left, one)
  ROOT after = (s32[], s32[16,16]) tuple(fewer, next)
}

goes_on {
  state = (s32[], s32[16,16]) parameter(0)
  left = s32[] get-tuple-element(state), index=0
  zero = s32[] constant(0)
  ROOT more = pred[] compare(left, zero), direction=GT
}

ENTRY main {
  cells = s32[16,16] parameter(0)
  generations = s32[] parameter(1)
  begin = (s32[], s32[16,16]) tuple(generations, cells)
  end = (s32[], s32[16,16]) while(begin), condition=goes_on, body=step
  ROOT later = s32[16,16] get-tuple-element(end), index=1
}
`,
  },
  mandelbrot: {
    title: 'Mandelbrot set',
    inputs: [],
    text: `// How many steps each point stays near: one loop over the whole picture.
HloModule mandelbrot

step {
  state = (s32[], f32[96,128], f32[96,128], f32[96,128], f32[96,128], f32[96,128]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  re = f32[96,128] get-tuple-element(state), index=1
  im = f32[96,128] get-tuple-element(state), index=2
  c.re = f32[96,128] get-tuple-element(state), index=3
  c.im = f32[96,128] get-tuple-element(state), index=4
  count = f32[96,128] get-tuple-element(state), index=5
  re.re = f32[96,128] multiply(re, re)
  im.im = f32[96,128] multiply(im, im)
  size = f32[96,128] add(re.re, im.im)
  four = f32[] constant(4)
  fours = f32[96,128] broadcast(four), dimensions={}
  near = pred[96,128] compare(size, fours), direction=LT
  steps = f32[96,128] convert(near)
  count.next = f32[96,128] add(count, steps)
  difference = f32[96,128] subtract(re.re, im.im)
  re.moved = f32[96,128] add(difference, c.re)
  cross = f32[96,128] multiply(re, im)
  twice = f32[96,128] add(cross, cross)
  im.moved = f32[96,128] add(twice, c.im)
  re.next = f32[96,128] select(near, re.moved, re)
  im.next = f32[96,128] select(near, im.moved, im)
  one = s32[] constant(1)
  i.next = s32[] add(i, one)
  ROOT after = (s32[], f32[96,128], f32[96,128], f32[96,128], f32[96,128], f32[96,128]) tuple(i.next, re.next, im.next, c.re, c.im, count.next)
}

goes_on {
  state = (s32[], f32[96,128], f32[96,128], f32[96,128], f32[96,128], f32[96,128]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  end = s32[] constant(40)
  ROOT more = pred[] compare(i, end), direction=LT
}

ENTRY main {
  across = f32[96,128] iota(), iota_dimension=1
  down = f32[96,128] iota(), iota_dimension=0
  fine = f32[] constant(0.025)
  scale = f32[96,128] broadcast(fine), dimensions={}
  x = f32[96,128] multiply(across, scale)
  y = f32[96,128] multiply(down, scale)
  left = f32[] constant(-2.2)
  top = f32[] constant(-1.2)
  lefts = f32[96,128] broadcast(left), dimensions={}
  tops = f32[96,128] broadcast(top), dimensions={}
  c.re = f32[96,128] add(x, lefts)
  c.im = f32[96,128] add(y, tops)
  zero = f32[] constant(0)
  zeros = f32[96,128] broadcast(zero), dimensions={}
  first = s32[] constant(0)
  begin = (s32[], f32[96,128], f32[96,128], f32[96,128], f32[96,128], f32[96,128]) tuple(first, zeros, zeros, c.re, c.im, zeros)
  end = (s32[], f32[96,128], f32[96,128], f32[96,128], f32[96,128], f32[96,128]) while(begin), condition=goes_on, body=step
  ROOT picture = f32[96,128] get-tuple-element(end), index=5
}
`,
  },
  network: {
    title: 'Two layers',
    pane: 'profile',
    text: `// Enough arithmetic for a profile: two layers, 256 rows at once.
HloModule network

ENTRY main {
  x = f32[256,256] parameter(0)
  w1 = f32[256,512] parameter(1)
  b1 = f32[512] parameter(2)
  w2 = f32[512,128] parameter(3)
  first = f32[256,512] dot(x, w1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  bias = f32[256,512] broadcast(b1), dimensions={1}
  shifted = f32[256,512] add(first, bias)
  hidden = f32[256,512] tanh(shifted)
  ROOT second = f32[256,128] dot(hidden, w2), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
`,
  },
};
