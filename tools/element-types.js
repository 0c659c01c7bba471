// The types and the manifest of webhlo/elements, from what its classes say at their heads.

import { readElements } from './element-facts.js';

/** @typedef {import('./element-facts.js').Fact} Fact */
/** @typedef {import('./element-facts.js').AttributeFact} AttributeFact */
/** @typedef {import('./element-facts.js').ElementFacts} ElementFacts */

/** @param {string} text @param {string} indent */
const comment = (text, indent) => (text ? `${indent}/**${text.includes('\n') ? `\n${text.split('\n').map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent}` : ` ${text}`} */\n` : '');

/** @param {AttributeFact} fact */
const fieldType = ({ type, missing }) => (missing ? `${type} | null | undefined` : type);

/** @param {ElementFacts} element */
function classDeclaration({ name, tag, text, example, attributes, properties, methods, events }) {
  const fields = [...attributes, ...properties].map((fact) => `${comment(fact.text, '  ')}  ${fact.field}: ${fieldType(fact)};\n`).join('');
  const calls = methods.map((fact) => `${comment(fact.text, '  ')}  ${fact.type};\n`).join('');
  const map = events.map((fact) => `${comment(fact.text, '  ')}  '${fact.name}': ${fact.type};\n`).join('');
  const given = [...attributes.filter(({ name: attribute, field }) => attribute !== field).map((fact) => `${comment(fact.text, '  ')}  '${fact.name}'?: ${fieldType(fact)};\n`),
    ...[...attributes, ...properties].map((fact) => `${comment(fact.text, '  ')}  ${fact.field}?: ${fieldType(fact)};\n`)].join('');
  const heard = events.map((fact) => `${comment(fact.text, '  ')}  'on${fact.name}'?: (event: ${fact.type}) => void;\n`).join('');
  return `/** Events of \`<${tag}>\`, by their names. */
export interface ${name}EventMap extends HTMLElementEventMap {
${map}}

/** Attributes and properties of \`<${tag}>\`, as templates give them. */
export interface ${name}Attributes {
${given}}

/** Listeners for events of \`<${tag}>\`, as JSX gives them. */
export interface ${name}Listeners {
${heard}}

${comment(`${text}\n\n    ${example.replaceAll('\n', '\n    ')}`, '')}export declare class ${name} extends HTMLElement {
  /** The name that it is defined under. */
  static tag: string;
  /** Defines it, under another name where one is given. */
  static define(tag?: string): typeof ${name};
${fields}${calls}  /** Resolves when the picture stands. */
  readonly updateComplete: Promise<boolean>;
  addEventListener<K extends keyof ${name}EventMap>(type: K, listener: (this: ${name}, event: ${name}EventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof ${name}EventMap>(type: K, listener: (this: ${name}, event: ${name}EventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | EventListenerOptions): void;
}
`;
}

/** The text of dist/elements/webhlo-elements.d.ts. @param {readonly ElementFacts[]} elements */
export function elementTypes(elements) {
  /** @param {(element: ElementFacts) => string} line */
  const each = (line) => elements.map(line).join('\n');
  /** @param {string} host @param {string} inside */
  const augmented = (host, inside) => `// @ts-ignore: it need not be installed\ndeclare module '${host}' {\n${inside}\n}`;
  /** @param {(listeners: string) => string} heard */
  const jsx = (heard = (listeners) => listeners) =>
    `  namespace JSX {\n    interface IntrinsicElements {\n${each(({ name, tag }) => `      '${tag}': HloProps<IntrinsicElements, ${name}, ${name}Attributes & ${heard(`${name}Listeners`)}>;`)}\n    }\n  }`;
  return `// Made by tools/element-types.js from the heads of the classes in web/elements.

/** The runtime that all elements of a page share, loaded when it is first asked for. */
export declare function sharedRuntime(): Promise<import('../types/index.js').Runtime>;

${each(classDeclaration)}
declare global {
  interface HTMLElementTagNameMap {
${each(({ name, tag }) => `    '${tag}': ${name};`)}
  }
}

/** What JSX gives any element, as the framework at hand declares it for a \`<div>\`, and what it gives this one. */
export type HloProps<Elements, Element, Own> = Own & { ref?: HloRef<Element> } & (Elements extends { div: infer Div } ? Omit<Div, keyof Own | 'ref'> : { [attribute: string]: unknown });
/** A ref of React or Preact, or Solid's variable. */
export type HloRef<Element> = Element | { current: Element | null } | ((element: Element) => unknown) | ((element: Element | null) => unknown) | null;
/** Listeners as Solid has them: \`on:hlo-change\`. */
export type HloSolidListeners<Listeners> = { [K in keyof Listeners as K extends \`on\${infer Name}\` ? \`on:\${Name}\` : never]: Listeners[K] };
/** An element in a template of Vue. */
export type HloVueElement<Element, Own, Events> = new () => Element & {
  $props: Own & { id?: string; class?: unknown; style?: unknown; hidden?: boolean; slot?: string; title?: string };
  $emit: <K extends keyof Events>(name: K, event: Events[K]) => void;
};

${augmented('react', jsx())}
${augmented('preact', jsx())}
${augmented('solid-js/jsx-runtime', jsx((listeners) => `HloSolidListeners<${listeners}>`))}
${augmented('vue', `  interface GlobalComponents {\n${each(({ name, tag }) => `    '${tag}': HloVueElement<${name}, ${name}Attributes, ${name}EventMap>;`)}\n  }`)}
`;
}

// ---- Manifest ----

/** @param {Fact} fact */
const described = ({ name, type, text }) => ({ name, ...(type && { type: { text: type } }), ...(text && { description: text }) });

/** @param {AttributeFact} fact */
const valued = (fact) => ({ ...described({ ...fact, type: fieldType(fact) }), ...(fact.initial && fact.initial !== 'undefined' && { default: fact.initial }) });

/** The text of dist/elements/custom-elements.json (https://github.com/webcomponents/custom-elements-manifest). @param {readonly ElementFacts[]} elements */
export function elementManifest(elements) {
  const path = 'dist/elements/webhlo-elements.js';
  const declarations = elements.map(({ name, tag, text, attributes, properties, methods, events, parts, variables, slots }) => ({
    kind: 'class', customElement: true, name, tagName: tag, description: text, superclass: { name: 'HTMLElement' },
    attributes: attributes.map((fact) => ({ ...valued(fact), fieldName: fact.field })),
    members: [
      ...[...attributes, ...properties].map((fact) => ({ kind: 'field', ...valued({ ...fact, name: fact.field }), ...(attributes.includes(fact) && { attribute: fact.name }) })),
      ...methods.map((fact) => ({ kind: 'method', ...described(fact) })),
    ],
    events: events.map(described), cssParts: parts.map(described), cssProperties: variables.map(described), slots: slots.map(described),
  }));
  const exports = elements.flatMap(({ name, tag }) => [
    { kind: 'js', name, declaration: { name, module: path } },
    { kind: 'custom-element-definition', name: tag, declaration: { name, module: path } },
  ]);
  const manifest = { schemaVersion: '2.1.0', modules: [{ kind: 'javascript-module', path, declarations, exports }] };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** The text of dist/pictures/pictures.d.ts: elements with a method toSVG have a picture. */
export function pictureTypes() {
  const tags = readElements().filter(({ methods }) => methods.some(({ name }) => name === 'toSVG')).map(({ tag }) => `'${tag}'`);
  return `// Made by tools/element-types.js from the heads of the classes in web/elements.
import type { Runtime } from '../types/index.js';

/** Elements that have a picture. */
export type PictureTag = ${tags.join(' | ')};

/**
 * The picture of an element as an SVG document, without a page.
 * @param hlo what \`load({ origins: true })\` gave
 * @param attributes as on the element, by the names of attributes or of properties
 * @param look width: in pixels, as far as the picture can be narrower
 */
export declare function drawElement(hlo: Runtime, tag: PictureTag, attributes?: Record<string, unknown>, look?: { scheme?: 'light' | 'dark'; width?: number }): Promise<string>;
`;
}

/** The files that stand beside the elements' script, by name. @returns {Record<string, string>} */
export function elementFiles() {
  const elements = readElements();
  return { 'webhlo-elements.d.ts': elementTypes(elements), 'custom-elements.json': elementManifest(elements) };
}
