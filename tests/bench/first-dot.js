// A fresh process: milliseconds from importing the adapter to the first 64×64×64 dot read back.
import { materialise } from './arrays.js';
import { workloads } from './workloads.js';

const [adapterUrl, text] = process.argv.slice(2);
const options = JSON.parse(text);
// The writer of ONNX files is our tool, not part of the peer.
if (adapterUrl.includes('onnxruntime')) options.onnx = (await import('onnx-proto')).default.onnx;
const inputs = materialise(workloads[0].inputs, 'NCHW');
for (const input of Object.values(inputs)) input.rotation.length = 1;

const start = performance.now();
const adapter = await (await import(adapterUrl)).default(options);
const program = await adapter.compile(workloads[0], inputs, {});
await program.run();
await program.read();
console.log(`milliseconds ${performance.now() - start}`);
process.exit();
