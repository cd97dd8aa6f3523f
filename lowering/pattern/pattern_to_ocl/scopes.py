"""The views of the values of a pattern program during code generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from polycl.analysis.ocl.index_arith import Expr, integer
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import is_array
from polycl.lowering.pattern.pattern_to_ocl.layouts import LAYOUTS, read_view
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    Computed,
    TupleView,
    View,
    memory_view,
)


class Scope:
    """The views of values, and the values of size variables, including those of outer scopes.

    A function that is unrolled is in several scopes at once: one for each element.
    """

    def __init__(self, outer: Scope | None = None, sizes: Mapping[str, Expr] | None = None):
        self._outer = outer
        self._views: dict[SSAValue, View] = {}
        self.sizes: Mapping[str, Expr] = {**(outer.sizes if outer else {}), **(sizes or {})}

    def bind(self, value: SSAValue, view: View) -> None:
        """Set the view of a value."""
        self._views[value] = view

    def bind_parts(self, args: Sequence[SSAValue], view: View) -> None:
        """Bind the arguments of a function: one, or those for the parts of a tuple."""
        if len(args) == 1:
            self.bind(args[0], view)
            return
        assert isinstance(view, TupleView)
        for arg, part in zip(args, view.parts, strict=True):
            self.bind(arg, part)

    def view(self, value: SSAValue, emitter: Emitter) -> View:
        """The view of a value."""
        scope: Scope | None = self
        while scope is not None:
            if value in scope._views:
                return scope._views[value]
            scope = scope._outer
        view = self._host_view(value, emitter)
        self._views[value] = view
        return view

    def _host_view(self, value: SSAValue, emitter: Emitter) -> View:
        """A value of the host function, in the kernel that `emitter` fills."""
        leaves = emitter.kernel.leaves.get(value)
        if leaves is not None:
            return memory_view(value.type, leaves, [integer(0)] * len(leaves), self.sizes)
        owner = value.owner
        if isinstance(owner, Operation) and isinstance(owner, LAYOUTS):
            operands = [self.view(operand, emitter) for operand in owner.operands]
            return read_view(emitter, owner, value, operands, self.sizes)
        assert not is_array(value.type), value
        return Computed(lambda emitter: emitter.kernel.scalar(value))
