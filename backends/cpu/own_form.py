"""Kernels with atomic operations on a device of several threads: a second form, for one thread.

Threads that change the same memory wait for each other, and locked operations take two to six
times as long as loads and stores. So the code for one thread (`ocl-own-atomics`) may be the faster
one. It is compiled in the background when launches have taken some time, and what a launch of
either form takes decides.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polycl.backends.device import Executable
from polycl.errors import PolyclError

if TYPE_CHECKING:
    from polycl.backends.cpu.launch import CpuExecutable

WORTH_NS = 20_000_000
"""The time of launches after which the second form is compiled."""

MOST_THREADS = 8
"""More threads seldom need longer than one that locks nothing."""

_OWN_STAYS, _SHARED_STAYS = 64, 256
_MOST_TIMES = 64


class OwnForm:
    """The code for one thread of a kernel; `make` compiles it, or is None."""

    def __init__(self, make: Callable[[], Executable] | None):
        self.executable: CpuExecutable | None = None
        """None until it is there."""
        self._make = make
        self._spent = 0
        self._started = False

    def note(self, nanoseconds: int) -> None:
        """A launch of the other form has taken so long."""
        self._spent += nanoseconds
        if self._make is not None and self._spent >= WORTH_NS and not self._started:
            self._started = True
            thread = threading.Thread(target=self._compile, name="polycl-own", daemon=True)
            with suppress(RuntimeError):  # the system may allow no more threads
                thread.start()

    def _compile(self) -> None:
        from polycl.backends.cpu.launch import CpuExecutable

        assert self._make is not None
        try:
            made = self._make()
        except PolyclError:
            # The other form goes on.
            return
        if isinstance(made, CpuExecutable):
            self.executable = made


class OwnChoice:
    """Which form the launches of a kernel with one number of groups have."""

    def __init__(self) -> None:
        self._is_own = False
        self._is_trial = False
        self._left = 0
        self._own_ns = 0

    def next_is_own(self) -> bool:
        """Whether the next launch is of the form for one thread."""
        self._left -= 1
        self._is_trial = self._left < 0
        return self._is_own != self._is_trial

    def ended(self, was_own: bool, nanoseconds: int, history: NDArray[np.int64]) -> None:
        """A launch has taken so long; `history` is that of pool.ll."""
        together, apart, is_alone = int(history[1]), int(history[2]), bool(history[4])
        other = min(together, apart) if is_alone else together
        before = self._own_ns
        if was_own:
            # As in pool.ll: an interruption makes it longer, and so does a change of data.
            grown = before + before // 4
            self._own_ns = nanoseconds if not before else min(nanoseconds, grown)
            faster = self._own_ns < other
            # The first launch finds no code in the caches.
            if before and (self._is_trial or not faster):
                self._decide(faster, other)
        elif self._is_trial and before:
            self._decide(before < nanoseconds, nanoseconds)

    def _decide(self, own: bool, other: int) -> None:
        self._is_own = own
        times = min(max(other // max(self._own_ns, 1), 1), _MOST_TIMES)
        self._left = _OWN_STAYS * times if own else _SHARED_STAYS
