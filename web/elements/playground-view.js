// What <hlo-playground> shows and does: loaded, with the editor, once a playground stands on a page.
import { html, nothing } from 'lit';
import { adoptStyle } from './adopted-style.js';
import { HloGraph } from './hlo-graph.js';
import { HloGrid } from './hlo-grid.js';
import { HloLayout } from './hlo-layout.js';
import { Editor } from './playground-editor.js';
import { layoutTemplate } from './playground-layout.js';
import { outputTemplate, paintPictures } from './playground-outputs.js';
import { packText, unpackText } from './playground-packing.js';
import { factsTemplate, shapesTemplate } from './playground-figures.js';
import { codeTemplate, memoryTemplate, passesTemplate, planTemplate } from './playground-panes.js';
import { measureLimits, profileTemplate } from './playground-profile.js';
import { PROGRAMS } from './playground-programs.js';
import { InputError, Session } from './playground-session.js';
import { bytesText } from './playground-steps.js';
import { playgroundStyle } from './playground-style.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./hlo-playground.js').HloPlayground} HloPlayground */
/** @typedef {import('./playground-inputs.js').Dropped} Dropped */
/** @typedef {import('./playground-session.js').Output} Output */

const PANES = /** @type {const} */ ([
  ['results', 'Results'], ['graph', 'Graph'], ['passes', 'Passes'], ['plan', 'Plan'], ['code', 'Code'], ['memory', 'Memory'], ['profile', 'Profile'], ['layout', 'Layout'],
]);
/** A pause in typing after which the program is read. */
const PAUSE = 200;
/** A run that begins by itself ends after so many milliseconds. */
const PATIENCE = 3000;
/** Programs whose inputs take more bytes than this run only when a reader says so. */
const MOST_INPUTS = 2 ** 24;

export class PlaygroundView {
  /** Where the editor stands. */
  #place = document.createElement('div');
  /** @type {Editor | undefined} */
  #editor;
  /** @type {Session | undefined} the last text that was a program */
  #session;
  /** @type {(string | Dropped)[]} what stands in the fields of the inputs */
  #inputs = [];
  /** @type {{ message: string, line: number, column: number } | undefined} */
  #problem;
  /** @type {{ input: number, message: string } | undefined} */
  #inputProblem;
  #failure = '';
  /** @type {Output[][] | undefined} */
  #outputs;
  /** @type {Map<string, import('./playground-outputs.js').Form>} */
  #forms = new Map();
  /** @type {AbortController | undefined} of the run that goes on */
  #run;
  /** Resolves when no run goes on. @type {Promise<void>} */
  #ended = Promise.resolve();
  /** The states that this view has given the element itself. */
  #own = { program: '', code: '', src: '', from: '', inputs: '' };
  /** The program of `src`. */
  #fetched = '';
  /** @type {HloPlayground | undefined} the playground that this one follows */
  #followed;
  /** Why the program has not run. */
  #waitsFor = '';
  #waiting = 0;
  /** @type {import('../../js/objects/profile.js').Trace | undefined} */
  #trace;
  /** @type {import('./playground-profile.js').Limits | undefined} */
  #limits;
  /** @type {import('./playground-steps.js').Life | undefined} */
  #life;
  #said = '';
  /** Whether a change of `line` comes from the editor. */
  #fromEditor = false;
  #loaded = () => {};
  /** Resolves when the first program has been read, and run. @type {Promise<void>} */
  ready = new Promise((resolve) => (this.#loaded = resolve));

  /** @param {HloPlayground} host */
  constructor(host) {
    this.host = host;
    this.#place.className = 'editor';
    this.#place.setAttribute('part', 'editor');
    HloGrid.define();
    HloGraph.define();
    HloLayout.define();
  }

  get text() {
    return this.#editor?.text ?? '';
  }

  get #hlo() {
    return /** @type {Runtime} */ (this.host.runtime);
  }

  stop() {
    clearTimeout(this.#waiting);
    this.#run?.abort();
  }

  // ---- The program ----

  /** Attributes have changed, by the page or by this view. @param {Map<string, unknown>} changed */
  changed(changed) {
    const { host } = this;
    if (!this.#editor) {
      this.#editor = new Editor(this.#place, /** @type {ShadowRoot} */ (host.renderRoot), this.#hlo, { text: () => this.#typed(), line: (line) => this.#moved(line) });
      void this.#open();
      return;
    }
    const isForeign = ['program', 'code', 'src', 'from', 'inputs'].some((name) => changed.has(name) && (/** @type {any} */ (host)[name] ?? '') !== /** @type {any} */ (this.#own)[name]);
    if (isForeign) void this.#open();
    else if (changed.has('seed')) this.#again();
    if (changed.has('line')) this.#editor.choose(host.line, !this.#fromEditor);
    this.#fromEditor = false;
  }

  /** Shows the program that the attributes name. */
  async #open() {
    const { host } = this;
    const { program, code, src, from, inputs } = host;
    this.#own = { program: program ?? '', code: code ?? '', src: src ?? '', from: from ?? '', inputs: inputs ?? '' };
    const known = PROGRAMS[program ?? ''] ?? PROGRAMS.softmax;
    let text = known.text;
    /** @type {Error | undefined} */
    let failure = program && known !== PROGRAMS[program] && !from && !code && !src ? new Error(`There is no program ${program}; this is ${known.title}.`) : undefined;
    this.#inputs = inputs ? inputs.split(';').map((one) => one.trim()) : code || src ? [] : [...(known.inputs ?? [])];
    try {
      if (from) text = await this.#follow(from);
      else if (code) text = await unpackText(code);
      else if (src) text = this.#fetched = await this.#fetch(src);
    } catch (error) {
      failure = /** @type {Error} */ (error);
      if (src || from) text = '';
    }
    if (src !== host.src || code !== host.code || from !== host.from) return; // another is wanted by now
    const editor = /** @type {Editor} */ (this.#editor);
    editor.text = text;
    if (host.line) editor.choose(host.line, true);
    await this.#read();
    if (failure) {
      this.#said = failure.message;
      if (!text) this.#problem = { message: failure.message, line: 0, column: 0 };
      host.emit('hlo-error', { error: failure });
      host.requestUpdate();
    }
    this.#loaded();
  }

  /** The program at an address, as text. @param {string} src */
  async #fetch(src) {
    const url = new URL(src, document.baseURI);
    const response = await fetch(url).catch((error) => {
      throw new Error(`${url.href} cannot be fetched: ${error.message}`);
    });
    if (!response.ok) throw new Error(`${url.href} cannot be fetched: ${response.status}`);
    return this.#textOf(new Uint8Array(await response.arrayBuffer()));
  }

  /** The text of a program in any form. @param {Uint8Array} bytes */
  #textOf(bytes) {
    if (!isText(bytes)) return Session.textOf(this.#hlo, bytes);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new Error('this is neither text in UTF-8 nor a form of programs that WebHLO reads.');
    }
  }

  /** The program of another playground, and from now on all that it becomes. @param {string} id */
  async #follow(id) {
    const root = /** @type {Document | ShadowRoot} */ (this.host.getRootNode());
    const other = /** @type {HloPlayground | null} */ (root.getElementById(id));
    if (!other?.wake || other === this.host) throw new Error(`There is no playground ${id} on this page.`);
    await other.wake();
    if (this.#followed !== other) other.addEventListener('hlo-change', () => other === this.#followed && this.host.isConnected && this.host.from === id && void this.#open());
    this.#followed = other;
    const view = /** @type {PlaygroundView | undefined} */ (other.display);
    this.#inputs = [...(view?.inputs ?? [])];
    return other.source;
  }

  /** What stands in the fields of the inputs. */
  get inputs() {
    return this.#inputs;
  }

  /** @param {string} text */
  setText(text) {
    if (!this.#editor) return;
    this.#editor.text = text;
    this.#typed();
  }

  #typed() {
    clearTimeout(this.#waiting);
    this.#waiting = window.setTimeout(async () => {
      const before = this.#session?.inputs.map(({ shape }) => String(shape));
      await this.#remember();
      await this.#read(before);
      if (!this.#problem) this.host.emit('hlo-change', { source: this.text });
    }, PAUSE);
  }

  /** Keeps the text in the attributes. */
  async #remember() {
    const { text } = this;
    const { host } = this;
    const isKnown = text === (host.src ? this.#fetched : PROGRAMS[host.program ?? '']?.text);
    const code = isKnown ? undefined : await packText(text);
    if (text !== this.text) return;
    this.#own.code = code ?? '';
    host.code = code;
    this.#rememberInputs();
  }

  #rememberInputs() {
    const usual = this.host.code || this.host.src ? [] : (PROGRAMS[this.host.program ?? '']?.inputs ?? []);
    const texts = this.#inputs.map((given) => (typeof given === 'string' ? given.trim() || 'random' : 'random'));
    const isUsual = texts.every((text, i) => text === (usual[i] ?? 'random'));
    const inputs = isUsual ? undefined : texts.join('; ');
    this.#own.inputs = inputs ?? '';
    this.host.inputs = inputs;
  }

  /** Moves on to another program of the menu. @param {string} name */
  #choose(name) {
    const { host } = this;
    this.#said = '';
    host.program = name;
    host.code = host.src = host.inputs = undefined;
    host.line = 0;
    host.open = '';
    host.pass = 1;
    if (PROGRAMS[name].pane) host.pane = /** @type {string} */ (PROGRAMS[name].pane);
    void this.#open().then(() => host.emit('hlo-change', { source: this.text }));
  }

  /** Reads the text; what is wrong is shown under the token. @param {string[]} [before] shapes of the inputs that the fields were for: where another is wanted, it is random */
  async #read(before) {
    const editor = /** @type {Editor} */ (this.#editor);
    try {
      const session = new Session(this.#hlo, editor.text);
      this.stop();
      this.#session?.dispose();
      this.#session = session;
      this.#problem = undefined;
      if (before) {
        this.#inputs = session.inputs.map(({ shape }, i) => (before[i] === String(shape) ? (this.#inputs[i] ?? 'random') : 'random'));
        this.#rememberInputs();
      }
    } catch (error) {
      const { message, line = 0, column = 0 } = /** @type {any} */ (error);
      this.#problem = { message: plainMessage(message), line, column };
    }
    editor.problem = this.#problem;
    this.#trace = this.#life = undefined;
    if (this.#problem) this.host.requestUpdate();
    else await this.#startUnlessLarge();
  }

  // ---- Runs ----

  async #startUnlessLarge() {
    const bytes = this.#session?.inputBytes ?? 0;
    this.#waitsFor = bytes > MOST_INPUTS ? `Its inputs take ${bytesText(bytes)}. Run fills them and lets it go.` : '';
    if (this.#waitsFor) await this.#compileAhead();
    else await this.#start(PATIENCE);
  }

  /** A program that does not run yet can be looked into all the same. */
  async #compileAhead() {
    const run = (this.#run = new AbortController());
    this.#outputs = undefined;
    this.#failure = '';
    this.host.requestUpdate();
    try {
      await this.#session?.compileAhead(this.#inputs);
    } catch (error) {
      if (this.#run === run) this.#told(/** @type {Error} */ (error));
    }
    if (this.#run === run) this.#run = undefined;
    this.host.requestUpdate();
  }

  #again() {
    if (!this.#problem) void this.#startUnlessLarge();
  }

  /** Runs the program, once a run that is stopped by this has come to its end. @param {number} [patience] how long it may take */
  async #start(patience) {
    this.#run?.abort();
    const session = this.#session;
    if (!session) return;
    const run = (this.#run = new AbortController());
    const before = this.#ended;
    const going = before.then(() => (this.#run === run ? this.#go(session, run, patience) : undefined));
    this.#ended = going;
    await going;
  }

  /** @param {Session} session @param {AbortController} run @param {number} [patience] */
  async #go(session, run, patience) {
    const timer = patience && window.setTimeout(() => run.abort(new Error(`stopped after ${PATIENCE / 1000} seconds; Run lets it go on`)), patience);
    this.#failure = this.#waitsFor = '';
    this.#inputProblem = undefined;
    this.host.requestUpdate();
    try {
      const values = session.values(this.#inputs, this.host.seed);
      await session.compile(values);
      const outputs = await session.run(values, run.signal);
      if (this.#run !== run) return;
      this.#outputs = outputs;
      this.host.emit('hlo-result', { devices: outputs.length, outputs: outputs.map((list) => list.map(({ shape, values: all }) => ({ shape, values: all }))) });
    } catch (error) {
      if (this.#run !== run) return;
      this.#told(/** @type {Error} */ (error));
    } finally {
      clearTimeout(timer);
      if (this.#run === run) this.#run = undefined;
      this.host.requestUpdate();
    }
  }

  /** @param {Error} error */
  #told(error) {
    if (error instanceof InputError) this.#inputProblem = error;
    else this.#failure = error.cause instanceof Error ? error.cause.message : error.message;
    this.#outputs = undefined;
  }

  #profile() {
    const session = this.#session;
    if (!session?.isCompiled || this.#run) return;
    try {
      const values = session.values(this.#inputs, this.host.seed);
      session.profile(values);
      this.#trace = session.profile(values);
    } catch (error) {
      this.#told(/** @type {Error} */ (error));
    }
    this.host.requestUpdate();
  }

  async #measure() {
    this.#limits = await measureLimits(this.#hlo);
    this.#profile();
  }

  // ---- The cursor ----

  /** @param {number} line */
  #moved(line) {
    if (line === this.host.line) return;
    this.#fromEditor = true;
    this.host.line = line;
  }

  /** @returns {import('./playground-panes.js').Link} */
  #link(/** @type {Session} */ session) {
    return { line: this.host.line, linesOf: session.linesOf(), go: (line) => (this.host.line = line) };
  }

  // ---- Files ----

  /** @param {File} file */
  async #take(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.#said = '';
    if (/\.npy$/.test(file.name) && (this.#problem || !this.#session?.inputs.length)) {
      this.#said = this.#problem ? `${file.name} is an input, and the program is not right yet.` : `${file.name} is an input, and this program takes none.`;
      this.host.requestUpdate();
      return;
    }
    if (/\.npy$/.test(file.name)) {
      const first = this.#inputs.findIndex((given) => typeof given === 'string');
      this.#setInput(Math.max(0, first), { name: file.name, bytes });
      return;
    }
    try {
      if (/\.(safetensors|gguf|npz)$/.test(file.name)) throw new Error('weights are not opened here; a program is, or an .npy file for an input.');
      const text = this.#textOf(bytes);
      this.#inputs = [];
      this.setText(text);
      this.#said = isText(bytes) ? '' : `${file.name} was bytes; this is its program as text.`;
    } catch (error) {
      this.#said = `${file.name}: ${/** @type {Error} */ (error).message}`;
    }
    this.host.requestUpdate();
  }

  #drop = (/** @type {DragEvent} */ event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#take(file);
  };

  /** @param {number} i @param {string | Dropped} given */
  #setInput(i, given) {
    const count = this.#session?.inputs.length ?? 0;
    this.#inputs = Array.from({ length: count }, (_, n) => (n === i ? given : (this.#inputs[n] ?? 'random')));
    this.#rememberInputs();
    this.#again();
  }

  async #copyLink() {
    await this.#remember();
    await this.host.updateComplete;
    await new Promise((done) => setTimeout(done, 300)); // the page writes its address
    try {
      await navigator.clipboard.writeText(location.href);
      this.#said = 'The link is in the clipboard.';
    } catch {
      this.#said = 'The link is in the address bar.';
    }
    if (this.#inputs.some((given) => typeof given !== 'string')) this.#said += ' It does not hold the dropped files: where these stand, it has random numbers.';
    this.host.requestUpdate();
  }

  // ---- Picture ----

  /** @param {Runtime} runtime */
  template(runtime) {
    void runtime;
    adoptStyle(this.host, playgroundStyle);
    const { host } = this;
    if (host.compact) return this.#compactTemplate();
    const named = host.src?.split('/').pop() || (host.code ? 'Another program' : '');
    return html`
      <div class="bar" part="menu">
        <label for="program">Program</label>
        <select id="program" @change=${(/** @type {Event} */ event) => this.#choose(/** @type {HTMLSelectElement} */ (event.target).value)}>
          ${named ? html`<option value="" selected disabled>${named}</option>` : nothing}
          ${Object.entries(PROGRAMS).map(([name, { title }]) => html`<option value=${name} .selected=${name === host.program && !named}>${title}</option>`)}
        </select>
        <label class="file">Open a file<input type="file" @change=${(/** @type {Event} */ event) => this.#picked(/** @type {HTMLInputElement} */ (event.target))}></label>
        <button type="button" @click=${() => this.#copyLink()}>Copy link</button>
        <span class="soft said" role="status">${this.#said}</span>
      </div>
      <div class="two" @dragover=${(/** @type {DragEvent} */ event) => event.preventDefault()} @drop=${this.#drop}>
        <section class="left" aria-label="Program and inputs">
          ${this.#place}
          ${this.#problem ? html`<p class="problem" part="message" role="alert">${this.#problem.line ? html`<button type="button" class="link" @click=${() => this.#editor?.choose(this.#problem?.line ?? 0, true)}>Line ${this.#problem.line}${this.#problem.column ? `, column ${this.#problem.column}` : nothing}</button>: ` : nothing}${this.#problem.message}</p>` : nothing}
          ${this.#session ? this.#inputsTemplate(this.#session) : nothing}
        </section>
        <section class="right ${this.#problem ? 'old' : ''}" aria-label="What it does">
          <div class="tabs" part="tabs" role="tablist" aria-label="Panes" @keydown=${this.#tabKey}>
            ${PANES.map(([name, title]) => html`<button type="button" role="tab" id="tab-${name}" aria-controls="pane" aria-selected=${name === host.pane ? 'true' : 'false'} tabindex=${name === host.pane ? 0 : -1} @click=${() => (host.pane = name)}>${title}</button>`)}
          </div>
          ${this.#problem && this.#session ? html`<p class="soft">Of the last text that was a program:</p>` : nothing}
          <div class="pane" id="pane" part="pane" role="tabpanel" aria-labelledby="tab-${host.pane}">${this.#session ? this.#paneTemplate(this.#session) : nothing}</div>
        </section>
      </div>
    `;
  }

  /** The pane alone, and what is wrong with the program. */
  #compactTemplate() {
    const problem = this.#problem ?? (this.#said ? { message: this.#said, line: 0 } : undefined);
    return html`${problem ? html`<p class="problem" part="message" role="alert">${problem.line ? `Line ${problem.line}: ` : nothing}${problem.message}</p>` : nothing}
      ${this.#session ? html`<div class="pane ${this.#problem ? 'old' : ''}" id="pane" part="pane">${this.#paneTemplate(this.#session)}</div>` : nothing}`;
  }

  /** @param {HTMLInputElement} input */
  #picked(input) {
    const file = input.files?.[0];
    if (file) void this.#take(file);
    input.value = '';
  }

  #tabKey = (/** @type {KeyboardEvent} */ event) => {
    const at = PANES.findIndex(([name]) => name === this.host.pane);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: PANES.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.host.pane = PANES[(to + PANES.length) % PANES.length][0];
    void this.host.updateComplete.then(() => /** @type {HTMLElement | null} */ (this.host.renderRoot.querySelector('[role=tab][aria-selected=true]'))?.focus());
  };

  /** @param {Session} session */
  #inputsTemplate({ inputs, devices }) {
    const isRandom = inputs.some((_, i) => typeof (this.#inputs[i] ?? 'random') === 'string' && /^\s*(random.*)?$/.test(String(this.#inputs[i] ?? '')));
    return html`<div class="inputs" part="inputs">
      <h2>${inputs.length ? 'Inputs' : 'No inputs'}${devices > 1 ? html` <span class="soft">each of ${devices} devices has these, or its own where they stand between |; random numbers differ</span>` : nothing}</h2>
      <div class="fields">
      ${inputs.map(({ name, shape }, i) => {
        const given = this.#inputs[i] ?? 'random';
        const problem = this.#inputProblem?.input === i ? this.#inputProblem.message : '';
        return html`<div class="input" @drop=${(/** @type {DragEvent} */ event) => this.#dropInput(event, i)}>
          <label for="input-${i}"><b>${name}</b> <code>${shape.toString().replace(/\{[^}]*\}/g, '')}</code></label>
          <input id="input-${i}" autocomplete="off" autocapitalize="off" spellcheck="false" aria-invalid=${problem ? 'true' : 'false'} aria-describedby=${problem ? `problem-${i}` : nothing}
            .value=${typeof given === 'string' ? given : given.name} ?readonly=${typeof given !== 'string'}
            @input=${(/** @type {Event} */ event) => this.#setInput(i, /** @type {HTMLInputElement} */ (event.target).value)}>
          ${typeof given === 'string' ? nothing : html`<button type="button" @click=${() => this.#setInput(i, 'random')}>Remove</button>`}
          ${problem ? html`<p class="wrong" id="problem-${i}" role="alert">${problem}</p>` : nothing}
        </div>`;
      })}
      </div>
      <div class="go">
        <button type="button" class="run" ?disabled=${Boolean(this.#problem)} @click=${() => (this.#run ? this.#run.abort(new Error('stopped')) : void this.#start())}>${this.#run ? 'Stop' : 'Run'}</button>
        ${isRandom && inputs.length ? html`<button type="button" @click=${() => (this.host.seed += 1)}>Other random numbers</button>` : nothing}
        <span class="soft">${inputs.length ? `random, [1, 2], f32[2] {1, 2}, or a dropped .npy${devices > 1 ? '; [1, 2] | [3, 4] for two devices' : ''}` : ''}</span>
      </div>
    </div>`;
  }

  /** @param {DragEvent} event @param {number} i */
  async #dropInput(event, i) {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    this.#setInput(i, { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }

  /** @param {Session} session */
  #paneTemplate(session) {
    const { pane } = this.host;
    try {
      if (pane === 'graph') return this.#graphTemplate(session);
      if (pane === 'shapes') return shapesTemplate(session);
      if (pane === 'layout') return layoutTemplate(session, this.host.line, (line) => (this.host.line = line));
      if (pane === 'passes') return passesTemplate(session, this.#link(session), this.host.pass, (step) => (this.host.pass = step));
      if (pane === 'plan' || pane === 'code' || pane === 'memory' || pane === 'profile' || pane === 'facts') return this.#compiledTemplate(session, pane);
    } catch (error) {
      return html`<p class="problem" role="alert">${plainMessage(/** @type {Error} */ (error).message)}</p>`;
    }
    return this.#resultsTemplate(session);
  }

  /** @param {Session} session @param {'plan' | 'code' | 'memory' | 'profile' | 'facts'} pane */
  #compiledTemplate(session, pane) {
    if (!session.isCompiled) return html`<p class="soft">${this.#failure || this.#waitsFor || 'The program is being compiled.'}</p>`;
    const link = this.#link(session);
    if (pane === 'facts') return factsTemplate(session);
    if (pane === 'plan') return planTemplate(session, link);
    if (pane === 'code') return codeTemplate(session, link);
    if (pane === 'profile') return profileTemplate(session, this.#trace, this.#limits, link, { again: () => this.#profile(), measure: () => void this.#measure() });
    return memoryTemplate(session, link, this.#life, (life) => {
      this.#life = life;
      this.host.requestUpdate();
    });
  }

  /** @param {Session} session */
  #resultsTemplate(session) {
    if (this.#failure) return html`<p class="problem" role="alert">${plainMessage(this.#failure)}</p>`;
    if (this.#inputProblem) return html`<p class="soft">An input is not understood.</p>`;
    if (!this.#outputs) return html`<p class="soft">${this.#run ? 'It runs.' : this.#waitsFor}</p>`;
    const names = session.resultNames();
    return this.#outputs.map((outputs, device) => html`
      ${/** @type {Output[][]} */ (this.#outputs).length > 1 ? html`<h3>device ${device}</h3>` : nothing}
      ${outputs.map((output, i) => {
        const key = `${device}/${i}`;
        const choose = (/** @type {import('./playground-outputs.js').Form} */ form) => {
          this.#forms.set(key, form);
          this.host.requestUpdate();
        };
        return outputTemplate(output, this.#forms.get(key), choose, names[i] ?? `result ${output.label}`);
      })}
    `);
  }

  /** @param {Session} session */
  #graphTemplate(session) {
    const { host } = this;
    const isCompiled = host.graph === 'compiled';
    return html`<div class="forms" role="group" aria-label="Which graph">
        ${[['written', 'As written'], ['compiled', 'As compiled']].map(([name, title]) => html`<button type="button" aria-pressed=${host.graph === name ? 'true' : 'false'} @click=${() => ((host.graph = name), (host.open = ''))}>${title}</button>`)}
      </div>
      <hlo-graph .graph=${isCompiled ? session.optimised() : session.graph()} .line=${host.line} .open=${host.open}
        @hlo-instruction=${(/** @type {CustomEvent} */ event) => (event.stopPropagation(), event.detail.line && (host.line = event.detail.line))}
        @hlo-change=${(/** @type {CustomEvent} */ event) => (event.stopPropagation(), (host.open = event.detail.open))}></hlo-graph>`;
  }

  updated() {
    this.#editor?.measure();
    paintPictures(this.host.renderRoot);
    if (this.host.pane === 'profile' && !this.#trace && this.#session?.isCompiled && !this.#run && !this.#failure && !this.#waitsFor) this.#profile();
  }
}

/** @param {Uint8Array} bytes */
const isText = (bytes) => !bytes.subarray(0, 4096).includes(0);

/** The first sentence of a message; the editor shows line and caret itself. @param {string} message */
function plainMessage(message) {
  return message.replace(/\n.*$/s, '').replace(/^\w*:?\d+:\d+:\s*/, '');
}
