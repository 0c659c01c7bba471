// Which attributes a view's question to the runtime is made of, and whether they have changed since it was asked.

export class AskedAttributes {
  #names;
  #last = '';

  /** @param {readonly string[]} names */
  constructor(names) {
    this.#names = names;
  }

  /** Whether the values of a host are others than when this was asked before. @param {any} host */
  changed(host) {
    const values = JSON.stringify(this.#names.map((name) => host[name] ?? null));
    const changed = values !== this.#last;
    this.#last = values;
    return changed;
  }
}
