'use client';

import { useEffect } from 'react';

export default function Page() {
  useEffect(() => {
    globalThis.answer ??= Promise.resolve([1, 4, 9]);
  }, []);
  return <p>What every page loads</p>;
}
