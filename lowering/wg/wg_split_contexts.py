"""`wg-split-contexts`: pairs that are kept over barriers have a context array for each element."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import vector
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from polycl.dialects import ocl, wg
from polycl.dialects.inside import functions_of, operations_of
from polycl.dialects.vec import count_of
from polycl.lowering.build import Build

WHOLE = 4
"""A whole pair that is loaded or stored counts as so many elements."""


@dataclass(frozen=True)
class WgSplitContextsPass(ModulePass):
    """Give each element of a pair a context array of its own.

    ```
    %c = wg.context : !wg.context<vector<2xf32>>       %c0 = wg.context : !wg.context<f32>
    wg.parallel (%x, %y, %z) in ... {                  %c1 = wg.context : !wg.context<f32>
      %v = wg.get %c[%x, %y, %z]                  ->   wg.parallel (%x, %y, %z) in ... {
      %s = vector.extract %v[0]                          %s = wg.get %c0[%x, %y, %z]
    ```

    The elements of neighbours then are neighbours in memory, and vectors of work-items need no
    shuffles. This is so for pairs, as complex numbers are, of which a function extracts and inserts
    far more elements than it loads and stores whole pairs: those lie in memory one after the other
    anyway. Vectors of four stay: sums of products of rows of them take less time. An array that
    then only has what another one has, since a region changed other elements, is that one.
    """

    name = "wg-split-contexts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of(op, wg.FuncOp):
            contexts = operations_of(function.body, wg.ContextOp)
            types = _by_element(function) if contexts else set[Attribute]()
            for context in contexts:
                uses = [use.operation for use in context.result.uses]
                known = all(isinstance(user, wg.GetOp | wg.PutOp) for user in uses)
                if known and context.result.type.element in types:
                    _split(context)
            for context in operations_of(function.body, wg.ContextOp):
                _forward(context)


def _by_element(function: wg.FuncOp) -> set[Attribute]:
    """The types of pairs whose elements are accessed more often than whole ones."""
    found: Counter[Attribute] = Counter()
    for op in operations_of(function.body, vector.ExtractOp, vector.InsertOp):
        if not op.dynamic_position:
            found[op.operands[-1].type] += 1
    for op in operations_of(function.body, ocl.LoadOp, ocl.StoreOp, ocl.VLoadOp, ocl.VStoreOp):
        value = op.result if isinstance(op, ocl.LoadOp | ocl.VLoadOp) else op.value
        found[value.type] -= WHOLE
    return {type for type, count in found.items() if count > 0 and count_of(type) == 2}


def _split(context: wg.ContextOp) -> None:
    type = context.result.type.element
    assert isinstance(type, VectorType)
    build = Build(context)
    parts: list[SSAValue] = []
    for _ in range(type.element_count()):
        parts.append(build.emit(wg.ContextOp(type.element_type)))
        parts[-1].name_hint = context.result.name_hint
    for use in list(context.result.uses):
        op = use.operation
        build = Build(op)
        if isinstance(op, wg.GetOp):
            elements = [build.emit(wg.GetOp(part, op.ids)) for part in parts]
            for user in [use.operation for use in op.result.uses]:
                if isinstance(user, vector.ExtractOp) and not user.dynamic_position:
                    position = user.static_position.get_values()[0]
                    Rewriter.replace_op(user, [], [elements[position]])
            Rewriter.replace_op(op, [], [build.joined(elements)])
        elif isinstance(op, wg.PutOp):
            for position, part in enumerate(parts):
                build.emit_void(wg.PutOp(_element(build, op.value, position), part, op.ids))
            Rewriter.erase_op(op)
    Rewriter.erase_op(context)


def _element(build: Build, value: SSAValue, position: int) -> SSAValue:
    """An element of a vector: what was inserted there, if that is known."""
    while isinstance(op := value.owner, vector.InsertOp) and not op.dynamic_position:
        if op.static_position.get_values() == (position,):
            return op.source
        value = op.dest
    return build.element(value, position)


def _forward(context: wg.ContextOp) -> None:
    """Replace an array that is a copy of another one, where both are written once."""
    put = _only_put(context)
    if put is None or not isinstance(get := put.value.owner, wg.GetOp):
        return
    source = get.context.owner
    assert isinstance(source, wg.ContextOp)
    is_same = list(get.ids) == list(put.ids) and _only_put(source) is not None
    if not is_same or get.parent_op() is not put.parent_op():
        return
    Rewriter.erase_op(put)
    Rewriter.replace_op(context, [], [source.result])
    if get.result.first_use is None:
        Rewriter.erase_op(get)


def _only_put(context: wg.ContextOp) -> wg.PutOp | None:
    """The only operation that writes an array, if it runs once: in no loop, and in no branch."""
    users = [use.operation for use in context.result.uses]
    puts = [user for user in users if isinstance(user, wg.PutOp)]
    if len(puts) != 1 or not all(isinstance(user, wg.GetOp | wg.PutOp) for user in users):
        return None
    region = puts[0].parent_op()
    is_whole = isinstance(region, wg.ParallelOp) and isinstance(region.parent_op(), wg.FuncOp)
    return puts[0] if is_whole else None
