/** Values that are made anew only when what they are made from changes: one for each name. */
export class Memo {
  /** @type {Map<string, { key: unknown[], value: any }>} */
  #kept = new Map();

  /** The value made from the same things before, or a new one. @template T @param {string} name @param {unknown[]} key @param {() => T} make @returns {T} */
  keep(name, key, make) {
    if (this.has(name, key)) return this.#kept.get(name)?.value;
    const value = make();
    this.#kept.set(name, { key, value });
    return value;
  }

  /** Whether the value stands that was made from these things. @param {string} name @param {unknown[]} key */
  has(name, key) {
    const kept = this.#kept.get(name);
    return kept !== undefined && kept.key.length === key.length && kept.key.every((part, i) => Object.is(part, key[i]));
  }
}
