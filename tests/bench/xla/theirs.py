"""XLA's side: python theirs.py FOLDER. Answers requests, one JSON object a line, on standard input.

prepare  compiles a case, warms it up, and compares the results in the file `results` with its own
sample   milliseconds of a run, over as many runs as last about `milliseconds`
"""

import json
import os
import sys
import time
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

jax.config.update("jax_cpu_enable_async_dispatch", False)

FOLDER = Path(sys.argv[1])
TOLERANCES = {"float64": 1e-8, "complex128": 1e-8, "float32": 5e-4, "complex64": 5e-4, "float16": 2e-2, "bfloat16": 1e-1,
              "float8_e4m3fn": 0.2, "float8_e5m2": 0.3}  # fmt: skip


class Program:
    def __init__(self, entry):
        self.entry = entry
        data = (FOLDER / f"{entry['name']}.inputs").read_bytes()
        self.arguments, at = [], 0
        with jax.enable_x64(entry["x64"]):
            for shape, dtype in zip(entry["inputs"], entry["dtypes"]):
                dims = [int(n) for n in shape[shape.index("[") + 1 : -1].split(",") if n]
                count = int(np.prod(dims, dtype=np.int64))
                array = np.frombuffer(data, jnp.dtype(dtype), count, at).reshape(dims)
                at += array.nbytes
                self.arguments.append(jax.device_put(array))
            call = jax.jit(export.deserialize(bytearray((FOLDER / f"{entry['name']}.jax").read_bytes())).call)
            self.results = [np.asarray(x) for x in jax.tree.leaves(call(*self.arguments))]
        self.call = call

    def run(self, count):
        arguments, call, ready = self.arguments, self.call, jax.block_until_ready
        with jax.enable_x64(self.entry["x64"]):
            start = time.perf_counter()
            for _ in range(count):
                ready(call(*arguments))
            return (time.perf_counter() - start) * 1000 / count

    def difference(self, path):
        """None where the results in the file are within the tolerance."""
        data, at = Path(path).read_bytes(), 0
        if len(data) != sum(x.nbytes for x in self.results):
            return f"{len(data)} bytes, not {sum(x.nbytes for x in self.results)}"
        for number, expected in enumerate(self.results):
            found = np.frombuffer(data, expected.dtype, expected.size, at).reshape(expected.shape)
            at += expected.nbytes
            wrong = self.array_difference(found, expected)
            if wrong:
                return f"result {number}: {wrong}"
        return None

    def array_difference(self, found, expected):
        if not jnp.issubdtype(expected.dtype, jnp.inexact):
            allowed = self.entry["tolerance"] or 0
            off = np.abs(found.astype(np.float64) - expected.astype(np.float64))
            return f"{int((off > allowed).sum())} of {off.size} differ" if (off > allowed).any() else None
        tolerance = self.entry["tolerance"] or TOLERANCES[str(expected.dtype)]
        wide = np.complex128 if expected.dtype.kind == "c" else np.float64
        found, expected = found.astype(wide), expected.astype(wide)
        finite = np.isfinite(expected)
        if (finite != np.isfinite(found)).any() or not np.array_equal(found[~finite], expected[~finite], equal_nan=True):
            return "infinities or NaN differ"
        largest = max(float(np.abs(expected[finite]).max(initial=0)), 1e-30)
        off = float(np.abs(found[finite] - expected[finite]).max(initial=0)) / largest
        return f"{off:.2g} of the largest, allowed {tolerance:g}" if off > tolerance else None


def main():
    entries = {entry["name"]: entry for entry in json.loads((FOLDER / "manifest.json").read_text())["cases"]}
    program = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["method"] == "prepare":
                program = None
                program = Program(entries[request["name"]])
                answer = {"value": {"wrong": program.difference(request["results"])}}
            else:
                answer = {"value": program.run(request["runs"])}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {str(error)[:300]}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
