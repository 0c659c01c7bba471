// How the cells of a grid look: tiles, ghosts, padding, marks.
import { css } from 'lit';

export const gridStyle = css`
  :host {
    --size: var(--hlo-cell-size, 2.25em);
    font-size: 0.9375rem;
    line-height: 1.25;
    min-width: 0;
  }
  .caption {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.5em;
    margin-block-end: 0.25em;
  }
  .name {
    font-weight: 600;
  }
  .shape {
    font: 0.875em var(--mono);
  }
  .note,
  .words {
    color: var(--soft);
    font-size: 0.8125em;
  }
  .words {
    margin: 0.25em 0 0;
  }
  .nothing {
    display: inline-block;
    margin: 0;
    padding: 0.5em 0.75em;
    border: 1px dashed var(--line);
    border-radius: 4px;
  }
  .scroll {
    overflow-x: auto;
    padding: 3px;
    margin: -3px;
    scrollbar-width: thin;
  }
  .panels {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    gap: 0.75em 1.25em;
  }
  .panels + .panels {
    margin-block-start: 0.75em;
  }
  table {
    border-collapse: separate;
    border-spacing: 2px;
    font-variant-numeric: tabular-nums lining-nums;
  }
  caption {
    caption-side: top;
    text-align: start;
    padding-block-end: 0.125em;
    font: 0.8125em var(--mono);
    color: var(--soft);
    white-space: nowrap;
  }
  th {
    padding: 0 0.3em;
    font-size: 0.75em;
    font-weight: 400;
    color: var(--soft);
  }
  th[scope='row'] {
    text-align: end;
  }
  .axis {
    text-align: start;
    white-space: nowrap;
    vertical-align: bottom;
    letter-spacing: 0.01em;
  }
  td {
    box-sizing: border-box;
    width: max(var(--size), calc(var(--chars) * 1ch + 0.9em));
    min-width: max(var(--size), calc(var(--chars) * 1ch + 0.9em));
    height: var(--size);
    padding: 0;
    border: 1px solid var(--edge, var(--line));
    border-radius: 4px;
    background: var(--fill, var(--paper));
    text-align: center;
    white-space: nowrap;
    cursor: default;
    transition:
      background-color 0.12s,
      border-color 0.12s,
      box-shadow 0.12s;
  }
  td.editable {
    cursor: text;
  }
  td.editable .text {
    border-block-end: 1px dotted var(--soft);
  }
  .text {
    display: inline-block;
    max-width: 16ch;
    overflow: hidden;
    text-overflow: ellipsis;
    vertical-align: bottom;
  }
  .numbers .text {
    min-width: calc(var(--chars) * 1ch);
    text-align: end;
  }
  .numbers td.editable .text {
    min-width: 0;
  }
  input {
    box-sizing: border-box;
    width: 100%;
    height: 100%;
    padding: 0 0.2em;
    border: 0;
    border-radius: 3px;
    background: var(--paper);
    text-align: center;
  }
  input[aria-invalid='true'] {
    outline: 2px solid var(--wrong);
  }
  td:focus-visible {
    outline-offset: 0;
  }
  .tile-0 {
    --fill: var(--tile-0);
  }
  .tile-1 {
    --fill: var(--tile-1);
  }
  .tile-2 {
    --fill: var(--tile-2);
  }
  .tile-3 {
    --fill: var(--tile-3);
  }
  .tile-4 {
    --fill: var(--tile-4);
  }
  .tile-5 {
    --fill: var(--tile-5);
  }
  .tile-6 {
    --fill: var(--tile-6);
  }
  .tile-7 {
    --fill: var(--tile-7);
  }
  [class*='tile-'] {
    --edge: color-mix(in srgb, var(--fill) 75%, var(--ink));
  }
  [part~='ghost'] {
    border-style: dashed;
    background: color-mix(in srgb, var(--fill, var(--paper)) 22%, var(--paper));
    color: var(--soft);
  }
  [part~='dim'] {
    background: var(--paper);
    color: var(--soft);
    --edge: var(--line);
  }
  [part~='pad'] {
    background: repeating-linear-gradient(135deg, var(--line) 0 1px, transparent 1px 5px), var(--shade);
  }
  [part~='pad'] .text {
    padding-inline: 0.15em;
    border-radius: 3px;
    background: var(--shade);
  }
  [part~='wrong'] {
    border: 2px solid var(--wrong);
  }
  [part~='twin'] {
    border-color: var(--accent);
    box-shadow: 0 0 0 1px var(--accent);
  }
  [part~='lit'] {
    border-color: var(--accent);
    border-style: solid;
    box-shadow: inset 0 0 0 2px var(--accent);
    color: var(--ink);
  }
`;
