// The base of views that ask the runtime: the question is made of attributes of their element, and the answer comes later.

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./hlo-element.js').HloElement} HloElement */

/** @template {HloElement} Host @template Answer */
export class AskedView {
  #names;
  #last = '';
  /** Whether the answer that is waited for is to a reader's change. */
  #changed = false;
  /** What was answered last. @protected @type {Answer | undefined} */
  answer;
  /** Why the last question has no answer. @protected @type {Error | undefined} */
  error;
  /** @type {Promise<void>} */
  ready = Promise.resolve();

  /** @param {Host} host @param {readonly (keyof Host)[]} names of the attributes that the question is made of */
  constructor(host, names) {
    this.host = host;
    this.#names = names;
  }

  /** @protected @param {Runtime} _runtime @returns {Promise<Answer>} */
  ask(_runtime) {
    throw new Error('a view asks something');
  }

  /** An answer has come, or an error: what belonged to the last one is forgotten. @protected */
  answered() {}

  /** What a page is told of a reader's change; undefined: nothing. @protected @returns {Record<string, unknown> | undefined} */
  told() {
    return undefined;
  }

  /** What follows once an answer is on the page. @protected @returns {void | Promise<void>} */
  shown() {}

  stop() {}
  updated() {}

  changed() {
    const { runtime } = this.host;
    if (!runtime) return;
    const values = JSON.stringify(this.#names.map((name) => this.host[name] ?? null));
    if (values === this.#last) return;
    this.#last = values;
    this.ready = this.#ask(runtime, this.ready);
  }

  /** @param {Runtime} runtime @param {Promise<void>} before */
  async #ask(runtime, before) {
    await before;
    const { host } = this;
    try {
      this.answer = await this.ask(runtime);
      this.error = undefined;
    } catch (error) {
      this.error = /** @type {Error} */ (error);
      host.emit('hlo-error', { error });
    }
    this.answered();
    const told = this.#changed ? this.told() : undefined;
    this.#changed = false;
    if (told) host.emit('hlo-change', told);
    host.requestUpdate();
    await 0;
    while (host.isUpdatePending) await new Promise((done) => setTimeout(done));
    await this.shown();
  }

  /** A reader's change. @protected @param {Partial<Host>} values */
  set(values) {
    this.#changed = true;
    Object.assign(this.host, values);
  }
}
