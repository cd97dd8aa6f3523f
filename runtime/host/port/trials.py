"""Decisions about the launches of a recorded run, each of which was measured to be faster.

The run is executed twice. The first time shows where its time goes. The second time, the launches
that matter are tried: with the values of their arguments as constants, in other groups, without
passes whose profit is an estimate. A decision stays if it is faster by a twentieth at least, and
leaves the same results. Where other launches have it, too, a third run tries some of these: what is
faster in the largest one may be slower in the others.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType

from polycl.backends.cpu.device import CpuDevice
from polycl.backends.cpu.jit import has_feature
from polycl.backends.cpu.pipeline import WITH_SOME_DATA
from polycl.backends.device import MAX_GROUP, WIDE_IDS, NDRange, Size3, constants_of
from polycl.dialects.ocl import PtrType
from polycl.errors import PolyclError
from polycl.runtime.host.port.decisions import Decision
from polycl.runtime.host.port.replay import RecordedLaunch, Sizes, replay
from polycl.runtime.host.recorded_data import TOLERANCE, distance, numpy_type

PASSES = (
    *("wg-vectorize", "wg-jam", "wg-interleave", "wg-read-rows", "wg-keep-loops"),
    *("wg-split-borders", "wg-split-guards", "promote-private-arrays"),
)
"""Passes that estimate whether they pay."""

GROUPS: tuple[Size3, ...] = (
    *((64, 1, 1), (256, 1, 1), (1024, 1, 1), (4096, 1, 1)),
    *((16, 16, 1), (64, 4, 1), (64, 16, 1)),
)
"""Local sizes that are tried."""

GAIN = 0.95
"""The share of the time that a decision must not exceed."""

SHARE = 0.02
"""The share of the time of all launches below which a kernel is not tried."""

_RUNS = 9
_SECONDS = 1.0
"""The most runs of a trial, and their time."""

_CHECKED = 5
"""The most launches of a kernel in which a decision is tried once more."""

_GROUPS_OF_THREAD = 4
"""With fewer groups for each thread of the program's run, threads end at different times."""


@dataclass
class Launches:
    """The launches of a kernel with one local size in a recorded run."""

    numbers: list[int] = field(default_factory=list[int])
    """Which launches of the run they are."""

    seconds: float = 0.0
    global_sizes: set[Sizes] = field(default_factory=set[Sizes])
    largest: int = 0
    """The number of the launch with the most work-items."""

    items: int = 0
    constants: set[tuple[int, int]] | None = None
    """Integer arguments that had the same value in all launches."""

    def add(self, number: int, launch: RecordedLaunch, seconds: float) -> None:
        """One more launch."""
        items = math.prod(launch.sizes)
        if items > self.items:
            self.items, self.largest = items, number
        self.numbers.append(number)
        self.seconds += seconds
        self.global_sizes.add(launch.sizes)
        integers = [
            i for i, p in enumerate(launch.kernel.parameters) if isinstance(p.type, IntegerType)
        ]
        values = set(constants_of(launch.args, integers))
        self.constants = values if self.constants is None else self.constants & values

    @property
    def some(self) -> set[int]:
        """The numbers of some launches, at equal distances in the run."""
        count = min(len(self.numbers), _CHECKED)
        return {self.numbers[(2 * i + 1) * len(self.numbers) // (2 * count)] for i in range(count)}


@dataclass(frozen=True)
class Outcome:
    """What trials of a kernel's launches have found."""

    decision: Decision
    plain: Decision
    """The decision for code as it is."""

    share: float
    """Of the time of all launches."""

    before: float
    """Seconds of the launch that was tried, as without decisions."""

    after: float
    notes: tuple[str, ...] = ()
    """Decisions that were dropped: results differed, or other launches were not faster."""

    @property
    def text(self) -> str:
        """A line for the user."""
        decision = self.decision
        local = "-" if decision.local_size is None else "x".join(map(str, decision.local_size))
        found = decision.words
        if decision.group is not None:
            found = f"groups of {'x'.join(map(str, decision.group))} {found}"
        times = f"{self.before * 1e3:.3f} -> {self.after * 1e3:.3f} ms"
        return (
            f"{decision.kernel}, local size {local}: {self.share:.0%} of the time; "
            f"{times}: {found.strip() or 'own code, as it is'}"
        )


Key = tuple[str, str, Sizes | None]


def decide(log: Path) -> list[Outcome]:
    """Try the launches of a recorded run, on one thread, whose time does not count other programs.

    Raises:
        PolyclError: the log cannot be read or replayed.
    """
    device = CpuDevice(threads=1)
    found: dict[Key, Launches] = {}
    number = 0

    def count(launch: RecordedLaunch) -> None:
        nonlocal number
        bound = launch.kernel.bind_raw(launch.args, ndrange_of(launch), device)
        number += 1
        start = thread_time()
        bound.launch()
        found.setdefault(_key(launch), Launches()).add(number, launch, thread_time() - start)

    replay(log, count)
    total = sum(launches.seconds for launches in found.values()) or 1.0
    wanted = {
        launches.largest: launches
        for launches in found.values()
        if launches.seconds >= SHARE * total
    }
    outcomes: dict[Key, Outcome] = {}
    number = 0

    def try_some(launch: RecordedLaunch) -> None:
        nonlocal number
        number += 1
        launches = wanted.get(number)
        if launches is not None and not launch.kernel.has_variables:
            trial = _Trial(launch, launches, device)
            outcomes[_key(launch)] = trial.outcome(launches.seconds / total)
        launch.kernel.bind_raw(launch.args, ndrange_of(launch), device).launch()

    replay(log, try_some)
    checked = {
        key: Check(outcome, found[key].some)
        for key, outcome in outcomes.items()
        if outcome.decision != outcome.plain and len(found[key].numbers) > 1
    }
    number = 0

    def check(launch: RecordedLaunch) -> None:
        nonlocal number
        number += 1
        key = _key(launch)
        if key in checked and number in checked[key].numbers:
            checked[key].add(_Trial(launch, found[key], device))
        launch.kernel.bind_raw(launch.args, ndrange_of(launch), device).launch()

    if checked:
        replay(log, check)
    return [checked[key].outcome if key in checked else o for key, o in outcomes.items()]


def _key(launch: RecordedLaunch) -> Key:
    return launch.program, launch.kernel.name, launch.local


@dataclass
class Check:
    """A decision in other launches than the one for which it was made."""

    of: Outcome
    numbers: set[int]
    before: float = 0.0
    after: float = 0.0
    notes: tuple[str, ...] = ()

    def add(self, trial: _Trial) -> None:
        """One more launch."""
        before, after = trial.compare(self.of.decision)
        self.before += before
        self.after += after
        self.notes += trial.notes

    @property
    def outcome(self) -> Outcome:
        """What is left: the decision, or code as without it."""
        old, notes = self.of, self.of.notes + self.notes
        if self.after > GAIN * self.before:
            text = f"{self.before * 1e3:.3f} -> {self.after * 1e3:.3f} ms in other launches"
            notes += (f"{old.decision.line}: {text}",)
        if len(notes) == len(old.notes):
            return old
        return replace(old, decision=old.plain, after=old.before, notes=notes)


def ndrange_of(launch: RecordedLaunch) -> NDRange:
    """The index space of a launch."""
    return launch.kernel.index_space(launch.sizes, launch.local, launch.offset)


class _Trial:
    """Ways to run one launch, compared by their times."""

    def __init__(self, launch: RecordedLaunch, launches: Launches, device: CpuDevice):
        self._launch = launch
        self._device = device
        self._ndrange = ndrange_of(launch)
        self._arrays = [arg for arg in launch.args if isinstance(arg, np.ndarray)]
        self._before = [array.copy() for array in self._arrays]
        self._codes: set[bytes] = set()
        self._notes: list[str] = []
        sizes = _three(launch.sizes) if len(launches.global_sizes) == 1 else None
        local = None if launch.local is None else _three(launch.local)
        self._plain = Decision(launch.program, launch.kernel.name, sizes, local)
        self._constants = tuple(sorted(launches.constants or ()))

    def outcome(self, share: float) -> Outcome:
        plain = self._run_of(self._plain)
        assert plain is not None
        self._restore()
        plain()
        self._expected = [array.copy() for array in self._arrays]
        best, run = self._plain, plain
        for step in self._steps():
            decision = step(best)
            tried = self._run_of(decision)
            if tried is None or not self._is_same(decision, tried):
                continue
            old, new = self._times(run, tried)
            if new <= GAIN * old:
                best, run = decision, tried
        before, after = self._times(plain, run) if run is not plain else (self._alone(plain),) * 2
        if after > GAIN * before:
            best, after = self._plain, before
        self._restore()
        return Outcome(best, self._plain, share, before, after, self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """Decisions that change results."""
        return tuple(self._notes)

    def compare(self, decision: Decision) -> tuple[float, float]:
        """The times of the launch without a decision and with it; 0 where both are the same code,
        or the decision is none for this launch, which then runs as without."""
        plain, tried = self._run_of(self._plain), self._run_of(decision)
        assert plain is not None
        if tried is None:
            return 0.0, 0.0
        self._restore()
        plain()
        self._expected = [array.copy() for array in self._arrays]
        times = self._times(plain, tried) if self._is_same(decision, tried) else (0.0, 0.0)
        self._restore()
        return times

    def _steps(self) -> Iterator[Callable[[Decision], Decision]]:
        """What is tried, each on top of what was faster."""
        if self._constants:
            yield lambda best: replace(best, constants=self._constants)
        if has_feature("avx512f"):
            yield lambda best: replace(best, features=("avx512",))
        for name in WITH_SOME_DATA:
            yield lambda best, name=name: replace(best, enable=(*best.enable, name))
        for group in self._groups():
            yield lambda best, group=group: replace(best, group=group)
        for name in PASSES:
            yield lambda best, name=name: replace(best, without=(*best.without, name))

    def _groups(self) -> Iterator[Size3]:
        best, whole = self._launch.kernel.best_group, self._ndrange.global_size
        if best is None or any(n > 1 and not b for n, b in zip(whole, best, strict=True)):
            return
        for group in GROUPS:
            fits = all(g <= n for g, n in zip(group, whole, strict=True))
            count = math.prod(-(-n // g) for n, g in zip(whole, group, strict=True))
            fits = fits and count >= _GROUPS_OF_THREAD * len(os.sched_getaffinity(0))
            ends = map(sum, zip(whole, group, self._ndrange.global_offset, strict=True))
            if fits and math.prod(group) <= MAX_GROUP and max(ends) <= WIDE_IDS:
                yield group

    def _run_of(self, decision: Decision) -> Callable[[], None] | None:
        """The launch with a decision; None if it cannot be compiled, or to code that is known."""
        ndrange, given = self._ndrange, self._ndrange.local_size
        if decision.group is not None:
            whole = ndrange.global_size
            outside = tuple(d for d in range(3) if whole[d] % decision.group[d])
            ndrange = replace(ndrange, local_size=decision.group, given_size=given, guarded=outside)
        device = CpuDevice(
            self._device.threads,
            disable=decision.without,
            without_features=decision.features,
            enable=decision.enable,
        )
        positions = [position for position, _ in decision.constants]
        kernel, args = self._launch.kernel, self._launch.args
        try:
            bound = kernel.bind_raw(args, ndrange, device, constants=positions)
        except PolyclError:
            return None
        compiled = getattr(bound.executable, "compiled", None)
        code = b"" if compiled is None else compiled.object_code + repr(compiled.sizes).encode()
        if code and code in self._codes:
            return None
        self._codes.add(code)
        return bound.launch

    def _restore(self) -> None:
        for array, old in zip(self._arrays, self._before, strict=True):
            array[:] = old

    def _is_same(self, decision: Decision, run: Callable[[], None]) -> bool:
        """Whether the arrays are the same after a run, but for rounding."""
        self._restore()
        run()
        types = [
            numpy_type(p.type.pointee) if isinstance(p.type, PtrType) else np.dtype(np.uint8)
            for p, arg in zip(self._launch.kernel.parameters, self._launch.args, strict=True)
            if isinstance(arg, np.ndarray)
        ]
        found = [
            distance(_typed(a, type), _typed(b, type))
            for a, b, type in zip(self._arrays, self._expected, types, strict=True)
        ]
        largest = max((d for d in found if d is not None), default=0.0)
        if largest > TOLERANCE:
            self._notes.append(f"{decision.line}: results differ by {largest:.1g}")
        return largest <= TOLERANCE

    def _alone(self, run: Callable[[], None]) -> float:
        return self._times(run, run)[0]

    def _times(self, old: Callable[[], None], new: Callable[[], None]) -> tuple[float, float]:
        """The least times of two ways, in turns."""
        least = [math.inf, math.inf]
        end = thread_time() + _SECONDS
        for _ in range(_RUNS):
            for i, run in enumerate((old, new)):
                self._restore()
                start = thread_time()
                run()
                least[i] = min(least[i], thread_time() - start)
            if thread_time() > end:
                break
        return least[0], least[1]


def _typed(array: NDArray[Any], type: np.dtype[Any]) -> NDArray[Any]:
    """The bytes as numbers, if they are whole ones."""
    return array.view(type) if array.nbytes % type.itemsize == 0 else array


def _three(sizes: Sequence[int]) -> Size3:
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z
