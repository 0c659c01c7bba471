import jax
import jax.numpy as jnp
from jax import export

def mlp(params, x):
    hidden = jnp.tanh(x @ params['dense']['kernel'] + params['dense']['bias'])
    return {'logits': hidden @ params['head']['kernel'], 'hidden': hidden}

def array(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)

params = {'dense': {'kernel': array(4, 3), 'bias': array(3)}, 'head': {'kernel': array(3, 2)}}
exported = export.export(jax.jit(mlp), platforms=['cpu'])(params, array(2, 4))
open('mlp.jax', 'wb').write(exported.serialize())
