"""The module of a program, and the facts that are known before it is imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO

from xdsl.dialects.builtin import I64, ArrayAttr, DenseArrayBase, ModuleOp, StringAttr
from xdsl.printer import Printer
from xdsl.traits import SymbolTable

from polycl.analysis.ocl.reaches import ProvedAccess
from polycl.backends.cache import key_of
from polycl.backends.device import Size3
from polycl.dialects.ocl import AtomicCmpXchgOp, AtomicRMWOp, ConstantDataOp, KernelLike
from polycl.dialects.ocl.kernel import NON_UNIFORM
from polycl.errors import error_at
from polycl.runtime.compiler_server import ServerProgram
from polycl.runtime.parameters import Parameter, parameters_of, variables_of


@dataclass(frozen=True)
class Signature:
    """A kernel as its callers need it."""

    name: str
    parameters: tuple[Parameter, ...]
    required_local_size: Size3 | None
    """`reqd_work_group_size` of the source, or the local size of a `wg.func`."""

    hint: Size3 | None
    """`work_group_size_hint` of the source."""

    uniform: bool
    """Whether the groups of a launch have one size."""

    best_group: Size3 | None = None
    """The local size that suits it, if it does the same in groups of any size."""

    variables: tuple[tuple[str, bytes, tuple[int, ...]], ...] = ()
    """The program's variables, which the runtime passes after the parameters: the name of their
    initial data, its bytes, and the places in it that hold addresses."""

    assumptions: tuple[str, ...] = ()
    """What holds for every launch; see `polycl.dialects.ocl.assumptions`."""

    accesses: tuple[ProvedAccess, ...] = ()
    """What it accesses in any case; see `polycl.runtime.array_sizes`."""

    has_atomics: bool = False
    """Whether its module has atomic operations."""


def signatures_of(module: ModuleOp) -> tuple[Signature, ...]:
    """The kernels of `module` in order."""
    atomics = has_atomics(module)
    return tuple(_signature(op, atomics) for op in module.ops if isinstance(op, KernelLike))


def has_atomics(module: ModuleOp) -> bool:
    """Whether it has atomic operations."""
    return any(isinstance(op, AtomicRMWOp | AtomicCmpXchgOp) for op in module.walk())


def _signature(op: KernelLike, has_atomics: bool) -> Signature:
    # Late: a source from the cache does not need the dialects.
    from polycl.analysis.ocl.proved_accesses import proved_accesses
    from polycl.dialects.wg import FuncOp
    from polycl.lowering.wg.group_shape import best_group

    required = op.required_size
    if required is None and isinstance(op, FuncOp):
        required = _size3(op.local_size)
    hint = _size3(op.work_group_size_hint)
    variables = tuple((name, *_initial_memory(op, name)) for name in variables_of(op))
    return Signature(
        op.sym_name.data,
        parameters_of(op),
        required,
        hint,
        NON_UNIFORM not in op.attributes,
        best_group(op),
        variables,
        op.assumptions,
        proved_accesses(op),
        has_atomics,
    )


def _initial_memory(kernel: KernelLike, name: str) -> tuple[bytes, tuple[int, ...]]:
    # Late: most programs have no such variables, and this takes long to load.
    from polycl.lowering.llvm.constants import address_places, constant_bytes

    data = SymbolTable.lookup_symbol(kernel, name)
    if not isinstance(data, ConstantDataOp):
        raise error_at(kernel, f"the module has no ocl.constant @{name} for program variables")
    return constant_bytes(data.type, data.value), address_places(data.type, data.value)


def _size3(size: DenseArrayBase[I64] | None) -> Size3 | None:
    if size is None:
        return None
    x, y, z = size.get_values()
    return int(x), int(y), int(z)


class LateModule:
    """A module that is made at its first use.

    `content` is a name of its content: equal names mean equal modules. Without it the name is the
    hash of the module's text. `make_wide` makes the module for launches with wide ids
    (`polycl.backends.device.WIDE_IDS`), if there is a source to import again. `server` has the
    same module, too.
    """

    def __init__(
        self,
        make: Callable[[], ModuleOp],
        signatures: tuple[Signature, ...],
        content: str = "",
        make_wide: Callable[[], ModuleOp] | None = None,
        server: ServerProgram | None = None,
    ):
        self.signatures = signatures
        self.server = server
        self._make = make
        self._module: ModuleOp | None = None
        self._content = content
        self._make_wide = make_wide
        self._wide: LateModule | None = None

    def get(self) -> ModuleOp:
        """The module, for callers that do not change it."""
        if self._module is None:
            self._module = self._make()
        return self._module

    def hand_out(self) -> ModuleOp:
        """The module, for callers that may change it: from now on its text names its content."""
        self._content = ""
        self._make_wide = None
        self.server = None
        return self.get()

    def wide(self) -> LateModule | None:
        """The module for launches with wide ids; None where it is not known how to make it, or
        where callers may have changed this module."""
        if self._wide is None and self._make_wide is not None:
            content = self._content and key_of("wide ids", self._content)
            self._wide = LateModule(self._make_wide, self.signatures, content)
        return self._wide if self._make_wide is not None else None

    def content(self) -> str:
        """The name of the module's content."""
        if self._content:
            return self._content
        stream = StringIO()
        Printer(stream, print_generic_format=True).print_op(self.get())
        return key_of(stream.getvalue())


def with_assumptions(module: LateModule, kernel: str, assumptions: tuple[str, ...]) -> LateModule:
    """A copy of `module` in which `assumptions` are those of the kernel."""

    def copy_of(module: LateModule) -> ModuleOp:
        copy = module.get().clone()
        for op in copy.ops:
            if isinstance(op, KernelLike) and op.sym_name.data == kernel:
                op.assume = ArrayAttr(map(StringAttr, assumptions))
        return copy

    content = key_of(module.content(), kernel, *assumptions)
    wide = module.wide()
    make_wide = None if wide is None else lambda: copy_of(wide)
    return LateModule(lambda: copy_of(module), module.signatures, content, make_wide)
