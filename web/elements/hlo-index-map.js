// The dimension numbers of gather, scatter and dot, followed from an element of the result.
import { HloElement, svgOf } from './hlo-element.js';
import { HloGrid } from './hlo-grid.js';

/**
 * The dimension numbers of a gather, a scatter or a dot: point at an element, and see which elements it comes from and how each number
 * leads there.
 *
 *     <hlo-index-map op="gather" preset="boxes" at="1,0,1">the text for readers without JavaScript</hlo-index-map>
 *
 * @attr {'gather' | 'scatter' | 'dot'} op
 * @attr {string} preset one of its examples: rows, elements, boxes, swapped, batched of a gather; elements, rows, boxes of a scatter; matrices, transposed,
 *   batch, attention, double of a dot
 * @attr {string} operands shapes, `f32[4,3]; s32[3]`; the example's, unless said
 * @attr {string} values elements in row-major order, `1,2,3; 0`
 * @attr {string} attrs attributes as in HLO text; those not said are the example's
 * @attr {string} at the element shown while none is pointed at: `0,1` of the result, or `update[0,1]`
 * @attr {string} playground the address of a page with an `<hlo-playground id="playground">`, to open the program there
 * @attr {boolean} compact without the buttons and fields that ask another question
 * @method {toSVG(): Promise<string>} the arrays, and the way of the element of `at` as an SVG document, in the colours of the moment
 * @fires {CustomEvent<{ op: string, preset: string, operands: string, values: string, attrs: string, legal: boolean }>} hlo-change a reader has changed the
 *   question
 * @fires {CustomEvent<{ operand?: number, output?: number, flat?: number }>} hlo-point an element is pointed at; nothing when none is any more
 * @csspart presets the examples
 * @csspart question the fields
 * @csspart field one of them
 * @csspart message what is wrong
 * @csspart operand the picture of an operand
 * @csspart result the picture of the result
 * @csspart formula of a dot, in letters
 * @csspart way how the dimension numbers lead to an element
 * @csspart program the HLO text
 * @csspart playground the link to it
 */
export class HloIndexMap extends HloElement {
  static tag = 'hlo-index-map';

  /** @param {string} [tag] */
  static define(tag = this.tag) {
    HloGrid.define();
    return super.define(tag);
  }

  static properties = {
    ...HloElement.properties,
    op: { reflect: true, useDefault: true },
    preset: { reflect: true },
    operands: { reflect: true },
    values: { reflect: true },
    attrs: { reflect: true },
    at: { reflect: true },
    playground: {},
    compact: { type: Boolean, reflect: true },
  };

  static loadDisplay = async (/** @type {HloIndexMap} */ host) => new (await import('./index-map-view.js')).IndexMapView(host);

  constructor() {
    super();
    /** @type {'gather' | 'scatter' | 'dot'} */
    this.op = 'gather';
    /** @type {string | null | undefined} */
    this.preset = undefined;
    /** @type {string | null | undefined} */
    this.operands = undefined;
    /** @type {string | null | undefined} */
    this.values = undefined;
    /** @type {string | null | undefined} */
    this.attrs = undefined;
    /** @type {string | null | undefined} */
    this.at = undefined;
    /** @type {string | null | undefined} */
    this.playground = undefined;
    this.compact = false;
  }

  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.display?.ready;
    return done;
  }

  /** @returns {Promise<string>} */
  toSVG() {
    return svgOf(this);
  }
}
