// The formula, the walk and the figures of hlo-layout.
import { css } from 'lit';

export const layoutPanelStyles = css`
  .formula {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.625rem;
    padding: 0.875rem 1rem;
    border: 1px solid var(--line);
    border-radius: 12px;
    min-height: 8rem;
    font-variant-numeric: tabular-nums;
  }
  .formula p {
    margin: 0;
  }
  .summary {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.125rem 0.625rem;
    font: 500 1.25rem/1.4 var(--mono);
  }
  .summary em {
    font: italic 500 1rem var(--sans);
    color: var(--soft);
  }
  .vector {
    white-space: nowrap;
  }
  .vector:has(b:nth-of-type(7)) {
    white-space: normal;
  }
  .arrow {
    color: var(--soft);
  }
  .result {
    padding: 0 0.375em;
    border-radius: 6px;
    background: var(--accent);
    color: var(--paper);
    font-weight: 700;
  }
  .term {
    font-weight: 650;
  }
  .d0 {
    color: var(--dim-0);
  }
  .d1 {
    color: var(--dim-1);
  }
  .d2 {
    color: var(--dim-2);
  }
  .d3 {
    color: var(--dim-3);
  }
  .d4 {
    color: var(--dim-4);
  }
  .d5 {
    color: var(--dim-5);
  }
  .steps {
    display: grid;
    gap: 0.5rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .steps > li {
    display: grid;
    grid-template-columns: 8.5rem minmax(0, 1fr);
    gap: 0 1rem;
    padding-block-start: 0.5rem;
    border-block-start: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
    font: 400 0.9375rem/1.6 var(--mono);
  }
  .steps h4 {
    margin: 0;
    font: 600 0.875rem/1.7 var(--sans);
    color: var(--soft);
  }
  .steps h4 code {
    font: 600 0.875rem var(--mono);
    color: var(--ink);
  }
  .lines {
    display: grid;
    grid-template-columns: auto minmax(0, max-content) 1fr;
    gap: 0 1.25rem;
  }
  .name,
  .bounds {
    color: var(--soft);
    font-size: 0.875rem;
  }
  .name {
    font-family: var(--sans);
  }
  .cells {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.75rem;
  }
  .cell,
  .product {
    white-space: nowrap;
  }
  .walk {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
    padding: 0.875rem 1rem;
    border-radius: 12px;
    background: var(--shade);
  }
  .walk select,
  .walk button.play {
    background: var(--paper);
  }
  .scrub {
    display: grid;
    gap: 0;
  }
  .scrub canvas {
    position: static;
    display: block;
    width: 100%;
    height: 34px;
    cursor: ew-resize;
    touch-action: pan-y;
  }
  .scrub input {
    width: 100%;
    margin: 0;
    accent-color: var(--accent);
  }
  .tally {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.5rem;
    margin: 0;
    min-height: 1.5rem;
    font-size: 0.875rem;
    font-variant-numeric: tabular-nums;
  }
  .tally b {
    font-weight: 650;
  }
  .slots {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 3px;
    vertical-align: middle;
  }
  .slots span {
    min-width: 1.75em;
    padding: 0 0.25em;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--paper);
    font: 0.75rem/1.5 var(--mono);
    text-align: center;
  }
  .slots span.now {
    border-color: var(--accent);
    color: var(--accent);
    font-weight: 700;
  }
  .orders {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
    gap: 0.25rem;
  }
  .orders button {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0 0.5rem;
    align-items: center;
    padding: 0.25rem 0.5rem;
    border-color: color-mix(in srgb, var(--line) 70%, transparent);
    text-align: start;
    font-variant-numeric: tabular-nums;
  }
  .orders .bar {
    grid-column: 1 / -1;
    height: 4px;
    margin-block: 2px;
    border-radius: 2px;
    background: linear-gradient(var(--accent) 0 0) 0 / var(--share) 100% no-repeat, color-mix(in srgb, var(--line) 50%, transparent);
  }
  .orders code {
    font: 600 0.8125rem var(--mono);
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 1px;
    margin: 0;
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--line);
  }
  .facts div {
    flex: 1 1 10.5rem;
    padding: 0.625rem 0.875rem;
    background: var(--paper);
  }
  .facts dt {
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .facts dd {
    margin: 0;
    font-size: 0.8125rem;
    line-height: 1.45;
    color: var(--soft);
    font-variant-numeric: tabular-nums;
  }
  .facts dd b {
    white-space: nowrap;
    display: block;
    font: 650 1.25rem/1.35 var(--sans);
    letter-spacing: -0.01em;
    color: var(--ink);
  }
  .along {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.625rem;
  }
  .along > span {
    white-space: nowrap;
  }
  .meter {
    display: block;
    height: 6px;
    margin-block: 3px;
    border-radius: 3px;
    background: linear-gradient(var(--ink) 0 0) 0 / var(--share) 100% no-repeat, repeating-linear-gradient(-45deg, var(--hatch) 0 2px, transparent 2px 5px);
  }
  @container (max-width: 640px) {
    .steps > li {
      grid-template-columns: minmax(0, 1fr);
    }
    .lines {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .lines .name {
      grid-column: 1 / -1;
      line-height: 1.3;
    }
    .cells {
      gap: 0 1rem;
    }
    .summary {
      font-size: 1.0625rem;
    }
    .formula,
    .walk {
      padding: 0.75rem;
    }
    .facts div {
      flex-basis: 8rem;
    }
  }
`;
