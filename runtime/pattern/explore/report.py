"""The report of an exploration: the best derivation and a table of the best ten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from polycl.runtime.pattern.explore.database import Trial

TOP = 10


def top_trials(trials: Iterable[Trial]) -> list[Trial]:
    """The correct ones, the fastest first; of equally fast ones the earlier one is first."""
    return sorted((t for t in trials if t.status == "ok"), key=lambda t: t.time)


def report(trials: Sequence[Trial], ranked: Sequence[Trial]) -> str:
    """The table of the best, and the numbers of trials by result. `ranked`: the best first."""
    counts = [
        f"{sum(trial.status == status for trial in trials)} {status}"
        for status in ("ok", "slow", "wrong", "failed")
    ]
    lines = [f"{len(trials)} trials: {', '.join(counts)}"]
    best = ranked[:TOP]
    if best:
        structures = {script: number for number, script in enumerate(_scripts(trials), 1)}
        lines += ["", f"{'ms':>10} {'of best':>8} {'model':>10}  structure  parameters"]
        for trial in best:
            lines.append(
                f"{trial.time * 1e3:10.4g} {trial.time / best[0].time:7.2f}x"
                f" {trial.estimate * 1e3:10.4g}  {structures[trial.derivation]:>9}  "
                f"{parameters_text(trial)}"
            )
    reasons = [trial for trial in trials if trial.status in ("wrong", "failed")]
    if reasons:
        lines += ["", f"first that was rejected: {reasons[0].status}: {reasons[0].detail}"]
    return "\n".join(lines)


def parameters_text(trial: Trial) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(trial.parameters.items())) or "-"


def _scripts(trials: Iterable[Trial]) -> list[str]:
    return list(dict.fromkeys(trial.derivation for trial in trials))
