"""Reuse distances of the accesses to a buffer, under the order of a platform's work-items.

The reuse distance of an access is the number of other cache lines that were touched since its
line was touched last. One step of the order (`analysis.host.wii`) touches each line of its
work-items once. What a kernel's buffer has is the distance of most reuses, their median; it is
0 where nothing is reused. Only the accesses to the buffer in question count, and of those to the
same index in the same block, one. Each access begins at the beginning of a line, whatever its
offset: neighbours are one group, as in the analysis that the paper builds on (McKinley, Carr and
Tseng, "Improving Data Locality with Loop Transformations").

The order is walked, not estimated: sizes that are not known get an example's value. A group is
walked from its first work-item on until `LIMIT` accesses are made.
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
"""Accesses that are walked at most."""

ROUNDS = 32
"""The rounds of a loop of which nothing is known."""

EXAMPLE_ITEMS = 65536
"""The global size in dimension 0 where it is not known; ROUNDS in the others."""

EXAMPLE_LOCAL = ((256, 1, 1), (16, 16, 1), (8, 8, 4))
"""The local size where it is not known, for one to three dimensions."""

Position = Callable[[Access, Mapping[str, int]], int | None]
"""Which element an access touches with given values of the variables."""

_Lane = dict[str, int]


@dataclass(frozen=True)
class Reuse:
    """How a buffer is accessed under an order."""

    distance: int
    """The median of the reuse distances, in lines; 0 without reuses."""

    lines: float
    """How many lines one step touches in the mean: what a vector load has to get together."""

    mean: float
    """The mean of the reuse distances: it decides between equal medians."""

    jump: int
    """How many lines one step is from the one before, the median: what the paper gives as the
    distance on serial platforms."""

    reuses: int
    steps: int

    def __str__(self) -> str:
        return (
            f"reuse distance {self.distance}, {self.lines:.3g} lines a step, "
            f"steps {self.jump} lines apart"
        )


NO_REUSE = Reuse(0, 0.0, 0.0, 0, 0, 0)


@dataclass(frozen=True)
class Sizes:
    """The numbers that a walk needs."""

    values: Mapping[str, int]
    """Of the arguments and other variables of the kernel; what is missing has ROUNDS."""

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
    """Sizes with an example's number for each that is not known (None)."""
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
    """The element that an access touches in the layout that the program has."""
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
    """How the buffer behind some of a kernel's parameters is reused in a group's order."""
    walk = _Walk(frozenset(parameters), sizes, position, platform.reuse_line)
    blocks = [
        [_lane(tid, sizes) for tid in block]
        for block in Interleaving(platform.together).blocks(sizes.items)
    ]
    stack: list[int] = []
    distances: list[int] = []
    jumps: list[int] = []
    before: int | None = None
    steps = lines = accesses = 0
    for touched, lanes in walk.steps(kernel.nest(), blocks):
        steps, lines, accesses = steps + 1, lines + len(touched), accesses + lanes
        jumps += [] if before is None else [abs(touched[0] - before)]
        before = touched[0]
        for line in touched:
            if line in stack:
                distances.append(stack.index(line))
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
    """Where in a line each access begins."""

    rounds_left: int = 4 * LIMIT
    """How many rounds of loops may still be walked: some have no access that is known."""

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
        """Who takes which arm; where that is not known, all take the one that is longer."""
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
        """The work-items that are active in each round, with the counter's value."""
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
    """Whether what an arm says holds; None where it says nothing that is known."""
    values = [evaluate_or_none(fact, lane) for fact in facts]
    if any(value is not None and value < 0 for value in values):
        return False
    return None if not values or None in values else True


def _in_step(rounds: Sequence[Iterator[list[_Lane]]]) -> Iterator[list[list[_Lane]]]:
    """The rounds of all blocks side by side, until none goes on."""
    while True:
        active = [next(lanes, []) for lanes in rounds]
        if not any(active):
            return
        yield [block for block in active if block]


def with_examples(kernel: KernelAccesses, sizes: Sizes) -> Sizes:
    """The sizes, with ROUNDS for each argument that has no value."""
    missing = {name: ROUNDS for name in sorted(kernel.indices.symbols) if name not in sizes.values}
    return replace(sizes, values={**missing, **sizes.values})
