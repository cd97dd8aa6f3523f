"""Replay of a derivation: the steps of a script are applied to a program in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Use
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.utils.exceptions import VerifyException

from polycl.diagnostics import one_line
from polycl.dialects.pattern import NatAttr, nat
from polycl.dialects.pattern.paper import paper_expression
from polycl.errors import PolyclError
from polycl.lowering.pattern.pattern_inline_calls import inline_calls
from polycl.lowering.pattern.pattern_set_sizes import set_sizes
from polycl.lowering.pattern.rules import RULES
from polycl.lowering.pattern.rules.assume import assume_divisible, replace_variable
from polycl.lowering.pattern.rules.expressions import Environment
from polycl.lowering.pattern.rules.lines import DerivationError
from polycl.lowering.pattern.rules.places import (
    Place,
    PlaceError,
    follow,
    is_everywhere,
    locate,
    result_of,
)
from polycl.lowering.pattern.rules.rule import Refused
from polycl.lowering.pattern.rules.script import (
    Apply,
    Assume,
    Call,
    Expect,
    Script,
    Statement,
    parse_script,
)
from polycl.lowering.pattern.rules.where import all_hold

_MOST_REPEATS = 100
"""The most repetitions of a step; one that still applies probably applies forever."""

Observer = Callable[[Statement, func.FuncOp], None]
"""It is called after each applied step, with the function."""


@dataclass(frozen=True)
class Derivation:
    """A parsed script: `Derivation.parse("3c n=64 @map").replay(module)`."""

    script: Script

    @staticmethod
    def parse(text: str, filename: str = "<derivation>") -> Derivation:
        """The derivation of a text. Raises `DerivationError` where it is malformed."""
        parameters = {name: tuple(rule.parameters) for name, rule in RULES.items()}
        return Derivation(parse_script(text, filename, parameters))

    @staticmethod
    def read(path: str | Path) -> Derivation:
        """The derivation in a file. Raises `PolyclError` where it cannot be read."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PolyclError(f"cannot read the derivation '{path}': {error}") from error
        return Derivation.parse(text, str(path))

    @property
    def tunables(self) -> dict[str, tuple[int, ...]]:
        """The names of the `?tunables` with their values in the script, if any."""
        return {name: tunable.values for name, tunable in self.script.tunables.items()}

    def alignment(self, sizes: Mapping[str, int]) -> int:
        """The bytes such that the steps depend on the first array's address modulo them."""
        return max((t.alignment(sizes) for t in self.script.tunables.values()), default=1)

    def for_lanes(self, sizes: Mapping[str, int], lanes: int) -> dict[str, int]:
        """The tunables that have another default on a device with vectors of so many floats."""
        found = {name: t.default(sizes, lanes) for name, t in self.script.tunables.items()}
        return {
            name: value
            for name, value in found.items()
            if value is not None and value != self.script.tunables[name].default(sizes)
        }

    def heads(self, sizes: Mapping[str, int], address: int, itemsize: int) -> dict[str, int]:
        """The values of the tunables that are numbers of elements before an aligned address: of a
        first array at `address`. They are 0 where none of its elements is at such an address."""
        found: dict[str, int] = {}
        for name, tunable in self.script.tunables.items():
            before = -address % tunable.alignment(sizes)
            if before and before % itemsize == 0:
                found[name] = before // itemsize
        return found

    def replay(
        self,
        module: ModuleOp,
        function: str | None = None,
        parameters: Mapping[str, int | str | NatAttr] | None = None,
        observer: Observer | None = None,
        verify: bool = True,
        sizes: Mapping[str, int] | None = None,
    ) -> ModuleOp:
        """A copy of `module` in which the steps were applied to `function`, verified after each.

        Args:
            function: The name of the function; without it, the only one in the module.
            parameters: The values of tunables; others have their first value in the script.
            verify: Whether to verify: a search does so at its end.
            sizes: Numbers for size variables, which come before the steps.

        Raises:
            DerivationError: a step does not apply; with its place in the script.
            PolyclError: there is no such function, or no such tunable.
        """
        numbers = dict(sizes or {})
        values = self._defaults(numbers)
        for name, value in (parameters or {}).items():
            if name not in self.script.tunables:
                have = ", ".join(self.script.tunables) or "none"
                raise PolyclError(f"the derivation has no tunable '{name}'; its tunables: {have}")
            values[f"?{name}"] = nat(value)
        copy = module.clone()
        found = find_function(copy, function)
        inline_calls(found)
        replay = _Replay(copy, found, self.script, observer, verify)
        set_sizes(replay.function, numbers)
        for statement in self.script.statements:
            replay.run(statement, values, Start(result_of(replay.function)))
        return replay.module

    def replay_at(
        self,
        module: ModuleOp,
        function: func.FuncOp,
        use: Use,
        sizes: Mapping[str, int],
        macro: str | None = None,
    ) -> None:
        """Apply the steps to `function` of `module`, at places that start at `use`.

        `sizes` are numbers for the size variables of the script. With `macro`, apply the steps of
        this macro without parameters. Raises DerivationError.
        """
        values = self._defaults(sizes)
        steps = self.script.macros[macro].body if macro else self.script.statements
        for statement in steps:
            _Replay(module, function, self.script, None, False).run(statement, values, Start(use))

    def _defaults(self, sizes: Mapping[str, int]) -> dict[str, NatAttr]:
        """The values of sizes, and of tunables without others given."""
        values = {name: nat(number) for name, number in sizes.items()}
        for name, tunable in self.script.tunables.items():
            default = tunable.default(sizes)
            if default is not None:
                values[f"?{name}"] = nat(default)
        return values


def find_function(module: ModuleOp, name: str | None) -> func.FuncOp:
    """The function of that name, or the only one that no other calls. Raises `PolyclError`."""
    functions = [op for op in module.walk() if isinstance(op, func.FuncOp) and op.body.blocks]
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)}
    found = [f for f in functions if (name or f.sym_name.data) == f.sym_name.data]
    if name is None and len(found) > 1:
        found = [f for f in found if f.sym_name.data not in called]
    if len(found) == 1:
        return found[0]
    have = ", ".join(f.sym_name.data for f in functions) or "none"
    wanted = f"a function '{name}'" if name else "one function"
    raise PolyclError(f"expected {wanted} in the module; it has: {have}")


class _InvalidProgram(DerivationError):
    """An error of a rule, which `try` does not hide."""


@dataclass(frozen=True)
class Start:
    """The operand at which the places of a macro start."""

    use: Use
    path: Place = Place()


@dataclass
class _Replay:
    module: ModuleOp
    function: func.FuncOp
    script: Script
    observer: Observer | None
    verify: bool = True

    def run(self, statement: Statement, values: dict[str, NatAttr], start: Start) -> None:
        """One statement, at places that begin at `start`. Raises `DerivationError`."""
        match statement:
            case Expect():
                self._expect(statement)
            case Assume():
                self._assume(statement, values)
                self._after(statement)
            case Apply() | Call() if not all_hold(statement.where, _numbers(values)):
                return
            case Apply() | Call() if statement.mode == "once":
                self._step(statement, values, start)
            case Apply() | Call():
                most = 1 if statement.mode == "try" else _MOST_REPEATS
                for _ in range(most):
                    if not self._succeeds(statement, values, start):
                        return
                if statement.mode == "repeat":
                    raise statement.position.error(f"it still applies after {most} times")

    def _succeeds(self, statement: Apply | Call, values: Environment, start: Start) -> bool:
        """Whether a step applied; if not, nothing has changed."""
        # A rule that is refused changes nothing; a macro is tried on a copy first.
        try:
            if isinstance(statement, Call):
                trial, its_start = self._copy(start)
                trial._step(statement, values, its_start)
            self._step(statement, values, start)
        except _InvalidProgram:
            raise
        except DerivationError:
            return False
        return True

    def _copy(self, start: Start) -> tuple[_Replay, Start]:
        """A copy that nobody observes, and the same place in it."""
        module = self.module.clone()
        function = find_function(module, self.function.sym_name.data)
        user = list(self.function.walk()).index(start.use.operation)
        use = Use(list(function.walk())[user], start.use.index)
        return _Replay(module, function, self.script, None, self.verify), Start(use, start.path)

    def _assume(self, statement: Assume, values: dict[str, NatAttr]) -> None:
        size = statement.value.evaluate(values)
        known = values.get(statement.variable)
        try:
            if known is not None and statement.relation == "=":
                self._name_quotient(statement.variable, known.value, size, values)
            elif known is not None:
                if not (size.is_constant and size.value > 0) or known.value % size.value:
                    what = f"{statement.variable} {statement.relation} {size}"
                    raise Refused(f"the size {statement.variable} is {known}, expected {what}")
            elif statement.relation == "=":
                replace_variable(self.function, statement.variable, size)
            elif size.is_constant and size.value > 0:
                assume_divisible(self.function, statement.variable, size.value)
            else:
                raise Refused(f"expected a number of at least 1 behind 'divisible_by', got {size}")
        except Refused as error:
            raise statement.position.error(str(error)) from error

    @staticmethod
    def _name_quotient(name: str, known: int, size: NatAttr, values: dict[str, NatAttr]) -> None:
        """`size N = 64*M`, where N is a number: so is M."""
        (variable,) = size.variables if len(size.variables) == 1 else (None,)
        factor = None if variable is None else size.exact_div(nat(variable))
        if size.is_constant and size.value == known:
            return
        if variable is None or factor is None or not factor.is_constant or known % factor.value:
            raise Refused(f"the size {name} is {known}, expected {name} = {size}")
        values[variable] = nat(known // factor.value)

    def _step(self, statement: Apply | Call, values: Environment, start: Start) -> None:
        if isinstance(statement, Apply):
            given = {name: value.evaluate(values) for name, value in statement.arguments.items()}
            self._apply(statement, given, start)
            self._after(statement)
            return
        macro = self.script.macros[statement.macro]
        inner = dict(values)
        for name, value in zip(macro.parameters, statement.arguments, strict=True):
            inner[name] = value.evaluate(values)
        path = statement.place.within(start.path)
        try:
            inner_start = Start(follow(start.use, statement.place), path)
        except PlaceError as error:
            raise self._nowhere(statement, path, error) from error
        for each in macro.body:
            self.run(each, inner, inner_start)

    def _apply(self, statement: Apply, values: Mapping[str, NatAttr], start: Start) -> None:
        rule, reasons, applied = RULES[statement.rule], [], False
        place = statement.place.within(start.path)
        for op in self._operations(statement, start):
            # A rule may have copied the lambda with the operation.
            if not self.function.is_ancestor(op):
                continue
            try:
                rule.apply(op, PatternRewriter(op), **values)
            except Refused as error:
                reasons.append(f"{op.name.removeprefix('pattern.')}: {error}")
                continue
            applied = True
            if not is_everywhere(place):
                return
        if not applied:
            raise statement.position.error(
                f"{rule.name} does not apply at {place}: {'; '.join(reasons) or 'nothing there'}",
                notes=[f"note: {rule.name} is {rule.equation}", *self._now()],
            )

    def _operations(self, statement: Apply, start: Start) -> Iterator[Operation]:
        try:
            found = list(locate(self.function, statement.place, start.use))
        except PlaceError as error:
            path = statement.place.within(start.path)
            raise self._nowhere(statement, path, error) from error
        # A rule may copy a lambda: the operations inside come first.
        return iter(reversed(found)) if is_everywhere(statement.place) else iter(found)

    def _nowhere(self, statement: Apply | Call, path: Place, error: PlaceError) -> DerivationError:
        message = f"there is no place {path}: {error}"
        return statement.position.error(message, notes=self._now())

    def _after(self, statement: Statement) -> None:
        try:
            if self.verify:
                self.function.verify()
        except VerifyException as error:
            message = f"this step leaves an invalid program: {one_line(error)}"
            raise statement.position.error(message, kind=_InvalidProgram) from error
        if self.observer is not None:
            self.observer(statement, self.function)

    def _expect(self, statement: Expect) -> None:
        found = paper_expression(self.function)
        if "".join(found.split()) != "".join(statement.text.split()):
            raise statement.position.error(
                "the expression is not the expected one",
                notes=[f"expected: {statement.text}", f"found:    {found}"],
            )

    def _now(self) -> list[str]:
        return [f"note: the expression is {paper_expression(self.function)}"]


def _numbers(values: Environment) -> dict[str, int]:
    """The sizes that are numbers."""
    return {name: value.value for name, value in values.items() if value.is_constant}
