"""The checks: the interpreter with a memory of who did what, which tells what is wrong.

They are a second table of handlers, so that a launch without them pays nothing:

    findings    what was found, and the report
    poison      values that nothing has set, and what becomes of them
    shadow      who accessed which bytes since when: data races
    launch      the state of a checked launch and its groups, and their order of execution
    guards      wrappers for operations that compute
    memory      loads, stores, atomics, allocations, contexts of a work-group
    lanes       the same for several work-items at once
    sync        barriers, fences, asynchronous copies
    handlers    the table

docs/oracle.md says what is found and what is not.
"""

from polycl.backends.interp.checks.checked_launch import CheckedLaunch, run_checked_launch
from polycl.backends.interp.checks.findings import CheckError, Finding, Findings
from polycl.backends.interp.checks.handlers import CHECKED_HANDLERS

__all__ = [
    "CHECKED_HANDLERS",
    "CheckError",
    "CheckedLaunch",
    "Finding",
    "Findings",
    "run_checked_launch",
]
