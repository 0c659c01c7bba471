import { css, html, nothing } from 'lit';
import { HloElement } from './hlo-element.js';
import { dedented, puzzles } from './puzzles.js';

/** @typedef {import('./puzzles.js').Puzzle} Puzzle */
/** @typedef {import('./puzzles.js').Verdict} Verdict */

const QUESTION = ['kind', 'shape', 'at', 'offset', 'goal', 'answer', 'lhs', 'rhs', 'dimensions', 'program', 'op', 'operands', 'values', 'attrs', 'type', 'value', 'devices'];

/**
 * A question that the runtime judges.
 *
 *     <hlo-puzzle kind="offset" shape="f32[3,5]{1,0:T(2,2)}" at="2,3">the question, for readers without JavaScript</hlo-puzzle>
 *
 * @attr {'offset' | 'index' | 'bytes' | 'order' | 'broadcast' | 'shape' | 'fused' | 'left' | 'result' | 'origin' | 'round' | 'ulps' | 'device'} kind offset (shape, at),
 *   index (shape, offset), bytes (shape), order (shape, goal, answer), broadcast (lhs, rhs, dimensions), shape (program, at), fused (program, at), left (program),
 *   result (op, operands, attrs): its dimensions; origin (op, operands, values, attrs, at): which element a result element comes from; round (type, value),
 *   ulps (type, value, answer), device (op, operands, values, attrs, devices, at): what device `at` has afterwards
 * @attr {string} shape the shape, as HLO writes it
 * @attr {string} at the index of an element; the name of an instruction
 * @attr {string} offset a place in memory, in elements
 * @attr {string} goal letters a, b, c, ... of the array in the order of memory; 0 is padding
 * @attr {string} answer a layout that reaches the goal; for ulps, the other number
 * @attr {string} lhs shape of the left operand
 * @attr {string} rhs shape of the right operand
 * @attr {string} dimensions broadcast_dimensions
 * @attr {string} program text of a program
 * @attr {string} op the op, as in HLO text
 * @attr {string} operands shapes, `f32[4,3]; s32[3]`
 * @attr {string} values elements in row-major order, `1,2,3; 0`; of device, a device's list after the other's
 * @attr {string} attrs attributes as in HLO text
 * @attr {string} type an element type
 * @attr {string} value a number
 * @attr {number} devices how many replicas there are
 * @attr {string} playground the address of a page with an `<hlo-playground id="playground">`, to open the program there once the answer is known
 * @fires {CustomEvent<{ answer: string, tries: number }>} hlo-solved the answer is right
 * @csspart question
 * @csspart program the program that the question is about
 * @csspart playground the link to the program
 * @csspart verdict whether the answer is right, and why
 */
export class HloPuzzle extends HloElement {
  static tag = 'hlo-puzzle';

  static properties = {
    ...HloElement.properties,
    kind: {},
    shape: {},
    at: {},
    offset: {},
    goal: {},
    answer: {},
    lhs: {},
    rhs: {},
    dimensions: {},
    program: {},
    op: {},
    operands: {},
    values: {},
    attrs: {},
    type: {},
    value: {},
    devices: { type: Number },
    playground: {},
    link: { state: true },
    asked: { state: true },
    verdict: { state: true },
    shown: { state: true },
  };

  static styles = [
    ...HloElement.styles,
    css`
      :host {
        border: 1px solid var(--line);
        border-radius: 6px;
        padding: 1rem 1.25rem;
        margin-block: 1.5rem;
      }
      p {
        margin: 0 0 0.75rem;
      }
      pre {
        margin: 0 0 0.75rem;
        overflow-x: auto;
        padding: 0.5rem 0.75rem;
        background: var(--shade);
        border-radius: 4px;
        font: 0.8125rem/1.5 var(--mono);
      }
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
      }
      input {
        flex: 1 1 9rem;
        min-width: 0;
        font-family: var(--mono);
        padding: 0.4rem 0.6rem;
        border: 1px solid var(--soft);
        border-radius: 4px;
        background: var(--paper);
      }
      button {
        padding: 0.4rem 0.9rem;
        border: 1px solid var(--soft);
        border-radius: 4px;
        background: var(--shade);
        cursor: pointer;
      }
      .verdict {
        margin: 0.75rem 0 0;
        min-height: 1.5em;
      }
      .verdict.wrong::before {
        content: '✗ ';
        color: var(--wrong);
      }
      .verdict.right::before {
        content: '✓ ';
        color: light-dark(#1b6e2c, #7fd694);
      }
      .open {
        margin: 0;
      }
      a {
        color: var(--focus);
      }
      .picture {
        display: block;
        margin-block-start: 1rem;
      }
    `,
  ];

  constructor() {
    super();
    this.kind = 'offset';
    /** The puzzle, where the runtime is asked in steps. @type {Puzzle | Error | undefined} */
    this.asked = undefined;
    /** @type {Verdict | undefined} */
    this.verdict = undefined;
    this.link = '';
    this.shown = false;
    /** Where the program opens in a playground. */
    this.link = '';
    /** @type {string | null | undefined} */
    this.playground = undefined;
    this.tries = 0;
  }

  /** @type {Promise<void>} */
  #asking = Promise.resolve();

  /** @param {string} name of an attribute @returns {string} */
  #get = (name) => String(/** @type {any} */ (this)[name] ?? '');

  /** Another question has not been answered. @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (QUESTION.some((name) => changed.get(name) !== undefined)) this.#begin();
    const { runtime, kind } = this;
    if (runtime && !puzzles[kind] && ['runtime', ...QUESTION].some((name) => changed.has(name))) this.#asking = this.#ask(runtime, kind);
  }

  /** @param {import('./hlo-element.js').Runtime} runtime @param {string} kind */
  async #ask(runtime, kind) {
    try {
      const { askedPuzzles } = await import('./puzzles-asked.js');
      const make = askedPuzzles[kind];
      if (!make) throw new Error(`hlo-puzzle: kind is one of ${[...Object.keys(puzzles), ...Object.keys(askedPuzzles)].join(', ')}, got "${kind}"`);
      this.asked = await make(runtime, this.#get);
    } catch (error) {
      this.asked = /** @type {Error} */ (error);
    }
  }

  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.#asking;
    return (await super.getUpdateComplete()) && done;
  }

  /** @param {import('./hlo-element.js').Runtime} runtime */
  template(runtime) {
    const puzzle = puzzles[this.kind]?.(runtime, this.#get) ?? this.asked;
    if (puzzle instanceof Error) throw puzzle;
    if (!puzzle) return html`<slot></slot>`;
    const done = this.shown || this.verdict?.right;
    return html`
      <p part="question" id="question">${puzzle.question}</p>
      ${puzzle.text ? html`<pre part="program" tabindex="0" aria-label="Program">${puzzle.text}</pre>` : nothing}
      <form @submit=${(/** @type {SubmitEvent} */ event) => this.#judge(event, puzzle)}>
        <input name="answer" aria-labelledby="question" placeholder=${puzzle.form} autocomplete="off" autocapitalize="off" spellcheck="false" />
        <button>Check</button>
        ${this.tries > 0 && !done ? html`<button type="button" @click=${() => this.#reveal(puzzle)}>Show the answer</button>` : nothing}
        ${done && puzzle.again ? html`<button type="button" @click=${() => this.#another(puzzle)}>Another</button>` : nothing}
      </form>
      <p part="verdict" class="verdict ${this.verdict ? (this.verdict.right ? 'right' : 'wrong') : ''}" role="status">${this.verdict?.words ?? nothing}</p>
      ${done && this.link ? html`<p class="open"><a part="playground" href=${this.link}>Open in the playground</a></p>` : nothing}
      ${done && puzzle.picture ? picture(puzzle.picture) : nothing}
    `;
  }

  /** @param {SubmitEvent} event @param {import('./puzzles.js').Puzzle} puzzle */
  #judge(event, puzzle) {
    event.preventDefault();
    const answer = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('answer') ?? '');
    if (answer.trim() === '') return;
    this.tries++;
    this.#lead(puzzle);
    this.verdict = puzzle.judge(answer);
    if (this.verdict.right) this.emit('hlo-solved', { answer, tries: this.tries });
  }

  /** @param {import('./puzzles.js').Puzzle} puzzle */
  #reveal(puzzle) {
    this.shown = true;
    this.verdict = { ...puzzle.judge(puzzle.answer), words: `It is ${puzzle.answer}. ${puzzle.judge(puzzle.answer).words.replace(/^Yes[:,] /, '')}` };
  }

  /** @param {import('./puzzles.js').Puzzle} puzzle */
  async #lead({ text }) {
    const { playground } = this;
    // What the text leaves out for a reader to find is there in the program.
    if (text && playground) this.link = await (await import('./playground-link.js')).playgroundLink(playground, dedented(this.#get('program')), [[]]);
  }

  /** @param {import('./puzzles.js').Puzzle} puzzle */
  #another(puzzle) {
    for (const [name, value] of Object.entries(puzzle.again ?? {})) this.setAttribute(name, value);
    this.#begin();
    const input = /** @type {HTMLInputElement} */ (this.renderRoot.querySelector('input'));
    input.value = '';
    input.focus();
  }

  #begin() {
    this.verdict = undefined;
    this.shown = false;
    this.tries = 0;
  }
}

/** @param {Record<string, string>} attributes */
function picture({ element, shape = '', at = '', lhs = '', rhs = '', dimensions = '', op = '', operands = '', values = '', attrs = '' }) {
  if (element === 'hlo-index-map')
    return html`<hlo-index-map class="picture" compact op=${op} operands=${operands} values=${values || nothing} attrs=${attrs} at=${at}></hlo-index-map>`;
  return element === 'hlo-layout'
    ? html`<hlo-layout class="picture" shape=${shape} at=${at}></hlo-layout>`
    : html`<hlo-broadcast class="picture" lhs=${lhs} rhs=${rhs} dimensions=${dimensions}></hlo-broadcast>`;
}
