"""The host's side: memory of the device, transfers, launches, and opaque code.

```
func.func @scale(%x: memref<?xf32>, %n: index, %a: f32) {
  %d = host.buffer %n : !host.buffer<f32>
  host.write %x to %d : memref<?xf32>, !host.buffer<f32>
  host.launch @scale_kernel global [%n] (%d, %a) : !host.buffer<f32>, f32
  host.read %d to %x : !host.buffer<f32>, memref<?xf32>
  host.release %d : !host.buffer<f32>
  func.return
}
```

Other operations are ordinary code: `func`, `scf`, `arith`, `math`, and `memref` for the host's
memory. The commands of a program run in order, as in an in-order queue (OpenCL 1.2, section 5.11);
a read is complete when its operation ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr, SymbolRefAttr, i8
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.host.buffers import BufferOp, BufferType, Command, constant_of
from polycl.dialects.host.images import ImageOp
from polycl.dialects.ocl.attributes import AddressSpace, EventType, PtrType, StructType, UnionType
from polycl.dialects.ocl.images import ImageType, SamplerType
from polycl.dialects.ocl.kernel import KernelLike
from polycl.dialects.ocl.layout import size_of


@irdl_attr_definition
class LocalMemoryType(ParametrizedAttribute, TypeAttribute):
    """An argument for a `local` pointer of a kernel: `!host.local_memory`."""

    name = "host.local_memory"


@irdl_op_definition
class LocalMemoryOp(IRDLOperation):
    """An argument for a `local` pointer: bytes for each work-group (OpenCL 1.2, 5.7.2).

    `%l = host.local_memory %bytes : !host.local_memory`
    """

    name = "host.local_memory"

    nbytes = operand_def(IndexType)
    result = result_def(LocalMemoryType)

    traits = traits_def(Pure())

    assembly_format = "$nbytes attr-dict `:` type($result)"

    def __init__(self, nbytes: SSAValue):
        super().__init__(operands=[nbytes], result_types=[LocalMemoryType()])

    def verify_(self) -> None:
        nbytes = constant_of(self.nbytes)
        if nbytes is not None and nbytes < 1:
            raise VerifyException(f"expected at least 1 byte of local memory, got {nbytes}")


_SAMPLER_BYTES = 4


@irdl_op_definition
class BytesOp(IRDLOperation):
    """A structure, union or sampler that a kernel takes by value: its bytes.

    Those of structures are as in the host's memory, those of a sampler the number that its CLK_*
    make.

    `%s = host.bytes "01000000_0000803f" : !ocl.struct<(n: i32, x: f32)>`

    Underscores between digits mean nothing.
    """

    name = "host.bytes"

    digits = prop_def(StringAttr)
    result = result_def(StructType | UnionType | SamplerType)

    traits = traits_def(Pure())

    assembly_format = "$digits attr-dict `:` type($result)"

    def __init__(self, data: bytes, type: Attribute):
        super().__init__(properties={"digits": StringAttr(data.hex())}, result_types=[type])

    @property
    def data(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self.digits.data.replace("_", ""))

    def verify_(self) -> None:
        try:
            found = len(self.data)
        except ValueError:
            raise VerifyException(
                f"expected two hexadecimal digits for each byte, got '{self.digits.data}'"
            ) from None
        type = self.result.type
        expected = _SAMPLER_BYTES if isinstance(type, SamplerType) else size_of(type)
        if found != expected:
            raise VerifyException(f"a value of type {type} has {expected} bytes, got {found}")


@irdl_op_definition
class NullOp(IRDLOperation):
    """No buffer, for a kernel's pointer that is NULL: `%d = host.null : !host.buffer<f32>`."""

    name = "host.null"

    result = result_def(BufferType)

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, element: Attribute):
        super().__init__(result_types=[BufferType(element)])


@irdl_op_definition
class LaunchOp(Command):
    """`clEnqueueNDRangeKernel` with its `clSetKernelArg`s (OpenCL 1.2, sections 5.7.2 and 5.8).

    `host.launch @k global [%gx, %gy] local [%lx, %ly] (%d, %s) : !host.buffer<f32>, i32`

    `offset [%x, %y]` follows the sizes; without `local` the device chooses.
    """

    name = "host.launch"

    kernel = prop_def(SymbolRefAttr)
    global_size = var_operand_def(IndexType)
    local_size = var_operand_def(IndexType)
    global_offset = var_operand_def(IndexType)
    arguments = var_operand_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$kernel `global` ` ` `[` $global_size `]` (`local` ` ` `[` $local_size^ `]`)? "
        "(`offset` ` ` `[` $global_offset^ `]`)? `(` $arguments `)` (`after` $after^)? attr-dict "
        "(`:` type($arguments)^)? (`->` type($event)^)?"
    )

    def __init__(
        self,
        kernel: str | SymbolRefAttr,
        global_size: Sequence[SSAValue],
        local_size: Sequence[SSAValue],
        arguments: Sequence[SSAValue],
        *,
        global_offset: Sequence[SSAValue] = (),
        after: Sequence[SSAValue] = (),
        event: bool = False,
    ):
        super().__init__(
            operands=[global_size, local_size, global_offset, arguments, after],
            properties={"kernel": SymbolRefAttr(kernel) if isinstance(kernel, str) else kernel},
            result_types=[EventType() if event else None],
        )

    def callee(self) -> KernelLike:
        """The kernel. Raises VerifyException if there is none."""
        found = SymbolTable.lookup_symbol(self, self.kernel)
        if not isinstance(found, KernelLike):
            raise VerifyException(f"there is no kernel {self.kernel} in the module")
        return found

    def verify_(self) -> None:
        self._verify_sizes()
        callee = self.callee()
        names, types = callee.param_names, callee.function_type.inputs.data
        if len(self.arguments) != len(types):
            raise VerifyException(
                f"kernel {self.kernel} has {len(types)} parameters ({', '.join(names)}), "
                f"got {len(self.arguments)} arguments"
            )
        for name, type, argument in zip(names, types, self.arguments, strict=True):
            expected = _expected_argument(type, argument)
            if expected is not None:
                raise VerifyException(
                    f"kernel {self.kernel}, parameter '{name}' of type {type}: expected "
                    f"{expected}, got {argument.type}"
                )
        required = callee.required_size
        local = [constant_of(value) for value in self.local_size]
        if required is not None and local:
            for given, wanted in zip([*local, 1, 1], required, strict=False):
                if given not in (None, wanted):
                    raise VerifyException(
                        f"kernel {self.kernel} requires the local size {list(required)}, "
                        f"got {given} where it has {wanted}"
                    )

    def _verify_sizes(self) -> None:
        rank = len(self.global_size)
        if not 1 <= rank <= 3:
            raise VerifyException(f"expected 1 to 3 global sizes, got {rank}")
        for what, sizes in (("local sizes", self.local_size), ("offsets", self.global_offset)):
            if len(sizes) not in (0, rank):
                raise VerifyException(
                    f"expected as many {what} as global sizes, {rank}, got {len(sizes)}"
                )
        for size, local in zip(self.global_size, self.local_size, strict=False):
            whole, part = constant_of(size), constant_of(local)
            if part is not None and part < 1:
                raise VerifyException(f"a local size is at least 1, got {part}")
            if whole is not None and part is not None and whole % part:
                raise VerifyException(
                    f"the global size {whole} is not a multiple of the local size {part}"
                )


def _expected_argument(parameter: Attribute, value: SSAValue) -> str | None:
    """The expected argument of a kernel's parameter, if this one does not fit."""
    argument, maker = value.type, value.owner
    if isinstance(parameter, ImageType):
        of_kind = not isinstance(maker, ImageOp) or maker.kind.data == parameter.kind.value
        fits = isinstance(argument, BufferType) and not isinstance(maker, BufferOp) and of_kind
        return None if fits else f'a host.image "{parameter.kind.value}"'
    if not isinstance(parameter, PtrType):
        return None if argument == parameter else f"a value of type {parameter}"
    if parameter.address_space is AddressSpace.LOCAL:
        return None if isinstance(argument, LocalMemoryType) else "!host.local_memory"
    if isinstance(maker, ImageOp):
        return "a buffer, not an image"
    fits = isinstance(argument, BufferType) and argument.element in (parameter.pointee, i8)
    return None if fits else f"{BufferType(parameter.pointee)}"


@irdl_op_definition
class WaitOp(IRDLOperation):
    """`clWaitForEvents`: wait for commands (OpenCL 1.2, section 5.9): `host.wait %e0, %e1`."""

    name = "host.wait"

    events = var_operand_def(EventType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$events attr-dict"

    def __init__(self, events: Sequence[SSAValue]):
        super().__init__(operands=[events])

    def verify_(self) -> None:
        if not self.events:
            raise VerifyException("expected an event to wait for; host.finish waits for all")


@irdl_op_definition
class FinishOp(IRDLOperation):
    """`clFinish`: wait for all commands (OpenCL 1.2, section 5.13): `host.finish`."""

    name = "host.finish"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "attr-dict"


FILES = "host.files"
"""Attribute of the module of a whole program: its C files."""
IN_C, FIXED, FILE = "in_c", "fixed", "file"
"""Attributes of the call of a C function: that it is one; of one with `...`, the number of its
parameters before; of a static one, its file."""


@irdl_op_definition
class OpaqueOp(IRDLOperation):
    """Opaque host code. It may access its operands in any way, so they keep their layout, also
    after the call.

    `%x = host.opaque "measure"(%h, %d) : (memref<?xf32>, !host.buffer<f32>) -> f32`
    """

    name = "host.opaque"

    function = prop_def(StringAttr)
    arguments = var_operand_def()
    results_ = var_result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$function `(` $arguments `)` attr-dict `:` functional-type($arguments, $results_)"
    )

    def __init__(self, function: str, arguments: Sequence[SSAValue], results: Sequence[Attribute]):
        super().__init__(
            operands=[arguments],
            properties={"function": StringAttr(function)},
            result_types=[results],
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """The attribute `texts`: literal arguments of the call, such as printf's format."""
        found = self.attributes.get("texts")
        if not isinstance(found, ArrayAttr):
            return ()
        return tuple(text.data for text in found if isinstance(text, StringAttr))


def is_host_operation(op: Operation) -> bool:
    """Whether an operation is one of this dialect."""
    return op.name.startswith("host.")
