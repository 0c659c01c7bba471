// The line between an element in the array and its twin in memory.
import { linkBetween } from '../../js/pictures/layout-link.js';

/** @typedef {import('../../js/pictures/layout-link.js').End} End */

/** @param {Element} link an svg with a path and two circles @param {End | null} from in the window; null where out of sight @param {End | null} to @param {boolean} stacked */
export function drawLink(link, from, to, stacked) {
  /** @type {SVGElement} */ (link).style.display = from && to ? '' : 'none';
  if (!from || !to) return;
  const frame = link.getBoundingClientRect();
  const { path, ends } = linkBetween(from, to, stacked);
  link.querySelector('path')?.setAttribute('d', path);
  link.querySelectorAll('circle').forEach((circle, i) => {
    circle.setAttribute('cx', String(ends[i][0]));
    circle.setAttribute('cy', String(ends[i][1]));
  });
  // The ends are in the window, the line in its frame.
  for (const part of link.children) part.setAttribute('transform', `translate(${-frame.x} ${-frame.y})`);
}
