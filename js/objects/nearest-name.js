// "Did you mean": the known name nearest to a misspelt one, by the rules of src/base/nearest_name.c.

const LONGEST = 40;

/** Letters to insert, delete, replace, or swap with a neighbour. @param {string} a @param {string} b */
function editDistance(a, b) {
  /** @type {number[]} */
  let before = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      current[j] = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + Number(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) current[j] = Math.min(current[j], before[j - 2] + 1);
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length];
}

/**
 * The known name that a misspelt one stands for; undefined where none is near.
 * @param {string} name
 * @param {Iterable<string>} known
 * @returns {string | undefined}
 */
export function nearestName(name, known) {
  const largest = 1 + Math.floor(name.length / 4);
  let best;
  let least = Infinity;
  for (const candidate of name.length > LONGEST ? [] : known) {
    if (candidate.length > LONGEST) continue;
    let distance = editDistance(name, candidate);
    if (distance > largest || distance >= name.length) {
      if (name.length < 4 || !candidate.startsWith(name)) continue;
      distance = largest + 1; // its beginning: what is missing may be longer
    }
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The end of a message: `; did you mean "threads"?`, or nothing where none is near. @param {string} name @param {Iterable<string>} known */
export function didYouMean(name, known) {
  const nearest = nearestName(String(name), known);
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}

/**
 * A misspelt name, and the names that there are: `; did you mean "emit"? There are wasm, emit`, or `; there are wasm, emit`.
 * @param {string} name
 * @param {readonly string[]} known
 */
export function namesThereAre(name, known) {
  const hint = didYouMean(name, known);
  const list = known.length > 0 ? `here are ${known.join(', ')}` : 'here are none';
  return `${hint || ';'} ${hint ? 'T' : 't'}${list}`;
}
