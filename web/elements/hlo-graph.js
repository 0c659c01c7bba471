// The graph of a program: who uses whom, with computations and fusions that open and close.
import { HloElement, svgOf } from './hlo-element.js';

/**
 * The graph of a program: instructions, operands above their users. Fusions, loops and calls open and close.
 *
 *     <hlo-graph program="HloModule m ENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] negate(x) }">the text for readers without JavaScript</hlo-graph>
 *
 * @prop {object} graph the graph, as the core tells it, instead of a program's text
 * @attr {string} program HLO or StableHLO text
 * @attr {boolean} optimised the program as the passes leave it, with its fusions
 * @attr {string} open the instructions that show what they call, separated by blanks; one within another as `loop/fusion.1`
 * @attr {string} at the instruction that is chosen, named in the same way
 * @attr {number} line the line of the text whose instructions are marked
 * @attr {number} zoom 1 for the natural size; 0 for what fits
 * @attr {boolean} compact the picture alone: no buttons, no words
 * @method {toSVG(): Promise<string>} the whole graph, as far as it is open as an SVG document, in the colours of the moment
 * @fires {CustomEvent<{ path: string, name: string, op: string, shape: string, computation: string, line: number }>} hlo-instruction a reader has chosen an
 *   instruction
 * @fires {CustomEvent<{ open: string }>} hlo-change a reader has opened or closed something
 * @csspart toolbar the buttons
 * @csspart viewport the picture
 * @csspart words what is chosen
 * @cssprop --hlo-graph-height of the picture
 */
export class HloGraph extends HloElement {
  static tag = 'hlo-graph';

  static properties = {
    ...HloElement.properties,
    graph: { attribute: false },
    program: {},
    optimised: { type: Boolean, reflect: true },
    open: { reflect: true },
    at: { reflect: true },
    line: { type: Number },
    zoom: { type: Number, reflect: true },
    compact: { type: Boolean, reflect: true },
  };

  static loadDisplay = async (/** @type {HloGraph} */ host) => new (await import('./graph-view.js')).GraphView(host);

  constructor() {
    super();
    /** @type {import('./graph-model.js').Graph | undefined} */
    this.graph = undefined;
    this.program = '';
    this.compact = false;
    this.optimised = false;
    /** @type {string | null} */
    this.open = '';
    /** @type {string | null | undefined} */
    this.at = undefined;
    this.line = 0;
    this.zoom = 0;
  }

  /** @returns {Promise<string>} */
  toSVG() {
    return svgOf(this);
  }
}
