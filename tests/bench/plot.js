// The speeds as a picture: for each row one point for every contestant, against the best peer, on a logarithmic axis.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { compare } from './report.js';

const colours = ['#c2410c', '#fb923c', '#2563eb', '#0d9488', '#7c3aed', '#64748b', '#a16207'];

/** @param {import('./report.js').Results} results @returns {string} an SVG file */
export function drawPlot(results) {
  const { document } = parseHTML('<!doctype html><body></body>');
  const rows = results.rows.filter(({ unit }) => unit === 'ms');
  const points = rows.flatMap((row) => {
    const { best } = compare(results, row);
    if (!best) return [];
    const least = Number(row.cells[best].median);
    return results.contestants.flatMap(({ key }) => {
      const { median } = row.cells[key] ?? {};
      return median ? [{ row: row.name, who: key, speed: least / median }] : [];
    });
  });
  const keys = results.contestants.map(({ key }) => key);
  const svg = Plot.plot({
    document: /** @type {any} */ (document),
    width: 960,
    height: 90 + 22 * rows.length,
    marginLeft: 340,
    marginTop: 50,
    style: { background: 'white', color: '#1f2937' },
    x: { type: 'log', label: 'speed, the best peer = 1 →', grid: true, tickFormat: '~g' },
    y: { label: null, domain: rows.map(({ name }) => name) },
    color: { domain: keys, range: colours },
    marks: [
      Plot.ruleX([1], { stroke: '#1f2937' }),
      Plot.dot(points, { x: 'speed', y: 'row', fill: 'who', r: (point) => (point.who.startsWith('WebHLO') ? 6 : 3.5) }),
      ...keys.map((key, i) =>
        Plot.text([`● ${key}`], { frameAnchor: 'top-left', textAnchor: 'start', fill: colours[i], dx: 155 * (i % 4), dy: i < 4 ? -42 : -26 }),
      ),
    ],
  });
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `${svg.outerHTML}\n`;
}
