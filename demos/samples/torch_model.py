import jax
import torch
from jax import export
from torchax.export import exported_program_to_stablehlo

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3), torch.nn.Softmax(-1)).eval()
x = torch.ones(2, 4)                           # an example of its argument

weights, program = exported_program_to_stablehlo(torch.export.export(model, (x,)))

def with_weights(x):
    return program.call(weights, ([x],))       # the list holds the arguments of forward

exported = export.export(jax.jit(with_weights), platforms=['cpu'])(jax.ShapeDtypeStruct((2, 4), 'float32'))
open('torch.mlirbc', 'wb').write(exported.mlir_module_serialized)
print(model(x))
