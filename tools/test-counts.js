// A reporter of node --test: one line of JSON for each test that has ended, which tools/test.js counts.

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* counts(source) {
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue;
    const skipped = typeof data.skip === 'string' ? data.skip || 'without a reason' : data.skip ? 'without a reason' : undefined;
    yield `${JSON.stringify({ name: data.name, file: data.file, passed: type === 'test:pass', skipped })}\n`;
  }
}
