// The instructions of HLO text, read without our parser.

/**
 * The opcode and the shape of each instruction, in order, without layouts, which XLA prints in places where WebHLO does not.
 * @param {string} text @returns {string[]}
 */
export function instructionsOf(text) {
  const lines = text.matchAll(/^ +(?:ROOT )?%?[\w.-]+ = (\(.*?\)|\S+) ([a-z][\w-]*)\(/gm);
  return Array.from(lines, ([, shape, opcode]) => `${opcode} ${shape.replaceAll(/\{[^}]*\}|\/\*.*?\*\/| /g, '')}`);
}
