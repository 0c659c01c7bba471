// Tuples, and what decides which instructions run.
import { refused, run } from './notation.js';

const PAIR = 'swap {\n  a = f32[2] parameter(0)\n  b = f32[2] parameter(1)\n  ROOT t = (f32[2], f32[2]) tuple(b, a)\n}';
const LOOP = `below {
  state = (s32[], f32[10]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  end = s32[] constant(1000)
  ROOT more = pred[] compare(i, end), direction=LT
}

body {
  state = (s32[], f32[10]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  v = f32[10] get-tuple-element(state), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  c = f32[] constant(0.5)
  vector = f32[10] broadcast(c), dimensions={}
  sum = f32[10] add(v, vector)
  ROOT r = (s32[], f32[10]) tuple(next, sum)
}`;
const DOUBLING = 'small {\n  x = f32[] parameter(0)\n  end = f32[] constant(100)\n  ROOT r = pred[] compare(x, end), direction=LT\n}\n\ndouble {\n  x = f32[] parameter(0)\n  ROOT r = f32[] add(x, x)\n}';
const BRANCHES = 'up {\n  x = f32[2] parameter(0)\n  one = f32[2] constant({1, 1})\n  ROOT r = f32[2] add(x, one)\n}\n\ndown {\n  x = f32[2] parameter(0)\n  ROOT r = f32[2] negate(x)\n}';
const FUSED = 'fused {\n  x = f32[4] parameter(0)\n  y = f32[4] parameter(1)\n  sum = f32[4] add(x, y)\n  ROOT r = f32[4] tanh(sum)\n}';
const NEGATED = 'negated {\n  x = f32[2] parameter(0)\n  ROOT r = f32[2] negate(x)\n}';
const START = 's = ((f32[2]), f32[2]) async-start(x), calls=negated';

/** @type {import('./notation.js').Group} */
export default {
  title: 'Tuples, calls and control flow',
  says: 'Values put together and taken apart, computations that run as a whole, and orders that no value asks for.',
  operations: {
    tuple: {
      names: 'Tuple',
      gives: 'A tuple of the operands, in order.',
      examples: [run('a vector and a number', 'v: f32[10] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; s: s32[] 5', '(f32[10], s32[]) tuple(v, s)', 'f32[10] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; s32[] 5'), run('of nothing', '', '() tuple()', '')],
      rules: [refused('A shape that is written lists the elements.', 'x: f32[2]', '(f32[2], f32[2]) tuple(x)', 'tuple: the result is (f32[2]), but (f32[2], f32[2]) is declared')],
      cost: 'Nothing is copied: a tuple is a list of places.',
    },
    'get-tuple-element': {
      names: 'GetTupleElement gte',
      gives: 'The element with that number.',
      examples: [run('the second', 'v: f32[10] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; s: s32[] 5', 't = (f32[10], s32[]) tuple(v, s)\nROOT r = get-tuple-element(t), index=1', 's32[] 5')],
      rules: [
        refused('There is such an element.', 't: (f32[2], s32[])', 'get-tuple-element(t), index=2', 'get-tuple-element: index must be one of the 2 elements of operand, counted from 0, got 2'),
        refused('Negative numbers do not count from the end.', 't: (f32[2], s32[])', 'get-tuple-element(t), index=-1', 'get-tuple-element: index must be one of the 2 elements of operand, counted from 0, got -1'),
        refused('The operand is a tuple.', 'x: f32[2]', 'get-tuple-element(x), index=0', 'get-tuple-element: operand must be a tuple, got f32[2]'),
      ],
      old: ['that the tuple must be a constant when the program is compiled. It is the index that must be one: the shape of the result follows from it.'],
      cost: 'Nothing.',
    },
    'after-all': {
      names: 'AfterAll CreateToken',
      more: 'A token has no value. Operations with effects take tokens and give them, so that their order is written in the graph.',
      gives: 'token[], which is there once all operands are.',
      examples: [run('tokens joined', 'x: f32[2] {1, 2}', 't = token[] after-all()\nu = token[] after-all(t, t)\nROOT r = add-dependency(x, u)', 'f32[2] {1, 2}')],
      rules: [refused('It joins tokens and nothing else.', 't: token[]; x: f32[]', 'after-all(t, x)', 'after-all: tokens[1] must be a token, got f32[]')],
    },
    'add-dependency': {
      gives: 'The operand, after the token.',
      examples: [run('later', 'x: f32[2] {1, 2}', 't = token[] after-all()\nROOT r = add-dependency(x, t)', 'f32[2] {1, 2}')],
      rules: [refused('What it waits for is a token.', 'x: f32[2]; y: f32[2]', 'add-dependency(x, y)', 'add-dependency: token must be a token, got f32[2]')],
    },
    'opt-barrier': {
      names: 'OptimizationBarrier optimization_barrier',
      more: 'Passes move nothing across it. Programs that compute something again on the way back, to save memory, need that.',
      gives: 'The operand.',
      examples: [run('kept apart', 'x: f32[2] {1, 2}', 'y = f32[2] add(x, x)\nt = (f32[2], f32[2]) tuple(x, y)\no = (f32[2], f32[2]) opt-barrier(t)\nROOT r = get-tuple-element(o), index=1', 'f32[2] {2, 4}')],
    },
    domain: {
      more: 'Marks where one sharding ends and another begins; values pass through it.',
      gives: 'The operand.',
      examples: [run('through', 'x: f32[2] {1, 2}', 'domain(x), domain={kind="sharding", entry={replicated}, exit={replicated}}', 'f32[2] {1, 2}')],
    },
    call: {
      names: 'Call',
      gives: 'What the computation gives.',
      examples: [run('a computation of two vectors', 'x: f32[2] {1, 2}; y: f32[2] {3, 4}', '(f32[2], f32[2]) call(x, y), to_apply=swap', 'f32[2] {3, 4}; f32[2] {1, 2}', { before: PAIR })],
      rules: [
        refused('As many operands as parameters.', 'x: f32[]', 'call(x), to_apply=add_f32', 'call: to_apply add_f32 must take 1 parameter, but takes 2'),
        refused('Each has its parameter’s shape.', 'x: f32[]; y: s32[]', 'call(x, y), to_apply=add_f32', 'call: operands[1] must be f32[] as parameter 1 of to_apply add_f32 is, got s32[]'),
      ],
      cost: 'Calls are written out where they stand, so that loops fuse across them, as long as the program stays within 65,536 instructions.',
    },
    while: {
      names: 'While',
      more: 'body turns the state into the next one as long as condition says so. The state keeps its shape.',
      gives: 'The state when condition no longer holds.',
      examples: [
        run('doubling', 'x: f32[] 3', 'while(x), condition=small, body=double', 'f32[] 192', { before: DOUBLING }),
        run('a thousand steps', 'v: f32[10] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}', 'zero = s32[] constant(0)\ninit = (s32[], f32[10]) tuple(zero, v)\nROOT r = (s32[], f32[10]) while(init), condition=below, body=body', 's32[] 1000; f32[10] {500, 500, 500, 500, 500, 500, 500, 500, 500, 500}', { before: LOOP, says: 'The older document’s example: a counter and a vector, with 0.5 for its constant.' }),
      ],
      rules: [
        refused('condition answers yes or no.', 'x: f32[]', 'while(x), condition=negate_f32, body=negate_f32', 'while: condition negate_f32 must give pred[], but gives f32[]'),
        refused('body gives what it takes.', 'x: f32[]', 'while(x), condition=is_finite_f32, body=is_finite_f32', 'while: body is_finite_f32 must give what it takes, f32[], but gives pred[]'),
        refused('Both take the state.', 'x: f32[4]', 'while(x), condition=is_finite_f32, body=is_finite_f32', 'while: init must be f32[] as parameter 0 of condition is_finite_f32 is, got f32[4]'),
      ],
      old: ['that loops must not stand within loops. They may.'],
      cost: 'The state stays where it is: what body gives is written over what it took, where nothing else needs the old value.',
    },
    conditional: {
      names: 'Conditional case if cond switch',
      more: 'By a pred one of two computations runs, by an s32 one of several; an index that there is not chooses the last.',
      gives: 'What the chosen computation gives. All give one shape.',
      examples: [
        run('of two', 'p: pred[] true; x: f32[2] {1, 2}', 'conditional(p, x, x), true_computation=up, false_computation=down', 'f32[2] {2, 3}', { before: BRANCHES }),
        run('by number', 'i: s32[] 7; x: f32[2] {1, 2}', 'conditional(i, x, x), branch_computations={up, down}', 'f32[2] {-1, -2}', { before: BRANCHES, says: 'There is no branch 7, so the last one runs.' }),
      ],
      rules: [
        refused('One operand for each branch.', 'i: s32[]; x: f32[]', 'conditional(i, x), branch_computations={negate_f32, negate_f32}', 'conditional: there must be one operand for each of the 2 branches after branch_index, got 1'),
        refused('An index is pred[] or s32[].', 'i: s64[]; x: f32[]', 'conditional(i, x), branch_computations={negate_f32}', 'conditional: branch_index must be pred[] or s32[], got s64[]'),
        refused('An operand has the shape that its branch takes.', 'i: s32[]; x: f32[4]', 'conditional(i, x), branch_computations={negate_f32}', 'conditional: operands[0] must be f32[] as parameter 0 of branch negate_f32 is, got f32[4]'),
        refused('All branches give one shape.', 'i: s32[]; x: f32[]; y: f32[]', 'conditional(i, x, y), branch_computations={negate_f32, is_finite_f32}', 'conditional: all branches must give the same shape, but negate_f32 gives f32[] and is_finite_f32 gives pred[]'),
      ],
      cost: 'Only the chosen branch runs.',
    },
    fusion: {
      more: 'A computation that a compiler has put together to run as one loop. WebHLO fuses by itself, and reads the fusions of others as they are.',
      gives: 'What the computation gives.',
      examples: [run('two operations as one', 'x: f32[4] {0, 1, -1, 2}; y: f32[4] {0, -1, 0, 2}', 'fusion(x, y), kind=kLoop, calls=fused', 'f32[4] {0, 0, -0.761594176, 0.999329329}', { before: FUSED })],
      rules: [refused('Operands have the parameters’ shapes.', 'x: f32[4]; y: f32[5]', 'fusion(x, y), kind=kLoop, calls=fused', 'fusion: operands[1] must be f32[4] as parameter 1 of calls fused is, got f32[5]', { before: FUSED })],
      cost: 'One loop over memory instead of several.',
    },
    'async-start': {
      names: 'AsyncStart',
      more: 'Begins a computation that async-done waits for. WebHLO computes it where async-done stands, or before.',
      gives: 'A tuple of the tuple of operands, of the result to come, and of any context.',
      examples: [run('begun and waited for', 'x: f32[2] {1, -2}', `${START}\nROOT r = async-done(s)`, 'f32[2] {-1, 2}', { before: NEGATED })],
      rules: [
        refused('The shape says what is on its way.', 'x: f32[2]', 's = f32[2] async-start(x), calls=negated\nROOT r = f32[2] async-done(s)', 'async-start: the result is a tuple of the tuple of operands, the result of calls, and any context, but f32[2] is declared', { before: NEGATED }),
        refused('The computation takes the operands.', 'x: f32[]', 's = ((f32[]), f32[]) async-start(x), calls=add_f32\nROOT r = async-done(s)', 'async-start: calls add_f32 must take 1 parameter, but takes 2'),
      ],
    },
    'async-update': {
      names: 'AsyncUpdate',
      more: 'A step on the way between async-start and async-done, for hardware that needs one.',
      gives: 'What it takes.',
      examples: [run('a step on the way', 'x: f32[2] {1, -2}', `${START}\nu = ((f32[2]), f32[2]) async-update(s)\nROOT r = async-done(u)`, 'f32[2] {-1, 2}', { before: NEGATED })],
      rules: [refused('It stands behind an async-start.', 'x: f32[2]', 'u = f32[2] async-update(x)\nROOT r = f32[2] async-done(u)', 'async-done: operand must be what async-start gives, a tuple of at least 2 elements, got f32[2]')],
    },
    'async-done': {
      names: 'AsyncDone',
      gives: 'The result of the computation that was begun.',
      examples: [run('waited for', 'x: f32[2] {3, 4}', `${START}\nROOT r = async-done(s)`, 'f32[2] {-3, -4}', { before: NEGATED })],
      rules: [refused('It stands behind an async-start.', 'x: f32[]', 'f32[] async-done(x)', 'async-done: operand must be what async-start gives, a tuple of at least 2 elements, got f32[]')],
    },
    'custom-call': {
      names: 'CustomCall',
      more: 'A function that is none of HLO’s: one of those that JAX calls and WebHLO knows, such as LAPACK’s, or a function of JavaScript that you register when you compile, { customCalls: { myfunc } }. It gets a typed array to fill, and the operands.',
      gives: 'The shape that is declared.',
      examples: [
        run('a function of yours', 'x: f32[2] {1, 2}; y: f32[2,3] {{10, 20, 30}, {40, 50, 60}}', 'f32[3,3] custom-call(x, y), custom_call_target="myfunc"', 'f32[3,3] {{42, 0, 0}, {0, 0, 0}, {0, 0, 0}}', { says: 'The older document’s example: myfunc puts x[1] + y[1][0] into the first element. On this page it is a function of JavaScript: (out, [x, y]) => out.fill(0).set([x[1] + y[3]]). The playground does not know it.' }),
      ],
      rules: [refused('The function has a name.', 'x: f32[2]', 'f32[3] custom-call(x)', 'custom-call: attribute custom_call_target must be given')],
      old: ['that a custom call is a C function with the signature void target_name(void* out, void** in). That was the first of several interfaces; in WebHLO it is a function of JavaScript.'],
      cost: 'What your function costs. Nothing is fused across it.',
    },
  },
};
