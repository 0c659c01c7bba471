// The strip over the slider: one bar for a step of the walk, tall where it loads a cache line; of longer walks, a bar for
// so many steps as come onto a pixel.

/** @typedef {import('./layout-cache.js').CachedWalk} CachedWalk */
/** @typedef {import('./layout-palette.js').Palette} Palette */

/** @param {HTMLCanvasElement} canvas @param {CachedWalk | null} cached @param {number | null} step @param {Palette} palette */
export function drawStrip(canvas, cached, step, palette) {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (width === 0) return;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  if (!cached || cached.counted === 0) return;
  const { loads, counted, walk: { count } } = cached;
  // The slider's thumb keeps half of its width away from either end.
  const edge = 8, room = width - 2 * edge;
  const bars = Math.min(count, Math.floor(room / 2));
  const pitch = room / bars;
  for (let bar = 0; bar < bars; bar++) {
    const from = Math.floor((bar * count) / bars), to = Math.max(from + 1, Math.floor(((bar + 1) * count) / bars));
    // The rest of a walk that is too long to count.
    if (to > counted) break;
    let sum = 0;
    for (let i = from; i < to; i++) sum += loads[i];
    const share = sum / (to - from);
    const tall = 4 + share * (height - 8);
    context.fillStyle = sum > 0 ? palette.colours.accent : palette.colours.line;
    context.fillRect(edge + bar * pitch, height - tall, Math.max(1, pitch - (pitch > 5 ? 2 : pitch > 2 ? 1 : 0.5)), tall);
  }
  if (step === null) return;
  const x = edge + ((step + 0.5) / count) * room;
  context.strokeStyle = palette.colours.ink;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
}

/** The step at a point of the strip. @param {HTMLCanvasElement} canvas @param {number} clientX @param {number} count */
export function stepAt(canvas, clientX, count) {
  const { left, width } = canvas.getBoundingClientRect();
  return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left - 8) / (width - 16)) * count)));
}
