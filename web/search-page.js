// The page of the search: what is typed stands in the address, and results follow it.
import index from 'virtual:search-index';
import { find } from './search.js';

const SHOWN = 40;
const query = /** @type {HTMLInputElement} */ (document.getElementById('query'));
const count = /** @type {HTMLElement} */ (document.getElementById('count'));
const list = /** @type {HTMLElement} */ (document.getElementById('found'));
const top = new URL('../', location.href);

/** @param {import('./search.js').Entry} entry */
function item({ path, title, part, about }) {
  const [link, where, words, li] = ['a', 'small', 'p', 'li'].map((name) => document.createElement(name));
  /** @type {HTMLAnchorElement} */ (link).href = new URL(path.replace(/(^|\/)index\.html/, '$1'), top).href;
  link.textContent = title;
  where.textContent = part;
  words.textContent = about;
  li.append(link, ' ', where, words);
  return li;
}

function show() {
  const found = find(index, query.value);
  list.replaceChildren(...found.slice(0, SHOWN).map(item));
  const told = found.length > SHOWN ? `${found.length} places; the best ${SHOWN}:` : found.length === 1 ? 'One place:' : `${found.length} places:`;
  count.textContent = query.value.trim() === '' ? '' : found.length === 0 ? `Nothing has all of these words: ${query.value}.` : told;
}

query.value = new URLSearchParams(location.search).get('q') ?? '';
query.addEventListener('input', () => {
  history.replaceState(null, '', query.value ? `?${new URLSearchParams({ q: query.value })}` : location.pathname);
  show();
});
document.getElementById('search')?.addEventListener('submit', (event) => {
  event.preventDefault();
  /** @type {HTMLAnchorElement | null} */ (list.querySelector('a'))?.click();
});
show();
if (query.value === '') query.focus();
document.documentElement.dataset.ready = '';
