"""Queries of work-items: special registers, and what a launch passes as further arguments."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, IndexType, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.kernel import ENQUEUED_LOCAL_SIZE, NON_UNIFORM
from polycl.lowering.build import Build
from polycl.lowering.llvm.convert_to_llvm.function_to_llvm import Converter, FunctionLowering

LAUNCH_ARGUMENTS = "nvvm.launch_arguments"
"""Attribute (ArrayAttr of StringAttr) of a kernel: what its last parameters, 64-bit integers, are:
`QUERY.DIMENSION` of `ocl`, `work_dim`, or `first_group.DIMENSION`, the id of the first group of a
launch that is a part of another one."""

_REGISTERS: dict[type[Operation], str] = {
    ocl.LocalIdOp: "tid",
    ocl.GroupIdOp: "ctaid",
    ocl.LocalSizeOp: "ntid",
    ocl.NumGroupsOp: "nctaid",
}


def expand_queries(kernel: ocl.KernelOp) -> list[str]:
    """Write the queries of a kernel by those that a register answers, and by new parameters, whose
    names are the result."""
    return _Queries(kernel).expand()


class _Queries:
    def __init__(self, kernel: ocl.KernelOp):
        self.kernel = kernel
        self.in_parts = NON_UNIFORM in kernel.attributes
        self.fields: dict[str, SSAValue] = {}

    def expand(self) -> list[str]:
        kinds = (ocl.GlobalIdOp, ocl.GlobalSizeOp, ocl.GlobalOffsetOp, ocl.EnqueuedLocalSizeOp)
        for op in operations_of(self.kernel.body, *kinds, ocl.WorkDimOp):
            self._replace(op, self._value(op, Build(op)))
        if self.in_parts:
            for op in operations_of(self.kernel.body, ocl.NumGroupsOp):
                self._replace(op, self._field(f"num_groups.{op.dimension}"))
            for op in operations_of(self.kernel.body, ocl.GroupIdOp):
                first = self._field(f"first_group.{op.dimension}")
                sum = Build.after(op.result).add(op.result, first)
                op.result.replace_uses_with_if(sum, lambda use: use.operation is not sum.owner)
        return list(self.fields)

    def _replace(self, op: Operation, value: SSAValue) -> None:
        hint = op.results[0].name_hint
        Rewriter.replace_op(op, [], [value])
        value.name_hint = value.name_hint or hint

    def _field(self, name: str) -> SSAValue:
        """A value that the launch passes."""
        if name not in self.fields:
            block = self.kernel.body.blocks[0]
            added = block.insert_arg(IndexType(), len(block.args))
            query, _, dimension = name.partition(".")
            added.name_hint = f"{query}_{'xyz'[int(dimension)]}" if dimension else query
            self.fields[name] = added
        return self.fields[name]

    def _value(self, op: Operation, b: Build) -> SSAValue:
        if isinstance(op, ocl.WorkDimOp):
            return self._field("work_dim")
        assert isinstance(
            op, ocl.GlobalIdOp | ocl.GlobalSizeOp | ocl.GlobalOffsetOp | ocl.EnqueuedLocalSizeOp
        )
        n = op.dimension
        match op:
            case ocl.GlobalOffsetOp():
                return self._field(f"global_offset.{n}")
            case ocl.EnqueuedLocalSizeOp():
                return self._enqueued(n, b)
            case ocl.GlobalIdOp():
                start = b.mul(b.emit(ocl.GroupIdOp(n)), self._enqueued(n, b))
                inside = b.add(start, b.emit(ocl.LocalIdOp(n)))
                return b.add(inside, self._field(f"global_offset.{n}"))
            case _ if self.in_parts:
                return self._field(f"global_size.{n}")
            case _:
                return b.mul(b.emit(ocl.NumGroupsOp(n)), self._enqueued(n, b))

    def _enqueued(self, dimension: int, b: Build) -> SSAValue:
        """The local size given at the launch."""
        given = self.kernel.attributes.get(ENQUEUED_LOCAL_SIZE)
        if isinstance(given, DenseArrayBase):
            return b.index(int(given.get_values()[dimension]))
        if self.in_parts:
            return self._field(f"enqueued_local_size.{dimension}")
        if self.kernel.required_size is not None:
            return b.index(self.kernel.required_size[dimension])
        return b.emit(ocl.LocalSizeOp(dimension))


def read_register(low: FunctionLowering, name: str) -> SSAValue:
    """A special register of PTX, an i32."""
    return low.intrinsic_named(f"llvm.nvvm.read.ptx.sreg.{name}", [], i32)


def _query(op: ocl.LocalIdOp, low: FunctionLowering) -> SSAValue:
    number = read_register(low, f"{_REGISTERS[type(op)]}.{'xyz'[op.dimension]}")
    return low.emit(llvm.ZExtOp(number, i64))


CONVERTERS: dict[type[Operation], Converter] = dict.fromkeys(_REGISTERS, _query)
