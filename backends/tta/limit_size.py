"""How large a program becomes when its calls are inlined, and the error if that is too large."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp

from polycl.dialects.inside import operations_in, operations_of
from polycl.errors import PolyclError


class TooLargeError(PolyclError):
    """A program has more operations, `size`, than are scheduled in reasonable time."""

    def __init__(self, size: int):
        super().__init__(f"{size} operations are too many")
        self.size = size


def inlined_size(module: ModuleOp, kernel: str) -> int:
    """The operations of a kernel, counted as if all calls were inlined, without inlining them.

    The functions do not call themselves.
    """
    functions = {f.sym_name.data: f for f in module.ops if isinstance(f, FuncOp)}

    @cache
    def size(name: str) -> int:
        body = functions[name].body
        calls = (call.callee.string_value() for call in operations_of(body, CallOp))
        return len(operations_in(body)) + sum(size(c) for c in calls if c in functions)

    return size(kernel)
