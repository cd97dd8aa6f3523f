"""A model of the memory system: a cache in front of a memory that takes many cycles.

The schedule is static, so the processor waits as a whole for each access that misses: the cycles
are those of the schedule and those of the misses. Values do not change.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from polycl.errors import ArgumentError

MOST_LINES = 1 << 20


@dataclass(frozen=True)
class Cache:
    """Which accesses wait, and for how long.

    Of each of `sets` sets of lines the `ways` lines stay that were used last; a load or a store of
    another line takes `miss` cycles more. Without ways each access does. All address spaces share
    the cache, which is empty at the begin of a launch.
    """

    sets: int = 64
    """A power of two."""
    ways: int = 1
    line: int = 32
    """Bytes; a power of two."""
    miss: int = 20

    def __post_init__(self) -> None:
        """Raises ArgumentError."""
        for name, least in (("sets", 1), ("line", 4)):
            value = getattr(self, name)
            if value < least or value & (value - 1):
                raise ArgumentError(
                    f"memory: {name}={value}: expected a power of two, at least {least}"
                )
        if self.sets * self.ways > MOST_LINES:
            raise ArgumentError(
                f"memory: sets={self.sets} ways={self.ways}: expected at most {MOST_LINES} lines"
            )

    @property
    def lines(self) -> int:
        return self.sets * self.ways


def parse_cache(text: str) -> Cache:
    """The cache of a text such as `sets=64 ways=2 line=32 miss=20`. Raises ArgumentError."""
    known = [each.name for each in fields(Cache)]
    values: dict[str, int] = {}
    for option in text.split():
        key, _, value = option.partition("=")
        if key not in known or not value.isdecimal() or len(value) > 9:
            raise ArgumentError(
                f"memory: '{option}': expected {', '.join(f'{name}=N' for name in known)}"
            )
        if key in values:
            raise ArgumentError(f"memory: '{key}' is given twice")
        values[key] = int(value)
    return Cache(**values)


@dataclass(frozen=True)
class Accesses:
    """What a launch accessed."""

    count: int = 0
    misses: int = 0
    stalls: int = 0
    """The cycles that the processor waited."""


@dataclass
class CacheState:
    """A cache while a program runs; the compiled engine has the same as LLVM code."""

    cache: Cache
    count: int = 0
    misses: int = 0
    tags: dict[int, list[tuple[int, int]]] = field(default_factory=dict[int, list[tuple[int, int]]])
    """The lines of each set, the one that was used last first."""

    def access(self, space: int, address: int) -> None:
        line = address // self.cache.line
        lines = self.tags.setdefault(line % self.cache.sets, [])
        self.count += 1
        if (space, line) in lines:
            lines.remove((space, line))
        else:
            self.misses += 1
        lines.insert(0, (space, line))
        del lines[self.cache.ways :]

    def accesses(self) -> Accesses:
        return accesses(self.cache, self.count, self.misses)


def accesses(cache: Cache | None, count: int, misses: int) -> Accesses:
    return Accesses(count, misses, misses * cache.miss if cache is not None else 0)


def access_function(cache: Cache) -> str:
    """LLVM code of `CacheState.access`: an access with a key of its address and its space.

    The state is the number of accesses, that of misses, and for each set the numbers of its lines
    plus one. The line of the access moves to the first place, the others by one place up to where
    it was, or the last one is lost.
    """
    shift = cache.line.bit_length() - 1
    return f"""define internal void @access(ptr %cache, i1 %on, i64 %key) noinline {{
entry:
  br i1 %on, label %begin, label %out
begin:
  %count = load i64, ptr %cache
  %counted = add i64 %count, 1
  store i64 %counted, ptr %cache
  %line = lshr i64 %key, {shift}
  %set = and i64 %line, {cache.sets - 1}
  %first = mul i64 %set, {cache.ways}
  %base = add i64 %first, 2
  %tag = add i64 %line, 1
  br label %loop
loop:
  %way = phi i64 [ 0, %begin ], [ %next, %look ]
  %moved = phi i64 [ %tag, %begin ], [ %old, %look ]
  %end = icmp eq i64 %way, {cache.ways}
  br i1 %end, label %miss, label %look
look:
  %at = add i64 %base, %way
  %place = getelementptr i64, ptr %cache, i64 %at
  %old = load i64, ptr %place
  store i64 %moved, ptr %place
  %next = add i64 %way, 1
  %hit = icmp eq i64 %old, %tag
  br i1 %hit, label %out, label %loop
miss:
  %missing = getelementptr i64, ptr %cache, i64 1
  %misses = load i64, ptr %missing
  %more = add i64 %misses, 1
  store i64 %more, ptr %missing
  br label %out
out:
  ret void
}}
"""
