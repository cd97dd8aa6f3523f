"""Calls in a process of their own: generated code may crash it, or not terminate."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

_START_SECONDS = 60.0

Task = TypeVar("Task")
Result = TypeVar("Result")


class ProcessDied(Exception):
    """The process ended, or was ended, during a call; the next call gets a new one."""


class Isolated(Generic[Task, Result]):
    """`function`, of a module that can be imported, in another process; one call at a time.

    The process keeps what the function caches, until a call kills it.
    """

    def __init__(self, function: Callable[[Task], Result], timeout: float):
        """`timeout` is in seconds, for each call."""
        self._function = function
        self._timeout = timeout
        # Not forked: the parent may have threads, of LLVM or of the cpu device.
        self._context = multiprocessing.get_context("spawn")
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def __call__(self, task: Task, timeout: float | None = None) -> Result:
        """`function(task)`; `timeout` instead of the usual one. Raises ProcessDied, or what the
        function raises."""
        seconds = self._timeout if timeout is None else timeout
        try:
            connection = self._connection or self._start()
            connection.send(task)
            if not connection.poll(seconds):
                raise ProcessDied(f"it took more than {seconds:.3g} s")
            good, value = connection.recv()
        except ProcessDied:
            self.close()
            raise
        except (EOFError, OSError) as error:
            process = self._process
            if process is not None:
                process.join(5)
            code = None if process is None else process.exitcode
            self.close()
            what = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
            raise ProcessDied(f"the process ended {what}") from error
        except BaseException:
            # Interrupted: a late answer would be taken for that of the next call.
            self.close()
            raise
        if not good:
            raise value
        return value

    def _start(self) -> Connection:
        here, there = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(there, self._function), daemon=True)
        process.start()
        there.close()
        self._process, self._connection = process, here
        # The imports must not count for the first call.
        if not here.poll(_START_SECONDS) or not here.recv():
            raise ProcessDied(f"it did not start within {_START_SECONDS:g} s")
        return here

    def close(self) -> None:
        """Ends the process."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._connection = None


def _serve(connection: Connection, function: Callable[[Task], Result]) -> None:
    connection.send(True)
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            answer = True, function(task)
        except Exception as error:
            answer = False, error
        connection.send(answer)
