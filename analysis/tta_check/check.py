"""Both sides, block by block, from one set of facts to the next until all of them hold."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Block, SSAValue

from polycl.analysis.tta_check.facts import Facts, entry_terms, facts_of, met
from polycl.analysis.tta_check.function import BlockValues, edges, live_values
from polycl.analysis.tta_check.machine import Outcome, Run, State
from polycl.analysis.tta_check.memory import Refused
from polycl.analysis.tta_check.terms import Terms
from polycl.dialects.tta import Kind, Program, Register, UnitOperation, problems
from polycl.errors import error_at


def check_schedule(
    function: func.FuncOp,
    program: Program,
    arguments: tuple[Register, ...],
    private: range = range(0),
) -> None:
    """Raises PolyclError where `program` is not proved to do what `function` does.

    `function` is what `tta-schedule` is given, `arguments` the registers of its arguments, and
    `private` addresses that it does not access: words there are for what the scheduler spills.
    """
    for problem in problems(program):
        raise _error(function, program, (problem.block, problem.instruction), problem.message)
    if len({u.space for u in program.machine.units if _accesses_memory(u.operations)}) > 1:
        raise error_at(function, "schedules for several address spaces cannot be checked")
    _Check(function, program, arguments, private).run()


def _accesses_memory(operations: tuple[UnitOperation, ...]) -> bool:
    return any(op.semantics.kind in (Kind.LOAD, Kind.STORE) for op in operations)


def _error(
    function: func.FuncOp, program: Program, place: tuple[int, int | None], message: str
) -> Exception:
    block, instruction = place
    where = f"block {program.blocks[block].name or block}"
    if instruction is not None:
        where += f", instruction {instruction}"
    name = function.sym_name.data
    return error_at(function, f"the schedule of '{name}' is wrong: {where}: {message}")


class _Check:
    """Blocks of the program, each with the block of the function that it belongs to."""

    def __init__(
        self,
        function: func.FuncOp,
        program: Program,
        arguments: tuple[Register, ...],
        private: range,
    ):
        self.function = function
        self.program = program
        self.private = private
        blocks = list(function.body.blocks)
        self.live = live_values(blocks)
        self.partner: dict[int, Block] = {0: blocks[0]}
        given = zip(arguments, blocks[0].args, strict=True)
        self.facts: dict[int, Facts] = {0: {r: frozenset([v]) for r, v in given}}
        self.failed: dict[int, Exception] = {}

    def run(self) -> None:
        pending = {0}
        while pending:
            at = min(pending)
            pending.remove(at)
            self.failed.pop(at, None)
            pending |= self._block(at)
        for at in sorted(self.failed):
            raise self.failed[at]

    def _block(self, at: int) -> set[int]:
        """Follows a block to the next ones; those of which less is known now than before."""
        terms = Terms()
        block = self.partner[at]
        values, places = entry_terms(self.facts[at], self.live[block], terms)
        source = BlockValues(block, terms, values)
        run = Run(self.program, terms, source.memory, self.private)
        changed: set[int] = set()
        try:
            for outcome in run.outcomes(at, State.at_places(places, terms)):
                if self._follow(block, source, outcome):
                    changed.add(outcome.target)
        except Refused as refused:
            # Only what holds in the end counts: not all facts do yet.
            self.failed[at] = _error(self.function, self.program, run.place, str(refused))
        return changed

    def _follow(self, block: Block, source: BlockValues, outcome: Outcome) -> bool:
        """One way out of a block; whether that changes what is known where it leads."""
        missing = source.memory.missing(outcome.state.done)
        if missing is not None:
            raise Refused(f"{source.memory.describe(missing)} does not happen")
        ways = edges(block)
        end = len(self.program.blocks)
        if not ways:
            if outcome.target != end:
                raise Refused("the function returns here, but the program goes on")
            return False
        if outcome.target == end:
            raise Refused("the program ends here, but the function goes on")
        if len(ways) == 2:
            ways = [ways[self._successor(source, outcome)]]
        successor, passed = ways[0]
        if self.partner.setdefault(outcome.target, successor) is not successor:
            name = self.program.blocks[outcome.target].name
            raise Refused(f"the next block is '{name}', which is another one in the function")
        terms = source.terms
        become: dict[SSAValue, SSAValue] = dict(zip(successor.args, passed, strict=True))
        values = [(v, source.of(become.get(v, v))) for v in self.live[successor]]
        facts = facts_of(outcome.state.places(terms), values, terms)
        old = self.facts.get(outcome.target)
        new = facts if old is None else met(old, facts)
        self.facts[outcome.target] = new
        return new != old

    def _successor(self, source: BlockValues, outcome: Outcome) -> int:
        """Which way the function goes, 0 or 1, where the program takes this one."""
        terms, condition = source.terms, source.condition
        assert condition is not None
        constant = terms.value(condition)
        if constant is not None:
            return 0 if constant else 1
        for tested, holds in outcome.path:
            if tested == condition:
                return 0 if holds else 1
            if tested == terms.inverse(condition):
                return 1 if holds else 0
        tested = " and ".join(terms.text(t) for t, _ in outcome.path) or "nothing"
        raise Refused(f"the jump tests {tested}; the function {terms.text(condition)}")
