// What <hlo-number> shows and does: loaded once one stands on a page.
import { html, nothing } from 'lit';
import { adoptStyle } from './adopted-style.js';
import { AskedView } from './asked-view.js';
import { MOST_STEPS, bitsIn, groupsOf, hex, numberAnswer, rulerOf, short } from './number-answer.js';
import { numberTypes } from './number-model.js';
import { numberStyle } from './number-style.js';
import { typeset } from './op-formula.js';
import { questionStyle } from './question-style.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./hlo-number.js').HloNumber} HloNumber */
/** @typedef {import('./number-answer.js').Answer} Answer */
/** @typedef {import('./number-answer.js').Bits} Bits */
/** @typedef {import('./number-answer.js').Neighbourhood} Neighbourhood */
/** @typedef {import('./number-answer.js').Ulps} Ulps */
/** @typedef {import('./number-model.js').Stored} Stored */

const ASKED = /** @type {const} */ (['view', 'type', 'value', 'code', 'other', 'tolerance']);

/** @extends {AskedView<HloNumber, Answer>} */
export class NumberView extends AskedView {
  /** @param {HloNumber} host */
  constructor(host) {
    super(host, ASKED);
  }

  /** @param {Runtime} hlo */
  ask(hlo) {
    return numberAnswer(hlo, this.host);
  }

  told() {
    const { type, value, code } = this.host;
    return this.error ? undefined : { type, value, code: code ?? '' };
  }

  // ---- Picture ----

  /** @param {Runtime} hlo */
  template(hlo) {
    const { host } = this;
    for (const style of [questionStyle, numberStyle]) adoptStyle(host, style);
    const answer = this.answer;
    const isShown = answer?.view === host.view;
    if (!isShown && !this.error) return nothing;
    return [
      host.compact ? nothing : this.#questionTemplate(hlo),
      this.error && (host.compact || !isShown) ? html`<p class="draft" role="alert" part="message">${this.error.message}</p>` : nothing,
      isShown ? html`<div class=${this.error ? 'answer stale' : 'answer'}>${this.#answerTemplate(/** @type {Answer} */ (answer))}</div>` : nothing,
    ];
  }

  /** @param {Runtime} hlo */
  #questionTemplate(hlo) {
    const { host } = this;
    const answer = this.answer;
    const standing = host.view === 'bits' && host.code && answer?.view === 'bits' ? answer.text : host.value;
    const label = host.view === 'sum' ? 'terms' : host.view === 'types' ? 'number' : 'value';
    const message = this.error?.message;
    const typed = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
    return html`<div class="question" part="question">
      ${
        host.view === 'types'
          ? nothing
          : html`<div class="field">
              <label for="type">type</label>
              <select id="type" @change=${(/** @type {Event} */ event) => this.set({ type: typed(event), code: undefined })}>
                ${numberTypes(hlo).map(({ name }) => html`<option value=${name} ?selected=${name === host.type}>${name}</option>`)}
              </select>
            </div>`
      }
      <div class="field ${host.view === 'sum' ? 'long' : ''}">
        <label for="value">${label}</label>
        <input id="value" autocomplete="off" autocapitalize="off" spellcheck="false" aria-invalid=${message ? 'true' : 'false'} aria-describedby=${message ? 'message' : nothing}
          .value=${standing} @input=${(/** @type {Event} */ event) => this.set({ value: typed(event), code: undefined })} />
      </div>
      ${
        host.view === 'ulps'
          ? html`<div class="field"><label for="other">and</label>
                <input id="other" autocomplete="off" spellcheck="false" .value=${host.other ?? host.value} @input=${(/** @type {Event} */ event) => this.set({ other: typed(event) })} /></div>
              <div class="field"><label for="tolerance">ulps allowed</label>
                <input id="tolerance" type="number" min="0" max=${MOST_STEPS} .value=${String(host.tolerance)} @input=${(/** @type {Event} */ event) => this.set({ tolerance: Number(typed(event) || NaN) })} /></div>`
          : nothing
      }
      ${message ? html`<p class="draft" id="message" role="alert" part="message">${message}</p>` : nothing}
    </div>`;
  }

  /** @param {Answer} answer */
  #answerTemplate(answer) {
    if (answer.view === 'bits') return this.#bitsTemplate(answer);
    if (answer.view === 'types') return typesTemplate(answer.rows);
    if (answer.view === 'sum') return sumTemplate(answer, this.host.type);
    return ulpsTemplate(answer, this.host);
  }

  /** @param {Bits} answer */
  #bitsTemplate(answer) {
    const { row, code, text, fields, near, below, above, formula, error } = answer;
    const groups = groupsOf(row, fields);
    let bit = row.bits;
    return html`
      <div class="bits" part="bits">
        ${groups.map(
          ({ name, count }) =>
            html`<div class="group" role="group" aria-label=${name}>
              <span class="name" aria-hidden="true">${name}</span>
              <span class="row">
                ${Array.from({ length: count }, () => {
                  const at = --bit;
                  const on = (code >> BigInt(at)) & 1n;
                  return html`<button type="button" class="bit ${name.split(' ')[0]}" aria-pressed=${on ? 'true' : 'false'} data-bit=${at} aria-label="${on}: bit ${at}, ${name}"
                    @click=${() => this.set({ code: hex(code ^ (1n << BigInt(at)), row.bits) })}>${on}</button>`;
                })}
              </span>
            </div>`,
        )}
      </div>
      <p class="reads" part="value"><code>${hex(code, row.bits)}</code> is ${formula ? html`${typeset(formula)} = ` : nothing}<strong>${typeset(text)}</strong>${
        error ? html`<span class="soft">: off by ${short(error)} from what was typed</span>` : nothing
      }</p>
      ${near.length > 1 ? rulerTemplate(near, below, above) : nothing}
    `;
  }
}

/** @param {Neighbourhood} near @param {string} below @param {string} above */
function rulerTemplate(near, below, above) {
  const { places, down, self, up } = rulerOf(near);
  return html`<div class="ruler" part="ruler">
    <div class="line" aria-hidden="true">
      ${places.map(({ steps, percent }) => html`<i class=${steps === 0 ? 'own' : Math.abs(steps) === 1 ? 'next' : ''} .style="inset-inline-start: ${percent}%"></i>`)}
    </div>
    <dl>
      <div><dt>below</dt><dd>${down ? typeset(down.text) : 'nothing'}${below ? html`<small>${short(below)} away</small>` : nothing}</dd></div>
      <div><dt>this</dt><dd><strong>${typeset(self.text)}</strong></dd></div>
      <div><dt>above</dt><dd>${up ? typeset(up.text) : 'nothing'}${above ? html`<small>${short(above)} away</small>` : nothing}</dd></div>
    </dl>
  </div>`;
}

/** @param {readonly Stored[]} rows */
function typesTemplate(rows) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="The number in every type">
    <table part="table">
      <thead><tr><th scope="col">type</th><th scope="col">becomes</th><th scope="col">that is off by</th><th scope="col">bits</th></tr></thead>
      <tbody>
        ${rows.map(
          ({ type, text, code, error }) =>
            html`<tr class=${error ? '' : 'exact'}><th scope="row">${type}</th><td><b>${typeset(text)}</b></td><td>${error ? short(error) : 'nothing'}</td><td>${hex(code, bitsIn(type))}</td></tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {Extract<Answer, { view: 'sum' }>} answer @param {string} type */
function sumTemplate({ terms: stored, sums, exact }, type) {
  return html`<p>In ${type} the terms are <b>${typeset(stored.join('  '))}</b>.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Sums in several orders">
      <table part="table">
        <thead><tr><th scope="col">order</th><th scope="col">on the way</th><th scope="col">sum</th></tr></thead>
        <tbody>
          ${sums.map(
            ({ name, says, partial, total }) =>
              html`<tr><th scope="row">${name}<small>${says}</small></th><td>${typeset(partial.join(', '))}</td><td><b>${typeset(total)}</b></td></tr>`,
          )}
          <tr><th scope="row">in f64<small>of the same terms</small></th><td></td><td><b>${typeset(exact)}</b></td></tr>
        </tbody>
      </table>
    </div>`;
}

/** @param {Ulps} answer @param {HloNumber} host */
function ulpsTemplate({ stored: [a, b], steps, apart, low, high }, { type, tolerance }) {
  const within = steps <= BigInt(tolerance);
  return html`<p>In ${type} they are <b>${typeset(a.text)}</b> and <b>${typeset(b.text)}</b>: <strong>${steps} ulp${steps === 1n ? '' : 's'}</strong> apart<span class="soft">, which is ${short(apart)}</span>.</p>
    <p>${tolerance} ulp${tolerance === 1 ? '' : 's'} around the first reach from ${typeset(low)} to ${typeset(high)}: <b class=${within ? 'yes' : 'no'}>the second is ${within ? 'within' : 'outside'}</b>.</p>`;
}
