"""What the programs of examples/host compute, in numpy: said a second time, with doubles.

`model(name, arguments)` gives the arrays that the program must leave, by the names of its
parameters; `arguments` are those before the run and stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

Results: TypeAlias = "dict[str, np.ndarray]"

MODELS: dict[str, Callable[[Any], Results]] = {}


def model(name: str, arguments: dict[str, Any]) -> Results:
    """The arrays that program `name` leaves, of those that it writes."""
    wide = {
        name: arg.astype(np.float64) if getattr(arg, "dtype", None) == np.float32 else arg
        for name, arg in arguments.items()
    }
    return MODELS[name](SimpleNamespace(**wide))


def program(function: Callable[[Any], Results]) -> Callable[[Any], Results]:
    MODELS[function.__name__] = function
    return function


@program
def stencil(a: Any) -> Results:
    grid = a.grid.reshape(a.nz, a.ny, a.nx).copy()
    inner = (slice(1, -1),) * 3
    for _ in range(a.iterations):
        shifted = sum(np.roll(grid, s, axis)[inner] for axis in range(3) for s in (-1, 1))
        after = grid.copy()
        after[inner] = a.c1 * shifted - a.c0 * grid[inner]
        grid = after
    return {"grid": grid.reshape(-1)}


@program
def spmv(a: Any) -> Results:
    y = np.zeros(a.rows)
    for k in range(a.diagonals):
        rows = np.flatnonzero(a.lengths > k)
        at = a.start[k] + rows
        y[a.order[rows]] += a.values[at] * a.x[a.columns[at]]
    return {"y": y}


@program
def mri_q(a: Any) -> Results:
    angle = 2 * np.pi * sum(np.outer(p, k) for p, k in ((a.x, a.kx), (a.y, a.ky), (a.z, a.kz)))
    magnitude = a.phi_re**2 + a.phi_im**2
    return {"q_re": np.cos(angle) @ magnitude, "q_im": np.sin(angle) @ magnitude}


@program
def cutcp(a: Any) -> Results:
    atoms = a.atoms.reshape(-1, 4)
    k, j, i = np.indices((a.nz, a.ny, a.nx)) * a.spacing
    kept: dict[tuple[int, ...], int] = {}
    energy = np.zeros((a.nz, a.ny, a.nx))
    for x, y, z, q in atoms:
        place = tuple(int(c / a.bin_length) for c in (x, y, z))
        kept[place] = kept.get(place, 0) + 1
        if kept[place] <= 8:
            r2 = (x - i) ** 2 + (y - j) ** 2 + (z - k) ** 2
            s = 1 - r2 / a.cutoff**2
            energy += np.where(s > 0, q / np.sqrt(r2) * s * s, 0)
    return {"lattice": energy.reshape(-1)}


# The directions of D3Q19 as (x, y, z): centre, N S E W T B, then pairs of these.
AXES = {"N": (0, 1, 0), "S": (0, -1, 0), "E": (1, 0, 0), "W": (-1, 0, 0), "T": (0, 0, 1),
        "B": (0, 0, -1)}  # fmt: skip
NAMES = "C N S E W T B NE NW SE SW NT NB ST SB ET EB WT WB".split()
DIRECTIONS = [tuple(sum(AXES[c][d] for c in name if c != "C") for d in range(3)) for name in NAMES]


@program
def lbm(a: Any) -> Results:
    shape = (a.nz, a.ny, a.nx)
    cells = a.cells.reshape(*shape, 20).copy()
    inner = (slice(1, -1),) * 3
    weights = np.array([1 / 3, *[1 / 18] * 6, *[1 / 36] * 12])
    opposite = [DIRECTIONS.index((-x, -y, -z)) for x, y, z in DIRECTIONS]
    directions = np.array(DIRECTIONS)
    before = cells.copy()
    for _ in range(a.steps):
        f = cells[inner][..., :19]
        rho = f.sum(-1)
        u = f @ directions / rho[..., None]
        cu = u @ directions.T
        still = (1 - 1.5 * (u * u).sum(-1))[..., None]
        equal = weights * rho[..., None] * (still + 3 * cu + 4.5 * cu * cu)
        wall = cells[inner][..., 19:] != 0
        moved = np.where(wall, f[..., opposite], (1 - a.omega) * f + a.omega * equal)
        # Two grids take turns: what nothing flows into is from two steps ago.
        after = before
        for d, (x, y, z) in enumerate(DIRECTIONS):
            target = tuple(slice(1 + s, n - 1 + s) for s, n in zip((z, y, x), shape, strict=True))
            after[(*target, d)] = moved[..., d]
        before, cells = cells, after
    return {"cells": cells.reshape(-1)}


@program
def backprop(a: Any) -> Results:
    weights, previous = a.weights.reshape(-1, 17), a.previous.reshape(-1, 17).copy()
    hidden = np.ones(17)
    hidden[1:] = 1 / (1 + np.exp(-(a.input @ weights)[1:]))
    output = 1 / (1 + np.exp(-(a.hidden_weights @ hidden)))
    slope = output * (1 - output) * (a.target - output)
    delta = hidden * (1 - hidden) * slope * a.hidden_weights
    change = 0.3 * np.outer(a.input, delta) + 0.3 * previous
    after = weights.copy()
    # The threshold's weights are not trained.
    after[1:, 1:] += change[1:, 1:]
    previous[1:, 1:] = change[1:, 1:]
    return {
        "hidden": hidden,
        "error": np.array([abs(slope)]),
        "weights": after.reshape(-1),
        "previous": previous.reshape(-1),
    }


@program
def nw(a: Any) -> Results:
    n = a.length + 1
    like, scores = a.similarity.reshape(n, n), np.zeros((n, n), np.int64)
    scores[0] = scores[:, 0] = -a.penalty * np.arange(n)
    for y in range(1, n):
        for x in range(1, n):
            gap = max(scores[y - 1, x], scores[y, x - 1]) - a.penalty
            scores[y, x] = max(scores[y - 1, x - 1] + like[y, x], gap)
    return {"scores": scores.reshape(-1)}


@program
def lavamd(a: Any) -> Results:
    positions = a.positions.reshape(-1, 3)
    box = np.repeat(np.arange(a.nx * a.ny * a.nz), 100)
    place = np.stack([box % a.nx, box // a.nx % a.ny, box // (a.nx * a.ny)], axis=1)
    near = (abs(place[:, None] - place[None]) <= 1).all(-1)
    difference = positions[:, None] - positions[None]
    v = np.exp(-2 * a.alpha**2 * 0.5 * (difference**2).sum(-1)) * near * a.charges
    force = (2 * v[..., None] * difference).sum(1)
    return {"forces": np.concatenate([force, v.sum(1)[:, None]], axis=1).reshape(-1)}


@program
def btree(a: Any) -> Results:
    # The keys are multiples of three, one for each record.
    there = a.queries % 3 == 0
    answers = np.where(there, a.records[a.queries // 3], -1)
    lengths = (a.lasts - a.firsts) // 3 + 1
    return {"answers": answers, "begin": a.firsts // 3, "lengths": lengths}


@program
def cfd(a: Any) -> Results:
    neighbours, normals = a.neighbours.reshape(4, -1), a.normals.reshape(3, 4, -1)
    variables = np.repeat(a.far[:, None], a.cells, axis=1)

    def derived(v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        squares = (v[1:4] ** 2).sum(0)
        pressure = 0.4 * (v[4] - 0.5 * squares / v[0])
        return pressure, np.sqrt(squares) / v[0], np.sqrt(1.4 * pressure / v[0])

    for _ in range(a.iterations):
        old = variables
        _, speed, sound = derived(old)
        factor = 0.5 / (np.sqrt(a.areas) * (speed + sound))
        for stage in (3, 2, 1):
            flux = np.zeros_like(old)
            pressure, speed, sound = derived(variables)
            for face in range(4):
                normal, others = normals[:, face], neighbours[face]
                other = np.where(others < 0, a.far[:, None], variables[:, others])
                o_pressure, o_speed, o_sound = derived(other)
                smooth = 0.1 * np.sqrt((normal**2).sum(0)) * (speed + o_speed + sound + o_sound)
                through = 0.5 * sum((v[1:4] * normal).sum(0) / v[0] for v in (variables, other))
                gain = smooth * (variables - other) + through * (variables + other) * 0.5
                gain[1:4] += 0.5 * normal * (pressure + o_pressure)
                gain[4] += through * 0.5 * (pressure + o_pressure)
                wing = np.zeros_like(old)
                wing[1:4] = normal * pressure
                flux += np.where(others == -1, wing, gain)
            variables = old - factor / stage * flux
    return {"variables": variables.reshape(-1)}


@program
def gaussian(a: Any) -> Results:
    matrix, b = a.a.reshape(a.size, a.size).copy(), a.b.copy()
    m = np.zeros_like(matrix)
    for column in range(a.size - 1):
        below = slice(column + 1, None)
        m[below, column] = matrix[below, column] / matrix[column, column]
        matrix[below, column:] -= np.outer(m[below, column], matrix[column, column:])
        b[below] -= m[below, column] * b[column]
    x = np.linalg.solve(a.a.reshape(a.size, a.size), a.b)
    return {"a": matrix.reshape(-1), "b": b, "m": m.reshape(-1), "x": x}


@program
def streamcluster(a: Any) -> Results:
    points = a.point_rows.reshape(a.points, a.dimensions)
    costs, centres, total = a.costs.copy(), a.centres.copy(), 0.0
    for candidate in a.candidates:
        distances = a.weights * ((points - points[candidate]) ** 2).sum(1)
        nearer = distances < costs
        released = np.bincount(centres[~nearer], (distances - costs)[~nearer], minlength=a.points)
        given_up = (centres == np.arange(a.points)) & (released < a.price)
        change = a.price + (distances - costs)[nearer].sum() + (released - a.price)[given_up].sum()
        if change < 0:
            moved = nearer | (released[centres] < a.price)
            centres[moved], costs[moved] = candidate, distances[moved]
            total -= change
    return {"centres": centres, "costs": costs, "total": np.array([total])}


@program
def md(a: Any) -> Results:
    d = a.h_p[a.neighborIter.reshape(a.nA, a.nN)] - a.h_p[:, None]
    return {"h_f": (d / (d * d + 1)).sum(1)}


@program
def kmeans(a: Any) -> Results:
    objects = a.objects.reshape(a.points, a.features)
    centres = a.centres.reshape(a.clusters, a.features).copy()
    membership = a.membership
    for _ in range(a.iterations):
        distances = ((objects[:, None] - centres) ** 2).sum(2)
        membership = distances.argmin(1).astype(np.int32)
        for c in range(a.clusters):
            own = objects[membership == c]
            centres[c] = own.mean(0) if len(own) else 0
    return {"centres": centres.reshape(-1), "membership": membership}


@program
def sgemm(a: Any) -> Results:
    # By columns: what numpy sees is transposed.
    first, second = a.a.reshape(a.k, a.m), a.b.reshape(a.k, a.n)
    return {"c": (a.alpha * second.T @ first + a.beta * a.c.reshape(a.n, a.m)).reshape(-1)}


@program
def quasirandom(a: Any) -> Results:
    numbers = a.seed + np.arange(a.n)
    value = np.zeros((3, a.n), np.uint32)
    for bit in range(31):
        set_bits = (numbers >> bit & 1).astype(np.uint32)
        value ^= set_bits * a.table.reshape(3, 31)[:, bit, None]
    return {"out": ((value + 1.0) / 2.0**31).reshape(-1)}
