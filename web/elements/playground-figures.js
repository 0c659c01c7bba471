// Panes that a playground has as a figure of a text: the shapes that inference gives, and the program in numbers.
import { html, nothing } from 'lit';
import { plainShape } from './graph-model.js';
import { bytesText, countText } from './playground-steps.js';

/** @typedef {import('./playground-session.js').Session} Session */

const MOST_ROWS = 300;
/** Operations that hold a value and compute none. */
const GIVEN = new Set(['parameter', 'constant', 'iota']);

/** The entry's instructions, the shapes that each is given, and what its rule makes of them. @param {Session} session */
export function shapesTemplate(session) {
  const { computations, entry } = session.graph();
  const { instructions } = computations[entry];
  const rows = instructions.filter(({ op }) => !GIVEN.has(op));
  const given = instructions.filter(({ op }) => op === 'parameter');
  return html`<p class="soft">Given: ${given.map(({ name, shape }, i) => html`${i ? ', ' : ''}<code>${name} ${plainShape(shape)}</code>`)}.</p>
    <div class="scrolls" tabindex="0" role="region" aria-label="Shapes of the instructions">
      <table>
        <thead><tr><th scope="col">instruction</th><th scope="col">from</th><th scope="col">to</th></tr></thead>
        <tbody>${rows.slice(0, MOST_ROWS).map(({ name, op, operands, shape }) => html`<tr>
          <th scope="row"><code>${name}</code>${name === op ? nothing : html`<small>${op}</small>`}</th>
          <td>${operands.map((at, i) => html`${i ? ', ' : ''}${plainShape(instructions[at].shape)}`)}</td>
          <td><b>${plainShape(shape)}</b></td>
        </tr>`)}</tbody>
      </table>
    </div>
    ${rows.length > MOST_ROWS ? html`<p class="soft">${rows.length - MOST_ROWS} further instructions are not shown.</p>` : nothing}`;
}

/** The numbers of a program on its way, by name. @param {Session} session @returns {[string, string][]} */
export function factsOf(session) {
  const count = (/** @type {import('./graph-model.js').Graph} */ { computations }) => computations.reduce((sum, { instructions }) => sum + instructions.length, 0);
  const steps = session.plan().routines.flatMap((routine) => routine.steps);
  const { memory } = session.executable;
  return [
    ['instructions as written', String(count(session.graph()))],
    ['passes that changed it', String(session.passes().length - 1)],
    ['instructions as compiled', String(count(session.optimised()))],
    ['steps', String(steps.length)],
    ['fused loops', String(steps.filter(({ ops }) => ops?.length).length)],
    ['own WebAssembly', bytesText(session.emitted()?.length ?? 0)],
    ['workspace', bytesText(memory.workspace)],
    ['memory at the peak', bytesText(memory.peak)],
    ['arithmetic', `${countText(steps.reduce((sum, { flops }) => sum + flops, 0))} operations`],
    ['threads on this page', String(session.hlo.threads)],
  ];
}

/** @param {Session} session */
export function factsTemplate(session) {
  return html`<dl class="facts">${factsOf(session).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
