"""The heat map of `python -m bench.idioms`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def draw(times: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """One row for each computation, its forms from the fastest to the slowest.

    A cell is a form: its colour is the form's time over that of the fastest one.

    Raises:
        ImportError: there is no matplotlib.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import colors, patches, pyplot

    columns = max(map(len, times.values()))
    figure, axes = pyplot.subplots(figsize=(1.1 * columns, 0.5 * len(times) + 1))
    scale = colors.LogNorm(1, 16, clip=True)
    shades = matplotlib.colormaps["YlOrRd"]
    for row, forms in enumerate(times.values()):
        least = min(forms.values())
        for column, (form, seconds) in enumerate(sorted(forms.items(), key=lambda each: each[1])):
            ratio = seconds / least
            box = patches.Rectangle((column, row), 1, 1, color=shades(scale(ratio)))
            axes.add_patch(box)
            text = f"{form}\n{ratio:.2f}"
            axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=5)
    axes.set(xlim=(0, columns), ylim=(len(times), 0), xticks=[])
    axes.set_yticks([row + 0.5 for row in range(len(times))], list(times))
    axes.set_title("time of each form over that of the fastest one")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    pyplot.close(figure)
