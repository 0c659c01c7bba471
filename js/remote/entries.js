// Objects in messages: marks, which begin with $, and plain objects.

/** What this side says to the other, as `{ $<mark>: value }`: no object of a program is taken for it. */
export class Marked {
  /** @param {string} mark @param {unknown} value */
  constructor(mark, value) {
    this.mark = mark;
    this.value = value;
  }
}

/** An object as a message carries it: one with names that begin so is sent as their list. @param {[string, any][]} entries */
export const plainObject = (entries) => (entries.some(([name]) => name.startsWith('$')) ? { $entries: entries } : Object.fromEntries(entries));

/** The object that a list stands for. @param {[string, any][]} entries @param {(item: any) => any} decode */
export const listedObject = (entries, decode) => Object.fromEntries(entries.map(([name, item]) => [name, decode(item)]));
