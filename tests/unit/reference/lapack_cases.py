"""Writes lapack_cases.h: LAPACK's own results, by way of JAX and NumPy, where they are determined.

    python lapack_cases.py > lapack_cases.h
"""
import jax
import numpy as np

jax.config.update('jax_enable_x64', True)
from jax._src.lax import linalg

random, multiplied = np.random.default_rng(5), np.random.default_rng(7)
TYPES = {'s': np.float32, 'd': np.float64, 'c': np.complex64, 'z': np.complex128}
NAMES = {'float32': 'f32', 'float64': 'f64', 'complex64': 'c64', 'complex128': 'c128', 'int32': 's32'}
LOWER, UPPER = 'uplo = 76 : ui8', 'uplo = 85 : ui8'


def matrix(dims, letter, source=random):
    values = source.integers(-8, 9, dims) / 4
    if letter in 'cz':
        values = values + 1j * source.integers(-8, 9, dims) / 4
    return values.astype(TYPES[letter])


def shape(x):
    return f"{NAMES[np.asarray(x).dtype.name]}[{','.join(map(str, np.shape(x)))}]"


def number(x):
    if np.iscomplexobj(x):
        return f'({number(x.real)}, {number(x.imag)})'
    return str(int(x)) if isinstance(x, np.integer) else str(x)


def elements(x):
    return '{' + ', '.join(elements(part) for part in x) + '}' if np.ndim(x) else number(np.asarray(x)[()])


def literal(x):
    return f'{shape(x)} {elements(x)}'


def case(name, letter, routine, inputs, outputs, config=''):
    inputs, outputs = [np.asarray(x) for x in inputs], [np.asarray(x) for x in outputs]
    result = ', '.join(map(shape, outputs))
    expected = ', '.join(map(literal, outputs))
    if len(outputs) > 1:
        result, expected = f'({result})', f'( {expected} )'
    parameters = ' '.join(f'p{i} = {shape(x)} parameter({i})' for i, x in enumerate(inputs))
    operands = ', '.join(f'p{i}' for i in range(len(inputs)))
    given = ',\n      '.join(f'"{literal(x)}"' for x in inputs)
    print(f'''    {{"{name}_{letter}",
     ENTRY("{parameters}\\n"
           "ROOT r = {result} custom-call({operands}), custom_call_target=\\"lapack_{letter}{routine}_ffi\\",\\n"
           "api_version=API_VERSION_TYPED_FFI, backend_config={{{config}}}"),
     {{{given}}},
     "{expected}",
     {'1e-5' if letter in 'sc' else '1e-13'}}},''')


def trsm(name, letter, a, b, x, diag, side, trans, uplo):
    config = ', '.join(f'{key} = {ord(value)} : ui8' for key, value in
                       (('diag', diag), ('side', side), ('trans_x', trans), ('uplo', uplo)))
    case(name, letter, 'trsm', [a, b], [x.astype(TYPES[letter])], config)


def factors(letter):
    a = matrix((4, 3), letter)
    case('geqrf', letter, 'geqrf', [a], linalg.geqrf(a))
    a = matrix((2, 3, 3), letter)
    lu, pivots, _ = linalg.lu(a)
    case('getrf_batch', letter, 'getrf', [a], [lu, np.asarray(pivots) + 1, np.zeros(2, np.int32)])


def more_factors(letter):
    a = matrix((3, 4), letter)
    case('geqrf_wide', letter, 'geqrf', [a], linalg.geqrf(a))
    a = matrix((4, 3), letter)
    for name, first in (('geqp3', [0, 0, 0]), ('geqp3_fixed', [0, 0, 1])):
        first = np.array(first, np.int32)
        case(name, letter, 'geqp3', [a, first], linalg.geqp3(a, first))
    q, taus = linalg.geqrf(a)
    case('orgqr', letter, 'orgqr' if letter == 'd' else 'ungqr', [q, taus], [linalg.householder_product(q, taus)])
    for name, left, adjoint, dims in (('ormqr', True, False, (4, 2)), ('ormqr_adjoint', True, True, (4, 5)), ('ormqr_right', False, False, (2, 4)), ('ormqr_right_adjoint', False, True, (5, 4))):
        c = matrix(dims, letter, multiplied)
        config = f'left = {str(left).lower()}, transpose = {str(adjoint).lower()}'
        case(name, letter, 'ormqr' if letter == 'd' else 'unmqr', [q, taus, c], [linalg.ormqr(q, taus, c, left=left, transpose=adjoint)], config)
    a = matrix((4, 4), letter)
    case('gehrd', letter, 'gehrd', [a], [*linalg.hessenberg(a), np.int32(0)], 'high = 4 : i32, low = 1 : i32')
    for name, lower, config in (('sytrd_lower', True, LOWER), ('sytrd_upper', False, UPPER)):
        symmetric = a + a.conj().T
        outputs = linalg.tridiagonal(symmetric, lower=lower)[:4]
        case(name, letter, 'sytrd' if letter == 'd' else 'hetrd', [symmetric], [*outputs, np.int32(0)], config)


def solves(letter):
    a = matrix((4, 4), letter)
    positive = a @ a.conj().T + np.eye(4, dtype=TYPES[letter])
    lower = np.linalg.cholesky(positive)
    case('potrf_lower', letter, 'potrf', [positive], [np.tril(lower) + np.triu(positive, 1), np.int32(0)], LOWER)
    case('potrf_upper', letter, 'potrf', [positive], [np.triu(lower.conj().T) + np.tril(positive, -1), np.int32(0)], UPPER)
    a = matrix((3, 3), letter) + 3 * np.eye(3, dtype=TYPES[letter])
    left, right, lower = matrix((3, 2), letter), matrix((2, 3), letter), np.tril(a)
    trsm('trsm_left', letter, a, left, np.linalg.solve(lower, left), 'N', 'L', 'N', 'L')
    trsm('trsm_left_adjoint', letter, a, left, np.linalg.solve(lower.conj().T, left), 'N', 'L', 'C', 'L')
    trsm('trsm_right_transposed', letter, a, right, np.linalg.solve(lower, right.T).T, 'N', 'R', 'T', 'L')
    unit = np.triu(a, 1) + np.eye(3)
    trsm('trsm_right_upper_unit', letter, a, right, np.linalg.solve(unit.T, right.T).T, 'U', 'R', 'N', 'U')


print('/* Written by lapack_cases.py: what LAPACK gives. */\nstatic const reference_case lapack_cases[] = {')
for letter in 'szdc':
    factors(letter)
for letter in 'dz':
    more_factors(letter)
    solves(letter)
print('};')
