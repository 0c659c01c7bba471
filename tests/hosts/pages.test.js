// Pages without a bundler, in both browsers: an import map, module workers, service workers, sub-paths, policies.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { serve } from '../browser/server.js';
import { atEnd, expected, inBrowsers, makeApp, missing, tool } from './harness.js';

const app = makeApp('plain');

/** @param {import('../browser/server.js').ServeOptions} [options] */
async function served(options) {
  const server = await serve(app, options);
  atEnd(() => server.close());
  return server.url;
}

for (const isolated of [true, false]) {
  const where = isolated ? 'isolated' : 'not isolated';
  const threads = isolated ? 2 : 1;

  inBrowsers(`an import map, under a sub-path, ${where}`, '', async (answer) => {
    assert.deepEqual(await answer(`${await served({ isolated, base: '/some/where/' })}/import-map.html`), expected({ threads: [1, threads] }));
  });

  inBrowsers(`a module worker, ${where}`, '', async (answer) => {
    assert.deepEqual(await answer(`${await served({ isolated })}/module-worker.html`), expected({ threads: [threads, threads] }));
  });
}

for (const kind of ['module', 'bundled'])
  inBrowsers(`a service worker, ${kind}`, kind === 'bundled' ? missing(tool('esbuild')) : '', async (answer) => {
    if (kind === 'bundled') {
      const { build } = await import('esbuild');
      const logOverride = /** @type {const} */ ({ 'empty-import-meta': 'silent' });
      const outfile = join(app, 'service-worker-bundled.js');
      await build({ entryPoints: [join(app, 'service-worker-inline.js')], outfile, bundle: true, format: 'iife', logLevel: 'error', logOverride });
    }
    const { noWorker, ...rest } = await answer(`${await served()}/service-worker.html?${kind}`);
    assert.deepEqual(rest, expected({ threads: [1], worker: false }));
    refused(noWorker, /no workers here \(a service worker cannot start one\)/);
  });

inBrowsers('a service worker that has not imported webhlo/weights', '', async (answer) => {
  const { refused: failure, after } = await answer(`${await served()}/service-worker.html?bare`);
  refused(failure, /hlo\.weights imports its code when it is first used, which failed: /, /import 'webhlo\/weights' beside 'webhlo', as a service worker must/);
  assert.deepEqual(after, [1, 2]);
});

inBrowsers('the code behind hlo.weights is missing', '', async (answer) => {
  const weights = await answer(`${await served({ answer: (path) => (path.endsWith('/weights-loader.js') ? { status: 404 } : undefined) })}/failures.html?weights`);
  refused(weights, /hlo\.weights imports its code when it is first used, which failed: .*weights-loader\.js/);
});

inBrowsers('webhlo-linear.wasm is missing: programs without linear algebra, Fourier transforms and functions of complex numbers run, and do not ask for it', '', async (answer) => {
  /** @type {string[]} */
  const paths = [];
  const amiss = (/** @type {string} */ path) => (paths.push(path), path.endsWith('/webhlo-linear.wasm') ? { status: 404 } : undefined);
  const { sum, asked, here, remote, transform } = await answer(`${await served({ answer: amiss })}/failures.html?linear`);
  assert.deepEqual(sum, [[8, 4], [4, 10]]);
  assert.equal(asked, 0);
  for (const failure of [here, remote, transform]) refused(failure, /linear algebra, Fourier transforms and functions of complex numbers need webhlo-linear\.wasm: http:.*\/webhlo-linear\.wasm answered 404/, /load\(\{ linear \}\)/);
  assert.equal(paths.filter((path) => path.endsWith('/webhlo-linear.wasm')).length, 3);
});

/** @param {{ name: string, code: string, message: string }} failure @param {...RegExp} patterns */
function refused({ name, code, message }, ...patterns) {
  assert.equal(`${name} ${code}`, 'HloError LOAD', message);
  for (const pattern of patterns) assert.match(message, pattern);
}

/** @param {Record<string, string>} directives */
const policy = (directives) => {
  const all = { 'default-src': "'none'", 'script-src': "'self'", 'connect-src': "'self'", 'img-src': 'data:', ...directives };
  return { headers: { 'content-security-policy': Object.entries(all).map((pair) => pair.join(' ')).join('; ') } };
};

inBrowsers('a policy that allows WebAssembly, and workers of blobs', '', async (answer) => {
  const options = policy({ 'script-src': "'self' 'wasm-unsafe-eval'", 'worker-src': "'self' blob:" });
  assert.deepEqual(await answer(`${await served(options)}/policy.html?entries`), Array(2).fill(expected({ threads: [1, 1] })));
});

inBrowsers('a policy that does not allow WebAssembly', '', async (answer) => {
  for (const failure of await answer(`${await served(policy({ 'worker-src': "'self' blob:" }))}/policy.html?failures`))
    refused(failure, /script-src 'self' 'wasm-unsafe-eval'/);
});

inBrowsers('a policy that does not allow workers of blobs', '', async (answer) => {
  const [here, remote, inline, inlineRemote] = await answer(`${await served(policy({ 'script-src': "'self' 'wasm-unsafe-eval'" }))}/policy.html?failures`);
  for (const { name } of [here, remote, inline]) assert.equal(name, 'none');
  refused(inlineRemote, /worker-src 'self' blob:/);
});

inBrowsers('a policy that allows no requests', '', async (answer) => {
  const options = policy({ 'script-src': "'self' 'wasm-unsafe-eval'", 'connect-src': "'none'", 'worker-src': "'self' blob:" });
  const [here, remote, inline, inlineRemote] = await answer(`${await served(options)}/policy.html?failures`);
  for (const failure of [here, remote]) refused(failure, /http:.*webhlo\.wasm could not be fetched/, /connect-src/);
  for (const { name } of [inline, inlineRemote]) assert.equal(name, 'none');
});

const HTML = '<!doctype html><title>The app</title>';

/** How a server answers amiss, and what the error says. @type {[string, (path: string) => { status?: number, type?: string, body?: string } | undefined, RegExp][]} */
const AMISS = [
  ['nothing', (path) => (path.endsWith('/webhlo.wasm') ? { status: 404 } : undefined), /^http:.*\/webhlo\.wasm answered 404; .*webhlo\/inline/],
  ['a page instead', (path) => (path.endsWith('/webhlo.wasm') ? { body: HTML } : undefined), /^http:.*\/webhlo\.wasm is a page of HTML.*webhlo\/inline/],
  ['a page that is said to be a module', (path) => (path.endsWith('/webhlo.wasm') ? { type: 'application/wasm', body: HTML } : undefined), /^http:.*\/webhlo\.wasm is .*not a WebAssembly module.*webhlo\/inline/],
];

for (const [what, answerAmiss, message] of AMISS)
  inBrowsers(`the server answers with ${what}`, '', async (answer) => {
    const { load, loadWorker, ...others } = await answer(`${await served({ answer: answerAmiss })}/failures.html`);
    refused(load, message);
    refused(loadWorker, message);
    refused(others.given, /^http:.*\/nowhere\.wasm answered 404/);
    refused(others.unreachable, /^http:\/\/127\.0\.0\.1:9\/webhlo\.wasm could not be fetched/);
    refused(others.bytes, /the option wasm is a page of HTML/);
  });

inBrowsers('workers and shared memory that are not to be had', '', async (answer) => {
  const { load, loadWorker, shared, sharedInWorker, notShared, noWorker, refused: thrown } = await answer(`${await served()}/failures.html`);
  for (const { name } of [load, loadWorker, shared, sharedInWorker]) assert.equal(name, 'none');
  refused(notShared, /webhlo-threads\.wasm needs shared memory/, /shared memory is refused/, /Cross-Origin-Opener-Policy/);
  refused(noWorker, /there are no workers here/);
  refused(thrown, /the worker worker-runtime\.js could not be started: workers are refused/);
});

inBrowsers("the script of the worker is missing", '', async (answer) => {
  for (const amiss of [{ status: 404 }, { body: HTML }]) {
    const { loadWorker } = await answer(`${await served({ answer: (path) => (path.endsWith('/worker-runtime.js') ? amiss : undefined) })}/failures.html`);
    refused(loadWorker, /worker-runtime\.js/, /webhlo\/inline/);
  }
});
