'use client';

import { useEffect } from 'react';
import { load } from 'webhlo';
import { load as loadWorker } from 'webhlo/worker';
import { report } from '../program.js';

export default function Page() {
  useEffect(() => {
    globalThis.answer ??= report({ load, loadWorker }).catch((error) => ({ failed: error.stack }));
  }, []);
  return <p>WebHLO in a client component</p>;
}
