"""The functions of the corpus, by name: each module of corpus/ adds its own when it is imported."""

from dataclasses import dataclass
from typing import Callable

import jax.numpy as jnp
import numpy as np

CASES = {}


@dataclass
class Input:
    """An array that is drawn with a seed of its own: uniform from low to high."""

    dtype: str
    shape: tuple
    low: float
    high: float

    def draw(self, random):
        if self.dtype.startswith("complex"):
            return (random.uniform(self.low, self.high, self.shape) + 1j * random.uniform(self.low, self.high, self.shape)).astype(self.dtype)
        if self.dtype == "bool":
            return random.uniform(size=self.shape) < 0.5
        if np.issubdtype(jnp.dtype(self.dtype), np.integer):
            return random.integers(int(self.low), int(self.high), self.shape).astype(self.dtype)
        return np.asarray(random.uniform(self.low, self.high, self.shape)).astype(jnp.dtype(self.dtype))


@dataclass
class Case:
    function: Callable
    inputs: list
    x64: bool
    tolerance: float | None


def _of(dtype, low, high):
    return lambda *shape, low=low, high=high: Input(dtype, shape, low, high)


f32, f64 = _of("float32", -1, 1), _of("float64", -1, 1)
f16, bf16 = _of("float16", -1, 1), _of("bfloat16", -1, 1)
f8, f8e5 = _of("float8_e4m3fn", -1, 1), _of("float8_e5m2", -1, 1)
c64, c128 = _of("complex64", -1, 1), _of("complex128", -1, 1)
s32, u32, s8, s64 = _of("int32", 0, 100), _of("uint32", 0, 2**31), _of("int8", -100, 100), _of("int64", 0, 100)
pred = _of("bool", 0, 1)


def add(name, function, *inputs, x64=None, tolerance=None):
    """tolerance: of each element, as a part of the largest of its array; without one, by the element type of the result."""
    assert name not in CASES, name
    wide = any(i.dtype in ("float64", "complex128", "int64") for i in inputs)
    CASES[name] = Case(function, list(inputs), wide if x64 is None else x64, tolerance)
