"""Writes float_tables.h, the codes of small floating-point formats as ml_dtypes has them:

    python float_tables.py > float_tables.h
"""
import warnings

import ml_dtypes
import numpy as np

warnings.filterwarnings('ignore')  # of overflow, which is what is asked for

FORMATS = [  # name, type, number of codes
    ('F4E2M1FN', ml_dtypes.float4_e2m1fn, 16),
    ('F6E2M3FN', ml_dtypes.float6_e2m3fn, 64),
    ('F6E3M2FN', ml_dtypes.float6_e3m2fn, 64),
    ('F8E3M4', ml_dtypes.float8_e3m4, 256),
    ('F8E4M3', ml_dtypes.float8_e4m3, 256),
    ('F8E4M3FN', ml_dtypes.float8_e4m3fn, 256),
    ('F8E4M3B11FNUZ', ml_dtypes.float8_e4m3b11fnuz, 256),
    ('F8E4M3FNUZ', ml_dtypes.float8_e4m3fnuz, 256),
    ('F8E5M2', ml_dtypes.float8_e5m2, 256),
    ('F8E5M2FNUZ', ml_dtypes.float8_e5m2fnuz, 256),
    ('F8E8M0FNU', ml_dtypes.float8_e8m0fnu, 256),
]


def literal(x):
    if np.isnan(x):
        return '-NAN' if np.signbit(x) else 'NAN'
    if np.isinf(x):
        return '-INFINITY' if x < 0 else 'INFINITY'
    digits, exponent = float(x).hex().split('p')
    return (digits.rstrip('0').rstrip('.') if '.' in digits else digits) + 'p' + exponent


def decode_all(dtype, codes):
    return np.arange(codes, dtype=np.uint8).view(dtype).astype(np.float64)


def interesting(values):
    """Ties between neighbours, what is just beside them, and the ends of the range.

    All are float32 values: ml_dtypes converts a float64 by way of float32, and rounds twice."""
    finite = np.unique(values[np.isfinite(values)])
    ties = list(((finite[1:] + finite[:-1]) / 2)[:: max(1, (len(finite) - 1) // 14)])
    largest, step, least = finite[-1], finite[-1] - finite[-2], finite[finite > 0][0]
    chosen = ties + [beside(t, 1) for t in ties[:6]] + [beside(t, -1) for t in ties[:6]]
    chosen += [largest + step * part for part in (0, 0.495, 0.5, 0.505, 1)] + [-largest - step / 2, -largest - step]
    chosen += [1e38, -1e38, np.inf, -np.inf, np.nan, -np.nan, 0.0, -0.0, 1e-38, -1e-38, 1e-45]
    chosen += [least / 2, -least / 2, beside(least / 2, 1), beside(-least / 2, -1), least * 1.5, least * 2.5]
    return [float(np.float32(v)) for v in chosen]


def beside(value, direction):
    return np.nextafter(np.float32(value), np.float32(direction * 3e38))


def is_misrounded(name, value):
    """ml_dtypes rounds 1.4999999 * 2^-127, a subnormal float32, up to 2^-126."""
    return name == 'F8E8M0FNU' and 2.0**-127 < value < 1.5 * 2.0**-127


def encoded_rows():
    for name, dtype, codes in FORMATS:
        for value in interesting(decode_all(dtype, codes)):
            if not is_misrounded(name, value):
                code = np.array([value]).astype(dtype).view(np.uint8)[0]
                yield f'{{HLO_TYPE_{name}, {literal(value)}, 0x{code:02x}}},'
    for value in [65504, 65519.999, 65520, -65520, 1e5, 2**-24, 2**-25, np.nextafter(2**-25, 1), 2**-14, 0.1,
                  1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-11 + 2**-40, np.inf, -0.0]:
        code = np.array([value], np.float64).astype(np.float16).view(np.uint16)[0]
        yield f'{{HLO_TYPE_F16, {literal(value)}, 0x{code:04x}}},'


print(f'/* Written by float_tables.py from ml_dtypes {ml_dtypes.__version__}: do not edit. */')
print('#include <math.h>\n\n#include "shape/element_type.h"\n')
for name, dtype, codes in FORMATS:
    print(f'static const double decoded_{name.lower()}[{codes}] = {{')
    print('    ' + ', '.join(literal(v) for v in decode_all(dtype, codes)) + '};')
print('\nstatic const struct decoded_row {\n  hlo_type type;\n  int count;\n  const double *values;\n} decoded[] = {')
for name, dtype, codes in FORMATS:
    print(f'    {{HLO_TYPE_{name}, {codes}, decoded_{name.lower()}}},')
print('};\n\nstatic const struct encoded_row {\n  hlo_type type;\n  double value;\n  unsigned code;\n} encoded[] = {')
for row in encoded_rows():
    print('    ' + row)
print('};')
