"""The kernels of the study, and on how much data they run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.case import Case
from bench.study import sdk, suites


@dataclass(frozen=True)
class Benchmark:
    make: Callable[..., Case]
    sizes: tuple[int, ...]
    """For measurements: some milliseconds."""
    small: tuple[int, ...]
    """For tests: no multiple of a vector width where the kernel allows it."""


BENCHMARKS = (
    Benchmark(sdk.convolution, (4096, 256), (256, 12)),
    Benchmark(sdk.dct, (1024,), (32,)),
    Benchmark(sdk.lu_decompose, (2000, 300), (48, 9)),
    Benchmark(sdk.lu_combine, (2000,), (48,)),
    Benchmark(sdk.floyd_warshall, (2000, 700), (48, 7)),
    Benchmark(sdk.fast_walsh, (1 << 22, 256), (2048, 32)),
    Benchmark(sdk.bitonic_sort, (1 << 22, 12, 2), (2048, 6, 2)),
    Benchmark(sdk.binomial_option, (256, 254), (3, 30)),
    Benchmark(sdk.black_scholes, (1 << 20,), (512,)),
    Benchmark(suites.fan1, (2000, 100), (300, 5)),
    Benchmark(suites.fan2, (2000, 100), (50, 5)),
    Benchmark(suites.kmeans, (130_000, 34, 5), (700, 5, 3)),
    Benchmark(suites.kmeans_swap, (130_000, 34), (700, 5)),
    Benchmark(suites.nearest_neighbour, (4_000_000,), (700,)),
    Benchmark(suites.cfd, (192 * 1000,), (192 * 3,)),
    Benchmark(suites.myocyte, (80_000,), (20,)),
    Benchmark(suites.phi_mag, (4_000_000,), (700,)),
    Benchmark(suites.compute_q, (1 << 14, 512), (512, 6)),
    Benchmark(suites.sgemm, (480,), (32,)),
)


def study_cases() -> list[Case]:
    return [each.make(*each.sizes) for each in BENCHMARKS]


def small_cases() -> list[Case]:
    return [each.make(*each.small) for each in BENCHMARKS]
