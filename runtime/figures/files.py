"""A figure as a file: SVG, and with matplotlib PNG and PDF."""

from __future__ import annotations

from pathlib import Path

from polycl.errors import ArgumentError, PolyclError
from polycl.runtime.figures.figure import Figure
from polycl.runtime.figures.svg import svg

KINDS = (".svg", ".png", ".pdf")


def save(figure: Figure, path: str | Path) -> None:
    """Writes a `.svg` file, or, with matplotlib, a `.png` or a `.pdf` file.

    Raises:
        ArgumentError: the name ends in something else, or there is no matplotlib.
        PolyclError: the file cannot be written.
    """
    path = Path(path)
    check_kind(path)
    try:
        if path.suffix == ".svg":
            path.write_text(svg(figure), encoding="utf-8")
            return
        from polycl.runtime.figures.with_matplotlib import write

        write(figure, path)
    except OSError as error:
        raise PolyclError(f"cannot write '{path}': {error.strerror}") from error


def check_kind(path: Path) -> None:
    """Raises ArgumentError if `save` cannot write such a file."""
    if path.suffix not in KINDS:
        raise ArgumentError(f"cannot plot to '{path}': expected a name in {', '.join(KINDS)}")
    if path.suffix == ".svg":
        return
    try:
        import matplotlib  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError as error:
        raise ArgumentError(
            f"'{path}' needs matplotlib: pip install 'polycl[explore]', or plot to a .svg file"
        ) from error
