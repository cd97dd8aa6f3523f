"""The predicates of `arith.cmpi` and `vec.cmpi`, by name."""

from __future__ import annotations

from xdsl.dialects import arith

from polycl.dialects import vec


def predicate_of(op: vec.AnyCmpi) -> str:
    """The name of a comparison's predicate: "eq", "ne", "slt", ..., "uge"."""
    return arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]


def is_unsigned(op: vec.AnyCmpi) -> bool | None:
    """Whether a comparison reads its operands as unsigned; None where it reads bits only."""
    name = predicate_of(op)
    return None if name in ("eq", "ne") else name.startswith("u")
