"""The checks: the interpreter records accesses and unset values, and reports errors of a kernel.

They are a second table of handlers, so that a launch without them costs nothing:

    findings    the errors and warnings, and their report
    poison      unset values, in frames and in memory
    shadow      which work-item accessed which bytes, and when: data races
    launch      the state of a checked launch and its groups, and their order of execution
    guards      wrappers for operations that compute
    memory      loads, stores, atomics, allocations, contexts of a work-group
    lanes       the same for vectors of work-items
    sync        barriers, fences, asynchronous copies
    handlers    the table

docs/oracle.md specifies what is found and what is not.
"""

from polycl.backends.interp.checks.checked_launch import CheckedLaunch, run_checked_launch
from polycl.backends.interp.checks.findings import (
    KINDS,
    Check,
    CheckError,
    Finding,
    Findings,
    checked_kinds,
)
from polycl.backends.interp.checks.handlers import CHECKED_HANDLERS

__all__ = [
    "CHECKED_HANDLERS",
    "KINDS",
    "Check",
    "CheckError",
    "CheckedLaunch",
    "Finding",
    "Findings",
    "checked_kinds",
    "run_checked_launch",
]
