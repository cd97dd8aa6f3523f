"""What operations and accesses cost on a processor: the table of numbers behind `profit.py`.

In cycles of one core, of which only the comparison matters. `processors/NAME.toml` has the table of
each processor, by LLVM's name for it; `python -m bench.calibrate` measures one.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from xdsl.utils.exceptions import PassFailedException

from polycl.diagnostics import unknown_name

TABLES = Path(__file__).parent / "processors"

REGISTER_BYTES = 64
"""Of the registers that the numbers are for."""

DEFAULT = "znver4"
"""The processor whose table others take that have none."""


@dataclass(frozen=True)
class Cycles:
    """The numbers of one processor.

    Those of vectors are for a register of 512 bits, or for each lane, if that is said.
    """

    scalar: float
    """An operation of one work-item."""
    vector: float
    """The same of a register."""
    access: float
    """A load or store of an element, or of a register in a row."""
    division: float
    """Of floats, and square roots; twice that for a register."""
    integer_division: float
    by_constant: float
    """Operations that an integer division by a constant becomes."""
    by_inverse: float
    """For each register of the floats in which integers are divided, apart from the inverse."""
    lane_moved: float
    """Of operands and result of a division of 64-bit integers, which is done lane after lane
    without AVX-512."""
    shuffled: float
    """For each register that elements of several rows are put together in, and each such step."""
    strided: float
    """For each register, and each element between two lanes."""
    reversed: float
    """To turn the elements of a register around."""
    repeated: float
    """To repeat the elements of a row that neighbours share, and to test whether they do."""
    gathered_1: float
    """For each lane of a gather of bytes, and so on. Elements of one or two bytes are read one by
    one: the processor gathers words."""
    gathered_2: float
    gathered_word: float
    """For each lane of a gather of the aligned words that have elements of one or two bytes, which
    are moved down."""
    gathered_beside: float
    """The same of one or two bytes where another gather has read in the same line: the address is
    known but for a number."""
    gathered_4: float
    gathered_8: float
    scattered: float
    """Times as long as a gather."""
    stored_by_lane: float
    """The same where the processor has no scatters: AVX2."""
    line_fetched: float
    """For each cache line of buffers that a gather or scatter touches. It takes five times as many
    entries of the processor's queues as loads do, so that less of what comes later is fetched
    early."""
    row: float
    """For each register of what a lane reads or writes as a whole."""
    address: float
    """For each lane's address that is taken out of a vector; twice for a store."""
    narrowed: float
    """For each register of what lanes look up in a table of constants: to narrow the indices."""
    permuted: float
    """The same for each pair of registers of the table."""
    words: float
    """Of 64 lanes or fewer, to look words up by their bytes."""
    picked: float
    """For an element of a vector whose number each work-item computes: several of them are one
    shuffle of the processor. Lanes choose between all elements."""
    alone: float
    """For each lane of what is done lane after lane."""
    alone_in_branches: float
    """The same under a mask: each lane has a branch and an address of its own."""
    counted: float
    """For each lane that adds to a counter of the group."""
    counted_alone: float
    """The same for one work-item at a time, which computes something else meanwhile."""
    chained: float
    """For each iteration of a loop that carries floats, one work-item at a time: each addition
    waits for the one before."""
    chased: float
    """For each iteration of a loop that reads where it found what it read before, one work-item at
    a time: the latency of a second-level cache."""
    jumped: float
    """For each access of a loop that goes on by a cache line or more, one work-item at a time: a
    row's elements share a set of the cache where rows lie a power of two apart, and one width in
    four is taken to be one."""
    mispredicted: float
    """For each work-item whose branch depends on data, one at a time: one in three is."""
    along_loop: float
    """Of the time of one work-item, in a loop of which LLVM makes vectors."""
    along_neighbours: float
    """Of the time of work-items, in a loop over them of which LLVM makes vectors."""

    def gathered(self, size: int) -> float:
        """For each lane of a gather of elements of `size` bytes."""
        known = {1: self.gathered_1, 2: self.gathered_2, 4: self.gathered_4}
        return known.get(size, self.gathered_8)

    @property
    def gathers_words(self) -> bool:
        """Whether such a gather takes less time than single loads."""
        return self.gathered_word < min(self.gathered_1, self.gathered_2)


ALIKE = {
    "znver5": "znver4",
    "icelake-server": "emeraldrapids",
    "sapphirerapids": "emeraldrapids",
    "graniterapids": "emeraldrapids",
}
"""Processors without a table of their own, and those whose gathers are like theirs."""


def table_of(processor: str) -> str:
    """The processor whose table one has, by LLVM's names."""
    return next(
        (name for name in (processor, ALIKE.get(processor)) if name in processors()), DEFAULT
    )


@cache
def processors() -> list[str]:
    """Those that have a table."""
    return sorted(path.stem for path in TABLES.glob("*.toml"))


@cache
def cycles_of(name: str) -> Cycles:
    """The table of a processor, by LLVM's name, or a file's (`NAME.toml`).

    Raises:
        PassFailedException: there is no such table, or it does not have all numbers, or others.
    """
    path = Path(name) if name.endswith(".toml") else TABLES / f"{name}.toml"
    if not path.is_file():
        raise PassFailedException(unknown_name("processor", name, processors()))
    return _read(path)


def _read(path: Path) -> Cycles:
    try:
        numbers = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise PassFailedException(f"{path}: {error}") from error
    names = [field.name for field in fields(Cycles)]
    for name in numbers:
        if name not in names:
            raise PassFailedException(f"{path}: {unknown_name('number', name, names)}")
    missing = [name for name in names if name not in numbers]
    if missing:
        raise PassFailedException(f"{path}: these numbers are missing: {', '.join(missing)}")
    for name, value in numbers.items():
        if not isinstance(value, int | float) or value <= 0:
            raise PassFailedException(f"{path}: {name} is {value!r}, not a positive number")
    return Cycles(**numbers)
