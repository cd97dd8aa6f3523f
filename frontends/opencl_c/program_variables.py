"""Program-scope variables in global memory (OpenCL 2.0, section 6.5.1).

They are the fields of one structure. Functions that use them, themselves or through what they
call, take its address as their last parameter. So do kernels, whose callers do not see it: the
runtime keeps that memory from launch to launch. It starts as the `ocl.constant` that the
parameter's `ocl.variables` names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.kernel import PARAM_VARIABLES
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.addresses import AddressEmitter
from polycl.frontends.opencl_c.builder import file_location
from polycl.frontends.opencl_c.constant_data import constant_value
from polycl.frontends.opencl_c.effects import expressions_of, walk, walk_statements
from polycl.frontends.opencl_c.tree import Expr, Function, Variable
from polycl.frontends.opencl_c.types import Kind

_NAME = "program_variables"


class ProgramVariables:
    """The structure of a program that has such variables, and which functions need it."""

    def __init__(
        self,
        variables: list[tuple[Variable, Expr | None]],
        functions: Mapping[str, Function],
        taken: Collection[str],
    ):
        self.variables = variables
        self.symbol = _NAME
        while self.symbol in taken:
            self.symbol += "_"
        fields = [(variable.symbol, variable.type.memory) for variable, _ in variables]
        self.pointer = ocl.PtrType(ocl.StructType(_NAME, fields), ocl.AddressSpace.GLOBAL)
        self.users = _users(functions) if variables else set[str]()

    def data(self) -> list[ocl.ConstantDataOp]:
        """The initial values."""
        if not self.variables:
            return []
        values = [constant_value(variable.type, value) for variable, value in self.variables]
        op = ocl.ConstantDataOp(self.symbol, self.pointer.pointee, ArrayAttr(values))
        op.location = file_location(*self.variables[0][0].location)
        return [op]

    def parameter(self, names: Iterable[str]) -> dict[str, Attribute]:
        """The attributes of a kernel's parameter beside those with these names."""
        name = _NAME
        while name in names:
            name += "_"
        return {
            ocl.PARAM_NAME: StringAttr(name),
            ocl.PARAM_TYPE: StringAttr(f"{_NAME}*"),
            PARAM_VARIABLES: SymbolRefAttr(self.symbol),
        }

    def enter(self, emitter: AddressEmitter, pointer: SSAValue) -> None:
        """Give the variables their addresses in a function that gets that of the structure."""
        emitter.program_variables = pointer
        for variable, _ in self.variables:
            slot = emitter.value(ocl.MemberOp(pointer, variable.symbol))
            slot.name_hint = variable.name
            emitter.slots[variable] = slot
            if variable.type.kind is Kind.ARRAY:
                first = ocl.PtrType(variable.type.element.memory, ocl.AddressSpace.GLOBAL)
                emitter.first_elements[slot] = emitter.value(ocl.CastOp(slot, first))


def _users(functions: Mapping[str, Function]) -> set[str]:
    """The functions that use such variables themselves or call one that does."""
    nodes = {name: list(_nodes(function)) for name, function in functions.items()}
    found = {name for name in functions if any(_is_use(node) for node in nodes[name])}
    grows = True
    while grows:
        callers = {
            name
            for name in functions
            if any(isinstance(node, tree.Call) and node.function in found for node in nodes[name])
        }
        grows = not callers <= found
        found |= callers
    return found


def _nodes(function: Function) -> Iterable[Expr]:
    for statement in walk_statements(function.body):
        for expr in expressions_of(statement):
            yield from walk(expr)


def _is_use(node: Expr) -> bool:
    return isinstance(node, tree.VarRef) and node.variable.is_program_variable
