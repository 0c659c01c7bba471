// The walk through the elements: its order, its cache, scrubbing and playing.
import { CachedWalk, Walk, parseLoop } from './layout-cache.js';
import { Memo } from './layout-memo.js';
import { offeredOrders } from './layout-panels.js';
import { stepAt } from './layout-strip.js';

/** @typedef {import('../../js/pictures/layout-model.js').LayoutModel} LayoutModel */
/** @typedef {import('../../js/pictures/layout-model.js').Cell} Cell */
/** @typedef {import('./hlo-layout.js').HloLayout} HloLayout */

const TRAIL = 14;
/** Walks up to this long are counted at once, and compared with the other orders. */
const SHORT = 20_000;

export class LayoutWalker {
  #memo = new Memo();
  #timer = 0;
  #counting = 0;

  /** @param {HloLayout} host */
  constructor(host) {
    this.host = host;
    /** Whether the walk was what moved last: its trail is shown. */
    this.active = false;
    this.playing = false;
  }

  /** @param {LayoutModel} model @returns {{ walk: Walk, wrong: string }} wrong: why the attribute is no order; then the walk is memory's */
  walk(model) {
    return this.#memo.keep('walk', [model, this.host.loop], () => {
      try {
        return { walk: new Walk(model, parseLoop(this.host.loop, model.tiling.rank)), wrong: '' };
      } catch (error) {
        return { walk: new Walk(model, null), wrong: /** @type {Error} */ (error).message };
      }
    });
  }

  /** Counts of the walk, and of the other orders; of a long walk a moment later. @param {LayoutModel} model @returns {{ cached: CachedWalk | null, others: Map<string, CachedWalk> }} */
  counts(model) {
    const { walk } = this.walk(model);
    const { line, cache } = this.host;
    const key = [walk, line, cache];
    const count = () => this.#memo.keep('cached', key, () => new CachedWalk(walk, line, cache));
    if (walk.count > SHORT && !this.#memo.has('cached', key)) {
      clearTimeout(this.#counting);
      this.#counting = window.setTimeout(() => {
        count();
        this.host.requestUpdate();
      }, 60);
      return { cached: null, others: new Map() };
    }
    const compared = model.tiling.rank > 1 && model.tiling.rank <= 3 && model.count <= SHORT;
    const others = compared
      ? this.#memo.keep('others', [model, line, cache], () => new Map(offeredOrders(model, null).map((loop) => [loop.join(), new CachedWalk(new Walk(model, loop), line, cache)])))
      : new Map();
    return { cached: count(), others };
  }

  /** The cells that the walk came through, the present one last. @param {LayoutModel} model @param {Cell} cell */
  trail(model, cell) {
    const { walk } = this.walk(model);
    const step = walk.step(cell);
    if (!this.active || step === null) return [];
    const length = Math.min(TRAIL, step + 1);
    return Array.from({ length }, (_, i) => model.place(walk.offset(step - length + 1 + i)));
  }

  /** @param {number} step */
  scrub(step) {
    const { model } = this.host;
    if (model) this.host.choose(model.place(this.walk(model).walk.offset(step)), 'walk');
  }

  /** Over the strip, pressed. @param {PointerEvent} event */
  drag(event) {
    const { model } = this.host;
    if (!model || !(event.buttons & 1)) return;
    const strip = /** @type {HTMLCanvasElement} */ (event.currentTarget);
    if (event.type === 'pointerdown') {
      this.stop();
      strip.setPointerCapture(event.pointerId);
    }
    this.scrub(stepAt(strip, event.clientX, this.walk(model).walk.count));
  }

  stop() {
    clearTimeout(this.#timer);
    if (!this.playing) return;
    this.playing = false;
    this.host.requestUpdate();
  }

  /** Plays from where the walk is, from the start where it is at its end. Where pictures may not move, a press is a step. */
  play() {
    if (this.playing) return this.stop();
    const { model } = this.host;
    if (!model) return;
    const { count } = this.walk(model).walk;
    const at = this.active ? this.#step(model) : -1;
    this.playing = !this.host.still;
    this.#advance(at >= count - 1 ? -1 : at);
  }

  /** @param {LayoutModel} model */
  #step(model) {
    return this.walk(model).walk.step(this.host.cellOfNow(model)) ?? -1;
  }

  /** About 25 seconds for a long walk. @param {number} at */
  #advance(at) {
    const { model } = this.host;
    if (!model) return this.stop();
    const { count } = this.walk(model).walk;
    if (at >= count - 1) return this.stop();
    this.scrub(Math.min(count - 1, at + (this.playing ? Math.max(1, Math.round(count / 400)) : 1)));
    if (this.playing) this.#timer = window.setTimeout(() => this.host.model && this.#advance(this.#step(this.host.model)), count > 200 ? 60 : 220);
  }
}
