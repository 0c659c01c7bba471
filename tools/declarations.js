// Declarations for users from those that tsc writes: what an entry exports, and what that mentions, without the members marked @internal.

import { posix } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { docOf, descriptions } from './doc-comments.js';

/** @typedef {any} Node of the syntax tree, as ESTree and typescript-eslint have it */
/** @typedef {{ from: string, name: string }} Elsewhere a name that another file exports */
/** @typedef {{ node: Node, start: number, end: number }} Statement */
/**
 * @typedef {object} File
 * @property {string} path
 * @property {string} text
 * @property {{ start: number, end: number, value: string }[]} comments
 * @property {Map<string, Statement>} declared by name
 * @property {Map<string, Elsewhere>} imported by their names here
 * @property {Map<string, Elsewhere | string>} exported what each is: a name here, or elsewhere
 * @property {string[]} stars files all of which is exported
 * @property {Set<Statement>} kept
 * @property {Set<string>} used imported names that something kept mentions
 */

/** @param {string} path @param {string} specifier @returns {string} */
const resolved = (path, specifier) => posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.d.ts');

/** @param {string} path @param {string} text @returns {File} */
function readFile(path, text) {
  const { program, comments, errors } = parseSync(path, text, { lang: 'dts' });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  /** @type {File} */
  const file = { path, text, comments, declared: new Map(), imported: new Map(), exported: new Map(), stars: [], kept: new Set(), used: new Set() };
  for (const node of program.body) readStatement(file, node);
  return file;
}

/** @param {File} file @param {Node} node */
function readStatement(file, node) {
  const from = node.source && resolved(file.path, node.source.value);
  if (node.type === 'ImportDeclaration') {
    for (const { local, imported } of node.specifiers) file.imported.set(local.name, { from, name: imported.name });
  } else if (node.type === 'ExportAllDeclaration') {
    file.stars.push(from);
  } else if (node.type === 'ExportNamedDeclaration' && !node.declaration) {
    for (const { local, exported } of node.specifiers) file.exported.set(exported.name, from ? { from, name: local.name } : local.name);
  } else {
    const declaration = node.declaration ?? node;
    const { name } = declaration.id ?? declaration.declarations[0].id;
    file.declared.set(name, { node: declaration, start: node.start, end: node.end });
    if (node.declaration) file.exported.set(name, name);
  }
}

/** Calls `visit` for a node and all below it, unless it says no. @param {any} node @param {(node: Node) => boolean | void} visit */
function walk(node, visit) {
  if (Array.isArray(node)) return node.forEach((item) => walk(item, visit));
  if (node === null || typeof node !== 'object' || (typeof node.type === 'string' && visit(node) === false)) return;
  for (const key in node) if (key !== 'type') walk(node[key], visit);
}

/** The first name of `a.b.c`. @param {Node} node @returns {string | undefined} */
const firstName = (node) => (node?.type === 'TSQualifiedName' ? firstName(node.left) : node?.name);

class Declarations {
  /** @param {Record<string, string>} texts by path */
  constructor(texts) {
    this.files = new Map(Object.entries(texts).map(([path, text]) => [path, readFile(path, text)]));
  }

  /** Keeps what a file exports under a name; false where there is nothing. @param {string} path @param {string} name @returns {boolean} */
  keepExport(path, name) {
    const file = this.files.get(path);
    if (!file) throw new Error(`${path}: there is no such file, of which ${name} is`);
    const what = file.exported.get(name);
    if (typeof what === 'string') this.keep(file, what);
    else if (what) this.keepExport(what.from, what.name);
    return what !== undefined || file.stars.some((star) => this.keepExport(star, name));
  }

  /** Keeps all that a file exports. @param {string} path */
  keepAll(path) {
    const file = /** @type {File} */ (this.files.get(path));
    for (const name of file.exported.keys()) this.keepExport(path, name);
    for (const star of file.stars) this.keepAll(star);
  }

  /** Keeps what a name means in a file. @param {File} file @param {string} name */
  keep(file, name) {
    const elsewhere = file.imported.get(name);
    if (elsewhere) {
      file.used.add(name);
      this.keepExport(elsewhere.from, elsewhere.name);
    }
    const statement = file.declared.get(name);
    if (!statement || file.kept.has(statement)) return;
    file.kept.add(statement);
    walk(statement.node, (node) => this.#mentioned(file, node));
  }

  /** @param {File} file @param {Node} node */
  #mentioned(file, node) {
    if (isInternal(file, node) || isHiddenConstructor(file, node)) return false;
    const name = { TSTypeReference: node.typeName, TSTypeQuery: node.exprName, TSInterfaceHeritage: node.expression, ClassDeclaration: node.superClass }[/** @type {string} */ (node.type)];
    if (name) this.keep(file, /** @type {string} */ (firstName(name)));
    if (node.type === 'TSImportType') this.keepExport(resolved(file.path, node.source.value), /** @type {string} */ (firstName(node.qualifier)));
    const base = node.type === 'ClassDeclaration' && baseOf(file, node);
    if (base) this.keep(file, /** @type {string} */ (base.match(/^\w+/)?.[0]));
    return true;
  }

  /** The files of which something was kept, by path. @returns {Record<string, string>} */
  written() {
    return Object.fromEntries([...this.files.values()].map((file) => [file.path, fileText(file)]).filter(([, text]) => text !== ''));
  }
}

/** The comment right before a place. @param {File} file @param {number} start @returns {{ start: number, value: string } | undefined} */
function commentBefore(file, start) {
  const comment = file.comments.findLast(({ end }) => end <= start);
  return comment?.value.startsWith('*') && file.text.slice(comment.end, start).trim() === '' ? comment : undefined;
}

const MEMBERS = ['MethodDefinition', 'PropertyDefinition', 'TSAbstractMethodDefinition'];

/** @param {File} file @param {Node} node @param {string} tag */
const isTagged = (file, node, tag) => MEMBERS.includes(node.type) && (commentBefore(file, node.start)?.value.includes(`@${tag}`) ?? false);
/** @param {File} file @param {Node} node */
const isInternal = (file, node) => isTagged(file, node, 'internal');
/** @param {File} file @param {Node} node */
const isHiddenConstructor = (file, node) => node.kind === 'constructor' && isTagged(file, node, 'hideconstructor');

/** What a class is said to inherit from, where its prototype does so and its text does not. @param {File} file @param {Node} node */
function baseOf(file, node) {
  const start = file.declared.get(node.id.name)?.start ?? node.start;
  return node.superClass ? undefined : commentBefore(file, start)?.value.match(/@augments \{(.*?)\}/)?.[1];
}

/** @param {File} file @param {Node} member @param {string} [text] of it, where not its own */
function memberText(file, member, text = file.text.slice(member.start, member.end)) {
  const doc = docOf(commentBefore(file, member.start)?.value ?? '', '    ');
  return `${doc}    ${text}\n`;
}

/** @param {File} file @param {Node} node @returns {string} */
function classText(file, node) {
  const head = file.text.slice(node.start, node.body.start).trimEnd();
  const base = baseOf(file, node);
  const shown = node.body.body.filter((/** @type {Node} */ member) => !isInternal(file, member) && member.key.type !== 'PrivateIdentifier');
  const hides = shown.length < node.body.body.length;
  const members = shown.map((/** @type {Node} */ member) => {
    if (isHiddenConstructor(file, member)) return memberText(file, member, 'protected constructor();');
    if (isTagged(file, member, 'readonly')) return memberText(file, member, `readonly ${file.text.slice(member.start, member.end)}`);
    const dispose = member.key.name === 'dispose' ? '    /** Calls `dispose`, at the end of a block that has it with `using`. */\n    [Symbol.dispose](): void;\n' : '';
    return memberText(file, member) + dispose;
  });
  return `${head}${base ? ` extends ${base}` : ''} {\n${hides ? '    #private;\n' : ''}${members.join('')}}`;
}

/** @param {File} file @returns {string} */
function fileText(file) {
  const said = descriptions(file.comments.map(({ value }) => value));
  const statements = [...file.declared].filter(([, statement]) => file.kept.has(statement)).map(([name, { node, start, end }]) => {
    const isClass = node.type === 'ClassDeclaration';
    const text = isClass ? file.text.slice(start, node.start) + classText(file, node) : file.text.slice(start, end);
    const comment = commentBefore(file, start)?.value ?? '';
    return docOf(said.get(name) ?? (/@(typedef|callback)\b/.test(comment) ? '' : comment), '') + text;
  });
  const imports = [...file.used].map((name) => {
    const { from, name: theirs } = /** @type {Elsewhere} */ (file.imported.get(name));
    return `import { ${theirs === name ? name : `${theirs} as ${name}`} } from '${specifier(file.path, from)}';`;
  });
  const reexports = reexportsOf(file);
  if (statements.length === 0 && reexports.length === 0) return '';
  const lib = statements.some((text) => text.includes('Symbol.dispose')) ? ['/// <reference lib="esnext.disposable" />'] : [];
  return `${[...lib, ...imports, ...reexports, ...statements].join('\n')}\nexport {};\n`;
}

/** @param {string} path @param {string} to @returns {string} */
function specifier(path, to) {
  const relative = posix.relative(posix.dirname(path), to).replace(/\.d\.ts$/, '.js');
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** @param {File} file @returns {string[]} */
function reexportsOf(file) {
  const named = [...file.exported].flatMap(([name, what]) =>
    typeof what === 'string' ? (what !== name || file.imported.has(what) ? [`export { ${what} as ${name} };`] : []) : [`export { ${what.name} as ${name} } from '${specifier(file.path, what.from)}';`]);
  return [...named, ...file.stars.map((star) => `export * from '${specifier(file.path, star)}';`)];
}

/**
 * The declarations that users get; an entry that exports nothing is a module still.
 * @param {Record<string, string>} texts by path, as tsc wrote them
 * @param {readonly string[]} entries paths
 * @returns {Record<string, string>} by path
 */
export function publicDeclarations(texts, entries) {
  const declarations = new Declarations(texts);
  for (const entry of entries) declarations.keepAll(entry);
  return { ...Object.fromEntries(entries.map((entry) => [entry, 'export {};\n'])), ...declarations.written() };
}
