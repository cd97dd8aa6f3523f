"""What the explorer shows of a kernel, as data and as an HTML page.

The page is one file that needs no network: page.html with the data in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polycl.backends.cpu.machine_limits import NOMINAL, known_limits
from polycl.backends.device import Device, Size3
from polycl.backends.interp import InterpDevice
from polycl.backends.interp.checks import CheckError, Finding
from polycl.backends.interp.device import InterpExecutable
from polycl.backends.pipeline import parse_passes
from polycl.columns import EXPLORER_LEVELS
from polycl.errors import ArgumentError, PolyclError, SourceError
from polycl.remarks import Remark
from polycl.runtime.explain.explanation import explained
from polycl.runtime.explain.report import remarks_of
from polycl.runtime.explorer.behaviours import KINDS, Behaviour, behaviours_of
from polycl.runtime.explorer.launches import Launch
from polycl.runtime.explorer.levels import Level, Walk, walk
from polycl.runtime.explorer.texts import Line
from polycl.runtime.explorer.traces import Trace, traces_of
from polycl.runtime.kernel import Kernel

if TYPE_CHECKING:
    from polycl.runtime.program import Program

MOST_STEPS = 20_000_000
"""Operations of a launch with checks, about ten seconds."""


@dataclass
class Page:
    """A kernel on all levels. `html` is the page; notebooks show it."""

    file: str
    source: str
    kernel: str = ""
    kernels: Sequence[str] = ()
    """The kernels of the source."""
    launch: Launch = field(default_factory=Launch)
    levels: Sequence[Level] = ()
    behaviours: Sequence[Behaviour] = ()
    traces: Sequence[Trace] = ()
    """What each behaviour does in a work-group; empty without arguments."""
    remarks: Sequence[Remark] = ()
    findings: Sequence[Finding] = ()
    group_size: Size3 = (1, 1, 1)
    checked: bool = False
    """Whether findings were looked for."""
    error: tuple[str, PolyclError] | None = None
    """What failed, `import` or a pass, and why; the levels end before it."""

    def data(self) -> dict[str, Any]:
        """The content as JSON. A line of text is there once, however many levels have it."""
        table: dict[Line, int] = {}
        return {
            "file": self.file,
            "source": self.source.split("\n"),
            "kernel": self.kernel,
            "kernels": list(self.kernels),
            "launch": self._launch(),
            "levels": [_level(level, table) for level in self.levels],
            "behaviours": self._here(self.behaviours),
            "traces": [
                trace
                for each, trace in zip(self.behaviours, self.traces, strict=False)
                if each.location[0] == self.file
            ],
            "kinds": KINDS,
            "remarks": self._here(dict.fromkeys(self.remarks)),
            "checked": self.checked,
            "findings": [self._finding(finding) for finding in self.findings],
            "error": self._error(),
            # Last: all levels have added their lines.
            "lines": list(table),
        }

    def html(self, token: str = "") -> str:
        """The page. With a `token` it is that of a server, which compiles what is edited."""
        # Neither a script's end nor a comment can be in it.
        data = json.dumps(self.data(), separators=(",", ":")).replace("<", "\\u003c")
        template = files("polycl.runtime.explorer").joinpath("page.html")
        text = template.read_text(encoding="utf-8")
        for name, value in (
            ("TITLE", escape(f"{self.kernel or 'no kernel'} in {self.file}")),
            ("TOKEN", escape(token)),
            ("DATA", data),
        ):
            text = text.replace(name, value, 1)
        return text

    def save(self, path: str | Path) -> None:
        """Write the page. Raises PolyclError."""
        try:
            Path(path).write_text(self.html(), encoding="utf-8")
        except OSError as error:
            raise PolyclError(f"cannot write '{path}': {error.strerror}") from error

    def _repr_html_(self) -> str:
        frame = 'style="width: 100%; height: 720px; border: 1px solid #ccc"'
        return f'<iframe {frame} srcdoc="{escape(self.html())}"></iframe>'

    def _launch(self) -> Mapping[str, Any]:
        sizes = (self.launch.global_size, self.launch.local_size, self.launch.offset)
        names = ("global", "local", "offset")
        return {
            **{
                name: "x".join(map(str, size or ()))
                for name, size in zip(names, sizes, strict=True)
            },
            "args": [f"{name}={text}" for name, text in (self.launch.texts or {}).items()],
            "guessed": self.launch.guessed,
            "group": "x".join(map(str, self.launch.group)),
            "size": self.group_size,
        }

    def _here(self, found: Iterable[Behaviour | Remark]) -> list[dict[str, Any]]:
        """Those with a place in the source."""
        return [
            {**vars(each), "location": None, "line": each.location[1], "col": each.location[2]}
            for each in found
            if each.location is not None and each.location[0] == self.file
        ]

    def _finding(self, finding: Finding) -> dict[str, Any]:
        places = [("", finding.location, finding.message), *finding.notes]
        return {
            "kind": finding.kind,
            "severity": finding.severity,
            "count": finding.count,
            "places": [
                {
                    "line": place[1] if place is not None and place[0] == self.file else 0,
                    "col": place[2] if place is not None else 0,
                    "text": text,
                }
                for _, place, text in places
            ],
        }

    def _error(self) -> dict[str, Any] | None:
        if self.error is None:
            return None
        where, error = self.error
        is_here = isinstance(error, SourceError) and error.filename == self.file
        line, col = (
            (error.line, error.col) if isinstance(error, SourceError) and is_here else (0, 0)
        )
        return {"where": where, "line": line, "col": col, "text": str(error)}


def _level(level: Level, table: dict[Line, int]) -> dict[str, Any]:
    def number(line: Line) -> int:
        return table.setdefault(line, len(table))

    return {
        "name": level.name,
        "form": level.form,
        "lines": [number(line) for line in level.lines],
        "added": list(level.added),
        "removed": [(at, number(line)) for at, line in level.removed],
        "html": level.html,
        "note": level.note,
        "source": level.source,
    }


def explored(
    program: Program,
    source: str,
    kernel: str | None,
    launch: Launch,
    device: Device,
    check: bool = False,
    pipeline: str | None = None,
) -> Page:
    """The page of a kernel of a program, or its first one, with the passes of `device`, or those
    of a `pipeline` as `ocl-opt -p` takes it.

    `source` is the text of the program's file. With `check` the launch runs on the interpreter,
    which looks for races and other errors.

    Raises:
        ArgumentError: there is no such kernel, or the launch does not fit it.
    """
    if kernel is None and not program.kernels:
        raise ArgumentError(f"{program.name}: there is no kernel in it")
    chosen = program.kernel(kernel or next(iter(program.kernels)))
    launch = launch.completed(chosen)
    space = launch.ndrange(chosen)
    passes = device.own_passes(space) if pipeline is None else parse_passes(pipeline)
    result = walk(chosen, passes, program.name)
    behaviours = {} if result.module is None else behaviours_of(result.module)
    traces: list[Trace] = []
    if result.module is not None and launch.values is not None:
        traces = traces_of(chosen, result.module, list(behaviours.values()), launch)
    told = _explanation(chosen, result, launch, device) if device.name == "cpu" else []
    page = Page(
        program.name,
        source,
        chosen.name,
        tuple(program.kernels),
        launch,
        result.levels,
        tuple(behaviours),
        traces,
        [*told, *result.remarks],
        group_size=space.size_of(launch.group),
        checked=check,
        error=result.failure,
    )
    if launch.values is not None and page.error is None:
        try:
            for more in EXPLORER_LEVELS.values():
                page.levels = [*page.levels, *more()(device, passes, chosen, launch)]
        except PolyclError as error:
            page.error = (f"device {device.name}", error)
    if check:
        if launch.values is None:
            raise ArgumentError("checks need the arguments of the launch")
        try:
            page.findings = findings_of(chosen, launch)
        except PolyclError as error:
            page.error = page.error or ("checks", error)
    return page


def _explanation(kernel: Kernel, walk: Walk, launch: Launch, device: Device) -> list[Remark]:
    """Advice, costs and the bound of a launch with arguments, as remarks of their lines. Limits of
    the machine are those that `ocl-run --explain` has measured."""
    states = walk.snapshots.states(kernel.name, walk.remarks)
    if states is None or launch.values is None or walk.failure is not None:
        return []
    bound = launch.bind(kernel, InterpDevice())
    limits = known_limits(device.threads)
    found = explained(
        states,
        bound.args,
        bound.ndrange.parts()[0],
        device.threads,
        limits or NOMINAL,
        keeps_groups=kernel.keeps_groups,
    )
    return remarks_of(found, is_measured=limits is not None)


def findings_of(kernel: Kernel, launch: Launch) -> Sequence[Finding]:
    """What the interpreter's checks find in a launch.

    Raises:
        PolyclError: the launch does not fit the kernel, or takes more than MOST_STEPS operations.
    """
    bound = launch.bind(kernel, InterpDevice(MOST_STEPS, check=True))
    try:
        # What the kernel prints is not wanted.
        with redirect_stdout(StringIO()):
            bound.launch()
    except CheckError as error:
        return error.findings
    assert isinstance(bound.compiled, InterpExecutable)
    return bound.compiled.findings
