"""`promote-private-memory`: private variables in memory become SSA values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import func, scf, ub, vector
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.ocl.terminators import terminator
from polycl.analysis.ocl.uniformity import constant_index
from polycl.dialects import ocl
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.memory import pointer_type
from polycl.lowering.build import Build

Variables: TypeAlias = frozenset[ocl.AllocaOp]


@dataclass(frozen=True)
class PromotePrivateMemoryPass(ModulePass):
    """Turn private memory that is read and written as a whole, or as known elements of a vector,
    into SSA values.

    Examples are variables whose address was passed to a call that has been inlined
    (`sincos(x, &c)`), and those of functions with many jumps. Control flow carries their values
    like any others; a variable that is read before it is written is `ub.poison`. An element that
    was set is used itself: no `vector.extract` reads what a `vector.insert` wrote.

    ```
    %p = ocl.alloca : !ocl.ptr<i32, private>
    ocl.store %a, %p : ...                         %r = scf.if %c -> (i32) {
    scf.if %c {                                      scf.yield %b : i32
      ocl.store %b, %p : ...               ->      } else {
    }                                                scf.yield %a : i32
    %r = ocl.load %p : ...                         }
    ```

    A variable stays in memory if its address escapes, for volatile accesses, arrays, unions,
    parts of structs, and elements of vectors whose index is not known. Bodies of several blocks
    are left as they are: `lift-cf-to-scf` runs before.
    """

    name = "promote-private-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, ocl.KernelOp | func.FuncOp):
                if len(function.body.blocks) == 1:
                    promote(function.body.block)


def promote(body: Block) -> None:
    """Promote the variables of a body of one block."""
    allocas = [op for op in body.ops if isinstance(op, ocl.AllocaOp) and is_simple(op)]
    if not allocas:
        return
    promotion = _Promotion(body, allocas)
    promotion.facts.before(body, frozenset())
    promotion.rewrite(body)
    for alloca in allocas:
        for use in list(alloca.result.uses):
            # Casts to another address space, whose loads and stores are gone.
            Rewriter.erase_op(use.operation)
        Rewriter.erase_op(alloca)


def is_simple(alloca: ocl.AllocaOp) -> bool:
    """Whether all accesses read or write the whole variable."""
    pointee = pointer_type(alloca.result).pointee
    if isinstance(pointee, ocl.ArrayType | ocl.UnionType):
        return False
    return all(_is_access(use.operation, use.index, alloca) for use in alloca.result.uses)


def _is_access(op: Operation, operand: int, alloca: ocl.AllocaOp) -> bool:
    match op:
        case ocl.LoadOp():
            plain = op.volatile is None
        case ocl.StoreOp():
            plain = op.volatile is None and operand == 1
        case ocl.CastOp():
            pointee = pointer_type(op.result).pointee
            known = not op.changes_sign and pointee in (_type_of(alloca), _element_type(alloca))
            return known and all(
                not isinstance(use.operation, ocl.CastOp)
                and _is_access(use.operation, use.index, alloca)
                for use in op.result.uses
            )
        case _:
            return False
    index = _index(op)
    return (
        plain
        and index is not None
        and index in range(_places(op, alloca))
        and is_followed(op, alloca)
    )


def _index(access: ocl.LoadOp | ocl.StoreOp) -> int | None:
    """The index of an access, if it is known."""
    return 0 if access.index is None else constant_index(access.index)


def _places(access: ocl.LoadOp | ocl.StoreOp, alloca: ocl.AllocaOp) -> int:
    """The number of values of the accessed type that the variable holds."""
    type = _type_of(alloca)
    if pointer_type(access.pointer).pointee == type:
        return 1
    assert isinstance(type, VectorType)
    return type.element_count()


def _element_type(variable: ocl.AllocaOp) -> Attribute | None:
    type = _type_of(variable)
    return type.element_type if isinstance(type, VectorType) else None


def is_followed(op: Operation, alloca: ocl.AllocaOp) -> bool:
    """Whether `op` is nested in structured control flow only, which can carry values."""
    top = alloca.parent_block()
    while op.parent_block() is not top:
        parent = op.parent_op()
        if not isinstance(parent, scf.IfOp | scf.ForOp | scf.WhileOp):
            return False
        op = parent
    return True


class _Facts:
    """The variables that are written in control flow, and those that are live after it."""

    def __init__(self, variable_of: dict[SSAValue, ocl.AllocaOp]):
        self._variable_of = variable_of
        self.after: dict[Operation, Variables] = {}
        self.at_head: dict[Operation, Variables] = {}
        self.at_test: dict[Operation, Variables] = {}
        self._written: dict[Region, Variables] = {}

    def variable(self, op: Operation) -> ocl.AllocaOp | None:
        """The variable that a load or store accesses."""
        if isinstance(op, ocl.LoadOp | ocl.StoreOp):
            return self._variable_of.get(op.pointer)
        return None

    def written(self, regions: Sequence[Region]) -> Variables:
        return frozenset().union(*map(self._written_in, regions))

    def _written_in(self, region: Region) -> Variables:
        if region not in self._written:
            found = (self.variable(op) for op in operations_of(region, ocl.StoreOp))
            self._written[region] = frozenset(v for v in found if v is not None)
        return self._written[region]

    def before(self, block: Block, live: Variables) -> Variables:
        for op in reversed(list(block.ops)):
            live = self._before(op, live)
        return live

    def _before(self, op: Operation, live: Variables) -> Variables:
        variable = self.variable(op)
        match op:
            case ocl.StoreOp() if variable is not None and op.value.type == _type_of(variable):
                return live - {variable}
            case ocl.StoreOp() if variable is not None:
                # The other elements keep their values.
                return live | {variable}
            case ocl.LoadOp() if variable is not None:
                return live | {variable}
            case scf.IfOp():
                self.after[op] = live
                blocks = [block for region in op.regions for block in region.blocks]
                # Without an else the variables may keep their values.
                stays = live if len(blocks) == 1 else frozenset()
                return stays.union(*(self.before(block, live) for block in blocks))
            case scf.ForOp() | scf.WhileOp():
                self.after[op] = live
                self.at_head[op] = frozenset()
                while (grown := self._before_iteration(op, live)) != self.at_head[op]:
                    self.at_head[op] = grown
                return grown
            case _:
                return live

    def _before_iteration(self, op: scf.ForOp | scf.WhileOp, live: Variables) -> Variables:
        head = self.at_head[op]
        if isinstance(op, scf.ForOp):
            return live | head | self.before(op.body.block, live | head)
        self.at_test[op] = live | self.before(op.after_region.block, head)
        return head | self.before(op.before_region.block, self.at_test[op])


class _Promotion:
    """Replaces loads by the current values of the variables, and adds results to control flow."""

    def __init__(self, body: Block, allocas: list[ocl.AllocaOp]):
        self._order = {alloca: number for number, alloca in enumerate(allocas)}
        self._top = body
        variable_of: dict[SSAValue, ocl.AllocaOp] = {}
        for alloca in allocas:
            variable_of[alloca.result] = alloca
            for use in alloca.result.uses:
                if isinstance(use.operation, ocl.CastOp):
                    variable_of[use.operation.result] = alloca
        self.facts = _Facts(variable_of)
        self._values: dict[ocl.AllocaOp, SSAValue] = {}
        self._poison: dict[Attribute, SSAValue] = {}

    def _get(self, variable: ocl.AllocaOp) -> SSAValue:
        if variable in self._values:
            return self._values[variable]
        type = _type_of(variable)
        if type not in self._poison:
            poison = Build(variable, InsertPoint.at_start(self._top)).emit(ub.PoisonOp(type))
            poison.name_hint = "undefined"
            self._poison[type] = poison
        return self._poison[type]

    def _set(self, variable: ocl.AllocaOp, value: SSAValue) -> None:
        if value.name_hint is None:
            value.name_hint = variable.result.name_hint
        self._values[variable] = value

    def _in_order(self, variables: Variables) -> list[ocl.AllocaOp]:
        return sorted(variables, key=lambda variable: self._order[variable])

    def rewrite(self, block: Block) -> None:
        for op in list(block.ops):
            variable = self.facts.variable(op)
            match op:
                case ocl.LoadOp() if variable is not None:
                    self._load(op, variable)
                case ocl.StoreOp() if variable is not None:
                    self._store(op, variable)
                case scf.IfOp():
                    self._if(op)
                case scf.ForOp():
                    self._for(op)
                case scf.WhileOp():
                    self._while(op)
                case _:
                    pass

    def _load(self, op: ocl.LoadOp, variable: ocl.AllocaOp) -> None:
        value = self._get(variable)
        if op.result.type == _type_of(variable):
            extracts = [use.operation for use in op.result.uses]
            Rewriter.replace_op(op, [], [value])
            for extract in extracts:
                if isinstance(extract, vector.ExtractOp):
                    _forward_element(extract)
            return
        index = _index(op)
        assert index is not None
        extract = vector.ExtractOp(value, [index], op.result.type)
        extract.location = op.location
        Rewriter.replace_op(op, extract)
        _forward_element(extract)

    def _store(self, op: ocl.StoreOp, variable: ocl.AllocaOp) -> None:
        value = op.value
        if value.type != _type_of(variable):
            index = _index(op)
            assert index is not None
            value = Build(op).emit(vector.InsertOp(value, self._get(variable), [index]))
        self._set(variable, value)
        Rewriter.erase_op(op)

    def _inside(self, block: Block, passed: list[ocl.AllocaOp], where: Operation) -> None:
        """Rewrite a block that gets the values of `passed` as further arguments."""
        for variable in passed:
            argument = block.insert_arg(_type_of(variable), len(block.args))
            argument.location = where.location
            self._set(variable, argument)
        self.rewrite(block)

    def _pass_on(self, block: Block, variables: list[ocl.AllocaOp]) -> None:
        """Add the values of `variables` to the operands of the terminator of `block`."""
        end = terminator(block)
        end.operands = [*end.operands, *map(self._get, variables)]

    def _replace(self, old: Operation, new: Operation, variables: list[ocl.AllocaOp]) -> None:
        new.location = old.location
        new.attributes = dict(old.attributes)
        count = len(old.results)
        Rewriter.replace_op(old, new, new.results[:count])
        for variable, result in zip(variables, new.results[count:], strict=True):
            self._set(variable, result)

    def _if(self, op: scf.IfOp) -> None:
        changed = self._in_order(self.facts.written(op.regions) & self.facts.after[op])
        if changed and not op.false_region.blocks:
            end = scf.YieldOp()
            end.location = op.location
            op.false_region.add_block(Block([end]))
        outer = dict(self._values)
        for region in op.regions:
            for block in region.blocks:
                self._values = dict(outer)
                self.rewrite(block)
                self._pass_on(block, changed)
        self._values = outer
        if changed:
            types = [*op.result_types, *map(_type_of, changed)]
            then, otherwise = map(op.detach_region, op.regions)
            self._replace(op, scf.IfOp(op.cond, types, then, otherwise), changed)

    def _for(self, op: scf.ForOp) -> None:
        written = self.facts.written(op.regions)
        carried = self._in_order(written & self.facts.at_head[op])
        starts = [*op.iter_args, *map(self._get, carried)]
        outer = dict(self._values)
        self._inside(op.body.block, carried, op)
        self._pass_on(op.body.block, carried)
        self._values = outer
        if carried:
            body = op.detach_region(op.body)
            self._replace(op, scf.ForOp(op.lb, op.ub, op.step, starts, body), carried)

    def _while(self, op: scf.WhileOp) -> None:
        facts = self.facts
        carried = self._in_order(facts.written(op.regions) & facts.at_head[op])
        changed = facts.written([op.before_region]) | frozenset(carried)
        passed = self._in_order(changed & facts.at_test[op])
        starts = [*op.arguments, *map(self._get, carried)]
        outer = dict(self._values)
        self._inside(op.before_region.block, carried, op)
        self._pass_on(op.before_region.block, passed)
        self._values = dict(outer)
        self._inside(op.after_region.block, passed, op)
        self._pass_on(op.after_region.block, carried)
        self._values = outer
        if carried or passed:
            types = [*op.result_types, *map(_type_of, passed)]
            before, after = map(op.detach_region, op.regions)
            self._replace(op, scf.WhileOp(starts, types, before, after), passed)


def _forward_element(extract: vector.ExtractOp) -> None:
    """Replace an extract of an element that a `vector.insert` has set by the element."""
    position = extract.static_position.get_values()
    value = extract.vector
    while (
        isinstance(insert := value.owner, vector.InsertOp)
        and not insert.dynamic_position
        and not extract.dynamic_position
    ):
        if insert.static_position.get_values() == position:
            Rewriter.replace_op(extract, [], [insert.source])
            return
        value = insert.dest
    if value is not extract.vector:
        extract.operands[0] = value


def _type_of(variable: ocl.AllocaOp) -> Attribute:
    return pointer_type(variable.result).pointee
