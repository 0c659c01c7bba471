import jax
import jax.numpy as jnp
from jax import export

def loss(weights, x, y):
    return jnp.mean((x @ weights - y) ** 2)

def step(weights, x, y):
    value, gradient = jax.value_and_grad(loss)(weights, x, y)
    return weights - 0.1 * gradient, value

def array(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)

exported = export.export(jax.jit(step), platforms=['cpu'])(array(2), array(4, 2), array(4))
open('step.mlirbc', 'wb').write(exported.mlir_module_serialized)
