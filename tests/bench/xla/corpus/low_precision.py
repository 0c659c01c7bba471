"""Narrow element types."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import add, bf16, f8, f8e5, f16, f32, s8, s32, u32

N = 1 << 16
F8, F8E5 = jnp.float8_e4m3fn, jnp.float8_e5m2
add("f8_from_f32", lambda x: x.astype(F8), f32(N))
add("f8_to_f32", lambda x: x.astype(jnp.float32), f8(N))
add("f8e5_from_f32", lambda x: x.astype(F8E5), f32(N))
add("f8e5_to_f32", lambda x: x.astype(jnp.float32), f8e5(N))
add("f8_to_bf16", lambda x: x.astype(jnp.bfloat16) * 2, f8(N))
add("f8_round_trip", lambda x: x.astype(F8).astype(jnp.float32) - x, f32(N))
add("f8_dot", lambda a, b: a.astype(jnp.float32) @ b.astype(jnp.float32), f8(128, 128), f8(128, 128))
add("f8_scaled_dot", lambda x, w, s: ((x / s).astype(F8).astype(jnp.float32) @ w.astype(jnp.float32)) * s, f32(64, 128), f8(128, 128), f32(low=0.5))
add("bf16_chain", lambda x, y: jnp.tanh(x) * y + x, bf16(N), bf16(N))
add("f16_chain", lambda x, y: x * y + x, f16(N), f16(N))
add("bf16_from_f32", lambda x: x.astype(jnp.bfloat16), f32(N))
add("f16_from_f32", lambda x: x.astype(jnp.float16), f32(N))
add("f16_to_f32", lambda x: x.astype(jnp.float32), f16(N))
add("bf16_sum_rows", lambda x: x.sum(1), bf16(256, 512))
add("f16_softmax", lambda x: jax.nn.softmax(x, 1), f16(256, 512))
add("bf16_layer_norm", lambda x: (x - x.mean(1, keepdims=True)) * lax.rsqrt(x.var(1, keepdims=True) + 1e-5), bf16(256, 512))
add("bf16_scatter_add", lambda x, i, u: x.at[i].add(u), bf16(1000, 64), s32(1000, high=1000), bf16(1000, 64), tolerance=0.2)
add("f16_scatter_add", lambda i, u: jnp.zeros(1000, jnp.float16).at[i].add(u), s32(8192, high=1000), f16(8192), tolerance=0.1)
add("bf16_gather", lambda x, i: x[i] * 2, bf16(2000, 64), s32(1000, high=2000))
add("bf16_max_pool", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), bf16(2, 64, 64, 32))
add("bf16_convolution", lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), bf16(1, 28, 28, 32), bf16(3, 3, 32, 32))
add("f16_dot", jnp.matmul, f16(128, 128), f16(128, 128))
add("bf16_sort", lambda x: jnp.sort(x, 1), bf16(64, 512))
add("bf16_cumsum", lambda x: jnp.cumsum(x.astype(jnp.float32), 1).astype(jnp.bfloat16), bf16(64, 512))
add("s8_quantise", lambda x: jnp.clip(jnp.round(x / 0.01), -128, 127).astype(jnp.int8), f32(N), tolerance=1)
add("s8_dequantise", lambda x, s: x.astype(jnp.float32) * s, s8(256, 256), f32(256))
add("s8_dot_dequantised", lambda x, w, s: x @ (w.astype(jnp.float32) * s), f32(16, 512), s8(512, 512), f32(512))
add("s8_convolution", lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), preferred_element_type=jnp.int32),
    s8(1, 28, 28, 16), s8(3, 3, 16, 32))  # fmt: skip
add("s4_dequantise", lambda x, s: x.astype(jnp.int4).astype(jnp.float32) * s, s8(256, 256, low=-8, high=8), f32(256))
add("s4_unpacked_words", lambda w, s: (((w[:, None] >> (4 * jnp.arange(8, dtype=jnp.uint32))) & 15).astype(jnp.float32) - 8) * s[:, None], u32(N // 8), f32(N // 8))
add("s4_dot", lambda x, w, s: x @ (w.astype(jnp.int4).astype(jnp.float32) * s), f32(8, 256), s8(256, 256, low=-8, high=8), f32(256))
add("s4_bitcast_dot", lambda x, w: x @ lax.bitcast_convert_type(w, jnp.int4).astype(jnp.float32).reshape(256, 256), f32(8, 256), s8(256, 128))
add("stochastic_rounding", lambda x, r: lax.bitcast_convert_type((lax.bitcast_convert_type(x, jnp.uint32) + (r & 0xFFFF)) & jnp.uint32(0xFFFF0000), jnp.float32), f32(N), u32(N))
add("mixed_adam", lambda p, g, m: (lambda n: ((p.astype(jnp.float32) - 1e-3 * n).astype(jnp.bfloat16), n))(0.9 * m + 0.1 * g.astype(jnp.float32)), bf16(N), bf16(N), f32(N))
