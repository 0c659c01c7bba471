import jax
import jax.numpy as jnp
from jax import export

weights = jnp.arange(12.0).reshape(4, 3) / 10

def model(x):                                  # any function that jax.jit takes
    return jax.nn.softmax(x @ weights)

x = jax.ShapeDtypeStruct((2, 4), jnp.float32)  # the shape and type of its argument
exported = export.export(jax.jit(model), platforms=['cpu'])(x)
open('model.mlirbc', 'wb').write(exported.mlir_module_serialized)
