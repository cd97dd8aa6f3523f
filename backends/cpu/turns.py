"""Which launches of kernels with atomic operations run at the same time."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Launches whose atomic operations are plain loads and stores run alone; those of which the
    processor locks the memory run beside each other."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._shared = 0
        self._alone = False
        self._waiting = 0
        """Launches that want to be alone."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Waits for the others."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: not self._alone and not self._shared)
                self._alone = True
            finally:
                # Ctrl-C ends the wait, too: then the others need not wait any more.
                self._waiting -= 1
                self._changed.notify_all()
        try:
            yield
        finally:
            self.end_alone()

    def begin_alone(self) -> bool:
        """Begin, unless there are others, or one that waits."""
        with self._changed:
            if self._alone or self._shared or self._waiting:
                return False
            self._alone = True
            return True

    def end_alone(self) -> None:
        with self._changed:
            self._alone = False
            self._changed.notify_all()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Waits for one that runs alone, or wants to."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and not self._waiting)
            self._shared += 1
        try:
            yield
        finally:
            with self._changed:
                self._shared -= 1
                if not self._shared:
                    self._changed.notify_all()


turns = Turns()
"""Of all launches of the process, on whatever device."""


def _forget_launches() -> None:
    """A forked process has no threads of its parent, and no thread releases its locks."""
    turns.__init__()


os.register_at_fork(after_in_child=_forget_launches)
