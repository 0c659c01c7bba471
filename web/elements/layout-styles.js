// The frame, the controls and the pictures of hlo-layout.
import { css } from 'lit';

export const layoutStyles = css`
  :host([compact]) :is([part='toolbar'], [part='walk'], [part='facts']),
  :host([compact]) [part='formula'] > :not(summary, [part='formula-summary']) {
    display: none;
  }
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
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
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
  .toolbar-name {
    align-self: center;
    padding-inline: 0.5rem 0.25rem;
    color: var(--soft);
    font-size: 0.8125rem;
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
  .stacked .link path {
    opacity: 0.5;
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
    position: relative;
    z-index: 1; /* the line between the pictures passes behind words */
    width: fit-content;
    padding-inline-end: 0.25rem;
    background: var(--paper);
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    margin: 0 0 0.25rem;
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
