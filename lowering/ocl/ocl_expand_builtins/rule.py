"""The type of an expansion of a builtin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

Values: TypeAlias = Sequence[SSAValue]
Rule: TypeAlias = Callable[..., SSAValue | Values | None]
"""A builder and the arguments of a builtin -> its results; None where the builtin stays."""
