// The table of whole networks: ours against each peer, in that peer's engine, with the spread over the rounds.
import { digits, markdownTable, median, shareOfLimit } from './report.js';

/** The ratio of two contestants' samples, round by round. @param {number[]} theirs @param {number[]} ours */
export function ratios(theirs, ours) {
  const all = theirs.slice(0, ours.length).map((sample, round) => sample / ours[round]).toSorted((p, q) => p - q);
  const at = (/** @type {number} */ share) => all[Math.min(all.length - 1, Math.floor(share * all.length))];
  return { middle: at(0.5), low: at(0.25), high: at(0.75) };
}

/** @param {import('./report.js').Results} results */
export function modelsMarkdown(results) {
  const { contestants, rows, threads, rounds, node, chromium } = results;
  const peers = contestants.filter(({ id }) => id !== 'webhlo');
  const versions = contestants.filter(({ id }, i) => contestants.findIndex((other) => other.id === id) === i).map(({ key, version }) => `${key.split(',')[0]} ${version}`);
  const titles = ['', ...contestants.map(({ key }) => key), ...peers.map(({ key }) => `ours ÷ ${key.split(',')[0]}`), 'of the limit'];
  const lines = rows.map((row) => {
    const times = contestants.map(({ key }) => (row.cells[key]?.median ? digits(row.cells[key].median) : row.cells[key]?.wrong ? 'wrong' : '–'));
    const comparisons = peers.map(({ key, engine }) => {
      const ours = contestants.find((one) => one.id === 'webhlo' && one.engine === engine);
      const [theirSamples, ourSamples] = [row.cells[key]?.inTurn, ours && row.cells[ours.key]?.inTurn];
      if (!theirSamples || !ourSamples) return '–';
      const { middle, low, high } = ratios(theirSamples, ourSamples);
      return `${digits(middle)}× (${digits(low)} to ${digits(high)})`;
    });
    return [row.name, ...times, ...comparisons, shareOfLimit(results, row)];
  });
  const limits = rows.flatMap(({ limit, flops }) => (limit && flops ? [limit] : []));
  return [
    `Milliseconds, medians of ${rounds} samples in turn, ${threads} thread${threads > 1 ? 's' : ''}; ${versions.join(', ')}; Node ${node.slice(1)}${chromium && `, Chromium ${chromium}`}.`,
    "*ours ÷ peer* compares speeds in that peer's engine, round by round: the median ratio, and in brackets its quartiles. Above 1, ours is the faster.",
    ...(limits.length > 0 ? [`The limit of each row is measured in turn with it; the median of those that multiply and add: ${digits(median(limits))} GFLOP/s.`] : []),
    '',
    ...markdownTable(titles, lines),
    '',
  ].join('\n');
}
