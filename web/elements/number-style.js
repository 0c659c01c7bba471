// How a number looks: bits in the colours of their fields, a ruler of its neighbours, tables.
import { css } from 'lit';

export const numberStyle = css`
  .question {
    padding: 0.75rem 1rem;
    border-radius: 8px;
    background: var(--shade);
  }
  .field input {
    width: 12rem;
    max-width: 100%;
  }
  .field input[type='number'] {
    width: 6rem;
  }
  .field.long {
    flex: 1 1 20rem;
  }
  .field.long input {
    width: 100%;
  }
  .answer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    margin-block-start: 0.75rem;
  }
  .bits {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.75rem;
  }
  .group .name {
    display: block;
    font-size: 0.75rem;
    color: var(--soft);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 2px;
  }
  .bit {
    min-height: 2rem;
    width: 1.75rem;
    padding: 0;
    border-radius: 3px;
    font: 0.9375rem var(--mono);
    background: var(--paper);
  }
  .bit[aria-pressed='true'] {
    font-weight: 700;
  }
  .bit.sign[aria-pressed='true'] {
    background: var(--tile-1);
  }
  .bit.exponent[aria-pressed='true'] {
    background: var(--tile-0);
  }
  .bit.mantissa[aria-pressed='true'],
  .bit.real[aria-pressed='true'] {
    background: var(--tile-2);
  }
  .bit.value[aria-pressed='true'],
  .bit.imaginary[aria-pressed='true'] {
    background: var(--tile-5);
  }
  .reads {
    font-size: 1.0625rem;
    overflow-wrap: anywhere;
  }
  code {
    font-family: var(--mono);
  }
  .line {
    position: relative;
    height: 2rem;
    border-block-end: 2px solid var(--line);
  }
  .line i {
    position: absolute;
    inset-block-end: 0;
    width: 2px;
    height: 45%;
    margin-inline-start: -1px;
    background: var(--soft);
  }
  .line .next {
    height: 65%;
    background: var(--ink);
  }
  .line .own {
    width: 4px;
    height: 100%;
    margin-inline-start: -2px;
    background: var(--accent);
  }
  dl {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 0.5rem;
    margin: 0.5rem 0 0;
    font-variant-numeric: tabular-nums;
    overflow-wrap: anywhere;
  }
  dl > :nth-child(2) {
    text-align: center;
  }
  dl > :nth-child(3) {
    text-align: end;
  }
  dt {
    font-size: 0.8125rem;
    color: var(--soft);
  }
  dd {
    margin: 0;
  }
  small {
    display: block;
    font-size: 0.8125rem;
    font-weight: 400;
    color: var(--soft);
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0.25rem 1.25rem 0.25rem 0;
    border-block-end: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
  }
  thead th {
    font-size: 0.8125rem;
    font-weight: 400;
    color: var(--soft);
  }
  tbody th {
    font-weight: 500;
    white-space: nowrap;
  }
  tr.exact b {
    color: light-dark(#1b6e2c, #7fd694);
  }
  .yes {
    color: light-dark(#1b6e2c, #7fd694);
  }
  .no {
    color: var(--wrong);
  }
  @container (max-width: 40rem) {
    th,
    td {
      padding-inline-end: 0.625rem;
    }
  }
`;
