// Where commands write: results on standard output, messages and progress on standard error.

import { writeFileSync } from 'node:fs';
import { UsageError, writeFailure } from './failures.js';

const { stdout, stderr } = process;

/** Whether a line of progress stands on the terminal. */
let shown = false;

/** Removes the line of progress. */
export function clearProgress() {
  if (shown) stderr.write('\r\x1b[K');
  shown = false;
}

/** Says on a terminal what is being done, in one line that the next output takes the place of. @param {string} text */
export function progress(text) {
  if (!stderr.isTTY || process.env.TERM === 'dumb') return;
  const line = `${text} ...`;
  const width = (stderr.columns || 80) - 1;
  stderr.write(`\r\x1b[K${line.length > width ? `${line.slice(0, width - 3)}...` : line}`);
  shown = true;
}

/** A result: a line, or several. @param {string} text */
export function print(text) {
  clearProgress();
  stdout.write(`${text}\n`);
}

/** A message. @param {string} text */
export function say(text) {
  clearProgress();
  stderr.write(`${text}\n`);
}

/** Refuses to show bytes on a terminal. @param {string} what */
export function mustNotBeTerminal(what) {
  if (stdout.isTTY) throw new UsageError(`${what} would write bytes to the terminal: give --output FILE, or a pipe`);
}

/** @param {string | Uint8Array} content */
export function write(content) {
  clearProgress();
  stdout.write(content);
}

/** @param {string} path @param {string | Uint8Array} content */
export function writeFile(path, content) {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/** The columns of the terminal; undefined where the output is no terminal. */
export function columns() {
  return stdout.isTTY ? stdout.columns || 80 : undefined;
}

/**
 * A text that stands behind `indent` columns, as lines that fit the terminal, the later ones indented; one line where there is no
 * terminal.
 * @param {string} text @param {number} indent
 */
export function wrapped(text, indent) {
  const width = columns();
  if (width === undefined || width < indent + 20) return text;
  const lines = [''];
  for (const word of text.split(/(?<=\S) /)) {
    const line = lines[lines.length - 1];
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width - indent) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

/**
 * Rows of a table, indented by two: every column but the last is as wide as its widest cell.
 * @param {readonly (readonly string[])[]} rows @param {readonly number[]} [right] columns of numbers
 */
export function table(rows, right = []) {
  const widths = rows.reduce((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), /** @type {number[]} */ ([]));
  const indent = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 2);
  return rows.map((row) =>
    row
      .map((cell, i) => {
        if (i === row.length - 1 && !right.includes(i)) return `  ${wrapped(cell, indent)}`;
        return `  ${right.includes(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i])}`;
      })
      .join('')
      .trimEnd(),
  );
}

/** @param {number} count @param {string} noun */
export function plural(count, noun) {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
