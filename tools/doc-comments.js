// Comments of JSDoc as declarations have them: types are in the code there, so comments tell the rest.

/** What says nothing to a reader of declarations: it is in the code, or for the build. */
const DROPPED = ['type', 'readonly', 'internal', 'hideconstructor', 'augments', 'typedef', 'callback', 'property'];
const TAG = /(?:^|\s)@(param|returns|throws|template|type|readonly|internal|hideconstructor|augments|typedef|callback|property|attr|prop|method|fires|csspart|cssprop|slot)\b/;

/** The lines of a comment, without stars. @param {string} comment from its second star on @returns {string} */
export function linesOf(comment) {
  return comment.replace(/^\*/, '').split('\n').map((line) => line.replace(/^\s*\* ?/, '')).join('\n').trim();
}

/** Where the braces close that open at a place. @param {string} text @param {number} open @returns {number} the place after them */
function afterBraces(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}' && --depth === 0) return i + 1;
  }
  return text.length;
}

/** A comment in parts: what it says first, then its tags. @param {string} text @returns {{ tag: string, type: string, text: string }[]} */
export function partsOf(text) {
  const [words, ...rest] = text.split(new RegExp(TAG, 'g'));
  const parts = [{ tag: '', type: '', text: words.trim() }];
  for (let i = 0; i < rest.length; i += 2) {
    const said = rest[i + 1].trim();
    const end = said.startsWith('{') ? afterBraces(said, 0) : 0;
    parts.push({ tag: rest[i], type: said.slice(0, end), text: said.slice(end).trim() });
  }
  return parts;
}

/** A name, with brackets where it is optional, and a description. @param {string} text @returns {[string, string]} */
export function nameAndText(text) {
  const [, name, rest] = /^\[?([\w-]+)(?:=[^\]]*)?\]?\s*([\s\S]*)$/.exec(text) ?? ['', '', text];
  return [name, rest];
}

/** @param {{ tag: string, type: string, text: string }} part @returns {string} empty where it tells nothing that the code does not */
function partText({ tag, type, text }) {
  if (tag === '') return text;
  if (DROPPED.includes(tag)) return '';
  if (tag === 'throws') return `@throws ${type} ${text}`.trim();
  if (tag === 'returns') return text && `@returns ${text}`;
  const [name, words] = nameAndText(text);
  return words && `@${tag} ${name} ${words}`;
}

/**
 * A comment for declarations, with a line break at its end; empty where nothing is left of it.
 * @param {string} comment as the parser gives it, or plain words
 * @param {string} indent
 * @returns {string}
 */
export function docOf(comment, indent) {
  const parts = partsOf(linesOf(comment));
  const hidden = parts.some(({ tag }) => tag === 'hideconstructor');
  const lines = parts.filter(({ tag }) => !hidden || tag === '').map(partText).filter((text) => text !== '').join('\n').split('\n');
  if (lines[0] === '' && lines.length === 1) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** What comments say of the types that they define, by name. @param {readonly string[]} comments @returns {Map<string, string>} */
export function descriptions(comments) {
  const said = new Map();
  for (const comment of comments) {
    const parts = partsOf(linesOf(comment));
    const definition = parts.find(({ tag }) => tag === 'typedef' || tag === 'callback');
    if (!definition) continue;
    const [name, words] = nameAndText(definition.text);
    if (parts[0].text || words) said.set(name, `*${parts[0].text || words}`);
  }
  return said;
}
