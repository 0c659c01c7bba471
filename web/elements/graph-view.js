// What <hlo-graph> shows and does: loaded once a graph stands on a page.
import { html, nothing } from 'lit';
import { adoptStyle } from './adopted-style.js';
import { drawGraph } from './graph-draw.js';
import { graphOf, openPaths, pathToLine, pictureOf, plainShape } from './graph-model.js';
import { graphStyle } from './graph-style.js';
import { Memo } from './layout-memo.js';
import { readPalette, watchPalette } from './layout-palette.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./graph-model.js').Box} Box */
/** @typedef {import('./graph-model.js').Graph} Graph */
/** @typedef {import('./graph-model.js').Picture} Picture */
/** @typedef {import('./hlo-graph.js').HloGraph} HloGraph */

const LEAST_ZOOM = 0.02;
/** What fits is not shown smaller than one can read, unless a reader asks for all. */
const LEAST_FIRST_ZOOM = 0.7;
/** A press that moves farther drags the picture, and chooses nothing. */
const FAR = 4;

export class GraphView {
  #memo = new Memo();
  /** @type {import('./layout-palette.js').Palette | undefined} */
  #palette;
  #unwatch = () => {};
  /** @type {ResizeObserver | undefined} */
  #resizes;
  #frame = 0;
  /** @type {Picture | undefined} */
  #picture;
  /** The path that was brought into view last. */
  #revealed = '';
  /** The graph that was placed last. @type {Graph | undefined} */
  #placed;
  /** Where a mouse went down, and where the window was then. @type {{ x: number, y: number, left: number, top: number } | undefined} */
  #held;
  #dragged = false;

  /** @param {HloGraph} host */
  constructor(host) {
    this.host = host;
  }

  stop() {
    this.#unwatch();
    this.#resizes?.disconnect();
    this.#resizes = this.#palette = undefined;
  }

  /** @param {Runtime} runtime @returns {Graph} */
  #graph(runtime) {
    const { graph, program, optimised } = this.host;
    if (graph) return graph;
    return this.#memo.keep('graph', [program, optimised], () => graphOf(runtime, program, optimised));
  }

  get #open() {
    return openPaths(this.host.open);
  }

  /** @param {Runtime} runtime */
  template(runtime) {
    adoptStyle(this.host, graphStyle);
    const graph = this.#graph(runtime);
    const picture = (this.#picture = this.#memo.keep('picture', [graph, this.host.open], () => pictureOf(graph, this.#open)));
    const callers = picture.boxes.filter(({ instruction }) => instruction.calls.length > 0);
    const chosen = this.#chosen();
    const count = picture.boxes.length;
    return html`
      <div class="probe" aria-hidden="true"></div>
      <div class="tools" part="toolbar" role="group" aria-label="Graph">
        <button type="button" @click=${() => this.#zoomTo(0)}>Fit</button>
        <button type="button" aria-label="Smaller" @click=${() => this.#zoomBy(1 / 1.4)}>−</button>
        <button type="button" aria-label="Larger" @click=${() => this.#zoomBy(1.4)}>+</button>
        ${
          callers.length
            ? html`<button type="button" ?disabled=${callers.every(({ isOpen }) => isOpen)} @click=${() => this.#openAll(callers)}>Open all</button>
                <button type="button" ?disabled=${!this.host.open} @click=${() => this.#setOpen(new Set())}>Close all</button>`
            : nothing
        }
        <span class="count">${count} instruction${count === 1 ? '' : 's'}</span>
      </div>
      <div
        class="viewport"
        part="viewport"
        role="application"
        tabindex="0"
        aria-label=${`Graph of ${count} instructions. Arrow keys lead along operands and users, Enter opens and closes.`}
        @scroll=${() => this.#draw()}
        @click=${this.#click}
        @dblclick=${this.#toggleAt}
        @pointerdown=${this.#hold}
        @pointermove=${this.#drag}
        @pointerup=${() => (this.#held = undefined)}
        @pointercancel=${() => (this.#held = undefined)}
        @keydown=${this.#key}
        @wheel=${this.#wheel}
      >
        <div class="sizer"><canvas aria-hidden="true"></canvas></div>
      </div>
      <p class="words" part="words" aria-live="polite">${chosen ? this.#wordsTemplate(chosen) : html`<span class="hint">Click an instruction. Boxes with + open at a double click, or with Enter.</span>`}</p>
    `;
  }

  /** @param {Box} box */
  #wordsTemplate({ instruction, operandNames, users, computation }) {
    const { name, op, shape } = instruction;
    return html`<b>${name}</b> = ${plainShape(shape)} ${op}(${operandNames.join(', ')})
      <span class="soft">in ${computation}; ${users.length === 0 ? 'nothing uses it here' : `used by ${users.map((user) => user.instruction.name).join(', ')}`}.</span>`;
  }

  /** @returns {Box | undefined} */
  #chosen() {
    const boxes = this.#picture?.boxes ?? [];
    return boxes.find(({ path }) => path === this.host.at) ?? (this.host.line ? this.#nearest(boxes) : undefined);
  }

  /** Where another line is marked, what was chosen before is forgotten, unless it stands there. @param {Map<string, unknown>} changed */
  changed(changed) {
    if (!changed.has('line')) return;
    const box = this.#picture?.boxes.find(({ path }) => path === this.host.at);
    if (box && box.instruction.line !== this.host.line) this.host.at = undefined;
  }

  /** The box on the line, or that has it within. @param {Box[]} boxes */
  #nearest(boxes) {
    const path = this.#memo.keep('path', [this.#picture, this.host.line], () => pathToLine(/** @type {Graph} */ (this.host.graph ?? this.#graph(/** @type {Runtime} */ (this.host.runtime))), this.host.line));
    if (!path) return undefined;
    return boxes.reduce((/** @type {Box | undefined} */ best, box) => ((path === box.path || path.startsWith(`${box.path}/`)) && box.path.length > (best?.path.length ?? 0) ? box : best), undefined);
  }

  // ---- The picture ----

  get #viewport() {
    return /** @type {HTMLElement | null} */ (this.host.renderRoot.querySelector('.viewport'));
  }

  /** The zoom at which the whole picture fits, as far as one can read it then. */
  get #fitting() {
    const viewport = this.#viewport;
    const picture = this.#picture;
    if (!viewport || !picture) return 1;
    return Math.min(1, viewport.clientWidth / picture.width, viewport.clientHeight / picture.height);
  }

  get #zoom() {
    return this.host.zoom > 0 ? this.host.zoom : Math.max(LEAST_FIRST_ZOOM, this.#fitting);
  }

  updated() {
    const viewport = this.#viewport;
    if (!viewport || !this.#picture) return;
    if (!this.#resizes) {
      this.#resizes = new ResizeObserver(() => this.#place());
      this.#resizes.observe(viewport);
      this.#unwatch = watchPalette(() => {
        this.#palette = undefined;
        this.#draw();
      });
    }
    this.#place();
    const graph = this.host.runtime && this.#graph(this.host.runtime);
    if (graph !== this.#placed) viewport.scrollLeft = (viewport.scrollWidth - viewport.clientWidth) / 2;
    this.#placed = graph;
    const chosen = this.#chosen();
    if ((chosen?.path ?? '') !== this.#revealed) {
      this.#revealed = chosen?.path ?? '';
      if (chosen) this.#reveal(chosen);
    }
  }

  /** Gives the picture its size, and centres what is narrower than its window. */
  #place() {
    const viewport = this.#viewport;
    const picture = this.#picture;
    const sizer = /** @type {HTMLElement | null} */ (viewport?.querySelector('.sizer'));
    if (!viewport || !picture || !sizer) return;
    sizer.style.width = `${Math.max(viewport.clientWidth, Math.ceil(picture.width * this.#zoom))}px`;
    sizer.style.height = `${Math.max(viewport.clientHeight, Math.ceil(picture.height * this.#zoom))}px`;
    this.#draw();
  }

  /** How far the picture's corner is from the window's, where it is narrower. */
  get #margin() {
    const viewport = this.#viewport;
    return Math.max(0, ((viewport?.clientWidth ?? 0) - (this.#picture?.width ?? 0) * this.#zoom) / 2);
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const viewport = this.#viewport;
      const canvas = viewport?.querySelector('canvas');
      const context = canvas?.getContext('2d');
      if (!viewport || !canvas || !context || !this.#picture) return;
      const { clientWidth: width, clientHeight: height } = viewport;
      const ratio = devicePixelRatio || 1;
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
      }
      const probe = this.host.renderRoot.querySelector('.probe');
      if (probe) this.#palette ??= readPalette(probe);
      const chosen = this.#chosen();
      const { line } = this.host;
      const seen = { left: viewport.scrollLeft - this.#margin, top: viewport.scrollTop, width, height, zoom: this.#zoom };
      drawGraph(context, this.#picture, seen, /** @type {import('./layout-palette.js').Palette} */ (this.#palette), { chosen, marked: (box) => line > 0 && box.instruction.line === line }, ratio);
    });
  }

  /** @param {Box} box */
  #reveal(box) {
    const viewport = this.#viewport;
    if (!viewport) return;
    const zoom = this.#zoom;
    const [x, y] = [box.x * zoom + this.#margin, box.y * zoom];
    const [width, height] = [box.width * zoom, Math.min(box.height, 60) * zoom];
    if (x < viewport.scrollLeft || x + width > viewport.scrollLeft + viewport.clientWidth) viewport.scrollLeft = x + width / 2 - viewport.clientWidth / 2;
    if (y < viewport.scrollTop || y + height > viewport.scrollTop + viewport.clientHeight) viewport.scrollTop = y + height / 2 - viewport.clientHeight / 2;
  }

  // ---- What readers do ----

  /** @param {MouseEvent} event @returns {Box | undefined} the innermost box there */
  #boxAt({ clientX, clientY }) {
    const viewport = this.#viewport;
    if (!viewport || !this.#picture) return undefined;
    const { left, top } = viewport.getBoundingClientRect();
    const x = (clientX - left - viewport.clientLeft + viewport.scrollLeft - this.#margin) / this.#zoom;
    const y = (clientY - top - viewport.clientTop + viewport.scrollTop) / this.#zoom;
    return this.#picture.boxes.findLast((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
  }

  #hold = (/** @type {PointerEvent} */ { pointerType, button, clientX, clientY }) => {
    const viewport = this.#viewport;
    this.#dragged = false;
    if (pointerType === 'mouse' && button === 0 && viewport) this.#held = { x: clientX, y: clientY, left: viewport.scrollLeft, top: viewport.scrollTop };
  };

  #drag = (/** @type {PointerEvent} */ { clientX, clientY, buttons }) => {
    const viewport = this.#viewport;
    if (!(buttons & 1)) this.#held = undefined;
    if (!this.#held || !viewport) return;
    const [dx, dy] = [clientX - this.#held.x, clientY - this.#held.y];
    if (!this.#dragged && Math.hypot(dx, dy) < FAR) return;
    this.#dragged = true;
    viewport.scrollLeft = this.#held.left - dx;
    viewport.scrollTop = this.#held.top - dy;
  };

  #click = (/** @type {MouseEvent} */ event) => {
    const box = this.#dragged ? undefined : this.#boxAt(event);
    if (box) this.#choose(box);
  };

  #toggleAt = (/** @type {MouseEvent} */ event) => {
    const box = this.#boxAt(event);
    if (box) this.#toggle(box);
  };

  /** @param {Box} box */
  #choose(box) {
    this.host.at = this.#revealed = box.path;
    this.#reveal(box);
    const { name, op, shape, line } = box.instruction;
    this.host.emit('hlo-instruction', { path: box.path, name, op, shape, computation: box.computation, line });
  }

  /** @param {Box} box */
  #toggle({ path, instruction }) {
    if (!instruction.calls.length) return;
    const open = this.#open;
    if (!open.delete(path)) open.add(path);
    this.#setOpen(open);
  }

  /** @param {Box[]} callers */
  #openAll(callers) {
    this.#setOpen(new Set([...this.#open, ...callers.map(({ path }) => path)]));
  }

  /** @param {Set<string>} open */
  #setOpen(open) {
    this.host.open = [...open].join(' ');
    this.host.emit('hlo-change', { open: this.host.open });
  }

  /** @param {number} zoom */
  #zoomTo(zoom) {
    const viewport = this.#viewport;
    if (!viewport) return;
    const before = this.#zoom;
    const [x, y] = [viewport.scrollLeft + viewport.clientWidth / 2, viewport.scrollTop + viewport.clientHeight / 2];
    this.host.zoom = zoom === 0 ? Math.max(LEAST_ZOOM, this.#fitting) : Math.min(3, Math.max(LEAST_ZOOM, zoom));
    this.#place();
    viewport.scrollLeft = (x * this.#zoom) / before - viewport.clientWidth / 2;
    viewport.scrollTop = (y * this.#zoom) / before - viewport.clientHeight / 2;
  }

  /** @param {number} factor */
  #zoomBy(factor) {
    this.#zoomTo(this.#zoom * factor);
  }

  #wheel = (/** @type {WheelEvent} */ event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.#zoomBy(Math.exp(-event.deltaY / 300));
  };

  #key = (/** @type {KeyboardEvent} */ event) => {
    const boxes = this.#picture?.boxes ?? [];
    const chosen = this.#chosen() ?? boxes.find(({ isRoot, depth }) => isRoot && depth === 0);
    if (!chosen || event.ctrlKey || event.metaKey || event.altKey) return;
    const go = this.#afterKey(event.key, chosen, boxes);
    if (go) this.#choose(go);
    else if (event.key === 'Enter' || event.key === ' ') this.#toggle(chosen);
    else if (event.key === '+' || event.key === '=') this.#zoomBy(1.4);
    else if (event.key === '-') this.#zoomBy(1 / 1.4);
    else if (event.key === '0') this.#zoomTo(0);
    else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
  };

  /** @param {string} key @param {Box} box @param {Box[]} boxes @returns {Box | undefined} */
  #afterKey(key, box, boxes) {
    if (key === 'ArrowUp') return box.operands[0] ?? boxes.findLast((other) => other.depth === box.depth - 1 && box.path.startsWith(`${other.path}/`));
    if (key === 'ArrowDown') return box.isOpen ? boxes.find((other) => other.path.startsWith(`${box.path}/`)) : box.users[0];
    if (key === 'Home') return boxes[0];
    if (key === 'End') return boxes.find(({ isRoot, depth }) => isRoot && depth === 0);
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
    const level = boxes.filter((other) => other.depth === box.depth && Math.abs(other.y + other.height / 2 - box.y - box.height / 2) < 24).sort((a, b) => a.x - b.x);
    return level[level.indexOf(box) + (key === 'ArrowLeft' ? -1 : 1)];
  }
}
