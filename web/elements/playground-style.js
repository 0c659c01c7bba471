// How the playground looks.
import { css } from 'lit';

export const playgroundStyle = css`
  :host {
    container-type: inline-size;
    --code-op: light-dark(#0b57d0, #8ab4ff);
    --code-type: light-dark(#0c6b45, #6fdc9f);
    --code-number: light-dark(#8a3ffc, #c4a1ff);
    --code-line: light-dark(#fff3e6, #2c241c);
    --code-selection: light-dark(#cfe0ff, #2b4066);
  }
  .bar,
  .stepper,
  .go {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  .bar {
    margin-block-end: 0.75rem;
  }
  button:not(.link, [role='tab']),
  .file,
  select {
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--paper);
    font-size: 0.875rem;
    cursor: pointer;
    max-width: 100%;
  }
  button:disabled:disabled {
    color: var(--soft);
    cursor: default;
  }
  .file:focus-within {
    outline: 2px solid var(--focus);
    outline-offset: 1px;
  }
  .file input {
    position: absolute;
    width: 1px;
    height: 1px;
    opacity: 0;
  }
  .soft {
    color: var(--soft);
    font-size: 0.875rem;
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
    margin: 0 0 0.75rem;
  }
  h2,
  h3 {
    margin: 0 0 0.5rem;
    font-size: 0.9375rem;
    line-height: 1.4;
  }
  h2 .soft,
  h3 small {
    font-weight: 400;
  }
  h3:not(:first-child) {
    margin-block-start: 1.25rem;
  }
  small {
    display: block;
    color: var(--soft);
    font-size: 0.75rem;
  }
  h3 small {
    display: inline;
  }
  code,
  td,
  th[scope='row'] {
    font-family: var(--mono);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .link {
    padding: 0;
    border: 0;
    background: none;
    color: var(--focus);
    text-decoration: underline;
    text-underline-offset: 0.15em;
    cursor: pointer;
    text-align: start;
  }
  .two {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.5rem;
  }
  .two > * {
    min-width: 0;
  }
  @container (min-width: 56rem) {
    .two {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
  }

  /* ---- Program and inputs ---- */
  .editor {
    height: min(32rem, 62vh);
    border: 1px solid var(--line);
    border-radius: 6px;
    overflow: hidden;
  }
  .editor:focus-within {
    border-color: var(--focus);
    box-shadow: 0 0 0 1px var(--focus);
  }
  .problem {
    margin-block: 0.5rem;
  }
  .inputs {
    margin-block-start: 1rem;
  }
  .fields {
    max-height: 32rem;
    overflow-y: auto;
    padding: 2px;
    margin: -2px;
  }
  .input {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.125rem 0.5rem;
    margin-block-end: 0.625rem;
  }
  .input label,
  .input .wrong {
    grid-column: 1 / -1;
    font-size: 0.875rem;
  }
  .input code {
    color: var(--soft);
  }
  .input input {
    min-width: 0;
    grid-column: 1 / -1;
    padding: 0.3rem 0.5rem;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--paper);
    font: 0.8125rem var(--mono);
  }
  .input input[readonly] {
    grid-column: 1;
  }
  .input input[aria-invalid='true'] {
    border-color: var(--wrong);
  }
  .wrong {
    margin: 0;
    color: var(--wrong);
  }
  button.run:not(:disabled) {
    border-color: var(--focus);
    background: var(--focus);
    color: var(--paper);
    font-weight: 600;
  }

  /* ---- Panes ---- */
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.25rem;
    border-block-end: 1px solid var(--line);
    margin-block-end: 0.875rem;
  }
  .tabs button {
    padding: 0.35rem 0.625rem;
    border: 0;
    border-block-end: 2px solid transparent;
    margin-block-end: -1px;
    background: none;
    color: var(--soft);
    font-size: 0.9375rem;
    cursor: pointer;
  }
  .tabs button[aria-selected='true'] {
    color: var(--ink);
    font-weight: 600;
    border-color: var(--accent);
  }
  .old .pane {
    opacity: 0.88;
    filter: saturate(0.2);
  }
  .scrolls {
    overflow-x: auto;
    margin-block-end: 0.75rem;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
    width: 100%;
  }
  th,
  td {
    padding: 0.3rem 0.75rem 0.3rem 0;
    border-block-end: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
  }
  thead th {
    color: var(--soft);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .number {
    text-align: end;
    white-space: nowrap;
  }
  tr.marked {
    background: var(--code-line);
    box-shadow: inset 2px 0 0 var(--accent);
  }
  tr.marked > :first-child {
    padding-inline-start: 0.5rem;
  }
  .slow {
    color: var(--wrong);
  }

  /* ---- Results ---- */
  .output {
    margin: 0 0 1.25rem;
  }
  figcaption {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
    margin-block-end: 0.375rem;
    font-size: 0.9375rem;
  }
  figcaption code {
    color: var(--soft);
  }
  .forms {
    display: inline-flex;
    margin-inline-start: auto;
  }
  .pane > .forms {
    margin: 0 0 0.625rem;
  }
  .forms button:not(.link) {
    padding: 0.1rem 0.6rem;
    font-size: 0.8125rem;
    border-radius: 0;
    margin-inline-start: -1px;
  }
  .forms button:first-child {
    border-radius: 4px 0 0 4px;
  }
  .forms button:last-child {
    border-radius: 0 4px 4px 0;
  }
  .forms button[aria-pressed='true'] {
    background: var(--shade);
    font-weight: 600;
  }
  .pictures {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
  }
  .pictures canvas {
    width: min(100%, max(9rem, min(24rem, var(--columns) * 10px)));
    height: auto;
    image-rendering: pixelated;
    border-radius: 3px;
  }
  .scale {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    margin-block-start: 0.5rem;
    font: 0.75rem var(--mono);
    color: var(--soft);
  }
  .scale i {
    width: 7rem;
    height: 0.6rem;
    border-radius: 2px;
  }
  .scale .one {
    background: linear-gradient(to right, rgb(22 27 51), rgb(60 78 138), rgb(74 148 140), rgb(190 201 100), rgb(253 246 190));
  }
  .scale .two {
    background: linear-gradient(to right, rgb(33 75 160), rgb(238 240 243), rgb(168 50 15));
  }
  .plot {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    grid-template-rows: auto 1fr auto auto;
    gap: 0 0.5rem;
    font: 0.75rem var(--mono);
    color: var(--soft);
  }
  .plot svg {
    grid-area: 1 / 2 / 4 / 4;
    width: 100%;
    height: 11rem;
    border-inline-start: 1px solid var(--line);
    border-block-end: 1px solid var(--line);
    overflow: visible;
  }
  .plot .top {
    grid-area: 1 / 1;
  }
  .plot .bottom {
    grid-area: 3 / 1;
  }
  .plot .top,
  .plot .bottom {
    text-align: end;
  }
  .plot .start {
    grid-area: 4 / 2;
  }
  .plot .end {
    grid-area: 4 / 3;
  }
  .curve {
    fill: none;
    stroke: var(--code-op);
    stroke-width: 1.5;
  }
  .curve-1 {
    stroke: var(--accent);
  }
  .curve-2 {
    stroke: var(--code-type);
  }
  .curve-3 {
    stroke: var(--code-number);
  }
  .zero {
    stroke: var(--line);
  }

  /* ---- Passes and code ---- */
  .stepper {
    margin-block-end: 0.75rem;
  }
  pre {
    margin: 0;
    padding: 0.625rem 0;
    border: 1px solid var(--line);
    border-radius: 6px;
    overflow: auto;
    max-height: 34rem;
    font: 0.75rem/1.6 var(--mono);
  }
  pre.code {
    padding-inline: 0.75rem;
    max-height: 28rem;
  }
  .difference span {
    display: block;
    width: max-content;
    min-width: 100%;
    box-sizing: border-box;
    padding-inline: 0.625rem;
  }
  .difference .added {
    background: light-dark(#e2f5e4, #17331d);
  }
  .difference .removed {
    background: light-dark(#fde7e4, #43201c);
  }
  .difference .gap {
    color: var(--soft);
  }
  .difference .marked {
    box-shadow: inset 3px 0 0 var(--accent);
  }
  .plus {
    color: light-dark(#1b6e2b, #7ddc8e);
  }
  .minus {
    color: var(--wrong);
  }

  /* ---- Memory ---- */
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.5rem;
    margin: 0 0 0.75rem;
  }
  .facts dt {
    color: var(--soft);
    font-size: 0.8125rem;
  }
  .facts dd {
    margin: 0;
    font-variant-numeric: tabular-nums;
  }
  .facts .sum dd {
    font-weight: 600;
  }
  .lives {
    font: 0.75rem var(--mono);
    color: var(--soft);
  }
  .lives svg {
    display: block;
    width: 100%;
    height: 16rem;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--shade);
  }
  .life {
    fill: var(--tile-0);
    stroke: var(--paper);
    stroke-width: 1;
    cursor: pointer;
  }
  .life.scratch {
    fill: var(--tile-7);
  }
  .life:hover,
  .life:focus-visible {
    stroke: var(--accent);
    stroke-width: 2;
    outline: none;
  }
  .life.marked {
    fill: var(--tile-1);
    stroke: var(--accent);
  }
  .axis {
    display: block;
  }
  .axis.steps {
    display: flex;
    justify-content: space-between;
  }
  .words {
    min-height: 1.6em;
    margin-block-start: 0.5rem;
    font: 0.8125rem/1.5 var(--mono);
  }
  .words .soft {
    font-family: var(--sans);
  }

  /* ---- Profile ---- */
  .flame {
    display: block;
    width: 100%;
    height: calc(var(--depths) * 1.5rem);
    margin-block-end: 0.5rem;
    background: var(--shade);
    border-radius: 4px;
  }
  .flame rect {
    fill: var(--tile-0);
    stroke: var(--soft);
    stroke-width: 0.4;
    cursor: pointer;
  }
  .flame .calls {
    fill: var(--tile-3);
  }
  .flame .marked {
    fill: var(--tile-1);
    stroke: var(--accent);
  }
  td .share {
    display: block;
    min-width: 7rem;
    padding-inline-start: 0.25rem;
    background: linear-gradient(to right, var(--tile-1) calc(var(--share) * 100%), transparent 0);
    border-radius: 2px;
  }
`;
