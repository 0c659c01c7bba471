// Replicas that meet in a collective: who sends what to whom.
import { HloElement, svgOf } from './hlo-element.js';

/**
 * Replicas that meet in a collective: what each has before and after, and who sends what to whom, one replica after the other; or the ring of
 * an all-reduce, step by step as it ran.
 *
 *     <hlo-collective op="all-gather" shape="f32[2]" devices="4">the text for readers without JavaScript</hlo-collective>
 *
 * @attr {'all-reduce' | 'all-gather' | 'reduce-scatter' | 'all-to-all' | 'collective-permute' | 'collective-broadcast' | 'ring'} op
 * @attr {number} devices how many replicas
 * @attr {string} shape what each has; of a ring, the element type counts alone
 * @attr {string} values elements in row-major order, one replica after the other
 * @attr {string} attrs attributes as in HLO text, `replica_groups={{0,1},{2,3}}`; those not said are the op's usual ones
 * @attr {number} step what is shown: 0 before, then a replica or a step of the ring at a time
 * @attr {string} playground the address of a page with an `<hlo-playground id="playground">`, to open the program there
 * @attr {boolean} compact without the fields
 * @method {toSVG(): Promise<string>} what the replicas have in this step as an SVG document, in the colours of the moment
 * @fires {CustomEvent<{ step: number }>} hlo-step a reader has gone to another step
 * @fires {CustomEvent<{ op: string, devices: number, shape: string, attrs: string }>} hlo-change a reader has changed the question
 * @csspart question the fields
 * @csspart message what is wrong
 * @csspart steps the buttons
 * @csspart picture
 * @csspart cell an element
 * @csspart words what happens in the step
 * @csspart program the HLO text
 * @csspart playground the link to it
 */
export class HloCollective extends HloElement {
  static tag = 'hlo-collective';

  static properties = {
    ...HloElement.properties,
    op: { reflect: true, useDefault: true },
    devices: { type: Number, reflect: true, useDefault: true },
    shape: { reflect: true, useDefault: true },
    values: { reflect: true },
    attrs: { reflect: true },
    step: { type: Number, reflect: true, useDefault: true },
    playground: {},
    compact: { type: Boolean, reflect: true },
  };

  static loadDisplay = async (/** @type {HloCollective} */ host) => new (await import('./collective-view.js')).CollectiveView(host);

  constructor() {
    super();
    /** @type {string} */
    this.op = 'all-reduce';
    this.devices = 4;
    this.shape = 'f32[4]';
    /** @type {string | null | undefined} */
    this.values = undefined;
    /** @type {string | null | undefined} */
    this.attrs = undefined;
    this.step = 0;
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
