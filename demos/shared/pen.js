// A pen on a canvas: of a pointer, and of the keyboard.

/** Of the canvas's width, what an arrow key moves by. */
const STRIDE = 1 / 32;

/** From 0 to 1, from the left and from the top. @typedef {{ x: number, y: number }} Place */

/**
 * Calls `paint` for each place that the pen touches. Arrows move the pen of the keyboard, Space paints where it is, and with Shift the pen
 * paints on its way. Where it is stands in --pen-x and --pen-y of the canvas's parent.
 * @param {HTMLCanvasElement} canvas
 * @param {(x: number, y: number, from: Place | undefined) => void} paint from: where a stroke comes from that goes on to here
 * @param {{ strokes?: boolean, start?: Place }} [options] strokes: lines are drawn, which may leave the canvas; Space puts the pen of the
 *   keyboard down, and lifts it when it is pressed again. start: where that pen is at first
 */
export function penOn(canvas, paint, { strokes = false, start = { x: 0.5, y: 0.5 } } = {}) {
  const pen = { ...start };
  let isDown = false;
  /** @type {Place | undefined} */
  let last;
  const inside = (/** @type {number} */ share) => Math.min(1, Math.max(0, share));

  /** @param {Place} place */
  const touch = ({ x, y }) => {
    const from = last;
    last = { x, y };
    paint(x, y, from);
  };
  const lift = () => {
    last = undefined;
  };

  /** @param {PointerEvent} event @returns {Place} */
  const placeOf = ({ clientX, clientY }) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height];
    return strokes ? { x, y } : { x: inside(x), y: inside(y) };
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    lift();
    touch(placeOf(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) for (const part of event.getCoalescedEvents?.() ?? [event]) touch(placeOf(part));
  });
  for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, lift);
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step && event.key !== ' ') return;
    event.preventDefault();
    if (step) {
      pen.x = inside(pen.x + step[0] * STRIDE);
      pen.y = inside(pen.y + step[1] * STRIDE);
      canvas.parentElement?.style.setProperty('--pen-x', `${pen.x * 100}%`);
      canvas.parentElement?.style.setProperty('--pen-y', `${pen.y * 100}%`);
    } else isDown = strokes && !isDown;
    if (strokes ? isDown : !step || event.shiftKey) touch(pen);
    else lift();
  });
  canvas.addEventListener('blur', () => {
    isDown = false;
    lift();
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
