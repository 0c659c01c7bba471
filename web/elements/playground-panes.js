// The panes beside the editor that show the plan, its memory, what passes changed, and the code.
import { html, nothing, svg } from 'lit';
import { plainShape } from './graph-model.js';
import { bytesText, countText, placeText } from './playground-steps.js';
import { hunks } from './text-difference.js';

/** @typedef {import('./playground-session.js').Session} Session */
/** @typedef {import('./playground-steps.js').LinesOf} LinesOf */
/** @typedef {import('./playground-steps.js').Life} Life */
/**
 * What a pane needs of the playground.
 * @typedef {object} Link
 * @property {number} line the line of the moment
 * @property {LinesOf} linesOf
 * @property {(line: number) => void} go moves the cursor
 */

const MOST_STEPS = 1500;
const MOST_CODE = 3000;
const MOST_LINES = 3000;

/** @param {Link} link @param {number[]} lines */
const isMarked = ({ line }, lines) => line > 0 && lines.includes(line);

// ---- Plan ----

/** @param {Session} session @param {Link} link */
export function planTemplate(session, link) {
  const { routines } = session.plan();
  const count = routines.reduce((sum, { steps }) => sum + steps.length, 0);
  let left = MOST_STEPS;
  return html`<p class="soft">${count} step${count === 1 ? '' : 's'}, in the order in which they run. A kernel is the function that runs a step.</p>
    ${routines.map(({ name, steps }) => {
      const shown = steps.slice(0, Math.max(0, left));
      left -= steps.length;
      return html`<h3>${name}</h3>
        <div class="scrolls" tabindex="0" role="region" aria-label=${`Steps of ${name}`}>
          <table class="plan">
            <thead><tr><th scope="col">step</th><th scope="col">kernel</th><th scope="col">result</th><th scope="col" class="number">flops</th><th scope="col" class="number">bytes</th><th scope="col">in</th></tr></thead>
            <tbody>
              ${shown.map((step) => {
                const lines = link.linesOf(name, step.name);
                return html`<tr class=${isMarked(link, lines) ? 'marked' : ''}>
                  <th scope="row">${stepButton(step.name, lines, link)}${step.ops?.length ? html`<small>${step.ops.join(', ')}</small>` : step.name.startsWith(step.op) ? nothing : html`<small>${step.op}</small>`}</th>
                  <td class=${step.kernel === 'reference' ? 'slow' : ''}>${step.kernel}${step.emitted ? html`<small>own WebAssembly</small>` : nothing}${step.calls ? html`<small>runs ${step.calls}</small>` : nothing}</td>
                  <td>${plainShape(step.shape)}</td>
                  <td class="number">${step.flops ? countText(step.flops) : ''}</td>
                  <td class="number">${step.bytes ? countText(step.bytes) : ''}</td>
                  <td>${placeText(step.result)}</td>
                </tr>`;
              })}
            </tbody>
          </table>
        </div>
        ${shown.length < steps.length ? html`<p class="soft">${steps.length - shown.length} further steps are not shown.</p>` : nothing}`;
    })}`;
}

/** @param {string} name @param {number[]} lines @param {Link} link */
function stepButton(name, lines, link) {
  if (!lines.length) return html`<code>${name}</code>`;
  return html`<button type="button" class="link" aria-current=${isMarked(link, lines) ? 'true' : 'false'} @click=${() => link.go(lines[0])}>${name}</button>`;
}

// ---- Memory ----

const ROW = 260;

/** @param {Session} session @param {Link} link @param {Life | undefined} pointed @param {(life: Life | undefined) => void} point */
export function memoryTemplate(session, link, pointed, point) {
  const { memory } = session.executable;
  const facts = /** @type {[string, number][]} */ ([['inputs', memory.inputs], ['outputs', memory.outputs], ['constants', memory.constants + memory.packed], ['workspace', memory.workspace]]);
  const lived = session.lives();
  return html`<dl class="facts">${facts.map(([name, bytes]) => html`<div><dt>${name}</dt><dd>${bytesText(bytes)}</dd></div>`)}<div class="sum"><dt>peak</dt><dd>${bytesText(memory.peak)}</dd></div></dl>
    ${lived.length ? html`<p class="soft">Each bar is a value in the workspace: from left to right the steps that it lives for, from top to bottom its bytes.</p>` : html`<p class="soft">Nothing lies in the workspace: every step reads inputs or constants, and writes results.</p>`}
    ${lived.map(({ routine, lives }) => html`<h3>${routine.name}</h3>${livesTemplate(routine, lives, link, point)}`)}
    <p class="words" aria-live="polite">${pointed ? lifeText(pointed) : lived.length ? html`<span class="soft">Point at a bar, or walk with Tab.</span>` : nothing}</p>`;
}

/** @param {Life} life */
function lifeText({ step, offset, bytes, from, to, scratch }) {
  return html`<b>${step.name}</b> ${scratch ? 'memory for itself' : plainShape(step.shape)}: ${bytesText(bytes)} at ${offset}, ${from === to ? `step ${from}` : `steps ${from} to ${to}`}`;
}

/** @param {import('./playground-steps.js').Routine} routine @param {Life[]} lives @param {Link} link @param {(life: Life | undefined) => void} point */
function livesTemplate(routine, lives, link, point) {
  const count = routine.steps.length;
  const begin = lives.reduce((least, { offset }) => Math.min(least, offset), Infinity);
  const end = lives.reduce((most, { offset, bytes }) => Math.max(most, offset + bytes), 0);
  const shown = lives.slice(0, MOST_STEPS);
  return html`<div class="lives">
    <span class="axis">${begin}</span>
    <svg viewBox="0 0 ${count} ${ROW}" preserveAspectRatio="none" role="group" aria-label=${`Values of ${routine.name} in the workspace`}>
      ${shown.map((life) => {
        const lines = link.linesOf(routine.name, life.step.name);
        const y = ((life.offset - begin) / (end - begin)) * ROW;
        const height = Math.max(2, (life.bytes / (end - begin)) * ROW);
        return svg`<rect class="life ${life.scratch ? 'scratch' : ''} ${isMarked(link, lines) ? 'marked' : ''}" x=${life.from + 0.04} y=${y} width=${life.to - life.from + 0.92} height=${height}
          vector-effect="non-scaling-stroke" tabindex="0" role="button" aria-label=${`${life.step.name}: ${bytesText(life.bytes)}, steps ${life.from} to ${life.to}`}
          @pointerenter=${() => point(life)} @focus=${() => point(life)} @pointerleave=${() => point(undefined)} @blur=${() => point(undefined)}
          @click=${() => lines.length && link.go(lines[0])} @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && lines.length && link.go(lines[0])}></rect>`;
      })}
    </svg>
    <span class="axis">${end}</span><span class="axis steps"><span>step 0</span><span>step ${count - 1}</span></span>
  </div>`;
}

// ---- Passes ----

/** @param {Session} session @param {Link} link @param {number} chosen @param {(step: number) => void} choose */
export function passesTemplate(session, link, chosen, choose) {
  const steps = session.passes();
  const at = Math.min(Math.max(chosen, 0), steps.length - 1);
  if (steps.length === 1) return html`<p class="soft">No pass changes anything: the program runs as it is written.</p>`;
  const lines = steps[0].text.replace(/\n$/, '').split('\n');
  const changes = at > 0 ? session.changes(at) : lines.map((text) => /** @type {const} */ ({ kind: 'same', text }));
  const shown = at > 0 ? hunks(changes, 2) : changes;
  const added = changes.filter(({ kind }) => kind === 'added').length;
  const removed = changes.filter(({ kind }) => kind === 'removed').length;
  return html`<div class="stepper">
      <button type="button" ?disabled=${at === 0} @click=${() => choose(at - 1)}>Back</button>
      <button type="button" ?disabled=${at === steps.length - 1} @click=${() => choose(at + 1)}>Next pass</button>
      <label class="hidden" for="pass">Pass</label>
      <select id="pass" @change=${(/** @type {Event} */ event) => choose(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
        ${steps.map(({ name }, i) => html`<option value=${i} ?selected=${i === at} .selected=${i === at}>${i}. ${name}</option>`)}
      </select>
      <span class="soft">${at === 0 ? `${lines.length} lines` : html`<b class="plus">+${added}</b> <b class="minus">−${removed}</b>`}</span>
    </div>
    <pre class="difference" tabindex="0" aria-label=${`What ${steps[at].name} changed`}>${shown.slice(0, MOST_LINES).map((change) => (change ? changeTemplate(change, link, session) : html`<span class="gap">⋯</span>`))}${shown.length > MOST_LINES ? html`<span class="gap">… ${shown.length - MOST_LINES} further lines</span>` : nothing}</pre>`;
}

/** @param {import('./text-difference.js').Change} change @param {Link} link @param {Session} session */
function changeTemplate({ kind, text }, link, session) {
  const name = /^\s*(?:ROOT\s+)?%?([\w.-]+)\s=\s/.exec(text)?.[1];
  const line = (name && session.lineByName().get(name)) || 0;
  const sign = kind === 'added' ? '+' : kind === 'removed' ? '−' : ' ';
  return html`<span class="${kind} ${line > 0 && line === link.line ? 'marked' : ''}" @click=${() => line && link.go(line)}>${sign} ${text}</span>`;
}

// ---- Code ----

/** @param {Session} session @param {Link} link */
export function codeTemplate(session, link) {
  const bytes = session.emitted();
  if (!bytes) return html`<p class="soft">This program has no loops of its own: its steps call kernels that are in WebHLO already.</p>`;
  const functions = session.functions();
  const loops = session.plan().routines.flatMap(({ name, steps }) => steps.filter(({ emitted }) => emitted).map((step) => ({ step, lines: link.linesOf(name, step.name) })));
  let left = MOST_CODE;
  return html`<p class="soft">
      ${functions.length} function${functions.length === 1 ? '' : 's'}, ${bytesText(bytes.length)}, written for the fused loops and while loops of this program:
      ${loops.map(({ step, lines }, i) => html`${i ? ', ' : ''}${stepButton(step.name, lines, link)}`)}. Loops that are alike share one.
    </p>
    ${functions.map(({ name, lines, bytes: size }) => {
      const shown = lines.slice(0, Math.max(0, left));
      left -= lines.length;
      return html`<h3>function ${name} <small>${bytesText(size)}</small></h3>
        <pre class="code" tabindex="0" aria-label=${`Function ${name}`}>${shown.join('\n')}${shown.length < lines.length ? `\n… ${lines.length - shown.length} further lines` : ''}</pre>`;
    })}`;
}
