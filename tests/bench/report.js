// The table, and what is said of each row.
import { readFile, writeFile } from 'node:fs/promises';

/** @typedef {{ median?: number, least?: number, samples?: number, inTurn?: number[], refused?: string, wrong?: boolean }} Cell */
/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} unit
 * @property {number} [flops] of a run
 * @property {number} [bytes] that a run moves, where that is what bounds it
 * @property {number} [limit] what the machine reached in turn with the contestants, in GFLOP/s or GB/s
 * @property {Record<string, Cell>} cells
 */
/**
 * @typedef {object} Results
 * @property {string} node
 * @property {string} chromium
 * @property {number} threads
 * @property {number} rounds
 * @property {{ key: string, id: string, engine: import('./peers.js').Engine, version: string }[]} contestants
 * @property {Row[]} rows
 */

/** @param {number | undefined} value three digits, but whole numbers whole */
export function digits(value) {
  if (value === undefined) return '';
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
}

/** Of an even number, the greater of the two in the middle. @param {number[]} values */
export const median = (values) => values.toSorted((p, q) => p - q)[Math.floor(values.length / 2)];

/** @param {Row} row */
export function progressLine({ name, cells }) {
  const parts = Object.entries(cells).map(([key, cell]) => `${key} ${cell.median ? digits(cell.median) : cell.wrong ? `WRONG (${cell.refused})` : `- (${cell.refused})`}`);
  return `${name}: ${parts.join('; ')}`;
}

/**
 * The best peer of a row, and how many times its speed ours has in the same engine.
 * @param {Results} results @param {Row} row
 */
export function compare({ contestants }, { cells }) {
  const measured = contestants.filter(({ key }) => cells[key]?.median);
  const speedOrder = (/** @type {{ key: string }} */ p, /** @type {{ key: string }} */ q) => Number(cells[p.key].median) - Number(cells[q.key].median);
  const [best] = measured.filter(({ id }) => id !== 'webhlo').sort(speedOrder);
  const ours = measured.find(({ id, engine }) => id === 'webhlo' && engine === best?.engine) ?? measured.find(({ id }) => id === 'webhlo');
  const ratio = best && ours ? Number(cells[best.key].median) / Number(cells[ours.key].median) : undefined;
  return { best: best?.key, ours: ours?.key, ratio };
}

/** The fastest of ours against what WebAssembly reaches. @param {Results} results @param {Row} row */
export function shareOfLimit({ contestants }, { cells, flops, bytes, limit }) {
  const ours = contestants.flatMap(({ key, id }) => (id === 'webhlo' && cells[key]?.median ? [Number(cells[key].median)] : []));
  if (ours.length === 0 || !limit) return '';
  const reached = Number(flops ?? bytes) / 1e6 / Math.min(...ours);
  return `${((100 * reached) / limit).toFixed(0)} %`;
}

/** The lines of a table: words at the left, numbers at the right. @param {readonly string[]} titles @param {readonly (readonly string[])[]} lines */
export function markdownTable(titles, lines) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(titles), `|${titles.map((_, i) => (i === 0 ? '---' : '---:')).join('|')}|`, ...lines.map(line)];
}

/** @param {Results} results */
export function markdown(results) {
  const { contestants, rows, threads, rounds, node, chromium } = results;
  const limitsOf = (/** @type {'flops' | 'bytes'} */ kind, /** @type {string} */ what) => {
    const limits = rows.flatMap(({ limit, ...row }) => (limit && row[kind] ? [limit] : []));
    return limits.length > 0 ? [`${digits(median(limits))} ${what}`] : [];
  };
  const reached = [...limitsOf('flops', 'GFLOP/s multiplying and adding'), ...limitsOf('bytes', 'GB/s in a streaming add')];
  const titles = ['', ...contestants.map(({ key }) => key), 'ours ÷ best peer', 'of the limit'];
  const lines = rows.map((row) => {
    const { best, ratio } = compare(results, row);
    const cells = contestants.map(({ key }) => {
      const cell = row.cells[key];
      if (!cell?.median) return cell?.wrong ? 'wrong' : '–';
      return key === best ? `**${digits(cell.median)}**` : digits(cell.median);
    });
    return [row.unit === 'ms' ? row.name : `${row.name} (${row.unit})`, ...cells, ratio ? `${digits(ratio)}×` : '', shareOfLimit(results, row)];
  });
  const versions = contestants.filter(({ id }, i) => contestants.findIndex((other) => other.id === id) === i).map(({ key, version }) => `${key.split(',')[0]} ${version}`);
  return [
    `Milliseconds, medians of ${rounds} samples in turn, ${threads} thread${threads > 1 ? 's' : ''}; ${versions.join(', ')}; Node ${node.slice(1)}${chromium && `, Chromium ${chromium}`}.`,
    `The best peer is **bold**; *ours ÷ best peer* compares speeds in that peer's engine: above 1, ours is the faster.`,
    ...(reached.length > 0 ? [`The limit of each row is measured in turn with it, in Node; medians of all: ${reached.join(', ')}.`] : []),
    '',
    ...markdownTable(titles, lines),
    '',
  ].join('\n');
}

/** Puts a text between its markers in docs/benchmarks.md. @param {{ name: string, text: string }} block */
export async function insertIntoDocumentation({ name, text: block }) {
  const file = new URL('../../docs/benchmarks.md', import.meta.url);
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = await readFile(file, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no ${start} with ${end} after it`);
  await writeFile(file, `${text.slice(0, from)}${start}\n${block}${text.slice(to)}`);
}
