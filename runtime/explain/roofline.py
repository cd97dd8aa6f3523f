"""What bounds a kernel: instructions, memory or multiply-adds, by the measured limits of a machine.

S. Williams, A. Waterman, D. Patterson: Roofline: an insightful visual performance model for
multicore architectures. CACM 52(4), 2009. Beside its two bounds there is a third one: the estimated
cycles of all instructions, since few kernels consist of multiply-adds only.
"""

from __future__ import annotations

from dataclasses import dataclass

from polycl.backends.cpu.machine_limits import Level, MachineLimits
from polycl.runtime.explain.facts import Facts


@dataclass(frozen=True)
class Roofline:
    """The times that a launch takes at least, in seconds."""

    limits: MachineLimits
    level: Level
    """Of memory, in which the arrays fit."""
    traffic: float
    """Bytes that are moved between the cores and that level."""
    flops: float
    memory_seconds: float
    flop_seconds: float
    instruction_seconds: float
    """Estimated, of all instructions on the threads that have groups."""

    @property
    def bound(self) -> str:
        """The name of the largest of the three."""
        if self.memory_seconds > max(self.instruction_seconds, self.flop_seconds):
            return "memory"
        if self.flop_seconds > self.instruction_seconds:
            return "multiply-adds"
        return "instructions"

    @property
    def seconds(self) -> float:
        return max(self.memory_seconds, self.flop_seconds, self.instruction_seconds)

    @property
    def intensity(self) -> float | None:
        """Floating-point operations for each byte of traffic."""
        return self.flops / self.traffic if self.traffic else None


def roofline_of(facts: Facts, limits: MachineLimits) -> Roofline:
    """The bounds of a launch on a machine."""
    held = sum(array.nbytes for array in facts.arrays if array.space != "local")
    level = limits.level_of(held)
    traffic = sum(array.traffic for array in facts.arrays)
    flops = facts.items * sum(facts.operations.get(kind, 0) for kind in ("float", "double"))
    # A group runs on one thread.
    busy = min(limits.threads, max(1, facts.groups))
    share = busy / limits.threads
    return Roofline(
        limits,
        level,
        traffic,
        flops,
        traffic / (level.bandwidth * 1e9),
        flops / (limits.multiply_adds * 1e9 * share),
        facts.cycles * facts.items * limits.cycle_seconds / busy,
    )


def set_shares(facts: Facts, roof: Roofline) -> None:
    """The share of each place in the estimated time: cycles, and the traffic of its array, as if
    one did not overlap the other."""
    traffic = {(array.name, array.space): array.traffic for array in facts.arrays}
    moved: dict[tuple[str, str], float] = {}
    for place in facts.places:
        key = place.array, place.space
        moved[key] = moved.get(key, 0) + place.bytes
    whole = roof.instruction_seconds + roof.memory_seconds
    by_cycle = roof.instruction_seconds / facts.cycles / whole if facts.cycles else 0.0
    by_byte = roof.memory_seconds / roof.traffic / whole if roof.traffic else 0.0
    for place in facts.places:
        key = place.array, place.space
        place.share = place.cycles * by_cycle
        place.inside *= by_cycle
        if place.is_access and moved[key]:
            place.share += traffic.get(key, 0.0) * place.bytes / moved[key] * by_byte
