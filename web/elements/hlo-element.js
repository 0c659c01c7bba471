// What all elements have in common: they wait until they are seen, load the shared runtime, show the text of the page
// until then, and tell the page what happens in them.
import { LitElement, css, html, nothing } from 'lit';
import { sharedRuntime } from './runtime.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/**
 * What shows an element whose code comes on demand, and hears of its updates.
 * @typedef {object} Display
 * @property {(runtime: Runtime) => unknown} template
 * @property {(changed: Map<string, unknown>) => void} changed before an update, once the runtime is there
 * @property {() => void} updated
 * @property {() => void} stop the element has left the page
 * @property {Promise<void>} [ready] resolves when the picture stands
 * @property {string} [text] that stands in its editor
 * @property {(text: string) => void} [setText]
 */

/**
 * The picture of an element as an SVG document, in the colours of the moment: for print, and for pages that are written elsewhere.
 * @param {any} element
 * @returns {Promise<string>}
 */
export async function svgOf(element) {
  return (await import('./element-svg.js')).elementSvg(element);
}

/**
 * Base of the elements. A subclass gives `template(runtime)`; what it throws is shown as the element's problem.
 *
 * The element's light DOM is its text for readers without JavaScript: it stands until the runtime is there.
 *
 * @method {wake(): Promise<void>} loads the runtime now, seen or not; resolves when the picture stands
 * @slot what to read until the runtime is there, and without JavaScript
 * @fires {CustomEvent<{}>} hlo-ready when the first picture stands
 * @fires {CustomEvent<{ error: Error }>} hlo-error when the attributes make no sense, and the message is shown; or when the runtime cannot be loaded,
 *   and the text for readers without JavaScript stays
 * @csspart problem the message of an error
 * @cssprop --hlo-ink text
 * @cssprop --hlo-soft text that matters less
 * @cssprop --hlo-paper background
 * @cssprop --hlo-shade background of what stands apart
 * @cssprop --hlo-line borders
 * @cssprop --hlo-accent what is pointed at
 * @cssprop --hlo-focus the ring around what has the focus
 * @cssprop --hlo-wrong errors
 * @cssprop --hlo-tile-0 the first of the tiles' colours
 * @cssprop --hlo-tile-1 the second
 * @cssprop --hlo-tile-2 the third
 * @cssprop --hlo-tile-3 the fourth
 * @cssprop --hlo-tile-4 the fifth
 * @cssprop --hlo-tile-5 the sixth
 * @cssprop --hlo-tile-6 the seventh
 * @cssprop --hlo-tile-7 the eighth
 * @cssprop --hlo-sans font of words
 * @cssprop --hlo-mono font of code and numbers
 * @cssprop --hlo-color-scheme light or dark; without it, the page's color-scheme
 */
export class HloElement extends LitElement {
  /** @param {string} [tag] */
  static define(tag = this.tag) {
    if (!customElements.get(tag)) customElements.define(tag, this);
    return this;
  }

  /** The name it is defined under; each subclass has its own. */
  static tag = '';

  static properties = {
    runtime: { state: true },
    problem: { state: true },
  };

  static styles = [
    css`
      :host {
        --ink: var(--hlo-ink, light-dark(#1b1f24, #e6e8eb));
        --soft: var(--hlo-soft, light-dark(#59626d, #9aa4b0));
        --paper: var(--hlo-paper, light-dark(#ffffff, #14171b));
        --shade: var(--hlo-shade, light-dark(#f2f4f7, #1e2329));
        --line: var(--hlo-line, light-dark(#c9d0d9, #3a424c));
        --accent: var(--hlo-accent, light-dark(#a8320f, #ff9a76));
        --focus: var(--hlo-focus, light-dark(#0b57d0, #8ab4ff));
        --wrong: var(--hlo-wrong, light-dark(#b3261e, #ff8a80));
        --tile-0: var(--hlo-tile-0, light-dark(#bfdcff, #1f4a7a));
        --tile-1: var(--hlo-tile-1, light-dark(#ffd9a8, #6b4413));
        --tile-2: var(--hlo-tile-2, light-dark(#c5ecc3, #24572a));
        --tile-3: var(--hlo-tile-3, light-dark(#f6c6dd, #6a2c4c));
        --tile-4: var(--hlo-tile-4, light-dark(#fff0a3, #5c5210));
        --tile-5: var(--hlo-tile-5, light-dark(#d5cbf7, #453a78));
        --tile-6: var(--hlo-tile-6, light-dark(#b8ecec, #175a5c));
        --tile-7: var(--hlo-tile-7, light-dark(#e3d4c2, #54463a));
        --sans: var(--hlo-sans, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
        --mono: var(--hlo-mono, ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace);
        display: block;
        color-scheme: var(--hlo-color-scheme, inherit);
        color: var(--ink);
        font: 1rem/1.5 var(--sans);
      }
      :host([hidden]) {
        display: none;
      }
      .problem {
        margin: 0;
        padding: 0.5em 0.75em;
        border-inline-start: 3px solid var(--wrong);
        background: var(--shade);
        font: 0.875rem/1.5 var(--mono);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .failure {
        margin-block-start: 0.5em;
        color: var(--soft);
        font-size: 0.875rem;
        overflow-wrap: anywhere;
      }
      button,
      input,
      select {
        font: inherit;
        color: inherit;
      }
      :focus-visible {
        outline: 2px solid var(--focus);
        outline-offset: 1px;
      }
      @media print {
        :host {
          color-scheme: light;
          print-color-adjust: exact;
          break-inside: avoid;
        }
        :is(button:not(.cell, .bit), input, select, form, .walk, .hint),
        :is([part='toolbar'], [part='question']:not(p), [part='presets'], [part='steps'], [part='menu'], [part='tabs']) {
          display: none !important;
        }
      }
      @media (prefers-reduced-motion: reduce) {
        * {
          transition: none !important;
          animation: none !important;
        }
      }
    `,
  ];

  /** Loads the display of an element that has one. @type {((host: any) => Promise<Display>) | undefined} */
  static loadDisplay = undefined;

  /** @type {Display | undefined} */
  display;
  /** @type {Promise<Display> | undefined} one display, however many ask for it */
  #loading;
  /** @type {IntersectionObserver | undefined} */
  #observer;
  #told = false;
  /** What was not seen yet is printed all the same, where the runtime is there. */
  #printed = () => void this.wake();

  constructor() {
    super();
    /** @type {Runtime | undefined} set once the element has been near the viewport */
    this.runtime = undefined;
    /** @type {Error | undefined} */
    this.problem = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.runtime) return;
    this.#observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.wake(), { rootMargin: '300px' });
    this.#observer.observe(this);
    addEventListener('beforeprint', this.#printed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    removeEventListener('beforeprint', this.#printed);
    this.display?.stop();
  }

  /** Loads the runtime now, seen or not; resolves when the picture stands. */
  async wake() {
    this.#observer?.disconnect();
    try {
      this.display ??= await (this.#loading ??= /** @type {typeof HloElement} */ (this.constructor).loadDisplay?.(this));
      this.runtime ??= await sharedRuntime();
    } catch (error) {
      this.#loading = undefined;
      this.problem = /** @type {Error} */ (error);
      this.emit('hlo-error', { error });
    }
    await this.updateComplete;
    await this.display?.ready;
    if (!this.runtime || this.#told) return;
    this.#told = true;
    this.emit('hlo-ready', {});
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Whether the reader asks for less motion: pictures must not move by themselves. */
  get still() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  /**
   * @param {Runtime} runtime
   * @returns {unknown} the element's content
   */
  template(runtime) {
    return this.display?.template(runtime) ?? nothing;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (this.runtime) this.display?.changed(changed);
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    void changed;
    if (!this.problem) this.display?.updated();
  }

  /** @param {Error} error */
  problemTemplate(error) {
    return html`<p class="problem" part="problem" role="alert">${error.message}</p>`;
  }

  /** The text for readers without JavaScript, and why it stands there: no picture can be drawn on this page. @param {Error} error */
  failureTemplate(error) {
    return html`<slot></slot>
      <details class="failure" part="problem"><summary>The picture cannot be drawn here.</summary>${error.message}</details>`;
  }

  render() {
    if (this.problem) return this.failureTemplate(this.problem);
    if (!this.runtime) return html`<slot></slot>`;
    try {
      return this.template(this.runtime);
    } catch (error) {
      // Told after the update, since a listener may set attributes again.
      queueMicrotask(() => this.emit('hlo-error', { error }));
      return this.problemTemplate(/** @type {Error} */ (error));
    }
  }
}
