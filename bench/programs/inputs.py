"""Inputs of the programs in examples/host, small ones for tests and full ones to be measured.

`inputs(name, which)` gives the arguments of the program's host function by name, in order: arrays,
which it reads or updates in place, and numbers. The full sizes are those of Table 4 of
[ppopencl19] where a run takes seconds on two cores, else smaller; the large ones are
for GPUs, on which launches and transfers would be all that is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

Arguments: TypeAlias = "dict[str, Any]"
Rng: TypeAlias = np.random.Generator
Size: TypeAlias = Literal["small", "full", "large"]
SIZES: tuple[Size, ...] = ("small", "full", "large")
Make: TypeAlias = Callable[[Rng, Size], Arguments]
T = TypeVar("T")

INPUTS: dict[str, Make] = {}


def inputs(name: str, which: Size = "small") -> Arguments:
    """The arguments of program `name`, the same at each call."""
    return INPUTS[name](np.random.default_rng(0), which)


def program(make: Make) -> Make:
    INPUTS[make.__name__] = make
    return make


def of(which: Size, small: T, full: T, large: T) -> T:
    return {"small": small, "full": full, "large": large}[which]


def uniform(rng: Rng, *shape: int) -> np.ndarray:
    return rng.random(shape, np.float32)


@program
def stencil(rng: Rng, which: Size) -> Arguments:
    nx, ny, nz = of(which, (37, 18, 9), (512, 512, 64), (512, 512, 256))
    return {
        "grid": uniform(rng, nz * ny * nx),
        **{"nx": nx, "ny": ny, "nz": nz, "c0": 0.5, "c1": 1 / 12},
        "iterations": of(which, 3, 20, 50),
    }


@program
def spmv(rng: Rng, which: Size) -> Arguments:
    rows, most = of(which, (300, 9), (65536, 40), (1 << 20, 40))
    counts = np.sort(rng.integers(1, most + 1, rows))[::-1]
    starts = [0]
    for k in range(most):
        starts.append(starts[-1] + int((counts > k).sum()))
    return {
        "y": np.zeros(rows, np.float32),
        "values": uniform(rng, starts[-1]),
        "columns": rng.integers(0, rows, starts[-1], np.int32),
        "order": rng.permutation(rows).astype(np.int32),
        "lengths": counts.astype(np.int32),
        "start": np.array(starts[:-1], np.int32),
        "x": uniform(rng, rows),
        **{"rows": rows, "entries": starts[-1], "diagonals": most},
        "repetitions": of(which, 2, 50, 100),
    }


@program
def mri_q(rng: Rng, which: Size) -> Arguments:
    samples, voxels = of(which, (40, 300), (1024, 65536), (4096, 1 << 20))
    per_sample = {name: uniform(rng, samples) - 0.5 for name in ("kx", "ky", "kz")}
    values = {name: uniform(rng, samples) for name in ("phi_re", "phi_im")}
    per_voxel = {name: uniform(rng, voxels) for name in ("x", "y", "z")}
    results = {name: np.ones(voxels, np.float32) for name in ("q_re", "q_im")}
    sizes = {"samples": samples, "voxels": voxels}
    return {**per_sample, **values, **per_voxel, **results, **sizes}


@program
def cutcp(rng: Rng, which: Size) -> Arguments:
    nx, ny, nz = of(which, (10, 5, 2), (96, 96, 48), (256, 256, 128))
    spacing, length, margin = 0.5, 4.0, 2
    extent = np.array([nx, ny, nz]) * spacing
    bins = [int(e / length) + 1 + 2 * margin for e in extent]
    count = of(which, 60, 5000, 100_000)
    atoms = np.concatenate([uniform(rng, count, 3) * extent, uniform(rng, count, 1) + 0.5], axis=1)
    return {
        "lattice": np.zeros(nx * ny * nz, np.float32),
        "atoms": atoms.astype(np.float32).reshape(-1),
        "bins": np.zeros(int(np.prod(bins)) * 32, np.float32),
        "filled": np.zeros(int(np.prod(bins)), np.int32),
        "offsets": np.zeros((2 * margin + 1) ** 3, np.int32),
        **{"atom_count": count, "nx": nx, "ny": ny, "nz": nz},
        **{f"bins_{axis}": n for axis, n in zip("xyz", bins, strict=True)},
        **{"margin": margin, "spacing": spacing, "bin_length": length, "cutoff": 8.0},
    }


LBM_WEIGHTS = np.array([1 / 3, *[1 / 18] * 6, *[1 / 36] * 12], np.float32)


@program
def lbm(rng: Rng, which: Size) -> Arguments:
    nx, ny, nz = of(which, (12, 9, 7), (120, 120, 60), (120, 120, 150))
    cells = np.zeros((nz, ny, nx, 20), np.float32)
    cells[..., :19] = LBM_WEIGHTS * (1 + 0.1 * uniform(rng, nz, ny, nx, 19))
    cells[..., 19] = rng.random((nz, ny, nx)) < 0.05
    sizes = {"nx": nx, "ny": ny, "nz": nz}
    return {"cells": cells.reshape(-1), **sizes, "omega": 1.2, "steps": of(which, 3, 10, 50)}


@program
def backprop(rng: Rng, which: Size) -> Arguments:
    count = of(which, 64, 65536, 1 << 20)
    values = uniform(rng, count + 1)
    values[0] = 1
    return {
        "input": values,
        "weights": (uniform(rng, (count + 1) * 17) - 0.5) * np.float32(8 / count),
        "previous": uniform(rng, (count + 1) * 17) / 100,
        "hidden_weights": uniform(rng, 17),
        "hidden": np.zeros(17, np.float32),
        "error": np.zeros(1, np.float32),
        **{"target": 0.1, "inputs": count},
    }


@program
def nw(rng: Rng, which: Size) -> Arguments:
    length = of(which, 64, 2048, 8192)
    size = (length + 1) ** 2
    similarity = rng.integers(-4, 12, size, np.int32)
    scores = np.zeros(size, np.int32)
    return {"similarity": similarity, "scores": scores, "length": length, "penalty": 10}


@program
def lavamd(rng: Rng, which: Size) -> Arguments:
    sides = of(which, (2, 1, 1), (8, 8, 8), (20, 20, 20))
    particles = 100 * int(np.prod(sides))
    boxes = np.stack(np.unravel_index(np.arange(particles // 100), sides[::-1])[::-1], axis=1)
    positions = np.repeat(boxes, 100, axis=0) + uniform(rng, particles, 3)
    return {
        "positions": positions.astype(np.float32).reshape(-1),
        "charges": uniform(rng, particles),
        "forces": np.ones(4 * particles, np.float32),
        **dict(zip(("nx", "ny", "nz"), sides, strict=True)),
        "alpha": 0.5,
    }


@program
def btree(rng: Rng, which: Size) -> Arguments:
    order, height = 256, of(which, 1, 2, 2)
    records = of(which, 1500, 500_000, 1_000_000)
    count = of(which, 50, 6000, 1_000_000)
    tree = tree_of(np.arange(records) * 3, order, height)
    first = rng.integers(0, records - 200, count)
    return {
        "keys": tree[0].reshape(-1),
        "children": tree[1].reshape(-1),
        "records": rng.integers(0, 1 << 30, records, np.int32),
        "queries": rng.integers(0, 3 * records, count, np.int32),
        "firsts": (first * 3).astype(np.int32),
        "lasts": ((first + rng.integers(0, 200, count)) * 3).astype(np.int32),
        **{name: np.zeros(count, np.int32) for name in ("answers", "begin", "lengths")},
        **{"nodes": len(tree[0]), "record_count": records, "query_count": count},
        "height": height,
    }


def tree_of(keys: np.ndarray, order: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """A B+ tree with leaves `height` levels below its root: keys and children, by node."""
    lowest, highest = np.iinfo(np.int32).min, np.iinfo(np.int32).max
    fill = int(np.ceil(len(keys) ** (1 / (height + 1))))
    assert fill <= order
    levels: list[tuple[np.ndarray, np.ndarray]] = []  # the leaves first
    content = np.arange(len(keys))
    starts = keys
    while True:
        nodes = -(-len(starts) // fill)
        node_keys = np.full((nodes, order + 1), highest, np.int32)
        children = np.zeros((nodes, order + 1), np.int32)
        for node in range(nodes):
            part = slice(node * fill, min((node + 1) * fill, len(starts)))
            node_keys[node, : part.stop - part.start] = starts[part]
            children[node, : part.stop - part.start] = content[part]
        levels.append((node_keys, children))
        if len(levels) == height + 1:
            break
        starts, content = node_keys[:, 0], np.arange(nodes)
    levels.reverse()
    # The root is node 0; the others follow level by level.
    firsts = np.cumsum([0, *(len(level[0]) for level in levels)])
    for (_, children), first in zip(levels[:-1], firsts[1:], strict=False):
        children += first
    for node_keys, _ in levels[:-1]:
        node_keys[0, 0] = lowest
    return np.concatenate([k for k, _ in levels]), np.concatenate([c for _, c in levels])


@program
def cfd(rng: Rng, which: Size) -> Arguments:
    cells = of(which, 500, 193_536, 1_000_000)
    near = np.arange(cells) + rng.integers(-60, 61, (4, cells))
    neighbours = np.where((near >= 0) & (near < cells), near, -2)
    neighbours[:, rng.random(cells) < 0.02] = -1
    far = np.array([1.4, 1.68, 0.1, 0.0, 3.5], np.float32)
    return {
        "variables": np.zeros(5 * cells, np.float32),
        "neighbours": neighbours.astype(np.int32).reshape(-1),
        "normals": (uniform(rng, 12 * cells) - 0.5) * np.float32(0.01),
        "areas": uniform(rng, cells) + 0.5,
        "far": far,
        **{"cells": cells, "iterations": of(which, 2, 10, 50)},
    }


@program
def gaussian(rng: Rng, which: Size) -> Arguments:
    size = of(which, 40, 1024, 4096)
    matrix = uniform(rng, size, size) + size * np.eye(size, dtype=np.float32)
    vectors = {"b": uniform(rng, size), "m": np.ones(size * size, np.float32)}
    x = np.zeros(size, np.float32)
    return {"a": matrix.astype(np.float32).reshape(-1), **vectors, "x": x, "size": size}


@program
def streamcluster(rng: Rng, which: Size) -> Arguments:
    points, dimensions, candidates = of(which, (300, 12, 5), (65536, 64, 20), (1 << 19, 64, 20))
    rows, weights = uniform(rng, points, dimensions), uniform(rng, points) + 0.5
    return {
        "point_rows": rows.reshape(-1),
        "weights": weights,
        "costs": weights * ((rows - rows[0]) ** 2).sum(axis=1),
        "centres": np.zeros(points, np.int32),
        "candidates": rng.choice(np.arange(1, points, dtype=np.int32), candidates, False),
        "total": np.zeros(1, np.float32),
        **{"points": points, "dimensions": dimensions, "candidate_count": candidates},
        "price": points / 100,
    }


@program
def md(rng: Rng, which: Size) -> Arguments:
    atoms, neighbours = of(which, (256, 12), (73728, 128), (294912, 128))
    return {
        "neighborIter": rng.integers(0, atoms, atoms * neighbours, np.int32),
        "h_p": uniform(rng, atoms),
        "h_f": np.zeros(atoms, np.float32),
        **{"nA": atoms, "nN": neighbours},
    }


@program
def kmeans(rng: Rng, which: Size) -> Arguments:
    points, features, clusters = of(which, (300, 7, 5), (819200, 34, 5), (819200, 34, 20))
    objects = uniform(rng, points * features)
    return {
        "objects": objects,
        "centres": objects[: clusters * features].copy(),
        "membership": np.zeros(points, np.int32),
        **{"points": points, "features": features, "clusters": clusters, "iterations": 3},
    }


@program
def sgemm(rng: Rng, which: Size) -> Arguments:
    m, n, k = of(which, (48, 32, 20), (1024, 1056, 992), (4096, 4128, 4000))
    return {
        "a": uniform(rng, m * k),
        "b": uniform(rng, n * k),
        "c": uniform(rng, m * n),
        **{"m": m, "n": n, "k": k, "alpha": 1.5, "beta": 0.5},
    }


@program
def quasirandom(rng: Rng, which: Size) -> Arguments:
    points = of(which, 700, 320 * 16384, 320 * 65536)
    return {
        "out": np.zeros(3 * points, np.float32),
        "table": rng.integers(0, 1 << 31, 93, np.uint32),
        **{"seed": 1, "n": points},
    }
