import { css } from 'lit';

export const layoutStyles = css`
  :host {
    --box: var(--hlo-box, light-dark(#c5221f, #ff8f85));
    --hatch: var(--hlo-hatch, light-dark(#aab3be, #4d5661));
    --dim-0: var(--hlo-dim-0, light-dark(#8a3ffc, #c4a1ff));
    --dim-1: var(--hlo-dim-1, light-dark(#0b57d0, #8ab4ff));
    --dim-2: var(--hlo-dim-2, light-dark(#a13800, #ffa476));
    --dim-3: var(--hlo-dim-3, light-dark(#0c6b45, #6fdc9f));
    --dim-4: var(--hlo-dim-4, light-dark(#a3145c, #ff9bc8));
    --dim-5: var(--hlo-dim-5, light-dark(#6b5500, #e5cb5c));
    container-type: inline-size;
    position: relative;
    max-width: 100%;
  }
  .frame {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.875rem;
    background: var(--paper);
  }
  .probe {
    position: absolute;
    width: 0;
    height: 0;
    overflow: hidden;
    font-family: var(--mono);
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  header,
  .walk-controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1rem;
  }
  h3 {
    margin: 0;
    margin-inline-end: auto;
    font: 600 1.0625rem/1.4 var(--mono);
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }
  h3 .type {
    color: var(--soft);
    font-weight: 400;
  }
  [role='group'] {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 2px;
    padding: 2px;
    border-radius: 9px;
    background: var(--shade);
  }
  button {
    min-height: 1.875rem;
    padding: 0 0.625rem;
    border: 1px solid transparent;
    border-radius: 7px;
    background: none;
    color: var(--soft);
    font: 500 0.8125rem/1.2 var(--sans);
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    color: var(--ink);
    background: color-mix(in srgb, var(--ink) 7%, transparent);
  }
  button[aria-pressed='true'] {
    border-color: var(--line);
    background: var(--paper);
    color: var(--ink);
    box-shadow: 0 1px 2px rgb(0 0 0 / 0.08);
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  button.play {
    min-width: 5.25rem;
    border-color: var(--line);
    color: var(--ink);
    font-weight: 600;
  }
  label {
    max-width: 100%;
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    color: var(--soft);
    font-size: 0.8125rem;
  }
  select {
    min-width: 0;
    max-width: 100%;
    min-height: 1.875rem;
    padding: 0 0.375rem;
    border: 1px solid var(--line);
    border-radius: 7px;
    background: var(--paper);
    color: var(--ink);
    font: 500 0.8125rem/1.2 var(--sans);
  }
  .pictures {
    position: relative;
    display: flex;
    align-items: flex-start;
    gap: 44px;
  }
  .pictures.stacked {
    flex-direction: column;
    gap: 1.25rem;
  }
  .pane {
    flex: 0 0 auto;
    min-width: min(14rem, 100%);
    max-width: 100%;
  }
  .caption {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    margin: 0 0 0.25rem;
    padding-inline-start: 40px;
    font-size: 0.8125rem;
    color: var(--soft);
  }
  .caption b {
    color: var(--ink);
  }
  .viewport {
    position: relative;
    overflow: auto;
    max-width: 100%;
    border-radius: 8px;
    cursor: crosshair;
    overscroll-behavior: auto;
    scrollbar-width: thin;
    scrollbar-color: var(--line) transparent;
  }
  .space {
    position: relative;
  }
  .glass {
    position: sticky;
    inset: 0 auto auto 0;
    width: 0;
    height: 0;
  }
  canvas {
    position: absolute;
    top: 0;
    left: 0;
  }
  .link {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    overflow: visible;
    pointer-events: none;
  }
  .link path {
    fill: none;
    stroke: var(--accent);
    stroke-width: 1.75;
    stroke-linecap: round;
    opacity: 0.75;
  }
  .link circle {
    fill: var(--accent);
    stroke: var(--paper);
    stroke-width: 1.5;
  }
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
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr));
    gap: 1px;
    margin: 0;
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: 12px;
    background: var(--line);
  }
  .facts div {
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
  .word {
    margin: 0;
    padding: 0.875rem 1rem;
    border-inline-start: 3px solid var(--line);
    background: var(--shade);
    border-radius: 0 8px 8px 0;
  }
  .note {
    margin: 0;
    font-size: 0.8125rem;
    color: var(--wrong);
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
    .facts {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  @media (prefers-contrast: more) {
    :host {
      --soft: var(--ink);
      --line: var(--ink);
    }
  }
  @media (forced-colors: active) {
    :host {
      --ink: CanvasText;
      --soft: CanvasText;
      --paper: Canvas;
      --shade: Canvas;
      --line: CanvasText;
      --accent: Highlight;
      --box: LinkText;
      --hatch: GrayText;
    }
  }
`;
