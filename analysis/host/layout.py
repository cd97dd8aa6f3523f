"""The two layouts that a group of buffers can have, and how each is reused on a platform.

A plan is a matrix that all kernels' accesses to the group are proved to lie in. The other layout
has its rows and columns exchanged. `compared` walks the accesses of both (Algorithm 3's
`CalculateRD`), and says how often an element is accessed for each time that it is transferred.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from polycl.analysis.host.buffers import Group, function_of
from polycl.analysis.host.index import Indices, exact_quotient, is_query
from polycl.analysis.host.kernel_access import (
    Access,
    Branch,
    Item,
    KernelAccesses,
    Loop,
    loops_around,
)
from polycl.analysis.host.matrix import (
    Cell,
    Known,
    Shape,
    is_inside,
    products,
    splits,
    translated,
)
from polycl.analysis.host.reuse_distance import (
    EXAMPLE_ITEMS,
    ROUNDS,
    Reuse,
    Sizes,
    evaluate_or_none,
    example_sizes,
    reuse_of,
    with_examples,
)
from polycl.analysis.index_arith import exact_div
from polycl.analysis.index_expr import Expr, Var, integer
from polycl.analysis.platforms import Platform
from polycl.analysis.uniformity import constant_value
from polycl.dialects import ocl


class Program:
    """What is known of the functions and kernels of a module, computed when it is asked for."""

    def __init__(self, module: ModuleOp):
        self.launches: dict[str, list[ocl.HostLaunchOp]] = {}
        for op in module.walk():
            if isinstance(op, ocl.HostLaunchOp):
                self.launches.setdefault(op.kernel.string_value(), []).append(op)
        self._hosts: dict[FuncOp, Indices] = {}
        self._kernels: dict[str, KernelAccesses] = {}
        self._known: dict[tuple[ocl.HostLaunchOp, Block | None], Known] = {}

    def host(self, op: Operation) -> Indices:
        """The indices of the host function that an operation is in."""
        function = function_of(op)
        assert function is not None
        if function not in self._hosts:
            self._hosts[function] = Indices(function)
        return self._hosts[function]

    def kernel(self, launch: ocl.HostLaunchOp) -> KernelAccesses:
        """The accesses of the kernel that is launched."""
        name = launch.kernel.string_value()
        if name not in self._kernels:
            sizes = [_local_sizes(op) for op in self.launches[name]]
            x, y, z = (d[0] if len(set(d)) == 1 else None for d in zip(*sizes, strict=True))
            self._kernels[name] = KernelAccesses(launch.callee(), (x, y, z))
        return self._kernels[name]

    def known(self, access: Access, launch: ocl.HostLaunchOp) -> Known:
        """What holds where a kernel accesses memory, in one of its launches."""
        key = (launch, access.op.parent)
        if key not in self._known:
            indices, host = self.kernel(launch).indices, self.host(launch)
            env, facts = indices.env(access.op), indices.facts(access.op)
            known = translated(self.values(launch), env, facts, host.env(launch))
            more = [*host.facts(launch), *host.quotient_facts(known.env)]
            self._known[key] = Known(known.values, known.env, [*known.facts, *more])
        return self._known[key]

    def values(self, launch: ocl.HostLaunchOp) -> dict[str, Expr]:
        """What the kernel's arguments and sizes are, in the host's variables."""
        host, kernel = self.host(launch), self.kernel(launch)
        found: dict[str, Expr] = {}
        for name, operand in zip(kernel.indices.arguments, launch.arguments, strict=True):
            if isinstance(operand.type, IndexType | IntegerType):
                found[name] = host.expr(operand)
        for d in range(3):
            given = d < len(launch.global_size)
            whole = host.expr(launch.global_size[d]) if given else integer(1)
            found[f"gsize{d}"] = whole
            offset = launch.global_offset[d] if launch.global_offset and given else None
            found[f"offset{d}"] = integer(0) if offset is None else host.expr(offset)
            if launch.local_size or not given:
                local = host.expr(launch.local_size[d]) if given else integer(1)
                found[f"lsize{d}"] = local
                groups = exact_quotient(whole, local)
                found |= {} if groups is None else {f"groups{d}": groups}
        return found


def _local_sizes(launch: ocl.HostLaunchOp) -> tuple[int | None, int | None, int | None]:
    if not launch.local_size:
        return None, None, None
    sizes = [constant_value(value) for value in launch.local_size]
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


@dataclass
class Plan:
    """A group as a matrix, with the place of each access in it."""

    group: Group
    shape: Shape
    cells: dict[Operation, Cell] = field(default_factory=dict[Operation, Cell])

    @property
    def kinds(self) -> tuple[str, str]:
        """What Figure 7 calls the layout that there is, and the other one."""
        in_rows = sum("gid0" in cell.row.variables for cell in self.cells.values())
        in_columns = sum("gid0" in cell.column.variables for cell in self.cells.values())
        if in_rows == in_columns:
            return "row-major", "column-major"
        if in_rows > in_columns:
            return "continuous", "coalesced"
        return "coalesced", "continuous"


def plans(group: Group, program: Program) -> tuple[list[Plan], str]:
    """All matrices that the accesses are proved to lie in; where there is none, why."""
    if group.refusals:
        return [], group.refusals[0]
    if not group.bindings:
        return [], "no kernel accesses it"
    host = program.host(group.buffers[0])
    counts = {host.expr(buffer.count) for buffer in group.buffers}
    if len(counts) > 1:
        return [], "its buffers are not proved to be of one size"
    (count,) = counts
    for op in (*group.writes, *group.reads):
        if not _is_whole(op, count, program):
            return [], f"a part of it is {'written' if isinstance(op, ocl.WriteOp) else 'read'}"
    for launch, number in group.bindings:
        kernel = program.kernel(launch)
        name = kernel.kernel.sym_name.data
        if (escape := kernel.escape_of(number)) is not None:
            return [], f"in kernel '{name}' {escape.reason}"
        if any(access.width > 1 for access in kernel.of(number)):
            return [], f"kernel '{name}' accesses vectors of its elements"
    found: list[Plan] = []
    why = ""
    for columns in _candidates(group, program):
        rows = exact_div(count, columns)
        if columns == count:
            continue
        if rows is None or rows == integer(1):
            why = why or f"{count} elements are not proved to be a multiple of {columns}"
            continue
        plan = Plan(group, Shape(rows, columns))
        refused = _place(plan, program)
        if refused is None:
            found.append(plan)
        else:
            why = refused if "not proved to be a" in why else why or refused
    return found, why or "no access has rows and columns"


def _is_whole(op: ocl.WriteOp | ocl.ReadOp, count: Expr, program: Program) -> bool:
    host = program.host(op)
    offsets = [value for value in (op.source_offset, op.target_offset) if value is not None]
    if any(host.expr(value) != integer(0) for value in offsets):
        return False
    return op.count is None or host.expr(op.count) == count


def _candidates(group: Group, program: Program) -> list[Expr]:
    """What may be the number of columns, in the host's variables."""
    found: dict[Expr, None] = {}
    for launch, number in group.bindings:
        kernel, values = program.kernel(launch), program.values(launch)
        for access in kernel.of(number):
            known = Known(values, {}, ())
            for columns in products(access.index, kernel.indices.symbols):
                image = known.on_host(columns)
                if image.terms and image != integer(1):
                    found[image] = None
    return list(found)


def _place(plan: Plan, program: Program) -> str | None:
    """Find the cell of each access in all launches; or say which is not proved to be inside."""
    for launch, number in plan.group.bindings:
        kernel = program.kernel(launch)
        options = _columns_in_kernel(plan, launch, program)
        for access in kernel.of(number):
            known = program.known(access, launch)
            cells = [cell for columns in options for cell in splits(access.index, columns)]
            cells.append(Cell(integer(0), access.index))
            if (placed := plan.cells.get(access.op)) is not None:
                cells = [placed]
            inside = next(
                (c for c in cells if is_inside(c, plan.shape, known, access.is_modular)), None
            )
            if inside is None:
                return (
                    f"'{access.op.name}' of [{access.index}] in kernel "
                    f"'{kernel.kernel.sym_name.data}' is not proved to lie in {plan.shape}"
                )
            plan.cells[access.op] = inside
    return None


def _columns_in_kernel(plan: Plan, launch: ocl.HostLaunchOp, program: Program) -> list[Expr]:
    """What the kernel has for the number of columns."""
    kernel = program.kernel(launch)
    known = Known(program.values(launch), {}, ())
    found: dict[Expr, None] = {}
    for access in kernel.accesses:
        found |= dict.fromkeys(products(access.index, kernel.indices.symbols))
    same = [columns for columns in found if known.on_host(columns) == plan.shape.columns]
    if plan.shape.columns.constant is not None and plan.shape.columns not in same:
        same.append(plan.shape.columns)
    return same


@dataclass(frozen=True)
class Comparison:
    """Both layouts of a group on a platform."""

    distance: tuple[float, float]
    """The reuse distances, now and in the other layout."""

    mean: tuple[float, float]
    """The means of all distances, which decide where the others are equal."""

    lines: tuple[float, float]
    """Lines that a step of the order touches, in the mean."""

    uses: float
    """How often an element is accessed by kernels."""

    samples: Mapping[str, int]
    """The sizes that this is for: examples, where they are not known."""


def compared(plan: Plan, platform: Platform, program: Program) -> Comparison:
    """Walk the accesses of a group in both layouts, all launches by their weight."""
    samples = _host_samples(plan, program)
    rows = evaluate_or_none(plan.shape.rows, samples) or ROUNDS
    columns = evaluate_or_none(plan.shape.columns, samples) or ROUNDS
    total = 0.0
    sums = [0.0] * 6
    vectors = None
    if platform.is_serial and platform.wants_neighbours:
        # Vectors are made of the work-items by a pass: these are its steps.
        vectors = replace(platform, mode="data-parallel", lanes=max(1, platform.simd_bits // 32))
    by_buffer: dict[tuple[ocl.HostLaunchOp, SSAValue], list[int]] = {}
    for launch, number in plan.group.bindings:
        by_buffer.setdefault((launch, launch.arguments[number]), []).append(number)
    for (launch, _buffer), numbers in by_buffer.items():
        kernel = program.kernel(launch)
        sizes = sizes_of(launch, program, samples)
        now, other = reuses(kernel, numbers, platform, sizes, plan.cells, rows)
        executed = frequency(launch, program, samples) * accesses_of(kernel, numbers, sizes)
        total += executed
        parts = (now.distance, other.distance, now.lines, other.lines, now.mean, other.mean)
        if vectors is not None:
            wide, wider = reuses(kernel, numbers, vectors, sizes, plan.cells, rows)
            parts = (*parts[:2], wide.lines, wider.lines, *parts[4:])
        sums = [s + executed * part for s, part in zip(sums, parts, strict=True)]
    means = [s / total if total else 0.0 for s in sums]
    return Comparison(
        distance=(means[0], means[1]),
        lines=(means[2], means[3]),
        mean=(means[4], means[5]),
        uses=total / (rows * columns),
        samples=samples,
    )


def reuses(
    kernel: KernelAccesses,
    parameters: list[int],
    platform: Platform,
    sizes: Sizes,
    cells: Mapping[Operation, Cell],
    rows: int,
) -> tuple[Reuse, Reuse]:
    """How parameters are reused now, and with rows and columns exchanged."""

    def exchanged(access: Access, values: Mapping[str, int]) -> int | None:
        cell = cells[access.op]
        row, column = (evaluate_or_none(e, values) for e in (cell.row, cell.column))
        return None if row is None or column is None else column * rows + row

    now = reuse_of(kernel, parameters, platform, sizes)
    return now, reuse_of(kernel, parameters, platform, sizes, exchanged)


def frequency(op: Operation, program: Program, samples: Mapping[str, int]) -> float:
    """How often the host executes an operation: loops whose rounds are not known have ROUNDS."""
    times = 1.0
    host = program.host(op)
    for loop in loops_around(op):
        rounds = ROUNDS
        if isinstance(loop, scf.ForOp):
            bounds = [_sampled(host.expr(v), host, samples) for v in (loop.lb, loop.ub, loop.step)]
            low, high, step = bounds
            if low is not None and high is not None and step:
                rounds = max(0, -(-(high - low) // step))
        times *= rounds
    return times


def _sampled(expr: Expr, host: Indices, samples: Mapping[str, int]) -> int | None:
    """The value of an expression of the host, with examples for what it is made of."""
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


def accesses_of(kernel: KernelAccesses, parameters: list[int], sizes: Sizes) -> float:
    """How many accesses a launch makes: the loops' rounds are those of the first work-item."""
    lane: dict[str, int] = dict(sizes.values)
    items = 1
    for d in range(3):
        whole, part = sizes.global_size[d], sizes.local_size[d]
        items *= whole
        lane |= {f"gid{d}": 0, f"lid{d}": 0, f"group{d}": 0, f"offset{d}": 0}
        lane |= {f"gsize{d}": whole, f"lsize{d}": part, f"groups{d}": -(-whole // part)}
    return items * _executed(kernel.nest(), frozenset(parameters), lane)


def _executed(items: tuple[Item, ...], parameters: frozenset[int], lane: dict[str, int]) -> float:
    total = 0.0
    seen: set[Expr] = set()
    for item in items:
        match item:
            case Access():
                if item.parameter in parameters and item.index not in seen:
                    seen.add(item.index)
                    total += 1
            case Loop():
                rounds: int | None = ROUNDS
                inner = dict(lane)
                if item.counter is not None and isinstance(item.op, scf.ForOp):
                    low, high, step = (evaluate_or_none(e, lane) for e in item.bounds)
                    if high is not None and step:
                        rounds = max(0, -(-(high - (low or 0)) // step))
                    inner[item.counter] = low or 0
                total += rounds * _executed(item.body, parameters, inner)
            case Branch():
                total += max(_executed(arm, parameters, lane) for arm in item.arms)
            case _:
                pass
    return total


def sizes_of(launch: ocl.HostLaunchOp, program: Program, samples: Mapping[str, int]) -> Sizes:
    """The numbers of a launch, with examples for what is not known."""
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


def _host_samples(plan: Plan, program: Program) -> dict[str, int]:
    """Numbers for the host's variables: EXAMPLE_ITEMS for what counts work-items, else ROUNDS.

    Quotients and counters of loops follow from what they are made of.
    """
    host = program.host(plan.group.buffers[0])
    many: dict[str, None] = {}
    names: dict[str, None] = {}
    for launch, number in plan.group.bindings:
        values = program.values(launch)
        for expr in values.values():
            names |= dict.fromkeys(sorted(expr.variables))
        many |= dict.fromkeys(_roots(_single_variables(values["gsize0"]), host))
        for access in program.kernel(launch).of(number):
            known = program.known(access, launch)
            for fact in known.facts:
                if ((Var("gid0"),), -1) in fact.terms:
                    many |= dict.fromkeys(_roots(_single_variables(fact), host))
    for expr in (plan.shape.rows, plan.shape.columns):
        names |= dict.fromkeys(sorted(expr.variables))
    roots = dict.fromkeys(many, EXAMPLE_ITEMS)
    return {name: _example(name, host, roots, frozenset()) for name in (*names, *many)}


def _roots(names: Iterable[str], host: Indices) -> Iterator[str]:
    """The variables, and those that they are made of."""
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
    """The host's variables that are a term by themselves, and not subtracted."""
    for monomial, coefficient in expr.terms:
        if (
            coefficient > 0
            and len(monomial) == 1
            and isinstance(monomial[0], Var)
            and monomial[0].name[0] == "%"
        ):
            yield monomial[0].name
