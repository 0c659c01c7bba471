// What compiles nowhere: internals, objects that only the package makes, options and values that there are not.

import { Executable, Op, Runtime, Tensor, load } from 'webhlo';
import { RemoteTensor } from 'webhlo/worker';

const hlo = await load();
declare const executable: Executable;
declare const op: Op;
declare const tensor: Tensor;

// @ts-expect-error: only runs and hlo.tensor() make tensors
new Tensor();
// @ts-expect-error
new Runtime();
// @ts-expect-error
new Executable();
// @ts-expect-error
new RemoteTensor();
// @ts-expect-error
void hlo.core;
// @ts-expect-error
void tensor.pointer;
// @ts-expect-error
executable.emit();
// @ts-expect-error
executable.callCustom('f', '');
// @ts-expect-error
void op.builder;
// @ts-expect-error: a tensor is no op
hlo.builder().build(tensor);
// @ts-expect-error
tensor.shape = hlo.shape('f32[]');
// @ts-expect-error
await load({ treads: 2 });
// @ts-expect-error
executable.run(['one']);
// @ts-expect-error
executable.run([1], { seeds: 1 });
// @ts-expect-error
await hlo.compile('HloModule m');
// @ts-expect-error
hlo.makeShape('f33', [1]);
// @ts-expect-error: no such attribute
hlo.builder().iota('f32[2]', { dimension: 0 });
// @ts-expect-error: a value of an enumeration
hlo.builder().compare(op, op, 'LESS');
// @ts-expect-error: a required attribute is missing
hlo.builder().bitcast(op);
