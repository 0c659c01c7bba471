// The declarations that ship: no `any`, no internals; every object that can be disposed of works with `using`; JSX of frameworks.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as worker from '../../js/worker.js';
import { publicDeclarations } from '../../tools/declarations.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const types = join(root, 'dist/types');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const files = Object.fromEntries(readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts')).map((name) => [name, readFileSync(join(types, name), 'utf8')]));
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

test('no declaration says any', () => {
  for (const [name, text] of Object.entries(files)) assert.doesNotMatch(withoutComments(text), /\bany\b/, name);
});

test('no internal stands in a declaration', () => {
  const types = ['Core', 'Connection', 'Link', 'Host', 'InputLeaf', 'Specializer', 'EmittedLoops', 'CustomCalls', 'BuilderRow', 'Calling', 'Makers'];
  const members = ['core', 'pointer', 'handle', 'emit', 'emitNow', 'free', 'callCustom', 'aborted', 'checks', 'checkLoosely', 'setSizes', 'move', 'trySpecialize',
    'attempt', 'mustPrintSame', 'copyTo', 'share', 'fixed', 'scatterBytes', 'heed', 'ask', 'reference', 'limit', 'helper', 'operandList', 'textOf', 'runFlat',
    'profileFlat', 'flatten', 'calling', 'exported'];
  for (const [name, text] of Object.entries(files)) {
    const code = withoutComments(text);
    for (const type of types) assert.doesNotMatch(code, new RegExp(`\\b${type}\\b`), `${name}: ${type}`);
    for (const [body] of code.matchAll(/^export declare class [\s\S]*?^\}/gm))
      for (const member of members) assert.doesNotMatch(body, new RegExp(`^    (readonly |get |set |static )*${member}[(:?]`, 'm'), `${name}: ${member}`);
    assert.doesNotMatch(text, /@internal|@hideconstructor|@typedef|@readonly/, name);
  }
});

test('only the package makes objects of its classes, and every one that is disposed of works with using', () => {
  for (const [name, Class] of Object.entries(worker)) {
    if (typeof Class !== 'function' || name === 'load') continue;
    const text = Object.values(files).find((file) => new RegExp(`^export declare class ${name}\\b`, 'm').test(file));
    assert.ok(text, name);
    const body = new RegExp(`^export declare class ${name}\\b[\\s\\S]*?^\\}`, 'm').exec(text)?.[0] ?? '';
    if (name !== 'HloError') assert.match(body, /^    protected constructor\(\);$/m, name);
    if (!Object.hasOwn(Class.prototype, 'dispose')) continue;
    assert.match(body, /^    \[Symbol\.dispose\]\(\): void;$/m, name);
    assert.equal(typeof Class.prototype[Symbol.dispose], 'function', name);
  }
});

test('what an entry mentions is kept, what is internal is left out', () => {
  const written = publicDeclarations({
    'index.d.ts': `export { A } from './a.js';\n`,
    'a.d.ts': `import { B } from './b.js';
export type Unused = B;
/**
 * A thing.
 * @typedef {{ x: number }} Facts what is known
 */
export type Facts = { x: number };
/** One. @template T */
export declare class A<T> {
    /** @hideconstructor @param {B} b */
    constructor(b: B);
    /** Its facts. @readonly @type {Facts} */
    facts: Facts;
    /** @internal */
    hidden: import('./b.js').C;
    /** Ends it. @returns {void} nothing */
    dispose(): void;
}
`,
    'b.d.ts': 'export declare class B {}\nexport type C = B;\n',
  }, ['index.d.ts']);
  assert.deepEqual(Object.keys(written), ['index.d.ts', 'a.d.ts']);
  assert.equal(written['a.d.ts'], `/// <reference lib="esnext.disposable" />
/** A thing. */
export type Facts = { x: number };
/** One. */
export declare class A<T> {
    #private;
    protected constructor();
    /** Its facts. */
    readonly facts: Facts;
    /**
     * Ends it.
     * @returns nothing
     */
    dispose(): void;
    /** Calls \`dispose\`, at the end of a block that has it with \`using\`. */
    [Symbol.dispose](): void;
}
export {};
`);
});

/** What a framework declares, as far as elements need it. */
const FRAMEWORK = `export namespace JSX {
  interface Element { jsx: true }
  interface IntrinsicElements { div: { id?: string; className?: string; children?: unknown; key?: string; ref?: (element: HTMLDivElement | null) => void } }
}
`;
const PAGE = `import 'webhlo/elements';
export const page = <div id="a"><hlo-layout shape="f32[2]" className="b" padded-dimensions="3" key="k" onhlo-cell={({ detail }) => detail.offset.toFixed()}>text</hlo-layout></div>;
// @ts-expect-error: there is no such view
export const wrong = <hlo-layout view="none" />;
// @ts-expect-error: there is no such attribute
export const misspelt = <hlo-layout shapes="f32[2]" />;
`;

for (const name of ['react', 'preact'])
  test(`elements in the JSX of ${name}`, { skip: !existsSync(tsc) && 'TypeScript is not installed (npm install)' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'webhlo-jsx-'));
    try {
      const write = (path, text) => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      };
      for (const part of ['package.json', 'dist/types', 'dist/elements']) cpSync(join(root, part), join(folder, 'node_modules/webhlo', part), { recursive: true });
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '19.0.0', exports: { '.': { types: './index.d.ts' }, './jsx-runtime': { types: './jsx-runtime.d.ts' } } }));
      write(`node_modules/${name}/index.d.ts`, FRAMEWORK);
      write(`node_modules/${name}/jsx-runtime.d.ts`, `export { JSX } from './index.js';\n`);
      write('page.tsx', PAGE);
      const args = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', '', '--jsx', 'react-jsx', '--jsxImportSource', name];
      const { status, stdout } = spawnSync(process.execPath, [tsc, ...args.filter((arg, i) => arg !== '' && args[i + 1] !== ''), 'page.tsx'], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
