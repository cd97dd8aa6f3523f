"""The limits of this machine, measured once and kept in the cache folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from polycl.backends.cache import current_cache, key_of
from polycl.backends.cpu.jit import processor

_MEMORY = 1 << 28
"""A working set beyond all caches."""
_VERSION = "1"
"""Of what is measured."""
_ROUND_SECONDS = 0.2
_AGREEMENT = 0.85
"""The share of the better figure that the other one must reach."""


@dataclass(frozen=True)
class Level:
    """A level of memory."""

    name: str
    nbytes: int
    """What it holds for each thread; of memory: 0."""
    bandwidth: float
    """GB/s of all threads together: two reads and a write for each element."""


@dataclass(frozen=True)
class MachineLimits:
    """What this machine does at most with so many threads."""

    threads: int
    levels: tuple[Level, ...]
    """From the first cache to memory."""
    multiply_adds: float
    """GFLOP/s in f32, two for each multiply-add."""
    cycle_seconds: float

    def level_of(self, nbytes: float) -> Level:
        """The level that holds a working set of all threads together."""
        for level in self.levels[:-1]:
            if nbytes <= level.nbytes * self.threads:
                return level
        return self.levels[-1]


NOMINAL = MachineLimits(
    1,
    (
        Level("L1", 32 << 10, 200.0),
        Level("L2", 1 << 20, 100.0),
        Level("L3", 2 << 20, 50.0),
        Level("memory", 0, 15.0),
    ),
    100.0,
    3e-10,
)
"""About those of a core of these years, for shares of times where nothing was measured."""


@cache
def machine_limits(threads: int) -> MachineLimits:
    """The limits with `threads` threads: from the cache folder, else measured, which takes about
    three seconds. Each figure is the better of two rounds. They are kept if the rounds agree;
    otherwise the machine is busy with something else, and the next process measures again."""
    kept = known_limits(threads)
    if kept is not None:
        return kept
    rounds = [_measured(threads) for _ in range(2)]
    figures = [max(pair) for pair in zip(*rounds, strict=True)]
    agree = all(min(pair) > _AGREEMENT * max(pair) for pair in zip(*rounds, strict=True))
    folder = current_cache()
    if folder is not None and agree:
        folder.put(_key(threads), json.dumps(figures).encode())
    return _limits(threads, figures)


def known_limits(threads: int) -> MachineLimits | None:
    """The limits if they are in the cache folder."""
    folder = current_cache()
    data = None if folder is None else folder.get(_key(threads))
    return None if data is None else _limits(threads, json.loads(data))


def _key(threads: int) -> str:
    return key_of("machine limits", _VERSION, processor(), str(threads), repr(_cache_sizes()))


def _limits(threads: int, figures: Sequence[float]) -> MachineLimits:
    peak, hertz, *speeds = figures
    sizes = [*_cache_sizes(), ("memory", 0)]
    levels = tuple(Level(*size, speed) for size, speed in zip(sizes, speeds, strict=True))
    return MachineLimits(threads, levels, peak, 1 / hertz)


def _measured(threads: int) -> list[float]:
    """Multiply-adds, cycles a second, and the bandwidth of each level."""
    # Late: it loads LLVM.
    from polycl.backends.cpu import machine

    peak = machine.measured_peak(threads, _ROUND_SECONDS)
    hertz = 1 / machine.measured_cycle(_ROUND_SECONDS)
    # Half of a cache, so that what else is in it does not push the loop's data out.
    sets = [*(nbytes // 2 * threads for _, nbytes in _cache_sizes()), _MEMORY]
    speeds = (machine.measured_bandwidth(n, threads, False, _ROUND_SECONDS) for n in sets)
    return [peak, hertz, *speeds]


def _cache_sizes() -> Sequence[tuple[str, int]]:
    """The caches of a core with its share of those that several cores have."""
    found: list[tuple[str, int]] = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            texts = {
                name: (index / name).read_text().strip()
                for name in ("level", "type", "size", "shared_cpu_list")
            }
        except OSError:
            continue
        if texts["type"] != "Instruction" and texts["size"].endswith("K"):
            size = int(texts["size"][:-1]) << 10
            found.append((f"L{texts['level']}", size // _cores(texts["shared_cpu_list"])))
    return found or [("L1", 32 << 10), ("L2", 1 << 19)]


def _cores(ranges: str) -> int:
    """The number of cores in a list such as `0-3,8`."""
    total = 0
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        total += int(last or first) - int(first) + 1
    return max(total, 1)
