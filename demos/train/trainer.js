// A network that learns which side of a plane a point is on. All that it computes are programs that JAX exported (export.py).

export const POINTS = 400;
export const SIDE = 96;
/** The plane's coordinates go from -REACH to REACH. */
export const REACH = 1.2;
/** Parameters, then the two moments of Adam for each, then the count of steps. */
const SHAPES = ['f32[2,24]', 'f32[24]', 'f32[24,24]', 'f32[24]', 'f32[24,1]', 'f32[1]'];
const KEPT = 3 * SHAPES.length + 1;
/** The programs, each a file: NAME.mlirbc. */
export const PROGRAMS = /** @type {const} */ (['start', 'spirals', 'circles', 'step', 'picture']);

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Tensor} Tensor */
/** @typedef {import('../../js/index.js').Executable<any>} Executable */
/** @typedef {{ xy: Float32Array, labels: Float32Array, present: Float32Array }} Points present: 1 where there is a point, else 0 */

export class Trainer {
  #hlo;
  #programs;
  /** @type {Tensor[]} what a step takes over from the step before: its memory becomes that of what it gives */
  #kept = [];
  /** @type {Tensor | undefined} */
  #picture;
  /** @type {Points} */
  points = { xy: new Float32Array(2 * POINTS), labels: new Float32Array(POINTS), present: new Float32Array(POINTS) };
  /** Steps so far. */
  count = 0;
  /** Where the next painted point goes. */
  #place = 0;
  /** How many points the set had. */
  #own = 0;

  /** Use `await Trainer.make()`. @param {Runtime} hlo @param {Record<typeof PROGRAMS[number], Executable>} programs */
  constructor(hlo, programs) {
    this.#hlo = hlo;
    this.#programs = programs;
  }

  /** @param {Runtime} hlo @param {(name: string) => Promise<Uint8Array>} bytesOf a program */
  static async make(hlo, bytesOf) {
    const donate = Array.from({ length: KEPT }, (_, i) => i);
    const programs = await Promise.all(PROGRAMS.map(async (name) => [name, await hlo.compile(await bytesOf(name), name === 'step' ? { donate } : {})]));
    return new Trainer(hlo, Object.fromEntries(programs));
  }

  /** The program of a step, for its plan. */
  get stepProgram() {
    return this.#programs.step;
  }

  /** Begins with new parameters. @param {number} seed */
  begin(seed) {
    for (const tensor of this.#kept) tensor.dispose();
    const zeros = () => SHAPES.map((text) => {
      const shape = this.#hlo.shape(text);
      return this.#hlo.tensor(new Float32Array(shape.elementCount), shape);
    });
    this.#kept = [...this.#programs.start.run([seed]), ...zeros(), ...zeros(), this.#hlo.tensor(new Float32Array(1), 'f32[]')];
    this.count = 0;
  }

  /** Learns from another set of points. @param {'spirals' | 'circles' | 'none'} name @param {number} seed */
  take(name, seed) {
    if (name === 'none') {
      this.points = { xy: new Float32Array(2 * POINTS), labels: new Float32Array(POINTS), present: new Float32Array(POINTS) };
    } else {
      /** @type {Tensor[]} */
      const made = this.#programs[name].run([seed]);
      const [xy, labels, present] = made.map((tensor) => /** @type {Float32Array} */ (tensor.toTypedArray()));
      for (const tensor of made) tensor.dispose();
      this.points = { xy, labels, present };
    }
    this.#own = this.#place = this.points.present.reduce((sum, one) => sum + one, 0);
  }

  /** Adds a point; where there is no place left, the painted one that is oldest goes. @param {number} x @param {number} y @param {0 | 1} label */
  add(x, y, label) {
    const { xy, labels, present } = this.points;
    xy.set([x, y], 2 * this.#place);
    labels[this.#place] = label;
    present[this.#place] = 1;
    this.#place = this.#place + 1 < POINTS ? this.#place + 1 : this.#own;
  }

  /** One step of training. @param {number} rate @returns {number} the loss before it */
  step(rate) {
    const { xy, labels, present } = this.points;
    const results = this.#programs.step.run([...this.#kept, xy, labels, present, rate]);
    const loss = results.pop();
    const value = loss.data[0];
    loss.dispose();
    this.#kept = results;
    this.count++;
    return value;
  }

  /** The matrices and biases, in order. @returns {{ shape: string, values: Float32Array }[]} */
  parameters() {
    return this.#kept.slice(0, SHAPES.length).map((tensor, i) => ({ shape: SHAPES[i], values: tensor.toTypedArray() }));
  }

  /** How sure the network is of side 1, in a square of SIDE by SIDE pixels, the top row first. @returns {Float32Array} */
  picture() {
    this.#picture = this.#programs.picture.run(this.#kept.slice(0, SHAPES.length), this.#picture ? { outputs: this.#picture } : undefined);
    return /** @type {Tensor} */ (this.#picture).toTypedArray();
  }

  /** The share of the points whose side a picture shows. @param {Float32Array} picture */
  share(picture) {
    const { xy, labels, present } = this.points;
    const pixel = (/** @type {number} */ at) => Math.min(SIDE - 1, Math.max(0, Math.floor(((at / REACH + 1) / 2) * SIDE)));
    let [all, right] = [0, 0];
    for (let i = 0; i < POINTS; i++) {
      if (!present[i]) continue;
      all++;
      if (picture[pixel(-xy[2 * i + 1]) * SIDE + pixel(xy[2 * i])] > 0.5 === labels[i] > 0.5) right++;
    }
    return all ? right / all : 0;
  }
}
