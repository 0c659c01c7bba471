// How a graph looks.
import { css } from 'lit';

export const graphStyle = css`
  :host([compact]) :is([part='toolbar'], [part='words']) {
    display: none;
  }
  :host {
    container-type: inline-size;
    max-width: 100%;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
    align-items: center;
    margin-block-end: 0.5rem;
  }
  .tools button {
    min-width: 2rem;
    padding: 0.15rem 0.6rem;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--paper);
    font-size: 0.8125rem;
    cursor: pointer;
  }
  .tools button:disabled {
    color: var(--soft);
    cursor: default;
  }
  .tools .count {
    margin-inline-start: auto;
    color: var(--soft);
    font-size: 0.8125rem;
  }
  .viewport {
    position: relative;
    overflow: auto;
    height: var(--hlo-graph-height, min(34rem, 75vh));
    border: 1px solid var(--line);
    border-radius: 6px;
    overscroll-behavior: contain;
  }
  .sizer {
    overflow: clip;
  }
  canvas {
    position: sticky;
    inset: 0 auto auto 0;
    display: block;
  }
  .words {
    min-height: 3em;
    margin: 0.5rem 0 0;
    font: 0.8125rem/1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .words .soft,
  .hint {
    color: var(--soft);
    font-family: var(--sans);
  }
  .probe {
    position: absolute;
    width: 0;
    height: 0;
    overflow: hidden;
    font-family: var(--mono);
  }
`;
