// What differs from place to place: how modules of the package are found and compiled (node.js, web.js), and how workers are started
// (*-pool.js, *-runtime.js). package.json's conditions choose (#host, #pool, #runtime). inline.js is a host that holds the module itself.

import { HloError } from '../objects/errors.js';

/** @typedef {'single' | 'threads' | 'origins'} ModuleKind webhlo.wasm, webhlo-threads.wasm or webhlo-origins.wasm */
/**
 * A module of the core, and whose memory it works on: its own, a shared one, or one that is made for it and not shared.
 * linear: webhlo-linear.wasm, or its address; undefined: it is not known.
 * @typedef {{ module: WebAssembly.Module, memory: 'own' | 'shared' | 'unshared', linear?: string | WebAssembly.Module }} Program
 */
/**
 * A worker, seen from the thread that started it.
 * @typedef {object} Helper
 * @property {(message: unknown, transfer?: any[]) => void} post
 * @property {() => void} end
 * @property {(alive: boolean) => void} hold keep the process alive, or let it end
 * @property {(heard: (message: any) => void, failed: (error: unknown) => void) => void} listen
 */
/** @typedef {(message: unknown, transfer?: any[]) => void} Post */
/** @typedef {typeof import('../weights/load.js').loadWeights} WeightLoader */
/**
 * A file that can be read from anywhere; chunks are valid until the next.
 * @typedef {{ name: string, size: number, open: (start: number, end?: number) => AsyncIterable<Uint8Array> }} HostFile
 */
/** A file that is being kept, until it is closed. @typedef {{ write: (chunk: Uint8Array) => Promise<void>, close: () => Promise<void>, abort: () => Promise<void> }} Keeping */
/**
 * Where files are kept, by their addresses.
 * @typedef {{ get: (key: string) => Promise<HostFile | undefined>, put: (key: string) => Promise<Keeping>, delete: (key: string) => Promise<void> }} Store
 */
/**
 * @typedef {object} BaseHost
 * @property {(address: string | URL, signal?: AbortSignal) => Promise<WebAssembly.Module>} compileAt relative to the page or the folder
 * @property {(bytes: BufferSource) => WebAssembly.Module | Promise<WebAssembly.Module>} compileBytes
 * @property {(script: string) => Helper} startScript a worker whose script is this text, which is no module
 * @property {() => string} ownScript in such a worker: its text
 * @property {(answer: (message: any, post: Post) => void) => void} answerMessages in a worker: `answer` gets every message
 * @property {() => boolean} sharesMemory whether threads can share memory
 * @property {() => boolean} mayWait whether code here may wait for another thread
 * @property {(bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>} inflate what gzip made small
 * @property {(address: string | URL) => URL | string} locate what to fetch, or the path of a file
 * @property {(path: string) => Promise<HostFile>} openPath
 */
/**
 * A host where runtimes can have threads. importWeights: the code behind hlo.weights.
 * @typedef {BaseHost & { startPoolWorker: () => Helper, importWeights?: () => Promise<WeightLoader> }} ThreadHost
 */
/**
 * A host that can find the modules of this package. linearAddress: that of webhlo-linear.wasm.
 * @typedef {ThreadHost & { compileOwn: (kind: ModuleKind, signal?: AbortSignal) => Promise<Program>, linearAddress?: () => URL | undefined }} Host
 */
/** A host where runtimes can be in workers. @typedef {Host & { startRuntimeWorker: () => Helper }} RemoteHost */

/** What to do where a module or a script of the package is not where it belongs. */
export const REMEDY =
  "some bundlers (esbuild, Rollup) leave the package's files behind: import 'webhlo/inline', which holds the module, or copy the files of webhlo/dist and give the module's address, load({ wasm })";

/** The policy that a page needs; see docs/in-a-page.md. */
const POLICY =
  "the Content-Security-Policy of this page forbids WebAssembly: allow it with script-src 'self' 'wasm-unsafe-eval'";

/** @param {string} message @param {unknown} [cause] */
export function loadError(message, cause) {
  return new HloError('LOAD', message, cause === undefined ? {} : { cause });
}

/**
 * The failure to compile a module, told in its cause's words.
 * @param {string} what
 * @param {unknown} cause
 * @param {string} [remedy] what to do about bytes that are not a module
 */
export function compileError(what, cause, remedy) {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/Content.Security.Policy|\bCSP\b|unsafe-eval/i.test(message)) return loadError(`${what} was not compiled: ${POLICY}`, cause);
  return loadError(`${what} is not a WebAssembly module that this host can compile: ${message}${remedy ? `; ${remedy}` : ''}`, cause);
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d]; // "\0asm"

/** Throws unless bytes begin as a WebAssembly module does. @param {Uint8Array} bytes @param {string} what */
export function checkIsModule(bytes, what) {
  if (MAGIC.every((byte, i) => bytes[i] === byte)) return;
  const text = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart();
  const looks = /^<(!doctype|html)/i.test(text) ? 'a page of HTML' : bytes.length === 0 ? 'nothing' : `bytes that begin with ${[...bytes.subarray(0, 4)].join(' ')}`;
  throw loadError(`${what} is ${looks}, not a WebAssembly module; ${REMEDY}`);
}
