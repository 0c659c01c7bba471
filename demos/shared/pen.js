// A pen on a canvas: of a pointer, and of the keyboard.

/** Of the canvas's width, what an arrow key moves by. */
const STRIDE = 1 / 32;

/**
 * Calls `paint` for each place that the pen touches. Arrows move the pen of the keyboard, Space paints where it is, and with Shift the pen
 * paints on its way. Where it is stands in --pen-x and --pen-y of the canvas's parent.
 * @param {HTMLCanvasElement} canvas
 * @param {(x: number, y: number) => void} paint from 0 to 1, from the left and from the top
 */
export function penOn(canvas, paint) {
  const pen = { x: 0.5, y: 0.5 };
  const inside = (/** @type {number} */ share) => Math.min(1, Math.max(0, share));

  /** @param {PointerEvent} event */
  const touch = ({ clientX, clientY }) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    paint(inside((clientX - left) / width), inside((clientY - top) / height));
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    touch(event);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) for (const part of event.getCoalescedEvents?.() ?? [event]) touch(part);
  });
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step && event.key !== ' ') return;
    event.preventDefault();
    if (step) {
      pen.x = inside(pen.x + step[0] * STRIDE);
      pen.y = inside(pen.y + step[1] * STRIDE);
      canvas.parentElement?.style.setProperty('--pen-x', `${pen.x * 100}%`);
      canvas.parentElement?.style.setProperty('--pen-y', `${pen.y * 100}%`);
    }
    if (!step || event.shiftKey) paint(pen.x, pen.y);
  });
}

/** A colour of the page's style, as red, green and blue. @param {Element} element @param {string} name of the variable @returns {number[]} */
export function colourOf(element, name) {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}
