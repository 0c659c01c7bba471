// A small program of each entry, as an editor would see it. tsc checks it in strict mode.
import { HloError, load, type Runtime } from 'webhlo';
import { load as loadInline, worker } from 'webhlo/inline';
import { load as loadWorker } from 'webhlo/worker';
import 'webhlo/elements';
import 'webhlo/weights';

export async function here(): Promise<number[]> {
  const hlo: Runtime = await load({ threads: 2 });
  const b = hlo.builder('axpy');
  const x = b.parameter(0, 'f32[4]', 'x');
  const executable = await hlo.compile(b.build(b.multiply(x, x)));
  try {
    const out = executable.run([new Float32Array([1, 2, 3, 4])]);
    return out.toArray();
  } catch (error) {
    if (error instanceof HloError) console.error(error.code, error.message);
    throw error;
  } finally {
    hlo.dispose();
  }
}

export async function there(text: string): Promise<number[]> {
  for (const open of [loadWorker, worker.load]) {
    const hlo = await open();
    const executable = await hlo.compile(await hlo.parse(text));
    const out = await executable.run([[1, 2, 3, 4]]);
    return await out.toArray();
  }
  return [];
}

export async function bytesOf(address: string): Promise<number> {
  const weights = await (await load()).weights(address, { format: 'safetensors' });
  return weights.bytes;
}

export const inline: Promise<Runtime> = loadInline();

// @ts-expect-error: the number of threads is a number
void load({ threads: 'two' });
