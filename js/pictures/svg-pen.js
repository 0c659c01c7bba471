// A pen that writes SVG: as much of CanvasRenderingContext2D as the pictures draw with.

/** A number with two digits behind the point at most. @param {number} value */
const short = (value) => String(Math.round(value * 100) / 100);
const escapes = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });
/** @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (character) => escapes[character]);

/** Draws onto an SVG document instead of a canvas; colours are written as they are given. */
export class SvgPen {
  /** @type {string[]} */
  #marks = [];
  #path = '';
  /** @type {number[]} the point that the path has come to */
  #at = [0, 0];
  /** @type {string[]} definitions of patterns */
  #patterns = [];
  #dash = '';

  fillStyle = '#000';
  strokeStyle = '#000';
  lineWidth = 1;
  globalAlpha = 1;
  lineCap = 'butt';
  font = '10px sans-serif';
  textAlign = 'left';
  textBaseline = 'alphabetic';
  /** SVG has no shadows here. */
  shadowColor = '';
  shadowBlur = 0;

  /** Diagonal lines. @param {string} colour @returns {string} to fill with */
  hatch(colour) {
    const id = `hatch-${colour.replace(/\W/g, '')}`; // one page may hold many pictures
    if (this.#patterns.length === 0)
      this.#patterns.push(`<pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V7" stroke="${colour}" stroke-width="1.8"/></pattern>`);
    return `url(#${id})`;
  }

  beginPath() {
    this.#path = '';
  }
  closePath() {
    this.#path += 'Z';
  }
  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#path += `M${short(x)} ${short(y)}`;
    this.#at = [x, y];
  }
  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.#path += `L${short(x)} ${short(y)}`;
    this.#at = [x, y];
  }
  /** @param {number} x1 @param {number} y1 @param {number} x @param {number} y */
  quadraticCurveTo(x1, y1, x, y) {
    this.#path += `Q${short(x1)} ${short(y1)} ${short(x)} ${short(y)}`;
    this.#at = [x, y];
  }
  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} x @param {number} y */
  bezierCurveTo(x1, y1, x2, y2, x, y) {
    this.#path += `C${short(x1)} ${short(y1)} ${short(x2)} ${short(y2)} ${short(x)} ${short(y)}`;
    this.#at = [x, y];
  }
  /** The corner of two lines at right angles, as all of the pictures' are. @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} radius */
  arcTo(x1, y1, x2, y2, radius) {
    const [x0, y0] = this.#at;
    const before = [x1 - Math.sign(x1 - x0) * radius, y1 - Math.sign(y1 - y0) * radius];
    const after = [x1 + Math.sign(x2 - x1) * radius, y1 + Math.sign(y2 - y1) * radius];
    this.lineTo(before[0], before[1]);
    this.#path += `Q${short(x1)} ${short(y1)} ${short(after[0])} ${short(after[1])}`;
    this.#at = after;
  }
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.#path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
  }
  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius */
  roundRect(x, y, width, height, radius) {
    const r = Math.min(radius, width / 2, height / 2);
    if (!(r > 0)) return this.rect(x, y, width, height);
    const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${short(r)} ${short(r)} 0 0 1 ${short(dx * r)} ${short(dy * r)}`;
    const [h, v] = [short(width - 2 * r), short(height - 2 * r)];
    this.#path += `M${short(x + r)} ${short(y)}h${h}${corner(1, 1)}v${v}${corner(-1, 1)}h-${h}${corner(-1, -1)}v-${v}${corner(1, -1)}Z`;
  }

  fill() {
    if (this.#path) this.#marks.push(`<path d="${this.#path}" fill="${this.fillStyle}"${this.#opacity()}/>`);
  }
  stroke() {
    if (this.#path) this.#marks.push(`<path d="${this.#path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}"${this.#dash}${this.#opacity()}/>`);
  }
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.#marks.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${this.fillStyle}"${this.#opacity()}/>`);
  }
  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const [, style = '', weight = '', size, family] = /^(italic )?(\d{3} )?([\d.]+)px (.*)$/.exec(this.font) ?? ['', '', '', '10', 'sans-serif'];
    const anchor = { center: 'middle', right: 'end' }[this.textAlign];
    const attributes = [
      `font-size="${short(Number(size))}"`,
      `font-family="${escaped(family)}"`,
      ...(style ? ['font-style="italic"'] : []),
      ...(weight ? [`font-weight="${weight.trim()}"`] : []),
      ...(anchor ? [`text-anchor="${anchor}"`] : []),
      ...(this.textBaseline === 'middle' ? ['dominant-baseline="central"'] : []),
    ];
    this.#marks.push(`<text x="${short(x)}" y="${short(y)}" ${attributes.join(' ')} fill="${this.fillStyle}">${escaped(text)}</text>`);
  }
  /** As wide as the digits of a font for code, whatever font the reader has. @param {string} text */
  measureText(text) {
    return { width: text.length * 0.6 * Number(/([\d.]+)px/.exec(this.font)?.[1] ?? 10) };
  }
  /** @param {number[]} lengths */
  setLineDash(lengths) {
    this.#dash = lengths.length > 0 ? ` stroke-dasharray="${lengths.join(' ')}"` : '';
  }
  #opacity() {
    return this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : '';
  }
  /** SVG is drawn in CSS pixels, on a page that is empty, and nothing sticks out of a whole picture. */
  setTransform() {}
  clearRect() {}
  save() {}
  restore() {}
  clip() {}

  /** Draws around another origin. @param {number} x @param {number} y @param {() => void} draw */
  at(x, y, draw) {
    this.#marks.push(`<g transform="translate(${short(x)} ${short(y)})">`);
    draw();
    this.#marks.push('</g>');
  }

  /** What was drawn, and from now on nothing. */
  take() {
    const marks = this.#marks.join('\n');
    this.#marks = [];
    return marks;
  }
  /** What the marks refer to. */
  get definitions() {
    return this.#patterns.length > 0 ? `<defs>${this.#patterns.join('')}</defs>\n` : '';
  }
}

/**
 * A document that refers to nothing outside of it.
 * @param {object} parts
 * @param {string} parts.title what the picture shows, in a sentence
 * @param {number} parts.width
 * @param {number} parts.height
 * @param {string} parts.paper colour of the background
 * @param {string} parts.definitions
 * @param {string} parts.marks
 */
export function svgDocument({ title, width, height, paper, definitions, marks }) {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img">
<title>${escaped(title)}</title>
${definitions}<rect width="100%" height="100%" fill="${paper}"/>
${marks}
</svg>
`;
}
