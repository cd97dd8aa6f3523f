"""The pass `pattern-verify-hierarchy`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.dialects.pattern.hierarchy import hierarchy_errors
from polycl.errors import error_at


@dataclass(frozen=True)
class PatternVerifyHierarchyPass(ModulePass):
    """Checks that parallel maps are nested as OpenCL's work-groups and work-items are.

    A violation of a rule of `dialects/pattern/hierarchy.py`, for example a `pattern.map_local`
    outside of any `pattern.map_workgroup`, is an error at the operation.
    """

    name = "pattern-verify-hierarchy"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for wrong, reason in hierarchy_errors(op):
            raise error_at(wrong, f"'{wrong.name}': {reason}")
