"""Which images and samplers operations use, through calls of functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, SSAValue

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of


class Origins:
    """What is known of the images and samplers of a module.

    An argument of a function is what all calls pass. `given` is what is known of the kernel's
    parameters, by their numbers; of a sampler, its bits.
    """

    def __init__(self, module: ModuleOp, given: Mapping[int, tuple[int, ...]]):
        self._given = given
        self._calls = defaultdict[str, list[CallOp]](list)
        self._found: dict[SSAValue, tuple[int, ...] | None] = {}
        for op in operations_of(module, CallOp):
            self._calls[op.callee.string_value()].append(op)

    def known(self, value: SSAValue) -> tuple[int, ...] | None:
        """What is known of an image or a sampler; None: nothing."""
        if value not in self._found:
            # A function that calls itself is an error of a later pass.
            self._found[value] = None
            self._found[value] = self._find(value)
        return self._found[value]

    def _find(self, value: SSAValue) -> tuple[int, ...] | None:
        if isinstance(value.owner, ocl.SamplerOp):
            return (value.owner.bits.value.data,)
        if not isinstance(value, BlockArgument):
            return None
        match value.block.parent_op():
            case ocl.KernelLike():
                return self._given.get(value.index)
            case FuncOp() as function:
                calls = self._calls[function.sym_name.data]
                passed = {self.known(call.arguments[value.index]) for call in calls}
                return passed.pop() if len(passed) == 1 else None
            case _:
                return None
