"""`ocl-run --check --plot FILE.svg`: the source, coloured by the checks of its accesses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from html import escape
from pathlib import Path

from polycl.errors import PolyclError
from polycl.lowering.ocl.ocl_insert_checks.decisions import VERDICTS, Decision, summary
from polycl.tools.driver import UsageError

COLOURS = {"proved": "#d4edda", "hoisted": "#fff3bf", "checked": "#ffc9c9"}
"""Of the background of a line: that of its access that costs most."""

_LINE = 17
_CHARACTER = 7.3
_LEFT = 60


def write_picture(file: Path, decisions: Sequence[Decision], title: str) -> None:
    """Draw the lines of the sources that have accesses, and what is between them.

    Raises:
        UsageError: the name does not end in .svg.
        PolyclError: a file cannot be read or written.
    """
    if file.suffix != ".svg":
        raise UsageError(f"--check --plot {file}: expected the name of an .svg file")
    places: dict[str, dict[int, list[Decision]]] = defaultdict(lambda: defaultdict(list))
    for decision in decisions:
        if decision.location is not None:
            name, line, _ = decision.location
            places[name][line].append(decision)
    rows = [(f"{title}; {summary(decisions)}", "", "")]
    try:
        for name, lines in places.items():
            source = Path(name).read_text(encoding="utf-8", errors="replace").splitlines()
            rows.append((name, "", ""))
            for number in range(max(min(lines) - 3, 1), min(max(lines) + 3, len(source) + 1)):
                here = lines.get(number, [])
                most = max((VERDICTS.index(d.verdict) for d in here), default=None)
                text = f"{number:>5}  {source[number - 1].expandtabs(4)}"
                colour = "" if most is None else COLOURS[VERDICTS[most]]
                rows.append((text, colour, "\n".join(d.text for d in here)))
        file.write_text(_svg(rows), encoding="utf-8")
    except OSError as error:
        raise PolyclError(f"'{error.filename}': {error.strerror}") from error


def _svg(rows: Sequence[tuple[str, str, str]]) -> str:
    """Lines of text, each with the colour of its background and what a pointer on it shows."""
    width = round(_CHARACTER * max(max(len(text) for text, _, _ in rows) + 2, 60))
    legend = [(_LEFT + 130 * i, name, colour) for i, (name, colour) in enumerate(COLOURS.items())]
    height = _LINE * (len(rows) + 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="monospace" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, (text, colour, more) in enumerate(rows):
        y = _LINE * number
        parts.append("<g>")
        if more:
            parts.append(f"<title>{escape(more)}</title>")
        if colour:
            parts.append(f'<rect y="{y}" width="100%" height="{_LINE}" fill="{colour}"/>')
        parts.append(
            f'<text x="6" y="{y + 13}" xml:space="preserve">{escape(text)}</text></g>',
        )
    for x, name, colour in legend:
        y = height - _LINE
        parts.append(f'<rect x="{x - 18}" y="{y - 4}" width="14" height="14" fill="{colour}"/>')
        parts.append(f'<text x="{x}" y="{y + 8}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])
