// A number in an element type: its bits, its neighbours, and what rounding makes of it.
import { HloElement, svgOf } from './hlo-element.js';

/**
 * A number in an element type: bits that one can flip, the value that they are, and its neighbours; or one number in every type, a sum in
 * several orders, a tolerance in ulps.
 *
 *     <hlo-number type="bf16" value="0.7">the text for readers without JavaScript</hlo-number>
 *
 * @attr {'bits' | 'types' | 'sum' | 'ulps'} view bits: of one number; types: the number in every element type; sum: terms in several orders; ulps: two
 *   numbers and what lies between
 * @attr {string} type the element type
 * @attr {string} value a number; of a sum, the terms, between blanks
 * @attr {string} code the bits instead of a value, `0x3f33`; set when a reader flips one
 * @attr {string} other the second number, of ulps
 * @attr {number} tolerance of ulps: how many steps are allowed
 * @attr {boolean} compact without the fields
 * @method {toSVG(): Promise<string>} the bits, the table or the words as an SVG document, in the colours of the moment
 * @fires {CustomEvent<{ type: string, value: string, code: string }>} hlo-change a reader has chosen another type, typed a number or flipped a bit
 * @csspart question the fields
 * @csspart bits
 * @csspart value
 * @csspart ruler the numbers around this one
 * @csspart table
 * @csspart message what is wrong with what was typed
 */
export class HloNumber extends HloElement {
  static tag = 'hlo-number';

  static properties = {
    ...HloElement.properties,
    view: { reflect: true, useDefault: true },
    type: { reflect: true },
    value: { reflect: true },
    code: { reflect: true },
    other: { reflect: true },
    tolerance: { type: Number, reflect: true, useDefault: true },
    compact: { type: Boolean, reflect: true },
  };

  static loadDisplay = async (/** @type {HloNumber} */ host) => new (await import('./number-view.js')).NumberView(host);

  constructor() {
    super();
    /** @type {'bits' | 'types' | 'sum' | 'ulps'} */
    this.view = 'bits';
    this.type = 'bf16';
    this.value = '0.7';
    /** @type {string | null | undefined} */
    this.code = undefined;
    /** @type {string | null | undefined} */
    this.other = undefined;
    this.tolerance = 1;
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
