// The way of the line between an element in the array and its twin in memory: along the gap beside the cell's row to the edge of the picture,
// over to the other picture, and along a gap there, so that no number is struck through.

/** @typedef {{ readonly left: number, readonly top: number, readonly right: number, readonly bottom: number }} Edges */
/**
 * One end of the line: a cell, and the picture around it.
 * @typedef {{ readonly cell: Edges, readonly picture: Edges }} End
 */
/** @typedef {{ path: string, ends: [x: number, y: number][] }} Link of an SVG path */

/** @param {End} from @param {End} to @param {boolean} stacked whether `to` is below `from`, not beside it @returns {Link} */
export function linkBetween(from, to, stacked) {
  return stacked ? downward(from, to) : across(from, to);
}

/** @param {End} from @param {End} to @returns {Link} */
function across(from, to) {
  // The side of each cell that looks toward the other one.
  const falls = to.cell.top > from.cell.top + 1, rises = to.cell.top < from.cell.top - 1;
  const x0 = from.cell.right, y0 = rises ? from.cell.top : from.cell.bottom;
  const x1 = to.cell.left, y1 = falls ? to.cell.top : to.cell.bottom;
  const out = Math.max(x0, from.picture.right), into = Math.max(out, Math.min(x1, to.picture.left));
  const middle = (out + into) / 2;
  return { path: `M${x0} ${y0}H${out}C${middle} ${y0} ${middle} ${y1} ${into} ${y1}H${x1}`, ends: [[x0, y0], [x1, y1]] };
}

/** @param {End} from @param {End} to @returns {Link} */
function downward(from, to) {
  const right = to.cell.left > from.cell.left;
  const x0 = right ? from.cell.right : from.cell.left, y0 = from.cell.bottom;
  const x1 = right ? to.cell.left : to.cell.right, y1 = to.cell.top;
  const out = Math.max(y0, from.picture.bottom), into = Math.max(out, Math.min(y1, to.picture.top));
  const middle = (out + into) / 2;
  return { path: `M${x0} ${y0}V${out}C${x0} ${middle} ${x1} ${middle} ${x1} ${into}V${y1}`, ends: [[x0, y0], [x1, y1]] };
}
