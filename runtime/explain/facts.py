"""What is known of a kernel's lines: the places of its accesses, branches and loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from polycl.analysis.ocl.lane_stride import Lanes
from polycl.analysis.ocl.work_counts import Count, number
from polycl.backends.device import NDRange

Location = tuple[str, int, int]
"""File, line and column."""


@dataclass
class Place:
    """An access, branch, loop, barrier, or the arithmetic of a line."""

    location: Location
    kind: str
    """`read`, `write`, `update` (atomic), `branch`, `loop`, `barrier`, `arithmetic`."""
    array: str = ""
    """What an access goes to."""
    space: str = ""
    """Its address space."""
    size: int = 0
    """Bytes of one execution of an access."""
    lanes: Lanes | None = None
    """Of an access: what the compiler has proved of neighbours' addresses, in bytes."""
    neighbours: int | None = None
    """The bytes from a work-item's address to that of its neighbour in this launch; None if that is
    not known, as it depends on memory."""
    iterations: int | None = None
    """The same from one iteration of the innermost loop to the next."""
    in_loop: bool = False
    uniform: bool = True
    """Of a branch or loop: whether all work-items of a group are proved to decide alike."""
    taken: float | None = None
    """Of a branch: the share of work-items that take it; of a loop: the iterations; if known."""
    mixed: float | None = None
    """Of a branch: in which share of 16 neighbours some take it and others do not; of a loop: how
    many times as long as the mean the longest of 16 neighbours takes; if known."""
    made: tuple[str, ...] = ()
    """What became of an access: `vector load`, `gather`, `broadcast`, `scalar load` and so on."""
    times: float = 0
    """Executions for each work-item."""
    count: Count = field(default_factory=lambda: number(0))
    """The same as a polynomial."""
    cycles: float = 0
    """Estimated, for each work-item."""
    inside: float = 0
    """Of a branch or loop: the share of the kernel's cycles inside."""
    share: float = 0
    """Of the kernel's estimated time."""
    traits: frozenset[str] = frozenset()
    """What else causes look for: names of `traits.py`."""
    detail: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words of messages."""

    @property
    def is_access(self) -> bool:
        return self.kind in ("read", "write", "update")

    @property
    def bytes(self) -> float:
        """For each work-item."""
        return self.size * self.times


@dataclass
class Array:
    """An object in memory."""

    name: str
    space: str
    nbytes: int
    """0 if its size is not known."""
    read: float = 0
    """Bytes that a work-item reads."""
    written: float = 0
    read_count: Count = field(default_factory=lambda: number(0))
    """The same as polynomials."""
    written_count: Count = field(default_factory=lambda: number(0))
    traffic: float = 0
    """Bytes of cache lines that a launch moves, at least."""
    used: float | None = None
    """The share of these bytes that is accessed; None if addresses are not known."""


@dataclass
class Facts:
    """What is known of a kernel and a launch."""

    kernel: str
    location: Location | None
    ndrange: NDRange
    places: Sequence[Place] = ()
    arrays: Sequence[Array] = ()
    operations: Mapping[str, float] = field(default_factory=dict[str, float])
    """For each work-item: of f32 and f16 (`float`), f64 (`double`), integers, functions."""
    operation_counts: Mapping[str, Count] = field(default_factory=dict[str, Count])
    total_counts: Mapping[str, Count] = field(default_factory=dict[str, Count])
    """The same as polynomials, for a work-item and for a launch; bytes, too."""
    unknown: Mapping[str, float] = field(default_factory=dict[str, float])
    """The names in them that are neither arguments nor sizes, and the values taken for them."""
    cycles: float = 0
    """Estimated, for each work-item."""
    lanes: int = 1
    """Work-items of a vector."""
    refusals: Sequence[str] = ()
    """Why regions are not vectorised."""
    threads: int = 1
    keeps_groups: bool = False
    """Whether the kernel runs in the groups that the launch gives."""
    complete: bool = False
    """Whether the addresses of a whole group were evaluated."""
    choices: Sequence[str] = ()
    """Why regions have two forms, of which the program measures the faster one."""

    @property
    def items(self) -> int:
        x, y, z = self.ndrange.global_size
        return x * y * z

    @property
    def group_items(self) -> int:
        x, y, z = self.ndrange.local_size
        return x * y * z

    @property
    def groups(self) -> int:
        x, y, z = self.ndrange.num_groups
        return x * y * z
