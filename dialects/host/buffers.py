"""The device's memory on the host: buffers, and transfers to, from and between them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
)
from xdsl.dialects.memref import AllocaOp, AllocOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParamAttrConstraint,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    MemoryAllocEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
)
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.host.buffer_type import BufferType
from polycl.dialects.host.images import ImageOp
from polycl.dialects.ocl.attributes import EventType, verify_storable
from polycl.dialects.ocl.layout import stride_of

_MEMORY = base(BufferType) | base(MemRefType)
_SAME_MEMORY = VarConstraint("M", _MEMORY)
_ELEMENT = VarConstraint("E", AnyAttr())
_BUFFER_OF_E = ParamAttrConstraint(BufferType, (_ELEMENT,))


def constant_of(value: SSAValue | None) -> int | None:
    """The number of an `arith.constant`, or None."""
    if value is None or not isinstance(value.owner, ConstantOp):
        return None
    number = value.owner.value
    return number.value.data if isinstance(number, IntegerAttr) else None


def elements_of(value: SSAValue) -> int | None:
    """The number of elements of a buffer or an array of the host, if constant."""
    if isinstance(value.owner, BufferOp):
        return constant_of(value.owner.count)
    if isinstance(value.owner, ImageOp):
        return value.owner.elements
    if isinstance(value.owner, TransposeOp):
        rows, columns = constant_of(value.owner.rows), constant_of(value.owner.columns)
        return None if rows is None or columns is None else rows * columns
    if not isinstance(value.type, MemRefType):
        return None
    (size,) = value.type.get_shape()
    if size == DYNAMIC_INDEX and isinstance(value.owner, AllocOp | AllocaOp):
        return constant_of(value.owner.dynamic_sizes[0])
    return None if size == DYNAMIC_INDEX else size


def element_type(value: SSAValue) -> Attribute:
    """The element type of a buffer or an array of the host."""
    assert isinstance(value.type, BufferType | MemRefType)
    return value.type.element if isinstance(value.type, BufferType) else value.type.element_type


@irdl_op_definition
class BufferOp(IRDLOperation):
    """`clCreateBuffer`: memory of the device (OpenCL 1.2, section 5.2), uninitialised.

    `%d = host.buffer %count : !host.buffer<i32>`
    """

    name = "host.buffer"

    count = operand_def(IndexType)
    result = result_def(BufferType)

    traits = traits_def(MemoryAllocEffect())

    assembly_format = "$count attr-dict `:` type($result)"

    def __init__(self, count: SSAValue, element: Attribute):
        super().__init__(operands=[count], result_types=[BufferType(element)])

    def verify_(self) -> None:
        count = constant_of(self.count)
        if count is not None and count < 1:
            raise VerifyException(f"a buffer has at least one element, got {count}")


class Command(IRDLOperation):
    """A command on buffers: events for which it waits, and the event of its end."""

    after = var_operand_def(EventType)
    event = opt_result_def(EventType)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())


class _Transfer(Command):
    """A copy of bytes from `source` at an offset to `target` at an offset.

    An offset is in elements of its side, the count in elements of the buffer. Without a count, it
    is the whole buffer after its offset.
    """

    source = operand_def(_MEMORY)
    target = operand_def(_MEMORY)
    source_offset = opt_operand_def(IndexType)
    target_offset = opt_operand_def(IndexType)
    count = opt_operand_def(IndexType)

    def __init__(
        self,
        source: SSAValue,
        target: SSAValue,
        *,
        source_offset: SSAValue | None = None,
        target_offset: SSAValue | None = None,
        count: SSAValue | None = None,
        after: Sequence[SSAValue] = (),
        event: bool = False,
    ):
        super().__init__(
            operands=[source, target, source_offset, target_offset, count, after],
            result_types=[EventType() if event else None],
        )

    @property
    def buffer(self) -> SSAValue:
        """The side whose elements the count counts."""
        return self.target if isinstance(self.target.type, BufferType) else self.source

    def verify_(self) -> None:
        for value in (self.source, self.target):
            _verify_memory(value.type)
        bytes_copied = self._constant_bytes()
        for side, value, offset in (
            ("source", self.source, self.source_offset),
            ("target", self.target, self.target_offset),
        ):
            start, size = constant_of(offset) if offset is not None else 0, elements_of(value)
            step = stride_of(element_type(value))
            if start is not None and start < 0:
                raise VerifyException(f"the offset in the {side} is negative, {start}")
            if start is None or size is None or bytes_copied is None:
                continue
            if start * step + bytes_copied > size * step:
                place = f" at {start * step}" if start else ""
                raise VerifyException(
                    f"copies {bytes_copied} bytes, the {side}{place} has "
                    f"{max(0, (size - start) * step)}"
                )

    def _constant_bytes(self) -> int | None:
        count = constant_of(self.count)
        if self.count is None:
            offset = self.target_offset if self.buffer is self.target else self.source_offset
            start, size = constant_of(offset) if offset is not None else 0, elements_of(self.buffer)
            count = None if start is None or size is None else size - start
        if count is not None and count < 0:
            raise VerifyException(f"the count is negative, {count}")
        return None if count is None else count * stride_of(element_type(self.buffer))


_TRANSFER_FORMAT = (
    "$source (`[` $source_offset^ `]`)? `to` $target (`[` $target_offset^ `]`)? "
    "(`count` $count^)? (`after` $after^)? attr-dict `:` type($source) `,` type($target) "
    "(`->` type($event)^)?"
)


def _verify_memory(type: Attribute) -> None:
    if isinstance(type, MemRefType):
        if type.get_num_dims() != 1:
            raise VerifyException(f"the host's memory is one-dimensional, got {type}")
        verify_storable(type.element_type, "an element in memory")


@irdl_op_definition
class WriteOp(_Transfer):
    """`clEnqueueWriteBuffer`: from the host's memory to the device's (OpenCL 1.2, 5.2.2).

    `host.write %h to %d : memref<?xi32>, !host.buffer<i32>`, or a part of it:
    `host.write %h[%i] to %d[%j] count %n : memref<?xi32>, !host.buffer<i32>`
    """

    name = "host.write"

    source = operand_def(MemRefType)
    target = operand_def(BufferType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = _TRANSFER_FORMAT


@irdl_op_definition
class ReadOp(_Transfer):
    """`clEnqueueReadBuffer`: from the device's memory to the host's (OpenCL 1.2, 5.2.2).

    `host.read %d to %h : !host.buffer<f32>, memref<?xf32>`
    """

    name = "host.read"

    source = operand_def(BufferType)
    target = operand_def(MemRefType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = _TRANSFER_FORMAT


@irdl_op_definition
class CopyOp(_Transfer):
    """`clEnqueueCopyBuffer`: inside the device's memory (OpenCL 1.2, section 5.2.2).

    `host.copy %a to %b : !host.buffer<f32>, !host.buffer<f32>`; the count is in elements of `%b`.
    """

    name = "host.copy"

    source = operand_def(BufferType)
    target = operand_def(BufferType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = _TRANSFER_FORMAT


@irdl_op_definition
class FillOp(Command):
    """`clEnqueueFillBuffer`: the same value in all elements (OpenCL 1.2, section 5.2.3).

    `host.fill %d with %v : !host.buffer<f32>`, or `host.fill %d[%i] with %v count %n : ...`
    """

    name = "host.fill"

    target = operand_def(_BUFFER_OF_E)
    offset = opt_operand_def(IndexType)
    value = operand_def(_ELEMENT)
    count = opt_operand_def(IndexType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$target (`[` $offset^ `]`)? `with` $value (`count` $count^)? (`after` $after^)? attr-dict "
        "`:` type($target) (`->` type($event)^)?"
    )

    def __init__(
        self,
        target: SSAValue,
        value: SSAValue,
        *,
        offset: SSAValue | None = None,
        count: SSAValue | None = None,
        after: Sequence[SSAValue] = (),
        event: bool = False,
    ):
        super().__init__(
            operands=[target, offset, value, count, after],
            result_types=[EventType() if event else None],
        )

    def verify_(self) -> None:
        start = constant_of(self.offset) if self.offset is not None else 0
        count, size = constant_of(self.count), elements_of(self.target)
        if start is None or count is None or size is None:
            return
        if start < 0 or count < 0 or start + count > size:
            raise VerifyException(f"fills {count} elements from {start} on, the buffer has {size}")


@irdl_op_definition
class ReleaseOp(IRDLOperation):
    """`clReleaseMemObject`: the end of a buffer: `host.release %d : !host.buffer<f32>`."""

    name = "host.release"

    buffer = operand_def(BufferType)

    traits = traits_def(MemoryFreeEffect())

    assembly_format = "$buffer attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue):
        super().__init__(operands=[buffer])


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """shuffle() of [ppopencl19]: a copy that moves element i * columns + j to j * rows + i.

    `%h2 = host.transpose %h rows %r columns %c : memref<?xi32>` on the host;
    `%d2 = host.transpose %d rows %r columns %c : !host.buffer<i32>` on the device.

    The result is new memory of `rows * columns` elements, which `memref.dealloc` and
    `host.release` free.
    """

    name = "host.transpose"

    source = operand_def(_SAME_MEMORY)
    rows = operand_def(IndexType)
    columns = operand_def(IndexType)
    result = result_def(_SAME_MEMORY)

    traits = traits_def(MemoryAllocEffect(), MemoryReadEffect())

    assembly_format = "$source `rows` $rows `columns` $columns attr-dict `:` type($source)"

    def __init__(self, source: SSAValue, rows: SSAValue, columns: SSAValue):
        super().__init__(operands=[source, rows, columns], result_types=[source.type])

    def verify_(self) -> None:
        _verify_memory(self.source.type)
        rows, columns = constant_of(self.rows), constant_of(self.columns)
        size = elements_of(self.source)
        if rows is None or columns is None or size is None:
            return
        if rows < 1 or columns < 1 or rows * columns > size:
            raise VerifyException(
                f"{rows} rows of {columns} elements do not fit memory of {size} elements"
            )
