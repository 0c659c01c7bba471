"""The polynomials of src/kernels/elementwise/math_f32.def, and those and the tables of src/numbers/exp_roots.h, exp_log.c, sine.c and two_functions.h: least squares of the whole function's relative error over Chebyshev points, in
fifty digits. Coefficients are rounded to f32 (or f64) one after another, from the lowest power on, the others being fitted again.

Run with mpmath: python tests/unit/numbers/math_coefficients.py"""
import struct

import mpmath as mp

mp.mp.dps = 50
POINTS = 80


def f32(x):
    return mp.mpf(struct.unpack('f', struct.pack('f', float(x)))[0])


def f64(x):
    return mp.mpf(float(x))


def fit(name, target, weight, low, high, degree, rounded=f32):
    """target(t) ~ sum c[k] t^k; weight(t) turns its error into the relative error of the function."""
    points = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * POINTS)) for k in range(POINTS)]
    left, weights, known = [target(t) for t in points], [weight(t) for t in points], []
    for k in range(degree + 1):
        rows = mp.matrix(POINTS, degree + 1 - k)
        right = mp.matrix(POINTS, 1)
        for i, t in enumerate(points):
            for j in range(degree + 1 - k):
                rows[i, j] = weights[i] * t**(k + j)
            right[i] = weights[i] * left[i]
        c = rounded(mp.lu_solve(rows, right)[0])
        known.append(c)
        left = [value - c * t**k for value, t in zip(left, points)]
    worst = max(abs(w * e) for w, e in zip(weights, left))
    print(f'{name}: relative error 2^{float(mp.log(worst, 2)):.1f}')
    print('  ' + ' '.join(f'{float(c):.9g}f' if rounded is f32 else float(c).hex() for c in known))


def parts(name, value, bits):
    """value as a sum of f32s, all but the last of few bits."""
    print(name)
    for b in bits:
        quantum = mp.mpf(2)**(mp.floor(mp.log(value, 2)) - b + 1)
        part = mp.floor(value / quantum) * quantum
        print(f'  {float(f32(part)):.9g}f')
        value -= part


def f64_parts(name, value, bits):
    """value as a sum of f64s of so many bits, and the rest."""
    print(name)
    for b in bits:
        quantum = mp.mpf(2)**(mp.floor(mp.log(value, 2)) - b + 1)
        part = mp.floor(value / quantum) * quantum
        print(f'  {float(part).hex()}')
        value -= part
    print(f'  {float(value).hex()}')


def exp_log():
    for i in range(16):
        root = mp.mpf(2)**(mp.mpf(i) / 16)
        print(f'  2^({i}/16) {float(root).hex()} {float((root - f64(root)) / root).hex()}')
    limit, least, worst = mp.log(2) / 32 * mp.mpf('1.001'), 0x3FE6C00000000000, 0
    fit('f64 exp, q of 1 + t + t^2 q(t)', lambda t: (mp.expm1(t) - t) / t**2, lambda t: t**2 / mp.exp(t), -limit, limit, 5, f64)
    for i in range(32):
        low, high = (struct.unpack('d', struct.pack('Q', least + (i + k) * 2**47))[0] for k in (0, 1))
        reach = lambda c: max(abs(low * c / 256 - 1), abs(high * c / 256 - 1))
        c = 256 if low < 1 < high else min(range(128, 512), key=reach)
        worst, log = max(worst, reach(c)), -mp.log(mp.mpf(c) / 256)
        first = mp.nint(log * 2**43) / mp.mpf(2)**43
        print(f'  {c} / 256 {float(first).hex()} {float(log - first).hex()}')
    limit = mp.mpf(worst) * mp.mpf('1.001')
    fit('f64 log, q of t - t^2 / 2 + t^3 q(t)', lambda t: (mp.log1p(t) - t + t**2 / 2) / t**3, lambda t: t**3 / mp.log1p(t), -limit, limit, 7, f64)
    f64_parts('log 2', mp.log(2), [38])


def sine():
    root, quarter, least = mp.sqrt, (mp.pi / 4 * mp.mpf('1.001'))**2, mp.mpf('1e-12')
    fit('f64 sin, s of t + t^3 s(t^2)', lambda u: (mp.sin(root(u)) / root(u) - 1) / u, lambda u: u * root(u) / mp.sin(root(u)), least, quarter, 6, f64)
    fit('f64 cos, c of 1 - t^2 / 2 + t^4 c(t^2)', lambda u: (mp.cos(root(u)) - 1 + u / 2) / u**2, lambda u: u**2 / mp.cos(root(u)), least, quarter, 5, f64)
    f64_parts('pi / 2', mp.pi / 2, [33, 33, 33])
    with mp.workdps(400):
        print('2 / pi', ' '.join(f'{int(mp.floor(2 / mp.pi * mp.mpf(2)**(64 * (i + 1)))) % 2**64:#018x}' for i in range(19)))


def twos():
    two = lambda x: f'{{{float(x).hex()}, {float(x - f64(x)).hex()}}}'
    print('sines', ', '.join(two(mp.sin(j * mp.pi / 32)) for j in range(17)))
    f64_parts('pi / 32', mp.pi / 32, [30, 30, 30])


if __name__ == '__main__':
    half = mp.log(2) / 2 * mp.mpf('1.001')
    fit('exp, p of 1 + t p(t)', lambda t: mp.expm1(t) / t, lambda t: t / mp.exp(t), -half, half, 4)
    fit('expm1, q of t + t^2 q(t)', lambda t: (mp.expm1(t) - t) / t**2, lambda t: t**2 / mp.expm1(t), -half, half, 4)
    third = mp.mpf(1) / 3
    fit('log1p, q of t - t^2 / 2 + t^3 q(t)', lambda t: (mp.log1p(t) - t + t**2 / 2) / t**3, lambda t: t**3 / mp.log1p(t), -third, third, 7)
    root, quarter = mp.sqrt, (mp.pi / 4 * mp.mpf('1.001'))**2
    fit('sin, s of t + t^3 s(t^2)', lambda u: (mp.sin(root(u)) / root(u) - 1) / u, lambda u: u * root(u) / mp.sin(root(u)), 0, quarter, 3)
    fit('cos, c of 1 - t^2 / 2 + t^4 c(t^2)', lambda u: (mp.cos(root(u)) - 1 + u / 2) / u**2, lambda u: u**2 / mp.cos(root(u)), 0, quarter, 2)
    fit('erf below 1, p of t + t p(t^2)', lambda u: mp.erf(root(u)) / root(u) - 1, lambda u: root(u) / mp.erf(root(u)), 0, mp.mpf(1), 6)
    fit('erf from 1 on, log2(erfc(t))', lambda t: mp.log(mp.erfc(t), 2), lambda t: mp.log(2) * mp.erfc(t) / mp.erf(t), mp.mpf(1), mp.mpf(4), 6)
    fit('atan, p of t + t^3 p(t^2)', lambda u: (mp.atan(root(u)) / root(u) - 1) / u, lambda u: u * root(u) / mp.atan(root(u)), 0, mp.mpf(1), 8)
    parts('pi / 2', mp.pi / 2, [11, 11, 11, 24])
    parts('log 2', mp.log(2), [14, 24])
    parts('pi', mp.pi, [24, 24])
    exp_log()
    sine()
    twos()
