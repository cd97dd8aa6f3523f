"""Renders landscape.jpg, the picture of the examples: mountains at a lake, in poor light.

    python examples/render_landscape.py

Everything in it is computed here, so that nobody has a licence on it. The terrain is noise with
the spectrum of mountains, seen through a camera that a column of pixels at a time walks away
from; the grain is what a small sensor adds.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Field = NDArray[np.float64]

SIZE = 512
SCALE = 2  # pixels are averaged from 2 x 2
MAP = 1024  # the terrain repeats after as many units
WATER = 0.30
RELIEF = 190  # units of the map from the lowest to the highest point
SUN = np.array([-0.62, 0.34, 0.71])  # right, up, away from the camera


def noise(shape: tuple[int, int], exponent: float, seed: int) -> Field:
    """Periodic noise from 0 to 1 whose amplitudes fall with frequency^exponent."""
    fy, fx = np.fft.fftfreq(shape[0])[:, None], np.fft.fftfreq(shape[1])[None, :]
    f = np.maximum(np.hypot(fx, fy), 1 / max(shape))
    white = np.random.Generator(np.random.PCG64(seed)).standard_normal(shape)
    field = np.fft.ifft2(np.fft.fft2(white) / f**exponent).real
    return (field - field.min()) / (field.max() - field.min())


def sample(field: Field, u: Field, v: Field) -> Field:
    """Bilinear look-up in a periodic field."""
    n = field.shape[0]
    u0, v0 = np.floor(u).astype(int), np.floor(v).astype(int)
    a, b = u - u0, v - v0
    row, below = v0 % n, (v0 + 1) % n
    left, right = u0 % n, (u0 + 1) % n
    top = field[row, left] * (1 - a) + field[row, right] * a
    return top * (1 - b) + (field[below, left] * (1 - a) + field[below, right] * a) * b


def shadows(height: Field) -> Field:
    """1 where the sun reaches the ground, 0 where a mountain is in the way."""
    lit = np.ones_like(height)
    slope = SUN[1] / np.hypot(SUN[0], SUN[2]) / RELIEF
    v, u = np.mgrid[0:MAP, 0:MAP].astype(float)
    for t in range(2, 160, 2):
        along = np.array([SUN[0], SUN[2]]) / np.hypot(SUN[0], SUN[2]) * t
        ray = height + slope * t
        blocked = sample(height, u + along[0], v + along[1]) - ray
        lit = np.minimum(lit, 1 - np.clip(blocked * 60, 0, 1))
    return lit


def sky(x: Field, y: Field) -> NDArray[np.float64]:
    """Colours of the sky; `x` to the right, `y` up, both in units of the distance."""
    up = np.clip(y, 0, None)[..., None]
    colour = np.array([0.96, 0.72, 0.50]) * np.exp(-5 * up)
    colour = colour + np.array([0.22, 0.40, 0.66]) * (1 - np.exp(-4 * up))
    glow = np.exp(-((x - SUN[0] / SUN[2]) ** 2 + (y - SUN[1] / SUN[2] * 0.6) ** 2) * 6)
    colour += glow[..., None] * np.array([0.5, 0.35, 0.12])
    far = 90 / np.clip(y + 0.08, 0.03, None)
    clouds = sample(noise((MAP, MAP), 1.7, 5), x * far + 300, far * 2.0)
    cover = np.clip((clouds - 0.5) * 4, 0, 1) * np.clip(y * 8, 0, 1)
    return colour + (np.array([1.0, 0.86, 0.76]) - colour) * cover[..., None] * 0.75


def render() -> NDArray[np.float64]:
    n = SIZE * SCALE
    height = noise((MAP, MAP), 2.15, 11) ** 1.35
    shore = np.maximum(height, WATER)
    eye, horizon, zoom = WATER + 0.12, 0.52, 1.3

    column = (np.arange(n) + 0.5) / n * 2 - 1
    row = np.arange(n)[:, None]
    lowest = np.full(n, float(n))
    depth = np.full((n, n), np.inf)
    for distance in np.geomspace(4, 900, 900):
        u, v = 700 + column * distance / zoom, 120 + np.full(n, distance)
        h = sample(shore, u, v)
        y = n * horizon + (eye - h) * RELIEF / distance * zoom * n / 2
        visible = (row >= y) & (row < lowest)
        depth[visible] = distance
        lowest = np.minimum(lowest, y)

    x = np.broadcast_to(column / zoom, (n, n))
    up = (n * horizon - row) / (zoom * n / 2) + 0 * x
    picture = sky(x, up)
    hit = np.isfinite(depth)
    far = np.where(hit, depth, 1.0)
    u, v = 700 + x * far, 120 + far
    ground = sample(height, u, v)
    du = (sample(height, u + 1, v) - sample(height, u - 1, v)) * RELIEF / 2
    dv = (sample(height, u, v + 1) - sample(height, u, v - 1)) * RELIEF / 2
    normal = np.stack([-du, np.ones_like(du), -dv]) / np.sqrt(1 + du**2 + dv**2)
    diffuse = np.clip(np.einsum("c,cyx->yx", SUN, normal), 0, 1) * sample(shadows(height), u, v)
    rough = sample(noise((MAP, MAP), 0.9, 3), u * 3, v * 3) - 0.5
    level = ground + 0.18 * rough

    def layer(colour: list[float], weight: Field) -> None:
        nonlocal surface
        surface += (np.array(colour) - surface) * np.clip(weight, 0, 1)[..., None]

    surface = np.zeros((n, n, 3)) + np.array([0.34, 0.30, 0.20])
    layer([0.13, 0.21, 0.08], (level - WATER - 0.012) * 90)
    layer([0.30, 0.27, 0.25], (level - 0.54) * 14)
    layer([0.30, 0.27, 0.25], (0.72 - normal[1]) * 9)
    layer([0.93, 0.94, 0.98], (level - 0.66) * 22 * np.clip(normal[1] * 2 - 0.7, 0, 1))
    light = np.array([1.25, 0.98, 0.72]) * diffuse[..., None] + np.array([0.20, 0.25, 0.34])
    surface *= light * (1 + 0.5 * rough[..., None])

    # Water mirrors what is above it, with ripples.
    water = hit & (ground <= WATER)
    ripple = sample(noise((MAP, MAP), 1.2, 7), u * 6, v * 2) - 0.5
    haze = 1 - np.exp(-((far / 420) ** 1.6))
    surface += (np.array([0.80, 0.68, 0.60]) - surface) * haze[..., None]
    picture[hit] = surface[hit]
    shore_row = np.median(np.where(water, row, n).min(0))
    mirrored = np.clip((2 * shore_row - row + ripple * 40).astype(int), 0, n - 1)
    reflection = picture[mirrored, np.broadcast_to(np.arange(n), (n, n))]
    shine = np.clip(ripple[..., None] * 0.25, -0.1, 0.2)
    picture[water] = (reflection * np.array([0.62, 0.70, 0.78]) + shine)[water]
    return np.clip(picture, 0, 1).reshape(SIZE, SCALE, SIZE, SCALE, 3).mean((1, 3))


def main() -> None:
    picture = render() ** (1 / 1.35)
    grain = np.random.Generator(np.random.PCG64(1)).standard_normal(picture.shape)
    picture = np.clip(picture + 0.045 * grain, 0, 1)
    image = Image.fromarray((picture * 255).astype(np.uint8))
    image.save(Path(__file__).with_name("landscape.jpg"), quality=92)


if __name__ == "__main__":
    main()
