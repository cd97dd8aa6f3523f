"""The pass `poly-print`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polycl.analysis.poly.model import Access, model_of
from polycl.dialects.poly import (
    AssumeOp,
    CodeletOp,
    DispatchOp,
    KernelOp,
    MapAttr,
    SetAttr,
    SubkernelOp,
)
from polycl.errors import location_of


@dataclass(frozen=True)
class PolyPrintPass(ModulePass):
    """Print each `poly.kernel` to stderr, with the labels of Polly; the module is not changed.

    ```
    Kernel: @copy_0
    Context:
        [G0, L0] -> { : G0 >= 0 and L0 > 0 }
    Statements {
        Stmt_0 (copy.cl:3:3)
            Domain :=
                [G0, L0, n] -> { R[x] : 0 <= x < L0 and x < n - G0 }
            ReadAccess :=
                [G0] -> { R[x] -> in[G0 + x] }
            MustWriteAccess :=
                [G0] -> { R[x] -> out[G0 + x] }
    }
    ```

    A statement is a block with accesses. An address that is not affine is a sum: each line but the
    first begins with a uniform factor, as `+ width *`. An over-approximated write is a
    `MayWriteAccess`; an unknown element is `in[i]`, for any `i`. After `poly-split`, the subkernels
    follow, with the domain and the class of each codelet.
    """

    name = "poly-print"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.walk():
            if isinstance(kernel, KernelOp):
                print("\n".join(described(kernel)), file=sys.stderr)


def described(kernel: KernelOp) -> Iterator[str]:
    """The lines that `poly-print` prints for a kernel."""
    yield f"Kernel: @{kernel.sym_name.data}"
    yield "Context:"
    yield f"    {kernel.context.data}"
    assumed = [op.set.data for op in kernel.body.block.ops if isinstance(op, AssumeOp)]
    if assumed:
        yield "Assumed Context:"
        yield from (f"    {text}" for text in assumed)
    codelets = [op for op in kernel.walk() if isinstance(op, CodeletOp)]
    statements: dict[Block | None, list[Access]] = {}
    for access in model_of(kernel, codelets[0].body if codelets else None).accesses:
        statements.setdefault(access.op.parent, []).append(access)
    yield "Statements {"
    for number, accesses in enumerate(statements.values()):
        place = location_of(accesses[0].op)
        yield f"    Stmt_{number}" + (f" ({':'.join(map(str, place))})" if place else "")
        yield "        Domain :="
        domain = accesses[0].domain.gist_params(kernel.known)
        yield f"            {SetAttr.of(domain.coalesce()).data}"
        for access in accesses:
            yield f"        {_label(access)} :="
            for line in _elements(access):
                yield f"            {line}"
    yield "}"
    for op in kernel.body.block.ops:
        if isinstance(op, SubkernelOp):
            yield from _described_subkernel(op)
        elif isinstance(op, DispatchOp):
            names = ", ".join(f"@{symbol.string_value()}" for symbol in op.subkernels)
            yield f"Dispatch: {names}"


def _label(access: Access) -> str:
    if access.direction == "read":
        return "ReadAccess"
    return "MustWriteAccess" if access.is_exact and access.index is not None else "MayWriteAccess"


def _elements(access: Access) -> Iterator[str]:
    """The accessed elements, a line for each term of the index."""
    if access.index is None:
        element = isl.Set.read_from_str(access.domain.get_ctx(), f"{{ {access.array}[i] }}")
        anything = isl.Map.from_domain_and_range(
            isl.Set.universe(access.domain.get_space()), element
        )
        yield MapAttr.of(anything).data
        return
    for monomial, coefficient in access.index.attribute().terms:
        elements = isl.Map.from_pw_aff(coefficient.isl)
        elements = elements.set_tuple_name(isl.dim_type.out, access.array)
        factor = "".join(f"{name} * " for name in monomial)
        yield ("+ " if factor else "") + factor + MapAttr.of(elements).data


def _described_subkernel(subkernel: SubkernelOp) -> Iterator[str]:
    yield (
        f"Subkernel: @{subkernel.sym_name.data}, along {subkernel.along.value.data}, "
        f"width {subkernel.width.value.data}"
    )
    yield "    Domain :="
    yield f"        {subkernel.domain.data}"
    if subkernel.score is not None:
        yield "    Score :="
        yield f"        {subkernel.score}"
    yield "    Codelets {"
    for codelet in subkernel.codelets:
        known = codelet.class_
        yield (
            f"        lanes {codelet.lanes.value.data}, tile = {known.tile.data}, "
            f"mem = {known.mem.data}, ctl = {known.ctl.data}"
        )
        yield "            Domain :="
        yield f"                {codelet.domain.data}"
    yield "    }"
