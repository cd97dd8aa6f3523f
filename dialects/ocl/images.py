"""Images and samplers (OpenCL 1.2, sections 6.12.14 and 8)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, VectorType, f32, i32
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
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from polycl.dialects.vec import element_of


class ImageAccess(StrEnum):
    """The access of a kernel to an image."""

    READ = "read"
    WRITE = "write"
    READ_WRITE = "read_write"


@irdl_attr_definition
class ImageAccessAttr(EnumAttribute[ImageAccess], SpacedOpaqueSyntaxAttribute):
    name = "ocl.image_access"


class ImageKind(StrEnum):
    """The dimensions of an image, whether it is an array of images, and whether of depths."""

    IMAGE1D = "image1d"
    IMAGE1D_BUFFER = "image1d_buffer"
    IMAGE1D_ARRAY = "image1d_array"
    IMAGE2D = "image2d"
    IMAGE2D_ARRAY = "image2d_array"
    IMAGE3D = "image3d"
    IMAGE2D_DEPTH = "image2d_depth"
    IMAGE2D_ARRAY_DEPTH = "image2d_array_depth"

    @property
    def is_depth(self) -> bool:
        """Whether a pixel is one number, not a colour (cl_khr_depth_images)."""
        return self in _OF_COLOURS

    @property
    def of_colours(self) -> ImageKind:
        """The kind of images with the same coordinates whose pixels are colours."""
        return _OF_COLOURS.get(self, self)

    @property
    def coordinates(self) -> int:
        """The number of coordinates of a pixel; the last one of an array is the image's number.

        As in OpenCL C, three are a vector of four, whose last element is not used.
        """
        return _COORDINATES[self.of_colours]


_OF_COLOURS = {
    ImageKind.IMAGE2D_DEPTH: ImageKind.IMAGE2D,
    ImageKind.IMAGE2D_ARRAY_DEPTH: ImageKind.IMAGE2D_ARRAY,
}
_COORDINATES = {
    ImageKind.IMAGE1D: 1,
    ImageKind.IMAGE1D_BUFFER: 1,
    ImageKind.IMAGE1D_ARRAY: 2,
    ImageKind.IMAGE2D: 2,
    ImageKind.IMAGE2D_ARRAY: 4,
    ImageKind.IMAGE3D: 4,
}


@irdl_attr_definition
class ImageKindAttr(EnumAttribute[ImageKind], SpacedOpaqueSyntaxAttribute):
    name = "ocl.image_kind"


class ImageField(StrEnum):
    """The properties of an image, in the order of its header."""

    WIDTH = "width"
    HEIGHT = "height"
    CHANNEL_ORDER = "channel_order"
    CHANNEL_TYPE = "channel_type"
    DEPTH = "depth"
    """Of an array: the number of its images."""


@irdl_attr_definition
class ImageFieldAttr(EnumAttribute[ImageField], SpacedOpaqueSyntaxAttribute):
    name = "ocl.image_field"


@irdl_attr_definition
class ImageType(ParametrizedAttribute, TypeAttribute):
    """`image2d_t` and the like: `!ocl.image<image2d, read>`, the type of parameters only."""

    name = "ocl.image"
    image_kind: ImageKindAttr
    access: ImageAccessAttr

    def __init__(self, kind: ImageKind | ImageKindAttr, access: ImageAccess | ImageAccessAttr):
        if isinstance(kind, ImageKind):
            kind = ImageKindAttr(kind)
        if isinstance(access, ImageAccess):
            access = ImageAccessAttr(access)
        super().__init__(kind, access)

    @property
    def kind(self) -> ImageKind:
        return self.image_kind.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            kind = parser.parse_str_enum(ImageKind)
            parser.parse_punctuation(",")
            return ImageKindAttr(kind), ImageAccessAttr(parser.parse_str_enum(ImageAccess))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.kind.value}, {self.access.data.value}")


@irdl_attr_definition
class SamplerType(ParametrizedAttribute, TypeAttribute):
    """`sampler_t`: how an image is read between its pixels and outside of it."""

    name = "ocl.sampler"


@irdl_op_definition
class SamplerOp(IRDLOperation):
    """A sampler with the bits of CLK_*: `%s = ocl.constant_sampler 18`."""

    name = "ocl.constant_sampler"

    bits = prop_def(IntegerAttr.constr(i32))
    result = result_def(SamplerType)

    traits = traits_def(Pure())

    assembly_format = "$bits attr-dict"

    def __init__(self, bits: int):
        super().__init__(properties={"bits": IntegerAttr(bits, i32)}, result_types=[SamplerType()])


def _verify_place(image: SSAValue, place: Attribute, *elements: Attribute) -> None:
    assert isinstance(image.type, ImageType)
    count = image.type.kind.coordinates
    expected = [element if count == 1 else VectorType(element, [count]) for element in elements]
    if place not in expected:
        raise VerifyException(
            f"coordinates of {image.type} are {' or '.join(map(str, expected))}, got {place}"
        )


def _access(image: SSAValue) -> ImageAccess:
    assert isinstance(image.type, ImageType)
    return image.type.access.data


@irdl_op_definition
class ImageReadOp(IRDLOperation):
    """The colour at a place of an image, as four floats or integers; of a depth image, a float.

    `%c = ocl.image_read %i, %p with %s : !ocl.image<image2d, read>, vector<2xf32> -> vector<4xf32>`

    Without a sampler the coordinates are pixels inside the image.
    """

    name = "ocl.image_read"

    image = operand_def(ImageType)
    at = operand_def()
    sampler = opt_operand_def(SamplerType)
    result = result_def()

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$image `,` $at (`with` $sampler^)? attr-dict `:` type($image) `,` type($at) "
        "`->` type($result)"
    )

    def __init__(self, image: SSAValue, at: SSAValue, sampler: SSAValue | None, result: Attribute):
        super().__init__(operands=[image, at, sampler], result_types=[result])

    def verify_(self) -> None:
        if _access(self.image) is ImageAccess.WRITE:
            raise VerifyException("the image is for writing only")
        _verify_place(self.image, self.at.type, f32, i32)
        if self.sampler is None and element_of(self.at.type) == f32:
            raise VerifyException("coordinates between pixels need a sampler")
        _verify_color(self.image, self.result.type)


@irdl_op_definition
class ImageWriteOp(IRDLOperation):
    """Writes a colour, or a depth, to a pixel; a pixel outside of the image is ignored.

    `ocl.image_write %c, %image, %at : vector<4xf32>, !ocl.image<image1d, write>, i32`
    """

    name = "ocl.image_write"

    color = operand_def()
    image = operand_def(ImageType)
    at = operand_def()

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$color `,` $image `,` $at attr-dict `:` type($color) `,` type($image) `,` type($at)"
    )

    def __init__(self, color: SSAValue, image: SSAValue, at: SSAValue):
        super().__init__(operands=[color, image, at])

    def verify_(self) -> None:
        if _access(self.image) is ImageAccess.READ:
            raise VerifyException("the image is for reading only")
        _verify_place(self.image, self.at.type, i32)
        _verify_color(self.image, self.color.type)


@irdl_op_definition
class ImageQueryOp(IRDLOperation):
    """The size or the format of an image.

    `%w = ocl.image_query width %i : !ocl.image<image2d, read>`
    """

    name = "ocl.image_query"

    field = prop_def(ImageFieldAttr)
    image = operand_def(ImageType)
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = "$field $image attr-dict `:` type($image)"

    def __init__(self, field: ImageField, image: SSAValue):
        super().__init__(
            operands=[image], properties={"field": ImageFieldAttr(field)}, result_types=[i32]
        )


def _verify_color(image: SSAValue, type: Attribute) -> None:
    assert isinstance(image.type, ImageType)
    if image.type.kind.is_depth:
        if type != f32:
            raise VerifyException(f"a pixel of a depth image is an f32, got {type}")
    elif type not in (VectorType(f32, [4]), VectorType(i32, [4])):
        raise VerifyException(f"a colour is four f32 or i32, got {type}")
