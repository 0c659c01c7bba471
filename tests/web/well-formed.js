// What tests of SVG documents ask of each.
import assert from 'node:assert/strict';

/** Whether elements are closed in the order in which they were opened, numbers are numbers, and nothing outside is referred to. @param {string} svg */
export function mustBeWellFormed(svg) {
  const open = [];
  for (const [, end, name, empty] of svg.matchAll(/<(\/?)([a-z]+)(?:\s+[\w-]+="[^"<]*")*\s*(\/?)>/gi)) {
    if (end) assert.equal(open.pop(), name);
    else if (!empty) open.push(name);
  }
  assert.deepEqual(open, []);
  assert.equal(svg.replace(/<(\/?)([a-z]+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/gi, '').search(/[<>]/), -1, 'no stray bracket');
  assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
  const references = [...svg.matchAll(/(?:href|src)="[^"]*"|url\([^)]*\)|@import|var\(|https?:[^"<]*/g)].map(([text]) => text);
  const defined = [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `url(#${id})`);
  assert.deepEqual(references.filter((text) => text !== 'http://www.w3.org/2000/svg' && !defined.includes(text)), [], 'nothing outside is referred to');
}
