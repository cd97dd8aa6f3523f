"""Executes a module before and after each pass, and reports the first that changes a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polycl.analysis.ocl.addresses import root_of
from polycl.dialects import ocl
from polycl.dialects.ocl import KernelLike
from polycl.errors import location_of
from polycl.lowering.ocl.ocl_set_local_size import OclSetLocalSizePass
from polycl.runtime.check_passes.execution import (
    Change,
    NotExecutable,
    Results,
    State,
    Trap,
    change_of,
)
from polycl.runtime.check_passes.generate import NoInput, generate_trials
from polycl.runtime.check_passes.trial import Trial

ENOUGH = 6
"""Launches of each kernel."""
MAX_STEPS = 40_000
"""Operations of one generated launch; one that takes more is not an input."""
MOST_STEPS = 200_000
"""The same for kernels without a shorter launch."""
MORE_STEPS = 50
"""The factor by which a pass may increase the operations of a launch."""
MAX_SHRINKS = 400
"""Launches tried in the search of a smaller one."""


@dataclass(frozen=True)
class Finding:
    """A pass changed what a kernel computes."""

    pass_name: str
    spec: str
    """The passes up to this one, as `-p` takes them."""
    trial: Trial
    change: Change
    location: tuple[str, int, int] | None
    """Where in the source: of the failure, of the store to the buffer, or of the kernel."""


@dataclass
class PassChecker:
    """Executes a module before the first pass and after each pass, and compares the results.

    `given` are the launches to try; without them launches are generated for every kernel. Floats
    may change by `tolerance` ULP, or by the `allowed_ulp` of the pass's class if that is more: the
    following passes are compared with the results after such a pass.
    """

    passes: Sequence[ModulePass]
    given: Sequence[Trial] | None = None
    tolerance: float = 0
    remarks: list[str] = field(default_factory=list[str])
    """What was checked and what was not, in sentences."""
    _original: State | None = None
    _before: State | None = None
    _expected: list[tuple[Trial, Results]] = field(default_factory=list)
    _done: list[ModulePass] = field(default_factory=list[ModulePass])

    def start(self, module: ModuleOp) -> None:
        """Finds launches that do not fail."""
        limits = (MAX_STEPS, MOST_STEPS) if self.given is None else (None, None)
        # The result of a launch is defined only without errors and races.
        quick, self._original = (State(module, limit, check=True) for limit in limits)
        self._before = State(module, limits[1])
        for kernel in quick.module.ops:
            if not isinstance(kernel, KernelLike):
                continue
            reason = self._find_trials(quick, kernel, ENOUGH)
            if reason is not None and self.given is None:
                reason = self._find_trials(self._original, kernel, 1)
            if reason is not None:
                self.remarks.append(
                    f"kernel '{kernel.sym_name.data}' is not checked, no input was found: {reason}"
                )

    def after(self, step: ModulePass, module: ModuleOp) -> Finding | None:
        """Judges `step`, of which `module` is the result."""
        self._done.append(step)
        if self._original is None or self._before is None or not self._expected:
            return None
        state = State(module, MOST_STEPS * MORE_STEPS if self.given is None else None)
        tolerance = max(self.tolerance, getattr(step, "allowed_ulp", 0))
        gone: list[str] = []
        following: list[tuple[Trial, Results]] = []
        for trial, results in self._expected:
            if trial.kernel in gone:
                continue
            try:
                outcome = state.run(trial)
            except NotExecutable as reason:
                self._leave_out(trial.kernel, step, str(reason))
                gone.append(trial.kernel)
                continue
            change = change_of(results, outcome, tolerance)
            if change is not None:
                states = (self._original, self._before, state)
                trial, change = shrink(states, trial, change, tolerance)
                where = change.location or _place(state, trial.kernel, change.parameter)
                return Finding(step.name, pipeline_text(self._done), trial, change, where)
            assert isinstance(outcome, Results)
            following.append((trial, outcome))
        self._expected = [pair for pair in following if pair[0].kernel not in gone]
        self._before = state
        return None

    def finish(self) -> None:
        """Adds the remarks on kernels that were checked to the end."""
        counts: dict[str, int] = {}
        for trial, _ in self._expected:
            counts[trial.kernel] = counts.get(trial.kernel, 0) + 1
        for kernel, count in counts.items():
            self.remarks.append(f"{_same(kernel, count)} {_passes('each of', len(self._done))}")

    def _find_trials(self, state: State, kernel: KernelLike, enough: int) -> str | None:
        """Keeps up to `enough` launches that do not fail. The reason if there is none, or None."""
        found = too_long = 0
        reason = None
        try:
            for trial in self._candidates(state, kernel):
                outcome = state.run(trial)
                if isinstance(outcome, Trap):
                    reason = outcome.message
                    too_long += outcome.too_long
                    if too_long == ENOUGH:
                        break
                    continue
                self._expected.append((trial, outcome))
                found += 1
                if found == enough:
                    break
        except (NoInput, NotExecutable) as error:
            reason = str(error)
        return None if found else reason

    def _candidates(self, state: State, kernel: KernelLike) -> Iterable[Trial]:
        if self.given is not None:
            return [t for t in self.given if t.kernel == kernel.sym_name.data]
        return generate_trials(state.module, kernel, _future_size(self.passes, kernel))

    def _leave_out(self, kernel: str, step: ModulePass, reason: str) -> None:
        """`step` ends the checking of `kernel`."""
        count = sum(trial.kernel == kernel for trial, _ in self._expected)
        self.remarks.append(
            f"{_same(kernel, count)} {_passes('each of the first', len(self._done) - 1)}; "
            f"'{step.name}' ends the checking: {reason}"
        )


def _same(kernel: str, launches: int) -> str:
    if launches == 1:
        return f"kernel '{kernel}': 1 launch gives the same after"
    return f"kernel '{kernel}': {launches} launches give the same after"


def _passes(which: str, count: int) -> str:
    match count:
        case 0:
            return "no pass"
        case 1:
            return "1 pass"
        case _:
            return f"{which} {count} passes"


def _future_size(passes: Iterable[ModulePass], kernel: KernelLike) -> Sequence[int] | None:
    """The local size that one of `passes` sets, if any does."""
    for step in passes:
        if isinstance(step, OclSetLocalSizePass):
            if step.kernel in (None, kernel.sym_name.data):
                return step.size
    return None


def shrink(
    states: tuple[State, State, State], trial: Trial, change: Change, tolerance: float
) -> tuple[Trial, Change]:
    """The smallest launch found that succeeds on the original module and before a pass, and gives
    another result after it: `states` are these three."""
    tries = 0
    candidates = trial.smaller()
    while tries < MAX_SHRINKS:
        smaller = next(candidates, None)
        if smaller is None:
            break
        tries += 1
        found = _judge(states, smaller, tolerance)
        if found is not None:
            trial, change = smaller, found
            candidates = trial.smaller()
    return trial, change


def _judge(states: tuple[State, State, State], trial: Trial, tolerance: float) -> Change | None:
    original, before, after = states
    try:
        if isinstance(original.run(trial), Trap):
            return None
        expected = before.run(trial)
        if isinstance(expected, Trap):
            return None
        return change_of(expected, after.run(trial), tolerance)
    except NotExecutable:
        return None


def pipeline_text(passes: Iterable[ModulePass]) -> str:
    """`passes` as `-p` takes them."""
    return ",".join(str(step.spec()) for step in passes)


def _place(state: State, kernel: str, parameter: str | None) -> tuple[str, int, int] | None:
    """The only store to `parameter`, or else the kernel."""
    op = next(
        k for k in state.module.ops if isinstance(k, KernelLike) and k.sym_name.data == kernel
    )
    stores = [
        store
        for store in op.walk()
        if isinstance(store, ocl.StoreOp | ocl.VStoreOp | ocl.AtomicRMWOp)
        and op.name_of(root_of(store.pointer)) == parameter
    ]
    places = {place for store in stores if (place := location_of(store)) is not None}
    return places.pop() if len(places) == 1 else location_of(op)


def check_passes(
    module: ModuleOp,
    passes: Sequence[ModulePass],
    run: Callable[[ModuleOp, ModulePass], None],
    given: Sequence[Trial] | None = None,
    tolerance: float = 0,
) -> tuple[Finding | None, list[str]]:
    """Runs `passes` by `run` over `module`, in place, and judges each.

    Returns the finding, which ends the run, and the checker's remarks.
    """
    checker = PassChecker(passes, given, tolerance)
    checker.start(module)
    for step in passes:
        run(module, step)
        finding = checker.after(step, module)
        if finding is not None:
            return finding, checker.remarks
    checker.finish()
    return None, checker.remarks
