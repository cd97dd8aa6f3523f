"""String literals that a program uses as memory: constant data, one array for each text."""

from __future__ import annotations

from collections.abc import Collection

from polycl.dialects.ocl import ConstantDataOp
from polycl.frontends.opencl_c.builder import file_location
from polycl.frontends.opencl_c.constant_data import constant_value
from polycl.frontends.opencl_c.initializers import resolve
from polycl.frontends.opencl_c.tree import String


class Strings:
    """The symbols of a module's strings; `taken` are the names of other data and functions."""

    def __init__(self, taken: Collection[str] = ()):
        self._taken = taken
        self._symbols: dict[tuple[str, int], str] = {}
        self.operations: list[ConstantDataOp] = []

    def symbol(self, literal: String) -> str:
        """The name of the data with the text and its terminating zero."""
        key = literal.text, literal.type.count
        if key not in self._symbols:
            symbol = f"string_{len(self._symbols)}"
            while symbol in self._taken:
                symbol += "_"
            value = constant_value(literal.type, resolve(literal.type, literal))
            op = ConstantDataOp(symbol, literal.type.memory, value)
            op.location = file_location(*literal.location)
            self.operations.append(op)
            self._symbols[key] = symbol
        return self._symbols[key]
