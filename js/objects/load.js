// From options to a core: which module, whose memory, how many threads.

import { checkIsModule, compileError } from '../host/host.js';
import { Core } from './core.js';
import { abortError, checkOptions, isAddress, mistyped } from './errors.js';

/** @typedef {import('../host/host.js').Host} Host */
/** @typedef {import('../host/host.js').Program} Program */
/**
 * A WebAssembly.Module, where the host's declarations have it.
 * @typedef {typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : never} CompiledModule
 */
/**
 * @typedef {object} LoadOptions
 * @property {URL | string | ArrayBuffer | ArrayBufferView | CompiledModule} [wasm]
 *   webhlo.wasm, where it is not beside the package; webhlo-threads.wasm for more threads than one
 * @property {URL | string | ArrayBuffer | ArrayBufferView | CompiledModule} [linear]
 *   webhlo-linear.wasm, which webhlo.wasm loads for the first program with linear algebra, Fourier transforms or functions of complex numbers: where it is neither
 *   beside the package nor, under this name, beside the address `wasm` of a webhlo.wasm
 * @property {number} [threads] that share the work of large steps; 1 unless given. There are fewer, and `hlo.threads` says how
 *   many, where memory cannot be shared: on the main thread of a page, and where a page is not cross-origin isolated
 * @property {boolean} [origins] load webhlo-origins.wasm instead, which `hlo.origins` needs
 * @property {number} [shareFrom] nanoseconds of work from which a step is shared; 4000 unless given. Results are the same bits
 * @property {boolean} [emit] compile fused loops to WebAssembly of their own, where the host allows it; true unless given
 * @property {boolean} [relaxed] have dots, convolutions and the functions in fused loops multiply and add in one instruction (relaxed
 *   SIMD), where the host can: faster, and rounded less often, so that last bits differ from host to host; what `emit` says unless given
 * @property {number} [memoryLimit] bytes that the WebAssembly memory of the runtime may grow to, 8 MiB (8388608) or more: beyond it
 *   calls fail with OUT_OF_MEMORY, as they do where memory is full. 4 GiB unless given
 * @property {AbortSignal} [signal] stops loading
 */

const LOAD_OPTIONS = ['wasm', 'linear', 'threads', 'origins', 'shareFrom', 'emit', 'relaxed', 'memoryLimit', 'signal'];
const MOST_THREADS = 64;
/** What a runtime begins with, and some room. */
const LEAST_MEMORY = 2 ** 23;

/** Options of `load`, read once: what becomes of the object later has no effect. @param {LoadOptions} [options] @returns {LoadOptions} */
export function loadOptions(options) {
  return { ...checkOptions(options, LOAD_OPTIONS, 'load') };
}

/** @param {LoadOptions} options */
function checkNumbers({ threads = 1, shareFrom = 0, memoryLimit = LEAST_MEMORY }) {
  if (!Number.isInteger(threads) || threads < 1 || threads > MOST_THREADS)
    throw mistyped(`threads is a count from 1 to ${MOST_THREADS}`, threads);
  if (typeof shareFrom !== 'number' || !(shareFrom >= 0)) throw mistyped('shareFrom is a number of nanoseconds', shareFrom);
  if (!Number.isSafeInteger(memoryLimit) || memoryLimit < LEAST_MEMORY)
    throw mistyped(`memoryLimit is a whole number of bytes, ${LEAST_MEMORY} or more`, memoryLimit);
}

/**
 * The module that options ask for. A module that was given is for threads, or it is not: its imports say so.
 * @param {Host} host
 * @param {LoadOptions} options
 * @param {boolean} shares whether threads can share memory where the module will run
 * @returns {Promise<Program>}
 */
export async function programOf(host, options, shares) {
  const { wasm, origins = false, threads = 1, signal } = options;
  checkNumbers(options);
  try {
    signal?.throwIfAborted();
    const module = wasm === undefined ? undefined : await compileGiven(host, wasm, 'wasm', signal);
    const program = module
      ? { module, memory: importsMemory(module) ? /** @type {const} */ ('shared') : /** @type {const} */ ('own') }
      : await host.compileOwn(origins ? 'origins' : shares && threads > 1 ? 'threads' : 'single', signal);
    const linear = await linearOf(host, options);
    signal?.throwIfAborted();
    return { ...program, linear };
  } catch (error) {
    throw signal?.aborted ? abortError(signal) : error;
  }
}

/**
 * The place of webhlo-linear.wasm: an address that holds in a worker as well, or the module.
 * @param {Host} host @param {LoadOptions} options
 * @returns {Promise<Program['linear']>}
 */
async function linearOf(host, { wasm, linear, signal }) {
  if (linear !== undefined && !isAddress(linear)) return compileGiven(host, linear, 'linear', signal);
  const beside = isAddress(wasm) ? `${wasm}`.replace(/(^|\/)webhlo(?=\.wasm($|[?#]))/, '$1webhlo-linear') : undefined;
  const address = linear ?? (beside === `${wasm}` ? undefined : beside) ?? host.linearAddress?.();
  const here = globalThis.location?.href;
  return address && String(here ? new URL(address, here) : address);
}

/** @param {WebAssembly.Module} module */
function importsMemory(module) {
  return WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
}

/** @param {Host} host @param {NonNullable<LoadOptions['wasm']>} wasm @param {'wasm' | 'linear'} option @param {AbortSignal} [signal] */
async function compileGiven(host, wasm, option, signal) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) {
    checkIsModule(wasm instanceof ArrayBuffer ? new Uint8Array(wasm) : new Uint8Array(wasm.buffer, wasm.byteOffset, wasm.byteLength), `the option ${option}`);
    try {
      return await host.compileBytes(/** @type {BufferSource} */ (wasm));
    } catch (error) {
      throw compileError(`the option ${option}`, error);
    }
  }
  if (!isAddress(wasm)) throw mistyped(`${option} is a URL, bytes or a WebAssembly.Module`, wasm);
  return host.compileAt(wasm, signal);
}

/**
 * An instance of a module, with threads where it has any.
 * @param {import('../host/host.js').ThreadHost} host
 * @param {Program} program
 * @param {Pick<LoadOptions, 'emit' | 'relaxed' | 'threads' | 'shareFrom' | 'memoryLimit' | 'signal'>} [options]
 * @returns {Promise<Core>}
 */
export async function coreOf(host, program, { emit = true, relaxed = emit, threads = 1, shareFrom, memoryLimit, signal } = {}) {
  try {
    return await Core.instantiate(host, program, { emits: emit, relaxed, threads, shareFrom, memoryLimit });
  } catch (error) {
    throw signal?.aborted ? abortError(signal) : error;
  }
}

/**
 * The module that options ask for, and an instance. Where memory can be shared, but is refused, there is one thread.
 * @param {Host} host
 * @param {LoadOptions} options as loadOptions gives them
 * @param {boolean} shares whether threads can share memory here
 * @returns {Promise<Core>}
 */
export async function loadCore(host, options, shares) {
  const program = await programOf(host, options, shares);
  try {
    return await coreOf(host, program, options);
  } catch (error) {
    if (program.memory !== 'shared' || options.wasm !== undefined) throw error;
    return coreOf(host, await programOf(host, options, false), options);
  }
}
