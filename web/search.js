// The search of the site: words against the index that web/site/search-index.js makes. No server is asked.

/**
 * @typedef {object} Entry a page, or a section of one
 * @property {string} path from the top of the site, with the section's anchor
 * @property {string} title
 * @property {string} part where it belongs
 * @property {string} [names] other names that lead to it, between spaces
 * @property {string} about a sentence that is shown
 * @property {string} text what else it says, in small letters
 */

/** Words are letters and digits; what stands between them in names of operations parts them, too. @param {string} text */
const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** How well one word fits an entry. @param {string} word @param {Entry} entry @param {string} title in small letters @returns {number} */
function worth(word, { names = '', about, text }, title) {
  if (wordsOf(title).includes(word)) return 40;
  if (wordsOf(names).includes(word)) return 30;
  if (wordsOf(title).some((each) => each.startsWith(word))) return 20;
  if (wordsOf(names).some((each) => each.startsWith(word))) return 15;
  if (wordsOf(about).some((each) => each.startsWith(word))) return 6;
  return text.includes(word) ? 2 : 0;
}

/** @param {readonly Entry[]} index @param {string} query @returns {Entry[]} the best first; an entry must have every word */
export function find(index, query) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const whole = words.join(' ');
  return index
    .map((entry, at) => {
      const title = entry.title.toLowerCase();
      const each = words.map((word) => worth(word, entry, title));
      const same = wordsOf(title).join(' ') === whole ? 200 : (entry.names ?? '').toLowerCase().split(' ').some((name) => wordsOf(name).join(' ') === whole) ? 100 : 0;
      const page = entry.path.includes('#') ? 0 : 1;
      return { entry, at, score: each.every((one) => one > 0) || same ? same + page + each.reduce((a, b) => a + b, 0) : 0 };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map(({ entry }) => entry);
}
