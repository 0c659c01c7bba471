#!/usr/bin/env python3
"""Writes complex_cases.h: complex functions at difficult points, computed by mpmath with 2,000 bits.

    python3 complex_cases.py > complex_cases.h
"""
import mpmath as mp

mp.mp.prec = 2000

FUNCTIONS = {
    'ACOS': mp.acos, 'ACOSH': mp.acosh, 'ASIN': mp.asin, 'ASINH': mp.asinh, 'ATANH': mp.atanh,
    'CBRT': lambda z: mp.exp(mp.log(z) / 3), 'COSH': mp.cosh, 'COSINE': mp.cos, 'EXPONENTIAL': mp.exp,
    'EXPONENTIAL_MINUS_ONE': lambda z: mp.exp(z) - 1, 'LOG': mp.log, 'LOG_PLUS_ONE': lambda z: mp.log(1 + z),
    'LOGISTIC': lambda z: 1 / (1 + mp.exp(-z)), 'RSQRT': lambda z: 1 / mp.sqrt(z), 'SIGN': lambda z: z / abs(z),
    'SINE': mp.sin, 'SINH': mp.sinh, 'SQRT': mp.sqrt, 'TAN': mp.tan, 'TANH': mp.tanh,
}
BINARY = {
    'DIVIDE': lambda a, b: a / b, 'POWER': lambda a, b: mp.exp(b * mp.log(a)),
    'ATAN2': lambda y, x: -1j * mp.log((x + 1j * y) / mp.sqrt(x * x + y * y)),
}

POINTS = [(0.5, 0.25), (-1.5, 2.0), (0.6, 0.8), (1e-8, 1.0), (-0.999, 1e-6), (1e-300, -1e-200), (3e100, -2e90),
          (-1e-20, 1e-10), (2.0, -1e-30), (-1.0, 1e-12), (20.0, 3.0), (-45.0, 1.5707963267948966)]
SMALL_ONLY = {'SINH', 'COSH', 'SINE', 'COSINE', 'EXPONENTIAL', 'EXPONENTIAL_MINUS_ONE', 'LOGISTIC', 'TAN', 'TANH'}
PAIRS = [((1.5, -2.0), (0.25, 3.0)), ((-1e200, 1e190), (1e-90, -3e-80)), ((1e-300, 2e-300), (5e-300, 7e-290)),
         ((0.6, 0.8), (3.0, -1.0)), ((2.0, 1e-30), (-3.0, 0.5))]


def hexes(value):
    return f'{float(mp.re(value)).hex()}, {float(mp.im(value)).hex()}'


def main():
    print('/* Written by complex_cases.py: complex functions at difficult points. */')
    print('static const unary_case unary_cases[] = {')
    for op, function in FUNCTIONS.items():
        for x, y in POINTS:
            if op in SMALL_ONLY and max(abs(x), abs(y)) > 600:
                continue
            print(f'    {{HLO_OP_{op}, {x!r}, {y!r}, {hexes(function(mp.mpc(x, y)))}}},')
    print('};\nstatic const binary_case binary_cases[] = {')
    for op, function in BINARY.items():
        for a, b in PAIRS:
            if op != 'DIVIDE' and max(abs(a[0]), abs(b[0])) > 1e100:
                continue
            print(f'    {{HLO_OP_{op}, {a[0]!r}, {a[1]!r}, {b[0]!r}, {b[1]!r}, {hexes(function(mp.mpc(*a), mp.mpc(*b)))}}},')
    print('};')


main()
