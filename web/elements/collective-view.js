// What <hlo-collective> shows and does: loaded once one stands on a page.
import { html, nothing } from 'lit';
import { adoptStyle } from './adopted-style.js';
import { AskedView } from './asked-view.js';
import { collectiveAnswer, collectiveWords, lastStep, linesOf } from './collective-answer.js';
import { COLLECTIVES, collectiveAttributes } from './collective-model.js';
import { collectiveStyle } from './collective-style.js';
import { typeset } from './op-formula.js';
import { attributesText } from './op-text.js';
import { playgroundLink } from './playground-link.js';
import { questionStyle } from './question-style.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./hlo-collective.js').HloCollective} HloCollective */
/** @typedef {import('./collective-model.js').Frame} Frame */
/** @typedef {import('./collective-model.js').Held} Held */
/** @typedef {import('./collective-model.js').Source} Source */
/** @typedef {import('./collective-answer.js').Answer} Answer */

const ASKED = /** @type {const} */ (['op', 'devices', 'shape', 'values', 'attrs']);
const PAUSE = 1400;

/** @extends {AskedView<HloCollective, Answer>} */
export class CollectiveView extends AskedView {
  /** Where the program opens in a playground. */
  #link = '';
  #playing = 0;
  /** A result element that is pointed at: its way alone is drawn. @type {Source | undefined} */
  #pointed;
  /** @type {ResizeObserver | undefined} */
  #resizes;

  /** @param {HloCollective} host */
  constructor(host) {
    super(host, ASKED);
  }

  stop() {
    clearTimeout(this.#playing);
    this.#playing = 0;
    this.#resizes?.disconnect();
    this.#resizes = undefined;
  }

  /** @param {Runtime} hlo */
  async ask(hlo) {
    const { host } = this;
    const { playground, shape } = host;
    const answer = await collectiveAnswer(hlo, host);
    this.#link = playground ? await playgroundLink(playground, answer.program, inputsOf(hlo, answer, shape)) : '';
    return answer;
  }

  answered() {
    this.#pointed = undefined;
  }

  told() {
    const { op, devices, shape, attrs } = this.host;
    return this.error ? undefined : { op, devices, shape, attrs: attrs ?? '' };
  }

  // ---- Steps ----

  get #last() {
    return this.answer ? lastStep(this.answer) : 0;
  }

  get #step() {
    return Math.min(Math.max(this.host.step || 0, 0), this.#last);
  }

  /** @param {number} step */
  #goTo(step) {
    this.#pointed = undefined;
    this.host.step = Math.min(Math.max(step, 0), this.#last);
    this.host.emit('hlo-step', { step: this.host.step });
  }

  #play() {
    if (this.#playing) {
      clearTimeout(this.#playing);
      this.#playing = 0;
      this.host.requestUpdate();
      return;
    }
    const next = () => {
      this.#goTo(this.#step + 1);
      this.#playing = this.#step < this.#last ? window.setTimeout(next, PAUSE) : 0;
      this.host.requestUpdate();
    };
    if (this.#step === this.#last) this.#goTo(0);
    this.#playing = window.setTimeout(next, PAUSE / 2);
    this.host.requestUpdate();
  }

  // ---- What readers change ----

  /** @param {Partial<HloCollective>} values */
  set(values) {
    this.stop();
    super.set(values);
  }

  /** @param {Source | undefined} pointed */
  #point(pointed) {
    this.#pointed = pointed;
    this.host.requestUpdate();
  }

  // ---- Lines ----

  #lines() {
    return this.answer ? linesOf(this.answer, this.#step, this.#pointed) : [];
  }

  updated() {
    const picture = /** @type {HTMLElement | null} */ (this.host.renderRoot.querySelector('.picture'));
    if (!picture) return;
    if (!this.#resizes) {
      this.#resizes = new ResizeObserver(() => this.#draw());
      this.#resizes.observe(picture);
    }
    this.#draw();
  }

  #draw() {
    const picture = /** @type {HTMLElement | null} */ (this.host.renderRoot.querySelector('.picture'));
    const svg = picture?.querySelector('svg');
    if (!picture || !svg) return;
    const frame = picture.getBoundingClientRect();
    svg.replaceChildren();
    const boxOf = (/** @type {string} */ name) => picture.querySelector(`[data-cell="${name}"]`)?.getBoundingClientRect();
    const stacked = (boxOf('a0.0')?.left ?? Infinity) < (boxOf('b0.0')?.right ?? 0);
    for (const [from, to] of this.#lines()) {
      const [a, b] = [boxOf(from), boxOf(to)];
      if (!a || !b) continue;
      const vertical = this.answer?.ring || stacked;
      const down = b.top > a.top;
      const [x1, y1, x2, y2] = vertical
        ? [a.left + a.width / 2, down ? a.bottom : a.top, b.left + b.width / 2, down ? b.top : b.bottom]
        : [a.right, a.top + a.height / 2, b.left, b.top + b.height / 2];
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      // What goes round the ring bends past the rows between.
      const bend = this.answer?.ring && Math.abs(b.top - a.top) > 1.9 * a.height ? Math.min(28, a.width / 2 + 6) : 0;
      const [sx, sy, ex, ey] = [x1 - frame.x, y1 - frame.y, x2 - frame.x, y2 - frame.y];
      path.setAttribute('d', vertical ? `M${sx},${sy} C${sx + bend},${(2 * sy + ey) / 3} ${ex + bend},${(sy + 2 * ey) / 3} ${ex},${ey}` : `M${sx},${sy} C${(2 * sx + ex) / 3},${sy} ${(sx + 2 * ex) / 3},${ey} ${ex},${ey}`);
      svg.append(path);
      const head = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
      head.setAttribute('cx', String(ex));
      head.setAttribute('cy', String(ey));
      head.setAttribute('r', '3.5');
      svg.append(head);
    }
  }

  // ---- Picture ----

  template() {
    const { host } = this;
    for (const style of [questionStyle, collectiveStyle]) adoptStyle(host, style);
    const answer = this.answer;
    if (!answer && !this.error) return nothing;
    return [
      host.compact ? nothing : this.#questionTemplate(),
      this.error && host.compact ? html`<p class="draft" role="alert" part="message">${this.error.message}</p>` : nothing,
      answer
        ? html`<div class=${this.error ? 'answer stale' : 'answer'}>
            ${this.#stepsTemplate()}
            <p class="words" part="words" aria-live="polite">${collectiveWords(answer, this.#step, this.#pointed)}${!answer.ring && !this.#pointed && this.#step === this.#last ? ' Point at an element to see where it comes from.' : nothing}</p>
            ${answer.ring ? this.#ringTemplate(answer.frames) : this.#meetingTemplate(answer)}
            ${host.compact ? nothing : html`<details part="program"><summary>The program</summary><pre tabindex="0">${answer.program.trim()}</pre></details>`}
            ${this.#link ? html`<p class="open"><a part="playground" href=${this.#link}>Open in the playground</a></p>` : nothing}
          </div>`
        : nothing,
    ];
  }

  #questionTemplate() {
    const { host } = this;
    const typed = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
    const message = this.error?.message;
    const attrs = host.op === 'ring' || !COLLECTIVES.includes(host.op) ? '' : attributesText(collectiveAttributes({ op: host.op, devices: host.devices, attrs: host.attrs ?? '' }));
    return html`<div class="question" part="question">
      <div class="field">
        <label for="op">collective</label>
        <select id="op" @change=${(/** @type {Event} */ event) => this.set({ op: typed(event), attrs: undefined, values: undefined, step: 0 })}>
          ${[...COLLECTIVES, 'ring'].map((op) => html`<option value=${op} ?selected=${op === host.op}>${op === 'ring' ? 'a ring of permutes' : op}</option>`)}
        </select>
      </div>
      <div class="field"><label for="devices">replicas</label><input id="devices" type="number" min="1" max="8" .value=${String(host.devices)} @input=${(/** @type {Event} */ event) => this.set({ devices: Number(typed(event)), attrs: undefined, step: 0 })} /></div>
      ${
        host.op === 'ring'
          ? nothing
          : html`<div class="field"><label for="shape">each has</label><input id="shape" class="short" autocomplete="off" spellcheck="false" .value=${host.shape} @change=${(/** @type {Event} */ event) => this.set({ shape: typed(event), step: 0 })} /></div>
              <div class="field long"><label for="attrs">attributes</label><input id="attrs" autocomplete="off" spellcheck="false" aria-invalid=${message ? 'true' : 'false'} aria-describedby=${message ? 'message' : nothing} .value=${attrs} @change=${(/** @type {Event} */ event) => this.set({ attrs: typed(event), step: 0 })} /></div>`
      }
      ${message ? html`<p class="draft" id="message" role="alert" part="message">${message}</p>` : nothing}
    </div>`;
  }

  #stepsTemplate() {
    const [step, last] = [this.#step, this.#last];
    const go = (/** @type {number} */ to) => () => {
      this.stop();
      this.#goTo(to);
    };
    return html`<div class="steps" part="steps" role="group" aria-label="Steps">
      <button type="button" ?disabled=${step === 0} @click=${go(step - 1)}>Back</button>
      <button type="button" ?disabled=${step === last} @click=${go(step + 1)}>Next</button>
      <button type="button" aria-pressed=${this.#playing ? 'true' : 'false'} @click=${() => this.#play()}>${this.#playing ? 'Stop' : 'Play'}</button>
      <span class="soft">step ${step} of ${last}</span>
    </div>`;
  }

  /** @param {Answer & { ring: false }} answer */
  #meetingTemplate({ before, after, devices }) {
    const step = this.#step;
    const used = new Set(this.#lines().flat());
    const row = (/** @type {'a' | 'b'} */ side, /** @type {Held} */ { values, sources, sizes }, /** @type {number} */ device) => {
      const isThere = side === 'b' || device < step;
      const columns = sizes.length > 1 ? sizes[sizes.length - 1] : undefined;
      return html`<div class="replica ${side === 'a' && device === step - 1 ? 'now' : ''}">
        <span class="who">replica ${device}</span>
        <span class="cells ${columns ? 'grid' : ''}" .style=${columns ? `--columns: ${columns}` : nothing}>
          ${values.map((value, flat) => {
            const name = `${side}${device}.${flat}`;
            // An element has the colour of the replica that it came from, where it is one.
            const from = [...new Set(sources[flat].map((source) => source.device))];
            const fill = isThere && from.length === 1 ? `--fill: var(--tile-${from[0] % 8})` : nothing;
            const kind = `cell ${used.has(name) ? 'lit' : ''} ${isThere ? '' : 'absent'}`;
            if (side === 'b' || !isThere) return html`<span class=${kind} part="cell" data-cell=${name} .style=${fill}>${isThere ? typeset(value) : '·'}</span>`;
            const point = { device, flat };
            return html`<button type="button" class=${kind} part="cell" data-cell=${name} .style=${fill} aria-label="replica ${device}, element ${flat}: ${value}"
              @pointerenter=${() => this.#point(point)} @pointerleave=${() => this.#point(undefined)} @focus=${() => this.#point(point)} @blur=${() => this.#point(undefined)}>${typeset(value)}</button>`;
          })}
        </span>
      </div>`;
    };
    return html`<div class="picture" part="picture">
      <div class="side"><h4>before</h4>${before.map((held, device) => row('b', held, device))}</div>
      <div class="side"><h4>after</h4>${after.slice(0, devices).map((held, device) => row('a', held, device))}</div>
      <svg aria-hidden="true"></svg>
    </div>`;
  }

  /** @param {readonly Frame[]} frames */
  #ringTemplate(frames) {
    const { held, sent } = frames[this.#step];
    const count = held.length;
    return html`<div class="picture ring" part="picture">
      <div class="side" .style="--count: ${count}">
        ${held.map(
          ({ values, sources }, device) =>
            html`<div class="replica">
              <span class="who">replica ${device}</span>
              <span class="cells">
                ${values.map((value, chunk) => {
                  const arrived = sent.some(({ to, flat }) => to === device && flat === chunk);
                  return html`<span class="cell ${arrived ? 'lit' : ''} ${sources[chunk].length === count ? 'whole' : ''}" part="cell" data-cell="${device}.${chunk}"
                    .style="--share: ${sources[chunk].length / count}"><b>${typeset(value)}</b><small>${sources[chunk].length} of ${count}</small></span>`;
                })}
              </span>
            </div>`,
        )}
      </div>
      <svg aria-hidden="true"></svg>
    </div>`;
  }
}

/** What each replica has at the start, as inputs of a program. @param {Runtime} hlo @param {Answer} answer @param {string} shape */
function inputsOf(hlo, answer, shape) {
  const { type } = hlo.shape(shape);
  const held = answer.ring ? answer.frames[0].held : answer.before;
  return held.map(({ sizes, values }) => [{ shape: { type }, sizes, values }]);
}
