"""Examples of values that are known only at run time: sizes and trip counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from xdsl.dialects import scf
from xdsl.ir import Operation

from polycl.analysis.host.fused_program import Program
from polycl.analysis.host.host_index import Indices, is_query
from polycl.analysis.host.kernel_access import loops_around
from polycl.analysis.host.plan import Plan
from polycl.analysis.host.reuse_distance import (
    EXAMPLE_ITEMS,
    EXAMPLE_ROWS,
    ROUNDS,
    Sizes,
    evaluate_or_none,
    example_sizes,
    with_examples,
)
from polycl.analysis.ocl.index_expr import Expr
from polycl.dialects import host


def frequency(op: Operation, program: Program, samples: Mapping[str, int]) -> float:
    """How often the host executes an operation; an unknown trip count is ROUNDS."""
    times = 1.0
    host = program.host(op)
    for loop in loops_around(op):
        rounds = ROUNDS
        if isinstance(loop, scf.ForOp):
            bounds = [sampled(host.expr(v), host, samples) for v in (loop.lb, loop.ub, loop.step)]
            low, high, step = bounds
            if low is not None and high is not None and step:
                rounds = max(0, -(-(high - low) // step))
        times *= rounds
    return times


def sampled(expr: Expr, host: Indices, samples: Mapping[str, int]) -> int | None:
    """The value of an expression of the host, with examples for its variables."""
    values = dict(samples)
    for name in sorted(expr.variables):
        if name not in values:
            values[name] = _example(name, host, samples, frozenset())
    return evaluate_or_none(expr, values)


def _example(name: str, host: Indices, samples: Mapping[str, int], above: frozenset[str]) -> int:
    made = host.example(name)
    if made is None or name in above:
        return samples.get(name, ROUNDS)
    expr, divisor = made
    values = {v: _example(v, host, samples, above | {name}) for v in sorted(expr.variables)}
    return max(1, (evaluate_or_none(expr, values) or 0) // divisor)


def sizes_of(launch: host.LaunchOp, program: Program, samples: Mapping[str, int]) -> Sizes:
    """The sizes of a launch, with examples for unknown ones."""
    values = program.values(launch)
    numbers = {name: evaluate_or_none(expr, samples) for name, expr in values.items()}
    rank = len(launch.global_size)
    known = {name: number for name, number in numbers.items() if number is not None}
    sizes = example_sizes(
        rank,
        {name: number for name, number in known.items() if not is_query(name)},
        [known.get(f"gsize{d}") for d in range(rank)],
        [known.get(f"lsize{d}") for d in range(rank)],
    )
    return with_examples(program.kernel(launch), sizes)


def host_samples(plan: Plan, program: Program) -> dict[str, int]:
    """Examples for the host's variables: EXAMPLE_ITEMS for numbers of work-items along x,
    EXAMPLE_ROWS for those along y and z, else ROUNDS.

    Quotients and counters of loops are computed from their operands.
    """
    host = program.host(plan.group.buffers[0])
    many: dict[str, None] = {}
    rows: dict[str, None] = {}
    names: dict[str, None] = {}
    for launch, number in plan.group.bindings:
        values = program.values(launch)
        for expr in values.values():
            names |= dict.fromkeys(sorted(expr.variables))
        many |= dict.fromkeys(_roots(_single_variables(values["gsize0"]), host))
        for size in (values["gsize1"], values["gsize2"]):
            rows |= dict.fromkeys(_roots(_single_variables(size), host))
        for access in program.kernel(launch).of(number):
            known = program.known(access, launch)
            for fact in known.facts:
                if (("gid0",), -1) in fact.terms:
                    many |= dict.fromkeys(_roots(_single_variables(fact), host))
    for expr in (plan.shape.rows, plan.shape.columns):
        names |= dict.fromkeys(sorted(expr.variables))
    roots = {**dict.fromkeys(rows, EXAMPLE_ROWS), **dict.fromkeys(many, EXAMPLE_ITEMS)}
    return {name: _example(name, host, roots, frozenset()) for name in (*names, *rows, *many)}


def _roots(names: Iterable[str], host: Indices) -> Iterator[str]:
    """The variables, and those from which they are computed."""
    seen: dict[str, None] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen[name] = None
        made = host.example(name)
        if made is not None:
            pending += sorted(made[0].variables)
    yield from (name for name in seen if host.example(name) is None)


def _single_variables(expr: Expr) -> Iterator[str]:
    """The host's variables that are a positive term by themselves."""
    for monomial, coefficient in expr.terms:
        if (
            coefficient > 0
            and len(monomial) == 1
            and isinstance(monomial[0], str)
            and monomial[0][0] == "%"
        ):
            yield monomial[0]
