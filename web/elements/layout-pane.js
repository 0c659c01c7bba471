// One of the two pictures on the page: a viewport that scrolls, canvases of its size over what is seen.
import { GUTTER, box, columnAndRow, cellIn, hit } from '../../js/pictures/layout-geometry.js';
import { cellAt, drawPicture, standsFor } from '../../js/pictures/layout-draw.js';
import { boxOnCanvas, drawMarks } from '../../js/pictures/layout-marks.js';

/** @typedef {import('../../js/pictures/layout-model.js').Cell} Cell */
/** @typedef {import('../../js/pictures/layout-draw.js').Scene} Scene */

export class LayoutPane {
  /** @param {'array' | 'memory'} where */
  constructor(where) {
    this.where = where;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {HTMLElement | null} */
    this.viewport = null;
    /** @type {CanvasRenderingContext2D[]} the picture, the marks */
    this.contexts = [];
    this.stale = true;
  }

  /** @param {HTMLElement | null} viewport @param {Omit<Scene, 'where' | 'width' | 'height' | 'scroll'>} parts */
  show(viewport, parts) {
    this.stale = true;
    if (!viewport) {
      this.scene = this.viewport = null;
      return;
    }
    if (this.viewport !== viewport) {
      this.viewport = viewport;
      this.contexts = [...viewport.querySelectorAll('canvas')].map((canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')));
    }
    this.scene = { ...parts, where: this.where, width: viewport.clientWidth, height: viewport.clientHeight, scroll: { left: viewport.scrollLeft, top: viewport.scrollTop } };
  }

  /** @param {import('../../js/pictures/layout-marks.js').Marks} marks */
  draw(marks) {
    const { scene, viewport } = this;
    if (!scene || !viewport) return;
    const ratio = devicePixelRatio || 1;
    scene.scroll = { left: viewport.scrollLeft, top: viewport.scrollTop };
    for (const { canvas } of this.contexts) {
      const width = Math.round(scene.width * ratio), height = Math.round(scene.height * ratio);
      if (canvas.width === width && canvas.height === height) continue;
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${scene.width}px`;
      canvas.style.height = `${scene.height}px`;
      this.stale = true;
    }
    if (this.stale) drawPicture(this.contexts[0], scene, ratio);
    this.stale = false;
    drawMarks(this.contexts[1], scene, marks, ratio);
  }

  /** The cell under a point of the window; null in gaps. @param {number} clientX @param {number} clientY @returns {Cell | null} */
  cellAt(clientX, clientY) {
    const { scene, viewport } = this;
    if (!scene || !viewport) return null;
    const { left, top } = viewport.getBoundingClientRect();
    const x = clientX - left - viewport.clientLeft, y = clientY - top - viewport.clientTop;
    if (x < scene.origin.x - 1 || y < GUTTER.top - 2 || x > scene.width || y > scene.height) return null;
    const found = hit(scene.picture, x - scene.origin.x + viewport.scrollLeft, y - scene.origin.y + viewport.scrollTop);
    if (found === null) return null;
    const [column, row] = columnAndRow(scene.picture, found);
    return cellAt(scene, column, row);
  }

  /** Where a cell is in the window; null where the picture has no room for it, or where it is scrolled out of sight. @param {Cell} cell */
  boxOf(cell) {
    const { scene, viewport } = this;
    if (!scene || !viewport) return null;
    scene.scroll = { left: viewport.scrollLeft, top: viewport.scrollTop };
    const at = boxOnCanvas(scene, cell);
    if (!at) return null;
    const x = at.x + at.width / 2, y = at.y + at.height / 2;
    if (x < scene.origin.x - 1 || y < GUTTER.top - 2 || x > scene.width + 1 || y > scene.height + 1) return null;
    const { left, top } = viewport.getBoundingClientRect();
    return new DOMRect(left + viewport.clientLeft + at.x, top + viewport.clientTop + at.y, at.width, at.height);
  }

  /** One end of the line between twins; null where the cell is out of sight. @param {Cell} cell @returns {import('../../js/pictures/layout-link.js').End | null} */
  endAt(cell) {
    const { scene, viewport } = this;
    const box = this.boxOf(cell);
    if (!box || !scene || !viewport) return null;
    const { left, top } = viewport.getBoundingClientRect();
    return { cell: box, picture: new DOMRect(left + scene.origin.x, top + GUTTER.top, scene.width - scene.origin.x, scene.height - GUTTER.top) };
  }

  /** Column and row; of what the picture has no room for, the first. @param {Cell} cell */
  position(cell) {
    const stands = this.scene && standsFor(this.scene, cell);
    return this.scene && stands !== null ? columnAndRow(this.scene.picture, /** @type {number[] | number} */ (stands)) : [0, 0];
  }

  /** Scrolls as little as makes a cell visible; far away at once. @param {Cell} cell @param {boolean} smooth */
  reveal(cell, smooth) {
    const { scene, viewport } = this;
    const stands = scene && standsFor(scene, cell);
    if (!scene || !viewport || stands === null) return;
    const at = box(scene.picture, /** @type {number[] | number} */ (stands));
    const margin = 1.5 * Math.min(scene.picture.y.cell, 40);
    const scrolled = (/** @type {number} */ now, /** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ room) =>
      from - margin < now ? from - margin : from + size + margin > now + room ? from + size + margin - room : now;
    const left = scrolled(viewport.scrollLeft, at.x, at.width, scene.width - scene.origin.x);
    const top = scrolled(viewport.scrollTop, at.y, at.height, scene.height - scene.origin.y);
    const far = Math.max(Math.abs(left - viewport.scrollLeft) / scene.width, Math.abs(top - viewport.scrollTop) / scene.height);
    if (far > 0) viewport.scrollTo({ left, top, behavior: smooth && far < 1 ? 'smooth' : 'instant' });
  }

  /** The cell that a key leads to; null for other keys. @param {Cell} cell @param {KeyboardEvent} event @returns {Cell | null} */
  step(cell, event) {
    const { scene } = this;
    if (!scene) return null;
    const { picture } = scene;
    const stands = standsFor(scene, cell) ?? standsFor(scene, scene.model.place(0)) ?? 0;
    let [column, row] = columnAndRow(picture, stands);
    const rows = picture.kind === 'run' ? Math.max(1, Math.floor(scene.height / picture.y.cell) - 1) : picture.y.counts[picture.y.counts.length - 1];
    const panelColumns = picture.x.counts[picture.x.counts.length - 1];
    const turn = picture.kind === 'panels' && picture.y.counts.every((count, i) => i === picture.y.counts.length - 1 || count === 1) && picture.x.counts.length > 1;
    switch (event.key) {
      case 'ArrowLeft': picture.kind === 'run' && column === 0 && row > 0 ? [column, row] = [picture.x.count - 1, row - 1] : column--; break;
      case 'ArrowRight': picture.kind === 'run' && column === picture.x.count - 1 ? [column, row] = [0, row + 1] : column++; break;
      case 'ArrowUp': row--; break;
      case 'ArrowDown': row++; break;
      case 'PageUp': turn ? (column -= panelColumns) : (row -= rows); break;
      case 'PageDown': turn ? (column += panelColumns) : (row += rows); break;
      case 'Home': [column, row] = [0, event.ctrlKey || event.metaKey ? 0 : row]; break;
      case 'End': [column, row] = [picture.x.count - 1, event.ctrlKey || event.metaKey ? picture.y.count - 1 : row]; break;
      default: return null;
    }
    column = Math.min(Math.max(column, 0), picture.x.count - 1);
    row = Math.min(Math.max(row, 0), picture.y.count - 1);
    // The last row of a run may be shorter than the others.
    if (picture.kind === 'run' && cellIn(picture, column, row) === null) {
      if (event.key === 'ArrowRight') return cell;
      [column, row] = columnAndRow(picture, picture.cells - 1);
    }
    return cellAt(scene, column, row);
  }
}
