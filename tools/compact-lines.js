// White space costs bytes, and lines help who reads a trace: a script keeps one statement of the module, or member of a class, a line.

/** Lists of what stands on lines of its own. @type {Record<string, string>} by the type of a node: its property */
const LINES = { Program: 'body', ClassBody: 'body' };
/** Lists that are broken where lines are long. @type {Record<string, string>} */
const LISTS = { BlockStatement: 'body', FunctionBody: 'body', StaticBlock: 'body', SwitchCase: 'consequent', ObjectExpression: 'properties', ArrayExpression: 'elements', CallExpression: 'arguments', NewExpression: 'arguments', ExportNamedDeclaration: 'specifiers' };

/**
 * Where the elements of some lists begin; of each list but the first.
 * @param {any} node @param {Record<string, string>} lists @param {Set<number>} found
 */
function starts(node, lists, found) {
  if (Array.isArray(node)) for (const part of node) starts(part, lists, found);
  else if (typeof node === 'object' && node !== null) {
    const list = node[lists[node.type]];
    if (Array.isArray(list)) for (const part of node.type === 'ClassBody' ? list : list.slice(1)) if (part) found.add(part.start);
    for (const value of Object.values(node)) if (typeof value === 'object') starts(value, lists, found);
  }
}

/**
 * @param {string} name of the script, for messages
 * @param {string} text a module
 * @param {number} long longer lines are broken between statements, and within lists, as well
 * @returns {Promise<string>} the same, with other white space
 */
export async function compactLines(name, text, long) {
  const { minifySync, parseSync } = await import('rolldown/utils');
  const { code, errors } = minifySync(name, text, { module: true, compress: false, mangle: false, codegen: { removeWhitespace: true } });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  const { program } = parseSync(name, code);
  const lines = new Set([0]);
  const within = new Set();
  starts(program, LINES, lines);
  starts(program, LISTS, within);
  let written = '';
  let begun = 0; // of the line
  let last = 0;
  const places = [...new Set([...lines, ...within])].sort((a, b) => a - b);
  places.forEach((place, i) => {
    const next = places[i + 1] ?? code.length;
    if (place === 0 || !(lines.has(place) || next - begun > long)) return;
    written += `${code.slice(last, place)}\n`;
    begun = last = place;
  });
  return `${written}${code.slice(last)}\n`;
}
