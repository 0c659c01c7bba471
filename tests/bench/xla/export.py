"""Writes the corpus: python export.py FOLDER. A case is NAME.jax, the file of jax.export, and NAME.inputs, its inputs one behind the
other; manifest.json lists them. What is there already from the same sources stays."""

import hashlib
import importlib
import json
import sys
import zlib
from pathlib import Path

import jax
import numpy as np
from jax import export

from cases import CASES

HERE = Path(__file__).resolve().parent
SHORT = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "float8_e4m3fn": "f8e4m3fn", "float8_e5m2": "f8e5m2",
         "complex64": "c64", "complex128": "c128", "bool": "pred", "int4": "s4", "uint4": "u4"}  # fmt: skip


def short(dtype):
    return SHORT.get(dtype) or dtype.replace("uint", "u").replace("int", "s")


def shape_text(array):
    return f"{short(str(array.dtype))}[{','.join(map(str, array.shape))}]"


def export_case(name, case, folder):
    random = np.random.default_rng(zlib.crc32(name.encode()))
    inputs = [i.draw(random) for i in case.inputs]
    with jax.enable_x64(case.x64):
        jitted = jax.jit(case.function, keep_unused=True)
        text = jitted.lower(*inputs).as_text()
        targets = {line.split("(")[0].strip() for line in text.split("stablehlo.custom_call @")[1:]}
        checks = [export.DisabledSafetyCheck.custom_call(target) for target in sorted(targets)]
        exported = export.export(jitted, disabled_checks=checks)(*inputs)
    (folder / f"{name}.jax").write_bytes(exported.serialize())
    (folder / f"{name}.inputs").write_bytes(b"".join(x.tobytes() for x in inputs))
    return {
        "name": name,
        "x64": case.x64,
        "tolerance": case.tolerance,
        "inputs": [shape_text(x) for x in inputs],
        "dtypes": [str(x.dtype) for x in inputs],
    }


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted([*HERE.glob("corpus/*.py"), HERE / "cases.py", HERE / "export.py"])
    digest = hashlib.sha256(jax.__version__.encode() + b"".join(path.read_bytes() for path in sources)).hexdigest()
    manifest = folder / "manifest.json"
    if manifest.exists() and json.loads(manifest.read_text())["digest"] == digest:
        return
    for path in sorted(HERE.glob("corpus/[a-z]*.py")):
        before = len(CASES)
        importlib.import_module(f"corpus.{path.stem}")
        print(f"{path.stem}: {len(CASES) - before} functions", flush=True)
    entries = []
    for name, case in CASES.items():
        try:
            entries.append(export_case(name, case, folder))
        except Exception as error:
            raise RuntimeError(f"{name} cannot be exported") from error
    manifest.write_text(json.dumps({"digest": digest, "jax": jax.__version__, "cases": entries}, indent=1))
    print(f"{len(entries)} functions exported")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    main(Path(sys.argv[1]))
