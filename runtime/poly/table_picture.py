"""The codelets that a launch runs, and their regularity ([split16], Table 3)."""

from __future__ import annotations

from collections.abc import Sequence

from polycl.analysis.poly.shares import Share, percentages, shares
from polycl.runtime.poly.parameters import values_of_groups
from polycl.runtime.poly.split_kernel import SplitKernel, has_vectors

_HEAD = (
    ("", "", "loops", "", "accesses", "", "", ""),
    ("region", "codelet", "uni", "div", "cons", "uni", "div", "exec [%]"),
)


def table(launch: SplitKernel) -> str:
    """The vector codelets that a launch runs, region by region, most frequent first.

    `loops` shows whether a codelet has loops whose iterations are the same in all lanes (uni) or
    not (div); `accesses`, whether neighbouring lanes access neighbouring elements (cons), the same
    one (uni), or others (div). The percentages are shares of a region's work-items in vectors; a
    line below has the number of the other work-items.

    Raises:
        PolyclError: as `SplitKernel.sizes`.
    """
    rows: list[Sequence[str]] = [*_HEAD]
    below: list[str] = []
    for kernel in launch.kernels:
        if not has_vectors(kernel):
            below.append(f"@{kernel.sym_name.data}: no vectors")
            continue
        subkernel = launch.subkernel(region=kernel.sym_name.data)
        values = values_of_groups(launch.sizes(kernel), launch.space)
        found = shares(subkernel, kernel, values)
        named = list(zip(found, percentages(found), strict=True))
        vectors = [pair for pair in named if pair[0].is_vector and pair[0].items]
        name = f"@{subkernel.sym_name.data}"
        for share, percent in sorted(vectors, key=lambda pair: -pair[1]):
            rows.append(_row(name, share, percent))
            name = ""
        alone = sum(share.items for share in found if not share.is_vector)
        if alone:
            total = sum(share.items for share in found)
            below.append(f"@{subkernel.sym_name.data}: {100 * alone / total:.2f} % in no vector")
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD[0]))]
    lines = ["  ".join(_fitted(row, widths)).rstrip() for row in rows]
    return "\n".join([*lines, *below, ""])


def _row(name: str, share: Share, percent: float) -> Sequence[str]:
    loops = ["✓" if kind in share.loops else "" for kind in ("uni", "div")]
    accesses = ["✓" if kind in share.accesses else "" for kind in ("cons", "uni", "div")]
    return (name, share.name, *loops, *accesses, f"{percent:.2f}")


def _fitted(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Names at the left, marks in the middle, numbers at the right."""
    cells = [cell.ljust(width) for cell, width in zip(row[:2], widths, strict=False)]
    cells += [cell.center(width) for cell, width in zip(row[2:-1], widths[2:], strict=False)]
    return [*cells, row[-1].rjust(widths[-1])]
