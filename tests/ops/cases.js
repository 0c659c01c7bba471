// Reads the case files of tests/ops: see README.md. A case that could not fail is refused.

/**
 * @typedef {{ code: string, phrase: string }} Refusal
 * @typedef {{ name: string, text: string, inputs: string[], expected: string[], refusal: Refusal | undefined, compare: string }} Case
 */

/** @param {string} source @returns {Case[]} */
export function readCases(source) {
  /** @type {Case[]} */
  const cases = [];
  let current;
  for (const line of source.split('\n')) {
    const field = /^# (case|source|compare|input|expect|error):? ?(.*)$/.exec(line);
    if (field?.[1] === 'case') {
      current = { name: field[2].trim(), text: '', inputs: [], expected: [], refusal: undefined, compare: 'exact' };
      if (cases.some(({ name }) => name === current.name)) throw new Error(`case ${current.name} stands in the file twice`);
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
      current.refusal = refusalOf(current.name, field[2]);
    } else if (field[1] === 'compare') {
      current.compare = field[2].trim();
    }
  }
  if (cases.length === 0) throw new Error('the file holds no case');
  for (const known of cases) check(known);
  return cases;
}

/** @param {string} name @param {string} text */
function refusalOf(name, text) {
  const match = /^([A-Z_]+) (.*\S)/.exec(text);
  if (!match) throw new Error(`case ${name}: "# error: ${text}" must hold a code and a phrase of the rule`);
  return { code: match[1], phrase: match[2] };
}

/** Messages quote the module's lines, so a phrase that occurs in the module would be found in any message. @param {Case} known */
function check({ name, text, expected, refusal, compare }) {
  if ((expected.length > 0) === (refusal !== undefined)) throw new Error(`case ${name} must have either expected results or an error`);
  if (refusal && text.includes(refusal.phrase)) throw new Error(`case ${name}: the phrase "${refusal.phrase}" occurs in the module, so any message would hold it`);
  if (!/^(exact|ulp \d+|sum|relative [\d.e+-]+)$/.test(compare)) throw new Error(`case ${name}: there is no rule of comparison "${compare}"`);
}
