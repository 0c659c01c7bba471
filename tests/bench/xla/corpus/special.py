"""Special functions, random numbers, bits, narrow types, complex numbers."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax import lax

from cases import add, bf16, c64, c128, f16, f32, f64, f8, s32, s8, u32

add("gammainc", lambda a, x: jsp.special.gammainc(a + 1.5, x + 1.2), f32(512), f32(512))
add("i0e_i1e", lambda x: jsp.special.i0e(x * 10) + jsp.special.i1e(x * 10), f32(1 << 14))
add("ndtri", lambda x: jsp.special.ndtri(x * 0.49 + 0.5), f32(1 << 14))
add("xlogy_entr", lambda x, y: jsp.special.xlogy(x, y + 1.1) + jsp.special.entr(y), f32(1 << 14), f32(1 << 14))
add("polygamma", lambda x: jsp.special.polygamma(1, x + 2.5), f32(1 << 12))
add("zeta", lambda x: jsp.special.zeta(x + 3.0, 1.5), f32(1 << 12))
add("erfc_logcdf", lambda x: jsp.stats.norm.logcdf(x * 6), f32(1 << 14))
add("expm1_log1p_f64", lambda x: jnp.expm1(x) + jnp.log1p(x * 0.9), f64(1 << 14))
add("cbrt_sinh_f64", lambda x: jnp.cbrt(x) + jnp.sinh(x) + jnp.arctanh(x * 0.9), f64(1 << 14))
add("asin_acos", lambda x: jnp.arcsin(x) * jnp.arccos(x) + jnp.arcsinh(x), f32(1 << 15))
add("random_gamma", lambda k: jax.random.gamma(jax.random.key(k[0]), 2.5, (1024,)), u32(1))
add("random_poisson", lambda k: jax.random.poisson(jax.random.key(k[0]), 4.0, (1024,)), u32(1), tolerance=1)
add("random_dirichlet", lambda k: jax.random.dirichlet(jax.random.key(k[0]), jnp.ones(8), (64,)), u32(1))
add("random_truncated", lambda k: jax.random.truncated_normal(jax.random.key(k[0]), -1, 2, (1 << 14,)), u32(1))
add("random_choice", lambda k, x: jax.random.choice(jax.random.key(k[0]), x, (256,), replace=False), u32(1), f32(4096))
add("packbits", lambda x: jnp.packbits(x > 0), f32(1 << 16))
add("unpackbits", lambda x: jnp.unpackbits(x.astype(jnp.uint8)), s32(1 << 14, high=255))
add("gcd_lcm", lambda x, y: jnp.gcd(x, y) , s32(1 << 12, high=10000), s32(1 << 12, high=10000))
add("frexp_ldexp", lambda x: jnp.ldexp(jnp.frexp(x)[0], jnp.frexp(x)[1] + 3), f32(1 << 15))
add("nextafter", lambda x, y: jnp.nextafter(x, y), f32(1 << 15), f32(1 << 15))
add("divmod_floor", lambda x, y: jnp.divmod(x, y + 1.5)[0] + jnp.mod(x * 10, 0.7), f32(1 << 14), f32(1 << 14))
add("population_count", lambda x: lax.population_count(x) + lax.clz(x), u32(1 << 16))
add("bit_reverse", lambda x: ((x >> 16) | (x << 16)) ^ ((x & 0x00FF00FF) << 8), u32(1 << 16))
add("xorshift_stream", lambda s: lax.scan(lambda x, _: ((lambda y: y ^ (y << 5))((lambda y: y ^ (y >> 17))(x ^ (x << 13))),) * 2, s[0], None, 1000)[1], u32(1))
add("hash_table_lookup", lambda k, t: t[(k * jnp.uint32(2654435761)) >> 20], u32(4096), f32(4096))
add("f16_layer_norm_grad", jax.grad(lambda x: jnp.sum(((x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-3)) ** 3).astype(jnp.float32)), f16(128, 256), tolerance=0.1)
add("bf16_attention", lambda q, k, v: jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(jnp.einsum("hqd,hkd->hqk", q, k), -1), v), bf16(4, 128, 64), bf16(4, 128, 64), bf16(4, 128, 64), tolerance=0.1)
add("f16_argmax", lambda x: jnp.argmax(x, -1), f16(256, 512))
add("bf16_top_k", lambda x: lax.top_k(x, 4), bf16(128, 512))
add("f16_cumsum", lambda x: jnp.cumsum(x, 1), f16(128, 256), tolerance=0.1)
add("s8_matmul_scale", lambda x, w: lax.dot(x, w, preferred_element_type=jnp.int32).astype(jnp.float32) * 0.01, s8(128, 256), s8(256, 128))
add("u8_image_blend", lambda a, b: ((a.astype(jnp.uint8).astype(jnp.uint16) * 77 + b.astype(jnp.uint8).astype(jnp.uint16) * 179) >> 8).astype(jnp.uint8), s32(1 << 15, high=255), s32(1 << 15, high=255))
add("u8_threshold_count", lambda x: jnp.sum((x.astype(jnp.uint8) > 128).astype(jnp.int32), 1), s32(256, 256, high=255))
add("s16_audio_mix", lambda a, b: jnp.clip((a + b) // 2, -32768, 32767).astype(jnp.int16), s32(1 << 15, high=30000), s32(1 << 15, high=30000))
add("bf16_scan", lambda x: lax.scan(lambda s, e: (s * jnp.bfloat16(0.9) + e, s), jnp.bfloat16(0), x)[1], bf16(2048), tolerance=0.1)
add("f16_rnn", lambda x, w: lax.scan(lambda h, e: (jnp.tanh(h @ w * jnp.float16(0.1) + e), h), jnp.zeros(32, jnp.float16), x)[1], f16(64, 32), f16(32, 32), tolerance=0.1)
add("mask_multiply_bf16", lambda x: x * jnp.tril(jnp.ones((256, 256), jnp.bfloat16)), bf16(256, 256))
add("one_hot_bf16", lambda x: jax.nn.one_hot(x, 128, dtype=jnp.bfloat16), s32(1024, high=128))
add("f8_linear", lambda x, w: (x.astype(jnp.float32) @ w.astype(jnp.float32)) * 0.1, f8(64, 128), f8(128, 64))
add("complex_log_power", lambda z: jnp.log(z) + z ** 2.5, c64(1 << 13), tolerance=1e-3)
add("complex_outer_max", lambda z: jnp.max(jnp.abs(z[:, None] - z), 1), c64(256))
add("complex_scan", lambda z: lax.scan(lambda s, e: (s * 0.9 * jnp.exp(1j * 0.1) + e, s), 0j, z)[1], c64(4096))
add("c128_product_chain", lambda z: jnp.prod(z, 1), c128(256, 32))
add("mandelbrot_c64", lambda c: lax.fori_loop(0, 30, lambda i, z: jnp.where(jnp.abs(z) < 2, z * z + c, z), jnp.zeros_like(c)), c64(64, 64), tolerance=10)
add("complex_matmul_c128", lambda a, b: a @ b, c128(64, 64), c128(64, 64))
add("quantum_gates", lambda s: lax.fori_loop(0, 8, lambda i, s: jnp.roll(jnp.stack([s[:, 0] + s[:, 1], s[:, 0] - s[:, 1]], 1).reshape(-1) * 0.70710678, 1).reshape(128, 2), s), c64(128, 2))
add("phase_rotation", lambda x, t: x * jnp.exp(1j * t), c64(1 << 13), f32(1 << 13))


def chacha_rounds(s):
    def step(_, x):
        a, b, c, d = x
        mixed = b ^ (a + b)
        return jnp.stack([a + b, (mixed << 7) | (mixed >> 25), c + d, ((d ^ c) << 16) | ((d ^ c) >> 16)])

    return lax.fori_loop(0, 10, step, s)


add("chacha_rounds", chacha_rounds, u32(4, 4096))
