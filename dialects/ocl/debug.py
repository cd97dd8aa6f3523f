"""Attributes of a debug build (`-g`): where a debugger finds the variables of the source."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation

DEBUG_FOLDER = "ocl.debug_folder"
"""Key of the attribute of a module whose code is to have its source lines: the folder in which
relative names of its files start."""

DEBUG_BUILD = "ocl.debug_build"
"""Key of the attribute of a module that is for a debugger, too: kernels are not optimised, and
their work-items run one after the other."""

VARIABLE = "ocl.variable"
"""Key of the attribute of private memory that has the present value of a variable of the source,
and is only written: `{name = "i", scope = [7, 1, 15, 2]}`."""

VARIABLE_TYPE = "ocl.variable_type"
"""Key of the attribute with the type of that memory, where it has bytes only."""


@dataclass(frozen=True)
class SourceVariable:
    """A variable of the source, as the attribute VARIABLE has it."""

    name: str
    scope: tuple[int, int, int, int]
    """The first line and column, and the last, where the name has a meaning."""
    argument: int = 0
    """The position of a parameter, from 1; 0 for other variables."""
    unsigned: tuple[str, ...] = ()
    """The paths of unsigned integers in it, such as "" and ".body.flags"."""
    is_address: bool = False
    """Whether the memory has the variable's address."""

    def attribute(self) -> DictionaryAttr:
        data: dict[str, Attribute] = {
            "name": StringAttr(self.name),
            "scope": ArrayAttr([IntegerAttr(number, i32) for number in self.scope]),
        }
        if self.argument:
            data["argument"] = IntegerAttr(self.argument, i32)
        if self.unsigned:
            data["unsigned"] = ArrayAttr(map(StringAttr, self.unsigned))
        if self.is_address:
            data["address"] = UnitAttr()
        return DictionaryAttr(data)


def forget_argument(alloca: Operation) -> None:
    """Make a variable of the parameter whose value the memory has: its function is inlined."""
    attribute = alloca.attributes.get(VARIABLE)
    if isinstance(attribute, DictionaryAttr):
        data = {key: value for key, value in attribute.data.items() if key != "argument"}
        alloca.attributes[VARIABLE] = DictionaryAttr(data)


def is_debug_build(module: ModuleOp) -> bool:
    """Whether a module is for a debugger."""
    return DEBUG_BUILD in module.attributes


def has_lines(module: ModuleOp) -> bool:
    """Whether the code of a module is to have its source lines."""
    return DEBUG_FOLDER in module.attributes


def source_variable(op: Operation) -> SourceVariable | None:
    """The variable whose value the memory that `op` allocates is for."""
    attribute = op.attributes.get(VARIABLE)
    if not isinstance(attribute, DictionaryAttr):
        return None
    data = attribute.data
    name, scope, argument, unsigned = map(data.get, ("name", "scope", "argument", "unsigned"))
    if not isinstance(name, StringAttr) or not isinstance(scope, ArrayAttr) or len(scope) != 4:
        return None
    a, b, c, d = (n.value.data for n in scope if isinstance(n, IntegerAttr))
    paths = unsigned.data if isinstance(unsigned, ArrayAttr) else ()
    return SourceVariable(
        name.data,
        (a, b, c, d),
        argument.value.data if isinstance(argument, IntegerAttr) else 0,
        tuple(path.data for path in paths if isinstance(path, StringAttr)),
        "address" in data,
    )
