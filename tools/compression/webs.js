// The webs of a function: each is a value with all the instructions that write it or read it, as far as they reach each other.
// A local of the module may hold several webs, one after another.

import { OP } from './code.js';

/** @typedef {{ from: number, to: number, next: number[] }} Block instructions, and the blocks that may follow */
/** @typedef {{ of: Int32Array, local: number[], meets: Set<number>[] }} Webs of: the web of each instruction, or -1; local: of each
 *  web; meets: the webs that are alive together with each. The first webs are the parameters. */

/** @param {import('./code.js').Instruction[]} instructions @returns {Block[]} */
function blocksOf(instructions) {
  /** @type {Block[]} */
  const blocks = [{ from: 0, to: 0, next: [] }];
  /** @type {{ head?: number, skipped?: Block, waiting: Block[] }[]} a loop has a head, an if a block that may skip what follows */
  const open = [{ waiting: [] }];
  let reached = true;
  const begin = (/** @type {number} */ at, /** @type {Block | false} */ before) => {
    if (before) before.next.push(blocks.length);
    blocks.push({ from: at, to: at, next: [] });
  };
  const branch = (/** @type {Block} */ from, /** @type {number} */ depth) => {
    const { head, waiting } = open[open.length - 1 - depth];
    if (head !== undefined) from.next.push(head);
    else waiting.push(from);
  };
  instructions.forEach(({ op, index, targets }, at) => {
    const block = blocks[blocks.length - 1];
    block.to = at + 1;
    const after = reached && block;
    switch (op) {
      case OP.block:
        open.push({ waiting: [] });
        return;
      case OP.loop:
        begin(at + 1, after);
        open.push({ head: blocks.length - 1, waiting: [] });
        return;
      case OP.if:
        begin(at + 1, after);
        open.push({ skipped: block, waiting: [] });
        return;
      case OP.else: {
        const frame = open[open.length - 1];
        if (after) frame.waiting.push(block);
        begin(at + 1, frame.skipped ?? false);
        frame.skipped = undefined;
        reached = true;
        return;
      }
      case OP.end: {
        const { skipped, waiting } = /** @type {(typeof open)[0]} */ (open.pop());
        begin(at + 1, after);
        for (const from of skipped ? [skipped, ...waiting] : waiting) from.next.push(blocks.length - 1);
        reached = true;
        return;
      }
      case OP.brIf:
        branch(block, index);
        begin(at + 1, after);
        return;
      case OP.br:
      case OP.brTable:
        for (const depth of new Set(op === OP.br ? [index] : targets)) branch(block, depth);
      // falls through
      case OP.return:
      case OP.unreachable:
        begin(at + 1, false);
        reached = false;
    }
  });
  return blocks;
}

const isLocal = (/** @type {number} */ op) => op >= OP.get && op <= OP.tee;

/** For each block, the locals that are read after its begin before they are written, and the same after its end.
 * @param {import('./code.js').Instruction[]} instructions @param {Block[]} blocks */
function livenessOf(instructions, blocks) {
  const entering = blocks.map(() => /** @type {Set<number>} */ (new Set()));
  const written = blocks.map(() => /** @type {Set<number>} */ (new Set()));
  blocks.forEach(({ from, to }, block) => {
    for (const { op, index } of instructions.slice(from, to))
      if (op === OP.get) written[block].has(index) || entering[block].add(index);
      else if (isLocal(op)) written[block].add(index);
  });
  const leaving = blocks.map(() => /** @type {Set<number>} */ (new Set()));
  for (let changed = true; changed; ) {
    changed = false;
    for (let block = blocks.length - 1; block >= 0; block--)
      for (const next of blocks[block].next)
        for (const local of entering[next]) {
          if (leaving[block].has(local)) continue;
          leaving[block].add(local);
          changed = true;
          if (!written[block].has(local)) entering[block].add(local);
        }
  }
  return { entering, leaving };
}

/** @param {import('./code.js').Body} body @returns {Webs} */
export function websOf({ parameters, types, instructions }) {
  const blocks = blocksOf(instructions);
  const { entering, leaving } = livenessOf(instructions, blocks);
  const { length } = types;

  // What a local holds when a block begins is a node, and what an instruction writes is one; those that are read alike unite.
  const parent = Array.from({ length: blocks.length * length }, (_, node) => node);
  const find = (/** @type {number} */ node) => {
    while (parent[node] !== node) node = parent[node] = parent[parent[node]];
    return node;
  };
  const nodes = new Int32Array(instructions.length).fill(-1);
  const held = blocks.map(({ from, to }, block) => {
    const holds = Array.from(types, (_, local) => block * length + local);
    for (let at = from; at < to; at++) {
      const { op, index } = instructions[at];
      if (!isLocal(op)) continue;
      if (op !== OP.get) holds[index] = parent.push(parent.length) - 1;
      nodes[at] = holds[index];
    }
    return holds;
  });
  blocks.forEach(({ next }, block) => {
    for (const after of next) for (const local of entering[after]) parent[find(held[block][local])] = find(after * length + local);
  });

  /** @type {Map<number, number>} */
  const numbers = new Map();
  /** @type {number[]} */
  const local = [];
  const webOf = (/** @type {number} */ node, /** @type {number} */ of) => {
    const root = find(node);
    if (!numbers.has(root)) numbers.set(root, local.push(of) - 1);
    return /** @type {number} */ (numbers.get(root));
  };
  const begun = [...Array(parameters).keys(), ...[...entering[0]].filter((one) => one >= parameters)].map((one) => webOf(one, one));
  const of = nodes.map((node, at) => (node < 0 ? -1 : webOf(node, instructions[at].index)));
  const alive = blocks.map((_, block) => new Set([...leaving[block]].map((one) => webOf(held[block][one], one))));

  const meets = local.map(() => /** @type {Set<number>} */ (new Set()));
  const meet = (/** @type {number} */ web, /** @type {Iterable<number>} */ others) => {
    for (const other of others) if (other !== web) meets[web].add(other), meets[other].add(web);
  };
  blocks.forEach(({ from, to }, block) => {
    const live = alive[block];
    for (let at = to - 1; at >= from; at--) {
      if (of[at] < 0) continue;
      live.delete(of[at]);
      if (instructions[at].op === OP.get) live.add(of[at]);
      else meet(of[at], live);
    }
  });
  for (const web of begun) meet(web, begun);
  return { of, local, meets };
}
