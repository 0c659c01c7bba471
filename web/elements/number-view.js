// What <hlo-number> shows and does: loaded once one stands on a page.
import { html, nothing } from 'lit';
import { adoptStyle } from './adopted-style.js';
import { AskedAttributes } from './asked-attributes.js';
import { around, convertAll, differences, distanceOf, fieldsOf, numberOf, numberTypes, sumsOf, textOf, typeOf, valuesOf } from './number-model.js';
import { numberStyle } from './number-style.js';
import { typeset } from './op-formula.js';
import { questionStyle } from './question-style.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./hlo-number.js').HloNumber} HloNumber */
/** @typedef {import('./number-model.js').Fields} Fields */
/** @typedef {import('./number-model.js').Stored} Stored */
/** @typedef {ReturnType<typeof around>} Neighbourhood */
/**
 * @typedef {object} Bits
 * @property {'bits'} view
 * @property {import('./number-model.js').TypeRow} row
 * @property {bigint} code
 * @property {string} text
 * @property {Fields | undefined} fields of a float
 * @property {Neighbourhood} near
 * @property {string} below gap to the number below; '' where there is none
 * @property {string} above
 * @property {string} formula
 * @property {string} error
 */
/** @typedef {{ view: 'ulps', stored: Stored[], steps: bigint, apart: string, low: string, high: string }} Ulps */
/** @typedef {Bits | { view: 'types', rows: Stored[] } | ({ view: 'sum' } & Awaited<ReturnType<typeof sumsOf>>) | Ulps} Answer */

const VIEWS = ['bits', 'types', 'sum', 'ulps'];
const ASKED = ['view', 'type', 'value', 'code', 'other', 'tolerance'];
const REACH = 6;
const MOST_TERMS = 32;
const MOST_STEPS = 1000;

const hex = (/** @type {bigint} */ code, /** @type {number} */ bits) => `0x${code.toString(16).padStart(Math.ceil(bits / 4), '0')}`;
/** A difference, to six digits: the last ones of a double are noise. @param {string} text */
const short = (text) => typeset(String(Number(numberOf(text).toPrecision(6)))).replace('Infinity', '∞').replace('NaN', 'nan');
const terms = (/** @type {string} */ text) => text.split(/[\s;]+/).filter(Boolean);

export class NumberView {
  /** @type {Answer | undefined} */
  #answer;
  /** @type {Error | undefined} */
  #error;
  #asked = new AskedAttributes(ASKED);
  #changed = false;
  /** @type {Promise<void>} */
  ready = Promise.resolve();

  /** @param {HloNumber} host */
  constructor(host) {
    this.host = host;
  }

  stop() {}
  updated() {}

  changed() {
    const { runtime } = this.host;
    if (runtime && this.#asked.changed(this.host)) this.ready = this.#ask(runtime, this.ready);
  }

  /** @param {Runtime} hlo @param {Promise<void>} before */
  async #ask(hlo, before) {
    await before;
    const { host } = this;
    try {
      if (!VIEWS.includes(host.view)) throw new RangeError(`hlo-number: view is one of ${VIEWS.join(', ')}, got "${host.view}"`);
      this.#answer = await this[`_${host.view}`](hlo);
      this.#error = undefined;
    } catch (error) {
      this.#error = /** @type {Error} */ (error);
      host.emit('hlo-error', { error });
    }
    if (this.#changed && !this.#error) host.emit('hlo-change', { type: host.type, value: host.value, code: host.code ?? '' });
    this.#changed = false;
    host.requestUpdate();
    await 0;
    while (host.isUpdatePending) await new Promise((done) => setTimeout(done));
  }

  // ---- Asked of the runtime ----

  /** @param {Runtime} hlo @returns {Promise<Bits>} */
  async _bits(hlo) {
    const { type, value, code: given } = this.host;
    const row = typeOf(hlo, type);
    const [converted] = given ? [undefined] : await convertAll(hlo, value, [type]);
    const code = converted?.code ?? BigInt.asUintN(row.bits, BigInt(given ?? 0));
    const text = textOf(valuesOf(hlo, row, [code])[0]);
    const fields = row.class === 'float' ? await fieldsOf(hlo, type) : undefined;
    const ordered = row.class !== 'complex' && row.class !== 'pred';
    const near = ordered ? around(hlo, type, code, REACH, fields?.sign ?? 0) : [];
    const own = near.findIndex(({ steps }) => steps === 0);
    const finite = (/** @type {string | undefined} */ of) => of !== undefined && !/inf|nan/.test(of) && !/inf|nan/.test(text);
    // -0 and 0 are one number with two codes: the gap is that to the next other number.
    const [down, up] = [near.slice(0, Math.max(own, 0)).findLast((one) => numberOf(one.text) !== numberOf(text)), near.slice(own + 1).find((one) => numberOf(one.text) !== numberOf(text))];
    const [below, above] = await Promise.all(
      [[text, down?.text], [up?.text, text]].map(async ([high, low]) => (finite(high) && finite(low) ? (await differences(hlo, [[numberOf(high ?? ''), numberOf(low ?? '')]]))[0] : '')),
    );
    return { view: 'bits', row, code, text, fields, near, below, above, formula: fields ? formulaOf(hlo, row, code, text, fields) : '', error: converted?.error ?? '' };
  }

  /** @param {Runtime} hlo @returns {Promise<Answer>} */
  async _types(hlo) {
    return { view: 'types', rows: await convertAll(hlo, this.host.value, numberTypes(hlo).map(({ name }) => name)) };
  }

  /** @param {Runtime} hlo @returns {Promise<Answer>} */
  async _sum(hlo) {
    const given = terms(this.host.value);
    if (given.length < 2 || given.length > MOST_TERMS) throw new RangeError(`2 to ${MOST_TERMS} numbers between blanks, got ${given.length}`);
    return { view: 'sum', ...(await sumsOf(hlo, this.host.type, given)) };
  }

  /** @param {Runtime} hlo @returns {Promise<Ulps>} */
  async _ulps(hlo) {
    const { type, value, other, tolerance } = this.host;
    if (!(Number.isInteger(tolerance) && tolerance >= 0 && tolerance <= MOST_STEPS)) throw new RangeError(`a tolerance is a whole number from 0 to ${MOST_STEPS}, got ${tolerance}`);
    const steps = await distanceOf(hlo, type, value, other ?? value);
    const stored = [value, other ?? value].map((text) => convertAll(hlo, text, [type]));
    const [[a], [b]] = await Promise.all(stored);
    const sign = typeOf(hlo, type).class === 'float' ? (await fieldsOf(hlo, type)).sign : 0;
    const near = around(hlo, type, a.code, tolerance, sign);
    const [apart] = await differences(hlo, [[numberOf(b.text), numberOf(a.text)]]);
    return { view: 'ulps', stored: [a, b], steps, apart, low: near[0].text, high: near[near.length - 1].text };
  }

  // ---- What readers change ----

  /** @param {Partial<HloNumber>} values */
  #set(values) {
    this.#changed = true;
    Object.assign(this.host, values);
  }

  // ---- Picture ----

  /** @param {Runtime} hlo */
  template(hlo) {
    const { host } = this;
    for (const style of [questionStyle, numberStyle]) adoptStyle(host, style);
    const answer = this.#answer;
    const isShown = answer?.view === host.view;
    if (!isShown && !this.#error) return nothing;
    return [
      host.compact ? nothing : this.#questionTemplate(hlo),
      this.#error && (host.compact || !isShown) ? html`<p class="draft" role="alert" part="message">${this.#error.message}</p>` : nothing,
      isShown ? html`<div class=${this.#error ? 'answer stale' : 'answer'}>${this.#answerTemplate(/** @type {Answer} */ (answer))}</div>` : nothing,
    ];
  }

  /** @param {Runtime} hlo */
  #questionTemplate(hlo) {
    const { host } = this;
    const answer = this.#answer;
    const standing = host.view === 'bits' && host.code && answer?.view === 'bits' ? answer.text : host.value;
    const label = host.view === 'sum' ? 'terms' : host.view === 'types' ? 'number' : 'value';
    const message = this.#error?.message;
    const typed = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value;
    return html`<div class="question" part="question">
      ${
        host.view === 'types'
          ? nothing
          : html`<div class="field">
              <label for="type">type</label>
              <select id="type" @change=${(/** @type {Event} */ event) => this.#set({ type: typed(event), code: undefined })}>
                ${numberTypes(hlo).map(({ name }) => html`<option value=${name} ?selected=${name === host.type}>${name}</option>`)}
              </select>
            </div>`
      }
      <div class="field ${host.view === 'sum' ? 'long' : ''}">
        <label for="value">${label}</label>
        <input id="value" autocomplete="off" autocapitalize="off" spellcheck="false" aria-invalid=${message ? 'true' : 'false'} aria-describedby=${message ? 'message' : nothing}
          .value=${standing} @input=${(/** @type {Event} */ event) => this.#set({ value: typed(event), code: undefined })} />
      </div>
      ${
        host.view === 'ulps'
          ? html`<div class="field"><label for="other">and</label>
                <input id="other" autocomplete="off" spellcheck="false" .value=${host.other ?? host.value} @input=${(/** @type {Event} */ event) => this.#set({ other: typed(event) })} /></div>
              <div class="field"><label for="tolerance">ulps allowed</label>
                <input id="tolerance" type="number" min="0" max=${MOST_STEPS} .value=${String(host.tolerance)} @input=${(/** @type {Event} */ event) => this.#set({ tolerance: Number(typed(event) || NaN) })} /></div>`
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
                    @click=${() => this.#set({ code: hex(code ^ (1n << BigInt(at)), row.bits) })}>${on}</button>`;
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

/** @param {Bits['row']} row @param {Fields | undefined} fields @returns {{ name: string, count: number }[]} from the highest bit down */
function groupsOf({ bits, class: kind }, fields) {
  const groups = fields
    ? [{ name: 'sign', count: fields.sign }, { name: 'exponent', count: fields.exponent }, { name: 'mantissa', count: fields.mantissa }]
    : kind === 'complex' ? [{ name: 'imaginary part', count: bits / 2 }, { name: 'real part', count: bits / 2 }]
    : kind === 'signed' ? [{ name: 'sign', count: 1 }, { name: 'value', count: bits - 1 }] : [{ name: 'value', count: bits }];
  return groups.filter(({ count }) => count > 0);
}

/** A float as a product of its fields. @param {Runtime} hlo @param {Bits['row']} row @param {bigint} code @param {string} text @param {Fields} fields */
function formulaOf(hlo, row, code, text, { sign, exponent, mantissa }) {
  if (/inf|nan/.test(text)) return '';
  const magnitude = sign ? BigInt.asUintN(row.bits - 1, code) : code;
  const minus = magnitude === code ? '' : '-';
  const part = BigInt.asUintN(mantissa, magnitude);
  const isSubnormal = mantissa > 0 && exponent > 0 && magnitude >> BigInt(mantissa) === 0n;
  const [unit] = valuesOf(hlo, row, [isSubnormal ? 1n : magnitude - part]);
  const value = textOf(unit);
  if (isSubnormal) return `${minus}${part} × ${value}`;
  return part ? `${minus}${value} × (1 + ${part}/${2n ** BigInt(mantissa)})` : `${minus}${value} × 1`;
}

/** @param {Neighbourhood} near @param {string} below @param {string} above */
function rulerTemplate(near, below, above) {
  const finite = near.filter(({ text }) => !/inf/.test(text));
  const values = finite.map(({ text }) => numberOf(text));
  const [low, high] = [values[0], values[values.length - 1]];
  const place = (/** @type {number} */ value) => (high / 2 === low / 2 ? 50 : 2 + 96 * ((value / 2 - low / 2) / (high / 2 - low / 2)));
  const own = near.findIndex(({ steps }) => steps === 0);
  const [down, self, up] = [near[own - 1], near[own], near[own + 1]];
  return html`<div class="ruler" part="ruler">
    <div class="line" aria-hidden="true">
      ${finite.map(({ steps }, i) => html`<i class=${steps === 0 ? 'own' : Math.abs(steps) === 1 ? 'next' : ''} style="inset-inline-start: ${place(values[i])}%"></i>`)}
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
            html`<tr class=${error ? '' : 'exact'}><th scope="row">${type}</th><td><b>${typeset(text)}</b></td><td>${error ? short(error) : 'nothing'}</td><td>${hex(code, bitsOf(type))}</td></tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The bits that a type's name tells. @param {string} type */
function bitsOf(type) {
  return Number(/\d+/.exec(type)?.[0] ?? 1);
}

/** @param {Awaited<ReturnType<typeof sumsOf>>} answer @param {string} type */
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
