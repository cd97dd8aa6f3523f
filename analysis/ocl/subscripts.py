"""Indices into arrays inside of larger objects: a member of a structure, a row of an array.

The bounds of the whole object do not show that `s.b[3]` is after the end of `b`, and nor does an
address. The operations that compute the pointer do: they lead back to the array's member or row.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl.memory import pointer_type


@dataclass(frozen=True)
class Subscript:
    """An index into an array of `limit` elements: the sum of the values, each times its factor."""

    terms: tuple[tuple[SSAValue, int], ...]
    width: int
    """The number of elements that are accessed from there on."""
    limit: int
    what: str


def subscripts(op: Operation) -> tuple[Subscript, ...]:
    """The bounded indices of an access, from the innermost array to the outermost.

    An array of arrays that is entered at its first element counts as one long array, since many
    programs use `int *p = &a[0][0]; p[i]`.
    """
    if not isinstance(op, ocl.LoadOp | ocl.StoreOp | ocl.VLoadOp | ocl.VStoreOp):
        return ()
    result: list[Subscript] = []
    width = 1
    if isinstance(op, ocl.VLoadOp | ocl.VStoreOp):
        type = op.result.type if isinstance(op, ocl.VLoadOp) else op.value.type
        assert isinstance(type, VectorType)
        width = type.element_count()
    terms: list[tuple[SSAValue, int]] = [] if op.index is None else [(op.index, width)]
    limit: int | None = None
    value: SSAValue = op.pointer
    while True:
        owner = value.owner
        if isinstance(owner, ocl.OffsetOp):
            if limit is not None:
                # The array is an element of another one, and not the first.
                result.append(Subscript(tuple(terms), width, limit, "a row of the array"))
                terms, limit, width = [], None, 1
            terms.append((owner.index, 1))
            value = owner.pointer
        elif isinstance(owner, ocl.CastOp):
            outer, inner = pointer_type(owner.pointer).pointee, pointer_type(value).pointee
            if isinstance(outer, ocl.ArrayType) and outer.element == inner:
                limit = outer.size.data * (1 if limit is None else limit)
            elif outer != inner:
                return tuple(result)
            value = owner.pointer
        elif isinstance(owner, ocl.MemberOp):
            if limit is not None and not _is_flexible(owner):
                what = f"member '{owner.field.data}'"
                result.append(Subscript(tuple(terms), width, limit, what))
            terms, limit, width = [], None, 1
            value = owner.pointer
        else:
            # The object itself: its bounds are those of its memory.
            return tuple(result)


def _is_flexible(op: ocl.MemberOp) -> bool:
    """Whether the member is a flexible array: the last of its structure, with one element."""
    record = pointer_type(op.pointer).pointee
    member = pointer_type(op.result).pointee
    assert isinstance(record, ocl.StructType | ocl.UnionType)
    assert isinstance(member, ocl.ArrayType)
    return member.size.data <= 1 and record.fields[-1][0] == op.field.data
