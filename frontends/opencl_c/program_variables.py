"""Program-scope variables in global memory (OpenCL 2.0, section 6.5.1).

They are the fields of one structure. Functions that use them, directly or through calls, take its
address (implicit_arguments.py). Kernels do so, too, but their callers do not see the parameter: the
runtime keeps the memory from launch to launch. Its initial value is the `ocl.constant` that the
parameter's `ocl.variables` names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.kernel import PARAM_VARIABLES, own_address
from polycl.dialects.ocl.layout import field_offsets
from polycl.frontends.opencl_c.builder import file_location
from polycl.frontends.opencl_c.constant_data import constant_value, pointed_byte
from polycl.frontends.opencl_c.places import Places
from polycl.frontends.opencl_c.tree import Expr, Variable
from polycl.frontends.opencl_c.types import CType, Kind

_NAME = "program_variables"


class ProgramVariables:
    """The structure of a program's variables. No function uses it if it is empty."""

    def __init__(self, variables: list[tuple[Variable, Expr | None]], taken: Collection[str]):
        self.variables = variables
        self.symbol = _NAME
        while self.symbol in taken:
            self.symbol += "_"
        fields = [(variable.symbol, variable.type.memory) for variable, _ in variables]
        type = ocl.StructType(_NAME, fields)
        where = variables[0][0].location if variables else ("", 0, 0)
        self.structure = Variable(
            self.symbol,
            CType(Kind.STRUCT, type, type, _NAME),
            number=-1,
            location=where,
            in_memory=True,
            space=ocl.AddressSpace.GLOBAL,
        )

    def data(self) -> list[ocl.ConstantDataOp]:
        """The initial values."""
        if not self.variables:
            return []
        values = [
            constant_value(variable.type, value, self._find_address)
            for variable, value in self.variables
        ]
        op = ocl.ConstantDataOp(self.symbol, self.structure.type.memory, ArrayAttr(values))
        op.location = file_location(*self.structure.location)
        return [op]

    def _find_address(self, value: Expr) -> Attribute | None:
        """The address of a variable, or in one, as an offset in the structure."""
        found = pointed_byte(value)
        memory = self.structure.type.memory
        assert isinstance(memory, ocl.StructType)
        offsets = dict(zip((name for name, _ in memory.fields), field_offsets(memory), strict=True))
        if found is None or found[0].space is not ocl.AddressSpace.GLOBAL:
            return None
        variable, offset = found
        return own_address(self.symbol, offsets[variable.symbol] + offset)

    def parameter(self, names: Iterable[str]) -> dict[str, Attribute]:
        """The attributes of the parameter of a kernel whose other parameters have these names."""
        name = _NAME
        while name in names:
            name += "_"
        return {
            ocl.PARAM_NAME: StringAttr(name),
            ocl.PARAM_TYPE: StringAttr(f"{_NAME}*"),
            PARAM_VARIABLES: SymbolRefAttr(self.symbol),
        }

    def enter(self, emitter: Places, pointer: SSAValue) -> None:
        """Define the variables' addresses in a function, from that of the structure."""
        for variable, _ in self.variables:
            emitter.set_slot(variable, emitter.member_of(pointer, variable.symbol))
