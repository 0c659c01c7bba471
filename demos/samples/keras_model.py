import os
os.environ['KERAS_BACKEND'] = 'jax'

import jax
import keras
from jax import export

keras.utils.set_random_seed(0)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, 'relu'), keras.layers.Dense(3, 'softmax')])

def predict(x):
    outputs, _ = model.stateless_call(model.trainable_variables, model.non_trainable_variables, x)
    return outputs

exported = export.export(jax.jit(predict), platforms=['cpu'])(jax.ShapeDtypeStruct((2, 4), 'float32'))
open('keras.mlirbc', 'wb').write(exported.mlir_module_serialized)
print(model(jax.numpy.ones((2, 4))))
