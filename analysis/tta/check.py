"""Executes program and function symbolically, block by block, to a fixed point of the facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress

from xdsl.dialects import func
from xdsl.ir import SSAValue

from polycl.analysis.tta.facts import Home, Known, known_at
from polycl.analysis.tta.path import Path
from polycl.analysis.tta.run_function import Code, Number, read_function
from polycl.analysis.tta.run_schedule import Outcome, Run, State
from polycl.analysis.tta.symbolic_memory import Refused
from polycl.analysis.tta.terms import Terms
from polycl.dialects.tta import Kind, Machine, Program, Register, problems
from polycl.errors import PolyclError, error_at


def check_schedule(
    function: func.FuncOp,
    program: Program,
    arguments: tuple[Register, ...],
    private: range = range(0),
    homes: Mapping[SSAValue, Collection[Home]] = {},
) -> None:
    """Raises PolyclError if `program` is not proved equivalent to `function`.

    `function` is the input of `tta-schedule`, `arguments` are the registers of its arguments, and
    `private` are addresses that it does not access, at which the scheduler spills values.

    `homes` are where values of the function are whenever a block begins (registers, or addresses of
    spilled values), as far as is known: with them a right program is proved sooner. A wrong one is
    refused whatever they are.

    Each block of the function is a named block of the program, followed by blocks without names. A
    modulo-scheduled loop has several named blocks: the name of each other block is the name of the
    first one followed by `_` and a suffix.
    """
    for problem in problems(program):
        place = problem.block, problem.instruction
        raise _error(function, program, place, problem.message)
    if len(_spaces(program.machine)) > 1:
        raise error_at(function, "schedules for several address spaces cannot be checked")
    blocks, numbers = read_function(list(function.body.blocks))
    known = {numbers[value]: registers for value, registers in homes.items() if value in numbers}
    if known:
        with suppress(PolyclError):
            _Check(function, blocks[0], program, arguments, private, known).run()
            return
    _Check(function, blocks[0], program, arguments, private, {}).run()


def _spaces(machine: Machine) -> set[str | None]:
    return {
        unit.space
        for unit in machine.units
        if any(op.semantics.kind in (Kind.LOAD, Kind.STORE) for op in unit.operations)
    }


def _error(
    function: func.FuncOp, program: Program, place: tuple[int, int | None], message: str
) -> PolyclError:
    block, instruction = place
    where = f"block {program.blocks[block].name or block}"
    if instruction is not None:
        where += f", instruction {instruction}"
    name = function.sym_name.data
    return error_at(function, f"the schedule of '{name}' is wrong: {where}: {message}")


class _Check:
    def __init__(
        self,
        function: func.FuncOp,
        first: Code,
        program: Program,
        arguments: tuple[Register, ...],
        private: range,
        homes: Mapping[Number, Collection[Home]],
    ):
        self.function = function
        self.homes = homes
        self.program = program
        self.private = private
        given = list(zip(first.live, arguments, strict=True))
        self.known = {
            0: Known(
                first,
                {register: ((value.number, 0),) for value, register in given},
                tuple((i, 0) for i, _ in enumerate(given, 1)),
            )
        }
        """The facts at the begin of each block of the program that was reached."""
        self.sources: dict[int, set[int]] = defaultdict(set)
        """The blocks from which each block was reached."""
        self.failed: dict[int, PolyclError] = {}

    def run(self) -> None:
        pending = {0}
        while pending:
            at = min(pending)
            pending.remove(at)
            self.failed.pop(at, None)
            pending |= self._follow(at)
        # Only the last failure of a block counts: earlier ones may follow from optimistic facts.
        for at in sorted(self.failed):
            raise self.failed[at]

    def _follow(self, at: int) -> set[int]:
        """Executes a block; returns the blocks to execute next, since their facts changed."""
        terms = Terms()
        changed: set[int] = set()
        run = Run(self.program, terms, self.private)
        path, places = self.known[at].begin(terms)
        try:
            for outcome in run.outcomes(at, State.at_places(places, path, self.known[at].done)):
                changed |= self._arrive(at, outcome)
        except Refused as refused:
            self.failed[at] = _error(self.function, self.program, run.place, str(refused))
        return changed

    def _arrive(self, at: int, outcome: Outcome) -> set[int]:
        """Merges the facts on one edge into its target; returns what to execute if they change."""
        target, state = outcome.target, outcome.state
        path = state.path
        tests = state.tests
        # A jump decides one branch.
        for _ in range(len(tests) + state.constant_tests):
            known = path.known(tests)
            choice = path.constant() if known is None else known
            if choice is None or not path.go(choice):
                break
        if target == len(self.program.blocks):
            while path.extend(tests):
                pass
            if not path.steps[-1].code.returns:
                raise Refused(f"the program ends here, but {self._differs(path, state)}")
            self._all_done(path, len(path.memory.stores), state)
            return set()
        step = self._step(at, outcome)
        self._all_done(path, path.steps[step].first_store, state)
        found = known_at(path, step, state.places(path.terms), state.done)
        self.sources[target].add(at)
        old = self.known.get(target)
        if old is None and self.homes and found.code.changing and not found.choices:
            found = found.widened(self.homes)
        try:
            new = found if old is None else old.met(found)
        except Refused:
            if old is None or len(found.choices) >= len(old.choices):
                raise
            # The other edges end at a step for which this one is too short: they begin anew here.
            self.known[target] = found
            return {target, *self.sources[target]}
        self.known[target] = new
        return {target} if new != old else set()

    def _all_done(self, path: Path, count: int, state: State) -> None:
        missing = path.memory.missing(count, state.done)
        if missing is not None:
            raise Refused(f"{path.memory.describe(missing)} does not happen")

    def _step(self, at: int, outcome: Outcome) -> int:
        """The step of the path at which the next block of the program begins."""
        target, path = outcome.target, outcome.state.path
        while True:
            steps = self._possible(at, target, path)
            if steps:
                break
            if not path.extend(outcome.state.tests):
                name = self.program.blocks[target].name
                raise Refused(f"'{name}' follows, but {self._differs(path, outcome.state)}")
        if target in self.known:
            # As many steps ahead as on the other edges to that block.
            ahead = len(self.known[target].choices)
            return next((s for s in steps if len(path.steps) - 1 - s == ahead), steps[0])
        return steps[0]

    def _possible(self, at: int, target: int, path: Path) -> list[int]:
        """The steps at which the next block may begin."""
        blocks = [step.code for step in path.steps]
        if target in self.known:
            wanted = self.known[target].code
            return [s for s, b in enumerate(blocks) if b is wanted and (s > 0 or target != at)]
        name, _, part = (self.program.blocks[target].name or "").partition("_")
        if part:
            # A part of a modulo-scheduled loop.
            others = [i for i in self.known if self.program.blocks[i].name == name]
            return [s for s, b in enumerate(blocks) if others and b is self.known[others[0]].code]
        return [s for s, b in enumerate(blocks) if b is not blocks[0]]

    def _differs(self, path: Path, state: State) -> str:
        """Why the function is not known to branch as the program does, for messages."""
        condition = path.steps[-1].condition
        if condition is None:
            return "not in the function"
        tested = " and ".join(path.terms.text(t) for t, _ in state.tests) or "nothing"
        return f"the function tests {path.terms.text(condition)}, the program {tested}"
