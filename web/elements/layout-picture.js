// The picture of <hlo-layout> as a document.
import { layoutSvg } from '../../js/pictures/layout-svg.js';
import { layoutShape } from './layout-shape.js';

/** @type {import('./pictures.js').Maker} */
export function svg(hlo, asked, { palette, width }) {
  const shape = layoutShape(hlo, asked);
  if (!shape.isArray || shape.isDynamic || shape.elementCount === 0) throw new Error(`hlo-layout: ${shape} has no elements in memory, and no picture`);
  const labels = asked.labels?.split(/[\s,]+/);
  return layoutSvg(shape, { palette, width, labels, values: asked.values, at: asked.at ?? null, view: asked.view, zoom: asked.zoom, line: asked.line, simd: asked.simd });
}
