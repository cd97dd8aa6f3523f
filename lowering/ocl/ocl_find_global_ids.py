"""`ocl-find-global-ids`: sums of group and local ids that are global ids read these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.analysis.ocl.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.effects import is_side_effect_free
from polycl.dialects.inside import functions_of, operations_in
from polycl.dialects.ocl.kernel import NON_UNIFORM
from polycl.lowering.build import Build

_MOST_TERMS = 8
"""Of a sum in which ids are looked for."""
_CASTS = (arith.IndexCastOp, arith.TruncIOp, arith.ExtSIOp, arith.ExtUIOp)
_PRODUCTS = ("s_mul24", "u_mul24")
_PRODUCTS_AND_SUMS = ("s_mad24", "u_mad24")

Sizes = Mapping[int, int]
"""The local size along each dimension, where it is known."""


@dataclass(frozen=True)
class OclFindGlobalIdsPass(ModulePass):
    """Read the global id in place of the sum of a local id and the first one of the group.

    ```
    %g = ocl.group_id 0 : index                      %i = ocl.global_id 0 : index
    %n = ocl.local_size 0 : index                    %o = ocl.global_offset 0 : index
    %0 = arith.muli %g, %n : index            ->     %s = arith.subi %i, %o : index
    %l = ocl.local_id 0 : index
    %s = arith.addi %0, %l : index
    ```

    Also with `mul24` and `mad24`, a shift, or a number that `reqd_work_group_size` makes the local
    size, in integers of 32 and 64 bits, and with other terms in the sum. The number of groups times
    their size is the global size. Queries that nothing reads any more are removed.

    Ids fit 32 bits as signed numbers: this is not for launches with wide ids. In kernels whose last
    groups may be smaller, only `get_enqueued_local_size` is the distance of groups.
    """

    name = "ocl-find-global-ids"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = functions_of(op, ocl.KernelOp)
        all_uniform = all(NON_UNIFORM not in kernel.attributes for kernel in kernels)
        for kernel in kernels:
            find_global_ids(kernel, NON_UNIFORM not in kernel.attributes)
        for function in functions_of(op, FuncOp):
            find_global_ids(function, all_uniform)


def find_global_ids(function: ocl.KernelOp | FuncOp, is_uniform: bool) -> None:
    """Rewrite the sums of one function; `is_uniform` says that all groups have the same size."""
    found = _Finder(function, is_uniform)
    for op in operations_in(function.body):
        found.rewrite(op)
    for op in reversed(operations_in(function.body)):
        unused = all(result.first_use is None for result in op.results)
        if unused and op.results and not op.regions and is_side_effect_free(op):
            Rewriter.erase_op(op)


class _Finder:
    def __init__(self, function: ocl.KernelOp | FuncOp, is_uniform: bool):
        self._is_uniform = is_uniform
        self._is_kernel = isinstance(function, ocl.KernelOp)
        required = function.required_size if isinstance(function, ocl.KernelOp) else None
        self._sizes: Sizes = dict(enumerate(required)) if required is not None else {}

    def rewrite(self, op: Operation) -> None:
        match op:
            case ocl.BuiltinOp(arguments=[x, y, z]) if op.function.data in _PRODUCTS_AND_SUMS:
                if self._first_of_group(x, y) is not None:
                    build = Build(op)
                    sum = build.add(build.mul(x, y), z)
                    Rewriter.replace_op(op, [], [sum])
                    assert isinstance(sum.owner, arith.AddiOp)
                    self._sum(sum.owner)
            case arith.AddiOp() if _is_wide(op.result):
                self._sum(op)
            # A kernel that calls a function may run in groups that are more than the global size.
            case arith.MuliOp() | ocl.BuiltinOp() if self._is_kernel and _is_wide(op.results[0]):
                self._global_size(op)
            case _:
                pass

    def _sum(self, op: arith.AddiOp) -> None:
        terms = _terms(op.result)
        local = {d: t for t in terms if (d := _dimension(t, ocl.LocalIdOp)) is not None}
        for group in terms:
            dimension = self._first_of_group_in(group)
            if dimension is None or dimension not in local:
                continue
            build = Build(op)
            id, start = ocl.GlobalIdOp(dimension), ocl.GlobalOffsetOp(dimension)
            value = build.sub(build.emit(id), build.emit(start))
            value = build.index_cast(value, op.result.type)
            terms.remove(group)
            terms.remove(local[dimension])
            for term in terms:
                value = build.add(value, term)
            value.name_hint = op.result.name_hint
            Rewriter.replace_op(op, [], [value])
            return

    def _global_size(self, op: Operation) -> None:
        factors = _factors(op)
        if factors is None or not self._is_uniform:
            return
        for groups, size in (factors, factors[::-1]):
            dimension = _dimension(groups, ocl.NumGroupsOp)
            if dimension is not None and self._is_local_size(size, dimension):
                build = Build(op)
                whole = build.emit(ocl.GlobalSizeOp(dimension))
                value = build.index_cast(whole, op.results[0].type)
                value.name_hint = op.results[0].name_hint
                Rewriter.replace_op(op, [], [value])
                return

    def _first_of_group_in(self, value: SSAValue) -> int | None:
        """The dimension in which `value` is a group's first id without the offset."""
        op = _origin(value).owner
        if isinstance(op, arith.ShLIOp):
            dimension = _dimension(op.lhs, ocl.GroupIdOp)
            bits = constant_value(op.rhs)
            if dimension is None or bits is None or not 0 <= bits < 31:
                return None
            return dimension if self._sizes.get(dimension) == 1 << bits else None
        factors = _factors(op) if isinstance(op, Operation) else None
        return None if factors is None else self._first_of_group(*factors)

    def _first_of_group(self, x: SSAValue, y: SSAValue) -> int | None:
        for group, size in ((x, y), (y, x)):
            dimension = _dimension(group, ocl.GroupIdOp)
            if dimension is not None and self._is_local_size(size, dimension):
                return dimension
        return None

    def _is_local_size(self, value: SSAValue, dimension: int) -> bool:
        value = _origin(value)
        number = constant_value(value)
        if number is not None:
            return self._sizes.get(dimension) == number
        match value.owner:
            case ocl.EnqueuedLocalSizeOp():
                return value.owner.dimension == dimension
            case ocl.LocalSizeOp():
                return self._is_uniform and value.owner.dimension == dimension
            case _:
                return False


def _terms(value: SSAValue) -> list[SSAValue]:
    """The terms of a sum in one type, in order; the sum itself if there are many."""
    terms, waiting = [], [value]
    while waiting:
        term = waiting.pop()
        if isinstance(term.owner, arith.AddiOp):
            waiting += [term.owner.rhs, term.owner.lhs]
        else:
            terms.append(term)
        if len(terms) + len(waiting) > _MOST_TERMS:
            return [value]
    return terms


def _factors(op: Operation) -> tuple[SSAValue, SSAValue] | None:
    match op:
        case arith.MuliOp(lhs=x, rhs=y):
            return x, y
        case ocl.BuiltinOp(arguments=[x, y]) if op.function.data in _PRODUCTS:
            return x, y
        case _:
            return None


def _dimension(value: SSAValue, kind: type[ocl.DimensionQuery]) -> int | None:
    op = _origin(value).owner
    return op.dimension if isinstance(op, kind) else None


def _origin(value: SSAValue) -> SSAValue:
    """What was cast to `value`; casts to less than 32 bits stay."""
    while isinstance(value.owner, _CASTS) and _is_wide(value):
        value = value.owner.input
    return value


def _is_wide(value: SSAValue) -> bool:
    type = value.type
    return isinstance(type, IndexType) or isinstance(type, IntegerType) and type.width.data >= 32
