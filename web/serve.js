// npm run demo: builds what is missing and serves the pages on localhost, straight from the sources.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { build } from '../tools/build.js';

const built = ['webhlo.wasm', 'webhlo-origins.wasm'].every((name) => existsSync(new URL(`../dist/${name}`, import.meta.url)));
if (!built) await build();
const server = await createServer({ configFile: fileURLToPath(new URL('vite.config.js', import.meta.url)) });
await server.listen();
const [url] = server.resolvedUrls?.local ?? [];
console.log(`\n  WebHLO: ${url}web/\n`);
server.bindCLIShortcuts();
