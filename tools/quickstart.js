// npm run quickstart: from a fresh checkout to the first result.
import { build } from './build.js';
import { installPackages } from './toolchain.js';

installPackages();
await build();
await import('../demos/digits/digits.js');
