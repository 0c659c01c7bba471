// How a broadcast looks: lhs in one colour, rhs in another, repetitions pale and dashed in the colour of what they repeat.
import { css } from 'lit';

export const broadcastStyle = css`
  :host([compact]) :is([part='question'], [part='meeting'], [part='bytes'], [part='program'], .walk, .told) {
    display: none;
  }
  :host {
    --lhs: var(--tile-0);
    --rhs: var(--tile-1);
  }
  .mono {
    font-family: var(--mono);
    font-size: 0.9em;
  }

  .field label::before {
    content: '';
    display: inline-block;
    width: 0.75em;
    height: 0.75em;
    margin-inline-end: 0.4em;
    border-radius: 3px;
    background: var(--swatch, none);
    vertical-align: -0.05em;
  }
  .field:not(.operand) label::before {
    display: none;
  }
  .field.lhs {
    --swatch: var(--lhs);
  }
  .field.rhs {
    --swatch: var(--rhs);
  }
  .choices button {
    padding: 0 0.5rem;
    font: 0.875rem var(--mono);
  }
  .choices button[aria-pressed='true'] {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
  }
  .choices button.illegal {
    border-style: dashed;
    color: var(--soft);
    text-decoration: line-through;
  }

  /* ---- Dimensions that meet ---- */
  .meeting {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem 2rem;
    margin-block: 1rem;
    padding: 0.75rem 1rem;
    border-radius: 8px;
    background: var(--shade);
  }
  .meeting .scroll {
    overflow-x: auto;
    min-width: 0;
  }
  .legend {
    display: grid;
    grid-template-columns: auto auto;
    gap: 0.25rem 0.5rem;
    align-items: center;
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .legend i {
    box-sizing: border-box;
    width: 1.25rem;
    height: 1.25rem;
    border: 1px solid color-mix(in srgb, var(--lhs) 75%, var(--ink));
    border-radius: 4px;
    background: var(--lhs);
  }
  .legend i.ghost {
    border-style: dashed;
    background: color-mix(in srgb, var(--lhs) 22%, var(--paper));
  }
  .meeting table {
    border-collapse: separate;
    border-spacing: 0.375rem 0.25rem;
    font-variant-numeric: tabular-nums;
  }
  .meeting th {
    font-weight: 400;
    text-align: start;
    white-space: nowrap;
  }
  .meeting thead th {
    text-align: center;
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .meeting tbody th {
    padding-inline-end: 0.75rem;
  }
  .meeting tbody th .mono {
    color: var(--soft);
  }
  .meeting td {
    min-width: 4.5rem;
    padding: 0.2rem 0.5rem;
    border: 1px solid transparent;
    border-radius: 6px;
    text-align: center;
    white-space: nowrap;
  }
  .meeting small {
    font-size: 0.75rem;
    color: inherit;
  }
  .meeting .own,
  .meeting .stretched b:first-of-type {
    background: var(--side);
  }
  .meeting .own {
    border-color: color-mix(in srgb, var(--side) 75%, var(--ink));
  }
  .meeting .stretched,
  .meeting .new {
    border: 1px dashed color-mix(in srgb, var(--side) 65%, var(--ink));
    background: color-mix(in srgb, var(--side) 22%, var(--paper));
  }
  .meeting .stretched b:first-of-type {
    padding: 0.1rem 0.35rem;
    border-radius: 4px;
  }
  .meeting .sum td {
    border-color: var(--line);
    background: var(--paper);
    font-weight: 600;
  }
  .meeting td.clash {
    border: 2px solid var(--wrong);
  }
  .meeting tr.lhs {
    --side: var(--lhs);
  }
  .meeting tr.rhs {
    --side: var(--rhs);
  }
  .meeting .none {
    color: var(--soft);
  }

  /* ---- Steps ---- */
  .walk {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    margin-block-end: 0.5rem;
  }
  .steps {
    display: grid;
    grid-template-columns: minmax(0, max-content) auto minmax(0, max-content) auto minmax(0, max-content) minmax(0, 1fr);
    justify-content: start;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .steps > li {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    padding-block: 1rem;
  }
  .steps > li + li {
    border-block-start: 1px solid var(--line);
  }
  .told {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0 0.625rem;
    /* Words do not widen the columns of the arrays. */
    width: 0;
    min-width: min(100%, 46rem);
    margin-block-end: 0.75rem;
  }
  .told > * {
    grid-column: 2;
  }
  .told .number {
    grid-column: 1;
    grid-row: 1;
    display: grid;
    place-items: center;
    width: 1.5rem;
    height: 1.5rem;
    border-radius: 50%;
    background: var(--ink);
    color: var(--paper);
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .told .rule {
    margin-block-end: 0.25rem;
    color: var(--soft);
    font-size: 0.875rem;
  }
  /* Level with the cells, which stand below a caption and the ticks. */
  .sign {
    display: grid;
    place-content: center;
    align-self: stretch;
    min-width: 1.25rem;
    padding: 3.25rem 0.75rem 0;
    font-size: 1.125rem;
  }
  .joined {
    display: contents;
  }
  hlo-grid::part(panels) {
    flex-direction: column;
  }
  .steps.walked > li {
    animation: appear 0.3s ease-out;
  }
  hlo-grid::part(ghost) {
    animation: ghost 0.45s ease-out;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  @keyframes ghost {
    from {
      opacity: 0;
      transform: translateY(-0.4em);
    }
  }

  .pointed b.lhs,
  .pointed b.rhs {
    padding: 0.05em 0.3em;
    border-radius: 4px;
    font-weight: 500;
    background: var(--side);
  }
  b.lhs {
    --side: var(--lhs);
  }
  b.rhs {
    --side: var(--rhs);
  }

  /* ---- Illegal ---- */
  .breach {
    display: grid;
    gap: 0.375rem;
    margin-block: 0.5rem 1rem;
    padding: 0.75rem 1rem;
    border: 1px solid var(--wrong);
    border-inline-start-width: 4px;
    border-radius: 8px;
    max-width: 46rem;
  }
  .breach .message {
    font: 0.8125rem/1.5 var(--mono);
    color: var(--soft);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  /* ---- Bytes ---- */
  .bytes {
    display: grid;
    grid-template-columns: auto minmax(4rem, 22rem) minmax(0, 1fr);
    align-items: center;
    gap: 0.375rem 0.75rem;
    margin: 0 0 0.5rem;
    font-variant-numeric: tabular-nums;
  }
  .bar {
    display: flex;
    height: 1.125rem;
  }
  .bar span {
    box-sizing: border-box;
    border: 1px solid color-mix(in srgb, var(--side) 75%, var(--ink));
    background: var(--side);
    border-radius: 3px;
    min-width: 2px;
  }
  .bar .ghost {
    border-style: dashed;
    border-inline-start: 0;
    background: color-mix(in srgb, var(--side) 18%, var(--paper));
  }
  .bytes .lhs {
    --side: var(--lhs);
  }
  .bytes .rhs {
    --side: var(--rhs);
  }
  @container (max-width: 40rem) {
    .steps {
      display: block;
    }
    .steps > li {
      display: flex;
      flex-wrap: wrap;
      row-gap: 0.5rem;
    }
    .told {
      width: 100%;
    }
    .joined {
      display: flex;
      max-width: 100%;
    }
    hlo-grid {
      max-width: 100%;
    }
    hlo-grid::part(panels) {
      flex-direction: row;
    }
    hlo-grid::part(caption) {
      box-sizing: border-box;
      width: 0;
      min-width: max(100%, 6.75rem);
      min-height: 2.5rem;
      align-content: end;
    }
    .sign {
      min-width: 1rem;
      padding-inline: 0.375rem;
    }
    .pointed {
      min-height: 3lh;
    }
    .question {
      gap: 0.5rem;
    }
    select {
      width: 5.5rem;
      padding-inline: 0.25rem;
    }
    .bytes {
      grid-template-columns: auto minmax(0, 1fr);
    }
    .bytes .bar {
      grid-row: span 1;
    }
    .bytes .amount {
      grid-column: 2;
      margin-block-end: 0.25rem;
    }
    .operand input {
      width: 7.5rem;
    }
    .meeting {
      padding-inline: 0.5rem;
    }
    .meeting td {
      min-width: 2.75rem;
      padding-inline: 0.3rem;
    }
    .meeting small {
      display: block;
    }
    .meeting tbody th {
      padding-inline-end: 0.25rem;
    }
    .meeting tbody th .mono {
      display: none;
    }
  }
`;
