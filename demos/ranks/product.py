"""A matrix product whose sum is spread over four devices: each multiplies its columns with its rows, and gets a quarter of the sum of all.

    pip install jax
    python product.py        exports product.mlirbc, with lhs.npy, rhs.npy and what JAX computes: product.npy
"""

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

from pathlib import Path  # noqa: E402

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

HERE = Path(__file__).resolve().parent
M, K, N = 64, 96, 48
mesh = jax.make_mesh((4,), ("k",), axis_types=(jax.sharding.AxisType.Auto,))


def multiply(lhs, rhs):
    return lax.psum_scatter(lhs @ rhs, "k", scatter_dimension=0, tiled=True)


program = jax.jit(jax.shard_map(multiply, mesh=mesh, in_specs=(P(None, "k"), P("k", None)), out_specs=P("k", None)))
random = np.random.default_rng(0)
lhs = random.standard_normal((M, K)).astype(np.float32)
rhs = random.standard_normal((K, N)).astype(np.float32)
(HERE / "product.mlirbc").write_bytes(jax.export.export(program)(lhs, rhs).mlir_module_serialized)
np.save(HERE / "lhs.npy", lhs)
np.save(HERE / "rhs.npy", rhs)
np.save(HERE / "product.npy", np.asarray(program(lhs, rhs)))
