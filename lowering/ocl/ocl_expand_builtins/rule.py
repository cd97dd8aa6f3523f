"""The type of the rules that expand builtins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import Attribute, SSAValue

from polycl.lowering.build import Build

Values: TypeAlias = Sequence[SSAValue]
Types: TypeAlias = Sequence[Attribute]
Rule: TypeAlias = Callable[[Build, Values, Types], Values | None]
"""Arguments and result types of a builtin to its results; None where the builtin stays."""
