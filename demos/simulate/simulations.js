// Three worlds of 256 by 256 points, each a program of HLO that takes the world and gives it one step later.

export const SIZE = 256;
const COUNT = SIZE * SIZE;
const SHAPE = `f32[${SIZE},${SIZE}]`;

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Tensor} Tensor */
/** @typedef {import('../../js/index.js').Executable<any>} Executable */
/** @typedef {{ name: string, label: string, least: number, most: number, step: number, value: number }} Setting an input that a reader sets */
/**
 * @typedef {object} World
 * @property {string} title
 * @property {number} fields arrays that make up the world
 * @property {number} seen the field that is drawn
 * @property {readonly [number, number]} range of its values, from paper to ink
 * @property {number} pen its radius, in points
 * @property {number} speed steps for each picture
 * @property {readonly Setting[]} settings
 * @property {(fields: Float32Array[]) => void} begin
 * @property {(fields: Float32Array[], at: number, nearness: number) => void} paint a point; nearness: 1 in the middle of the pen, 0 at its rim
 */

/** A circle of a field. @param {number} x @param {number} y @param {number} radius @param {(at: number, nearness: number) => void} visit */
function disc(x, y, radius, visit) {
  for (let row = Math.max(0, Math.ceil(y - radius)); row <= Math.min(SIZE - 1, y + radius); row++)
    for (let column = Math.max(0, Math.ceil(x - radius)); column <= Math.min(SIZE - 1, x + radius); column++) {
      const distance = Math.hypot(column - x, row - y);
      if (distance <= radius) visit(row * SIZE + column, 1 - distance / (radius + 1));
    }
}

/** @type {Record<string, World>} */
export const WORLDS = {
  reaction: {
    title: 'Reaction and diffusion',
    fields: 2,
    seen: 1,
    range: [0, 0.4],
    pen: 5,
    speed: 16,
    settings: [
      { name: 'feed', label: 'Feed', least: 0.01, most: 0.08, step: 0.001, value: 0.037 },
      { name: 'decay', label: 'Decay', least: 0.04, most: 0.07, step: 0.001, value: 0.06 },
    ],
    begin([u, v]) {
      u.fill(1);
      for (let i = 0; i < 24; i++) disc(Math.random() * SIZE, Math.random() * SIZE, 5, (at) => this.paint([u, v], at, 1));
    },
    paint([u, v], at) {
      u[at] = 0.5;
      v[at] = 0.25;
    },
  },
  life: {
    title: 'Life',
    fields: 1,
    seen: 0,
    range: [0, 1],
    pen: 2.5,
    speed: 1,
    settings: [],
    begin([cells]) {
      for (let i = 0; i < COUNT; i++) cells[i] = Math.random() < 0.2 ? 1 : 0;
    },
    paint([cells], at) {
      cells[at] = 1;
    },
  },
  wave: {
    title: 'A wave',
    fields: 2,
    seen: 0,
    range: [-0.5, 0.5],
    pen: 6,
    speed: 4,
    settings: [],
    begin(fields) {
      disc(SIZE * 0.3, SIZE * 0.4, 12, (at, nearness) => this.paint(fields, at, nearness));
    },
    paint([height, before], at, nearness) {
      const drop = Math.sin((nearness * Math.PI) / 2) ** 2;
      height[at] = before[at] = Math.max(height[at], drop);
    },
  },
};

export class Simulation {
  #program;
  /** @type {Tensor[]} */
  #fields;
  count = 0;

  /** Use `await Simulation.make()`. @param {World} world @param {Executable} program @param {Tensor[]} fields */
  constructor(world, program, fields) {
    this.world = world;
    this.#program = program;
    this.#fields = fields;
    /** The inputs that a reader sets. */
    this.settings = world.settings.map(({ value }) => value);
  }

  /** @param {Runtime} hlo @param {keyof typeof WORLDS} name @param {string} text of its program */
  static async make(hlo, name, text) {
    const world = WORLDS[name];
    const fields = Array.from({ length: world.fields }, () => hlo.tensor(new Float32Array(COUNT), SHAPE));
    const program = await hlo.compile(hlo.parse(text), { donate: fields.map((_, i) => i) });
    return new Simulation(world, program, fields);
  }

  /** The program, for its plan. */
  get program() {
    return this.#program;
  }

  /** The world's arrays, in the runtime's memory, to read and to change until the next step. @returns {Float32Array[]} */
  get fields() {
    return this.#fields.map((tensor) => /** @type {Float32Array} */ (tensor.data));
  }

  /** @param {boolean} [empty] without anything in it */
  begin(empty = false) {
    const { fields } = this;
    for (const field of fields) field.fill(0);
    if (empty && this.world === WORLDS.reaction) fields[0].fill(1);
    if (!empty) this.world.begin(fields);
    this.count = 0;
  }

  step() {
    const results = this.#program.run([...this.#fields, ...this.settings]);
    this.#fields = Array.isArray(results) ? results : [results];
    this.count++;
  }

  /** @param {number} x @param {number} y in points */
  paint(x, y) {
    const { fields, world } = this;
    disc(x, y, world.pen, (at, nearness) => world.paint(fields, at, nearness));
  }

  dispose() {
    for (const tensor of this.#fields) tensor.dispose();
    this.#program.dispose();
  }
}
