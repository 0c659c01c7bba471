// The page of an operation: its examples and its broken rules run here, when a reader comes to them.
import { sharedRuntime } from './elements/runtime.js';
import { refusalOf, runExample } from './operations/runner.js';

/** @type {(import('./operations/notation.js').Example & { refused?: boolean })[]} */
const runs = JSON.parse(document.getElementById('runs')?.textContent ?? '[]');
const NOT_REFUSED = 'WebHLO does not refuse this program any more.';

/** @param {HTMLElement} place */
async function run(place) {
  const asked = runs[Number(place.dataset.run)];
  const output = /** @type {HTMLOutputElement} */ (place.querySelector('output'));
  const note = /** @type {HTMLElement} */ (place.querySelector('.ran'));
  try {
    const hlo = await sharedRuntime();
    if (asked.refused) {
      output.textContent = (await refusalOf(hlo, asked.program)) || NOT_REFUSED;
      note.textContent = 'Asked in this page.';
    } else {
      const { literals } = await runExample(hlo, asked);
      output.textContent = literals.join('\n') || '()';
      note.textContent = 'Ran in this page.';
    }
    place.dataset.state = 'ran';
  } catch (error) {
    place.dataset.state = 'failed';
    note.textContent = `It did not run here: ${/** @type {Error} */ (error).message}`;
  }
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) {
        observer.unobserve(target);
        void run(/** @type {HTMLElement} */ (target));
      }
  },
  { rootMargin: '200px' },
);
for (const place of document.querySelectorAll('[data-run]')) observer.observe(place);
