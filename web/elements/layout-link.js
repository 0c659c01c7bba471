// The line between an element in the array and its twin in memory.

/** @param {Element} link an svg with a path and two circles @param {DOMRect | null} from @param {DOMRect | null} to in the window; null where out of sight @param {boolean} stacked */
export function drawLink(link, from, to, stacked) {
  /** @type {SVGElement} */ (link).style.display = from && to ? '' : 'none';
  if (!from || !to) return;
  const frame = link.getBoundingClientRect();
  const [x0, y0] = stacked ? [from.x + from.width / 2 - frame.x, from.bottom - frame.y] : [from.right - frame.x, from.y + from.height / 2 - frame.y];
  const [x1, y1] = stacked ? [to.x + to.width / 2 - frame.x, to.top - frame.y] : [to.left - frame.x, to.y + to.height / 2 - frame.y];
  const bend = stacked ? Math.max(24, (y1 - y0) / 2) : Math.max(36, (x1 - x0) / 2);
  const controls = stacked ? `${x0} ${y0 + bend} ${x1} ${y1 - bend}` : `${x0 + bend} ${y0} ${x1 - bend} ${y1}`;
  link.querySelector('path')?.setAttribute('d', `M${x0} ${y0}C${controls} ${x1} ${y1}`);
  link.querySelectorAll('circle').forEach((circle, i) => {
    circle.setAttribute('cx', String(i ? x1 : x0));
    circle.setAttribute('cy', String(i ? y1 : y0));
  });
}
