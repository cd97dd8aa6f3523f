"""The number of lines of the project: a table of layers (rows) by columns, as `wc -l` counts.

    python bench/lines.py [FOLDER]      # of this checkout, or of another one

Counted are the Python files of the layers; tests, bench, docs and examples are not.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

LAYERS = ("dialects", "analysis", "frontends", "lowering", "backends", "runtime", "tools", "src")
COLUMNS = ("core", "poly", "pattern", "tta", "host")


def count(root: Path) -> Counter[tuple[str, str]]:
    """The lines by layer and column."""
    found: Counter[tuple[str, str]] = Counter()
    for layer in LAYERS:
        for path in (root / layer).rglob("*.py"):
            if "polycl/" + layer in str(path) or "__pycache__" in path.parts:
                continue
            folder = path.relative_to(root).parts[1]
            column = folder if folder in COLUMNS else "core"
            found[layer, column] += len(path.read_text(encoding="utf-8").splitlines())
    return found


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    found = count(root)
    print(f"{'':<10}" + "".join(f"{column:>9}" for column in (*COLUMNS, "all")))
    for layer in (*LAYERS, "all"):
        numbers = [
            sum(n for (row, column), n in found.items() if layer in (row, "all") and column == name)
            for name in COLUMNS
        ]
        print(f"{layer:<10}" + "".join(f"{n:>9}" for n in (*numbers, sum(numbers))))


if __name__ == "__main__":
    main()
