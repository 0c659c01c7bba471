// HLO and StableHLO for the editor: colours, and completion from the op table.
import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { opDoc } from '../../dist/generated/documentation.js';
import { STABLEHLO_OPS } from './playground-stablehlo.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('@codemirror/autocomplete').CompletionContext} CompletionContext */
/** @typedef {import('@codemirror/autocomplete').CompletionResult} CompletionResult */

const TYPE = /^(pred|token|opaque|tensor|complex|vector|tuple|index|none|[su](2|4|8|16|32|64)|i(1|2|4|8|16|32|64)|ui(2|4|8|16|32|64)|bf16|f(4|6|8)e\dm\d\w*|f(16|32|64)|c(64|128)|f(4|6|8)E\dM\d\w*)\b/;
const KEYWORD = /^(HloModule|ENTRY|ROOT|module|func|func\.func|return|func\.return|stablehlo\.return|applies|across|private|public|dense|true|false|array|loc)\b/;
const NUMBER = /^-?(0x[\da-fA-F]+|\d+(\.\d*)?([eE][+-]?\d+)?|inf\b|nan\b)/;
/** Sizes and padding of windows: `3x3`, `1_1x0_0`. */
const WINDOW = /^-?\d+(_-?\d+)*(x-?\d+(_-?\d+)*)+(?=[\s},])/;
/** An op, in front of its operands. */
const SHAPED = /^[A-Za-z][\w.-]*(?=\()/;

/** What one token is; the names are those of tags. @param {import('@codemirror/language').StringStream} stream @param {{ comment: boolean }} state */
function tokenOf(stream, state) {
  if (state.comment) {
    if (stream.match(/^.*?\*\//)) state.comment = false;
    else stream.skipToEnd();
    return 'comment';
  }
  if (stream.eatSpace()) return null;
  if (stream.match('//')) return stream.skipToEnd(), 'comment';
  if (stream.match('/*')) return (state.comment = true), 'comment';
  if (stream.match(/^"([^"\\]|\\.)*"?/)) return 'string';
  if (stream.match(/^[%@#!][\w.$-]+/)) return 'variableName';
  if (stream.match(KEYWORD)) return 'keyword';
  if (stream.match(SHAPED)) return 'operatorKeyword';
  if (stream.match(WINDOW)) return 'number';
  if (stream.match(/^"?(stablehlo|chlo|mhlo|sdy|arith|shape|tensor)\.[\w.]+/)) return 'operatorKeyword';
  if (stream.match(/^(?:[\dx?]+x)?(?=(i|ui|f|bf|complex)\w*)/, false)) stream.match(/^[\d?]+(x[\d?]+)*x/);
  if (stream.match(/^[\w.-]+(?=\s*=)/)) return /[({,]\s*$|[)\]}],\s*$/.test(stream.string.slice(0, stream.start)) || /,\s*$/.test(stream.string.slice(0, stream.start)) ? 'propertyName' : 'variableName';
  if (stream.match(TYPE)) return 'typeName';
  if (stream.match(NUMBER)) return 'number';
  if (stream.match(/^[A-Za-z_][\w.-]*/)) return 'name';
  stream.next();
  return null;
}

const language = StreamLanguage.define({
  name: 'hlo',
  startState: () => ({ comment: false }),
  copyState: ({ comment }) => ({ comment }),
  token: tokenOf,
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--ink)', fontWeight: '650' },
  { tag: tags.operatorKeyword, color: 'var(--code-op)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.string, color: 'var(--code-number)' },
  { tag: tags.propertyName, color: 'var(--soft)' },
]);

/** Colours, comments and brackets. */
export const hloLanguage = new LanguageSupport(language, [syntaxHighlighting(colours)]);

/** Names that the text defines, in front of a place. @param {string} text @param {RegExp} definition */
const namesIn = (text, definition) => [...new Set(Array.from(text.matchAll(definition), ([, name]) => name))];

/** @param {string[]} names @param {string} type @returns {import('@codemirror/autocomplete').Completion[]} */
const plain = (names, type) => names.map((label) => ({ label, type }));

/**
 * Completes ops, attributes, types and names.
 * @param {Runtime} hlo
 * @returns {(context: CompletionContext) => CompletionResult | null}
 */
export function completionsOf(hlo) {
  const ops = hlo.ops.map((row) => ({ label: row.name, type: 'function', detail: row.operands.join(', '), info: opDoc(row) }));
  const types = plain(hlo.types.map(({ name }) => name), 'type');
  const stable = STABLEHLO_OPS.map((name) => ({ label: `stablehlo.${name}`, type: 'function' }));
  return (context) => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const word = /[%@]?[\w.-]*$/.exec(before)?.[0] ?? '';
    const from = context.pos - word.length;
    if (!word && !context.explicit) return null;
    const all = context.state.doc.sliceString(0, line.from);
    if (word.startsWith('%')) return { from, options: plain(namesIn(all, /^\s*(%[\w$.-]+)(?::\d+)?\s*=|(?<=[(,]\s*)(%[\w$.-]+)(?=\s*:)/gm), 'variable') };
    if (/^"?(s|stablehlo[\w.]*)$/.test(word)) return { from, options: stable };
    const called = /=\s*(?:\([^=]*?\)|\S+)\s+([\w-]+)\(.*\)\s*,[^=]*$/.exec(before);
    if (called) return attributesAfter(hlo, called[1], from);
    if (/=\s*(\([^=]*\)|\S+)\s+[\w-]*$/.test(before)) return { from, options: ops };
    if (/=\s*\(?[\w-]*$/.test(before)) return { from, options: types };
    if (/\([^()]*$/.test(before)) return { from, options: plain(namesIn(all, /^\s*(?:ROOT\s+)?%?([\w.-]+)\s*=/gm), 'variable') };
    return null;
  };
}

/** @param {Runtime} hlo @param {string} name of an op @param {number} from @returns {CompletionResult | null} */
function attributesAfter(hlo, name, from) {
  const row = hlo.ops.find((op) => op.name === name);
  if (!row) return null;
  const options = row.attributes.map((attribute) => ({ label: attribute.name, apply: `${attribute.name}=`, type: 'property', detail: attribute.required ? 'required' : '', info: attribute.values?.join(', ') }));
  return { from, options };
}
