"""Kernels as Rodinia and Parboil have them, written for this study, with numpy's results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.case import EXACT, Arg, Case, Tolerance
from bench.study.sdk import KERNELS, Buffers, study_case
from bench.suite_kernels import floats, integers, ints, structure, uniform, zeros


def rounded_up(count: int, local_size: int) -> int:
    return -(-count // local_size) * local_size


def fan1(n: int, t: int) -> Case:
    def args() -> list[Arg]:
        return [zeros(n, n), uniform(n, n, low=1, high=2), *ints(n, t)]

    def expected(args: Sequence[Any]) -> Buffers:
        m, a = args[0].astype(np.float64), args[1].astype(np.float64)
        m[t + 1 :, t] = a[t + 1 :, t] / a[t, t]
        return {0: m}

    return study_case(
        "fan1",
        "fan1",
        "gaussian",
        args=args,
        global_size=(rounded_up(n, 256),),
        local_sizes=((256,),),
        expected=expected,
    )


def fan2(n: int, t: int) -> Case:
    def args() -> list[Arg]:
        m, a = uniform(n, n), uniform(n, n, seed=2)
        return [m, a, uniform(n, seed=3), *ints(n, t)]

    def expected(args: Sequence[Any]) -> Buffers:
        m, a, b = (array.astype(np.float64) for array in args[:3])
        a[t + 1 :, t:] -= np.outer(m[t + 1 :, t], a[t, t:])
        b[t + 1 :] -= m[t + 1 :, t] * b[t]
        return {1: a, 2: b}

    size = rounded_up(n, 16)
    return study_case(
        "fan2",
        "fan2",
        "gaussian",
        args=args,
        global_size=(size, size),
        local_sizes=((16, 16),),
        expected=expected,
    )


def kmeans(points: int, features: int, clusters: int) -> Case:
    def args() -> list[Arg]:
        data, centres = uniform(features, points), uniform(clusters, features, seed=2)
        return [data, centres, np.zeros(points, np.int32), *ints(points, clusters, features)]

    def expected(args: Sequence[Any]) -> Buffers:
        data, centres = args[0].astype(np.float64), args[1].astype(np.float64)
        apart = [((data - centre[:, None]) ** 2).sum(axis=0) for centre in centres]
        return {2: np.argmin(apart, axis=0).astype(np.int32)}

    return study_case(
        "kmeans",
        "assign",
        "kmeans",
        args=args,
        global_size=(rounded_up(points, 256),),
        local_sizes=((256,),),
        expected=expected,
        # Two centres may be equally near.
        tolerance=Tolerance(relative=0, strays=1e-3),
    )


def kmeans_swap(points: int, features: int) -> Case:
    return study_case(
        "kmeans-swap",
        "swap",
        "kmeans",
        args=lambda: [uniform(points, features), zeros(features, points), *ints(points, features)],
        global_size=(rounded_up(points, 256),),
        local_sizes=((256,),),
        expected=lambda args: {1: args[0].T},
        tolerance=EXACT,
    )


def nearest_neighbour(count: int) -> Case:
    def args() -> list[Arg]:
        places = uniform(2 * count, high=90).view(structure(latitude="f4", longitude="f4"))
        return [places, zeros(count), *ints(count), *floats(30, 60)]

    def expected(args: Sequence[Any]) -> Buffers:
        places = args[0].view(np.float32).reshape(-1, 2).astype(np.float64)
        return {1: np.hypot(places[:, 0] - 30, places[:, 1] - 60)}

    return study_case(
        "nn",
        args=args,
        global_size=(rounded_up(count, 256),),
        local_sizes=((256,),),
        expected=expected,
    )


def cfd(cells: int) -> Case:
    """Cells have neighbours nearby, as in a mesh whose cells are numbered well."""

    def args() -> list[Arg]:
        near = np.arange(cells) + integers(4, cells, most=400) - 200
        near[(near < 0) | (near >= cells)] = -1
        near[:, integers(cells // 50 + 1, most=cells - 1, seed=2)] = -2
        normals = uniform(12, cells, low=-1, seed=3)
        state = np.concatenate([uniform(4, cells, low=1, high=2, seed=4), np.full((1, cells), 20)])
        stream = np.array([1.4, 1.2, 0, 0, 4], np.float32)
        return [
            *(near.astype(np.int32), normals, state.astype(np.float32)),
            *(stream, zeros(5, cells), *ints(cells)),
        ]

    def expected(args: Sequence[Any]) -> Buffers:
        near, (normals, state, stream) = args[0], (a.astype(np.float64) for a in args[1:4])
        p, speed = pressure_and_speed(state)
        sums = np.zeros((5, cells))
        for face in range(4):
            other, normal = near[face], normals.reshape(3, 4, cells)[:, face]
            you = np.where(other >= 0, state[:, other], stream[:, None])
            q, yours = pressure_and_speed(you)
            factor = 0.5 * np.sqrt((normal**2).sum(axis=0)) * (speed + yours)
            flux = factor * (state - you)
            for one, p_one in ((state, p), (you, q)):
                through = 0.5 * (one[1:4] * normal).sum(axis=0) / one[0]
                flux += through * one
                flux[1:4] += 0.5 * normal * p_one
                flux[4] += through * p_one
            wall = np.zeros((5, cells))
            wall[1:4] = normal * p
            sums += np.where(other == -1, wall, flux)
        return {4: sums}

    return study_case(
        "cfd",
        "compute_flux",
        "cfd",
        args=args,
        global_size=(cells,),
        local_sizes=((192,),),
        expected=expected,
        tolerance=Tolerance(relative=1e-4),
    )


def pressure_and_speed(
    state: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of a gas: the pressure, and how fast a wave goes in it at most."""
    density, momentum, energy = state[0], state[1:4], state[4]
    square = (momentum**2).sum(axis=0)
    p = 0.4 * (energy - 0.5 * square / density)
    return p, np.sqrt(square) / density + np.sqrt(1.4 * p / density)


def myocyte(steps: int) -> Case:
    dt, current, calcium = 0.01, 0.0, 1.5

    def args() -> list[Arg]:
        membrane = np.array([-60, 0.05, 0.6, 0.32], np.float32)
        binding = np.array([1, 0, 0, 0, 0], np.float32)
        return [membrane, binding, *ints(steps), *floats(dt, current, calcium)]

    def expected(args: Sequence[Any]) -> Buffers:
        membrane, binding = args[0].tolist(), args[1].tolist()
        for _ in range(steps):
            membrane = membrane_step(membrane, dt, current)
            binding = binding_step(binding, dt, calcium)
        return {0: np.array(membrane), 1: np.array(binding)}

    return study_case(
        "myocyte",
        args=args,
        global_size=(4,),
        local_sizes=((2,),),
        expected=expected,
        tolerance=Tolerance(relative=1e-4),
        # It comes to rest, where it is another calculation.
        restore=True,
    )


def membrane_step(state: Sequence[float], dt: float, current: float) -> list[float]:
    v, m, h, n = state
    am = 0.1 * (v + 40) / (1 - math.exp(-0.1 * (v + 40)))
    bm = 4 * math.exp(-(v + 65) / 18)
    ah = 0.07 * math.exp(-(v + 65) / 20)
    bh = 1 / (1 + math.exp(-0.1 * (v + 35)))
    an = 0.01 * (v + 55) / (1 - math.exp(-0.1 * (v + 55)))
    bn = 0.125 * math.exp(-(v + 65) / 80)
    sodium, potassium = 120 * m**3 * h * (v - 50), 36 * n**4 * (v + 77)
    return [
        v + dt * (current - sodium - potassium - 0.3 * (v + 54.4)),
        m + dt * (am * (1 - m) - bm * m),
        h + dt * (ah * (1 - h) - bh * h),
        n + dt * (an * (1 - n) - bn * n),
    ]


def binding_step(state: Sequence[float], dt: float, calcium: float) -> list[float]:
    p0, p1, p2, p3, p4 = state
    free = calcium - (p1 + 2 * p2 + 3 * p3 + 4 * p4)
    a, b = 4 * free * p0 - p1, 3 * free * p1 - 2 * p2
    c, d = 2 * free * p2 - 3 * p3, free * p3 - 4 * p4
    return [p0 - dt * a, p1 + dt * (a - b), p2 + dt * (b - c), p3 + dt * (c - d), p4 + dt * d]


def phi_mag(count: int) -> Case:
    return study_case(
        "phi-mag",
        "phi_mag",
        "mri_q",
        args=lambda: [uniform(count), uniform(count, seed=2), zeros(count), *ints(count)],
        global_size=(rounded_up(count, 256),),
        local_sizes=((256,),),
        expected=lambda args: {2: args[0].astype(np.float64) ** 2 + np.square(args[1])},
    )


def compute_q(voxels: int, count: int) -> Case:
    def args() -> list[Arg]:
        places = [uniform(voxels, seed=seed) for seed in (1, 2, 3)]
        samples = uniform(4 * count, high=4, seed=4)
        samples = samples.view(structure(x="f4", y="f4", z="f4", magnitude="f4"))
        return [*places, zeros(voxels), zeros(voxels), samples, *ints(count)]

    def expected(args: Sequence[Any]) -> Buffers:
        places = np.stack(args[:3]).astype(np.float64)
        samples = args[5].view(np.float32).reshape(-1, 4).astype(np.float64)
        angles = 2 * np.pi * samples[:, :3] @ places
        return {3: samples[:, 3] @ np.cos(angles), 4: samples[:, 3] @ np.sin(angles)}

    return study_case(
        "compute-q",
        "compute_q",
        "mri_q",
        args=args,
        global_size=(voxels,),
        local_sizes=((256,),),
        expected=expected,
        tolerance=Tolerance(relative=1e-4),
    )


def sgemm(n: int) -> Case:
    def args() -> list[Arg]:
        a, b, c = (uniform(n, n, seed=seed) for seed in (1, 2, 3))
        return [c, a, b, *ints(n, n), *floats(1, 0.5)]

    def expected(args: Sequence[Any]) -> Buffers:
        c, a, b = (matrix.astype(np.float64) for matrix in args[:3])
        return {0: a @ b + 0.5 * c}

    case = study_case(
        "sgemm",
        args=args,
        global_size=(n, n),
        local_sizes=((16, 16),),
        expected=expected,
    )
    return replace(case, path=KERNELS / "sgemm.cl")
