"""Runs HLO text on XLA CPU and writes what it answers as case files.

A case is a module, its inputs and the expected results; README.md one folder up
describes the file format. Expected values come from XLA CPU unless the case
brings its own (`expect`), which is then measured against XLA and the source
line says how far the two are apart.
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
# AVX without FMA: no multiply-add is contracted, so elementwise results are IEEE's.
os.environ["XLA_FLAGS"] = (
    "--xla_cpu_max_isa=AVX --xla_cpu_enable_fast_math=false --xla_force_host_platform_device_count=1"
)

import json
import re
import subprocess
import sys
from pathlib import Path

import jax
import ml_dtypes
import numpy as np
from jaxlib import _hlo, _jax, xla_client

jax.config.update("jax_enable_x64", True)
np.seterr(all="ignore")

XLA = "XLA CPU via JAX " + ".".join(jax.__version__.split(".")[:2])

SMALL_FLOATS = {
    "f8e5m2": ml_dtypes.float8_e5m2,
    "f8e4m3": ml_dtypes.float8_e4m3,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
    "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e3m4": ml_dtypes.float8_e3m4,
    "f8e8m0fnu": ml_dtypes.float8_e8m0fnu,
    "f4e2m1fn": ml_dtypes.float4_e2m1fn,
}
FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
COMPLEX = {"c64": np.complex64, "c128": np.complex128}
SIGNED = {"s2": ml_dtypes.int2, "s4": ml_dtypes.int4, "s8": np.int8, "s16": np.int16,
          "s32": np.int32, "s64": np.int64}  # fmt: skip
UNSIGNED = {"u2": ml_dtypes.uint2, "u4": ml_dtypes.uint4, "u8": np.uint8, "u16": np.uint16,
            "u32": np.uint32, "u64": np.uint64}  # fmt: skip
# Cases where XLA CPU's answer is an artefact of that backend rather than what the operation means.
LEFT_OUT = {
    "multiply_f8e8m0fnu": "2^-127 is a subnormal f32, which the CPU takes for zero",
    "divide_f8e8m0fnu": "the same",
    "convert_f8e8m0fnu_to_pred": "the same",
    "jnp_bfloat16_arithmetic": "fused operations keep f32 between them",
    "popcnt_s4": "counts the bits of the byte that holds the element",
    "reduce_dimensions_none": "a reduce over no dimensions is simplified away, its initial value with it",
}
TYPES = {"pred": np.bool_, **SIGNED, **UNSIGNED, **FLOATS, **SMALL_FLOATS, **COMPLEX}
TYPES = {name: np.dtype(dtype) for name, dtype in TYPES.items()}
NAMES = {dtype: name for name, dtype in TYPES.items()}


def type_of(array):
    return NAMES[array.dtype]


def int_range(type_name):
    bits, signed = int(type_name[1:]), type_name[0] == "s"
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def shape(array):
    return f"{type_of(array)}[{','.join(map(str, array.shape))}]"


def array(values, type_name):
    """An array of values given as Python numbers, rounded to nearest even once."""
    dtype = TYPES[type_name]
    if type_name in COMPLEX:
        return np.array(values, dtype)
    if type_name in FLOATS or type_name in SMALL_FLOATS:
        return narrow(np.array(values, np.longdouble), type_name)
    return np.array(values, object).astype(np.int64 if type_name[0] in "sp" else np.uint64).astype(dtype)


def narrow(values, type_name):
    """Rounds to a narrower float once, through round-to-odd steps where NumPy would round twice."""
    if type_name in ("f32", "f64", "f16") or values.dtype.itemsize <= 4:
        return np.asarray(values).astype(TYPES[type_name])
    rounded = values.astype(np.float32)
    back = rounded.astype(values.dtype)
    inexact = np.isfinite(values) & (back != values) & np.isfinite(rounded)
    toward_zero = np.where(np.abs(back) > np.abs(values), np.nextafter(rounded, np.float32(0)), rounded)
    odd = (toward_zero.view(np.uint32) | inexact.astype(np.uint32)).view(np.float32)
    return np.where(inexact, odd, rounded).astype(TYPES[type_name])


# Text of values


def number(value):
    if isinstance(value, (complex, np.complexfloating)):
        return f"({number(value.real)}, {number(value.imag)})"
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if np.isnan(float(value)):
        return "nan"
    if isinstance(value, (np.float32, np.float64, np.float16)):
        text = np.format_float_scientific(value, trim="-", exp_digits=1)
        plain = np.format_float_positional(value, trim="-")
        # XLA reads what looks like an integer as an int64.
        return plain if len(plain) <= len(text) + 3 and abs(value) < 1e15 else text
    return number(np.float32(value))


def elements(values):
    if values.ndim == 0:
        return number(values.item() if type_of(values)[:2] in ("s2", "s4", "u2", "u4") else values[()])
    if values.ndim == 1:
        return "{" + ", ".join(elements(v) for v in map(np.asarray, values)) + "}" if values.size else "{}"
    return "{ " + ", ".join(elements(v) for v in values) + " }"


def literal(values):
    values = np.asarray(values)
    if values.dtype == np.bool_ and values.ndim == 0:
        return f"pred[] {'true' if values else 'false'}"
    return f"{shape(values)} {elements(values)}"


# Running

_device = jax.local_devices()[0]


def compile_text(text):
    module = _hlo.hlo_module_from_text(text)
    stablehlo = _jax.mlir.hlo_to_stablehlo(module.as_serialized_hlo_module_proto())
    return _device.client.compile_and_load(
        stablehlo, _jax.DeviceList((_device,)), xla_client.CompileOptions()
    )


def run(text, inputs=()):
    """The results of HLO text on XLA CPU, one array a tuple element."""
    outputs = compile_text(text).execute_sharded([jax.device_put(x, _device) for x in inputs])
    return [np.asarray(o[0]) for o in outputs.disassemble_into_single_device_arrays()]


def accepted(texts):
    """For each module whether XLA accepts it, asked in another process: some make it abort."""
    answers = []
    while len(answers) < len(texts):
        code = "import json, sys; from jax_cases import harness; harness.answer_whether_accepted(json.load(sys.stdin))"
        worker = subprocess.run([sys.executable, "-c", code], input=json.dumps(texts[len(answers) :]), text=True,
                                capture_output=True, cwd=Path(__file__).resolve().parents[1])  # fmt: skip
        answers += [line == "accepted" for line in worker.stdout.split()]
        if worker.returncode:
            answers.append(False)
    return answers


def answer_whether_accepted(texts):
    for text in texts:
        try:
            compile_text(text)
            print("accepted", flush=True)
        except Exception:
            print("refused", flush=True)


def widen(text):
    """The same module in double precision."""
    text = re.sub(r"\b(f32|f16|bf16)\[", "f64[", text)
    return re.sub(r"\bc64\[", "c128[", text)


def run_wide(text, inputs):
    wide = {"f32": np.float64, "f16": np.float64, "bf16": np.float64, "c64": np.complex128}
    return run(widen(text), [x.astype(wide.get(type_of(x), x.dtype)) for x in inputs])


# Comparing


def ordered_bits(values):
    """Integers in the order of the floats, one step an ulp."""
    width = values.dtype.itemsize
    bits = values.view(f"u{width}").astype(object)
    sign = 1 << (8 * width - 1)
    return np.where(bits >= sign, -(bits - sign), bits)


def parts(values):
    return [values.real, values.imag] if np.iscomplexobj(values) else [values]


def ulp_distance(actual, expected):
    worst = 0
    for a, e in zip(parts(actual), parts(expected)):
        a, e = np.ascontiguousarray(a), np.ascontiguousarray(e)
        a64, e64 = a.astype(np.float64), e.astype(np.float64)
        if np.any(np.isnan(a64) != np.isnan(e64)):
            return float("inf")
        numbers = ~np.isnan(e64)
        if np.any(numbers):
            distance = np.abs(ordered_bits(a)[numbers] - ordered_bits(e)[numbers])
            worst = max(worst, int(np.max(distance)))
    return worst


def same_bits(actual, expected):
    for a, e in zip(parts(actual), parts(expected)):
        if type_of(e) not in FLOATS | SMALL_FLOATS:
            if not np.array_equal(a, e):
                return False
            continue
        a, e = a.astype(np.float64), e.astype(np.float64)
        nan = np.isnan(e)
        if np.any(np.isnan(a) != nan) or np.any(((a != e) | (np.signbit(a) != np.signbit(e))) & ~nan):
            return False
    return True


def agree(compare, actual, expected, length=1):
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return False
    kind, *argument = compare.split()
    is_float = type_of(expected) in {**FLOATS, **COMPLEX}
    if kind == "exact" or not is_float:
        return same_bits(actual, expected)
    if kind == "ulp":
        return ulp_distance(actual, expected) <= int(argument[0])
    real = parts(expected)[0]
    epsilon = float(ml_dtypes.finfo(real.dtype).eps)
    bound = float(argument[0]) if kind == "relative" else epsilon * (np.log2(max(length, 1)) + 4)
    a, e = (x.astype(np.complex128) for x in (actual, expected))
    finite = np.isfinite(e)
    if not same_bits(np.where(finite, 0, a), np.where(finite, 0, e)):
        return False
    largest = np.max(np.abs(e[finite]), initial=0)
    return bool(np.all(np.abs(a - e)[finite] <= bound * largest))


# Cases


class Family:
    """One case file. `add` runs a case and keeps its text."""

    def __init__(self, name):
        self.name = name
        self.blocks = []
        self.names = set()
        self.remarks = []

    def add(self, name, text, inputs=(), compare="exact", expect=None, source=None, wide=False, xla=True):
        """expect    overrides XLA's answer, which is then only compared
        wide      the answer is that of the same module in double precision, rounded
        xla       False where XLA CPU has no answer"""
        assert name not in self.names, name
        if name in LEFT_OUT:
            return
        self.names.add(name)
        inputs = [np.asarray(x) for x in inputs]
        _hlo.hlo_module_from_text(text)
        answers = None
        if xla:
            try:
                answers = run(text, inputs)
            except Exception as error:
                if expect is None:
                    raise RuntimeError(f"{self.name}/{name}: {error}\n{text}") from error
                self.remarks.append(f"{name}: XLA CPU cannot: {str(error).splitlines()[0][:120]}")
        by = "NumPy"
        if wide:
            by = XLA + " in double precision"
            expect = [
                narrow(w, type_of(a)) if a.dtype.kind != "c" else w.astype(a.dtype)
                for w, a in zip(run_wide(text, inputs), answers)
            ]
        if expect is None:
            expect, by = answers, XLA
        elif answers is not None:
            length = max([x.size for x in inputs], default=1)
            if all(agree(compare, a, e, length) for a, e in zip(answers, expect, strict=True)):
                by = f"{XLA}, recomputed by NumPy" if not wide else by
            else:
                distance = [ulp_distance(a, e) if type_of(e) in {**FLOATS, **COMPLEX} else "?" for a, e in zip(answers, expect)]
                by += "; XLA CPU itself is further off"
                self.remarks.append(f"{name}: XLA differs, ulp {distance}")
        lines = [f"# case {name}", f"# source: {source or by}"]
        if compare != "exact":
            lines.append(f"# compare: {compare}")
        lines.append(text.strip())
        lines += [f"# input: {literal(x)}" for x in inputs]
        lines += [f"# expect: {literal(x)}" for x in expect]
        self.blocks.append("\n".join(lines) + "\n")

    def refuse(self, name, text, code, phrase, source=None):
        """A module that must be refused with this code; the message contains the phrase, which the module does not."""
        assert name not in self.names, name
        assert phrase and phrase not in text, f"{name}: {phrase!r} is empty, or occurs in the module"
        self.names.add(name)
        source = source or f"refused by {XLA}"
        self.blocks.append(f"# case {name}\n# source: {source}\n{text.strip()}\n# error: {code} {phrase}\n")

    def write(self, folder):
        path = folder / f"jax_{self.name}.hlo"
        path.write_text("\n".join(self.blocks))
        return path


def entry(inputs, *lines, regions="", name="main", layouts=None):
    """Module text: parameters named after the keys of `inputs`, then the lines, the last of which is the root."""
    parameters = [f"  {key} = {shape(np.asarray(x))} parameter({i})" for i, (key, x) in enumerate(inputs.items())]
    *rest, root = lines
    body = parameters + [f"  {line}" for line in rest] + [f"  ROOT {root}"]
    regions = regions.strip() + "\n\n" if regions else ""
    return f"HloModule {name}\n\n{regions}ENTRY main {{\n" + "\n".join(body) + "\n}"


def combiner(op, type_name, name=None):
    """A region of two scalars."""
    t = type_name
    return (
        f"{name or op} {{\n  a = {t}[] parameter(0)\n  b = {t}[] parameter(1)\n"
        f"  ROOT r = {t}[] {op}(a, b)\n}}\n"
    )


def jax_text(function, *arguments):
    """HLO text of a JAX function, before optimisation, as JAX prints it."""
    lowered = jax.jit(function).lower(*arguments)
    return lowered.compiler_ir("hlo").as_hlo_text(True).strip()
