"""Pipes (OpenCL C 3.0, section 6.15.14; OpenCL 3.0, section 5.4)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from polycl.dialects.ocl.attributes import AddressSpace, PtrType


class PipeAccess(StrEnum):
    """What a kernel does with the packets of a pipe."""

    READ = "read"
    WRITE = "write"


@irdl_attr_definition
class PipeAccessAttr(EnumAttribute[PipeAccess], SpacedOpaqueSyntaxAttribute):
    name = "ocl.pipe_access"


class PipeField(StrEnum):
    """What a kernel asks of a pipe."""

    NUM_PACKETS = "num_packets"
    MAX_PACKETS = "max_packets"


@irdl_attr_definition
class PipeFieldAttr(EnumAttribute[PipeField], SpacedOpaqueSyntaxAttribute):
    name = "ocl.pipe_field"


@irdl_attr_definition
class PipeType(ParametrizedAttribute, TypeAttribute):
    """`read_only pipe T`: `!ocl.pipe<read>`, the type of parameters only."""

    name = "ocl.pipe"
    pipe_access: PipeAccessAttr

    def __init__(self, access: PipeAccess | PipeAccessAttr):
        super().__init__(PipeAccessAttr(access) if isinstance(access, PipeAccess) else access)

    @property
    def access(self) -> PipeAccess:
        return self.pipe_access.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (PipeAccessAttr(parser.parse_str_enum(PipeAccess)),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.access.value)


@irdl_op_definition
class PipeReserveOp(IRDLOperation):
    """Reserves packets next to each other, to be read or written: `%r = ocl.pipe_reserve %p, %n :
    !ocl.pipe<read>`.

    The result is the number of the first one, counted from the pipe's creation, or -1 where the
    pipe does not have as many (to read) or no space for them (to write).
    """

    name = "ocl.pipe_reserve"

    pipe = operand_def(PipeType)
    count = operand_def(i32)
    result = result_def(i64)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$pipe `,` $count attr-dict `:` type($pipe)"

    def __init__(self, pipe: SSAValue, count: SSAValue):
        super().__init__(operands=[pipe, count], result_types=[i64])


@irdl_op_definition
class PipePacketOp(IRDLOperation):
    """The address of a reserved packet: `%a = ocl.pipe_packet %p, %r, %i : !ocl.pipe<read> ->
    !ocl.ptr<f32, global>`."""

    name = "ocl.pipe_packet"

    pipe = operand_def(PipeType)
    reservation = operand_def(i64)
    index = operand_def(i32)
    result = result_def(PtrType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$pipe `,` $reservation `,` $index attr-dict `:` type($pipe) `->` type($result)"
    )

    def __init__(self, pipe: SSAValue, reservation: SSAValue, index: SSAValue, result: Attribute):
        super().__init__(operands=[pipe, reservation, index], result_types=[result])

    def verify_(self) -> None:
        assert isinstance(self.result.type, PtrType)
        if self.result.type.address_space is not AddressSpace.GLOBAL:
            raise VerifyException(f"packets are in global memory, got {self.result.type}")


@irdl_op_definition
class PipeCommitOp(IRDLOperation):
    """Ends a reservation: its packets are gone (read), or others may read them (written).

    `ocl.pipe_commit %p, %r : !ocl.pipe<write>`
    """

    name = "ocl.pipe_commit"

    pipe = operand_def(PipeType)
    reservation = operand_def(i64)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$pipe `,` $reservation attr-dict `:` type($pipe)"

    def __init__(self, pipe: SSAValue, reservation: SSAValue):
        super().__init__(operands=[pipe, reservation])


@irdl_op_definition
class PipeQueryOp(IRDLOperation):
    """How many packets a pipe has at the time, or can have: `%n = ocl.pipe_query num_packets %p :
    !ocl.pipe<read>`."""

    name = "ocl.pipe_query"

    field = prop_def(PipeFieldAttr)
    pipe = operand_def(PipeType)
    result = result_def(i32)

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$field $pipe attr-dict `:` type($pipe)"

    def __init__(self, field: PipeField, pipe: SSAValue):
        super().__init__(
            operands=[pipe], properties={"field": PipeFieldAttr(field)}, result_types=[i32]
        )
