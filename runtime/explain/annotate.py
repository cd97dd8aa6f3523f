"""The source of a kernel with the measured time of each line."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time

from polycl.backends.cpu.launch import CpuExecutable
from polycl.backends.cpu.line_table import line_table
from polycl.backends.cpu.perf_events import Samples, sampled
from polycl.errors import PolyclError
from polycl.runtime.kernel import BoundKernel

SECONDS = 1.0
"""So long launches are repeated."""


@dataclass(frozen=True)
class Annotation:
    """How many samples fell on each line."""

    lines: Counter[tuple[str, int]]
    """By file and line; line 0 is code that belongs to no line."""
    outside: int
    """Samples in other code: the runtime's, the math library's."""
    samples: Samples
    launches: int
    seconds: float
    """Of one launch: the time of its thread on a processor."""

    def text(self, file: str, source: Sequence[str], first: int = 1) -> str:
        """The lines of `source` with their share of the time, from line `first` on."""
        whole, file = max(1, self.samples.total), os.path.realpath(file)
        rows = [
            f"{self.samples.event}: {self.samples.total:,} samples of {self.launches:,} launches "
            f"on one thread, {self.seconds * 1e3:.3g} ms each"
        ]
        for name, count in self.samples.counters.items():
            rows.append(f"  {name}: {count / max(1, self.launches):,.0f} a launch")
        if not self.samples.counters:
            rows.append("  this machine has no hardware counters for programs")
        rows.append("   share         ms")
        for number, line in enumerate(source, 1):
            count = self.lines.get((file, number), 0)
            share = count / whole
            time = f"{share:7.1%} {share * self.seconds * 1e3:10.4f}" if count else " " * 18
            if number >= first:
                rows.append(f" {time} {number:4} | {line}")
        other = sum(
            count for (name, line), count in self.lines.items() if name != file or line == 0
        )
        for text, count in (("code of no line of this file", other), ("the runtime", self.outside)):
            if count:
                share = count / whole
                rows.append(f" {share:7.1%} {share * self.seconds * 1e3:10.4f}      | {text}")
        return "\n".join(rows)


def annotated(bound: BoundKernel, launch: Callable[[], object] | None = None) -> Annotation:
    """Repeat a launch on one thread of a device `cpu` with `debug_info`, and sample it.

    Raises:
        PolyclError: samples are not possible here, or pyelftools is missing.
    """
    executable = bound.compiled
    if not isinstance(executable, CpuExecutable) or executable.threads != 1:
        raise PolyclError(
            "lines are timed on the device 'cpu' with one thread, where all groups have one size"
        )
    launch = launch or bound.launch
    launch()
    launches, start, used = 0, perf_counter(), thread_time()
    with sampled() as samples:
        while perf_counter() < start + SECONDS:
            launch()
            launches += 1
    seconds = (thread_time() - used) / launches
    code = executable.compiled.object_code
    table = line_table(code, executable.name)
    base = executable.code.addresses[executable.name] - table.kernel
    lines: Counter[tuple[str, int]] = Counter()
    outside = 0
    starts = [row[0] for row in table.rows]
    for address, count in samples.addresses.items():
        place = address - base
        if not 0 <= place < table.size or not starts:
            outside += count
            continue
        _, file, line = table.rows[max(0, bisect_right(starts, place) - 1)]
        lines[os.path.realpath(file), line] += count
    return Annotation(lines, outside, samples, launches, seconds)
