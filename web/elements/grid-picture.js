// The picture of <hlo-grid> as a document.
import { figureSvg } from '../../js/pictures/figure.js';
import { gridBlock } from './cells-figure.js';

/** @type {import('./pictures.js').Maker} */
export function svg(hlo, asked, look) {
  return figureSvg(look, [asked.name, asked.shape, asked.note].filter(Boolean).join(' ') || 'array', gridBlock(look, asked.cells && asked.dimensions ? asked : { ...asked, dimensions: [], cells: [] }));
}
