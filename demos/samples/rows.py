import jax
import jax.numpy as jnp
from jax import export

def normalize(x):
    return x / jnp.sum(x, axis=1, keepdims=True)

rows = export.symbolic_shape('rows')[0]
x = jax.ShapeDtypeStruct((rows, 4), jnp.float32)
exported = export.export(jax.jit(normalize), platforms=['cpu'])(x)
open('rows.mlirbc', 'wb').write(exported.mlir_module_serialized)
