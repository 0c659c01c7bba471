// The functions of a WebAssembly module, as far as their locals and their accesses to memory are concerned.

/** @typedef {{ op: number, immediate: number, end: number, index: number, targets: number[], alignment: number }} Instruction of a local or a
 *  branch: its index; alignment: where a load or store says how it is aligned, or -1 */
/** @typedef {{ parameters: number, types: number[], code: Uint8Array, instructions: Instruction[] }} Body types: of parameters and locals */
/** @typedef {{ id: number, start: number, end: number }} Section */

const CODE = 10; // the section of bodies

export const OP = { unreachable: 0x00, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, end: 0x0b, br: 0x0c, brIf: 0x0d, brTable: 0x0e, return: 0x0f, call: 0x10, get: 0x20, set: 0x21, tee: 0x22, globalGet: 0x23, i32: 0x41, functionReference: 0xd2, vector: 0xfd };

export class Reader {
  /** @param {Uint8Array} bytes @param {number} [at] */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  unsigned() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** Numbers of any sign and width. @param {number} count */
  skip(count) {
    for (; count > 0; count--) while (this.byte() >= 128);
  }

  /** @template T @param {() => T} read @returns {T[]} */
  list(read) {
    return Array.from({ length: this.unsigned() }, read);
  }
}

/** @param {number} value @returns {number[]} */
export const unsigned = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(Math.floor(value / 128))]);

/** Nothing follows it. @param {number} op */
const isBare = (op) => op <= 1 || [OP.else, OP.end, OP.return, 0x1a, 0x1b, 0xd1].includes(op) || (op >= 0x45 && op <= 0xc4);

/** Reads past what follows an opcode. @param {Reader} from @param {number} op @param {Instruction} instruction */
function readImmediates(from, op, instruction) {
  if (op === OP.br || op === OP.brIf || (op >= OP.get && op <= OP.tee)) instruction.index = from.unsigned();
  else if (op === OP.brTable) instruction.targets = [...from.list(() => from.unsigned()), from.unsigned()];
  else if ((op >= OP.block && op <= OP.if) || op === 0x10 || (op >= 0x23 && op <= 0x26) || (op >= 0x3f && op <= 0x42) || op === 0xd0 || op === 0xd2) from.skip(1);
  else if (op === 0x11) from.skip(2); // call_indirect
  else if (op >= 0x28 && op <= 0x3e) readAccess(from, instruction);
  else if (op === 0x1c) from.list(() => from.byte()); // select of a type
  else if (op === 0x43) from.at += 4;
  else if (op === 0x44) from.at += 8;
  else if (op === 0xfc) from.skip([2, 1, 2, 1, 2, 1, 2, 1, 1, 1][from.unsigned() - 8] ?? 0); // memory.init to table.fill
  else if (op === OP.vector) readVectorImmediates(from, from.unsigned(), instruction);
  else if (op === 0xfe) from.skip(from.unsigned() === 3 ? 1 : 2); // atomic.fence, atomics
  else if (!isBare(op)) throw new Error(`opcode 0x${op.toString(16)} is not known`);
}

/** Reads what follows a load or a store: its alignment, its offset. @param {Reader} from @param {Instruction} instruction */
function readAccess(from, instruction) {
  instruction.alignment = from.at;
  from.skip(2);
}

/** @param {Reader} from @param {number} op of SIMD @param {Instruction} instruction */
function readVectorImmediates(from, op, instruction) {
  if (op <= 11 || (op >= 84 && op <= 93)) readAccess(from, instruction);
  if (op === 12 || op === 13) from.at += 16; // v128.const, i8x16.shuffle
  if ((op >= 21 && op <= 34) || (op >= 84 && op <= 91)) from.at += 1; // a lane
}

/** @param {Reader} from @param {number[]} parameters @returns {Body} */
function readBody(from, parameters) {
  const size = from.unsigned();
  const end = from.at + size;
  const locals = from.list(() => new Array(from.unsigned()).fill(from.byte())).flat();
  const inner = new Reader(from.bytes.subarray(from.at, end));
  const instructions = [];
  while (inner.at < inner.bytes.length) {
    const op = inner.byte();
    const instruction = { op, immediate: inner.at, end: inner.at, index: -1, targets: [], alignment: -1 };
    readImmediates(inner, op, instruction);
    instruction.end = inner.at;
    instructions.push(instruction);
  }
  from.at = end;
  return { parameters: parameters.length, types: [...parameters, ...locals], code: inner.bytes, instructions };
}

/** The functions that a module defines, and its sections. @param {Uint8Array} bytes */
export function readModule(bytes) {
  /** @type {Section[]} */
  const sections = [];
  const from = new Reader(bytes, 8);
  while (from.at < bytes.length) {
    const id = from.byte();
    const size = from.unsigned();
    sections.push({ id, start: from.at, end: from.at + size });
    from.at += size;
  }
  const section = (/** @type {number} */ id) => new Reader(bytes, sections.find((one) => one.id === id)?.start);
  const types = section(1);
  const parameters = types.list(() => {
    types.byte();
    const taken = types.list(() => types.byte());
    types.list(() => types.byte());
    return taken;
  });
  const declared = section(3);
  const functions = declared.list(() => declared.unsigned());
  const code = section(CODE);
  let next = 0;
  return { sections, bodies: code.list(() => readBody(code, parameters[functions[next++]])) };
}

/** A body as the module has it: its size, its locals, its code. @param {Body} body @param {Uint8Array} code @param {number[]} types */
export function writeBody({ parameters }, types, code) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const type of types.slice(parameters))
    if (runs.at(-1)?.[1] === type) runs[runs.length - 1][0]++;
    else runs.push([1, type]);
  const locals = [...unsigned(runs.length), ...runs.flatMap(([count, type]) => [...unsigned(count), type])];
  return Buffer.concat([Buffer.from([...unsigned(locals.length + code.length), ...locals]), code]);
}

/** The module with other bodies. @param {Uint8Array} bytes @param {Section[]} sections @param {Buffer[]} bodies
 *  @param {(section: Section) => Uint8Array} [contentOf] of the other sections */
export function writeModule(bytes, sections, bodies, contentOf = ({ start, end }) => bytes.subarray(start, end)) {
  const code = Buffer.concat([Buffer.from(unsigned(bodies.length)), ...bodies]);
  const parts = sections.map((section) => {
    const content = section.id === CODE ? code : contentOf(section);
    return Buffer.concat([Buffer.from([section.id, ...unsigned(content.length)]), content]);
  });
  return Buffer.concat([bytes.subarray(0, 8), ...parts]);
}
