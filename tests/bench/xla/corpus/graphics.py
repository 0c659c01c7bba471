"""Images, points, rays, fields."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax import lax

from cases import add, f32, s32

add("cross_product", lambda x, y: jnp.cross(x, y), f32(4096, 3), f32(4096, 3))
add("quaternion_rotate", lambda q, v: v + 2 * jnp.cross(q[:, :3], jnp.cross(q[:, :3], v) + q[:, 3:] * v), f32(4096, 4), f32(4096, 3))
add("pixel_shuffle", lambda x: x.reshape(4, 32, 32, 2, 2, 16).transpose(0, 1, 3, 2, 4, 5).reshape(4, 64, 64, 16), f32(4, 32, 32, 64))
add("deconv_3d", lambda x, w: lax.conv_transpose(x, w, (2, 2, 2), "SAME", dimension_numbers=("NDHWC", "DHWIO", "NDHWC")), f32(1, 8, 8, 8, 8), f32(3, 3, 3, 8, 8))
add("haar_wavelet", lambda x: jnp.concatenate([(x[..., ::2] + x[..., 1::2]), (x[..., ::2] - x[..., 1::2])], -1) * 0.7071, f32(256, 512))
add("dct_type2", lambda x: jsp.fft.dct(x), f32(64, 256))
add("sobel_magnitude", lambda x: jnp.sqrt((x[2:, 1:-1] - x[:-2, 1:-1]) ** 2 + (x[1:-1, 2:] - x[1:-1, :-2]) ** 2 + 1e-6), f32(512, 512))
add("median_3x3", lambda x: jnp.sort(jnp.stack([x[i : i + 254, j : j + 254] for i in range(3) for j in range(3)]), 0)[4], f32(256, 256))
add("patches_matmul", lambda x, w: lax.conv_general_dilated_patches(x, (3, 3), (1, 1), "SAME") [0].reshape(72, -1).T @ w, f32(1, 8, 32, 32), f32(72, 16))
add("deform_gather", lambda x, o: x[jnp.clip((jnp.arange(32)[:, None] + o[0] * 3).astype(int), 0, 31), jnp.clip((jnp.arange(32) + o[1] * 3).astype(int), 0, 31)], f32(32, 32, 16), f32(2, 32, 32))
add("roi_mean", lambda x, b: jax.vmap(lambda b: lax.dynamic_slice(x, ((b[0] % 24), (b[1] % 24), 0), (8, 8, 16)).mean((0, 1)))(b), f32(32, 32, 16), s32(64, 2))
add("resize_bicubic", lambda x: jax.image.resize(x, (2, 48, 48, 3), "bicubic"), f32(2, 32, 32, 3))
add("rgb_to_gray", lambda x: x @ jnp.array([0.3, 0.59, 0.11]), f32(256, 256, 3))
add("normalise_image", lambda x: (x.astype(jnp.float32) / 255 - jnp.array([0.485, 0.456, 0.406])) / jnp.array([0.229, 0.224, 0.225]), s32(64, 64, 3, high=255))
add("nhwc_to_nchw", lambda x: jnp.transpose(x, (0, 3, 1, 2)), f32(4, 64, 64, 3))
add("crop_flip", lambda x: x[:, 8:56, 8:56, :][:, :, ::-1], f32(8, 64, 64, 3))
add("points_transform", lambda p, m: p @ m[:3, :3].T + m[:3, 3], f32(4096, 3), f32(4, 4))
add("points_perspective", lambda p, m: (lambda q: q[:, :3] / (q[:, 3:] + 3))(jnp.concatenate([p, jnp.ones((4096, 1))], 1) @ m), f32(4096, 3), f32(4, 4))
add("rotation_matrices", lambda a: jnp.stack([jnp.stack([jnp.cos(a), -jnp.sin(a)], -1), jnp.stack([jnp.sin(a), jnp.cos(a)], -1)], -2), f32(4096))
add("knn", lambda x: lax.top_k(-jnp.sum((x[:, None] - x) ** 2, -1), 8)[1], f32(256, 3))
add("chamfer", lambda a, b: (lambda d: d.min(0).mean() + d.min(1).mean())(jnp.sum((a[:, None] - b) ** 2, -1)), f32(256, 3), f32(256, 3))
add("signed_distance", lambda p: jnp.minimum(jnp.linalg.norm(p - 0.2, axis=-1) - 0.5, jnp.max(jnp.abs(p) - 0.3, -1)), f32(1 << 14, 3))
add("volume_render", lambda s, c: (lambda a: jnp.sum((a * jnp.cumprod(1 - a + 1e-6, -1))[..., None] * c, 1))(1 - jnp.exp(-jax.nn.relu(s))), f32(512, 64), f32(512, 64, 3))
add("positional_nerf", lambda x: jnp.concatenate([f(x[..., None] * 2.0 ** jnp.arange(6)).reshape(2048, -1) for f in (jnp.sin, jnp.cos)], -1), f32(2048, 3))
add("fft_shift_filter", lambda x: jnp.fft.ifft2(jnp.fft.fftshift(jnp.fft.fft2(x)) * (jnp.hypot(*jnp.meshgrid(jnp.arange(64) - 32, jnp.arange(64) - 32)) < 16)).real, f32(64, 64))
add("kabsch", lambda a, b: (lambda u, s, v: u @ v)(*jnp.linalg.svd(a.T @ b)), f32(256, 3), f32(256, 3), tolerance=1e-2)


def ssim(a, b):
    mean = lambda x: lax.reduce_window(x, 0.0, lax.add, (7, 7), (1, 1), "VALID") / 49
    ma, mb = mean(a), mean(b)
    shared, of_a, of_b = mean(a * b) - ma * mb, mean(a * a) - ma**2, mean(b * b) - mb**2
    return jnp.mean((2 * ma * mb + 0.01) * (2 * shared + 0.03) / ((ma**2 + mb**2 + 0.01) * (of_a + of_b + 0.03)))


add("ssim", ssim, f32(128, 128), f32(128, 128))


def grid_sample(image, grid):
    x, y = (grid + 1) * 31.5
    x0, y0 = jnp.floor(x).astype(int), jnp.floor(y).astype(int)
    at = lambda i, j: image[jnp.clip(j, 0, 63), jnp.clip(i, 0, 63)]
    return sum(at(x0 + i, y0 + j) * ((1 - jnp.abs(x - x0 - i)) * (1 - jnp.abs(y - y0 - j)))[..., None] for i in (0, 1) for j in (0, 1))


add("grid_sample", grid_sample, f32(64, 64, 8), f32(2, 64, 64))


def non_max_suppression(boxes, scores):
    def step(i, kept):
        size = jnp.minimum(boxes[:, 2:], boxes[i, 2:]) - jnp.maximum(boxes[:, :2], boxes[i, :2])
        overlaps = jnp.prod(jnp.maximum(size, 0), -1) > 0.3
        return kept & ~((jnp.arange(64) > i) & kept[i] & overlaps)

    return lax.fori_loop(0, 64, step, scores > -2)


add("non_max_suppression", non_max_suppression, f32(64, 4), f32(64))


def perlin_noise(p, gradients):
    cell = jnp.floor(p * 8)
    f, at = p * 8 - cell, cell.astype(int)
    u = f * f * (3 - 2 * f)
    corner = lambda a, b: gradients[(at[:, 0] + a) % 16, (at[:, 1] + b) % 16, 0] * (f[:, 0] - a) * jnp.abs(1 - a - u[:, 0]) * jnp.abs(1 - b - u[:, 1])
    return sum(corner(a, b) for a in (0, 1) for b in (0, 1))


add("perlin_noise", perlin_noise, f32(4096, 2, low=0), f32(16, 16, 2))


def ray_triangle(origins, directions, triangles):
    first, second = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    volume = jnp.sum(first * jnp.cross(directions[:, None], second), -1)
    distance = jnp.sum(jnp.cross(origins[:, None] - triangles[:, 0], first) * second, -1) / volume
    return jnp.min(jnp.where(jnp.abs(volume) > 1e-6, distance, 1e9), 1)


add("ray_triangle", ray_triangle, f32(256, 3), f32(256, 3), f32(32, 3, 3), tolerance=1e-2)


def box_blur(x):
    for shape in ((5, 1, 1, 1), (1, 5, 1, 1)):
        x = lax.conv_general_dilated(x, jnp.ones(shape) / 5, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return x


add("box_blur", box_blur, f32(1, 128, 128, 1))


def rgb_to_hsv(x):
    r, g, b = x[..., 0], x[..., 1], x[..., 2]
    most, least = x.max(-1), x.min(-1)
    spread = most - least + 1e-6
    return jnp.stack([jnp.where(most == r, (g - b) / spread, 2 + (b - r) / spread), (most - least) / (most + 1e-6), most], -1)


add("rgb_to_hsv", rgb_to_hsv, f32(128, 128, 3, low=0))


def spherical_harmonics(d):
    x, y, z = d[:, 0], d[:, 1], d[:, 2]
    return jnp.stack([jnp.ones(4096), y, z, x, x * y, y * z, 3 * z**2 - 1, x * z, x**2 - y**2], -1)


add("spherical_harmonics", spherical_harmonics, f32(4096, 3))
