"""The roofline plot: arithmetic per byte against speed, below what the machine can do.

S. Williams, A. Waterman, D. Patterson: Roofline: an insightful visual performance model for
multicore architectures. CACM 52(4), 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.machine import bandwidth, fma_peak
from bench.report import Row

LEVELS = {"memory": 1 << 28, "L2": 1 << 19}
"""Bytes that are gone through again and again."""


def plot_roofline(rows: Sequence[Row], path: Path) -> None:
    """Ours and the best peer's speed, for the cases whose work is counted. One thread count.

    Raises:
        ImportError: there is no matplotlib.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    threads = rows[0].result.threads
    figure, axes = pyplot.subplots(figsize=(9, 6))
    peak = fma_peak(threads)
    intensity = np.logspace(-2, 4, 200)
    for name, nbytes in LEVELS.items():
        speed = bandwidth(nbytes, threads, False)
        axes.plot(intensity, np.minimum(peak, speed * intensity), "k-", linewidth=1)
        axes.text(0.011, speed * 0.0125, f"{name}: {speed:.0f} GB/s", fontsize=8)
    axes.text(2e2, peak * 1.08, f"multiply-adds: {peak:.0f} GFLOP/s", fontsize=8)
    counted = [row for row in rows if row.result.case.flops and row.result.case.bytes and row.ours]
    for row in counted:
        case, ours = row.result.case, min(row.ours, key=lambda timing: timing.median)
        at, speed = case.flops / case.bytes, case.flops / ours.median / 1e9
        axes.plot([at], [speed], "o", color="tab:blue")
        if row.best_peer is not None:
            other = case.flops / row.best_peer.median / 1e9
            axes.plot([at], [other], "x", color="tab:red")
            axes.plot([at, at], [other, speed], ":", color="tab:gray", linewidth=1)
        axes.annotate(case.name, (at, speed), (4, 4), textcoords="offset points", fontsize=7)
    axes.plot([], [], "o", color="tab:blue", label="polycl")
    axes.plot([], [], "x", color="tab:red", label="the best peer")
    axes.legend(loc="lower right")
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="floating-point operations for each byte of memory traffic (at least)",
        ylabel="GFLOP/s",
        title=f"{threads} thread(s)",
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    pyplot.close(figure)
