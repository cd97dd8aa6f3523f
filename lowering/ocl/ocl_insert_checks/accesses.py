"""The accesses of a kernel: what they read or write, and in which object."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl import AddressSpace
from polycl.dialects.ocl.layout import align_of, size_of
from polycl.dialects.ocl.memory import space_of
from polycl.errors import error_at
from polycl.lowering.ocl.ocl_insert_checks.addresses import AnyAccess, Roots

ACCESSES = (
    ocl.LoadOp,
    ocl.StoreOp,
    ocl.VLoadOp,
    ocl.VStoreOp,
    ocl.AtomicRMWOp,
    ocl.AtomicCmpXchgOp,
)

READ, WRITE, UPDATE = 1, 2, 4

SHARED = (AddressSpace.GLOBAL, AddressSpace.LOCAL)


Aliases: TypeAlias = tuple[tuple[int, int], ...]
"""Arguments that are the same array as an earlier one: the positions of both."""


def accesses_of(kernel: ocl.KernelOp, aliases: Aliases = ()) -> list[Access]:
    """All accesses in order. Of arguments that are the same array, the first is the object.

    Raises:
        PolyclError: located: the object of one is not known.
    """
    roots = Roots()
    arguments = kernel.args
    same: dict[SSAValue, SSAValue] = {
        arguments[later]: arguments[first] for later, first in aliases
    }
    found = (_access_of(op, roots) for op in operations_of(kernel.body, *ACCESSES))
    return [replace(access, root=same.get(access.root, access.root)) for access in found]


@dataclass(frozen=True)
class Access:
    op: AnyAccess
    root: SSAValue
    type: Attribute
    """What is read or written."""
    size: int
    align: int
    kind: int
    granule: int
    """The bytes of what may be accessed on its own."""

    @property
    def is_shared(self) -> bool:
        return space_of(self.root) in SHARED

    @property
    def is_local(self) -> bool:
        return space_of(self.root) is AddressSpace.LOCAL


def _access_of(op: AnyAccess, roots: Roots) -> Access:
    root = roots.of(op.pointer)
    if root is None:
        raise error_at(
            op,
            "a pointer to one of several objects, or from memory, is checked by the "
            "interpreter only",
        )
    type = op.value.type if isinstance(op, ocl.StoreOp | ocl.VStoreOp) else op.result.type
    match op:
        case ocl.VLoadOp() | ocl.VStoreOp():
            assert isinstance(type, VectorType)
            element = size_of(type.element_type)
            size, align = type.element_count() * element, element
        case _:
            size, align = size_of(type), align_of(type)
            element = size_of(type.element_type) if isinstance(type, VectorType) else size
    match op:
        case ocl.LoadOp() | ocl.VLoadOp():
            kind = READ
        case ocl.StoreOp() | ocl.VStoreOp():
            kind = WRITE
        case _:
            kind = UPDATE
    if isinstance(type, ocl.StructType | ocl.UnionType | ocl.ArrayType):
        element = align
    return Access(op, root, type, size, align, kind, element)


def depends_on_memory(op: Operation) -> bool:
    """Whether an atomic does more than set a value."""
    if isinstance(op, ocl.AtomicRMWOp):
        return op.kind.data is not ocl.AtomicKind.XCHG
    return isinstance(op, ocl.AtomicCmpXchgOp)
