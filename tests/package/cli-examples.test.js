// Every example of every help text, typed as it stands.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli, folder, root } from './command.js';

const bundled = join(root, 'dist/node/cli.js');
const COMMANDS = ['run', 'inspect', 'check', 'convert', 'layout', 'ops'];

/** A shell in a folder of its own, which finds `webhlo`. */
function shell(name, program) {
  const [bin, home] = ['bin', 'home'].map((part) => join(folder, name, part));
  for (const path of [bin, home]) mkdirSync(path, { recursive: true });
  writeFileSync(join(bin, 'webhlo'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'webhlo'), 0o755);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  return { home, type: (line, cwd = home) => spawnSync('sh', ['-c', line], { cwd, env, encoding: 'utf8' }) };
}

const examplesIn = (help) => (help.split('\nExamples:\n')[1] ?? '').trim().split('\n').map((line) => line.trim());

for (const [name, program] of [['modules', cli], ['bundle', bundled]])
  describe(`examples, by the ${name}`, { skip: !existsSync(program) && 'the package is not bundled' }, () => {
    const { home, type } = shell(name, program);
    for (const command of COMMANDS)
      test(command, () => {
        const examples = examplesIn(type(`webhlo ${command} --help`).stdout);
        assert.ok(examples.length >= 2 && examples.every((line) => line.startsWith(`webhlo ${command} `) || line === 'webhlo ops'), examples.join('\n'));
        for (const line of examples) {
          const { status, stdout, stderr } = type(line);
          assert.equal(status, 0, `${line}\n${stderr}`);
          assert.equal(stderr, '', line);
          const written = /(?:--output|>) (\S+)/.exec(line)?.[1];
          if (written) assert.ok(readFileSync(join(home, written)).length > 0, line);
          else assert.ok(stdout.length > 0, line);
          if (line.includes('--json')) JSON.parse(stdout);
        }
      });

    test('paths are those from where the user is', () => {
      assert.match(type('webhlo inspect --help', root).stdout, /\n {2}webhlo inspect demos\/samples\/softmax\.mlir\n/);
    });
  });

test('what examples need is in the package', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.ok(files.includes('demos/samples'));
});
