// Loads weights: from sources to files, from files to arrays.

import { openStore } from '#store';
import { HloError, abortError, isAddress } from '../objects/errors.js';
import { Shape } from '../objects/shape.js';
import { Tensor } from '../objects/tensor.js';
import { shapeOfValue } from '../builder/builder-core.js';
import { ByteStream } from './byte-stream.js';
import { Checksum, checkDigest, checkSize } from './checksum.js';
import { fileError } from './failures.js';
import { fetchedFile } from './fetching.js';
import { loadGguf } from './gguf.js';
import { loadNpy } from './npy.js';
import { loadNpz } from './npz.js';
import { FETCH_OPTIONS, FILE_OPTIONS, checkCounts, digestOf, isList, sourcesOf, weightOptions } from './options.js';
import { Placing } from './placing.js';
import { loadSafetensors } from './safetensors.js';
import { readIndex } from './shards.js';
import { fileOf, localFile } from './sources.js';

/** @typedef {import('../objects/core.js').Core} Core */
/** @typedef {import('./pieces.js').WeightFile} WeightFile */
/** @typedef {import('./sources.js').Source} Source */
/** @typedef {import('./sources.js').WeightSource} WeightSource */
/** @typedef {import('./weights.js').Weights} Weights */
/** @typedef {import('./options.js').WeightOptions} WeightOptions */
/** @typedef {import('./options.js').WeightArrays} WeightArrays */
/** @typedef {import('./options.js').WeightSources} WeightSources */

/** @type {Record<import('./options.js').WeightFormat, (placing: Placing, file: WeightFile, stream: ByteStream) => Promise<{ end: number, exact: boolean }>>} */
const LOADERS = { safetensors: loadSafetensors, npz: loadNpz, npy: loadNpy, gguf: loadGguf };

/** The name of a file, without folders. @param {string} name */
const lastOf = (name) => name.replace(/[?#].*$/, '').split(/[/\\]/).pop() ?? '';

/** The format of a file that begins so; 'index' of a list of shards. @param {string} file @param {Uint8Array} first */
function formatOf(file, first) {
  const text = String.fromCharCode(...first.subarray(0, 64));
  if (text.startsWith('GGUF')) return 'gguf';
  if (/^PK(\x03\x04|\x05\x06)/.test(text)) return 'npz';
  if (text.startsWith('\x93NUMPY')) return 'npy';
  if (/^[^]{5}\0\0\0\{/.test(text)) return 'safetensors';
  if (/^\s*\{/.test(text) && !text.includes('\0')) return 'index';
  const looks = /^\s*<(!doctype|html)/i.test(text) ? 'a page of HTML' : first.length === 0 ? 'empty' : `none of them: it begins with the bytes ${[...first.subarray(0, 8)].join(' ')}`;
  throw fileError('PARSE', file, `weights are safetensors, .npz, .npy or GGUF, and this file is ${looks}`);
}

class Loading {
  /** What was read of the files, and of which. */
  #loaded = 0;
  /** @type {number | undefined} */
  total = 0;
  /** @type {string | undefined} */
  #tensor;
  /** The last parts of the names of files. @type {Set<string>} */
  #named = new Set();

  /** @param {Core} core @param {WeightOptions} options */
  constructor(core, options) {
    this.core = core;
    this.options = options;
    this.signal = options.signal;
    this.placing = new Placing(core, options.names);
    this.fetch = Object.fromEntries(FETCH_OPTIONS.flatMap((name) => (name in options ? [[name, /** @type {any} */ (options)[name]]] : [])));
  }

  check() {
    if (this.signal?.aborted) throw abortError(this.signal);
    this.core.usable();
  }

  #tell() {
    const { total } = this;
    this.options.onProgress?.({ loaded: total === undefined ? this.#loaded : Math.min(this.#loaded, total), total, tensor: this.#tensor });
  }

  /** What an option says of a file. @template T @param {T | readonly T[] | Readonly<Record<string, T>> | undefined} option @param {number} index @param {string} name @returns {T | undefined} */
  #of(option, index, name) {
    if (typeof option !== 'object' || option === null) return index <= 0 ? /** @type {T | undefined} */ (option) : undefined;
    if (Array.isArray(option)) return option[Math.max(index, 0)];
    const last = lastOf(name);
    return Object.hasOwn(option, last) ? /** @type {any} */ (option)[last] : undefined;
  }

  /**
   * Opens a source, from where it is kept if it is.
   * @param {WeightSource} given @param {number} number
   * @returns {Promise<{ source: Source, kept?: import('../host/host.js').Store }>} kept: where it is to be kept
   */
  async #open(given, number) {
    if (!isAddress(given)) {
      if (this.options.cache) throw new HloError('ARGUMENT', 'a cache keeps what is fetched: give the address of the file');
      return { source: fileOf(given, number, this.signal) };
    }
    const { host } = this.core;
    const address = host.locate(given);
    if (typeof address === 'string') {
      if (this.options.cache) throw new HloError('ARGUMENT', `a cache keeps what is fetched, and ${address} is a file`);
      return { source: localFile(await host.openPath(address), address) };
    }
    const store = this.options.cache ? await openStore(this.options.cache) : undefined;
    const found = await store?.get(address.href);
    if (found) return { source: localFile({ ...found, name: address.href }, address), kept: store };
    return { source: await fetchedFile(address, { fetch: this.fetch, connections: this.options.connections ?? 4, signal: this.signal }), kept: store };
  }

  /**
   * Loads a file.
   * @param {WeightSource} given @param {number} index of a list; -1 of a file alone
   * @returns {Promise<void>}
   */
  async file(given, index) {
    this.check();
    const { source, kept } = await this.#open(given, index < 0 || index === Infinity ? 0 : index + 1);
    this.#named.add(lastOf(source.name));
    const { hash, size } = this.options;
    const digest = this.#of(hash, index, source.name);
    const expected = { size: this.#of(size, index, source.name), digest: digest === undefined ? undefined : digestOf(digest) };
    try {
      if (!source.isLocal && source.size !== undefined) checkSize(source.name, source.size, expected.size);
      if (source.isLocal && !(await this.#isAsExpected(source, expected, kept))) return await this.file(given, index);
      await this.#read(source, expected, source.isLocal ? undefined : kept, index === Infinity);
    } finally {
      await source.close?.();
    }
  }

  /** @typedef {{ size: number | undefined, digest: string | undefined }} Expected */

  /**
   * Compares a file with what it must be. One that was kept and is another is no longer kept.
   * @param {Source} source @param {Expected} expected @param {import('../host/host.js').Store} [kept] where it was kept
   */
  async #isAsExpected(source, expected, kept) {
    try {
      await this.#verify(source, expected);
      return true;
    } catch (error) {
      if (!kept || !(error instanceof HloError) || error.code !== 'LOAD') throw error;
      await kept.delete(/** @type {URL} */ (source.address).href);
      return false;
    }
  }

  /** Reads a file that can be read twice, to compare its checksum. @param {Source} source @param {Expected} expected */
  async #verify(source, { size, digest }) {
    checkSize(source.name, /** @type {number} */ (source.size), size);
    if (digest === undefined) return;
    const sum = new Checksum(this.core);
    try {
      for await (const chunk of source.open(0, source.size)) {
        this.check();
        sum.add(chunk);
      }
      checkDigest(source.name, sum.end(), digest);
    } finally {
      sum.free();
    }
  }

  /**
   * @param {Source} source
   * @param {Expected} expected
   * @param {import('../host/host.js').Store | undefined} store where it is to be kept
   * @param {boolean} isShard whether an index names it
   */
  async #read(source, expected, store, isShard) {
    const inOrder = !source.isLocal && (expected.digest !== undefined || store !== undefined);
    const sum = !source.isLocal && expected.digest !== undefined ? new Checksum(this.core) : undefined;
    /** @type {Awaited<ReturnType<import('../host/host.js').Store['put']>> | undefined} */
    let keeping;
    try {
      keeping = await store?.put(/** @type {URL} */ (source.address).href);
      const file = this.#counted(source, async (chunk) => {
        sum?.add(chunk);
        await keeping?.write(chunk);
      });
      if (inOrder) file.random = false;
      if (this.total !== undefined) this.total = source.size === undefined ? undefined : this.total + source.size;
      const mustEnd = inOrder || expected.size !== undefined;
      await this.#contents(source, file, mustEnd, expected.size, isShard);
      if (sum) checkDigest(source.name, sum.end(), /** @type {string} */ (expected.digest));
      await keeping?.close();
    } catch (error) {
      await keeping?.abort().catch(() => {});
      throw error;
    } finally {
      sum?.free();
    }
  }

  /** A file whose bytes are counted as they come. @param {Source} source @param {(chunk: Uint8Array) => Promise<void>} pass @returns {WeightFile} */
  #counted(source, pass) {
    const loading = this;
    return {
      name: source.name,
      size: source.size,
      random: source.random,
      connections: source.connections,
      reading: (tensor) => void (this.#tensor = tensor),
      async *open(start, end, stop) {
        for await (const chunk of source.open(start, end, stop)) {
          loading.check();
          await pass(chunk);
          loading.#loaded += chunk.length;
          try {
            yield chunk;
          } finally {
            loading.#tell();
          }
        }
      },
    };
  }

  /**
   * @param {Source} source @param {WeightFile} file
   * @param {boolean} mustEnd whether all of it has to be read @param {number | undefined} size that it must have
   * @param {boolean} isShard
   */
  async #contents(source, file, mustEnd, size, isShard) {
    const stream = new ByteStream(file.open(0, file.size), file.name);
    try {
      const format = this.options.format ?? formatOf(file.name, await stream.peek(64));
      if (format === 'index' && isShard) throw fileError('PARSE', file.name, 'a file that an index names holds tensors, and this is another index');
      if (format === 'index') return await this.#shards(source, file, stream);
      const { end, exact } = await LOADERS[format](this.placing, file, stream);
      if (file.random) return;
      if (mustEnd || !this.options.names) {
        await stream.skipTo(end, 'the last tensor');
        if (exact && (await stream.peek(1)).length > 0) throw fileError('PARSE', file.name, 'the file goes on behind the last tensor', { at: end });
      }
      if (mustEnd) checkSize(file.name, await stream.drain(), size);
    } finally {
      await stream.close();
    }
  }

  /** The files that an index names. @param {Source} source @param {WeightFile} file @param {ByteStream} stream */
  async #shards(source, file, stream) {
    const { address } = source;
    if (address === undefined) throw fileError('INPUT', file.name, 'an index names files beside it: give its address, or these files as a list');
    const files = await readIndex(file.name, stream);
    for (const [name, tensors] of files) {
      this.#named.add(name);
      if (!tensors.some((tensor) => this.placing.wants(tensor))) {
        for (const tensor of tensors) this.placing.found(tensor);
        continue;
      }
      const before = new Set(this.placing.present);
      const next = typeof address === 'string' ? address.replace(/[^/\\]*$/, () => name) : new URL(encodeURIComponent(name), address);
      await this.file(next, Infinity);
      const missing = tensors.find((tensor) => this.placing.wants(tensor) && (!this.placing.present.has(tensor) || before.has(tensor)));
      if (missing !== undefined) throw fileError('PARSE', file.name, `the file ${JSON.stringify(name)} should hold it, and does not`, { tensor: missing });
    }
  }

  /** Every file that options name must have been there. */
  checkNames() {
    for (const option of /** @type {const} */ (['hash', 'size'])) {
      const of = this.options[option];
      const names = typeof of === 'object' && of !== null && !Array.isArray(of) ? Object.keys(of) : [];
      for (const name of names)
        if (!this.#named.has(name)) throw new HloError('ARGUMENT', `${option} has the file ${JSON.stringify(name)}, and none of this name was loaded`);
    }
  }

  /** Copies arrays. @param {WeightArrays} arrays */
  arrays(arrays) {
    for (const option of FILE_OPTIONS)
      if (option in this.options) throw new HloError('ARGUMENT', `the option ${option} is of files, and an object of arrays is none`);
    const { core, placing } = this;
    for (const [name, value] of Object.entries(arrays)) {
      placing.found(name);
      if (!placing.wants(name)) continue;
      core.storages.enter();
      const own = value instanceof Tensor && value.core === core && value.shape.isDense ? value : undefined;
      const tensor = own ?? denseTensor(core, name, value);
      try {
        const { type, dimensions } = tensor.shape;
        const target = placing.target('weights', name, type, /** @type {number[]} */ (dimensions));
        void target.pointer;
        const at = tensor.pointer;
        target.set(core.bytes().subarray(at, at + target.byteSize), 0);
      } finally {
        if (!own) tensor.dispose();
      }
    }
  }
}

/** A row-major tensor of a value. @param {Core} core @param {string} name @param {unknown} value */
function denseTensor(core, name, value) {
  try {
    const shape = Shape.from(core, value instanceof Tensor ? value.shape.textWithType(value.shape.type) : shapeOfValue(value));
    return Tensor.of(core, shape, value);
  } catch (error) {
    if (error instanceof Error) error.message = `weights: ${JSON.stringify(name)}: ${error.message}`;
    throw error;
  }
}

/**
 * @param {Core} core
 * @param {WeightSources} source
 * @param {WeightOptions} [options]
 * @returns {Promise<Weights>}
 */
export async function loadWeights(core, source, options) {
  const loading = new Loading(core, weightOptions(options));
  const files = sourcesOf(source);
  if (files) checkCounts(loading.options, isList(source) ? files.length : undefined);
  try {
    loading.check();
    if (!files) loading.arrays(/** @type {WeightArrays} */ (source));
    for (const [index, file] of (files ?? []).entries()) await loading.file(file, isList(source) ? index : -1);
    loading.check();
    loading.checkNames();
    return loading.placing.weights();
  } catch (error) {
    throw loading.signal?.aborted ? abortError(loading.signal) : error;
  } finally {
    loading.placing.free();
  }
}
