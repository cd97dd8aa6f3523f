"""`outline-host-code`: loops of the host become functions, which are compiled as kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, UnitAttr, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from polycl.analysis.ocl.module_parts import is_host_function
from polycl.dialects.ocl.attributes import is_scalar, is_vector

OUTLINED = "gpu.kernel"
"""Attribute of the functions, which `convert-gpu-to-ocl` turns into kernels."""

_PURE = ("arith", "math", "scf", "vec", "vector", "ub")
_MEMORY = (memref.LoadOp, memref.StoreOp, memref.CopyOp, memref.DimOp, memref.CastOp)


@dataclass(frozen=True)
class OutlineHostCodePass(ModulePass):
    """Make a function of each stretch of host code that has loops or branches, but no commands.

    ```
    scf.for %i = %c0 to %n step %c1 {         func.call @main_0(%x, %n) : ...
      memref.store %zero, %x[%i] : ..     ->  ...
    }                                         func.func private @main_0(..) attributes {gpu.kernel}
    ```

    Results that are numbers are stored to arrays of one element. The runtime compiles these
    functions as kernels of one work-item, so that the host's loops are native code.
    """

    name = "outline-host-code"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.ops if isinstance(f, func.FuncOp) and is_host_function(f)]:
            _Outliner(op, function).run()


class _Outliner:
    def __init__(self, module: ModuleOp, function: func.FuncOp):
        self._module = module
        self._function = function
        self._taken = {f.sym_name.data for f in module.ops if isinstance(f, func.FuncOp)}

    def run(self) -> None:
        self._region(self._function.body)

    def _region(self, region: Region) -> None:
        for block in region.blocks:
            stretch: list[Operation] = []
            for op in list(block.ops):
                if not op.has_trait(IsTerminator) and all(map(_is_pure, op.walk())):
                    stretch.append(op)
                    continue
                self._outline(stretch)
                stretch = []
                for inner in op.regions:
                    self._region(inner)
            self._outline(stretch)

    def _outline(self, ops: Sequence[Operation]) -> None:
        """A function of `ops`, from the first that has a region to the last one."""
        places = [index for index, op in enumerate(ops) if op.regions]
        if not places:
            return
        ops = ops[places[0] : places[-1] + 1]
        results = [r for op in ops for r in op.results if _is_used_behind(r, ops)]
        if not all(_is_number(r.type) for r in results):
            # The results are arrays that following operations use.
            for op in ops if len(ops) > 1 else ():
                self._outline([op])
            return
        captured = _captured(ops)
        function = self._make(ops, captured, results)
        cells = [memref.AllocaOp.get(r.type, shape=[1]) for r in results]
        call = func.CallOp(
            function.sym_name.data, [*captured, *(cell.memref for cell in cells)], []
        )
        place = InsertPoint.before(ops[0])
        self._insert([*cells, call], place, ops[0])
        for result, cell in zip(results, cells, strict=True):
            zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
            load = memref.LoadOp.get(cell, [zero])
            self._insert([zero, load], place, ops[0])
            result.replace_all_uses_with(load.results[0])
        for op in reversed(ops):
            Rewriter.erase_op(op)

    def _make(
        self, ops: Sequence[Operation], captured: Sequence[SSAValue], results: Sequence[SSAValue]
    ) -> func.FuncOp:
        """The function; constants from outside are repeated in it."""
        number = 0
        while (name := f"{self._function.sym_name.data}_{number}") in self._taken:
            number += 1
        self._taken.add(name)
        cells = [MemRefType(r.type, [1]) for r in results]
        block = Block(arg_types=[*(value.type for value in captured), *cells])
        known: dict[SSAValue, SSAValue] = {}
        for argument, value in zip(block.args, [*captured, *results], strict=True):
            argument.name_hint = value.name_hint
        known.update(zip(captured, block.args, strict=False))
        for constant in _constants(ops):
            block.add_op(constant.clone(known))
        for op in ops:
            block.add_op(op.clone(known))
        for result, cell in zip(results, block.args[len(captured) :], strict=True):
            zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
            block.add_ops([zero, memref.StoreOp.get(known[result], cell, [zero])])
        block.add_op(func.ReturnOp())
        function = func.FuncOp(name, (block.arg_types, []), Region(block), "private")
        function.attributes[OUTLINED] = UnitAttr()
        self._insert([function], InsertPoint.after(self._function), ops[0])
        return function

    def _insert(self, ops: Sequence[Operation], place: InsertPoint, source: Operation) -> None:
        for op in ops:
            op.location = source.location
            Rewriter.insert_op(op, place)


def _is_pure(op: Operation) -> bool:
    return op.name.partition(".")[0] in _PURE or isinstance(op, _MEMORY)


def _is_number(type: Attribute) -> bool:
    return isinstance(type, IndexType) or type == i1 or is_scalar(type) or is_vector(type)


def _is_used_behind(value: SSAValue, ops: Sequence[Operation]) -> bool:
    return any(not any(op.is_ancestor(use.operation) for op in ops) for use in value.uses)


def _outside_operands(ops: Sequence[Operation]) -> list[SSAValue]:
    """The values from outside that the operations use, each once."""
    inner: set[SSAValue] = set()
    found: dict[SSAValue, None] = {}
    for op in ops:
        for nested in op.walk():
            inner.update(nested.results)
            inner.update(a for region in nested.regions for b in region.blocks for a in b.args)
    for op in ops:
        for nested in op.walk():
            found.update((operand, None) for operand in nested.operands if operand not in inner)
    return list(found)


def _captured(ops: Sequence[Operation]) -> list[SSAValue]:
    return [v for v in _outside_operands(ops) if not isinstance(v.owner, arith.ConstantOp)]


def _constants(ops: Sequence[Operation]) -> list[arith.ConstantOp]:
    return [v.owner for v in _outside_operands(ops) if isinstance(v.owner, arith.ConstantOp)]
