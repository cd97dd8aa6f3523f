"""A plot of an exploration: each trial's time, and the best until then, over the trials."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from polycl.errors import ArgumentError
from polycl.runtime.pattern.explore.database import Trial


def plot_trials(trials: Sequence[Trial], path: Path, title: str) -> None:
    """Writes `path` in the format of its suffix, such as SVG and PNG.

    Raises:
        ArgumentError: there is no matplotlib, or it does not know the file's kind.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise ArgumentError("a plot needs matplotlib: pip install 'polycl[explore]'") from error
    matplotlib.use("Agg")
    # The same trials give the same file.
    matplotlib.rcParams["svg.hashsalt"] = "polycl"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 5))
    numbers = range(1, len(trials) + 1)
    for status, mark, colour in (("ok", "o", "tab:blue"), ("slow", "v", "tab:orange")):
        chosen = [(n, t.time * 1e3) for n, t in zip(numbers, trials) if t.status == status]
        if chosen:
            axes.plot(*zip(*chosen), mark, color=colour, markersize=4, label=status)
    bad = [n for n, trial in zip(numbers, trials) if trial.status in ("wrong", "failed")]
    if bad:
        # Failed trials have no time: they are at the upper edge.
        edge = axes.get_xaxis_transform()
        axes.plot(bad, [0.98] * len(bad), "x", color="tab:red", transform=edge, label="rejected")
    best = list(accumulate((trial.time * 1e3 for trial in trials), min))
    axes.step(numbers, best, where="post", color="black", linewidth=1, label="best")
    axes.set(xlabel="trial", ylabel="milliseconds", yscale="log", title=title)
    axes.legend(loc="upper right")
    metadata = {"Date": None} if path.suffix == ".svg" else None
    try:
        figure.savefig(path, dpi=120, bbox_inches="tight", metadata=metadata)
    except (ValueError, TypeError) as error:
        raise ArgumentError(f"cannot plot to '{path}': {error}") from error
    finally:
        pyplot.close(figure)
