"""`ocl-rebase-arguments`: kernels that get a part of a buffer and keep their indices."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from polycl.dialects import ocl
from polycl.dialects.inside import functions_of
from polycl.dialects.ocl.kernel import PARAM_NAME, PARAM_TYPE
from polycl.dialects.ocl.layout import stride_of
from polycl.dialects.ocl.memory import pointee_of
from polycl.lowering.build import Build

_START = "_start"


@dataclass(frozen=True)
class OclRebaseArgumentsPass(ModulePass):
    """Subtract the start of the part that is given from each access to a pointer argument.

    With `arguments=x`:

    ```
    ocl.kernel @k(%x: ...) {                  ocl.kernel @k(%x: ..., %x_start: i64) {
      %v = ocl.load %x[%i]            ->        %0 = arith.index_cast %x_start : i64 to index
                                                %1 = arith.subi %i, %0 : index
                                                %v = ocl.load %x[%1]
    ```

    A launch passes the elements that the kernel accesses, and the number of elements before them;
    the parameters for these numbers follow the others, in the order of `arguments`. `kernel` names
    the one kernel to change; without it, all are.

    The index is changed where there is one, through casts too, so that no pointer outside of the
    array is computed. Where a pointer itself is used, say by an atomic operation, it is moved back
    by the start.

    Raises:
        PassFailedException: a kernel has no pointer of that name to global or constant memory.
    """

    name = "ocl-rebase-arguments"

    arguments: tuple[str, ...]
    kernel: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in functions_of(op, ocl.KernelOp):
            if self.kernel in (None, kernel.sym_name.data):
                for argument in self.arguments:
                    self._rebase(kernel, argument)

    def _rebase(self, kernel: ocl.KernelOp, argument: str) -> None:
        names = kernel.param_names
        block = kernel.body.block
        if argument not in names or not _is_buffer(pointer := block.args[names.index(argument)]):
            raise PassFailedException(
                f"{self.name}: kernel '{kernel.sym_name.data}' has no pointer '{argument}' to "
                f"global or constant memory; its parameters: {', '.join(names) or 'none'}"
            )
        start = _add_parameter(kernel, argument + _START)
        first = block.first_op
        assert first is not None
        _rebase(pointer, Build(first).as_index(start))


def _is_buffer(value: SSAValue) -> bool:
    return isinstance(value.type, ocl.PtrType) and value.type.address_space in (
        ocl.AddressSpace.GLOBAL,
        ocl.AddressSpace.CONSTANT,
    )


def _add_parameter(kernel: ocl.KernelOp, name: str) -> SSAValue:
    long = IntegerType(64)
    block = kernel.body.block
    value = block.insert_arg(long, len(block.args))
    value.name_hint = name
    inputs = kernel.function_type.inputs
    kernel.function_type = FunctionType.from_lists([*inputs, long], [])
    new: dict[str, Attribute] = {PARAM_NAME: StringAttr(name), PARAM_TYPE: StringAttr("long")}
    kernel.arg_attrs = ArrayAttr(map(DictionaryAttr, [*kernel.param_attrs, new]))
    return value


def _rebase(pointer: SSAValue, start: SSAValue) -> None:
    """Subtracts `start` pointees of `pointer` in its uses."""
    for use in list(pointer.uses):
        op = use.operation
        match op:
            case ocl.OffsetOp():
                op.operands[1] = Build(op).sub(op.index, start)
            case ocl.LoadOp():
                index = _moved_index(op, start)
                new = ocl.LoadOp(op.pointer, index, volatile=op.volatile is not None)
                _replace(op, new)
            case ocl.StoreOp() if use.index == 1:
                index = _moved_index(op, start)
                new = ocl.StoreOp(op.value, op.pointer, index, volatile=op.volatile is not None)
                _replace(op, new)
            case ocl.CastOp() if (inner := _scaled(op, start)) is not None:
                _rebase(op.result, inner)
            case _:
                build = Build(op)
                op.operands[use.index] = build.emit(ocl.OffsetOp(pointer, build.neg(start)))


def _moved_index(op: ocl.LoadOp | ocl.StoreOp, start: SSAValue) -> SSAValue:
    build = Build(op)
    return build.neg(start) if op.index is None else build.sub(op.index, start)


def _replace(op: Operation, new: Operation) -> None:
    new.location = op.location
    new.attributes.update(op.attributes)
    Rewriter.replace_op(op, new)


def _scaled(op: ocl.CastOp, start: SSAValue) -> SSAValue | None:
    """`start` in pointees of the result, if that is a whole number for all starts."""
    before, after = stride_of(pointee_of(op.pointer)), stride_of(pointee_of(op.result))
    if after == 0 or before % after:
        return None
    build = Build(op)
    return start if before == after else build.mul(start, build.index(before // after))
