// The functions of a small WebAssembly module as text, one instruction a line.
import { CODES, MORE_CODES, VECTOR_CODES } from './wasm-opcodes.js';

/** @typedef {{ name: string, lines: string[], bytes: number }} WasmFunction */

const TYPES = /** @type {Record<number, string>} */ ({ 0x7f: 'i32', 0x7e: 'i64', 0x7d: 'f32', 0x7c: 'f64', 0x7b: 'v128', 0x70: 'funcref' });

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** A number in LEB128. */
  unsigned() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  }

  signed() {
    let value = 0n;
    for (let shift = 0n; ; ) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
      if (byte < 128) return BigInt.asIntN(Number(shift), value);
    }
  }

  /** @template T @param {() => T} read @returns {T[]} */
  list(read) {
    return Array.from({ length: this.unsigned() }, read);
  }

  text() {
    const length = this.unsigned();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

/** The functions of a module, by their exports' names. @param {Uint8Array} bytes @returns {WasmFunction[]} */
export function wasmFunctions(bytes) {
  const from = new Reader(bytes);
  from.at = 8;
  /** @type {{ parameters: string[], results: string[] }[]} */
  let types = [];
  /** @type {number[]} */
  let signatures = [];
  let imported = 0;
  /** @type {Map<number, string>} */
  const names = new Map();
  /** @type {WasmFunction[]} */
  const functions = [];
  const type = () => TYPES[from.byte()] ?? '?';
  while (from.at < bytes.length) {
    const section = from.byte();
    const size = from.unsigned();
    const end = from.at + size;
    if (section === 1) types = from.list(() => (from.byte(), { parameters: from.list(type), results: from.list(type) }));
    else if (section === 2) from.list(() => (imported += skipImport(from)));
    else if (section === 3) signatures = from.list(() => from.unsigned());
    else if (section === 7) for (const [name, kind, index] of from.list(() => /** @type {const} */ ([from.text(), from.byte(), from.unsigned()]))) if (kind === 0) names.set(index, name);
    if (section === 10) from.list(() => functions.push(functionText(from, types[signatures[functions.length]], names.get(imported + functions.length) ?? `${functions.length}`)));
    from.at = end;
  }
  return functions;
}

/** @param {Reader} from @returns {number} 1 for a function */
function skipImport(from) {
  from.text();
  from.text();
  const kind = from.byte();
  if (kind === 0) from.unsigned();
  else if (kind === 3) from.at += 2;
  else {
    if (kind === 1) from.byte();
    const flags = from.byte();
    from.unsigned();
    if (flags & 1) from.unsigned();
  }
  return kind === 0 ? 1 : 0;
}

/** @param {Reader} from @param {{ parameters: string[], results: string[] }} type @param {string} name @returns {WasmFunction} */
function functionText(from, { parameters, results }, name) {
  const size = from.unsigned();
  const start = from.at;
  const end = start + size;
  const locals = from.list(() => ({ count: from.unsigned(), type: TYPES[from.byte()] ?? '?' }));
  const lines = [`(func ${name}${parameters.length ? ` (param ${parameters.join(' ')})` : ''}${results.length ? ` (result ${results.join(' ')})` : ''}`];
  if (locals.length) lines.push(`  (local ${locals.map(({ count, type: kind }) => (count > 1 ? `${kind} × ${count}` : kind)).join(', ')})`);
  let depth = 1;
  while (from.at < end) {
    const text = instructionText(from);
    if (text === 'end' || text === 'else') depth--;
    if (from.at < end || text !== 'end') lines.push(`${'  '.repeat(Math.max(1, depth))}${text}`);
    if (/^(block|loop|if|else)\b/.test(text)) depth++;
  }
  lines.push(')');
  from.at = end;
  return { name, lines, bytes: size };
}

/** @param {Reader} from */
function memoryText(from) {
  const align = from.unsigned();
  const offset = from.unsigned();
  return `${offset ? ` offset=${offset}` : ''} align=${2 ** (align & 63)}`;
}

/** @param {Reader} from @returns {string} */
function instructionText(from) {
  const code = from.byte();
  if (code === 0xfd) return vectorText(from);
  if (code === 0xfc) {
    const more = from.unsigned();
    const operands = more < 8 ? 0 : [2, 1, 2, 1][more - 8] ?? 0;
    for (let i = 0; i < operands; i++) from.unsigned();
    return MORE_CODES[more] ?? `0xfc ${more}`;
  }
  const name = CODES[code] ?? `0x${code.toString(16)}`;
  if (code >= 2 && code <= 4) {
    const kind = from.byte();
    return kind === 0x40 ? name : `${name} (result ${TYPES[kind] ?? kind})`;
  }
  if (code === 0x0e) return `${name} ${[...from.list(() => from.unsigned()), from.unsigned()].join(' ')}`;
  if (code === 0x11) return `${name} (type ${from.unsigned()}) (table ${from.unsigned()})`;
  if (code === 0x0c || code === 0x0d || code === 0x10 || (code >= 0x20 && code <= 0x26)) return `${name} ${from.unsigned()}`;
  if (code === 0x1c) return `${name} ${from.list(() => TYPES[from.byte()]).join(' ')}`;
  if (code >= 0x28 && code <= 0x3e) return name + memoryText(from);
  if (code === 0x3f || code === 0x40) return from.byte(), name;
  if (code === 0x41 || code === 0x42) return `${name} ${from.signed()}`;
  if (code === 0x43) return (from.at += 4), `${name} ${from.view.getFloat32(from.at - 4, true)}`;
  if (code === 0x44) return (from.at += 8), `${name} ${from.view.getFloat64(from.at - 8, true)}`;
  return name;
}

/** @param {Reader} from @returns {string} */
function vectorText(from) {
  const code = from.unsigned();
  const name = VECTOR_CODES[code] ?? `0xfd ${code}`;
  if (code <= 11 || code === 92 || code === 93) return name + memoryText(from);
  if (code >= 84 && code <= 91) return `${name}${memoryText(from)} ${from.byte()}`;
  if (code === 12) return (from.at += 16), `${name} i32x4 ${[0, 4, 8, 12].map((i) => `0x${from.view.getUint32(from.at - 16 + i, true).toString(16).padStart(8, '0')}`).join(' ')}`;
  if (code === 13) return (from.at += 16), `${name} ${from.bytes.subarray(from.at - 16, from.at).join(' ')}`;
  if (code >= 21 && code <= 34) return `${name} ${from.byte()}`;
  return name;
}
