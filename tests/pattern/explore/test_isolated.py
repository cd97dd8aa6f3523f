"""Calls in a process of their own."""

from __future__ import annotations

import signal
import time

import pytest

from polycl.runtime.pattern.explore.isolated import Isolated, ProcessDied

# The functions are the standard library's: the other process cannot import this file.


def test_what_the_function_raises_is_raised():
    sleep = Isolated(time.sleep, timeout=20)
    try:
        with pytest.raises(ValueError, match="non-negative"):
            sleep(-1.0)
        assert sleep(0.0) is None
    finally:
        sleep.close()


def test_a_process_that_dies_is_replaced():
    abort = Isolated(signal.raise_signal, timeout=20)
    try:
        for _ in range(2):
            with pytest.raises(ProcessDied, match="by signal 9"):
                abort(signal.SIGKILL)
        assert abort(signal.SIGURG) is None  # ignored by default
    finally:
        abort.close()


def test_a_call_that_takes_too_long_is_ended():
    sleep = Isolated(time.sleep, timeout=1.0)
    try:
        start = time.monotonic()
        with pytest.raises(ProcessDied, match="more than 1 s"):
            sleep(60.0)
        assert time.monotonic() - start < 30
        assert sleep(0.0) is None
    finally:
        sleep.close()
