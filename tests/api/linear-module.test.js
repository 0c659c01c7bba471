// webhlo-linear.wasm: loaded for the first program with linear algebra, a Fourier transform or a function of complex numbers, and for no other; the same bits as where it is linked in.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { load } from '../../js/index.js';
import { load as loadInline } from '../../js/inline.js';
import { load as loadRemote } from '../../js/worker.js';

const dist = new URL('../../dist/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'webhlo-linear-'));
after(() => rmSync(folder, { recursive: true }));
const missing = pathToFileURL(join(folder, 'nowhere.wasm'));

const MATRIX = [[4, 2, 0], [2, 5, 1], [0, 1, 3]];
const CHOLESKY = 'HloModule m\nENTRY e { a = f64[3,3] parameter(0) ROOT c = f64[3,3] cholesky(a), lower=true }';
const FACTOR = [[2, 0, 0], [1, 2, 0], [0, 0.5, Math.sqrt(2.75)]];
const SUM = 'HloModule m\nENTRY e { a = f64[3,3] parameter(0) ROOT c = f64[3,3] add(a, a) }';
const DYNAMIC = `
func.func private @factor(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c = "stablehlo.cholesky"(%a) {lower = true} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %c : tensor<?x?xf64>
}
func.func @main(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c = call @factor(%a) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %c : tensor<?x?xf64>
}`;
const FFT = 'HloModule m\nENTRY e { a = c64[2,4] parameter(0) ROOT c = c64[2,4] fft(a), fft_type=FFT, fft_length={4} }';
const SIGNAL = new Float32Array([1, 0, 2, 0, 3, 0, 4, 0, 0, 1, 0, 1, 0, 1, 0, 1]);
const SPECTRUM = [10, 0, -2, 2, -2, 0, -2, -2, 0, 4, 0, 0, 0, 0, 0, 0];
const DYNAMIC_FFT = `
func.func @main(%a: tensor<?x4xcomplex<f32>>) -> tensor<?x4xcomplex<f32>> {
  %c = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<?x4xcomplex<f32>>) -> tensor<?x4xcomplex<f32>>
  return %c : tensor<?x4xcomplex<f32>>
}`;
const COMPLEX = (/** @type {string} */ root, type = 'c64') => `HloModule m\nENTRY e { a = ${type}[2,24] parameter(0) b = ${type}[2,24] parameter(1) ROOT c = ${root.replace('T', type)} }`;
const DYNAMIC_QUOTIENT = `
func.func @main(%a: tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  %c = stablehlo.divide %a, %a : tensor<?xcomplex<f64>>
  return %c : tensor<?xcomplex<f64>>
}`;
const CALL = (/** @type {string} */ target, /** @type {string} */ type, /** @type {string} */ result) =>
  `HloModule m\nENTRY e { a = ${type}[2,24,24] parameter(0) ROOT c = ${result} custom-call(a), custom_call_target="${target}", api_version=API_VERSION_TYPED_FFI }`;

const PIVOTED = CALL('lapack_dgeqp3_ffi', 'f64', '(f64[2,24,24], s32[2,24], f64[2,24])').replace('parameter(0)', 'parameter(0) n = s32[2,24] parameter(1)').replace('call(a)', 'call(a, n)');
const SPARSE = `HloModule m
ENTRY e {
  values = f64[3] parameter(0)
  first = s32[3] constant({0, 1, 3})
  columns = s32[3] constant({1, 0, 1})
  b = f64[2] constant({10, 100})
  ROOT c = f64[2] custom-call(values, first, columns, b), custom_call_target="cpu_csr_sparse_dense_ffi", api_version=API_VERSION_TYPED_FFI
}`;

/** Which kernels the steps of a plan have. @param {any} executable */
const kernelsOf = ({ plan }) => plan.routines.flatMap((/** @type {any} */ { steps }) => steps.map((/** @type {any} */ { kernel }) => kernel));

/** The bytes of a result, or of each of several. @param {any} result */
const bytesOf = (result) => [result].flat().map((tensor) => Buffer.from(tensor.toTypedArray().buffer).toString('hex'));

/**
 * Runs a program in several runtimes, whose results are to have the bits of the first.
 * @param {any[]} runtimes @param {string} text @param {any[]} inputs @param {any} [options] of compile
 * @param {(kernels: (string | undefined)[]) => void} [check] of the kernels of each
 */
async function sameBits(runtimes, text, inputs, options, check) {
  const results = [];
  for (const hlo of runtimes) {
    const executable = await hlo.compile(hlo.parse(text), options);
    check?.(kernelsOf(executable));
    results.push(bytesOf(executable.run(inputs)));
  }
  for (const other of results.slice(1)) assert.deepEqual(results[0], other, text);
}

/** @param {any} runtime a runtime here or in a worker @param {string} text @param {unknown[]} inputs */
async function resultOf(runtime, text, inputs) {
  const executable = await runtime.compile(await runtime.parse(text));
  return (await executable.run(inputs)).toArray();
}

test('a program with linear algebra, a Fourier transform or a function of complex numbers loads it, and others do not', async () => {
  const hlo = await load({ linear: missing });
  assert.deepEqual(await resultOf(hlo, SUM, [MATRIX]), MATRIX.map((row) => row.map((x) => 2 * x)));
  const refusal = { name: 'HloError', code: 'LOAD', message: /linear algebra, Fourier transforms and functions of complex numbers need webhlo-linear\.wasm: .*nowhere\.wasm cannot be read \(ENOENT\).*load\(\{ linear \}\)/ };
  const programs = [
    CHOLESKY,
    DYNAMIC,
    FFT,
    DYNAMIC_FFT,
    'HloModule m\ncalled { a = f32[4] parameter(0) ROOT c = c64[3] fft(a), fft_type=RFFT, fft_length={4} }\nENTRY e { a = f32[4] parameter(0) ROOT c = c64[3] call(a), to_apply=called }',
    'HloModule m\nENTRY e { a = f64[3,3] parameter(0) ROOT c = f64[3,3] triangular-solve(a, a), left_side=true, lower=true, transpose_a=NO_TRANSPOSE }',
    CALL('lapack_dgetrf_ffi', 'f64', '(f64[2,24,24], s32[2,24], s32[2])'),
    PIVOTED, // which has no kernel
    SPARSE,
    `HloModule m\nbody { p = (f64[3,3]) parameter(0) a = f64[3,3] get-tuple-element(p), index=0 c = f64[3,3] cholesky(a), lower=true ROOT t = (f64[3,3]) tuple(c) }
condition { p = (f64[3,3]) parameter(0) ROOT no = pred[] constant(false) }
ENTRY e { a = f64[3,3] parameter(0) t = (f64[3,3]) tuple(a) ROOT w = (f64[3,3]) while(t), condition=condition, body=body }`,
    COMPLEX('T[2,24] tanh(a)'),
    COMPLEX('T[2,24] divide(a, b)', 'c128'),
    COMPLEX('T[2,24] custom-call(a), custom_call_target="mhlo.asin"'),
    DYNAMIC_QUOTIENT,
    `HloModule m\nlarger { x = c64[] parameter(0) y = c64[] parameter(1) ROOT m = c64[] maximum(x, y) }
ENTRY e { a = c64[4] parameter(0) least = c64[] constant((-inf, 0)) ROOT c = c64[] reduce(a, least), dimensions={0}, to_apply=larger }`,
  ];
  for (const text of [...programs, CHOLESKY]) await assert.rejects(hlo.compile(hlo.parse(text)), refusal);
  // Plain arithmetic, which the core has.
  const numbers = new Float32Array(96).fill(3);
  for (const root of ['T[2,24] add(a, b)', 'T[2,24] subtract(a, b)', 'T[2,24] multiply(a, b)', 'T[2,24] negate(a)', 'f32[2,24] abs(a)', 'f32[2,24] real(a)', 'f32[2,24] imag(a)', 'pred[2,24] compare(a, b), direction=EQ', 'c128[2,24] convert(a)'])
    for (const reference of [false, true]) {
      const executable = await hlo.compile(hlo.parse(COMPLEX(root)), { reference });
      const two = [hlo.tensor(numbers, 'c64[2,24]'), hlo.tensor(numbers, 'c64[2,24]')];
      assert.equal([...executable.run(two).toTypedArray()].length > 0, true);
    }
  hlo.dispose();
});

test('it is found beside the package, beside an address, and where an option says', async () => {
  for (const name of ['webhlo.wasm', 'webhlo-linear.wasm']) copyFileSync(new URL(name, dist), join(folder, name));
  copyFileSync(new URL('webhlo.wasm', dist), join(folder, 'other.wasm'));
  const own = new URL('webhlo-linear.wasm', dist);
  const bytes = readFileSync(own);
  const given = [
    {}, { wasm: pathToFileURL(join(folder, 'webhlo.wasm')) }, { wasm: pathToFileURL(join(folder, 'other.wasm')) },
    { wasm: readFileSync(new URL('webhlo.wasm', dist)) }, { linear: own }, { linear: own.href }, { linear: bytes }, { linear: new WebAssembly.Module(bytes) },
  ];
  for (const options of given) {
    const hlo = await load(options);
    const before = hlo.memory();
    const module = hlo.parse(CHOLESKY);
    const compiling = hlo.compile(module);
    module.dispose(); // compile needs it no longer
    const executable = await compiling;
    assert.deepEqual(executable.run([MATRIX]).toArray(), FACTOR);
    assert.deepEqual(kernelsOf(executable), ['cholesky']);
    executable.dispose();
    assert.equal(hlo.memory().modules, before.modules);
    hlo.dispose();
  }
  rmSync(join(folder, 'webhlo-linear.wasm'));
  const hlo = await load({ wasm: pathToFileURL(join(folder, 'webhlo.wasm')) });
  await assert.rejects(hlo.compile(hlo.parse(CHOLESKY)), { code: 'LOAD', message: /webhlo-linear\.wasm cannot be read/ });
  copyFileSync(own, join(folder, 'webhlo-linear.wasm'));
  assert.deepEqual(await resultOf(hlo, CHOLESKY, [MATRIX]), FACTOR); // it is tried again
  hlo.dispose();
  await assert.rejects(load({ linear: /** @type {any} */ (3) }), { name: 'TypeError', message: /linear is a URL, bytes or a WebAssembly\.Module/ });
  await assert.rejects(load({ linear: new TextEncoder().encode('<!doctype html>') }), { code: 'LOAD', message: /^the option linear is a page of HTML/ });
});

test('it imports memory, table, stack and places, and no function, which no host would supply', () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(new URL('webhlo-linear.wasm', dist))));
  assert.deepEqual(imports.map(({ name, kind }) => `${name}: ${kind}`).sort(), [
    '__indirect_function_table: table', '__memory_base: global', '__stack_pointer: global', '__table_base: global', 'memory: memory',
  ]);
});

test('runs of unseen shapes have it from the compilation of a dynamic module', async () => {
  const hlo = await load();
  const executable = await hlo.compile(hlo.parse(DYNAMIC));
  assert.deepEqual(executable.run([MATRIX]).toArray(), FACTOR);
  assert.deepEqual(executable.run([[[9]]]).toArray(), [[3]]);
  for (const one of executable.specializations) assert.deepEqual(kernelsOf(one), ['cholesky']);
  const transforming = await hlo.compile(hlo.parse(DYNAMIC_FFT));
  assert.deepEqual([...transforming.run([hlo.tensor(SIGNAL, 'c64[2,4]')]).toTypedArray()], SPECTRUM);
  assert.deepEqual([...transforming.run([hlo.tensor(SIGNAL.subarray(8), 'c64[1,4]')]).toTypedArray()], SPECTRUM.slice(8));
  for (const one of transforming.specializations) assert.deepEqual(kernelsOf(one), ['fft_simd128']);
  hlo.dispose();
});

test('programs that are compiled at once share it', async () => {
  const hlo = await load();
  const all = await Promise.all(Array.from({ length: 4 }, () => hlo.compile(hlo.parse(CHOLESKY))));
  for (const executable of all) assert.deepEqual(executable.run([MATRIX]).toArray(), FACTOR);
  hlo.dispose();
});

test('a runtime that was disposed of meanwhile says so', async () => {
  const hlo = await load();
  const compiling = hlo.compile(hlo.parse(CHOLESKY));
  hlo.dispose();
  await assert.rejects(compiling, { code: 'DISPOSED' });
});

test('every routine gives the bits that it gives where it is linked in', async () => {
  const [side, linked, threads] = [await load(), await load({ origins: true }), await load({ threads: 2, shareFrom: 0 })];
  let compared = 0;
  for (const [letter, type, real] of [['s', 'f32', 'f32'], ['d', 'f64', 'f64'], ['c', 'c64', 'f32'], ['z', 'c128', 'f64']]) {
    const parts = letter === 'c' || letter === 'z' ? 2 : 1;
    const count = 2 * 24 * 24 * parts;
    // Symmetric, with a large diagonal: every routine takes it.
    const data = Float64Array.from({ length: count }, (_, i) => {
      const [part, place] = [i % parts, Math.floor(i / parts)];
      const [row, col] = [Math.floor(place / 24) % 24, place % 24];
      return part ? (row === col ? 0 : Math.sign(col - row) * Math.cos(row * col)) : (row === col ? 60 + row : 0) + Math.sin(row * col + (place >= 576 ? 1 : 0));
    });
    const input = real === 'f32' ? new Float32Array(data) : data;
    const m = `${type}[2,24,24]`;
    const calls = [
      CALL(`lapack_${letter}potrf_ffi`, type, `(${m}, s32[2])`),
      CALL(`lapack_${letter}getrf_ffi`, type, `(${m}, s32[2,24], s32[2])`),
      CALL(`lapack_${letter}geqrf_ffi`, type, `(${m}, ${type}[2,24])`),
      CALL(`lapack_${letter}${parts === 2 ? 'heevd' : 'syevd'}_ffi`, type, `(${m}, ${real}[2,24], s32[2])`),
      CALL(`lapack_${letter}gesdd_ffi`, type, `(${m}, ${real}[2,24], ${m}, ${m}, s32[2])`),
      `HloModule m\nENTRY e { a = ${m} parameter(0) ROOT c = ${m} cholesky(a), lower=true }`,
      `HloModule m\nENTRY e { a = ${m} parameter(0) ROOT c = ${m} triangular-solve(a, a), left_side=false, lower=true, transpose_a=TRANSPOSE }`,
    ];
    for (const text of calls) {
      await sameBits([side, linked, threads], text, [input], {}, (kernels) => assert.ok(kernels.every(Boolean), `${text}: ${kernels}`));
      compared++;
    }
  }
  assert.equal(compared, 28);
  for (const hlo of [side, linked, threads]) hlo.dispose();
});

test('every Fourier transform gives the bits that it gives where it is linked in, by its kernel and by the reference', async () => {
  const [side, linked, threads] = [await load(), await load({ origins: true }), await load({ threads: 2, shareFrom: 0 })];
  let compared = 0;
  for (const [real, complex] of [['f32', 'c64'], ['f64', 'c128']])
    // Factor by factor; as a convolution; a line alone; over several dimensions; of one element.
    for (const [dims, lengths] of [[[6, 32], [32]], [[5, 45], [45]], [[3, 67], [67]], [[64], [64]], [[2, 6, 10], [6, 10]], [[4, 6, 9], [4, 6, 9]], [[3, 1], [1]]]) {
      const length = dims[dims.length - 1];
      const whole = `[${dims}]`;
      const half = `[${[...dims.slice(0, -1), (length >> 1) + 1]}]`;
      for (const [type, operand, result] of [
        ['FFT', complex + whole, complex + whole], ['IFFT', complex + whole, complex + whole], ['RFFT', real + whole, complex + half], ['IRFFT', complex + half, real + whole],
      ]) {
        const text = `HloModule m\nENTRY e { a = ${operand} parameter(0) ROOT c = ${result} fft(a), fft_type=${type}, fft_length={${lengths}} }`;
        const numbers = dims.slice(0, -1).reduce((a, b) => a * b, 1) * (type === 'IRFFT' ? (length >> 1) + 1 : length) * (type === 'RFFT' ? 1 : 2);
        const input = (real === 'f32' ? Float32Array : Float64Array).from({ length: numbers }, (_, i) => Math.sin(i * i));
        for (const reference of [false, true]) {
          await sameBits([side, linked, threads], text, [input], { reference }, (kernels) => reference || assert.deepEqual(kernels, ['fft_simd128'], text));
          compared++;
        }
      }
    }
  assert.equal(compared, 112);
  for (const hlo of [side, linked, threads]) hlo.dispose();
});

test('every function of complex numbers gives the bits that it gives where it is linked in', async () => {
  const [side, linked] = [await load(), await load({ origins: true })];
  const unary = 'acos acosh asin asinh atan atanh cbrt cosh cosine exponential exponential-minus-one log log-plus-one logistic rsqrt sign sine sinh sqrt tan tanh square abs negate'.split(' ');
  const binary = 'divide power atan2 maximum minimum add subtract multiply'.split(' ');
  for (const [type, Part] of /** @type {const} */ ([['c64', Float32Array], ['c128', Float64Array]])) {
    const inputs = [1, 2].map((n) => Part.from({ length: 96 }, (_, i) => (i < 8 ? [0, -0, Infinity, NaN, 1e-30, -1e30, 1, -1][(i * n) % 8] : Math.sin(i * i * n) * 3)));
    for (const op of [...unary, ...binary]) {
      const result = op === 'abs' ? (type === 'c64' ? 'f32' : 'f64') : type;
      await sameBits([side, linked], COMPLEX(`${result}[2,24] ${op}(${unary.includes(op) ? 'a' : 'a, b'})`, type), inputs, { reference: true });
    }
  }
  const executable = await side.compile(side.parse(DYNAMIC_QUOTIENT));
  assert.deepEqual([...executable.run([side.tensor(new Float64Array([1, 2, 3, 4]), 'c128[2]')]).toTypedArray()], [1, 0, 1, 0]);
  for (const hlo of [side, linked]) hlo.dispose();
});

test('a Fourier transform of constants is folded, and the memory of an argument is its result\'s where that is given away', async () => {
  const hlo = await load();
  const constant = 'HloModule m\nENTRY e { a = c64[4] constant({(1, 0), (2, 0), (3, 0), (4, 0)}) ROOT c = c64[4] fft(a), fft_type=FFT, fft_length={4} }';
  const folded = await hlo.compile(hlo.parse(constant));
  assert.deepEqual([...folded.run([]).toTypedArray()], SPECTRUM.slice(0, 8));
  assert.deepEqual(kernelsOf(folded), []);
  const donating = await hlo.compile(hlo.parse(FFT), { donate: [0] });
  assert.deepEqual([...donating.run([hlo.tensor(SIGNAL, 'c64[2,4]')]).toTypedArray()], SPECTRUM);
  hlo.dispose();
});

test('what the reference evaluator has of it gives the bits that it gives where it is linked in', async () => {
  const [side, linked] = [await load(), await load({ origins: true })];
  const m = 'f64[2,24,24]';
  const pivots = new Int32Array(48);
  const square = Float64Array.from({ length: 2 * 24 * 24 }, (_, i) => Math.sin(i * i) + (i % 25 === 0 ? 3 : 0));
  const calls = [
    [PIVOTED, square, pivots],
    [SPARSE, [2, 3, 4]],
    [CALL('lapack_dgehrd_ffi', 'f64', `(${m}, f64[2,23], s32[2])`), square],
    [CALL('lapack_dsytrd_ffi', 'f64', `(${m}, f64[2,24], f64[2,23], f64[2,23], s32[2])`), square],
    [CALL('lapack_dgeev_ffi', 'f64', '(f64[2,24], f64[2,24], c128[2,24,24], c128[2,24,24], s32[2])'), square],
    [CALL('lapack_dgees_ffi', 'f64', `(${m}, ${m}, f64[2,24], f64[2,24], s32[2], s32[2])`), square],
    [CALL('lapack_dgesdd_ffi', 'f64', `(${m}, f64[2,24], ${m}, ${m}, s32[2])`), square],
    [CHOLESKY, MATRIX],
    ['HloModule m\nENTRY e { a = f64[3,3] parameter(0) ROOT c = f64[3,3] triangular-solve(a, a), left_side=true, lower=true, transpose_a=NO_TRANSPOSE }', MATRIX],
  ];
  for (const [text, ...inputs] of calls) await sameBits([side, linked], /** @type {string} */ (text), inputs, { reference: true });
  // Its errors are the core's.
  const sorted = CALL('lapack_dgees_ffi', 'f64', `(${m}, ${m}, f64[2,24], f64[2,24], s32[2], s32[2])`).replace('api_version', 'backend_config={sort = 83 : ui8}, api_version');
  const executable = await side.compile(side.parse(sorted));
  assert.throws(() => executable.run([square]), { code: 'UNSUPPORTED', message: /custom-call c: sorted Schur forms are not supported/ });
  for (const hlo of [side, linked]) hlo.dispose();
});

test('workers and webhlo/inline have it', async () => {
  for (const start of [() => loadRemote(), () => loadRemote({ threads: 2, shareFrom: 0 }), () => loadRemote({ linear: readFileSync(new URL('webhlo-linear.wasm', dist)) }), () => loadInline()]) {
    const hlo = await start();
    assert.deepEqual(await resultOf(hlo, CHOLESKY, [MATRIX]), FACTOR);
    assert.deepEqual(await resultOf(hlo, DYNAMIC, [MATRIX]), FACTOR);
    hlo.dispose();
    const first = await start(); // of its programs, which has a transform
    const transform = await first.compile(await first.parse(FFT));
    assert.deepEqual([...(await (await transform.run([SIGNAL])).toTypedArray())], SPECTRUM);
    first.dispose();
  }
  const hlo = await loadRemote({ linear: missing });
  await assert.rejects(hlo.compile(await hlo.parse(CHOLESKY)), { code: 'LOAD', message: /nowhere\.wasm cannot be read/ });
  hlo.dispose();
});
