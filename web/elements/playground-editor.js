// The editor of the playground: CodeMirror, what is wrong under the offending token, and the line of the moment.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import { completionsOf, hloLanguage } from './playground-language.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {{ message: string, line: number, column: number }} Problem line and column from 1; 0 where there are none */
/** @typedef {{ text: (text: string) => void, line: (line: number) => void }} Listener what a reader has typed, and where the cursor is */

const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: '0.8125rem', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--soft)', border: 'none' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--code-selection)' },
  '.cm-chosen': { backgroundColor: 'var(--code-line)', boxShadow: 'inset 2px 0 0 var(--accent)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--soft)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '4px', maxWidth: 'min(34rem, 90vw)' },
  '.cm-tooltip-autocomplete > ul > li': { fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--focus)', color: 'var(--paper)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.75' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '650' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap', borderLeftColor: 'var(--wrong)', fontFamily: 'var(--sans)' },
});

const chosen = Decoration.line({ class: 'cm-chosen' });
/** @type {import('@codemirror/state').StateEffectType<number>} */
const choose = StateEffect.define();
const chosenLine = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const moved = marks.map(transaction.changes);
    const effect = transaction.effects.find((one) => one.is(choose));
    if (!effect) return moved;
    const { doc } = transaction.state;
    return effect.value >= 1 && effect.value <= doc.lines ? Decoration.set(chosen.range(doc.line(effect.value).from)) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Editor {
  #view;
  /** Whether the page, and no reader, changes the text or moves the cursor. */
  #ours = false;

  /** @param {HTMLElement} parent @param {Document | ShadowRoot} root @param {Runtime} hlo @param {Listener} listener */
  constructor(parent, root, hlo, listener) {
    this.#view = new EditorView({
      parent,
      root,
      state: EditorState.create({
        extensions: [
          lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), lintGutter(), chosenLine, theme, hloLanguage,
          autocompletion({ override: [completionsOf(hlo)], icons: false }),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': 'Program', tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
          EditorView.updateListener.of((update) => {
            if (this.#ours) return;
            if (update.docChanged) listener.text(this.text);
            if (update.selectionSet || update.docChanged) listener.line(update.state.doc.lineAt(update.state.selection.main.head).number);
          }),
        ],
      }),
    });
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  /** @param {string} text */
  set text(text) {
    if (text === this.text) return;
    this.#quietly({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, selection: { anchor: 0 } });
  }

  /** Marks a line; `reveal`: puts the cursor there and scrolls to it. @param {number} line from 1; 0: none @param {boolean} [reveal] */
  choose(line, reveal = false) {
    const { doc } = this.#view.state;
    const exists = line >= 1 && line <= doc.lines;
    const moves = reveal && exists ? { selection: { anchor: doc.line(line).from }, effects: [choose.of(line), EditorView.scrollIntoView(doc.line(line).from, { y: 'nearest', yMargin: 40 })] } : { effects: choose.of(line) };
    this.#quietly(moves);
  }

  /** Shows what is wrong under the token there, or takes it away. @param {Problem | undefined} problem */
  set problem(problem) {
    const { state } = this.#view;
    const marks = problem ? [{ ...rangeOf(state.doc, problem), severity: /** @type {const} */ ('error'), message: problem.message }] : [];
    this.#view.dispatch(setDiagnostics(state, marks));
  }

  /** Measures lines that are new on the page now, not in the next frame, so that their numbers stand beside them from the start. */
  measure() {
    this.#view.coordsAtPos(0);
  }

  focus() {
    this.#view.focus();
  }

  destroy() {
    this.#view.destroy();
  }

  /** @param {import('@codemirror/state').TransactionSpec} change */
  #quietly(change) {
    this.#ours = true;
    try {
      this.#view.dispatch(change);
    } finally {
      this.#ours = false;
    }
  }
}

/** The token at a place; columns count bytes. @param {import('@codemirror/state').Text} doc @param {Problem} problem */
function rangeOf(doc, { line, column }) {
  if (line < 1 || line > doc.lines) return { from: 0, to: doc.line(1).to };
  const { from, to, text } = doc.line(line);
  if (column < 1) return { from: from + (/\S/.exec(text)?.index ?? 0), to };
  const bytes = new TextEncoder().encode(text);
  const start = Math.min(new TextDecoder().decode(bytes.subarray(0, column - 1)).length, Math.max(0, text.length - 1));
  const token = /^([%@#]?[\w.-]+|.)/.exec(text.slice(start))?.[0] ?? '';
  return { from: from + start, to: Math.min(to, from + start + Math.max(1, token.length)) };
}
