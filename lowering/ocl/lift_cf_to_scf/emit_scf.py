"""Writes a tree of control flow as `scf`.

Each variable has one current value. The results of a branch or loop are the variables that it
changes and that are live after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from xdsl.dialects import arith, scf, ub
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerAttr, IntegerType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from polycl.lowering.ocl.lift_cf_to_scf import region_tree as tree
from polycl.lowering.ocl.lift_cf_to_scf.block_liveness import Liveness
from polycl.lowering.ocl.lift_cf_to_scf.block_program import (
    BlockProgram,
    Result,
    Variable,
    operations,
    type_of,
)

_MAX_TESTS = 8
"""A branch of more arms than this is a tree of comparisons rather than a chain."""


@dataclass
class _Merge:
    """Variables that share one value at the end of each arm of a branch."""

    then: SSAValue
    otherwise: SSAValue
    variables: list[Variable]


class Emitter:
    """Moves the operations of `program` to the new block `entry`, in the structure of `items`."""

    def __init__(self, program: BlockProgram, items: tree.Items):
        self._program = program
        self._facts = Liveness(program, items, frozenset(program.results))
        first = program.blocks[0]
        self.entry = Block(arg_types=[arg.type for arg in first.args])
        self._block = self.entry
        self._values: dict[Variable, SSAValue] = {}
        for old, new in zip(first.args, self.entry.args, strict=True):
            new.location = old.location
            self._set(old, new)
        self._constants: dict[Attribute, SSAValue] = {}
        self._poison: dict[Attribute, SSAValue] = {}
        self._top: list[Operation] = []
        """Constants and undefined values, at the top of the function."""
        self._glue: dict[Operation, None] = {}
        self._items(items)

    def finish(self, end: Operation) -> None:
        """Add the return `end` with the function's results as its operands."""
        end.operands = [self._get(result) for result in self._program.results]
        self.entry.add_op(end)
        self.entry.insert_ops_before(self._top, self.entry.first_op or end)
        for op in reversed(self._glue):
            if all(result.first_use is None for result in op.results):
                Rewriter.erase_op(op)

    # Variables

    def _get(self, variable: Variable) -> SSAValue:
        if variable not in self._values:
            self._values[variable] = self._undefined(type_of(variable))
        return self._values[variable]

    def _set(self, variable: Variable, value: SSAValue) -> None:
        name = _name(variable)
        if value.name_hint is None and name is not None:
            value.name_hint = name
        self._values[variable] = value

    def _in_order(self, variables: Iterable[Variable]) -> list[Variable]:
        return sorted(variables, key=self._program.order)

    def _enter(self, variables: list[Variable], op: Operation) -> Block:
        """Continue in a new block whose arguments are the values of the variables."""
        self._block = Block(arg_types=map(type_of, variables))
        for variable, arg in zip(variables, self._block.args, strict=True):
            arg.location = op.location
            self._set(variable, arg)
        return self._block

    # New operations

    def _origin(self, decider: int | tree.Choice) -> Operation:
        op = self._program.blocks[tree.origin_of(decider)].last_op
        assert op is not None
        return op

    def _add(self, op: Operation, like: Operation) -> Operation:
        op.location = like.location
        self._block.add_op(op)
        return op

    def _compute(self, op: Operation, like: Operation) -> SSAValue:
        """An operation that joins the paths and could be placed before the branch."""
        self._glue[op] = None
        return self._add(op, like).results[0]

    def _at_top(self, op: Operation) -> SSAValue:
        op.location = self._program.function.location
        # Before all other glue: it is erased after its uses.
        self._glue = {op: None, **self._glue}
        self._top.append(op)
        return op.results[0]

    def _constant(self, value: int, type: Attribute) -> SSAValue:
        assert isinstance(type, IntegerType)
        attribute = IntegerAttr(-value if type == i1 else value, type)
        if attribute not in self._constants:
            op = arith.ConstantOp(attribute)
            result = self._at_top(op)
            result.name_hint = (
                ("true" if value else "false") if type == i1 else f"c{value}_{type}"
            ).replace("-", "m")
            self._constants[attribute] = result
        return self._constants[attribute]

    def _undefined(self, type: Attribute) -> SSAValue:
        if type not in self._poison:
            self._poison[type] = self._at_top(ub.PoisonOp(type))
            self._poison[type].name_hint = "undefined"
        return self._poison[type]

    # Items

    def _items(self, items: tree.Items) -> None:
        for item in items:
            self._item(item)

    def _item(self, item: tree.Item) -> None:
        match item:
            case tree.Leaf(node):
                self._leaf(node)
            case tree.Pass():
                pairs = self._program.assignments(item)
                values = [self._get(source) for _, source in pairs]
                for (target, _), value in zip(pairs, values, strict=True):
                    self._set(target, value)
                # A merge must not keep values alive that are dead from here on.
                needed = self._facts.after_edge(item)
                self._values = {v: x for v, x in self._values.items() if v in needed}
            case tree.Set(choice, value):
                self._values[choice] = self._choice_value(choice, value)
            case tree.Branch():
                self._branch(item)
            case tree.Loop():
                self._loop(item)

    def _leaf(self, node: int) -> None:
        for op in operations(self._program.blocks[node]):
            op.detach()
            for inner in op.walk():
                for place, operand in enumerate(inner.operands):
                    if self._program.is_variable(operand) and operand in self._values:
                        inner.operands[place] = self._get(operand)
            self._block.add_op(op)
            for result in op.results:
                if self._program.is_variable(result):
                    self._values[result] = result

    # Branches

    def _choice_value(self, choice: tree.Choice, arm: int) -> SSAValue:
        """A choice of two arms is an i1 that is true for the first arm."""
        type = type_of(choice)
        return self._constant(1 - arm if choice.arms == 2 else arm, type)

    def _branch(self, branch: tree.Branch) -> None:
        live = self._facts.after[branch]
        written = frozenset().union(*map(self._facts.assigned, branch.arms))
        self._arms(branch, list(range(len(branch.arms))), self._in_order(written & live))

    def _arms(self, branch: tree.Branch, left: list[int], results: list[Variable]) -> None:
        """Branch to the selected one of the arms that are left."""
        if len(left) == 1:
            self._items(branch.arms[left[0]])
            return
        like = self._origin(branch.decider)
        middle = len(left) // 2 if len(left) > _MAX_TESTS else 1
        first, rest = left[:middle], left[middle:]
        if len(branch.arms) <= _MAX_TESTS:
            condition = self._test(branch.decider, left[0], like)
        else:
            number = self._number_of_arm(branch, like)
            is_single, limit = len(first) == 1, first[0] if len(first) == 1 else rest[0]
            compared = self._constant(limit, number.type)
            compare = arith.CmpiOp(number, compared, "eq" if is_single else "ult")
            condition = self._compute(compare, like)
        self._if(
            condition,
            lambda: self._arms(branch, first, results),
            lambda: self._arms(branch, rest, results),
            results,
            like,
        )

    def _test(self, decider: int | tree.Choice, arm: int, like: Operation) -> SSAValue:
        """Whether the decider selects `arm`; it does not select an earlier arm."""
        if isinstance(decider, tree.Choice):
            value = self._get(decider)
            if decider.arms == 2:
                return value
            return self._compute(arith.CmpiOp(value, self._constant(arm, value.type), "eq"), like)
        value = self._get(self._program.condition(decider))
        cases = self._program.case_values(decider)
        if cases is None:
            return value
        wanted = self._constant(cases[arm], value.type)
        return self._compute(arith.CmpiOp(value, wanted, "eq"), like)

    def _number_of_arm(self, branch: tree.Branch, like: Operation) -> SSAValue:
        """The number of the arm that a branch of many arms takes."""
        if isinstance(branch.decider, tree.Choice):
            return self._get(branch.decider)
        key = tree.Choice(-1 - branch.decider, len(branch.arms), "case", branch.decider)
        if key not in self._values:
            type = type_of(key)
            number = self._constant(len(branch.arms) - 1, type)
            for arm in range(len(branch.arms) - 1):
                hit = self._test(branch.decider, arm, like)
                select = arith.SelectOp(hit, self._constant(arm, type), number)
                number = self._compute(select, like)
            self._set(key, number)
        return self._values[key]

    def _if(
        self,
        condition: SSAValue,
        emit_then: Callable[[], None],
        emit_else: Callable[[], None],
        results: list[Variable],
        like: Operation,
    ) -> None:
        outer_block, outer = self._block, self._values
        blocks: list[Block] = []
        ends: list[list[SSAValue]] = []
        kept: set[Variable] = set()
        for emit in (emit_then, emit_else):
            self._block, self._values = Block(), dict(outer)
            emit()
            blocks.append(self._block)
            kept |= self._values.keys()
            ends.append([self._get(variable) for variable in results])
        self._block = outer_block
        self._values = {v: x for v, x in outer.items() if v in kept}
        merges = self._merges(results, ends[0], ends[1], blocks)
        if self._can_select(blocks, merges):
            for block in blocks:
                for op in list(block.ops):
                    op.detach()
                    self._block.add_op(op)
            for merge in merges:
                self._set_all(merge, self._select(condition, merge.then, merge.otherwise, like))
            return
        for block, values in zip(
            blocks, ([m.then for m in merges], [m.otherwise for m in merges]), strict=True
        ):
            self._block = block
            self._add(scf.YieldOp(*values), like)
        self._block = outer_block
        if not merges and _is_empty(blocks[0]):
            condition = self._inverted(condition, like)
            blocks.reverse()
        then = Region(blocks[0])
        otherwise = Region() if not merges and _is_empty(blocks[1]) else Region(blocks[1])
        op = scf.IfOp(condition, [merge.then.type for merge in merges], then, otherwise)
        self._add(op, like)
        for merge, result in zip(merges, op.results, strict=True):
            self._set_all(merge, result)

    def _merges(
        self,
        variables: list[Variable],
        then: list[SSAValue],
        otherwise: list[SSAValue],
        arms: list[Block],
    ) -> list[_Merge]:
        """The results of a branch; variables that can share a value share a result.

        An undefined value can be replaced by any other one.
        """
        merges: list[_Merge] = []
        for variable, a, b in zip(variables, then, otherwise, strict=True):
            value = self._joined(a, b)
            if value is not None and _block_of(value) not in arms:
                self._set(variable, value)
                continue
            for merge in merges:
                first, second = self._joined(merge.then, a), self._joined(merge.otherwise, b)
                if first is not None and second is not None:
                    merge.then, merge.otherwise = first, second
                    merge.variables.append(variable)
                    break
            else:
                merges.append(_Merge(a, b, [variable]))
        return merges

    def _joined(self, a: SSAValue, b: SSAValue) -> SSAValue | None:
        """The value that can replace both; None if they differ."""
        undefined = self._poison.get(a.type)
        if a is b or b is undefined:
            return a
        return b if a is undefined and a.type == b.type else None

    def _set_all(self, merge: _Merge, value: SSAValue) -> None:
        for variable in merge.variables:
            self._set(variable, value)

    def _can_select(self, blocks: list[Block], merges: list[_Merge]) -> bool:
        """Whether a branch only chooses between values, at no cost."""
        scalar = all(
            isinstance(merge.then.type, IntegerType | IndexType | AnyFloat) for merge in merges
        )
        return scalar and all(op in self._glue for block in blocks for op in block.ops)

    def _select(
        self, condition: SSAValue, then: SSAValue, otherwise: SSAValue, like: Operation
    ) -> SSAValue:
        if then.type == i1:
            true, false = self._constant(1, i1), self._constant(0, i1)
            if then is true and otherwise is false:
                return condition
            if then is false and otherwise is true:
                return self._inverted(condition, like)
        joined = self._joined(then, otherwise)
        if joined is not None:
            return joined
        return self._compute(arith.SelectOp(condition, then, otherwise), like)

    def _inverted(self, condition: SSAValue, like: Operation) -> SSAValue:
        return self._compute(arith.XOrIOp(condition, self._constant(1, i1)), like)

    # Loops

    def _loop(self, loop: tree.Loop) -> None:
        like = self._origin(loop.decider)
        facts, outer_block = self._facts, self._block
        assigned = facts.assigned(loop.before) | facts.assigned(loop.after)
        carried = self._in_order(assigned & facts.at_head[loop])
        starts = [self._get(variable) for variable in carried]
        outer = dict(self._values)

        before = self._enter(carried, like)
        self._items(loop.before)
        condition = self._test(loop.decider, 0, like)
        if loop.stays == 1:
            condition = self._inverted(condition, like)
        changed = facts.assigned(loop.before) | frozenset(carried)
        passed = self._in_order(changed & facts.at_test[loop])
        self._add(scf.ConditionOp(condition, *map(self._get, passed)), like)

        self._values = dict(outer)
        after = self._enter(passed, like)
        self._items(loop.after)
        self._add(scf.YieldOp(*map(self._get, carried)), like)

        self._block, self._values = outer_block, outer
        op = scf.WhileOp(starts, list(map(type_of, passed)), Region(before), Region(after))
        self._add(op, like)
        for variable, result in zip(passed, op.results, strict=True):
            self._set(variable, result)


def _block_of(value: SSAValue) -> Block | None:
    """The block that defines a value."""
    return value.owner if isinstance(value.owner, Block) else value.owner.parent_block()


def _is_empty(block: Block) -> bool:
    """Whether a block has only its terminator."""
    return block.first_op is block.last_op


def _name(variable: Variable) -> str | None:
    match variable:
        case tree.Choice(name=name):
            return name
        case Result():
            return "result"
        case _:
            return variable.name_hint
