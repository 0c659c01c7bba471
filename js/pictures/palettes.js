// The colours of pictures: what a canvas takes from the page's CSS, and what an SVG has of its own.

/**
 * @typedef {object} Palette
 * @property {Record<string, string>} colours by name
 * @property {string[]} tiles
 * @property {string[]} dims
 * @property {string} font family of the numbers
 */

/** Light and dark, as the elements have them unless a page says otherwise. @type {Record<string, [light: string, dark: string]>} */
export const COLOURS = {
  ink: ['#1b1f24', '#e6e8eb'],
  soft: ['#59626d', '#9aa4b0'],
  paper: ['#ffffff', '#14171b'],
  shade: ['#f2f4f7', '#1e2329'],
  line: ['#c9d0d9', '#3a424c'],
  accent: ['#a8320f', '#ff9a76'],
  focus: ['#0b57d0', '#8ab4ff'],
  box: ['#c5221f', '#ff8f85'],
  hatch: ['#aab3be', '#4d5661'],
  'tile-0': ['#bfdcff', '#1f4a7a'],
  'tile-1': ['#ffd9a8', '#6b4413'],
  'tile-2': ['#c5ecc3', '#24572a'],
  'tile-3': ['#f6c6dd', '#6a2c4c'],
  'tile-4': ['#fff0a3', '#5c5210'],
  'tile-5': ['#d5cbf7', '#453a78'],
  'tile-6': ['#b8ecec', '#175a5c'],
  'tile-7': ['#e3d4c2', '#54463a'],
  'dim-0': ['#8a3ffc', '#c4a1ff'],
  'dim-1': ['#0b57d0', '#8ab4ff'],
  'dim-2': ['#a13800', '#ffa476'],
  'dim-3': ['#0c6b45', '#6fdc9f'],
  'dim-4': ['#a3145c', '#ff9bc8'],
  'dim-5': ['#6b5500', '#e5cb5c'],
};

const FONT = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** @param {(name: string) => string} colourOf @param {string} font @returns {Palette} */
export function paletteOf(colourOf, font) {
  const colours = Object.fromEntries(Object.keys(COLOURS).map((name) => [name, colourOf(name)]));
  const family = (/** @type {string} */ start) => Object.keys(COLOURS).filter((name) => name.startsWith(start)).map((name) => colours[name]);
  return { colours, tiles: family('tile-'), dims: family('dim-'), font };
}

/** A palette that needs no page. @param {'light' | 'dark'} scheme */
export const ownPalette = (scheme) => paletteOf((name) => COLOURS[name][scheme === 'dark' ? 1 : 0], FONT);
