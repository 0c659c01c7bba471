import { load } from 'webhlo';
import { load as loadWorker } from 'webhlo/worker';
import { report } from '../../program.js';

export const dynamic = 'force-dynamic';

export async function GET() {
  return Response.json(await report({ load, loadWorker }).catch((error) => ({ failed: error.stack })));
}
