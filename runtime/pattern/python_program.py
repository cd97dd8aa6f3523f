"""Pattern programs written in Python: `@program` makes a `Function` of one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, overload

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from polycl.backends.device import Device
from polycl.frontends.pattern.functions import composed
from polycl.frontends.pattern.programs import (
    ProgramSource,
    call_program,
    read_program,
    trace_program,
)
from polycl.frontends.pattern.trace import is_tracing
from polycl.frontends.pattern.values import Value
from polycl.runtime.pattern.functions import Function

P = ParamSpec("P")


class PythonProgram(Function):
    """A pattern program that a Python function builds.

    It is called with numpy arrays, as every `Function`. In another program it is called with
    values, and becomes a part of that program.
    """

    keeps_name = True
    """Where a pattern applies it."""

    def __init__(self, source: ProgramSource, device: Device | str = "interp"):
        self.source = source
        self.module: ModuleOp = trace_program(source)
        """The module with the function, and nothing else."""
        function = self.module.body.block.first_op
        assert isinstance(function, FuncOp)
        super().__init__(function)
        self._device = device
        self.__name__ = self.name
        self.__signature__ = inspect.signature(source.function)
        self.__doc__ = source.function.__doc__

    def _call(
        self, args: tuple[Any, ...], device: Device | str, out: Any, named: Mapping[str, Any]
    ) -> Any:
        """As `Function`; for values of a program a value."""
        if is_tracing() and any(isinstance(arg, Value) for arg in (*args, *named.values())):
            return call_program(self.source, self._in_order(args, named))
        return super()._call(args, device, out, named)

    def __matmul__(self, other: Any) -> Any:
        return composed(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return composed(other, self)

    @property
    def mlir(self) -> str:
        """The text of the module."""
        return str(self.module)

    def __str__(self) -> str:
        return self.paper()


@overload
def program(function: Callable[P, Any], /) -> PythonProgram: ...
@overload
def program(*, device: Device | str) -> Callable[[Callable[..., Any]], PythonProgram]: ...
def program(
    function: Callable[..., Any] | None = None, /, *, device: Device | str = "interp"
) -> PythonProgram | Callable[[Callable[..., Any]], PythonProgram]:
    """The pattern program that a Python function with types computes.

    The function runs once, at its definition, with values that stand for the arguments: what it
    does with them becomes the program. `device` is where it runs unless a call says otherwise.

        @program
        def dot(x: Array[f32, N], y: Array[f32, N]):
            return reduce(add, 0.0) @ map(mul) @ zip(x, y)

    Raises:
        SourceError: a mistake, with its place in the Python source.
    """
    frame = inspect.currentframe()
    caller = frame.f_back if frame is not None else None
    names = dict(caller.f_locals) if caller is not None else {}
    if function is not None:
        return PythonProgram(read_program(function, names), device)
    return lambda f: PythonProgram(read_program(f, names), device)
