// What changed between two texts, line by line.

/** @typedef {{ kind: 'same' | 'added' | 'removed', text: string }} Change */

/** The least changes that lead from one list of lines to the other (Myers' greedy search). @param {readonly string[]} before @param {readonly string[]} after @returns {Change[]} */
export function differences(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  /** @param {string} text @returns {Change} */
  const same = (text) => ({ kind: 'same', text });
  const middle = search(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)];
}

/** Searches longer than this give up, and take all lines for changed. */
const MOST_CHANGES = 2000;

/** @param {readonly string[]} a @param {readonly string[]} b @returns {Change[]} */
function search(a, b) {
  /** @type {Map<number, number>[]} how far each diagonal reached, by the number of changes */
  const rounds = [];
  /** @type {Map<number, number>} */
  let reached = new Map([[1, 0]]);
  for (let count = 0; count <= Math.min(a.length + b.length, MOST_CHANGES); count++) {
    rounds.push(reached);
    /** @type {Map<number, number>} */
    const next = new Map(reached);
    for (let k = -count; k <= count; k += 2) {
      const isDown = k === -count || (k !== count && (next.get(k - 1) ?? -1) < (next.get(k + 1) ?? -1));
      let x = isDown ? (next.get(k + 1) ?? 0) : (next.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, rounds);
    }
    reached = next;
  }
  return [...a.map((text) => /** @type {Change} */ ({ kind: 'removed', text })), ...b.map((text) => /** @type {Change} */ ({ kind: 'added', text }))];
}

/** @param {readonly string[]} a @param {readonly string[]} b @param {readonly Map<number, number>[]} rounds @returns {Change[]} */
function walkBack(a, b, rounds) {
  /** @type {Change[]} */
  const changes = [];
  let [x, y] = [a.length, b.length];
  for (let count = rounds.length - 1; count >= 0; count--) {
    const reached = rounds[count];
    const k = x - y;
    const isDown = k === -count || (k !== count && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
    const from = isDown ? k + 1 : k - 1;
    const startX = reached.get(from) ?? 0;
    const startY = startX - from;
    while (x > startX + (isDown ? 0 : 1) && y > startY + (isDown ? 1 : 0)) changes.push({ kind: 'same', text: a[--x] }), y--;
    if (count === 0) while (x > 0 && y > 0) changes.push({ kind: 'same', text: a[--x] }), y--;
    else if (isDown) changes.push({ kind: 'added', text: b[--y] });
    else changes.push({ kind: 'removed', text: a[--x] });
  }
  return changes.reverse();
}

/** The changes with a few lines around them; gaps are undefined. @param {readonly Change[]} changes @param {number} around @returns {(Change | undefined)[]} */
export function hunks(changes, around) {
  const near = changes.map(() => false);
  changes.forEach(({ kind }, i) => {
    if (kind !== 'same') near.fill(true, Math.max(0, i - around), i + around + 1);
  });
  /** @type {(Change | undefined)[]} */
  const shown = [];
  changes.forEach((change, i) => {
    if (near[i]) shown.push(change);
    else if (i === 0 || near[i - 1]) shown.push(undefined);
  });
  return shown;
}
