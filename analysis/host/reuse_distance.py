"""Reuse distances of the accesses to a buffer, under the order of a platform's work-items.

The reuse distance of an access is the number of other cache lines that were touched since the last
touch of its line. One step of the order (`analysis.host.wii`) touches each line of its work-items
once. The reuse distance of a buffer is the median over all reuses, or 0 without reuses. Only the
accesses to this buffer count, and one of several accesses to the same index in a block. Each access
is assumed to begin at the beginning of a line: neighbours are one group, as in the analysis on
which [ppopencl19] builds (McKinley, Carr and Tseng, "Improving Data Locality with Loop
Transformations").

The order is simulated, with example values for unknown sizes. A group is simulated from its first
work-item on for at most `LIMIT` accesses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median_low

from xdsl.dialects import scf
from xdsl.ir import Operation

from polycl.analysis.host.kernel_access import (
    Access,
    Barrier,
    Branch,
    Item,
    KernelAccesses,
    Loop,
    has_barrier,
)
from polycl.analysis.host.platforms import Platform
from polycl.analysis.host.wii import Interleaving
from polycl.analysis.ocl.index_expr import Expr, evaluate
from polycl.analysis.ocl.uniformity import constant_value

LIMIT = 6_000
"""The maximal number of simulated accesses."""

NEAR = 512
"""The lines of a first-level cache."""

ROUNDS = 32
"""The trip count of a loop with unknown bounds."""

EXAMPLE_ITEMS = 65536
"""An unknown global size in dimension 0; in other dimensions it is ROUNDS."""

EXAMPLE_ROWS = 1024
"""An unknown number of the host that a global size in another dimension is made of."""

EXAMPLE_LOCAL = ((256, 1, 1), (16, 16, 1), (8, 8, 4))
"""An unknown local size, for one to three dimensions."""

Position = Callable[[Access, Mapping[str, int]], int | None]
"""The element that an access touches for given values of the variables."""

_Lane = dict[str, int]


@dataclass(frozen=True)
class Reuse:
    """The reuse of a buffer under an order."""

    distance: int
    """The median of the reuse distances, in lines; 0 without reuses."""

    lines: float
    """The mean number of lines of one step, which a vector load has to combine."""

    mean: float
    """The mean of the reuse distances: it decides between equal medians."""

    jump: int
    """The median distance in lines of consecutive steps, which [ppopencl19] calls the reuse
    distance on serial platforms."""

    fetched: float
    """The mean number of lines of one step that are not among the last NEAR ones."""

    reuses: int
    steps: int

    def __str__(self) -> str:
        return (
            f"reuse distance {self.distance}, {self.lines:.3g} lines a step, "
            f"steps {self.jump} lines apart"
        )


NO_REUSE = Reuse(0, 0.0, 0.0, 0, 0.0, 0, 0)


@dataclass(frozen=True)
class Sizes:
    """The sizes of a simulation."""

    values: Mapping[str, int]
    """The values of the kernel's arguments and other variables, by default ROUNDS."""

    global_size: tuple[int, int, int]
    local_size: tuple[int, int, int]

    fastest: int = 0
    """The dimension along which the order begins."""

    @property
    def items(self) -> int:
        x, y, z = self.local_size
        return x * y * z


def example_sizes(
    dimensions: int,
    values: Mapping[str, int],
    global_size: Sequence[int | None] = (),
    local_size: Sequence[int | None] = (),
) -> Sizes:
    """The sizes, with examples for the unknown ones (None)."""
    whole = [size for size in global_size] + [None] * (3 - len(global_size))
    local = [size for size in local_size] + [None] * (3 - len(local_size))
    rank = max(1, dimensions, len(local_size))
    found: list[tuple[int, int]] = []
    for d in range(3):
        part = local[d] or EXAMPLE_LOCAL[rank - 1][d]
        usual = (EXAMPLE_ITEMS if d == 0 else ROUNDS) if d < rank else 1
        total = whole[d] or max(usual, part)
        found.append((total, min(part, total)))
    (gx, lx), (gy, ly), (gz, lz) = found
    return Sizes(values, (gx, gy, gz), (lx, ly, lz))


def as_it_is(access: Access, values: Mapping[str, int]) -> int | None:
    """The element that an access touches in the present layout."""
    return evaluate_or_none(access.index, values)


def evaluate_or_none(expr: Expr, values: Mapping[str, int]) -> int | None:
    """The value, or None where a variable has none."""
    try:
        return evaluate(expr, values)
    except (KeyError, ZeroDivisionError):
        return None


def reuse_of(
    kernel: KernelAccesses,
    parameters: Sequence[int],
    platform: Platform,
    sizes: Sizes,
    position: Position = as_it_is,
) -> Reuse:
    """The reuse of the buffer of some of a kernel's parameters in a group's order."""
    walk = _Walk(frozenset(parameters), sizes, position, platform.reuse_line)
    blocks = [
        [_lane(tid, sizes) for tid in block]
        for block in Interleaving(platform.together).blocks(sizes.items)
    ]
    stack: list[int] = []
    distances: list[int] = []
    jumps: list[int] = []
    before: int | None = None
    steps = lines = accesses = fetched = 0
    for touched, lanes in walk.steps(kernel.nest(), blocks):
        steps, lines, accesses = steps + 1, lines + len(touched), accesses + lanes
        jumps += [] if before is None else [abs(touched[0] - before)]
        before = touched[0]
        for line in touched:
            distance = stack.index(line) if line in stack else NEAR
            fetched += distance >= NEAR
            if line in stack:
                distances.append(distance)
                stack.remove(line)
            stack.insert(0, line)
        if accesses >= LIMIT:
            break
    if not steps:
        return NO_REUSE
    return Reuse(
        distance=median_low(distances) if distances else 0,
        lines=lines / steps,
        mean=sum(distances) / len(distances) if distances else 0.0,
        jump=median_low(jumps) if jumps else 0,
        fetched=fetched / steps,
        reuses=len(distances),
        steps=steps,
    )


def _lane(tid: int, sizes: Sizes) -> _Lane:
    local = [0, 0, 0]
    for d in sorted(range(3), key=lambda d: (d != sizes.fastest, d)):
        tid, local[d] = divmod(tid, sizes.local_size[d])
    lane: _Lane = dict(sizes.values)
    for d in range(3):
        size, whole = sizes.local_size[d], sizes.global_size[d]
        lane |= {f"lid{d}": local[d], f"gid{d}": local[d], f"group{d}": 0, f"offset{d}": 0}
        lane |= {f"lsize{d}": size, f"gsize{d}": whole, f"groups{d}": -(-whole // size)}
    return lane


@dataclass
class _Walk:
    """The accesses of one buffer in the order of execution."""

    parameters: frozenset[int]
    sizes: Sizes
    position: Position
    line: int
    starts: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """The byte in the line at which each access begins."""

    rounds_left: int = 4 * LIMIT
    """The number of iterations still to simulate, since some have no known access."""

    def steps(
        self, items: Sequence[Item], blocks: Sequence[list[_Lane]]
    ) -> Iterator[tuple[list[int], int]]:
        """Each step's lines and its number of work-items; all blocks meet at barriers."""
        free: list[Item] = []
        for item in items:
            if isinstance(item, Barrier):
                yield from self._blocks(free, blocks)
                free = []
            elif isinstance(item, Loop) and has_barrier(item.body):
                yield from self._blocks(free, blocks)
                free = []
                rounds = [self._rounds(item, block) for block in blocks]
                for active in _in_step(rounds):
                    yield from self.steps(item.body, active)
            else:
                free.append(item)
        yield from self._blocks(free, blocks)

    def _blocks(
        self, items: Sequence[Item], blocks: Sequence[list[_Lane]]
    ) -> Iterator[tuple[list[int], int]]:
        for block in blocks:
            yield from self._together(items, block)

    def _together(
        self, items: Sequence[Item], lanes: list[_Lane]
    ) -> Iterator[tuple[list[int], int]]:
        if not lanes:
            return
        seen: set[Expr] = set()
        for item in items:
            match item:
                case Access():
                    if item.parameter in self.parameters and item.index not in seen:
                        seen.add(item.index)
                        yield from self._touched(item, lanes)
                case Loop():
                    for active in self._rounds(item, lanes):
                        yield from self._together(item.body, active)
                case Branch():
                    first, second = self._taken(item, lanes)
                    yield from self._together(item.arms[0], first)
                    yield from self._together(item.arms[1], second)
                case Barrier():
                    pass

    def _taken(self, branch: Branch, lanes: list[_Lane]) -> tuple[list[_Lane], list[_Lane]]:
        """The work-items of each arm; if the condition is unknown, all take the longer one."""
        first: list[_Lane] = []
        second: list[_Lane] = []
        longer = first if len(branch.arms[0]) >= len(branch.arms[1]) else second
        for lane in lanes:
            decided = [_holds(facts, lane) for facts in branch.facts]
            if True in decided:
                (first if decided[0] else second).append(lane)
            elif decided[0] is False:
                second.append(lane)
            else:
                longer.append(lane)
        return first, second

    def _touched(self, access: Access, lanes: list[_Lane]) -> Iterator[tuple[list[int], int]]:
        touched: dict[int, None] = {}
        for lane in lanes:
            element = self.position(access, lane)
            if element is None:
                return
            first = element * access.nbytes
            first -= self.starts.setdefault(access.op, first % self.line)
            last = first + access.width * access.nbytes - 1
            for line in range(first // self.line, last // self.line + 1):
                touched[line] = None
        yield list(touched), len(lanes)

    def _rounds(self, loop: Loop, lanes: list[_Lane]) -> Iterator[list[_Lane]]:
        """The active work-items of each iteration, with the counter's value."""
        if loop.counter is None or not isinstance(loop.op, scf.ForOp):
            self.rounds_left -= ROUNDS * len(lanes)
            yield from (lanes for _ in range(ROUNDS if self.rounds_left > 0 else 0))
            return
        low, high, step = loop.bounds
        bounds = [
            (
                lane,
                evaluate_or_none(low, lane) or 0,
                value if (value := evaluate_or_none(high, lane)) is not None else ROUNDS,
            )
            for lane in lanes
        ]
        stride = constant_value(loop.op.step) or evaluate_or_none(step, lanes[0]) if lanes else 1
        number = 0
        while self.rounds_left > 0:
            self.rounds_left -= len(lanes)
            active = [
                {**lane, loop.counter: start + number * (stride or 1)}
                for lane, start, end in bounds
                if start + number * (stride or 1) < end
            ]
            if not active:
                return
            yield active
            number += 1


def _holds(facts: Sequence[Expr], lane: _Lane) -> bool | None:
    """Whether the condition of an arm holds; None if it is unknown."""
    values = [evaluate_or_none(fact, lane) for fact in facts]
    if any(value is not None and value < 0 for value in values):
        return False
    return None if not values or None in values else True


def _in_step(rounds: Sequence[Iterator[list[_Lane]]]) -> Iterator[list[list[_Lane]]]:
    """The iterations of all blocks in parallel, until all end."""
    while True:
        active = [next(lanes, []) for lanes in rounds]
        if not any(active):
            return
        yield [block for block in active if block]


def with_examples(kernel: KernelAccesses, sizes: Sizes) -> Sizes:
    """The sizes, with ROUNDS for each argument that has no value."""
    missing = {name: ROUNDS for name in sorted(kernel.indices.symbols) if name not in sizes.values}
    return replace(sizes, values={**missing, **sizes.values})
