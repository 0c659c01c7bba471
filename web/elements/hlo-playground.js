// A program that one can change, run and look into.
import { HloElement } from './hlo-element.js';

/**
 * A program that one can change, run and look into: an editor, inputs and results, and beside them the program's graph, what each pass
 * changes, the plan with its kernels, its own WebAssembly, the memory that it needs, a profile, and layouts. All follow the cursor.
 *
 *     <hlo-playground program="softmax">the text for readers without JavaScript</hlo-playground>
 *
 * @attr {string} program one of the menu's programs: softmax, layer, attention, convolution, scan, training-step, shard-map, sort, fft, gather, while, life,
 *   mandelbrot, network
 * @attr {string} code a program of your own, deflated, in base64url; set as a reader types, or when the property `source` is
 * @attr {string} src the address of a program in any form, text or bytes, which is fetched; relative to the page
 * @attr {string} from the id of another playground, whose program this one shows, and follows
 * @attr {boolean} compact the pane alone, without editor, inputs and tabs: a figure of a text
 * @attr {string} inputs the inputs, separated by semicolons: `random`, `random:7`, `[1, 2]`, `f32[2] {1, 2}`
 * @attr {number} seed of random inputs
 * @attr {'results' | 'graph' | 'passes' | 'plan' | 'code' | 'memory' | 'profile' | 'layout' | 'shapes' | 'facts'} pane what stands beside the editor;
 *   shapes and facts, for figures, have no tab
 * @attr {number} line where the cursor is: the instruction there is marked everywhere
 * @attr {number} pass of those that changed something, which one the pane shows
 * @attr {string} open what is open in the graph
 * @attr {'written' | 'compiled'} graph which graph: as it is written, or as the passes leave it
 * @prop {string} source the program's text
 * @fires {CustomEvent<{ source: string }>} hlo-change a reader has changed the program, or chosen another, and it is one
 * @fires {CustomEvent<{ devices: number, outputs: { shape: string, values: unknown[] | undefined }[][] }>} hlo-result a run is done; outputs: of each
 *   device, values in row-major order
 * @csspart menu the programs
 * @csspart editor
 * @csspart message what is wrong with the program
 * @csspart inputs
 * @csspart tabs
 * @csspart pane
 * @csspart output one of the results
 */
export class HloPlayground extends HloElement {
  static tag = 'hlo-playground';
  /** What a page keeps behind the # of its address, which no server is sent. */
  static keepsInFragment = true;

  static properties = {
    ...HloElement.properties,
    source: { attribute: false, noAccessor: true },
    program: { reflect: true },
    code: { reflect: true },
    src: { reflect: true },
    from: {},
    compact: { type: Boolean, reflect: true },
    inputs: { reflect: true },
    seed: { type: Number, reflect: true, useDefault: true },
    pane: { reflect: true, useDefault: true },
    line: { type: Number, reflect: true, useDefault: true },
    pass: { type: Number, reflect: true, useDefault: true },
    open: { reflect: true, useDefault: true },
    graph: { reflect: true, useDefault: true },
  };

  static loadDisplay = async (/** @type {HloPlayground} */ host) => new (await import('./playground-view.js')).PlaygroundView(host);

  constructor() {
    super();
    /** @type {string | null} */
    this.program = 'softmax';
    /** @type {string | null | undefined} */
    this.code = undefined;
    /** @type {string | null | undefined} */
    this.src = undefined;
    this.from = '';
    this.compact = false;
    /** @type {string | null | undefined} */
    this.inputs = undefined;
    this.seed = 0;
    /** @type {string} */
    this.pane = 'results';
    this.line = 0;
    this.pass = 1;
    this.open = '';
    /** @type {string} */
    this.graph = 'written';
  }

  get source() {
    return this.display?.text ?? '';
  }
  set source(text) {
    void this.wake().then(() => this.display?.setText?.(text));
  }
}
