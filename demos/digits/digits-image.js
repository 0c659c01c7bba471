// From a drawing to the network's input, by the steps with which its training images were made: the ink is scaled and
// centred in 32×32 squares, and each pixel of the 8×8 image counts the ink of 4×4 of them.

export const SIZE = 8;
const FINE = 32;

/**
 * @param {HTMLCanvasElement} drawing ink is what is not transparent
 * @returns {Float32Array | null} 64 numbers from 0 to 1; null when nothing is drawn
 */
export function imageOf(drawing) {
  const { width, height } = drawing;
  const context = /** @type {CanvasRenderingContext2D} */ (drawing.getContext('2d', { willReadFrequently: true }));
  const box = inkBox(context.getImageData(0, 0, width, height));
  if (!box) return null;
  const fine = document.createElement('canvas');
  fine.width = FINE;
  fine.height = FINE;
  const small = /** @type {CanvasRenderingContext2D} */ (fine.getContext('2d', { willReadFrequently: true }));
  // As tall as the square; a narrow digit stays narrow, and is not blown up beyond the middle half.
  const scale = FINE / Math.max(box.height, box.width * 0.75, height / 8);
  const [w, h] = [Math.min(FINE, box.width * scale), box.height * scale];
  small.imageSmoothingQuality = 'high';
  small.drawImage(drawing, box.x, box.y, box.width, box.height, (FINE - w) / 2, (FINE - h) / 2, w, h);
  return counted(small.getImageData(0, 0, FINE, FINE).data);
}

/** @param {ImageData} image */
function inkBox({ data, width, height }) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[(y * width + x) * 4 + 3] > 64) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** @param {Uint8ClampedArray} pixels RGBA of 32×32 */
function counted(pixels) {
  const image = new Float32Array(SIZE * SIZE);
  const step = FINE / SIZE;
  for (let y = 0; y < FINE; y++)
    for (let x = 0; x < FINE; x++)
      image[Math.floor(y / step) * SIZE + Math.floor(x / step)] += pixels[(y * FINE + x) * 4 + 3] / 255 / (step * step);
  return image;
}
