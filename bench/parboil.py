"""Kernels of Parboil: which file, which kernel, launched with what."""

from __future__ import annotations

import itertools

import numpy as np

from bench.case import EXACT, Arg, Tolerance
from bench.suite_kernels import SuiteKernel, floats, integers, ints, structure, uniform, zeros

_BINS = 24 * 1024
"""BINS_PER_BLOCK of histo."""
_X, _Y, _ENTRIES = 128, 120, 20
"""Cells of a row of lbm, rows of a slice, and numbers of a cell."""
_AROUND = 3
"""How many bins of cutcp around one are within the cutoff distance."""


def stencil(n: int) -> list[Arg]:
    nx, ny, nz = n + 2, n // 2 + 2, n // 8 + 2
    before = uniform(nz, ny, nx)
    return [*floats(6, 1 / 6), before, before.copy(), *ints(nx, ny, nz)]


def sgemm(n: int) -> list[Arg]:
    a, b, c = (uniform(n, n, seed=seed) for seed in (1, 2, 3))
    return [a, *ints(n), b, *ints(n), c, *ints(n, n), *floats(1, 0.5)]


def sparse_product(n: int) -> list[Arg]:
    """Jagged diagonal storage: rows sorted by their length, 32 of them padded to the same."""
    lengths = np.sort(integers(n // 32, most=50) + 5)[::-1].copy()
    columns = [32 * int(np.sum(lengths > k)) for k in range(int(lengths[0]))]
    starts = (np.cumsum(columns) - columns).astype(np.int32)
    entries = sum(columns)
    places = integers(entries, most=n - 1, seed=2)
    order = np.random.default_rng(3).permutation(n).astype(np.int32)
    vector = uniform(n, seed=4)
    return [zeros(n), uniform(entries), places, order, vector, *ints(n), starts, lengths]


def mri_q(n: int) -> list[Arg]:
    positions = [uniform(n, seed=seed) for seed in (1, 2, 3)]
    samples = uniform(4 * (n // 8), high=4, seed=4)
    samples = samples.view(structure(Kx="f4", Ky="f4", Kz="f4", PhiMag="f4"))
    return [*ints(n // 8, 0), *positions, zeros(n), zeros(n), samples]


def cutoff_potential(n: int) -> list[Arg]:
    """n x n regions of 8^3 points, a bin each; for n = 1, only the bins next to it count."""
    side = n + 2 * _AROUND
    shape = (2 * _AROUND + 1, side, side, 8)
    atoms = uniform(*shape, 4, seed=1)
    corner = np.stack(np.meshgrid(*map(np.arange, shape[:3]), indexing="ij")[::-1], axis=-1)
    atoms[..., :3] = 4 * (atoms[..., :3] + corner[..., None, :] - _AROUND)
    atoms[..., 3] = np.where(np.arange(8) < integers(*shape[:3], 1, most=3) + 5, 1, 0)
    around = range(-_AROUND, _AROUND + 1) if n > 1 else range(-1, 2)
    neighbours = np.array([(*xyz, 0) for xyz in itertools.product(around, repeat=3)], np.int32)
    offset = ((_AROUND * side + _AROUND) * side + _AROUND) * 8
    cutoff = 4.0 * _AROUND
    return [
        *ints(side, side),
        atoms.reshape(-1, 4),
        *ints(offset),
        *floats(0.5, cutoff**2, cutoff**-2),
        zeros(512 * n * n),
        *ints(0),
        np.array([len(neighbours)], np.int32),
        neighbours,
    ]


def lattice_boltzmann(n: int) -> list[Arg]:
    cells = _X * _Y * (lattice_size(n)[1] + 4)
    weights = [1 / 3] + 6 * [1 / 18] + 12 * [1 / 36] + [0]
    source = np.array(weights, np.float32) * uniform(cells, _ENTRIES, low=0.9, high=1.1)
    kind = integers(cells, most=19, seed=2)
    flags = np.where(kind > 2, 0, kind).astype(np.uint32)
    source[:, -1] = flags.view(np.float32)
    return [source, zeros(cells, _ENTRIES)]


def lattice_size(n: int) -> tuple[int, int]:
    """Rows and slices."""
    return (_Y, n) if n >= 16 else (n, 1)


def histogram_final(n: int) -> list[Arg]:
    """n blocks of bins, one in the middle."""
    total = n * _BINS
    counts = [integers(size, most=500, seed=size % 7).view(np.uint32) for size in 2 * [total]]
    halves = integers(total // 2, most=400 << 16).view(np.uint32)
    sizes = [np.uint32(value) for value in (n // 2, n // 2, n, _BINS)]
    return [*sizes, counts[0], halves, counts[1], np.zeros(total // 4, np.uint32)]


PARBOIL = {
    "parboil-stencil": SuiteKernel(
        "benchmarks/stencil/src/opencl_base/kernel.cl",
        "naive_kernel",
        size=512,
        small=64,
        args=stencil,
        global_size=lambda n: (n, n // 2, n // 8),
        local_sizes=((64, 1, 1), (64, 4, 1)),
        flops=lambda n: 8 * n**3 / 16,
        bytes=lambda n: 12 * n**3 / 16,
    ),
    "parboil-sgemm": SuiteKernel(
        "benchmarks/sgemm/src/opencl_base/kernel.cl",
        "mysgemmNT",
        size=512,
        small=32,
        args=sgemm,
        global_size=lambda n: (n, n),
        local_sizes=((32, 4), (16, 16)),
        flops=lambda n: 2 * n**3,
        bytes=lambda n: 16 * n * n,
    ),
    "parboil-spmv": SuiteKernel(
        "benchmarks/spmv/src/opencl_base/kernel.cl",
        "spmv_jds_naive",
        size=65536,
        small=256,
        args=sparse_product,
        global_size=lambda n: (n,),
        local_sizes=((64,), (256,)),
        flops=lambda n: 2 * 30 * n,
        bytes=lambda n: 8 * 30 * n,
    ),
    "parboil-mri-q": SuiteKernel(
        "benchmarks/mri-q/src/opencl/kernels.cl",
        "ComputeQ_GPU",
        size=8192,
        small=256,
        args=mri_q,
        global_size=lambda n: (n // 4,),
        local_sizes=((64,),),
        tolerance=Tolerance(relative=1e-4),
        flops=lambda n: 12 * n * n / 8,
        bytes=lambda n: 28 * n,
    ),
    "parboil-cutcp": SuiteKernel(
        "benchmarks/cutcp/src/opencl_base/kernel.cl",
        "opencl_cutoff_potential_lattice",
        size=4,
        small=1,
        args=cutoff_potential,
        global_size=lambda n: (32 * n, 8 * n, 2),
        local_sizes=((8, 8, 2),),
        tolerance=Tolerance(relative=1e-4),
    ),
    "parboil-lbm": SuiteKernel(
        "benchmarks/lbm/src/opencl_base/kernel.cl",
        "performStreamCollide_kernel",
        size=16,
        small=2,
        args=lattice_boltzmann,
        global_size=lambda n: (120 * lattice_size(n)[0], lattice_size(n)[1]),
        local_sizes=((120, 1),),
        flops=lambda n: 200 * 120 * _Y * n,
        bytes=lambda n: 4 * 3 * _ENTRIES * 120 * _Y * n,
    ),
    "parboil-histo-final": SuiteKernel(
        "benchmarks/histo/src/opencl_base/histo_final.cl",
        "histo_final_kernel",
        size=40,
        small=2,
        args=histogram_final,
        global_size=lambda n: (42 * 256,),
        local_sizes=((256,),),
        options=(f"-DBINS_PER_BLOCK={_BINS}",),
        tolerance=EXACT,
        restore=True,
    ),
}
