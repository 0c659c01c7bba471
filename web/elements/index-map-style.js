// How the way of an index looks: a table, a row for each dimension, with small words that say where a number comes from.
import { css } from 'lit';

export const indexMapStyle = css`
  .presets {
    margin-block-end: 0.5rem;
  }
  .example {
    margin-block-end: 0.75rem;
  }
  .einsum {
    margin-block: 1rem 0;
    text-wrap: pretty;
  }
  code {
    font-family: var(--mono);
    font-size: 0.9375em;
  }
  .way {
    min-height: 4rem;
    padding: 0.75rem 1rem;
    border: 1px solid var(--line);
    border-radius: 8px;
  }
  .way .value {
    margin-block-end: 0.5rem;
    font-size: 1.0625rem;
    overflow-wrap: anywhere;
  }
  .way .from:not(:first-child) {
    margin-block-start: 0.75rem;
  }
  .way .scroll {
    overflow-x: auto;
  }
  .legs {
    border-collapse: collapse;
    margin-block: 0.5rem;
    font-variant-numeric: tabular-nums;
  }
  .legs th,
  .legs td {
    padding: 0.25rem 1.25rem 0.25rem 0;
    border-block-end: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
  }
  .legs thead th {
    font-size: 0.8125rem;
    font-weight: 400;
    color: var(--soft);
  }
  .legs tbody th {
    font-weight: 500;
    white-space: nowrap;
  }
  .legs small {
    display: block;
    max-width: 17rem;
    font-size: 0.8125rem;
    font-weight: 400;
    color: var(--soft);
  }
  details {
    margin-block-start: 0.5rem;
  }
  @container (max-width: 40rem) {
    .way {
      padding: 0.625rem;
    }
    .legs {
      width: 100%;
    }
    .legs th,
    .legs td {
      padding-inline-end: 0.5rem;
    }
    .legs small {
      overflow-wrap: anywhere;
    }
  }
`;
