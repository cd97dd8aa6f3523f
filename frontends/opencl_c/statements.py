"""Statements of the structured tree -> `scf`."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from polycl.dialects import ocl
from polycl.dialects.ocl import INT_COUNTER, UNROLL
from polycl.dialects.ocl.layout import size_of
from polycl.frontends.opencl_c import tree
from polycl.frontends.opencl_c.builder import INDEX, constant_of
from polycl.frontends.opencl_c.conversions import to_memory
from polycl.frontends.opencl_c.effects import assigned_in, in_order
from polycl.frontends.opencl_c.expressions import ExpressionEmitter
from polycl.frontends.opencl_c.liveness import Liveness
from polycl.frontends.opencl_c.tree import Expr, Stmt, Variable
from polycl.frontends.opencl_c.types import CType, Kind, pointer_type

_UNROLLED_FILL = 8
"""A longer run of zeros in an array is stored by a loop."""


class StatementEmitter(ExpressionEmitter):
    """Emits statements; the live variables that a loop or branch changes are its results."""

    def __init__(self, liveness: Liveness):
        super().__init__()
        self.liveness = liveness

    def statements(self, statements: list[Stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: Stmt) -> None:
        before = self.block.last_op
        self._emit_statement(statement)
        if self.debug is not None:
            self.location = statement.location
            self.debug.renew_after(before)

    def _emit_statement(self, statement: Stmt) -> None:
        self.location = statement.location
        match statement:
            case tree.Evaluate(expr=expr):
                self.effect(expr)
            case tree.Declare():
                self._declare(statement.variable, statement.initializer)
            case tree.If():
                self._if(statement)
            case tree.While() | tree.DoWhile():
                self._while(statement)
            case tree.CountedLoop():
                self._for(statement)
            case tree.Block(body=body):
                self.statements(body)
            case _:
                raise AssertionError(f"{statement} in a structured tree")

    def _declare(self, variable: Variable, initializer: Expr | None) -> None:
        if not variable.in_memory:
            if initializer is None:
                self.values.pop(variable, None)
            else:
                self.set(variable, self.emit(initializer))
        elif initializer is not None:
            self.initialize(self.slots[variable], initializer, variable.volatile)

    def initialize(self, pointer: SSAValue, value: Expr, volatile: bool = False) -> None:
        """Store an initial value; arrays and structs in memory are stored by parts."""
        type = value.type
        if not isinstance(value, tree.Aggregate) or not (type.needs_memory or type.is_record):
            if type.kind is Kind.UNION:
                target = self._bytes(pointer, type)
                self.store_to(self.emit(value), target)
                return
            stored = to_memory(self, self.emit(value), ocl.pointee_of(pointer))
            self.store_to(stored, pointer, volatile=volatile)
            return
        if type.kind is Kind.ARRAY:
            self._initialize_array(pointer, value)
            return
        fields = [name for name, _ in type.fields]
        if type.kind is Kind.UNION:
            fields = list(map(str, value.entries)) or fields[:1]
        for name in fields:
            field = self.member_of(pointer, name)
            entry = value.entries.get(name)
            if entry is None:
                self.fill_with_zeros(field, type.field(name))
            else:
                self.initialize(field, entry)

    def _initialize_array(self, pointer: SSAValue, value: tree.Aggregate) -> None:
        type = value.type
        missing = type.count - len(value.entries)
        if missing > _UNROLLED_FILL:
            self.fill_with_zeros(pointer, type)
        first = self._first_element(pointer, type)
        for place in range(type.count):
            entry = value.entries.get(place)
            if entry is None and missing > _UNROLLED_FILL:
                continue
            if type.element.needs_memory or isinstance(entry, tree.Aggregate):
                element = self.op(ocl.OffsetOp, first, self.constant(place, INDEX))
                if entry is None:
                    self.fill_with_zeros(element, type.element)
                else:
                    self.initialize(element, entry)
                continue
            stored = self.zero(type.element) if entry is None else self.emit(entry)
            stored = to_memory(self, stored, type.element.memory)
            self.store_to(stored, first, self.constant(place, INDEX))

    def _first_element(self, pointer: SSAValue, type: CType) -> SSAValue:
        if pointer in self.first_elements:
            return self.first_elements[pointer]
        target = pointer_type(type.element.memory, ocl.pointer_type(pointer).space)
        return self.op(ocl.CastOp, pointer, type=target)

    def fill_with_zeros(self, pointer: SSAValue, type: CType) -> None:
        """C's zero fill of an object in memory."""
        if type.kind is Kind.ARRAY:
            first = self._first_element(pointer, type)
            low, high, step = (self.constant(n, INDEX) for n in (0, type.count, 1))
            outer, body = self.block, Block(arg_types=[INDEX])
            self.block = body
            if type.element.needs_memory:
                element = self.op(ocl.OffsetOp, first, body.args[0])
                self.fill_with_zeros(element, type.element)
            else:
                zero = to_memory(self, self.zero(type.element), type.element.memory)
                self.store_to(zero, first, body.args[0])
            self.yield_([])
            self.block = outer
            self.new(scf.ForOp, [low, high, step], regions=[Region(body)])
        elif type.is_record and type.needs_memory:
            fields = type.fields if type.kind is Kind.STRUCT else _largest(type)
            for name, field in fields:
                self.fill_with_zeros(self.member_of(pointer, name), field)
        else:
            self.store_to(to_memory(self, self.zero(type), type.memory), pointer)

    def _if(self, statement: tree.If) -> None:
        condition = self.condition(statement.condition)
        written = self.liveness.written([*statement.then, *statement.otherwise])
        results = in_order(written & self.liveness.after[id(statement)])
        outer = dict(self.values)
        regions: list[Region] = []
        for body in (statement.then, statement.otherwise):
            if not body and not results and regions:
                regions.append(Region())
                continue
            outer_block, self.block = self.block, Block()
            self.values = dict(outer)
            self.statements(body)
            self.location = statement.location
            self.yield_([self.get(variable) for variable in results])
            regions.append(Region(self.block))
            self.block = outer_block
        self.values = outer
        types = [variable.type.value for variable in results]
        op = self.new(scf.IfOp, [condition], types, regions=regions)
        self._take_results(op, results)

    def _take_results(self, op: Operation, variables: list[Variable]) -> None:
        for variable, result in zip(variables, op.results, strict=True):
            result.name_hint = variable.hint
            self.values[variable] = result

    def _carried(self, loop: Stmt) -> list[Variable]:
        """The variables that a loop changes and that are live at its head or after it."""
        written = self.liveness.written([loop])
        after = self.liveness.after[id(loop)]
        if isinstance(loop, tree.CountedLoop) and loop.variable not in after:
            written -= {loop.variable}
        needed = self.liveness.at_head[id(loop)] | after
        if isinstance(loop, tree.While) and loop.condition is not None:
            # Variables that the condition computes for the body are operands of scf.condition.
            needed |= assigned_in([loop.condition]) & self.liveness.at_body[id(loop)]
        return in_order(written & needed)

    def _enter(self, variables: list[Variable]) -> Block:
        """A new block to emit to, with the variables as arguments."""
        self.block = Block(arg_types=[variable.type.value for variable in variables])
        for argument, variable in zip(self.block.args, variables, strict=True):
            argument.name_hint = variable.hint
            argument.location = self.loc()
            self.values[variable] = argument
        if self.debug is not None:
            self.debug.enter_loop()
        return self.block

    def _while(self, loop: tree.While | tree.DoWhile) -> None:
        """An scf.while; the body of `do` is in the region that computes the condition."""
        carried = self._carried(loop)
        starts = [self.get(variable) for variable in carried]
        outer_block, outer = self.block, dict(self.values)
        before = self._enter(carried)
        if isinstance(loop, tree.DoWhile):
            self.statements(loop.body)
        test = loop.condition
        condition = self.constant(1, i1) if test is None else self.condition(test)
        self.location = loop.location
        self.new(scf.ConditionOp, [condition, *map(self.get, carried)])
        after = self._enter(carried)
        if isinstance(loop, tree.While):
            self.statements(loop.body)
        self.location = loop.location
        self.yield_([*map(self.get, carried)])
        self.block, self.values = outer_block, outer
        types = [variable.type.value for variable in carried]
        op = self.new(scf.WhileOp, starts, types, regions=[Region(before), Region(after)])
        _add_hint(op, loop)
        self._take_results(op, carried)

    def _for(self, loop: tree.CountedLoop) -> None:
        variable, where = loop.variable, loop.location
        carried = self._carried(loop)
        signed = not loop.unsigned
        start = self.to_index(self.get(variable), signed)
        bound = self.to_index(self.emit(loop.bound), signed)
        step = self.to_index(self.emit(loop.step), False)
        low, high = start, bound
        if loop.descending:
            # Count the distance from the start: 0, step, 2*step, ...
            low = self.constant(0, INDEX)
            high = self._distance(start, bound, loop)
        if loop.inclusive:
            high = self.index_sum(high, self.constant(1, INDEX))
        if loop.at_least_once:
            first = self.index_sum(low, self.constant(1, INDEX))
            end, least = constant_of(high), constant_of(first)
            if end is None or least is None:
                high = self.op(arith.MaxSIOp, high, first)
            elif end < least:
                high = first
        starts = [self.get(v) for v in carried]
        outer_block, outer = self.block, dict(self.values)
        body = self._enter(carried)
        counter = body.insert_arg(INDEX, 0)
        counter.location = self.loc()
        counter.name_hint = variable.hint
        position = counter
        if loop.descending:
            position = self.index_sum(start, counter, -1)
        elif not signed or low in self.nonnegative or _is_nonnegative(low):
            self.nonnegative.add(position)
        if not signed:
            self.nonnegative.add(position)
        value = self.from_index(position, variable.type.value)
        value.name_hint = variable.hint
        self.values[variable] = value
        if self.debug is not None:
            self.debug.keep(variable)
        self.statements(loop.body)
        self.location = where
        if variable in carried:
            moved = self.index_sum(position, step, -1 if loop.descending else 1)
            self.values[variable] = self.from_index(moved, variable.type.value)
        self.yield_([self.get(v) for v in carried])
        self.block, self.values = outer_block, outer
        types = [v.type.value for v in carried]
        op = self.new(scf.ForOp, [low, high, step, *starts], types, regions=[Region(body)])
        _add_hint(op, loop)
        steps = loop.inclusive or _adds_int(loop.step)
        if signed and steps and not loop.descending and variable.type.value == i32:
            op.attributes[INT_COUNTER] = UnitAttr()
        self._take_results(op, carried)

    def _distance(self, start: SSAValue, bound: SSAValue, loop: tree.CountedLoop) -> SSAValue:
        """How far a loop counts down, without its last step if it is `inclusive`."""
        distance = self.index_sum(start, bound, -1)
        is_zero = constant_of(bound) == 0
        known = all(v in self.nonnegative or _is_nonnegative(v) for v in (start, bound))
        if loop.unsigned or loop.variable.type.width < 64 or is_zero or known:
            return distance
        # That of a `long` below its bound may wrap around.
        is_above = self.compare(arith.CmpiOp, "sge", start, bound)
        none = self.constant(-1 if loop.inclusive else 0, INDEX)
        return self.op(arith.SelectOp, is_above, distance, none, type=INDEX)


def _adds_int(step: Expr) -> bool:
    """Whether `i += step` of an `int` is a sum of type int, which does not overflow in C, of more
    than 1: after 1 it is at most the bound."""
    if isinstance(step, tree.Const) and step.value == 1:
        return False
    return step.type.is_integer and step.type.signed and step.type.width <= 32


def _add_hint(op: Operation, loop: tree.While | tree.DoWhile | tree.CountedLoop) -> None:
    if loop.unroll is not None:
        op.attributes[UNROLL] = IntegerAttr(loop.unroll, i32)


def _is_nonnegative(value: SSAValue) -> bool:
    constant = constant_of(value)
    return constant is not None and constant >= 0


def _largest(union: CType) -> list[tuple[str, CType]]:
    """The largest field of a union, which covers all its bytes but padding."""
    return [max(union.fields, key=lambda field: size_of(field[1].memory))]
