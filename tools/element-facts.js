// What the classes of web/elements say at their heads: words, an example (indented by four blanks) and tags, types in braces.
//
//   @attr {TYPE} NAME words     an attribute, which is also a property, its name in camelCase
//   @prop {TYPE} NAME words     a property that is no attribute
//   @method {SIGNATURE} words
//   @fires {TYPE} NAME words    an event
//   @csspart NAME words, @cssprop NAME words, @slot words

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { linesOf, nameAndText, partsOf } from './doc-comments.js';
import { root } from './toolchain.js';

/** @typedef {{ name: string, type: string, text: string }} Fact an event, a part, a CSS variable, ... */
/** @typedef {Fact & { field: string, missing: boolean, initial?: string }} AttributeFact field: the property; missing: whether it may be null or undefined */
/**
 * @typedef {object} ElementFacts
 * @property {string} name of the class
 * @property {string} tag
 * @property {string} text what it is
 * @property {string} example HTML
 * @property {AttributeFact[]} attributes
 * @property {AttributeFact[]} properties that are no attributes
 * @property {Fact[]} methods name and signature
 * @property {Fact[]} events
 * @property {Fact[]} parts
 * @property {Fact[]} variables
 * @property {Fact[]} slots
 */

const FOLDER = join(root, 'web/elements');
const TAGS = ['', 'attr', 'prop', 'method', 'fires', 'csspart', 'cssprop', 'slot'];

/** @param {string} name */
const camelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** What a constructor gives the properties, as text. @param {any} body of a class @param {string} source @returns {Map<string, string>} */
function initialValues(body, source) {
  const constructor = body.body.find((/** @type {any} */ member) => member.kind === 'constructor');
  const values = new Map();
  for (const { expression } of constructor?.value.body.body ?? [])
    if (expression?.type === 'AssignmentExpression') values.set(expression.left.property?.name, source.slice(expression.right.start, expression.right.end));
  return values;
}

/**
 * What a head comment says.
 * @param {string} comment as the parser gives it
 * @param {Map<string, string>} initial values of properties
 */
export function factsOf(comment, initial = new Map()) {
  const unknown = /^\s*\*?\s*@(\w+)/gm;
  for (const [, tag] of comment.matchAll(unknown)) if (!TAGS.includes(tag)) throw new Error(`a head comment has the tag @${tag}, for which there is no place`);
  const parts = partsOf(linesOf(comment));
  const lines = parts[0].text.split('\n');
  const isExample = (/** @type {string} */ line) => /^ {4}</.test(line);
  /** @param {string} text */
  const joined = (text) => text.replace(/\s*\n\s*/g, ' ');
  /** @param {string} tag @returns {Fact[]} */
  const facts = (tag) => parts.filter((part) => part.tag === tag).map(({ type, text }) => {
    const [name, words] = tag === 'slot' ? ['', text] : nameAndText(text);
    return { name, type: type.slice(1, -1), text: joined(words) };
  });
  /** @param {string} tag @returns {AttributeFact[]} */
  const fields = (tag) => facts(tag).map((fact) => {
    const field = camelCase(fact.name);
    const value = initial.get(field);
    return { ...fact, field, missing: value === undefined || value === 'undefined' || value === 'null', initial: value };
  });
  return {
    text: lines.filter((line) => !isExample(line)).join('\n').replace(/\n{3,}/g, '\n\n').trim(),
    example: lines.filter(isExample).map((line) => line.trim()).join('\n'),
    attributes: fields('attr'), properties: fields('prop'), events: facts('fires'), parts: facts('csspart'), variables: facts('cssprop'), slots: facts('slot'),
    methods: parts.filter(({ tag }) => tag === 'method').map(({ type, text }) => ({ name: type.slice(1, type.indexOf('(')), type: type.slice(1, -1), text: joined(text) })),
  };
}

/** @param {string} file @returns {ElementFacts & { base: string }} */
function readElement(file) {
  const source = readFileSync(join(FOLDER, file), 'utf8');
  const { program, comments } = parseSync(file, source);
  const statement = /** @type {any} */ (program.body.find((/** @type {any} */ node) => node.declaration?.type === 'ClassDeclaration'));
  const { id, superClass, body } = statement.declaration;
  const head = comments.findLast(({ end }) => end <= statement.start);
  if (!head?.value.startsWith('*')) throw new Error(`web/elements/${file}: the class ${id.name} has no comment at its head`);
  return { name: id.name, tag: /static tag = '([\w-]*)'/.exec(source)?.[1] ?? '', base: superClass.name, ...factsOf(head.value, initialValues(body, source)) };
}

/** What all elements have in common. */
export const readBase = () => readElement('hlo-element.js');

/** All elements, with what they have from their base where `whole`. @returns {ElementFacts[]} */
export function readElements({ whole = true } = {}) {
  const base = readBase();
  const files = readdirSync(FOLDER).filter((name) => /^hlo-.*\.js$/.test(name) && name !== 'hlo-element.js');
  /** @param {Fact[]} own @param {Fact[]} inherited */
  const joined = (own, inherited) => [...own, ...(whole ? inherited : []).filter(({ name }) => !own.some((fact) => fact.name === name))];
  return files.map(readElement).map(({ base: extended, ...element }) =>
    extended !== base.name
      ? { ...element, variables: joined(element.variables, base.variables) } // styles are those of all elements
      : {
          ...element,
          methods: joined(element.methods, base.methods), events: joined(element.events, base.events), parts: joined(element.parts, base.parts),
          variables: joined(element.variables, base.variables), slots: joined(element.slots, base.slots),
        },
  );
}

