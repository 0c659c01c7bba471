"""One process of an all-reduce by XLA's CPU collectives (gloo): ranks-gloo.py RANK RANKS PORT BYTES:REPEATS,...

Prints a line of JSON for each size: the seconds of each repetition.
"""

import json
import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec as P  # noqa: E402

rank, ranks, port, sizes = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(f"127.0.0.1:{port}", ranks, rank)
mesh = jax.make_mesh((ranks,), ("rank",), axis_types=(jax.sharding.AxisType.Auto,))

for size in sizes.split(","):
    bytes_, repeats = map(int, size.split(":"))
    count = bytes_ // 4
    x = jax.make_array_from_callback((ranks * count,), NamedSharding(mesh, P("rank")), lambda place: np.full(count, 0.1, np.float32))
    add = jax.jit(jax.shard_map(lambda x: jax.lax.psum(x, "rank"), mesh=mesh, in_specs=P("rank"), out_specs=P(), check_vma=False))
    jax.block_until_ready(add(x))
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        jax.block_until_ready(add(x))
        seconds.append(time.perf_counter() - begun)
    if rank == 0:
        print(json.dumps({"bytes": bytes_, "seconds": seconds}), flush=True)
