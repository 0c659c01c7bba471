// How an op looks: operands, an arrow, the result; data in a full frame, what only decided in a dashed one, windows in a band.
import { css } from 'lit';

export const opStyle = css`
  :host([compact]) :is(header, [part='question'], [part='program'], [part='documentation'], .hint) {
    display: none;
  }
  header {
    display: grid;
    gap: 0.5rem;
    margin-block-end: 0.75rem;
  }
  .says,
  .example {
    max-width: 52rem;
    text-wrap: pretty;
  }
  .example {
    font-size: 0.9375rem;
  }
  .presets {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
  }
  .presets button {
    min-height: 2rem;
    padding: 0 0.75rem;
    border-radius: 1rem;
    font-size: 0.875rem;
  }
  .presets button[aria-pressed='true'] {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
  }

  /* ---- The question ---- */
  .question {
    align-items: start;
    padding: 0.75rem 1rem;
    border-radius: 8px;
    background: var(--shade);
  }
  .field {
    align-content: start;
    max-width: 100%;
  }
  .field input {
    width: calc(var(--chars, 4) * 1ch + 1.75rem);
    min-width: 3.5rem;
    max-width: 100%;
  }
  .field input[type='number'] {
    width: 4.25rem;
  }
  .field .draft {
    width: 0;
    min-width: max(100%, min(28rem, 70cqi));
    padding-block-start: 0.25rem;
    overflow-wrap: anywhere;
  }
  .counts {
    display: flex;
    gap: 0.25rem;
    padding-block-start: 1.25rem;
  }
  .counts button {
    min-width: 2.25rem;
    padding: 0;
  }
  select {
    width: auto;
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .table .scroll {
    overflow-x: auto;
  }
  .table table {
    border-collapse: separate;
    border-spacing: 0.25rem;
    margin: -0.25rem;
  }
  .table th {
    font-size: 0.75rem;
    font-weight: 400;
    text-align: start;
    color: var(--soft);
    white-space: nowrap;
    padding: 0 0.375rem 0 0;
  }
  .table td {
    padding: 0;
  }
  .table input {
    height: 2rem;
  }

  /* ---- The picture ---- */
  .picture {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 1rem 1.5rem;
    margin-block: 1rem 0.5rem;
  }
  .picture hlo-grid {
    flex: 0 1 auto;
    max-width: 100%;
  }
  /* Level with the cells of arrays that have ticks. */
  .picture hlo-grid[data-rank='0']::part(scroll) {
    padding-block-start: 2.125rem;
  }
  .arrow {
    align-self: start;
    padding-block-start: 3rem;
    font-size: 1.25rem;
    color: var(--soft);
  }
  .arrow::before {
    content: '→';
  }
  .none {
    align-self: center;
    padding: 0.5rem 0.75rem;
    border: 1px dashed var(--wrong);
    border-radius: 6px;
    color: var(--soft);
  }
  hlo-grid::part(control) {
    border: 2px dashed var(--accent);
    color: var(--ink);
  }
  hlo-grid::part(control twin) {
    border-style: solid;
    background: color-mix(in srgb, var(--accent) 25%, var(--paper));
  }
  hlo-grid::part(window) {
    box-shadow: 0 0 0 2px color-mix(in srgb, var(--accent) 60%, transparent);
    border-radius: 0;
  }
  hlo-grid::part(window lit) {
    box-shadow:
      0 0 0 2px color-mix(in srgb, var(--accent) 60%, transparent),
      inset 0 0 0 2px var(--accent);
  }

  /* ---- What is pointed at ---- */
  .pointed:not(.held) {
    position: static;
    box-shadow: none;
  }
  .pointed {
    min-height: 1lh;
    font-size: 1.0625rem;
    line-height: 1.6;
  }
  .pointed .soft {
    font-size: 0.9375rem;
  }
  .formula {
    margin-inline-end: 0.75em;
  }
  .chip {
    padding: 0.1em 0.3em;
    border-radius: 4px;
    font-weight: 500;
    background: var(--fill, var(--shade));
  }
  .chip.control {
    display: inline-block;
    width: 0.9em;
    height: 0.9em;
    padding: 0;
    border: 2px dashed var(--accent);
    background: none;
    vertical-align: -0.1em;
  }
  .keep {
    white-space: nowrap;
  }
  .hint {
    margin-block: -0.5rem 0.75rem;
    font-size: 0.8125rem;
  }
  .documentation {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.25rem 1rem;
    margin: 1rem 0 0;
    font-size: 0.9375rem;
  }
  .documentation dd {
    margin: 0;
  }

  @container (max-width: 40rem) {
    .picture {
      gap: 0.75rem 1rem;
    }
    .picture hlo-grid[data-rank='0']::part(scroll) {
      padding-block-start: 3px;
    }
    .arrow {
      flex-basis: 100%;
      padding: 0 0 0 1rem;
      line-height: 1;
    }
    .arrow::before {
      content: '↓';
    }
    .question {
      gap: 0.625rem;
      padding: 0.625rem;
    }
    .field input[type='number'] {
      width: 3.5rem;
      padding-inline: 0.375rem 0.125rem;
    }
    .pointed {
      font-size: 1rem;
    }
    .documentation {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
