"""Makes the files *.corpus.gz: functions exported by JAX, and XLA CPU's answers.

    pip install jax flax flatbuffers
    python generate.py [module ...]

Inputs are seeded. `--remarks` tells where XLA
CPU's f32 answer is further from the one in double precision than the rule allows,
and which modules could not be written for an old version of StableHLO.
"""

import importlib
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

MODULES = ["lax_functions", "numpy_functions", "nn_functions", "random_functions", "scipy_functions", "linear_algebra", "control_flow",
           "transformations", "networks"]  # fmt: skip


def main(arguments):
    options = [a for a in arguments if a.startswith("-")]
    wanted = [a for a in arguments if not a.startswith("-")] or MODULES
    if len(wanted) > 1:
        # One process each: the ids that XLA gives count through a process.
        for module in wanted:
            subprocess.run([sys.executable, __file__, *options, module], check=True)
        return
    from corpus.exporter import Corpus  # before JAX: sets its flags

    [module] = wanted
    corpus = Corpus(module, seed=MODULES.index(module))
    importlib.import_module(f"corpus.{module}").make(corpus)
    path = corpus.write(FOLDER)
    print(f"{path.name}: {len(corpus.entries)} functions, {path.stat().st_size} bytes", flush=True)
    for remark in corpus.remarks if "--remarks" in options else ():
        print(f"  {remark}")


if __name__ == "__main__":
    main(sys.argv[1:])
