"""jax.random: the bits are the same to the last one."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import random


def make(corpus):
    key = np.uint32([0, 42])

    def add(name, function, compare="exact", impl="threefry2x32", data=key):
        corpus.add(f"random_{name}", lambda k: function(random.wrap_key_data(k, impl=impl)), data, compare=compare, wide=False)

    exact = {
        "bits": lambda k: random.bits(k, (7,)),
        "bits_8": lambda k: random.bits(k, (7,), "uint8"),
        "bits_16": lambda k: random.bits(k, (3, 3), "uint16"),
        "split": lambda k: random.key_data(random.split(k, 3)),
        "fold_in": lambda k: random.key_data(random.fold_in(k, 1234)),
        "uniform": lambda k: random.uniform(k, (9,)),
        "uniform_range": lambda k: random.uniform(k, (9,), minval=-3.0, maxval=5.0),
        "uniform_half": lambda k: random.uniform(k, (9,), jnp.float16),
        "uniform_bfloat16": lambda k: random.uniform(k, (9,), jnp.bfloat16),
        "randint": lambda k: random.randint(k, (8,), -5, 17),
        "randint_8": lambda k: random.randint(k, (8,), 0, 100, jnp.int8),
        "bernoulli": lambda k: random.bernoulli(k, 0.3, (12,)),
        "permutation": lambda k: random.permutation(k, 11),
        "permutation_rows": lambda k: random.permutation(k, jnp.arange(12).reshape(4, 3)),
        "choice": lambda k: random.choice(k, jnp.arange(10) * 3, (5,)),
        "choice_without_replacement": lambda k: random.choice(k, 9, (4,), replace=False),
        "categorical": lambda k: random.categorical(k, jnp.log(jnp.array([0.1, 0.5, 0.2, 0.2])), shape=(8,)),
        "rademacher": lambda k: random.rademacher(k, (8,)),
        "poisson": lambda k: random.poisson(k, 3.0, (5,)),
        "geometric": lambda k: random.geometric(k, 0.4, (6,)),
        "binomial": lambda k: random.binomial(k, 9.0, 0.3, (5,)),
        "key_from_seed": lambda k: random.key_data(random.key(random.bits(k, (), "uint32"))),
        "split_in_vmap": lambda k: jax.vmap(lambda q: random.bits(q, (2,)))(random.split(k, 3)),
    }
    for name, function in exact.items():
        add(name, function)
    close = {
        "normal": lambda k: random.normal(k, (9,)),
        "truncated_normal": lambda k: random.truncated_normal(k, -1.0, 2.0, (7,)),
        "exponential": lambda k: random.exponential(k, (7,)),
        "laplace": lambda k: random.laplace(k, (7,)),
        "logistic": lambda k: random.logistic(k, (7,)),
        "gumbel": lambda k: random.gumbel(k, (7,)),
        "cauchy": lambda k: random.cauchy(k, (7,)),
        "gamma": lambda k: random.gamma(k, 2.5, (5,)),
        "beta": lambda k: random.beta(k, 2.0, 3.0, (4,)),
        "dirichlet": lambda k: random.dirichlet(k, jnp.array([1.0, 2.0, 3.0])),
        "student_t": lambda k: random.t(k, 4.0, (4,)),
        "multivariate_normal": lambda k: random.multivariate_normal(k, jnp.array([1.0, -1.0]), jnp.array([[2.0, 0.5], [0.5, 1.0]]), (3,)),
        "ball": lambda k: random.ball(k, 3, shape=(2,)),
        "orthogonal": lambda k: (lambda q: q.T @ q)(random.orthogonal(k, 3)),
        "rayleigh": lambda k: random.rayleigh(k, 2.0, (5,)),
        "weibull": lambda k: random.weibull_min(k, 1.5, 2.0, (5,)),
        "lognormal": lambda k: random.lognormal(k, shape=(5,)),
        "monte_carlo_pi": lambda k: jnp.mean(jnp.sum(random.uniform(k, (500, 2)) ** 2, axis=1) < 1) * 4,
    }
    for name, function in close.items():
        add(name, function, "relative 1e-5")
    add("rbg_bits", lambda k: random.bits(k, (6,)), impl="rbg", data=np.uint32([1, 2, 3, 4]))
    add("rbg_split", lambda k: random.key_data(random.split(k, 2)), impl="rbg", data=np.uint32([1, 2, 3, 4]))
    add("rbg_uniform", lambda k: random.uniform(k, (6,)), impl="rbg", data=np.uint32([5, 6, 7, 8]))
    add("unsafe_rbg_bits", lambda k: random.bits(random.fold_in(k, 3), (6,)), impl="unsafe_rbg", data=np.uint32([5, 6, 7, 8]))
