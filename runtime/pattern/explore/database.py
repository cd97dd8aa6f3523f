"""The trials of all explorations: a file with a JSON object in each line, to which lines are added.

A line that is incomplete (its process was killed) or has other fields is ignored, so an exploration
continues an earlier one, however that ended. Several explorations may write to one file.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

Status = Literal["ok", "slow", "wrong", "failed"]
"""`slow`: more than twice the best, so that it was run once only. `wrong`: its result differs.
`failed`: it does not build, or does not run."""


@dataclass(frozen=True)
class Setting:
    """All that a time depends on except the derivation."""

    program: str
    """A hash of the high-level program's text."""
    sizes: Mapping[str, int]
    """The values of its size variables."""
    data: str
    """The data of its arguments."""
    device: str
    """Its name with its options, for example `cpu{threads=2}`; `model` where nothing is run."""
    driver: str
    """The compilers and drivers of the device with versions, and the machine."""


@dataclass(frozen=True)
class Trial:
    """One derivation with one choice of its parameters, measured."""

    setting: Setting
    derivation: str
    """The script, with `?name` for parameters."""
    parameters: Mapping[str, int]
    status: Status
    seconds: tuple[float, ...] = ()
    """Of the runs that were timed, the shortest and the median."""
    drift: float = 1.0
    """The slowdown of another candidate at the same time, compared with its own trial: the speed of
    memory varies, above all on a shared machine."""
    estimate: float = 0.0
    """Seconds by the cost model."""
    detail: str = ""
    """The reason why it is not `ok`, in one line."""
    elapsed: float = 0.0
    """Seconds of exploration before it, those of earlier sessions included."""

    @property
    def time(self) -> float:
        """The median run in seconds, without drift; infinite where none counts."""
        return self.seconds[-1] / self.drift if self.status in ("ok", "slow") else float("inf")

    @property
    def key(self) -> str:
        return trial_key(self.setting, self.derivation, self.parameters)


def trial_key(setting: Setting, derivation: str, parameters: Mapping[str, int]) -> str:
    """The name of a trial in the database."""
    return digest([asdict(setting), derivation, dict(parameters)])


def digest(value: Any) -> str:
    """A hash of the JSON of `value`, 16 hexadecimal digits."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass
class Database:
    """The trials of one file, or, without a path, of this process only."""

    path: Path | None = None
    trials: dict[str, Trial] = field(default_factory=dict)
    ignored: int = 0
    """The number of ignored lines."""

    def __post_init__(self) -> None:
        if self.path is None or not self.path.exists():
            return
        for line in self.path.read_bytes().split(b"\n"):
            if not line.strip():
                continue
            trial = _read(line)
            if trial is None:
                self.ignored += 1
            else:
                self.trials[trial.key] = trial

    def of(self, setting: Setting) -> Iterator[Trial]:
        """The trials with this setting, in the order in which they were made."""
        return (trial for trial in self.trials.values() if trial.setting == setting)

    def add(self, trial: Trial) -> None:
        """Store `trial`; it is on the disk when this returns."""
        self.trials[trial.key] = trial
        if self.path is None:
            return
        line = json.dumps(asdict(trial), sort_keys=True).encode() + b"\n"
        with self.path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # An incomplete line of an earlier process must not precede this one.
            if file.seek(0, os.SEEK_END) > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    line = b"\n" + line
            file.write(line)


_NAMES = {each.name for each in fields(Trial)}
_SETTING_NAMES = {each.name for each in fields(Setting)}


def _read(line: bytes) -> Trial | None:
    try:
        values = json.loads(line)
    except ValueError:
        return None
    if not isinstance(values, dict) or values.keys() != _NAMES:
        return None
    setting = values.pop("setting")
    if not isinstance(setting, dict) or setting.keys() != _SETTING_NAMES:
        return None
    seconds = tuple(values.pop("seconds"))
    return Trial(setting=Setting(**setting), seconds=seconds, **values)
