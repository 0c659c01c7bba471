// Help, usage and errors of the command line; layout, ops and convert.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeNpy } from '../../js/values/npy.js';
import { fails, file, folder, inTerminal, isWrong, sample, succeeds, webhlo } from './command.js';

const COMMANDS = ['run', 'inspect', 'check', 'convert', 'layout', 'ops'];
const add = file(
  'add.hlo',
  'HloModule add\nENTRY main { x = f32[2,2] parameter(0) y = f32[] parameter(1) b = f32[2,2] broadcast(y), dimensions={} ROOT r = f32[2,2] add(x, b) }',
);

test('--help, --version', () => {
  assert.match(succeeds('--help'), /^Usage: webhlo COMMAND/);
  assert.equal(succeeds(), succeeds('--help'));
  assert.equal(succeeds('help'), succeeds('--help'));
  assert.match(succeeds('--version'), /^webhlo \d+\.\d+\.\d+ \(simd(, [\w-]+)*\)\n$/);
  assert.equal(succeeds('-V'), succeeds('--version'));
});

test('each command has help of its own', () => {
  const all = succeeds('--help');
  for (const command of COMMANDS) {
    assert.match(all, new RegExp(`^ {2}${command} `, 'm'));
    const help = succeeds(command, '--help');
    assert.match(help, new RegExp(`^Usage: webhlo ${command} `));
    assert.match(help, /\nExamples:\n/);
    assert.equal(succeeds('help', command), help);
    assert.equal(succeeds(command, '-h'), help);
  }
});

test('help fits into 80 columns', () => {
  for (const args of [[], ...COMMANDS.map((command) => ['help', command])])
    for (const line of succeeds(...args).split('\nExamples:')[0].split('\n')) assert.ok(line.length <= 80, line);
});

test('wrong usage ends with exit code 2', () => {
  isWrong(/^webhlo: unknown command 'walk'\nsee webhlo --help\n$/, 'walk');
  isWrong(/^webhlo: unknown command 'chekc'; did you mean "check"\?\n/, 'chekc');
  isWrong(/^webhlo: unknown command 'rnu'; did you mean "run"\?/, 'help', 'rnu');
  isWrong(/^webhlo run: unknown option '--tpu'\nsee webhlo run --help\n$/, 'run', add, '--tpu');
  isWrong(/^webhlo run: unknown option '--sead'; did you mean "--seed"\?\n/, 'run', add, '--sead', '1');
  isWrong(/^webhlo layout: unknown option '--seed'/, 'layout', 'f32[3]', '--seed', '1');
  isWrong(/^webhlo: unknown option '--versoin'; did you mean "--version"\?/, '--versoin');
  isWrong(/^webhlo run: the argument MODULE is missing\n/, 'run');
  isWrong(/^webhlo check: the argument PATH is missing\n/, 'check');
  isWrong(/^webhlo layout: it takes 1 argument, but 2 are given\n/, 'layout', 'f32[3]', 'f32[4]');
  isWrong(/^webhlo run: option -i, --input <value> needs a value\n/, 'run', add, '--input');
  isWrong(/^webhlo run: --threads is a count from 1 to 64, got 0\n/, 'run', add, '--threads', '0');
  isWrong(/--threads takes a whole number, got "many"/, 'check', folder, '--threads', 'many');
  isWrong(/--replicas takes a whole number/, 'run', add, '--replicas', 'two');
  isWrong(/^webhlo convert: --to hol: there are hlo, stablehlo, .*; did you mean "hlo"\?/, 'convert', add, '--to', 'hol');
  isWrong(/^webhlo ops: there is no operation "redcue"; did you mean "reduce"\?\n/, 'ops', 'redcue');
  isWrong(/^webhlo layout: --dark is about the picture of --svg\n/, 'layout', 'f32[3]', '--dark');
  isWrong(/^webhlo layout: --at is about the picture of --svg\n/, 'layout', 'f32[3,3]', '--at', '1,1');
  isWrong(/^webhlo layout: --at: the cell to mark is an index of f32\[3\] such as '0', or a place in memory such as '@0'; got '3'\n/, 'layout', 'f32[3]', '--svg', '--at', '3');
  for (const labels of ['name', 'constructor', 'index,toString'])
    isWrong(/^webhlo layout: --labels takes some of index, offset, value, byte, line, lane, separated by commas; got '(name|constructor|toString)'\n/, 'layout', 'f32[3]', '--svg', '--labels', labels);
});

test('failures end with exit code 1, files and places first', () => {
  fails(/^webhlo: cannot read nowhere.hlo: there is no such file\n$/, 'run', 'nowhere.hlo');
  fails(/^webhlo: cannot read .*: it is a folder\n$/, 'run', folder);
  fails(/^webhlo: cannot write .*: there is no such folder\n$/, 'convert', add, '--output', join(folder, 'no', 'where'));
  fails(/array\.npy: this is an \.npy array, not a module; inputs are given with --input\n$/, 'run', file('array.npy', writeNpy('f32', [1], new Float32Array(1))));
  const bad = file('bad.hlo', 'HloModule m\nENTRY e { ROOT x = f32[2] add(y z) }');
  for (const command of ['run', 'convert', 'inspect']) {
    const { status, stderr } = webhlo(command, bad);
    assert.equal(status, 1);
    assert.equal(stderr, `${bad}:2:31: PARSE: operand 'y' is not defined before this instruction\nENTRY e { ROOT x = f32[2] add(y z) }\n${' '.repeat(30)}^\n`);
  }
  const wrong = file('wrong.mlir', 'func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %b : tensor<2xf32>\n}\n');
  fails(/^.*wrong\.mlir:2:10: PARSE: '%b' is not defined/, 'inspect', wrong);
  fails(/^<stdin>:1:1: PARSE/, 'run', '-', { input: '{' });
  fails(/^<shape>:1:6: PARSE: expected '\]'.*\nf32\[3\n {5}\^\n$/, 'layout', 'f32[3');
  fails(/^webhlo: LIMIT: f32\[100000,100000\] has 10000000000 elements/, 'layout', 'f32[100000,100000]');
  fails(/^webhlo: ARGUMENT: \(f32\[\]\) has no memory picture/, 'layout', '(f32[])');
  fails(/^webhlo: ARGUMENT: f32\[0\] has no memory picture: it has no elements\n$/, 'layout', 'f32[0]', '--svg');
});

test('layout', () => {
  const text = succeeds('layout', 'f32[3,5]{1,0:T(2,2)}');
  assert.match(text, /15 elements, 60 bytes; in memory 24 elements, 96 bytes \(9 of padding\)/);
  assert.match(text, / {2}2 {2}12 {2}13 {2}16 {2}17 {2}20\n/);
  assert.deepEqual(JSON.parse(succeeds('layout', 'f32[3,5]{1,0:T(2,2)}', '--json')), {
    shape: 'f32[3,5]{1,0:T(2,2)}',
    byteSize: 60,
    arraySize: 96,
    offsets: [0, 1, 4, 5, 8, 2, 3, 6, 7, 10, 12, 13, 16, 17, 20],
  });
  for (const shape of ['f32[]', 'f32[0]', 'u8[3]', 'f32[2,3,4]{0,1,2}', 's4[7]{0:E(4)}', 'f32[1000,1000]'])
    succeeds('layout', shape);
});

test('ops', () => {
  assert.match(succeeds('ops'), /^batch-norm-training +Normalises/m);
  assert.match(succeeds('ops', 'dot'), /lhs_contracting_dims/);
  const ops = JSON.parse(succeeds('ops', '--json'));
  assert.ok(ops.length > 100 && ops.every((op) => op.name && op.doc && Array.isArray(op.attributes)));
});

test('convert --to hlo is stable', () => {
  const once = succeeds('convert', add, '--to', 'hlo');
  assert.match(once, /^HloModule add/);
  assert.equal(succeeds('convert', file('once.hlo', once), '--to', 'hlo'), once);
  assert.match(succeeds('convert', sample('dynamic.mlir'), '--to', 'stablehlo'), /tensor<\?x4xf32>/);
  assert.match(succeeds('convert', sample('dynamic.mlir')), /x = f32\[\?,4\]/);
  assert.match(succeeds('convert', sample('dynamic.mlir'), '--shapes', 'f32[3,4]'), /x = f32\[3,4\]/);
});

test('in a terminal: no bytes, no line beyond its width', (t) => {
  const bytes = inTerminal('convert', add, '--to', 'proto');
  if (!bytes) return t.skip('there is no `script` to make a terminal with');
  assert.equal(bytes.status, 2);
  assert.equal(bytes.shown, 'webhlo convert: --to proto would write bytes to the terminal: give --output FILE, or a pipe\nsee webhlo convert --help\n');
  for (const args of [['ops'], ['ops', 'convolution'], ['layout', 'f32[100,100]'], ['layout', 'bf16[32,256]{1,0:T(8,128)(2,1)}'], ['inspect', sample('dynamic.mlir')]]) {
    const { status, shown } = inTerminal(...args);
    assert.equal(status, 0);
    // A line of progress is cleared by what follows.
    for (const line of shown.replaceAll(/.*\r\x1b\[K/g, '').split('\n')) assert.ok(line.length <= 80, `${args}: ${line}`);
  }
});

test('progress is shown in a terminal, and cleared; never in a pipe', (t) => {
  const terminal = inTerminal('check', sample('check.mlir'), sample('axpy.hlo'));
  if (!terminal) return t.skip('there is no `script` to make a terminal with');
  assert.match(terminal.shown, /checking 1 of 2: .*\r\x1b\[K.*checking 2 of 2: /s);
  assert.equal(terminal.shown.replaceAll(/.*\r\x1b\[K/g, '').split('\n').at(-2), '2 passed, 0 failed');
  assert.ok(!webhlo('check', sample('check.mlir')).stderr.includes('\x1b'));
});
