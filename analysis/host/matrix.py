"""One-dimensional memory seen as a matrix: element `row * columns + column`.

The two layouts of a buffer in [ppopencl19], Figure 7, differ in the order of rows and columns:
`a[i * N + j]`, continuous, and `a[j * M + i]`, coalesced.

If `0 <= column < columns` is proved for an access and the memory has `rows * columns` elements,
`0 <= row < rows` follows, since the access is inside the memory. For an index that is known modulo
2^32 only, it has to be proved, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polycl.analysis.ocl.index_arith import substitute
from polycl.analysis.ocl.index_expr import Atom, Env, Expr, Range, integer
from polycl.analysis.ocl.index_facts import is_proved


@dataclass(frozen=True)
class Shape:
    """The numbers of rows and columns, in the host's variables."""

    rows: Expr
    columns: Expr

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns}"


@dataclass(frozen=True)
class Cell:
    """The position of an access in the matrix, in the variables of its own function."""

    row: Expr
    column: Expr

    def exchanged(self, rows: Expr) -> Expr:
        """The index of the same element when rows and columns are exchanged."""
        return self.column * rows + self.row


def split(index: Expr, columns: Expr) -> Cell | None:
    """`index` as `row * columns + column`; None if `columns` is not a single product.

    The terms that `columns` divides are the row; a number is divided with remainder.
    """
    if len(columns.terms) != 1:
        return None
    return Cell(*index.divided(columns, lambda m, a, b: 0 if m and a % b else a // b))


def splits(index: Expr, columns: Expr) -> list[Cell]:
    """Splits of an index: the result of `split`, and those with the previous and following row.

    In `i * n + (n - 1 - j)`, n divides also the second n, which belongs to the column.
    """
    cell = split(index, columns)
    if cell is None:
        return []
    return [Cell(cell.row + by, cell.column - by * columns) for by in (0, -1, 1)]


def products(index: Expr, uniform: Iterable[str]) -> list[Expr]:
    """Candidates for the columns: the invariant factors of the index's terms."""
    names = frozenset(uniform)
    found: dict[Expr, None] = {}
    for monomial, coefficient in index.terms:
        fixed = tuple(atom for atom in monomial if _is_fixed(atom, names))
        if monomial:
            found[Expr(((fixed, abs(coefficient)),))] = None
            found[Expr(((fixed, 1),))] = None
    return [expr for expr in found if expr != integer(1)]


def _is_fixed(atom: Atom, names: frozenset[str]) -> bool:
    return atom in names


@dataclass(frozen=True)
class Known:
    """The facts at an access, in the variables of host and kernel."""

    values: Mapping[str, Expr]
    """The kernel's arguments and sizes in the launch."""

    env: Env
    facts: Sequence[Expr]

    def on_host(self, expr: Expr) -> Expr:
        """An expression of the kernel with the host's values."""
        return substitute(expr, self.values, self.env)


def translated(values: Mapping[str, Expr], env: Env, facts: Sequence[Expr], outer: Env) -> Known:
    """The facts of a kernel at an access, with the host's values; `outer` are the host's facts."""

    def on_host(expr: Expr) -> Expr:
        return substitute(expr, values, {})

    ranges = {
        name: Range(
            None if range_.low is None else on_host(range_.low),
            None if range_.high is None else on_host(range_.high),
        )
        for name, range_ in env.items()
        if name not in values
    }
    merged: dict[str, Range] = {**outer, **ranges}
    # A size that is positive in the kernel is positive on the host.
    for name, range_ in env.items():
        value = values.get(name)
        if value is None or range_.low is None or (low := range_.low.constant) is None:
            continue
        if len(value.terms) == 1 and len(value.terms[0][0]) == 1 and value.terms[0][1] > 0:
            (host,) = value.variables
            old = merged.get(host, Range(None, None))
            if old.low is None and low in (0, 1):
                merged[host] = Range(integer(low), old.high)
    return Known(values, merged, [on_host(fact) for fact in facts])


def is_inside(cell: Cell, shape: Shape, known: Known, is_modular: bool) -> bool:
    """Whether an access is proved to be inside the matrix."""
    column = known.on_host(cell.column)
    goals = [column, shape.columns - 1 - column]
    if is_modular:
        row = known.on_host(cell.row)
        goals += [row, shape.rows - 1 - row]
    return all(is_proved(goal, known.env, known.facts) for goal in goals)
