"""SSA values that become one C variable.

An argument of a loop and its result are one variable. Where the live ranges allow it, the initial
value and the value carried to the next iteration are in that variable too, and the results of an
`scf.if` share one with the values that its branches yield. All other values are copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects import scf, vector
from xdsl.ir import Block, Operation, Region, SSAValue

from polycl.analysis.ocl.terminators import condition_of, terminator
from polycl.backends.opencl_c.folding import Folding
from polycl.dialects import ocl


class Variables:
    """The classes of values of one function.

    `same_type` tells whether two values have the same type in C.
    """

    def __init__(
        self, body: Block, folding: Folding, same_type: Callable[[SSAValue, SSAValue], bool]
    ):
        self._folding = folding
        self._same_type = same_type
        self._members: dict[SSAValue, list[SSAValue]] = {}
        self._class: dict[SSAValue, SSAValue] = {}
        self._conflicts: dict[SSAValue, set[SSAValue]] = {}
        self._wanted: list[tuple[SSAValue, SSAValue]] = []
        self._candidates: set[SSAValue] = set()
        self._free: dict[Region, frozenset[SSAValue]] = {}
        self._collect(body)
        self._walk(body, set())
        for a, b in self._wanted:
            self._merge(a, b)

    def of(self, value: SSAValue) -> SSAValue:
        """The representative of the values that share a variable with `value`."""
        return self._class.get(value, value)

    def members(self, value: SSAValue) -> Sequence[SSAValue]:
        return self._members.get(self.of(value), [value])

    def _collect(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case scf.ForOp():
                    arguments = op.body.block.args[1:]
                    for argument, result in zip(arguments, op.res, strict=True):
                        self._unite(argument, result)
                    self._want(zip(arguments, terminator(op.body.block).operands, strict=True))
                    self._want(zip(arguments, op.iter_args, strict=True))
                case scf.WhileOp():
                    before, after = op.before_region.block, op.after_region.block
                    for argument, result in zip(after.args, op.res, strict=True):
                        self._unite(argument, result)
                    self._want(zip(after.args, condition_of(op).args, strict=True))
                    self._want(zip(before.args, terminator(after).operands, strict=True))
                    self._want(zip(before.args, op.arguments, strict=True))
                case _ if op in self._folding.choices:
                    continue
                case scf.IfOp() | scf.IndexSwitchOp() | scf.ExecuteRegionOp():
                    for region in op.regions:
                        if region.blocks and isinstance(region.block.last_op, scf.YieldOp):
                            self._want(zip(op.results, region.block.last_op.operands, strict=True))
                case ocl.InsertOp():
                    self._want([(op.result, op.struct)])
                case vector.InsertOp():
                    self._want([(op.result, op.dest)])
                case _ if len(op.results) == 1 and op.results[0].name_hint is not None:
                    # `x = f(x)` in the source.
                    result = op.results[0]
                    leaves = self._folding.operand_leaves(op)
                    same = [leaf for leaf in leaves if leaf.name_hint == result.name_hint]
                    self._want((result, leaf) for leaf in same)
                case _:
                    pass
            for region in op.regions:
                for inner in region.blocks:
                    self._collect(inner)

    def _want(self, pairs: Iterable[tuple[SSAValue, SSAValue]]) -> None:
        for target, source in pairs:
            self._candidates.add(target)
            if self._folding.leaves(source) == (source,) and source.type == target.type:
                self._candidates.add(source)
                self._wanted.append((target, source))
            elif self._folding.is_folded(source):
                self._candidates.add(source)

    def _unite(self, a: SSAValue, b: SSAValue) -> None:
        self._candidates |= {a, b}
        root, other = self.of(a), self.of(b)
        if root is other:
            return
        members = self._members.setdefault(root, [root])
        for member in self._members.pop(other, [other]):
            self._class[member] = root
            members.append(member)

    def _merge(self, a: SSAValue, b: SSAValue) -> None:
        root, other = self.of(a), self.of(b)
        if root is other or not self._same_type(a, b):
            return
        hints = {v.name_hint for r in (root, other) for v in self.members(r)} - {None}
        if len(hints) > 1:
            # Two variables of the source.
            return
        others = set(self.members(other))
        if any(self._conflicts.get(m, set()) & others for m in self.members(root)):
            return
        self._unite(root, other)

    def _write(self, value: SSAValue, live: Iterable[SSAValue]) -> None:
        """Record that `value` is written while `live` are live."""
        if value not in self._candidates:
            return
        for other in live:
            if other is not value and other in self._candidates:
                self._conflicts.setdefault(value, set()).add(other)
                self._conflicts.setdefault(other, set()).add(value)

    def _walk(self, block: Block, live: set[SSAValue]) -> set[SSAValue]:
        """The live values before `block`, if `live` are those after it."""
        live = set(live)
        for op in reversed(list(block.ops)):
            match op:
                case _ if op in self._folding.folded:
                    continue
                case scf.ForOp():
                    live = self._for(op, live)
                case scf.WhileOp():
                    live = self._while(op, live)
                case _:
                    live = self._branches(op, live)
        return live

    def _branches(self, op: Operation, live: set[SSAValue]) -> set[SSAValue]:
        """An operation whose regions, if it has any, are alternatives."""
        for result in op.results:
            self._write(result, live)
        after = live - set(op.results)
        regions = [] if op in self._folding.choices else [r for r in op.regions if r.blocks]
        before = set[SSAValue]() if regions and len(regions) == len(op.regions) else set(after)
        for region in regions:
            before |= self._walk(region.block, after)
        return before | set(self._folding.operand_leaves(op))

    def _for(self, op: scf.ForOp, live: set[SSAValue]) -> set[SSAValue]:
        bounds = {*self._folding.leaves(op.ub), *self._folding.leaves(op.step)}
        after = live - set(op.res)
        body = op.body.block
        around = after | bounds | self._free_of(op.body)
        inside = self._walk(body, around)
        for argument in (*body.args[1:], *op.res):
            self._write(argument, inside | around | set(body.args[1:]))
        self._apart(body.args[1:])
        starts = (leaf for value in (op.lb, *op.iter_args) for leaf in self._folding.leaves(value))
        return (inside - set(body.args)) | around | set(starts)

    def _while(self, op: scf.WhileOp, live: set[SSAValue]) -> set[SSAValue]:
        before, after = op.before_region.block, op.after_region.block
        rest = live - set(op.res)
        around = rest | self._free_of(op.before_region) | self._free_of(op.after_region)
        inside = self._walk(after, around)
        for value in (*after.args, *op.res):
            self._write(value, (inside - set(after.args)) | rest)
        self._apart(after.args)
        start = self._walk(before, (inside - set(after.args)) | rest)
        for argument in before.args:
            self._write(argument, start)
        self._apart(before.args)
        starts = (leaf for value in op.arguments for leaf in self._folding.leaves(value))
        return (start - set(before.args)) | around | set(starts)

    def _apart(self, values: Sequence[SSAValue]) -> None:
        """Record that `values` are live at the same time."""
        for value in values:
            self._write(value, values)

    def _free_of(self, region: Region) -> frozenset[SSAValue]:
        """The variables that a region reads and that are defined outside of it."""
        if region not in self._free:
            read: set[SSAValue] = set()
            made: set[SSAValue] = set()
            for block in region.blocks:
                made |= set(block.args)
                for op in block.ops:
                    made |= set(op.results)
                    if op not in self._folding.folded:
                        read |= set(self._folding.operand_leaves(op))
                    for inner in op.regions:
                        read |= self._free_of(inner)
            self._free[region] = frozenset(read - made)
        return self._free[region]
