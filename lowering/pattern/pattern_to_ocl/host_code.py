"""The sequence of kernels of a function: OpenCL has no barrier for all work-groups.

Each computing pattern of the function's own body is a kernel; consecutive patterns of one work-item
share a kernel. Results for later kernels are in global memory, which the host allocates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from polycl.analysis.ocl.index_arith import Expr, div, integer, var
from polycl.dialects import pattern
from polycl.dialects.ocl import AddressSpace, KernelOp
from polycl.dialects.pattern.launch import AllocOp, LaunchOp
from polycl.dialects.pattern.nat import NatAttr, nat
from polycl.dialects.pattern.types import ArrayType, array, nats_in, substitute
from polycl.errors import error_at
from polycl.lowering.pattern.pattern_to_ocl.barriers import place_barriers
from polycl.lowering.pattern.pattern_to_ocl.bodies import (
    computed_when_read,
    emit_pattern,
)
from polycl.lowering.pattern.pattern_to_ocl.defaults import choose_plainly, expand
from polycl.lowering.pattern.pattern_to_ocl.destinations import destinations
from polycl.lowering.pattern.pattern_to_ocl.generator import KernelGenerator, Shape
from polycl.lowering.pattern.pattern_to_ocl.kernel_emitter import Emitter
from polycl.lowering.pattern.pattern_to_ocl.kernel_parts import Kernel, is_array
from polycl.lowering.pattern.pattern_to_ocl.kinds import (
    COMPUTING,
    has_parallel,
    is_computed_when_read,
)
from polycl.lowering.pattern.pattern_to_ocl.ndrange import shape_of, shape_of_map
from polycl.lowering.pattern.pattern_to_ocl.reuse import (
    remove_dead_code,
    reuse_local_memory,
    split_private_arrays,
)
from polycl.lowering.pattern.pattern_to_ocl.scalars import emit_scalar
from polycl.lowering.pattern.pattern_to_ocl.scopes import Scope
from polycl.lowering.pattern.pattern_to_ocl.streams import is_streamed, stream_view
from polycl.lowering.pattern.pattern_to_ocl.view_addresses import (
    Buffer,
    Computed,
    View,
    leaves_of,
    memory_view,
    size_expr,
    stored_type,
)

INPLACE = "pattern.inplace"
"""Key of the attribute of a function: the number of the argument that its result overwrites."""

_ONE = integer(1)
_SINGLE = Shape((_ONE, _ONE, _ONE), (1, 1, 1), (_ONE, _ONE, _ONE))


@dataclass
class HostProgram:
    """The lowering of one function."""

    function: FuncOp
    aligned: bool
    async_copies: bool = False
    tensor_cores: int = 0
    kernels: list[KernelOp] = field(default_factory=list[KernelOp])

    _block: Block = field(default_factory=Block)
    """Of the host function."""

    _leaves: dict[SSAValue, Sequence[Buffer]] = field(
        default_factory=dict[SSAValue, Sequence[Buffer]]
    )
    _values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The host function's values for those of the program."""

    _sizes: dict[str, NatAttr] = field(default_factory=dict[str, NatAttr])
    _inplace: SSAValue | None = None
    """The argument whose memory the result overwrites."""

    _open: KernelGenerator | None = None
    """A kernel of one work-item, to which further patterns may be added."""

    def run(self) -> FuncOp:
        """The host function; `kernels` has the kernels after it."""
        old = self.function
        # On a GPU a work-item alone is slow.
        expand(old, networks=self.tensor_cores > 0)
        choose_plainly(old.body.block, "pattern-to-ocl")
        for wrong, reason in pattern.hierarchy_errors(old):
            # What else is local, the code generation knows better.
            if isinstance(wrong, pattern.ParallelMapBase):
                raise error_at(wrong, f"'{wrong.name}': {reason}")
        scope = Scope(sizes=self._size_variables())
        for arg in old.body.block.args:
            new = self._block.insert_arg(arg.type, len(self._block.args))
            new.name_hint = arg.name_hint
            self._values[arg] = new
            if is_array(arg.type):
                self._add_leaves(arg, arg.name_hint or "arg", scope.sizes)
        terminator = old.body.block.last_op
        assert isinstance(terminator, ReturnOp)
        outs: list[SSAValue] = []
        for value in terminator.arguments:
            if not isinstance(value.type, ArrayType):
                raise error_at(
                    terminator,
                    f"a pattern program returns arrays, got {value.type} here; return an "
                    "array of one element: reduce(f, z, x), or generate(1, lambda i: e)",
                )
            outs.append(self._result(value.type, scope.sizes))
        places = [[self._view(out, scope.sizes)] for out in outs]
        values = list(terminator.arguments)
        self._emit_block(old.body.block, values, scope, places)
        self._close()
        self._block.add_op(ReturnOp(*(self._values.get(out, out) for out in outs)))
        host = FuncOp(old.sym_name.data, old.function_type, Region(self._block), old.sym_visibility)
        host.location = old.location
        host.arg_attrs = old.arg_attrs
        return host

    def allocate(self, type: Attribute, sizes: Mapping[str, Expr], around: Sequence[Expr]) -> View:
        """Global memory for a value of `type` for each index of the maps `around`."""
        for size in reversed(around):
            type = array(self._nat(size), type)
        assert isinstance(type, ArrayType)
        return self._view(self._alloc(type, sizes, "temp"), sizes)

    # The function's own body, and those of iterations in it

    def _emit_block(
        self,
        block: Block,
        values: Sequence[SSAValue],
        scope: Scope,
        outs: Sequence[Sequence[View]],
    ) -> None:
        # The kernels make the views: destinations need no emitter here.
        plan = destinations(block, values, outs, [scope], self._probe())
        for op in block.ops:
            if isinstance(op, COMPUTING):
                self._emit(op, scope, plan.places.get(op.results[0]))
        for value, (place,) in plan.copies:
            self._copy(value, place, scope)

    def _emit(self, op: Operation, scope: Scope, places: list[View] | None) -> None:
        (result,) = op.results
        if isinstance(op, pattern.ScanOp) and is_streamed(op):
            scope.bind(result, stream_view(op, scope))
            return
        if is_computed_when_read(op):
            scope.bind(result, computed_when_read(op, scope))
            if places is not None:
                self._copy(result, places[0], scope)
                scope.bind(result, places[0])
            return
        if places is None:
            assert isinstance(result.type, ArrayType)
            places = [self.allocate(result.type, scope.sizes, [])]
        if isinstance(op, pattern.IterateOp) and has_parallel(op):
            self._iterate(op, scope, places[0])
        elif has_parallel(op):
            gen = self._start(shape_of(op, scope.sizes))
            emit_pattern(gen, op, [Scope(scope)], places)
            self._finish(gen)
        else:
            if self._open is None:
                self._open = self._start(_SINGLE)
            emit_pattern(self._open, op, [Scope(scope)], places)
        scope.bind(result, places[0])

    def _iterate(self, op: pattern.IterateOp, scope: Scope, place: View) -> None:
        """Each iteration may need the whole NDRange, so it has kernels of its own."""
        if op.symbol is None:
            self._repeat(op, scope, place)
            return
        assert isinstance(op.input.type, ArrayType)
        size = size_expr(op.input.type.size, scope.sizes)
        factor = size_expr(op.factor, scope.sizes)
        current: View | None = None
        (value,) = op.yielded
        for step in range(op.count):
            size = div(size, factor, {})
            inner = Scope(scope, {} if op.symbol is None else {op.symbol.data: size})
            if current is None:
                inner.bind(op.arg, scope.view(op.input, self._probe()))
            else:
                inner.bind(op.arg, current)
            last = step == op.count - 1
            assert isinstance(value.type, ArrayType)
            current = place if last else self.allocate(self._closed(value.type, inner), {}, [])
            self._emit_block(op.body.block, [value], inner, [[current]])
        if op.count == 0:
            self._copy(op.input, place, scope)

    def _repeat(self, op: pattern.IterateOp, scope: Scope, place: View) -> None:
        """Iterations between arrays of one size.

        The first and the last one have kernels of their own. Those between take turns: there are
        kernels for two, which get the number of the iteration as an argument.
        """
        count = size_expr(op.n, scope.sizes).constant
        if count is None:
            raise error_at(
                op,
                f"the host applies the function {op.n} times, which is no number: give the sizes",
            )
        if count <= 0:
            self._copy(op.input, place, scope)
            return
        assert isinstance(op.result.type, ArrayType)
        type = self._closed(op.result.type, scope)
        pair = [self.allocate(type, {}, []) for _ in range(min(2, count - 1))]
        name = f"iteration{len(self._sizes)}"
        self._sizes[name] = nat(name)
        launches: dict[int, list[LaunchOp]] = {}
        current = scope.view(op.input, self._probe())
        for step in range(count):
            is_last = step == count - 1
            target = place if is_last else pair[step % 2]
            if is_last or step == 0:
                self._iteration(op, scope, current, target, integer(step))
            elif step <= 2:
                before = set(self._launches())
                self._iteration(op, scope, current, target, var(name))
                launches[step % 2] = [op for op in self._launches() if op not in before]
                for launch in launches[step % 2]:
                    # Those of later iterations are copies.
                    self._block.insert_op_before(_numbered(launch, name, step), launch)
                    launch.detach()
            else:
                self._block.add_ops(_numbered(op, name, step) for op in launches[step % 2])
            current = target

    def _iteration(
        self, op: pattern.IterateOp, scope: Scope, source: View, target: View, number: Expr
    ) -> None:
        self._close()
        inner = Scope(scope)
        inner.bind(op.arg, source)
        if op.number is not None:
            inner.bind(op.number, Computed(lambda emitter: emitter.index(number)))
            for scalar in op.body.block.ops:
                if scalar.operands and scalar.name.startswith(("arith.", "math.", "vector.")):
                    inner.bind(scalar.results[0], _in_each_kernel(scalar, inner))
        self._emit_block(op.body.block, list(op.yielded), inner, [[target]])
        self._close()

    def _launches(self) -> list[LaunchOp]:
        return [op for op in self._block.ops if isinstance(op, LaunchOp)]

    def _closed(self, type: ArrayType, scope: Scope) -> ArrayType:
        """The type without the size variables of iterations."""
        env = {
            name: self._nat(size_expr(nat(name), scope.sizes))
            for size in nats_in(type)
            for name in size.variables
        }
        closed = substitute(type, env)
        assert isinstance(closed, ArrayType)
        return closed

    def _copy(self, value: SSAValue, place: View, scope: Scope) -> None:
        """Copy an array that is in memory, or is computed when it is read."""
        assert isinstance(value.type, ArrayType)
        size = size_expr(value.type.size, scope.sizes)
        gen = self._start(shape_of_map(size))
        source = Scope(scope).view(value, gen.emitter)
        gen.copy(source, place, value.type, scope.sizes)
        self._finish(gen)

    # Kernels

    def _start(self, shape: Shape) -> KernelGenerator:
        self._close()
        number = len(self.kernels)
        kernel = Kernel(f"{self.function.sym_name.data}_{number}", self._leaves, self._sizes)
        return KernelGenerator(self._emitter(kernel), shape, self)

    def _emitter(self, kernel: Kernel) -> Emitter:
        return Emitter(
            kernel,
            aligned=self.aligned,
            async_copies=self.async_copies,
            tensor_cores=self.tensor_cores,
        )

    def _probe(self) -> Emitter:
        """An emitter for the analysis of views, whose code is not used."""
        return Emitter(Kernel("", self._leaves, self._sizes))

    def _close(self) -> None:
        if self._open is not None:
            gen, self._open = self._open, None
            self._finish(gen)

    def _finish(self, gen: KernelGenerator) -> None:
        kernel, shape = gen.emitter.kernel, gen.shape
        remove_dead_code(kernel)
        self._check_inplace(kernel)
        reuse_local_memory(kernel)
        if shape.by_groups:
            place_barriers(kernel, shape.local, gen.emitter.env)
        dims = max([1, *(d + 1 for d in range(3) if shape.items[d] != _ONE)])
        op = kernel.finish(None if shape.any_local else shape.local)
        split_private_arrays(kernel)
        op.location = self.function.location
        self.kernels.append(op)
        arguments = [self._values.get(value, value) for value in kernel.arguments]
        launch = LaunchOp(
            op.sym_name.data,
            [self._nat(size) for size in shape.items[:dims]],
            None if shape.any_local else [nat(size) for size in shape.local[:dims]],
            arguments,
            [self._sizes[name] for name in kernel.size_arguments],
        )
        self._block.add_op(launch)

    def _check_inplace(self, kernel: Kernel) -> None:
        """Refuse a kernel that reads elements of the overwritten argument after others write."""
        if self._inplace is None:
            return
        ours = [a for a in kernel.accesses.values() if a.buffer in self._leaves[self._inplace]]
        written = {(a.buffer, a.index, a.lanes) for a in ours if a.is_write}
        for access in ours:
            if written and (access.buffer, access.index, access.lanes) not in written:
                raise error_at(
                    self.function,
                    f"{INPLACE}: the program reads element {access.index} of "
                    f"'{access.buffer.name}' where it writes another one; expected it to read "
                    "only the element that it computes",
                )

    # Memory and sizes

    def _alloc(self, type: ArrayType, sizes: Mapping[str, Expr], name: str) -> SSAValue:
        alloc = AllocOp(type)
        alloc.result.name_hint = name
        self._block.add_op(alloc)
        self._add_leaves(alloc.result, name, sizes)
        return alloc.result

    def _result(self, type: ArrayType, sizes: Mapping[str, Expr]) -> SSAValue:
        """The memory of a result of the function."""
        inplace = self.function.attributes.get(INPLACE)
        if inplace is None:
            return self._alloc(type, sizes, "out")
        args = self.function.body.block.args
        index = inplace.value.data if isinstance(inplace, IntegerAttr) else -1
        if not 0 <= index < len(args) or args[index].type != type:
            raise error_at(
                self.function,
                f"{INPLACE} = {inplace}: expected the number of an argument of type {type}",
            )
        self._inplace = args[index]
        return args[index]

    def _add_leaves(self, value: SSAValue, name: str, sizes: Mapping[str, Expr]) -> None:
        leaves = leaves_of(value.type, sizes)
        names = [name] if len(leaves) == 1 else [f"{name}{i}" for i in range(len(leaves))]
        self._leaves[value] = [
            Buffer(n, AddressSpace.GLOBAL, stored_type(leaf.type), leaf.count, value)
            for n, leaf in zip(names, leaves, strict=True)
        ]

    def _view(self, value: SSAValue, sizes: Mapping[str, Expr]) -> View:
        leaves = self._leaves[value]
        return memory_view(value.type, leaves, [integer(0)] * len(leaves), sizes)

    def _size_variables(self) -> dict[str, Expr]:
        """The value of each size variable: itself, or a multiple of another one."""
        names = {
            name
            for type in self.function.function_type.inputs
            for size in nats_in(type)
            for name in size.variables
        }
        known = pattern.sizes_of(self.function)
        result: dict[str, Expr] = {}
        for name in sorted(names):
            multiple = known[name].divisible_by.data if name in known else 1
            part = name if multiple == 1 else f"{name}_{multiple}"
            self._sizes[part] = nat(f"{name}/{multiple}" if multiple > 1 else name)
            result[name] = var(part) * multiple
        return result

    def _nat(self, size: Expr) -> NatAttr:
        """A size of the host from an index expression."""
        if any(atom not in self._sizes for atom in size.atoms):
            raise error_at(self.function, f"the size {size} is not known to the host")
        return nat(size.evaluate(lambda atom: self._sizes[str(atom)]))


def _in_each_kernel(op: Operation, scope: Scope) -> Computed:
    """A scalar of the body of an iteration, which each kernel that needs it computes."""

    def compute(emitter: Emitter) -> SSAValue:
        inner = Scope(scope)
        emit_scalar(emitter, op, inner)
        return emitter.value(inner.view(op.results[0], emitter))

    return Computed(compute)


def _numbered(launch: LaunchOp, name: str, number: int) -> LaunchOp:
    """The launch with a number in the place of the size variable `name`."""
    copy = launch.clone()
    sizes = [size.substitute({name: nat(number)}) for size in launch.sizes]
    copy.sizes = ArrayAttr(sizes)
    return copy
