"""C's memory in a whole program: what is defined in its other files, literals, and transfers."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from polycl.dialects.ocl import PtrType

OBJECTS = {
    "cl_context": "context",
    "cl_command_queue": "queue",
    "cl_device_id": "device",
    "cl_platform_id": "platform",
    "cl_program": "program",
}
"""The types of objects that set up a device: the variable with the one that a program uses."""


@irdl_op_definition
class ExternOp(IRDLOperation):
    """The address of a variable or function of the program's C files, or of C's library.

    `%count = host.extern "count" : !ocl.ptr<i32, private>`

    A static one is in a file. A name of OBJECTS means the variable with that object.

    `%table = host.extern "table" in "main.c" : !ocl.ptr<f32, private>`
    """

    name = "host.extern"

    symbol = prop_def(StringAttr)
    file = opt_prop_def(StringAttr)
    result = result_def(PtrType)

    traits = traits_def(Pure())

    assembly_format = "$symbol (`in` $file^)? attr-dict `:` type($result)"

    def __init__(self, symbol: str, type: PtrType, file: str = ""):
        properties: dict[str, Attribute | None] = {"symbol": StringAttr(symbol)}
        if file:
            properties["file"] = StringAttr(file)
        super().__init__(properties=properties, result_types=[type])


@irdl_op_definition
class ObjectOp(IRDLOperation):
    """The object that sets up the device, as an address: `%0 = host.object "cl_context" :
    !ocl.ptr<i8, private>`."""

    name = "host.object"

    type_name = prop_def(StringAttr)
    result = result_def(PtrType)

    traits = traits_def(Pure())

    assembly_format = "$type_name attr-dict `:` type($result)"

    def __init__(self, type_name: str, type: PtrType):
        super().__init__(properties={"type_name": StringAttr(type_name)}, result_types=[type])

    def verify_(self) -> None:
        if self.type_name.data not in OBJECTS:
            raise VerifyException(
                f"expected one of {', '.join(OBJECTS)}, got '{self.type_name.data}'"
            )


@irdl_op_definition
class TextOp(IRDLOperation):
    """A string literal of C: `%format = host.text "%d\\0A" : !ocl.ptr<i8, private>`."""

    name = "host.text"

    text = prop_def(StringAttr)
    result = result_def(PtrType)

    traits = traits_def(Pure())

    assembly_format = "$text attr-dict `:` type($result)"

    def __init__(self, text: str, type: PtrType):
        super().__init__(properties={"text": StringAttr(text)}, result_types=[type])


@irdl_op_definition
class ViewOp(IRDLOperation):
    """C's memory from an address on as an array, for a transfer.

    `%array = host.view %p : !ocl.ptr<i8, private> -> memref<?xf32>`
    """

    name = "host.view"

    pointer = operand_def(PtrType)
    result = result_def(MemRefType)

    traits = traits_def(NoMemoryEffect())

    assembly_format = "$pointer attr-dict `:` type($pointer) `->` type($result)"

    def __init__(self, pointer: SSAValue, element: Attribute):
        super().__init__(operands=[pointer], result_types=[MemRefType(element, [DYNAMIC_INDEX])])
