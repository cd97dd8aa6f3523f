"""Attributes of a host function's arguments whose data were recorded.

`func.func @f(%x: memref<?xf32> {host.data = "a.npy"}, %y: memref<?xi8> {host.expected = "b.npy"})`

The files are beside that of the module, as NumPy writes bytes.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp

DATA = "host.data"
"""What an array holds."""

EXPECTED = "host.expected"
"""What an array held after the recorded run."""


def recorded_files(op: FuncOp) -> list[tuple[str, str] | None]:
    """For each argument, DATA or EXPECTED, and the file's name; None where nothing was recorded."""
    given = op.arg_attrs.data if op.arg_attrs is not None else ()
    found: list[tuple[str, str] | None] = [None] * len(op.body.blocks[0].args)
    for index, attributes in enumerate(given):
        assert isinstance(attributes, DictionaryAttr)
        for kind in (DATA, EXPECTED):
            file = attributes.data.get(kind)
            if isinstance(file, StringAttr):
                found[index] = kind, file.data
    return found
