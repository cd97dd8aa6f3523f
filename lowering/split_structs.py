"""`split-structs`: a struct is one value for each of its fields, in registers and in own memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf, ub
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polycl.analysis.uniformity import constant_value
from polycl.dialects import ocl
from polycl.dialects.ocl.memory import pointer_type

_CONTROL = (scf.IfOp, scf.ForOp, scf.WhileOp, scf.IndexSwitchOp)


@dataclass(frozen=True)
class SplitStructsPass(ModulePass):
    """Take structs apart into their fields, which vectors can hold.

    ```
    %v = ocl.load %p[%i] : ...                      %a = ocl.offset %p[%i] : ...
    %x = ocl.extract %v["x"] : ...             ->   %b = ocl.member %a["x"] : ...
                                                    %x = ocl.load %b : !ocl.ptr<f32, global>
    ```

    A struct value becomes the values of its fields, those of nested structs too; control flow
    hands them on one by one. What is loaded and not used is not loaded. Kernels' parameters and
    whatever else hands structs on stay, and their fields are extracted.

    Private and local memory of a struct, or of an array of structs, becomes memory of each field
    (scalar replacement of aggregates; structures of arrays):

    ```
    %s = ocl.alloca : !ocl.ptr<!ocl.struct<"P", {x: f32, n: i32}>, private>
    %q = ocl.member %s["x"] : ...              ->   %q = ocl.alloca : !ocl.ptr<f32, private>
    ```

    Values of structs with an array or a union in them stay, as no value has such a type alone.
    Memory stays where the pointer to a struct goes elsewhere, where such a struct is read or
    written whole, and where a pointer to a field may be moved to the next field, or is cast to
    another type. Bodies of several blocks are left as they are: `lift-cf-to-scf` runs before.
    """

    name = "split-structs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, ocl.KernelOp | FuncOp) and len(function.body.blocks) == 1:
                _Values().rewrite(function.body.block)
                for inner in list(function.body.walk()):
                    if isinstance(inner, ocl.AllocaOp | ocl.LocalAllocOp):
                        _split_memory(inner)


def _is_split(type: Attribute) -> bool:
    """Whether values of this type are taken apart."""
    return isinstance(type, ocl.StructType) and all(
        _is_split(field) or not isinstance(field, ocl.RecordType | ocl.ArrayType)
        for field in type.field_types
    )


def _leaves(types: Sequence[Attribute]) -> list[Attribute]:
    """`types` with structs as the types of their fields, those of nested structs too."""
    found: list[Attribute] = []
    for type in types:
        if isinstance(type, ocl.StructType) and _is_split(type):
            found += _leaves(type.field_types.data)
        else:
            found.append(type)
    return found


def _place(struct: Attribute, field: str) -> slice:
    """Where the leaves of a field are among those of its struct."""
    assert isinstance(struct, ocl.StructType)
    number = struct.field_index(field)
    start = len(_leaves(struct.field_types.data[:number]))
    return slice(start, start + len(_leaves([struct.field_types.data[number]])))


class _Values:
    """Replaces the struct values of one body; definitions are met before their uses."""

    def __init__(self) -> None:
        self._parts: dict[SSAValue, Sequence[SSAValue]] = {}
        self._replaced: list[Operation] = []
        self._arguments: list[BlockArgument] = []
        self._gone: set[SSAValue] = set()
        self._made: list[Operation] = []

    def rewrite(self, body: Block) -> None:
        for op in list(body.walk()):
            if _has_structs(op):
                self._rewrite(op)
        for op in reversed(self._replaced):
            Rewriter.erase_op(op)
        for argument in self._arguments:
            argument.block.erase_arg(argument)
        _erase_unused(self._made)

    def _rewrite(self, op: Operation) -> None:
        match op:
            case ocl.LoadOp():
                pointer = self._element(op.pointer, op.index, op)
                self._replace(op, list(self._loads(pointer, op, op.result.name_hint)))
            case ocl.StoreOp():
                pointer = self._element(op.pointer, op.index, op)
                self._store(iter(self._of(op.value)), pointer, op)
                self._replace(op, [])
            case ocl.ExtractOp() if _is_split(op.struct.type):
                self._replace(op, self._of(op.struct)[_place(op.struct.type, op.field.data)])
            case ocl.InsertOp() if _is_split(op.struct.type):
                parts = list(self._of(op.struct))
                parts[_place(op.struct.type, op.field.data)] = self._of(op.value)
                self._replace(op, parts)
            case arith.SelectOp():
                pairs = zip(self._of(op.lhs), self._of(op.rhs), strict=True)
                parts = [self._make(arith.SelectOp(op.cond, a, b), op) for a, b in pairs]
                self._replace(op, parts)
            case ub.PoisonOp():
                types = _leaves([op.result.type])
                self._replace(op, [self._make(ub.PoisonOp(type), op) for type in types])
            case scf.IfOp() | scf.ForOp() | scf.WhileOp() | scf.IndexSwitchOp():
                self._control(op)
            case scf.YieldOp() | scf.ConditionOp() if isinstance(op.parent_op(), _CONTROL):
                op.operands = self._all(op.operands)
            case _:
                op.operands = [self._whole(value, op) for value in op.operands]

    def _control(self, op: Operation) -> None:
        """Control flow with a result and an argument for each field."""
        for region in op.regions:
            for block in region.blocks:
                for argument in list(block.args):
                    self._argument(block, argument)
        new = type(op).create(
            operands=self._all(op.operands),
            result_types=_leaves(op.result_types),
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=[op.detach_region(region) for region in list(op.regions)],
        )
        new.location = op.location
        Rewriter.insert_op(new, InsertPoint.before(op))
        results = iter(new.results)
        for old in op.results:
            self._define(old, [next(results) for _ in _leaves([old.type])])
        self._replaced.append(op)

    def _argument(self, block: Block, old: BlockArgument) -> None:
        if not _is_split(old.type):
            return
        parts: list[SSAValue] = []
        for leaf in _leaves([old.type]):
            part = block.insert_arg(leaf, old.index)
            part.location = old.location
            parts.append(part)
        self._define(old, parts)
        self._arguments.append(old)

    # Struct values and their fields

    def _of(self, value: SSAValue) -> Sequence[SSAValue]:
        """The fields of a struct; any other value as it is."""
        if not _is_split(value.type):
            return (value,)
        if value not in self._parts:
            # A parameter, or from an operation that hands structs on whole.
            self._parts[value] = list(self._extracts(value, *_behind(value)))
        return self._parts[value]

    def _all(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [part for value in values for part in self._of(value)]

    def _define(self, old: SSAValue, parts: Sequence[SSAValue]) -> None:
        if not _is_split(old.type):
            (new,) = parts
            if old.name_hint is not None:
                new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
            return
        for part, path in zip(parts, _paths(old.type), strict=True):
            if part.name_hint is None:
                part.name_hint = _joined(old.name_hint, path)
        self._parts[old] = parts
        self._gone.add(old)

    def _replace(self, op: Operation, parts: Sequence[SSAValue]) -> None:
        """The results of `op` are `parts` from here on."""
        if op.results:
            self._define(op.results[0], parts)
        self._replaced.append(op)

    def _make(self, op: Operation, where: Operation, point: InsertPoint | None = None) -> SSAValue:
        op.location = where.location
        Rewriter.insert_op(op, InsertPoint.before(where) if point is None else point)
        self._made.append(op)
        return op.results[0]

    def _extracts(
        self, value: SSAValue, where: Operation, point: InsertPoint
    ) -> Iterator[SSAValue]:
        type = value.type
        if not isinstance(type, ocl.StructType) or not _is_split(type):
            yield value
            return
        for name, _ in type.fields:
            field = self._make(ocl.ExtractOp(value, name), where, point)
            field.name_hint = _joined(value.name_hint, name)
            yield from self._extracts(field, where, point)

    def _whole(self, value: SSAValue, user: Operation) -> SSAValue:
        """A struct put together again, for an operation that takes it whole."""
        if value not in self._gone:
            return value
        return self._built(value.type, iter(self._of(value)), user)

    def _built(self, type: Attribute, parts: Iterator[SSAValue], user: Operation) -> SSAValue:
        if not isinstance(type, ocl.StructType) or not _is_split(type):
            return next(parts)
        struct = self._make(ub.PoisonOp(type), user)
        for name, field in type.fields:
            value = self._built(field, parts, user)
            struct = self._make(ocl.InsertOp(value, struct, name), user)
        return struct

    # Memory

    def _element(self, pointer: SSAValue, index: SSAValue | None, op: Operation) -> SSAValue:
        return pointer if index is None else self._make(ocl.OffsetOp(pointer, index), op)

    def _loads(self, pointer: SSAValue, op: ocl.LoadOp, name: str | None) -> Iterator[SSAValue]:
        pointee = pointer_type(pointer).pointee
        if isinstance(pointee, ocl.StructType):
            for field, _ in pointee.fields:
                member = self._make(ocl.MemberOp(pointer, field), op)
                yield from self._loads(member, op, _joined(name, field))
            return
        value = self._make(ocl.LoadOp(pointer, volatile=op.volatile is not None), op)
        value.name_hint = name
        yield value

    def _store(self, values: Iterator[SSAValue], pointer: SSAValue, op: ocl.StoreOp) -> None:
        pointee = pointer_type(pointer).pointee
        if isinstance(pointee, ocl.StructType):
            for field, _ in pointee.fields:
                self._store(values, self._make(ocl.MemberOp(pointer, field), op), op)
            return
        store = ocl.StoreOp(next(values), pointer, volatile=op.volatile is not None)
        store.location = op.location
        Rewriter.insert_op(store, InsertPoint.before(op))


def _has_structs(op: Operation) -> bool:
    arguments = (a for region in op.regions for block in region.blocks for a in block.args)
    return any(_is_split(value.type) for value in (*op.operands, *op.results, *arguments))


def _joined(*names: str | None) -> str | None:
    return None if names[0] is None else "_".join(name for name in names if name)


def _paths(type: Attribute) -> Iterator[str]:
    """The name of each leaf of a struct: `pos_x`."""
    if not isinstance(type, ocl.StructType) or not _is_split(type):
        yield ""
        return
    for name, field in type.fields:
        for path in _paths(field):
            yield f"{name}_{path}" if path else name


def _behind(value: SSAValue) -> tuple[Operation, InsertPoint]:
    """The operation that defines `value`, and the place behind it."""
    owner = value.owner
    if isinstance(owner, Operation):
        return owner, InsertPoint.after(owner)
    parent = owner.parent_op()
    assert parent is not None
    return parent, InsertPoint.at_start(owner)


def _erase_unused(ops: Sequence[Operation]) -> None:
    """Erase what has no use; volatile loads are one."""
    for op in reversed(ops):
        volatile = isinstance(op, ocl.LoadOp) and op.volatile is not None
        if not volatile and all(result.first_use is None for result in op.results):
            Rewriter.erase_op(op)


# Memory of structs


def _split_memory(alloc: ocl.AllocaOp | ocl.LocalAllocOp) -> None:
    """Give each field of a struct, or of an array of structs, memory of its own."""
    struct = _struct_in(pointer_type(alloc.result).pointee)
    if struct is None or not _is_accessed_by_field(alloc.result):
        return
    fields: list[ocl.AllocaOp | ocl.LocalAllocOp] = []
    pointers: dict[str, SSAValue] = {}
    for name, field in struct.fields:
        memory = type(alloc)(_with_field(pointer_type(alloc.result).pointee, field))
        memory.location = alloc.location
        memory.result.name_hint = _joined(alloc.result.name_hint, name)
        Rewriter.insert_op(memory, InsertPoint.before(alloc))
        fields.append(memory)
        pointers[name] = memory.result
    _redirect(alloc.result, pointers)
    Rewriter.erase_op(alloc)
    for memory in fields:
        if memory.result.first_use is None:
            Rewriter.erase_op(memory)
        else:
            _split_memory(memory)


def _struct_in(type: Attribute) -> ocl.StructType | None:
    """The struct of which there is one here, or an array."""
    while isinstance(type, ocl.ArrayType):
        type = type.element
    return type if isinstance(type, ocl.StructType) else None


def _with_field(type: Attribute, field: Attribute) -> Attribute:
    """A struct, or an array of structs, with `field` in the place of the struct."""
    if isinstance(type, ocl.ArrayType):
        return ocl.ArrayType(type.size, _with_field(type.element, field))
    return field


def _is_view(op: ocl.CastOp) -> bool:
    """Whether a cast leaves types alone: an array decays, or the address space changes."""
    source, target = pointer_type(op.pointer).pointee, pointer_type(op.result).pointee
    while isinstance(source, ocl.ArrayType) and source != target:
        source = source.element
    return source == target


def _is_accessed_by_field(pointer: SSAValue) -> bool:
    """Whether a pointer to structs only leads to single fields."""
    for use in pointer.uses:
        match use.operation:
            case ocl.CastOp() as op:
                fine = _is_view(op) and _is_accessed_by_field(op.result)
            case ocl.OffsetOp() as op:
                fine = _is_accessed_by_field(op.result)
            case ocl.MemberOp() as op:
                fine = _stays_inside(op.result, in_array=False)
            case _:
                fine = False
        if not fine:
            return False
    return True


def _stays_inside(pointer: SSAValue, *, in_array: bool) -> bool:
    """Whether only the field is accessed at which `pointer` points, or the array around it."""
    for use in pointer.uses:
        match use.operation:
            case ocl.LoadOp() as op:
                fine = in_array or _is_first(op.index)
            case ocl.StoreOp() as op:
                fine = op.value is not pointer and (in_array or _is_first(op.index))
            case ocl.VLoadOp() | ocl.VStoreOp():
                fine = in_array
            case ocl.OffsetOp() as op:
                fine = in_array and _stays_inside(op.result, in_array=True)
            case ocl.MemberOp() as op:
                fine = _stays_inside(op.result, in_array=False)
            case ocl.CastOp() as op:
                array = isinstance(pointer_type(pointer).pointee, ocl.ArrayType)
                fine = _is_view(op) and _stays_inside(op.result, in_array=in_array or array)
            case _:
                fine = False
        if not fine:
            return False
    return True


def _is_first(index: SSAValue | None) -> bool:
    return index is None or constant_value(index) == 0


def _redirect(pointer: SSAValue, fields: dict[str, SSAValue]) -> None:
    """Let the uses of a pointer to structs use pointers to the fields."""
    for use in list(pointer.uses):
        op = use.operation
        if isinstance(op, ocl.MemberOp):
            Rewriter.replace_op(op, [], [fields[op.field.data]])
            continue
        assert isinstance(op, ocl.CastOp | ocl.OffsetOp)
        made = [_moved(op, field) for field in fields.values()]
        _redirect(op.result, dict(zip(fields, (new.results[0] for new in made), strict=True)))
        Rewriter.erase_op(op)
        _erase_unused(made)


def _moved(op: ocl.CastOp | ocl.OffsetOp, field: SSAValue) -> Operation:
    """What `op` does with a pointer to structs, for the pointer to a field of them."""
    if isinstance(op, ocl.OffsetOp):
        new = ocl.OffsetOp(field, op.index)
    else:
        new = ocl.CastOp(field, _field_pointer(op, field))
    new.location = op.location
    Rewriter.insert_op(new, InsertPoint.before(op))
    return new


def _field_pointer(op: ocl.CastOp, field: SSAValue) -> ocl.PtrType:
    source, target = pointer_type(op.pointer).pointee, pointer_type(op.result)
    pointee = pointer_type(field).pointee
    while source != target.pointee:
        assert isinstance(source, ocl.ArrayType) and isinstance(pointee, ocl.ArrayType)
        source, pointee = source.element, pointee.element
    return ocl.PtrType(pointee, target.space)
