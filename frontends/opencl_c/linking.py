"""The typed trees of several sources -> those of one program (clLinkProgram)."""

from __future__ import annotations

from collections.abc import Sequence

from polycl.frontends.opencl_c.read_functions import Program


def link(programs: Sequence[Program]) -> Program:
    """One program with all definitions."""
    (program,) = programs
    return program
