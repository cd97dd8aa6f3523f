"""The parts of MLIR's `gpu` and `memref` dialects that xDSL lacks.

Nothing is added to xDSL's dialects: `frontends/mlir/gpu_forms.py` reads these from MLIR text, and
`convert-gpu-to-ocl` understands them.
"""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

WORKGROUP_ATTRIBUTIONS = "workgroup_attributions"
PRIVATE_ATTRIBUTIONS = "private_attributions"
"""Attributes of a `gpu.func`: the number of its last inputs that are memory attributions.

In MLIR they are arguments of the entry block that are not in the type of the function, which xDSL's
verifier refuses. The attributions of workgroup memory come before those of private memory.
"""

ATOMIC_KINDS = (
    "addf",
    "addi",
    "assign",
    "maximumf",
    "maxs",
    "maxu",
    "minimumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "andi",
    "maxnumf",
    "minnumf",
    "xori",
)
"""MLIR's `arith.AtomicRMWKind` by number."""


class AddressSpaceEnum(StrEnum):
    GLOBAL = "global"
    WORKGROUP = "workgroup"
    PRIVATE = "private"
    CONSTANT = "constant"


@irdl_attr_definition
class AddressSpaceAttr(EnumAttribute[AddressSpaceEnum]):
    """The memory space of a memref: `#gpu.address_space<workgroup>`."""

    name = "gpu.address_space"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AddressSpaceEnum:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(AddressSpaceEnum)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)
