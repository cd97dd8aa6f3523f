"""[split16] Figures 12 and 13: bars of speed-ups, for each kernel normalised to the fastest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.study.report import Row

COLORS = {
    "intel": "tab:blue",
    "scalar": "tab:gray",
    "vec-only": "tab:orange",
    "split-only": "tab:olive",
    "score-only": "tab:cyan",
    "split+score": "tab:green",
    "ours": "tab:red",
}


def plot_speedups(rows: Sequence[Row], settings: Sequence[str], title: str, path: Path) -> None:
    """One group of bars for each kernel; what does not work has no bar.

    Raises:
        ImportError: there is no matplotlib.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(max(6, 0.75 * len(rows)), 4))
    width = 0.85 / len(settings)
    places = np.arange(len(rows))
    for i, setting in enumerate(settings):
        heights = [row.speedup(setting, settings) or 0 for row in rows]
        left = places + (i - (len(settings) - 1) / 2) * width
        axes.bar(left, heights, width, label=setting, color=COLORS[setting])
    axes.set_xticks(places, [row.name for row in rows], rotation=40, ha="right")
    axes.set(ylabel="speed-up, normalised to the fastest", ylim=(0, 1.05), title=title)
    axes.margins(x=0.01)
    axes.legend(ncols=len(settings), loc="upper center", bbox_to_anchor=(0.5, -0.3), frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    pyplot.close(figure)
