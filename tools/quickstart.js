// npm run quickstart: from a fresh checkout to the first result.
import { build } from './build.js';
import { startHeartbeat } from './heartbeat.js';
import { installPackages } from './toolchain.js';

const doing = startHeartbeat();
doing('installing what is missing');
installPackages();
doing('building');
await build();
doing('');
await import('../demos/digits/digits.js');
