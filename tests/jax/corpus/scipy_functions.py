"""jax.scipy: special, stats, signal, ndimage and the rest."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import scipy
import jax.scipy.cluster.vq
import jax.scipy.optimize
from jax.scipy import special, stats


def make(corpus):
    f32, add = corpus.f32, corpus.add
    v, unit, positive = f32(6, low=-3, high=3), f32(5, low=0.1, high=0.9), f32(5, low=0.4, high=6)
    functions = {
        "gammaln": (special.gammaln, f32(6, low=3, high=9)),
        "gamma": (special.gamma, f32(6, low=1, high=5)),
        "digamma": (special.digamma, f32(6, low=2, high=9)),
        "polygamma": (lambda a: special.polygamma(1, a), positive),
        "zeta": (lambda a: special.zeta(a + 1, 2.0), positive),
        "beta": (lambda a: special.betaln(a, 2.0), positive),
        "betainc": (lambda a, b: special.betainc(a, 2.0, b), positive, unit),
        "gammainc": (lambda a: (special.gammainc(a, 1.5), special.gammaincc(a, 1.5)), positive),
        "erf": (lambda a: (special.erf(a), special.erfc(a)), f32(6, low=-1, high=1)),
        "erf_inv": (lambda a: special.erfinv(a - 0.5), unit),
        "ndtr": (lambda a: (special.ndtr(a), special.log_ndtr(a)), v),
        "ndtri": (special.ndtri, unit),
        "logit_expit": (lambda a: (special.logit(a), special.expit(a)), unit),
        "xlogy": (lambda a: (special.xlogy(a, a + 1), special.xlog1py(a, a)), positive),
        "entr": (lambda a: (special.entr(a), special.kl_div(a, 0.5), special.rel_entr(a, 0.5)), unit),
        "logsumexp": (lambda a: special.logsumexp(a, axis=0), f32(3, 4)),
        "logsumexp_weighted": (lambda a, b: special.logsumexp(a, b=b), f32(4), f32(4, low=0.5, high=2)),
        "bessel_i": (lambda a: (special.i0(a), special.i0e(a), special.i1(a), special.i1e(a)), v),
        "expi": (special.expi, positive),
        "exp1": (special.exp1, positive),
        "multigammaln": (lambda a: special.multigammaln(a + 3, 2), positive),
        "poch": (lambda a: special.poch(a, 2.0), positive),
        "spence": (special.spence, positive),
        "log_softmax": (special.log_softmax, f32(2, 5)),
        "normal": (lambda a: (stats.norm.logpdf(a), stats.norm.cdf(a), stats.norm.pdf(a, 1.0, 2.0)), v),
        "normal_quantile": (stats.norm.ppf, unit),
        "gamma_distribution": (lambda a: (stats.gamma.logpdf(a, 2.0), stats.gamma.cdf(a, 2.0)), positive),
        "beta_distribution": (lambda a: stats.beta.logpdf(a, 2.0, 3.0), unit),
        "student": (lambda a: stats.t.logpdf(a, 3.0), v),
        "poisson": (lambda a: stats.poisson.logpmf(a, 2.5), np.int32([0, 1, 5, 9])),
        "bernoulli": (lambda a: stats.bernoulli.logpmf(a, 0.3), np.int32([0, 1, 1])),
        "laplace": (lambda a: (stats.laplace.logpdf(a), stats.laplace.cdf(a)), v),
        "logistic": (lambda a: (stats.logistic.logpdf(a), stats.logistic.cdf(a)), v),
        "dirichlet": (lambda a: stats.dirichlet.logpdf(a / jnp.sum(a), jnp.array([1.5, 2.0, 3.0])), f32(3, low=0.2, high=1)),
        "multivariate_normal": (lambda a: stats.multivariate_normal.logpdf(a, jnp.zeros(2), jnp.array([[2.0, 0.3], [0.3, 1.0]])), f32(3, 2)),
        "gaussian_kde": (lambda a, b: stats.gaussian_kde(a)(b), f32(9), f32(3)),
        "convolve2d": (lambda a, b: scipy.signal.convolve2d(a, b, mode="same"), f32(4, 5), f32(3, 3)),
        "fftconvolve": (lambda a, b: scipy.signal.fftconvolve(a, b), f32(6), f32(4)),
        "detrend": (scipy.signal.detrend, f32(8)),
        "map_coordinates": (lambda a, c: scipy.ndimage.map_coordinates(a, [c[0], c[1]], order=1, mode="nearest"), f32(4, 4), f32(2, 5, low=0, high=3)),
        "trapezoid": (lambda a: scipy.integrate.trapezoid(a, dx=0.25), f32(9)),
        "dct": (scipy.fft.dct, f32(8)),
        "idct": (lambda a: scipy.fft.idct(a, norm="ortho"), f32(8)),
        "regular_grid_interpolator": (lambda a, p: scipy.interpolate.RegularGridInterpolator((jnp.arange(3.0), jnp.arange(4.0)), a)(p), f32(3, 4), f32(5, 2, low=0, high=2)),
    }  # fmt: skip
    for name, (function, *inputs) in functions.items():
        add(f"scipy_{name}", function, *inputs, compare="relative 1e-5")
    add("scipy_vq", lambda a, b: scipy.cluster.vq.vq(a, b), f32(6, 2), f32(3, 2), compare="relative 1e-5")
    add("scipy_rankdata", lambda a: stats.rankdata(a), np.float32([3, 1, 3, 7, 1]))
    add("scipy_mode", lambda a: stats.mode(a), np.int32([3, 1, 3, 7, 1, 3]))
    add("scipy_minimize", lambda a: scipy.optimize.minimize(lambda p: jnp.sum((p - jnp.array([1.0, -2.0])) ** 2), a, method="BFGS", options={"maxiter": 3}).x, f32(2), compare="relative 1e-5")
    add("scipy_erf_gradient", jax.grad(lambda a: jnp.sum(special.erf(a) * special.gammaln(a + 4))), v, compare="relative 1e-5")
