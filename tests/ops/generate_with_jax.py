"""Makes the case files jax_*.hlo: known answers from XLA on the CPU.

    pip install jax scikit-learn
    python generate_with_jax.py [family ...]

Inputs are seeded; a second run writes the same text. What XLA CPU computes less
precisely than a case allows is computed by NumPy instead and said so in the
case's source line; `--remarks` lists those cases.
"""

import importlib
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

MODULES = ["elementwise", "conversion", "movement", "indexing", "reduction", "contraction", "control", "numeric", "programs", "refused"]


def main(arguments):
    remarks = "--remarks" in arguments
    wanted = [a for a in arguments if not a.startswith("-")]
    for module in MODULES:
        if wanted and module not in wanted:
            continue
        for family in importlib.import_module(f"jax_cases.{module}").make():
            path = family.write(FOLDER)
            print(f"{path.name}: {len(family.blocks)} cases, {path.stat().st_size} bytes")
            for remark in family.remarks if remarks else ():
                print(f"  {remark}")


if __name__ == "__main__":
    main(sys.argv[1:])
