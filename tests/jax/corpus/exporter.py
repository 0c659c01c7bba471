"""Exports functions in every form, with inputs and XLA CPU's answers, and packs them into one file."""

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "ops"))

from jax_cases import harness  # sets XLA's flags: before JAX

import jax
import numpy as np
from jax import export
from jaxlib import _jax

# No paths of this machine in what is written.
jax.config.update("jax_traceback_in_locations_limit", 0)

WIDE_NOT = ("bitcast-convert", "custom-call", "rng-bit", "f16[", "f8e", " reduce-precision(")
FORBIDDEN = (b"/home/", b"/usr/", b"/opt/", b"/work/", b"/tmp/", b"site-packages")
# Of StableHLO: the oldest that each module can be written for is taken.
VERSIONS = ["0.9.0", "0.14.0", "0.20.0", "1.0.0", "1.4.0", "1.8.0", "1.11.0"]


class Corpus:
    """Collects the functions of a module. The forms:

    text      StableHLO text, as jax.jit(f).lower(...).as_text() gives it
    bytecode  the portable artifact of jax.export: MLIR bytecode of VHLO
    blob      what jax.export's serialize() writes, of every third function
    oldest    the artifact at the oldest version that it can be written for, of every third function
    proto     a serialized HloModuleProto
    """

    def __init__(self, name, seed):
        self.name = name
        self.random = np.random.default_rng(seed)
        self.entries = []
        self.chunks = []
        self.length = 0
        self.remarks = []

    # Inputs

    def f32(self, *dimensions, low=-2, high=2):
        return np.round(self.random.uniform(low, high, dimensions), 2).astype(np.float32)

    def f64(self, *dimensions, low=-2, high=2):
        return np.round(self.random.uniform(low, high, dimensions), 4)

    def c64(self, *dimensions):
        return (self.f32(*dimensions) + 1j * self.f32(*dimensions)).astype(np.complex64)

    def s32(self, *dimensions, low=-9, high=10):
        return self.random.integers(low, high, dimensions).astype(np.int32)

    # Functions

    def add(self, name, function, *inputs, compare="exact", wide=None, x64=False):
        """compare  the rule of every result
        wide     whether floats are XLA's in double precision, rounded; by default where the program can be widened"""
        assert name not in {entry["name"] for entry in self.entries}, name
        with jax.enable_x64(x64):
            inputs = [np.asarray(x) for x in inputs]
            jitted = jax.jit(function, keep_unused=True)
            lowered = jitted.lower(*inputs)
            text = lowered.as_text()
            hlo = lowered.compiler_ir("hlo")
            outputs = [np.asarray(x) for x in jax.tree.leaves(jitted(*inputs))]
            targets = [line.split('"')[1] for line in hlo.as_hlo_text(True).split("custom_call_target=")[1:]]
            checks = [export.DisabledSafetyCheck.custom_call(target) for target in sorted(set(targets))]
            exported = export.export(jitted, disabled_checks=checks)(*inputs)
            forms = {"text": text.encode(), "bytecode": exported.mlir_module_serialized}
            if len(self.entries) % 3 == 0:
                forms["blob"] = bytes(exported.serialize())
            if len(self.entries) % 3 == 1:
                forms["oldest"] = self.oldest(name, lowered.compiler_ir("stablehlo"))
            forms["proto"] = hlo.as_serialized_hlo_module_proto()
        for form, data in forms.items():
            for path in FORBIDDEN:
                assert data is None or path not in data, f"{name}: {form} names {path.decode()}"
        outputs = self.widened(name, hlo.as_hlo_text(True), inputs, outputs, compare, wide)
        self.entries.append({
            "name": name,
            "forms": {form: self.keep(data) for form, data in forms.items() if data},
            "inputs": [[harness.shape(x), *self.keep(x.tobytes())] for x in inputs],
            "outputs": [[harness.shape(x), self.rule(x, compare), *self.keep(x.tobytes())] for x in outputs],
        })  # fmt: skip

    def rule(self, output, compare):
        return compare if harness.type_of(output) in {**harness.FLOATS, **harness.COMPLEX} else "exact"

    def widened(self, name, text, inputs, outputs, compare, wide):
        """Floats in double precision, rounded: XLA CPU's own elementary functions are some ulp off."""
        if wide is None:
            wide = compare != "exact" and ("f32[" in text or "c64[" in text) and not any(word in text for word in WIDE_NOT)
        if not wide:
            return outputs
        with jax.enable_x64(True):
            answers = harness.run_wide(text, inputs)
        answers = [
            a.astype(o.dtype) if o.dtype.kind == "c" or harness.type_of(o) not in harness.FLOATS
            else harness.narrow(a, harness.type_of(o))
            for a, o in zip(answers, outputs, strict=True)
        ]  # fmt: skip
        length = max([x.size for x in inputs], default=1)
        for i, (answer, output) in enumerate(zip(answers, outputs)):
            if not harness.agree(compare, output, answer, length):
                off = harness.ulp_distance(output, answer) if answer.dtype.kind in "fc" else "?"
                self.remarks.append(f"{name}: result {i} of XLA is further than {compare} from double precision ({off} ulp)")
        return answers

    def oldest(self, name, module):
        """None where it cannot be written for any old version."""
        for version in VERSIONS:
            try:
                return _jax.mlir.serialize_portable_artifact(module, version, True)
            except Exception as error:
                message = str(error).splitlines()[0][:100]
        self.remarks.append(f"{name}: not for {version}: {message}")
        return None

    # The file

    def keep(self, data):
        """Place and length of bytes in the file's body."""
        place = [self.length, len(data)]
        self.chunks.append(bytes(data))
        self.length += len(data)
        return place

    def write(self, folder):
        """A line of JSON, then the bytes it points into, gzipped."""
        header = {"jax": jax.__version__, "entries": self.entries}
        line = json.dumps(header, separators=(",", ":")).encode() + b"\n"
        path = folder / f"{self.name}.corpus.gz"
        path.write_bytes(gzip.compress(line + b"".join(self.chunks), 9, mtime=0))
        return path
