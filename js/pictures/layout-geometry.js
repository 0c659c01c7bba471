// Where cells stand on the pictures: axes of cells with wider gaps between tiles and between panels, and the other way
// round, which cell is under a point. Sizes are CSS pixels.

/** @typedef {import('./layout-tiling.js').Tiling} Tiling */

/** Cells along one side of a picture: runs of `group` cells, in panels of `inner`, in panels of panels. */
export class Axis {
  /**
   * @param {number[]} counts cells or panels in each level, outermost first; at least one
   * @param {number} cell
   * @param {{ group?: number, groupGap?: number, panelGap?: number }} [gaps] group: cells between two gaps inside a panel
   */
  constructor(counts, cell, { group = Infinity, groupGap = 0, panelGap = 0 } = {}) {
    this.counts = counts;
    this.cell = cell;
    this.group = group >= 1 ? group : Infinity;
    this.groupGap = groupGap;
    this.panelGap = panelGap;
    /** Cells along the axis. */
    this.count = counts.reduce((a, b) => a * b, 1);
    const inner = counts[counts.length - 1];
    /** Of one panel, innermost last. */
    this.lengths = [inner * cell + Math.max(0, Math.ceil(inner / this.group) - 1) * groupGap];
    for (let level = counts.length - 2, gap = panelGap; level >= 0; level--, gap *= 1.6)
      this.lengths.unshift(Math.max(0, counts[level] * (this.lengths[0] + gap) - gap));
    this.length = this.count > 0 ? this.lengths[0] : 0;
  }

  #gap(/** @type {number} */ level) {
    return this.panelGap * 1.6 ** (this.counts.length - 2 - level);
  }

  /** Where a cell begins. @param {number} i */
  start(i) {
    const inner = this.counts[this.counts.length - 1];
    let position = i % inner;
    position = position * this.cell + Math.floor(position / this.group) * this.groupGap;
    let rest = Math.floor(i / inner);
    for (let level = this.counts.length - 2; level >= 0; level--) {
      position += (rest % this.counts[level]) * (this.lengths[level + 1] + this.#gap(level));
      rest = Math.floor(rest / this.counts[level]);
    }
    return position;
  }

  /**
   * The cell at a point, or the last one before it where there is a gap.
   * @param {number} position
   * @returns {{ i: number, inside: boolean }}
   */
  find(position) {
    let i = 0;
    let inside = position >= 0 && position < this.length;
    position = Math.min(Math.max(position, 0), Math.max(0, this.length - 0.01));
    const last = this.counts.length - 1;
    for (let level = 0; level < last; level++) {
      const length = this.lengths[level + 1];
      const step = length + this.#gap(level);
      const k = Math.min(this.counts[level] - 1, Math.floor(position / step));
      i = i * this.counts[level] + k;
      position -= k * step;
      if (position >= length) {
        inside = false;
        position = length - 0.01;
      }
    }
    let inner = 0;
    if (this.group !== Infinity) {
      const run = this.group * this.cell;
      const k = Math.floor(position / (run + this.groupGap));
      inner = k * this.group;
      position -= k * (run + this.groupGap);
      if (position >= run) {
        inside = false;
        position = run - 0.01;
      }
    }
    inner += Math.floor(position / this.cell);
    return { i: i * this.counts[last] + Math.min(inner, this.counts[last] - 1), inside };
  }
}

/**
 * A picture: columns, rows, and what stands in them.
 * @typedef {object} Picture
 * @property {'panels' | 'run'} kind panels of the last two dimensions; or places one after the other, row by row
 * @property {Axis} x
 * @property {Axis} y
 * @property {number} cells of a run
 * @property {number[]} across the logical dimensions along x, outermost first; empty in a run
 * @property {number[]} down
 */

/** Outer dimensions lie across and down in turn, from the innermost of them on. @param {number} rank @param {boolean} across whether the third from the end lies across */
export function sides(rank, across) {
  /** @type {{ across: number[], down: number[] }} */
  const result = { across: [], down: [] };
  for (let d = rank - 1, turn = true; d >= 0; d--) {
    if (d === rank - 3 && !across) turn = !turn;
    (turn ? result.across : result.down).unshift(d);
    turn = !turn;
  }
  return result;
}

/** @param {number} cell */
function gapsFor(cell) {
  return { groupGap: cell >= 20 ? 6 : cell >= 8 ? 3 : 1, panelGap: cell >= 14 ? 26 : cell >= 6 ? 12 : 5 };
}

/** Room above each panel for its name. @param {number} cell */
export const captionHeight = (cell) => (cell >= 14 ? 20 : 0);

/**
 * The picture of the array.
 * @param {Tiling} tiling
 * @param {{ width: number, height: number }} cell
 * @param {number} columns at most, for a run
 * @param {boolean} across
 * @returns {Picture}
 */
function arrayPicture(tiling, cell, columns, across) {
  const { rank, extents } = tiling;
  if (rank < 2) return runPicture(extents[0] ?? 1, tiling.tileElements, [], cell, columns);
  const lies = sides(rank, across);
  const gaps = gapsFor(Math.min(cell.width, cell.height));
  const caption = rank > 2 ? captionHeight(cell.height) : 0;
  const group = (/** @type {number} */ d) => {
    const found = tiling.tiled && tiling.tileGroups.find(({ positions }) => positions.length === 1 && tiling.order[positions[0]] === d);
    return found && found.size > 0 && found.count > 1 ? found.size : Infinity;
  };
  const axis = (/** @type {number[]} */ dims, /** @type {number} */ size, /** @type {number} */ panelGap) =>
    new Axis(dims.map((d) => extents[d]), size, { group: group(dims[dims.length - 1]), groupGap: gaps.groupGap, panelGap });
  return { kind: 'panels', x: axis(lies.across, cell.width, gaps.panelGap), y: axis(lies.down, cell.height, caption ? caption + 10 : gaps.panelGap), cells: 0, ...lies };
}

/**
 * How many places a row of memory shows: whole tiles where they fit, or a part that divides one.
 * @param {readonly number[]} bounds after the last tile
 * @param {number} most
 */
export function rowLength(bounds, most) {
  let length = 1;
  for (let i = bounds.length - 1; i >= 0; i--) {
    if (length * bounds[i] <= most) {
      length *= bounds[i];
      continue;
    }
    for (let part = Math.floor(most / length); part > 1; part--) if (bounds[i] % part === 0) return length * part;
    // A prime many: rows of a handy length that cut through.
    if (length === 1) for (const handy of [64, 50, 32, 20, 16, 10, 8]) if (handy <= most) return handy;
    break;
  }
  return Math.max(1, length);
}

/**
 * A run of places, row by row.
 * @param {number} cells
 * @param {number} tile elements of a tile, or Infinity
 * @param {readonly number[]} bounds to find a row's length; empty: of the run itself
 * @param {{ width: number, height: number }} cell
 * @param {number} columns at most
 * @returns {Picture}
 */
function runPicture(cells, tile, bounds, cell, columns) {
  const { groupGap } = gapsFor(Math.min(cell.width, cell.height));
  const most = Math.max(1, columns);
  let row = Math.max(1, Math.min(cells, bounds.length > 0 ? rowLength(bounds, most) : cells <= most ? cells : rowLength([cells], most)));
  // Rows of less than half of the room would leave a strip along the edge.
  if (row * 2 <= most && cells > row) row *= Math.min(Math.floor(most / row), Math.ceil(cells / row));
  const x = new Axis([row], cell.width, row % tile === 0 && row > tile ? { group: tile, groupGap } : {});
  const y = new Axis([Math.ceil(cells / row)], cell.height, tile % row === 0 && tile < cells ? { group: tile / row, groupGap } : {});
  return { kind: 'run', x, y, cells, across: [], down: [] };
}

/**
 * The cell in a column and row: an index of the array's picture, or the number of a run's place; null beyond its end.
 * @param {Picture} picture @param {number} column @param {number} row
 * @returns {number[] | number | null}
 */
export function cellIn(picture, column, row) {
  if (picture.kind === 'run') {
    const place = row * picture.x.count + column;
    return place < picture.cells ? place : null;
  }
  /** @type {number[]} */
  const index = [];
  for (const [dims, axis, value] of /** @type {[number[], Axis, number][]} */ ([[picture.across, picture.x, column], [picture.down, picture.y, row]]))
    for (let i = dims.length - 1, rest = value; i >= 0; i--) {
      index[dims[i]] = rest % axis.counts[i];
      rest = Math.floor(rest / axis.counts[i]);
    }
  return index;
}

/** The inverse. @param {Picture} picture @param {readonly number[] | number} cell @returns {[column: number, row: number]} */
export function columnAndRow(picture, cell) {
  if (typeof cell === 'number') return [cell % picture.x.count, Math.floor(cell / picture.x.count)];
  const flat = (/** @type {number[]} */ dims, /** @type {Axis} */ axis) => dims.reduce((sum, d, i) => sum * axis.counts[i] + cell[d], 0);
  return [flat(picture.across, picture.x), flat(picture.down, picture.y)];
}

/** @param {Picture} picture @param {number} x @param {number} y @returns {number[] | number | null} null in gaps and outside */
export function hit(picture, x, y) {
  const column = picture.x.find(x);
  const row = picture.y.find(y);
  return column.inside && row.inside && picture.x.count > 0 && picture.y.count > 0 ? cellIn(picture, column.i, row.i) : null;
}

/** @param {Picture} picture @param {readonly number[] | number} cell */
export function box(picture, cell) {
  const [column, row] = columnAndRow(picture, cell);
  return { x: picture.x.start(column), y: picture.y.start(row), width: picture.x.cell, height: picture.y.cell };
}

/** Edges of the pictures: where indices and offsets are written. */
export const GUTTER = { left: 40, top: 24 };

/** Room at the left edge for the number of the last row. @param {Picture} picture */
function leftGutter({ kind, x, y }) {
  const last = kind === 'run' ? (y.count - 1) * x.count : y.counts[y.counts.length - 1] - 1;
  return Math.max(GUTTER.left, Math.ceil(6.7 * String(Math.max(0, last)).length) + 12);
}

/** Size of a whole picture with its edges, and where its first cell stands. @param {Tiling} tiling @param {Picture} picture */
export function contentOf({ rank }, picture) {
  const caption = picture.kind === 'panels' && rank > 2 ? captionHeight(picture.y.cell) : 0;
  const left = leftGutter(picture);
  return {
    origin: { x: left, y: GUTTER.top + caption },
    width: left + picture.x.length + 4,
    height: GUTTER.top + caption + picture.y.length + 4,
  };
}

/** @typedef {{ width: number, height: number }} Size */

/** A cell of a size, as wide in proportion as a comfortable one; small cells are square, or taller where that fits. @param {Size} comfortable @param {number} size @param {number} taller */
function scaled(comfortable, size, taller) {
  const width = size >= 14 ? (comfortable.width * size) / comfortable.height : size;
  return { width, height: Math.max(size, size < 14 ? taller : 0) };
}

/**
 * Both pictures in the room that there is.
 * @param {Tiling} tiling
 * @param {{ width: number, height: number, cells: { array: Size, memory: Size }, zoom: number, view: string }} room
 *   width: of both together; height: of one picture at most; cells: comfortable for the labels; zoom: a cell's size, 0 to fit
 */
export function arrange(tiling, { width, height, cells, zoom, view }) {
  const stacked = width < 700 || view !== 'both';
  const bridge = stacked ? 0 : 44;
  const gutter = Math.max(GUTTER.left, Math.ceil(6.7 * String(tiling.places).length) + 12);
  const room = Math.max(120, stacked ? width : (width - bridge) / 2) - gutter - 4;
  const tall = height - GUTTER.top - 4;
  const across = tiling.rank === 3 ? preferAcross(tiling, room, tall) : !stacked || tiling.rank > 3;
  const at = (/** @type {number} */ size, taller = 0) => {
    const cell = scaled(cells.array, size, taller);
    return arrayPicture(tiling, cell, Math.floor(room / cell.width), across);
  };
  const steps = [cells.array.height, 34, 30, 26, 22, 18, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1].filter((size) => size <= cells.array.height);
  const least = tiling.rank < 2 ? 5 : 1;
  // As large as fits without scrolling; where nothing does, as fits across.
  const memoryAt = (/** @type {Size} */ cell, /** @type {Picture} */ array) => {
    const space = stacked ? room : Math.max(room, width - bridge - Math.min(array.x.length, room) - leftGutter(array) - gutter - 8);
    const run = (/** @type {number} */ columns) => runPicture(tiling.places, tiling.tilePlaces, tiling.tiledBounds, cell, columns);
    let memory = run(Math.floor(space / cell.width));
    // Gaps between tiles take room, too.
    while (memory.x.length > space && memory.x.count > 1) memory = run(memory.x.count - 1);
    return memory;
  };
  const fits = (/** @type {number} */ s) => at(s).x.length <= room && at(s).y.length <= tall;
  const size = zoom || (steps.find((s) => s >= 18 && fits(s) && memoryAt(scaled(cells.memory, s, 0), at(s)).y.length <= tall)
    ?? steps.find((s) => s >= least && fits(s))
    ?? (tiling.rank < 2 ? undefined : steps.find((s) => s >= least && s <= 12 && at(s).x.length <= room)) ?? (tiling.rank < 2 ? cells.array.height : Math.min(cells.array.height, 12)));
  const taller = tiling.rank < 2 ? 0 : (size < 6 ? [6, 5, 4, 3, 2] : [1.5 * size]).find((high) => high > size && at(size, high).y.length <= tall / 2) ?? 0;
  const array = at(size, taller);
  const memory = memoryAt(scaled(cells.memory, size, taller), array);
  return { stacked, size, array, memory };
}

/** Whether the panels of three dimensions show larger side by side than one below the other. @param {Tiling} tiling @param {number} width @param {number} height */
function preferAcross({ extents }, width, height) {
  const [panels, rows, columns] = extents;
  const sizeOf = (/** @type {number} */ across, /** @type {number} */ down) => Math.min(width / (columns * across + across - 1), height / (rows * down + down - 1));
  return sizeOf(panels, 1) >= sizeOf(1, panels);
}
