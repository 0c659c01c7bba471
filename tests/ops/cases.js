// Reads the case files of this folder: see README.md.

/**
 * @typedef {{ name: string, text: string, inputs: string[], expected: string[], error: string | undefined, compare: string }} Case
 * @param {string} source
 * @returns {Case[]}
 */
export function readCases(source) {
  const cases = [];
  let current;
  for (const line of source.split('\n')) {
    const field = /^# (case|source|compare|input|expect|error):? ?(.*)$/.exec(line);
    if (field?.[1] === 'case') {
      current = { name: field[2].trim(), text: '', inputs: [], expected: [], error: undefined, compare: 'exact' };
      cases.push(current);
    } else if (!current) {
      continue;
    } else if (!field) {
      current.text += `${line}\n`;
    } else if (field[1] === 'input') {
      current.inputs.push(field[2]);
    } else if (field[1] === 'expect') {
      current.expected.push(field[2]);
    } else if (field[1] === 'error') {
      current.error = field[2].trim();
    } else if (field[1] === 'compare') {
      current.compare = field[2].trim();
    }
  }
  return cases;
}
