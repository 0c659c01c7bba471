#!/usr/bin/env node
// The command `webhlo`.

try {
  const { main } = await import('./commands/program.js');
  await main(process.argv.slice(2));
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'commander'")) throw error;
  process.stderr.write('webhlo: in a checkout, the command line needs the development dependencies: npm ci installs them\n');
  process.exitCode = 1;
}
