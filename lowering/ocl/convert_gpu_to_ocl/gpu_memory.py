"""The memrefs of one function: the definition of each, and access to its elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.dialects import arith, func, gpu, memref
from xdsl.dialects.builtin import IndexType, MemRefType, i1, i8, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from polycl.dialects import ocl
from polycl.errors import error_at
from polycl.lowering.ocl.convert_gpu_to_ocl.gpu_types import address_space, stored_type
from polycl.lowering.ocl.convert_gpu_to_ocl.memref_views import Number, View, ViewBuild, layout

ViewMaker: TypeAlias = "Callable[[Any, Memory], View]"


@dataclass(frozen=True)
class Scope:
    """The module around a function: what the symbols in it mean."""

    functions: Mapping[str, func.FuncOp | gpu.FuncOp]
    globals: Mapping[str, memref.GlobalOp]
    symbols: Mapping[str, str]
    """The unique name of each symbol in the converted module."""


class Memory:
    """The memrefs of one function while it is converted."""

    def __init__(
        self,
        entry: Block,
        makers: Mapping[type[Operation], ViewMaker],
        scope: Scope,
        *,
        is_kernel: bool,
    ):
        self.entry = entry
        self.scope = scope
        self._makers = makers
        self._is_kernel = is_kernel
        self._views: dict[SSAValue, View] = {}
        self._local_globals: dict[str, View] = {}
        self.replaced: list[Operation] = []
        """Operations whose results are memrefs: erased when they have no uses left."""

    def define(self, value: SSAValue, view: View) -> None:
        self._views[value] = view

    def view(self, value: SSAValue, user: Operation) -> View:
        """The view that the memref `value` is converted to.

        Raises:
            PolyclError: at `user`: `value` is the result of an operation that has no translation.
        """
        if value not in self._views:
            owner = value.owner
            maker = self._makers.get(type(owner)) if isinstance(owner, Operation) else None
            if maker is None or isinstance(owner, Block):
                what = "a block argument" if isinstance(owner, Block) else f"'{owner.name}'"
                raise error_at(
                    user,
                    f"'{user.name}' uses a memref that is the result of {what}; expected one that "
                    "is known where it is used: a parameter, an attribution, memref.alloca, "
                    "memref.subview, ...",
                )
            self._views[value] = maker(owner, self)
            self.replaced.append(owner)
        return self._views[value]

    def allocate(
        self, op: Operation, type: MemRefType, default: ocl.AddressSpace, name: str
    ) -> View:
        """New memory of `type`, private or local.

        Raises:
            PolyclError: at `op`: the size is not known, or the address space is another one.
        """
        space = address_space(op, type, default)
        if any(size < 0 for size in type.get_shape()):
            raise error_at(
                op, f"'{op.name}' of {type}: expected a size that is known at compile time"
            )
        if space is ocl.AddressSpace.LOCAL and not self._is_kernel:
            raise error_at(op, f"'{op.name}': workgroup memory belongs into a kernel")
        if space not in (ocl.AddressSpace.PRIVATE, ocl.AddressSpace.LOCAL):
            raise error_at(
                op,
                f"'{op.name}' in {space.value} memory; a kernel allocates private memory "
                "(memref.alloca) and workgroup memory only",
            )
        offset, strides = layout(op, type)
        if offset is None or (strides is not None and None in strides):
            raise error_at(op, f"'{op.name}' of {type}: expected a layout known at compile time")
        # It lives as long as the function, so it is allocated at the beginning.
        emitter = ViewBuild(op, InsertPoint.at_start(self.entry))
        sizes = type.get_shape()
        steps = [s for s in strides or () if s is not None]
        if strides is None:
            steps = [int(s) for s in emitter.row_major(sizes) if isinstance(s, int)]
        if any(step < 0 for step in steps):
            raise error_at(op, f"'{op.name}' of {type}: expected strides that are not negative")
        span = sum((n - 1) * s for n, s in zip(sizes, steps, strict=True))
        count = 0 if 0 in sizes else offset + 1 + span
        element = stored_type(op, type.element_type)
        allocation = ocl.LocalAllocOp if space is ocl.AddressSpace.LOCAL else ocl.AllocaOp
        allocated = allocation(ocl.ArrayType(max(count, 1), element))
        cast = ocl.CastOp(allocated.results[0], ocl.PtrType(element, space))
        emitter.emit_void(cast)
        ViewBuild(op, InsertPoint.before(cast)).emit(allocated).name_hint = name
        cast.result.name_hint = name
        return View(cast.result, offset, sizes, tuple(steps))

    def global_memory(self, name: str, allocate: Callable[[], View]) -> View:
        """The local memory of the `memref.global` `name`: one for the function."""
        if name not in self._local_globals:
            self._local_globals[name] = allocate()
        return self._local_globals[name]


def read(emitter: ViewBuild, view: View, index: Number, type: Attribute) -> SSAValue:
    """The element of `view` at linear `index` as a value of `type`."""
    stored = emitter.emit(ocl.LoadOp(view.pointer, _index(emitter, index)))
    if type == IndexType():
        return emitter.as_index(stored)
    if type == i1:
        zero = emitter.constant(0, i8)
        return emitter.compare("ne", stored, zero)
    return stored


def write(emitter: ViewBuild, value: SSAValue, view: View, index: Number) -> None:
    """Store `value` as the element of `view` at linear `index`."""
    if value.type == IndexType():
        value = emitter.index_cast(value, i64)
    elif value.type == i1:
        value = emitter.emit(arith.ExtUIOp(value, i8))
    emitter.emit_void(ocl.StoreOp(value, view.pointer, _index(emitter, index)))


def _index(emitter: ViewBuild, index: Number) -> SSAValue | None:
    return None if index == 0 else emitter.value(index)
