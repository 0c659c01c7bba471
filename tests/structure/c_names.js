// What the C sources define, use and include, read from their text alone: no compiler is needed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.js';

/** The text without comments, and with empty strings and characters; lines keep their numbers. @param {string} text */
export function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'/g, (found, at) => {
    if (found[0] === '"') return /#\s*include\s*$/.test(text.slice(text.lastIndexOf('\n', at) + 1, at)) ? found : '""';
    return found[0] === "'" ? "' '" : found.replace(/[^\n]+/g, ' ');
  });
}

/** The arguments of a macro: the text between the parenthesis at `open` and its match, cut at commas outside of brackets; and where it ends.
 * @param {string} text @param {number} open */
function argumentsAt(text, open) {
  const found = [];
  let depth = 0, start = open + 1;
  for (let at = open; at < text.length; at++) {
    if ('([{'.includes(text[at])) depth++;
    if (')]}'.includes(text[at])) depth--;
    if (depth === 0 || (depth === 1 && text[at] === ',')) {
      found.push(text.slice(start, at).trim());
      start = at + 1;
    }
    if (depth === 0) return { values: found, end: at + 1 };
  }
  return { values: found, end: text.length };
}

/** @typedef {{ parameters: string[], body: string }} Macro */

/** @param {Macro} macro @param {string[]} values */
function substituted({ parameters, body }, values) {
  const bound = new Map(parameters.map((name, index) => [name === '...' ? '__VA_ARGS__' : name, name === '...' ? values.slice(index).join(', ') : values[index] ?? '']));
  const text = body.replace(/(?<!#)#\s*\w+/g, '""').replace(/\w+/g, (word) => bound.get(word) ?? word);
  return text.replace(/\s*##\s*/g, '');
}

/** The text with the given macros expanded, as far as they are called in it. @param {string} text @param {Map<string, Macro>} macros */
function expanded(text, macros, depth = 0) {
  let out = '', last = 0;
  for (const call of text.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)) {
    const macro = macros.get(call[1]);
    if (!macro || call.index < last) continue;
    const { values, end } = argumentsAt(text, call.index + call[0].length - 1);
    const body = substituted(macro, values);
    out += text.slice(last, call.index) + (depth < 4 ? expanded(body, macros, depth + 1) : body);
    last = end;
  }
  return out + text.slice(last);
}

/** What a file says at the top level once tables (.def) that it includes are expanded, and the macros that it defines.
 * @param {string} text without comments */
function preprocessed(text) {
  const macros = new Map(), defined = [], code = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    const define = line.match(/^\s*#\s*define\s+(\w+)(\(([^)]*)\))?\s*(.*)$/);
    const include = line.match(/^\s*#\s*include\s+"([^"]+\.def)"/);
    const undefine = line.match(/^\s*#\s*undef\s+(\w+)/);
    if (define) {
      defined.push(define[1]);
      if (define[2]) macros.set(define[1], { parameters: define[3].split(',').map((name) => name.trim()), body: define[4] });
    } else if (undefine) {
      macros.delete(undefine[1]);
      defined.splice(0, defined.length, ...defined.filter((name) => name !== undefine[1]));
    } else if (include) {
      code.push(expanded(tableRows(include[1]), macros));
    } else if (!/^\s*#/.test(line)) {
      code.push(expanded(line, macros));
    }
  }
  return { code: code.join('\n'), defined };
}

/** @param {string} path below src */
function tableRows(path) {
  const text = withoutComments(readFileSync(join(root, 'src', path), 'utf8')).replace(/\\\n/g, ' ');
  return text.split('\n').filter((line) => !/^\s*#/.test(line)).join('\n');
}

/** Top-level declarations, each without the bodies of functions. @param {string} code */
function declarations(code) {
  const text = code.replace(/__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)/g, ' ').replace(/extern\s+""\s*\{?/g, ' ');
  const found = [];
  let depth = 0, start = 0, body = -1;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if ('({['.includes(c)) {
      if (c === '{' && depth === 0 && /\)\s*$/.test(text.slice(start, at))) body = at;
      depth++;
    } else if (')}]'.includes(c)) {
      depth--;
      if (c === '}' && depth === 0 && body >= 0) {
        found.push(text.slice(start, body));
        start = at + 1;
        body = -1;
      }
    } else if (c === ';' && depth === 0) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return found.map((declaration) => declaration.trim()).filter(Boolean);
}

/** Cuts at commas outside of brackets. @param {string} text */
const atCommas = (text) => argumentsAt(`(${text})`, 0).values;

/** The name that a declarator declares. @param {string} declarator */
function declaredName(declarator) {
  const pointer = declarator.match(/\(\s*\*\s*(?:const\s+)?(\w+)/);
  if (pointer && declarator.indexOf('(') === pointer.index) return pointer[1];
  return declarator.replace(/=[\s\S]*$/, '').replace(/\[[\s\S]*$/, '').match(/(\w+)\s*(?:\([\s\S]*)?$/)?.[1];
}

/** @typedef {{ names: Set<string>, bodies: Set<string> }} Definitions names: types, functions, variables, constants and macros; bodies: tags of structs */

/** What a header defines. @param {string} text @returns {Definitions} */
export function definitionsOf(text) {
  const { code, defined } = preprocessed(withoutComments(text));
  const names = new Set(), bodies = new Set();
  const add = (/** @type {string | undefined} */ name) => name && names.add(name);
  for (const name of defined) add(name);
  for (const declaration of declarations(code)) {
    if (/^_Static_assert\b/.test(declaration)) continue;
    for (const [, body] of declaration.matchAll(/\benum\b\s*\w*\s*\{([^}]*)\}/g))
      for (const constant of atCommas(body)) add(constant.match(/^\w+/)?.[0]);
    for (const [, tag] of declaration.matchAll(/\b(?:struct|union|enum)\s+(\w+)\s*\{/g)) bodies.add(tag);
    let rest = declaration;
    for (let before = ''; before !== rest; ) [before, rest] = [rest, rest.replace(/\{[^{}]*\}/g, ' @ ')];
    if (/^(?:struct|union|enum)\s*\w*\s*(?:@)?\s*$/.test(rest)) continue; // a body, or a forward declaration
    const isType = /^typedef\b/.test(rest);
    const declarators = atCommas(rest.replace(/^(?:typedef|extern|static|inline|\s)+/, ''));
    if (!isType && /^(?:static|inline)\b/.test(rest) && !rest.includes('(') && !rest.includes('=')) continue;
    for (const declarator of declarators) add(declaredName(declarator));
  }
  return { names, bodies };
}

/** The files that it includes, in order. @param {string} text */
export const includesOf = (text) => [...withoutComments(text).matchAll(/^[ \t]*#[ \t]*include[ \t]+(?:"([^"]+)"|<([^>]+)>)/gm)].map(([, own, system]) => own ?? `<${system}>`);

/** Names that a text uses, and beginnings of names (before ##). @param {string} text */
export function usesOf(text) {
  const names = new Set(), beginnings = new Set();
  const code = withoutComments(text).replace(/^[ \t]*#[ \t]*include[^\n]*$/gm, '');
  for (const [word, rest] of [...code.matchAll(/\b([A-Za-z_]\w*)(\s*##)?/g)].map((found) => [found[1], found[2]])) (rest ? beginnings : names).add(word);
  return { names, beginnings };
}

/** Names for which the file needs no header: structs that it declares as `struct x;`, or has as `struct x *member;`, and functions that it
 * declares itself. A `struct x` among parameters is not enough: there it would be another struct. @param {string} text */
export function forwardDeclared(text) {
  const code = withoutComments(text);
  const referred = new Set([...code.matchAll(/\b(?:struct|union)\s+(\w+)\b(?!\s*\{)/g)].map(([, name]) => name));
  const alone = code.replace(/\b(?:struct|union)\s+\w+\b(?!\s*\{)/g, ' ');
  for (const [, parameter] of code.matchAll(/\b(?:struct|union)\s+(\w+)\b[^;{}()]*[,)]/g)) referred.delete(parameter);
  for (const declared of code.matchAll(/^\s*(?:struct|union)\s+(\w+)\s*;/gm)) referred.add(declared[1]);
  for (const name of referred) if (new RegExp(`\\b${name}\\b`).test(alone)) referred.delete(name);
  for (const [, name] of code.matchAll(/^[a-z][\w \t*]*[ *](\w+)\([^;{}()]*\);/gm)) referred.add(name);
  return referred;
}

/** The include guard of a header. @param {string} path below src */
export const guardOf = (path) => `HLO_${path.replace(/\.h$/, '').replace(/[^A-Za-z0-9]/g, '_').toUpperCase()}_H`;

/** The header of a source: the one of the same name beside it. @param {string} path */
export const ownHeader = (path) => path.replace(/\.c$/, '.h');

/** By path below src: the text of each .c and .h file. @param {string[]} paths below src */
export const readAll = (paths) => new Map(paths.map((path) => [path, readFileSync(join(root, 'src', path), 'utf8')]));

/** By name: the headers that define it. @param {Map<string, string>} texts */
export function ownersOf(texts) {
  const owners = new Map(), bodies = new Map();
  const add = (/** @type {Map<string, string[]>} */ map, /** @type {string} */ name, /** @type {string} */ path) => map.set(name, [...(map.get(name) ?? []), path]);
  for (const [path, text] of texts) {
    if (!path.endsWith('.h')) continue;
    const definitions = definitionsOf(text);
    for (const name of definitions.names) add(owners, name, path);
    for (const name of definitions.bodies) add(bodies, name, path);
  }
  for (const [name, paths] of bodies) if (!owners.has(name)) owners.set(name, paths);
  return { owners, bodies };
}
