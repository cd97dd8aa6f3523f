"""`switch` as a chain of ifs; a segment that falls through is guarded by its labels.

switch (x) { case 1: A; break; case 2: B; case 3: C; break; default: D; }
=>
if (x == 1) { A }
else if (x == 2 || x == 3) { if (x == 2) { B } C }
else { D }
"""

from __future__ import annotations

from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.effects import always_exits
from polycl.frontends.opencl_c.tree import Const, Expr, Segment, Stmt, Variable
from polycl.frontends.opencl_c.types import INT


def lower_switch(switch: tree.Switch, selector: Variable) -> list[Stmt]:
    """The statements for a switch. Breaks in the middle of a segment remain."""
    where = switch.location
    runs: list[list[Segment]] = [[]]
    for place, segment in enumerate(switch.segments):
        runs[-1].append(segment)
        kept = _without_final_break(segment.body)
        if kept is not None:
            segment.body = kept
            if place + 1 < len(switch.segments):
                runs.append([])
    runs = [run for run in runs if run]
    default = [run for run in runs if any(segment.is_default for segment in run)]
    otherwise: list[Stmt] = _run_body(default[0], selector) if default else []
    for run in reversed([run for run in runs if run not in default]):
        condition = _matches(run, selector)
        body = _run_body(run, selector)
        if condition is not None:
            otherwise = [tree.If(condition.location, condition, body, otherwise)]
    # The other labels of the default's run lead to the last `else`, too.
    return [tree.Declare(where, selector, switch.value), *otherwise]


def _without_final_break(statements: list[Stmt]) -> list[Stmt] | None:
    """The statements without the break at their end, or None if they may fall through."""
    flat: list[Stmt] = []
    for statement in statements:
        flat += statement.body if isinstance(statement, tree.Block) else [statement]
    for place, statement in enumerate(flat):
        if isinstance(statement, tree.Break):
            return flat[:place]
    return statements if always_exits(statements) else None


def _run_body(run: list[Segment], selector: Variable) -> list[Stmt]:
    """A run of segments, each of which but the last may fall through to the next."""
    body: list[Stmt] = []
    for place, segment in enumerate(run[:-1]):
        # Segment k runs when the switch jumped into the run at k or before it.
        entered = _enters(run[: place + 1], run[place + 1 :], selector)
        body.append(tree.If(entered.location, entered, segment.body))
    return body + run[-1].body


def _enters(first: list[Segment], later: list[Segment], selector: Variable) -> Expr:
    """Whether the switch, known to jump to one of the segments, jumps to one of `first`."""
    where = selector.location
    if any(segment.is_default for segment in later):
        return _matches(first, selector) or Const(where, INT, 0)
    test = _matches(later, selector)
    return Const(where, INT, 1) if test is None else tree.Unary(where, INT, "!", test)


def _matches(segments: list[Segment], selector: Variable) -> Expr | None:
    """Whether the selector has one of the segments' values; None if they have no value."""
    test: Expr | None = None
    where = selector.location
    for low, high in (values for segment in segments for values in segment.values):
        first = Const(where, selector.type, low)
        if low == high:
            one: Expr = tree.Binary(where, INT, "==", tree.read(selector, where), first)
        else:
            last = Const(where, selector.type, high)
            above = tree.Binary(where, INT, ">=", tree.read(selector, where), first)
            below = tree.Binary(where, INT, "<=", tree.read(selector, where), last)
            one = tree.Logical(where, INT, "&&", above, below)
        test = one if test is None else tree.Logical(where, INT, "||", test, one)
    return test
