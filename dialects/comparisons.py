"""The predicates of `arith.cmpi` and `vec.cmpi`, by name."""

from __future__ import annotations

from xdsl.dialects import arith

from polycl.dialects import vec

_PAIRS = (("eq", "ne"), ("slt", "sge"), ("sle", "sgt"), ("ult", "uge"), ("ule", "ugt"))
OPPOSITES = {a: b for x, y in _PAIRS for a, b in ((x, y), (y, x))}
"""The predicate that holds where another one does not."""

SWAPPED = {"sgt": "slt", "sge": "sle", "ugt": "ult", "uge": "ule"}
"""The predicate of `b < a` for that of `a > b`."""

MIRRORED = SWAPPED | {b: a for a, b in SWAPPED.items()} | {"eq": "eq", "ne": "ne"}
"""The predicate of `b ? a` for that of `a ? b`."""


def predicate_of(op: vec.AnyCmpi) -> str:
    """The name of a comparison's predicate: "eq", "ne", "slt", ..., "uge"."""
    return arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]


def is_unsigned(op: vec.AnyCmpi) -> bool | None:
    """Whether a comparison reads its operands as unsigned; None where it reads bits only."""
    name = predicate_of(op)
    return None if name in ("eq", "ne") else name.startswith("u")
