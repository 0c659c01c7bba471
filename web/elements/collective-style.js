// How replicas look: rows of cells before and after, and lines between them.
import { css } from 'lit';

export const collectiveStyle = css`
  .question {
    padding: 0.75rem 1rem;
    border-radius: 8px;
    background: var(--shade);
  }
  select {
    width: auto;
  }
  .field input[type='number'] {
    width: 4.5rem;
  }
  .field input.short {
    width: 8rem;
  }
  .field.long {
    flex: 1 1 18rem;
  }
  .answer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    margin-block-start: 0.75rem;
  }
  .steps {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem;
  }
  .words {
    min-height: 2lh;
  }
  .picture {
    position: relative;
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 1rem clamp(3rem, 12cqi, 9rem);
  }
  .picture svg {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    overflow: visible;
    pointer-events: none;
  }
  path {
    fill: none;
    stroke: var(--accent);
    stroke-width: 1.75;
    opacity: 0.8;
  }
  circle {
    fill: var(--accent);
  }
  h4 {
    margin: 0 0 0.25rem;
    font-size: 0.8125rem;
    font-weight: 400;
    color: var(--soft);
  }
  .replica {
    padding: 0.375rem 0;
  }
  /* Lines pass behind numbers and words. */
  .who,
  .cells {
    position: relative;
    z-index: 1;
  }
  .who {
    display: block;
    width: max-content;
    padding-inline-end: 0.25rem;
    background: var(--paper);
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .now .who {
    color: var(--ink);
    font-weight: 600;
  }
  .cells {
    display: flex;
    flex-wrap: wrap;
    gap: 3px;
  }
  .cells.grid {
    display: grid;
    grid-template-columns: repeat(var(--columns), max-content);
  }
  .cell {
    display: inline-grid;
    place-items: center;
    box-sizing: border-box;
    min-width: 2.5rem;
    min-height: 2rem;
    padding: 0 0.375rem;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--fill, var(--paper));
    font-size: 0.9375rem;
    font-variant-numeric: tabular-nums;
  }
  button.cell:hover:not(:disabled) {
    background: var(--fill, var(--paper));
  }
  .cell.lit {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
  }
  .cell.absent {
    border-style: dashed;
    color: var(--soft);
  }
  .ring {
    grid-template-columns: minmax(0, 1fr);
  }
  .ring .replica {
    display: grid;
    grid-template-columns: 5.5rem minmax(0, 1fr);
    align-items: center;
    padding-block: 0.625rem;
  }
  .ring .cells {
    display: grid;
    grid-template-columns: repeat(var(--count), minmax(0, 5rem));
    gap: clamp(3px, 2cqi, 1.5rem);
  }
  .ring .cell {
    min-width: 0;
    padding-block: 0.25rem;
    background: linear-gradient(to right, var(--tile-2) calc(var(--share) * 100%), var(--paper) 0);
  }
  .ring .cell.whole {
    background: var(--tile-2);
  }
  .ring small {
    font-size: 0.6875rem;
    white-space: nowrap;
  }
  @container (max-width: 40rem) {
    .picture:not(.ring) {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      gap: 1rem 2rem;
    }
    .words {
      min-height: 4lh;
    }
    .ring .replica {
      grid-template-columns: minmax(0, 1fr);
    }
    .cell {
      min-width: 2.125rem;
    }
  }
`;
