// The picture of <hlo-graph> as a document: all of it, as far as it is open.
import { figureSvg } from '../../js/pictures/figure.js';
import { drawGraph } from './graph-draw.js';
import { graphOf, openPaths, pathToLine, pictureOf } from './graph-model.js';

const MOST_BOXES = 2000;

/** @type {import('./pictures.js').Maker} */
export function svg(hlo, asked, look) {
  const graph = asked.graph ?? graphOf(hlo, asked.program ?? '', asked.optimised ?? false);
  const picture = pictureOf(graph, openPaths(asked.open));
  const count = picture.boxes.length;
  if (count > MOST_BOXES) throw new RangeError(`hlo-graph: ${count} instructions are open; an SVG has room for ${MOST_BOXES}`);
  const { width, height } = picture;
  const path = asked.at || pathToLine(graph, asked.line ?? 0);
  const chosen = picture.boxes.find((box) => box.path === path);
  const seen = { left: 0, top: 0, width, height, zoom: 1 };
  return figureSvg(look, `Graph of ${count} instruction${count === 1 ? '' : 's'}`, {
    width,
    height,
    draw: (pen, x, y) => pen.at(x, y, () => drawGraph(pen, picture, seen, look.palette, { chosen, marked: () => false }, 1)),
  });
}
