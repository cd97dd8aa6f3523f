"""The type of the device's memory."""

from __future__ import annotations

from xdsl.dialects.builtin import ContainerType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition

from polycl.dialects.ocl.attributes import verify_storable


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute, ContainerType[Attribute]):
    """Memory of the device, `!host.buffer<f32>`, whose size is an operand of its creation.

    The element type is the pointee of the kernels' parameters. If kernels access it with different
    element types, it is a buffer of bytes, `!host.buffer<i8>`.
    """

    name = "host.buffer"
    element: Attribute

    def __init__(self, element: Attribute):
        super().__init__(element)

    def get_element_type(self) -> Attribute:
        return self.element

    def verify(self) -> None:
        verify_storable(self.element, "buffer element")
