"""Data-parallel training of the digits network, as one program for four devices.

    pip install jax
    python train.py                              exports train.mlirbc, with images.npy, labels.npy and what JAX computes: losses.npy
    python train.py --process 0 --of 4           one of four processes that train together (start all four), without WebHLO

Each device has a quarter of 448 real scans (../digits), computes the gradient of its own, and the gradients are averaged by psum.
"""

import argparse
import os
import sys
from pathlib import Path

DEVICES = 4
HERE = Path(__file__).resolve().parent
arguments = argparse.ArgumentParser()
arguments.add_argument("--process", type=int)
arguments.add_argument("--of", type=int, default=DEVICES)
arguments.add_argument("--coordinator", default="127.0.0.1:12345")
arguments = arguments.parse_args()
os.environ.setdefault("JAX_PLATFORMS", "cpu")
alone = arguments.process is None
if not alone and DEVICES % arguments.of:
    sys.exit(f"{DEVICES} devices cannot be spread over {arguments.of} processes")
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES if alone else DEVICES // arguments.of}"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec as P  # noqa: E402

STEPS, RATE, SCANS = 20, 0.03, 448

if not alone:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(arguments.coordinator, arguments.of, arguments.process)

mesh = jax.make_mesh((DEVICES,), ("batch",), axis_types=(jax.sharding.AxisType.Auto,))


def init_params():
    random = np.random.default_rng(0)
    shapes = {"conv1": (3, 3, 1, 16), "conv2": (3, 3, 16, 32), "dense1": (288, 64), "dense2": (64, 10)}
    return {name: (random.standard_normal(s) * np.sqrt(2 / np.prod(s[:-1]))).round(3).astype(np.float32) for name, s in shapes.items()}


def network(params, x):
    def conv(x, kernel, padding):
        return lax.conv_general_dilated(x, kernel, (1, 1), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"))

    x = jnp.maximum(conv(x, params["conv1"], "SAME"), 0)
    x = jnp.maximum(conv(x, params["conv2"], "VALID"), 0)
    x = x.reshape(x.shape[0], 3, 2, 3, 2, 32).max(axis=(2, 4)).reshape(x.shape[0], -1)
    return jnp.maximum(x @ params["dense1"], 0) @ params["dense2"]


def loss(params, images, labels):
    right = jax.nn.one_hot(labels, 10)
    return -jnp.sum(jax.nn.log_softmax(network(params, images)) * right) / SCANS


def step(params, images, labels):
    """One step on a device: of its scans the loss and the gradient, which all devices then add up."""
    here, gradient = jax.value_and_grad(loss)(params, images, labels)
    total, gradient = lax.psum((here, gradient), "batch")
    return jax.tree.map(lambda p, g: p - RATE * g, params, gradient), total


def train(images, labels):
    """The loss of each step."""
    images = images.astype(jnp.float32)[..., None] / 16
    return lax.scan(lambda params, _: step(params, images, labels), init_params(), None, length=STEPS)[1]


program = jax.jit(jax.shard_map(train, mesh=mesh, in_specs=(P("batch"), P("batch")), out_specs=P(), check_vma=False))


def main():
    digits = HERE.parent / "digits"
    images = np.load(digits / "held-out-images.npy")[:SCANS]
    labels = np.load(digits / "held-out-labels.npy")[:SCANS].astype(np.int32)
    if not alone:
        spread = NamedSharding(mesh, P("batch"))
        given = [jax.make_array_from_callback(a.shape, spread, lambda place, a=a: a[place]) for a in (images, labels)]
        losses = np.asarray(program(*given).addressable_data(0))
        expected = np.load(HERE / "losses.npy")
        print(f"process {arguments.process}: losses {losses[0]:.6f} ... {losses[-1]:.6f}, at most {np.abs(losses - expected).max():.1e} from losses.npy")
        return
    exported = jax.export.export(program)(images, labels)
    (HERE / "train.mlirbc").write_bytes(exported.mlir_module_serialized)
    np.save(HERE / "images.npy", images)
    np.save(HERE / "labels.npy", labels)
    losses = np.asarray(program(images, labels))
    np.save(HERE / "losses.npy", losses)
    print("losses", losses)


main()
