// dist/generated/documentation.js: what the tables of the core say of operations and attributes. It stands beside the WebAssembly, so that
// only programs that show it carry it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.js';

const OPS = /^HLO_OP\(\w+, "(?<key>[^"]*)", .*, "(?<doc>[^"]*)"\)$/gm;
const CODES = /^HLO_CODE\(\w+, "(?<key>[^"]*)", "(?<doc>[^"]*)"\)$/gm;
const ATTRIBUTES = /^HLO_ATTRIBUTE\(\w+, "(?<name>[^"]*)", (?<kind>ENUM|[A-Z_]+)\w*, "(?<doc>[^"]*)"\)$/gm;

/** The rows of a table of src. @param {string} name @param {RegExp} row */
function rows(name, row) {
  const text = readFileSync(join(root, 'src', name), 'utf8');
  return [...text.matchAll(row)].map(({ groups: { key, name, kind, doc } = {} }) => [key ?? `${name} ${kind}`, doc]);
}

/** What each code of HloError means. */
export const errorCodes = () => rows('base/status_codes.def', CODES);

/** The text of dist/generated/documentation.js. */
export function documentationText() {
  const ops = Object.fromEntries(rows('graph/op_table.def', OPS));
  const attributes = Object.fromEntries(rows('graph/attribute_table.def', ATTRIBUTES));
  return `// Made by tools/documentation.js from the core's tables.

/** @type {Record<string, string>} */
const ops = ${JSON.stringify(ops, null, 1)};

/** By name and kind: operations may mean different things by a name. @type {Record<string, string>} */
const attributes = ${JSON.stringify(attributes, null, 1)};

/** One sentence on an operation. @param {{ name: string }} op */
export const opDoc = ({ name }) => ops[name];

/** What an attribute says, in a few words. @param {{ name: string, kind: string }} row */
export const attributeDoc = ({ name, kind }) => attributes[\`\${name} \${kind}\`];
`;
}

/** The declarations of dist/generated/documentation.js. */
export const documentationTypes = `/** One sentence on an operation. */
export function opDoc(op: { name: string }): string;
/** What an attribute says, in a few words. */
export function attributeDoc(row: { name: string, kind: string }): string;
`;
