"""Convert between element types, bitcast-convert, reduce-precision."""

import numpy as np

from .harness import COMPLEX, FLOATS, SIGNED, SMALL_FLOATS, TYPES, UNSIGNED, Family, array, entry, int_range
from .elementwise import INF, LIMITS, NAN

INTEGERS = {**SIGNED, **UNSIGNED}


def source_values(t):
    if t == "pred":
        return np.array([False, True])
    if t in INTEGERS:
        low, high = int_range(t)
        wanted = [0, 1, 3, -1, 5, -8, 17, 100, -100, 128, 257, 2049, 65520, 16777217, -16777219, 1 << 31, (1 << 53) + 1, high, low]
        return array([v for v in dict.fromkeys(wanted) if low <= v <= high], t)
    if t in FLOATS:
        wanted = [0.0, -0.0, 1, -1, 0.5, 1.5, -2.5, 0.3, -7.5, 127.5, -128.9, 300.7, 448, 465, 40000, 65519, -65520,
                  2.0**31, -(2.0**31), 4294967040, -3e18, 1e30, 2.0**-10, 3e-8,
                  LIMITS[t][0], INF, -INF, NAN]  # fmt: skip
        if t == "f16":
            wanted = [v for v in wanted if not (65504 < abs(v) < INF)]
        return array(list(dict.fromkeys(str(v) for v in wanted)), t)
    if t in SMALL_FLOATS:
        bits = 4 if t == "f4e2m1fn" else 8
        return np.arange(1 << bits, dtype=np.uint8).view(TYPES[t])[:: 1 if bits == 4 else 13].copy()
    return array([0, 1 + 2j, -1.5 - 0.5j, 300.25 + 1j, complex(0, 4)], t)


TARGETS = {
    "pred": ["pred"],
    "signed": list(SIGNED),
    "unsigned": list(UNSIGNED),
    "float": list(FLOATS),
    "small_float": list(SMALL_FLOATS),
    "complex": list(COMPLEX),
}


def saturate(x, t):
    """Real to integer: toward zero, clamped to the range, NaN to 0."""
    low, high = int_range(t)
    whole = [0 if v != v else high if v > high else low if v < low else int(v) for v in x.astype(np.float64).tolist()]
    return array(whole, t)


def convert(family):
    for source in TYPES:
        x = source_values(source)
        for group, targets in TARGETS.items():
            targets = [t for t in targets if t != source]
            rare = source in ("s2", "s4", "u8", "u64", "s16", "s64", "u2", "u4", "u16", "u32", "c128", "f8e5m2fnuz", "f8e4m3b11fnuz", "f8e3m4")
            if not targets or (rare and group in ("small_float", "complex")):
                continue
            values = x
            if group == "small_float" or source in SMALL_FLOATS:
                # f4e2m1fn has no NaN, f8e8m0fnu neither zero nor sign.
                targets = [t for t in targets if t not in ("f4e2m1fn", "f8e8m0fnu")]
            body = [f"to_{t} = {t}[{values.size}] convert(x)" for t in targets]
            result = ", ".join(f"{t}[{values.size}]" for t in targets)
            text = entry({"x": values}, *body, f"r = ({result}) tuple({', '.join('to_' + t for t in targets)})", name="convert")
            expect = None
            if source in {**FLOATS, **SMALL_FLOATS} and group in ("signed", "unsigned"):
                expect = [saturate(values, t) for t in targets]
            if source in COMPLEX and group == "pred":
                expect = [values != 0]
            # XLA's CPU compiler does not survive complex to pred.
            family.add(f"convert_{source}_to_{group}", text, [values], expect=expect,
                       xla=not (source in COMPLEX and group == "pred"))  # fmt: skip
    for source in ("f32", "f16", "bf16", "s32", "s8"):
        x = array([0.5, 1, 1.4, -1, 1.5, 2, 3.1, 4, -6, 0.2] if source[0] != "s" else [0, 1, -1, 2, 3, 4, 6, -6, 5, -3], source)
        text = entry({"x": x}, "r = f4e2m1fn[10] convert(x)", name="convert")
        family.add(f"convert_{source}_to_f4e2m1fn", text, [x])
    x = array([1, 2, 3, 6, 0.3, 1e-10, 1e10, NAN, -1, INF], "f32")
    family.add("convert_f32_to_f8e8m0fnu", entry({"x": x}, "r = f8e8m0fnu[10] convert(x)", name="convert"), [x])
    # Every value of the small floats, and the ties on the way to them.
    for t, dtype in SMALL_FLOATS.items():
        every = np.arange(16 if t == "f4e2m1fn" else 256, dtype=np.uint8).view(dtype)
        text = entry({"x": every}, f"r = f32[{every.size}] convert(x)", name="convert")
        family.add(f"convert_every_{t}_to_f32", text, [every], expect=[every.astype(np.float32)])
        if t == "f8e8m0fnu":
            continue
        finite = np.unique(every.astype(np.float32)[np.isfinite(every.astype(np.float32))])
        ties = ((finite[1:].astype(np.float64) + finite[:-1]) / 2).astype(np.float32)
        ties = ties[::1 if ties.size < 20 else 5]
        above = np.nextafter(ties, np.float32(INF))
        x = np.concatenate([ties, above[::3]])
        x = x[(np.abs(x) >= 2.0**-126)]
        text = entry({"x": x}, f"r = {t}[{x.size}] convert(x)", name="convert")
        family.add(f"convert_f32_ties_to_{t}", text, [x])
    # Ties and subnormals of f16 and bf16.
    x = array([1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-11 + 2**-20, 65519.99, 65520, 2**-24, 2**-25, 2**-25 * 1.01, 3 * 2**-25, -(2**-26)], "f32")
    family.add("convert_f32_ties_to_f16", entry({"x": x}, "r = f16[10] convert(x)"), [x], expect=[x.astype(np.float16)])
    x = array([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, float.fromhex("0x1.feffffp127"), float.fromhex("0x1.ffp127")], "f32")
    family.add("convert_f32_ties_to_bf16", entry({"x": x}, "r = bf16[5] convert(x)"), [x], expect=[x.astype(TYPES["bf16"])])
    x = array([1 + 2**-24, 1 + 3 * 2**-24, 1 + 2**-24 + 2**-50, 3.4028235677973366e38, 1e-40, 1e-46], "f64")
    family.add("convert_f64_ties_to_f32", entry({"x": x}, "r = f32[6] convert(x)"), [x], expect=[x.astype(np.float32)])
    x = array([2**24 + 1, 2**24 + 3, 2**31 - 1, -(2**31), 2**31 - 65], "s32")
    family.add("convert_s32_ties_to_f32", entry({"x": x}, "r = f32[5] convert(x)"), [x])
    x = array([2**64 - 1, 2**63 + 1, 2**53 + 1, 2**63 + 2**10, 2**63 + 2**10 + 1], "u64")
    family.add("convert_u64_ties_to_f64", entry({"x": x}, "r = f64[5] convert(x)"), [x], expect=[x.astype(np.float64)])


def bitcast(family):
    bits = np.array([0, 1, 0x80000000, 0x3F800000, 0xC0490FDB, 0x7F800000, 0x12345678], np.uint32)
    for t in ("f32", "s32"):
        family.add(f"bitcast_convert_u32_to_{t}", entry({"x": bits}, f"r = {t}[7] bitcast-convert(x)"), [bits])
    x = array([0.0, -0.0, 1, -2.5, INF, 1e-3], "f32")
    family.add("bitcast_convert_f32_to_s32", entry({"x": x}, "r = s32[6] bitcast-convert(x)"), [x])
    x = array([0.0, -0.0, 1, -2.5, INF, 1e-3], "f64")
    family.add("bitcast_convert_f64_to_u64", entry({"x": x}, "r = u64[6] bitcast-convert(x)"), [x])
    family.add("bitcast_convert_f64_to_u32", entry({"x": x}, "r = u32[6,2] bitcast-convert(x)"), [x])
    family.add("bitcast_convert_f64_to_u8", entry({"x": x}, "r = u8[6,8] bitcast-convert(x)"), [x])
    family.add("bitcast_convert_f64_to_s16", entry({"x": x}, "r = s16[6,4] bitcast-convert(x)"), [x])
    for t in ("f16", "bf16"):
        x = array([0.0, -0.0, 1, -2.5, INF, 0.1], t)
        family.add(f"bitcast_convert_{t}_to_u16", entry({"x": x}, "r = u16[6] bitcast-convert(x)"), [x])
        family.add(f"bitcast_convert_{t}_to_u32", entry({"x": x.reshape(3, 2)}, "r = u32[3] bitcast-convert(x)"), [x.reshape(3, 2)])
        family.add(f"bitcast_convert_{t}_to_u8", entry({"x": x}, "r = u8[6,2] bitcast-convert(x)"), [x])
    for t, dtype in SMALL_FLOATS.items():
        if t == "f4e2m1fn":
            continue
        x = np.array([0x00, 0x01, 0x23, 0x38, 0x44, 0x6B], np.uint8)
        family.add(f"bitcast_convert_u8_to_{t}", entry({"x": x}, f"r = {t}[6] bitcast-convert(x)"), [x], expect=[x.view(dtype)])
        family.add(f"bitcast_convert_{t}_to_u8", entry({"x": x.view(dtype)}, "r = u8[6] bitcast-convert(x)"), [x.view(dtype)], expect=[x])
    x = array([-8, -1, 0, 7, 3, -5], "s4")
    family.add("bitcast_convert_s4_to_u4", entry({"x": x}, "r = u4[6] bitcast-convert(x)"), [x])
    pairs = x.reshape(3, 2)
    family.add("bitcast_convert_s4_to_s8", entry({"x": pairs}, "r = s8[3] bitcast-convert(x)"), [pairs])
    x = np.array([0x21, 0x7F, 0x80, 0xA5], np.uint8)
    family.add("bitcast_convert_u8_to_u4", entry({"x": x}, "r = u4[4,2] bitcast-convert(x)"), [x])
    family.add("bitcast_convert_u8_to_s4", entry({"x": x}, "r = s4[4,2] bitcast-convert(x)"), [x])
    family.add("bitcast_convert_u8_to_u2", entry({"x": x}, "r = u2[4,4] bitcast-convert(x)"), [x])
    x = np.array([[0x04030201, 0x08070605], [0xFFFFFFFF, 0]], np.uint32)
    family.add("bitcast_convert_u32_to_u64", entry({"x": x}, "r = u64[2] bitcast-convert(x)"), [x])
    family.add("bitcast_convert_u32_to_u8", entry({"x": x}, "r = u8[2,2,4] bitcast-convert(x)"), [x])
    x = np.array([[1, -2, 3, 4, 5, 6, 7, -8]], np.int8)
    family.add("bitcast_convert_s8_to_s64", entry({"x": x}, "r = s64[1] bitcast-convert(x)"), [x])
    x = array([1, -2.5], "f32")
    family.add("bitcast_convert_f32_pair_to_f64", entry({"x": x}, "r = f64[] bitcast-convert(x)"), [x], expect=[x.view(np.float64)[0]])


def reduce_precision(family):
    formats = {"f16": (5, 10), "bf16": (8, 7), "e4m3": (4, 3), "e5m2": (5, 2), "e3m0": (3, 0), "e8m23": (8, 23), "e2m30": (2, 30)}
    for t in FLOATS:
        x = array([0.0, -0.0, 1, 1.0625, 1.1875, -3.14159, 240, 248, 464, 480, 65519, 65520, 0.3, 1e-3, 2.0**-6, 2.0**-7,
                   2.0**-14, 2.0**-15, 7e-6, INF, -INF, NAN], t)  # fmt: skip
        for name, (exponent, mantissa) in formats.items():
            text = entry({"x": x}, f"r = {t}[22] reduce-precision(x), exponent_bits={exponent}, mantissa_bits={mantissa}")
            family.add(f"reduce_precision_{t}_to_{name}", text, [x])


def make():
    converting, bits = Family("convert"), Family("bitcast_reduce_precision")
    convert(converting)
    bitcast(bits)
    reduce_precision(bits)
    return [converting, bits]
