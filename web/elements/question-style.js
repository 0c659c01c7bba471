// How an element that asks looks: its fields, the line about what is pointed at, the program below.
import { css } from 'lit';

export const questionStyle = css`
  :host {
    container-type: inline-size;
  }
  hlo-grid {
    color-scheme: inherit;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  p {
    margin: 0;
  }
  .soft {
    color: var(--soft);
  }
  a {
    color: var(--focus);
    text-underline-offset: 0.15em;
  }
  .open {
    margin-block-start: 0.5rem;
  }

  /* ---- The question ---- */
  .question {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.75rem 1rem;
  }
  .field {
    display: grid;
    gap: 0.125rem;
    min-width: 0;
  }
  .field label,
  .field .label {
    font-size: 0.8125rem;
    color: var(--soft);
  }
  input,
  select {
    box-sizing: border-box;
    height: 2.25rem;
    padding: 0 0.5rem;
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--paper);
    font: 0.9375rem var(--mono);
  }
  select {
    width: 8rem;
    font-family: var(--sans);
  }
  .operand input {
    width: 11rem;
  }
  .numbers input {
    width: 6rem;
  }
  input[aria-invalid='true'] {
    border-color: var(--wrong);
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }
  button {
    min-height: 2.25rem;
    padding: 0 0.75rem;
    border: 1px solid var(--line);
    border-radius: 6px;
    background: var(--paper);
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    background: var(--shade);
  }
  button:disabled {
    color: var(--soft);
    cursor: default;
  }
  .draft {
    flex-basis: 100%;
    color: var(--wrong);
    font: 0.8125rem/1.4 var(--mono);
    white-space: pre-wrap;
  }

  /* A picture of what was asked before, beside a field that holds no question. */
  .stale {
    opacity: 0.4;
  }

  /* ---- What is pointed at ---- */
  .pointed {
    position: sticky;
    inset-block-end: 0.5rem;
    z-index: 1;
    /* It must not come between the pointer and the cell that it tells of. */
    pointer-events: none;
    min-height: 1lh;
    margin-block: 0.25rem 1rem;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--paper);
    box-shadow: 0 2px 10px rgb(0 0 0 / 0.12);
    font-variant-numeric: tabular-nums;
  }
  .pointed:empty {
    visibility: hidden;
  }
  .pointed:empty:last-child {
    display: none;
  }

  /* ---- The program ---- */
  details {
    margin-block-start: 0.75rem;
  }
  summary {
    cursor: pointer;
  }
  pre {
    overflow-x: auto;
    margin: 0.5rem 0;
    padding: 0.75rem 1rem;
    border-radius: 8px;
    background: var(--shade);
    font: 0.8125rem/1.55 var(--mono);
  }
`;
