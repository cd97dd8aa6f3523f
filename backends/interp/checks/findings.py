"""The findings of a checked launch, and their report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from xdsl.ir import Operation

from polycl.backends.interp.state import place_of
from polycl.diagnostics import unknown_name
from polycl.errors import ArgumentError, LaunchError, SourceError, location_of
from polycl.notebooks import table, titled

Severity: TypeAlias = Literal["error", "warning"]

KINDS = {
    "race": "data race between two work-items",
    "bounds": "access outside of every buffer, or through a null pointer",
    "uninitialised": "use of a value that nothing has set",
    "barrier": "work-items of a group at different barriers, or at none",
    "alignment": "misaligned access",
    "division": "division by zero, or of the smallest integer by -1",
    "shift": "shift by the width of the type or more",
    "constant": "write to constant or read-only memory, read of write-only memory",
    "async": "misuse of an asynchronous copy",
    "other": "everything else that has no meaning",
}
"""The kinds of findings."""

Check: TypeAlias = bool | str | Collection[str]
"""What a device checks: nothing, all kinds, some of them (as a list, or as a text with commas), or
`"strict"`: all, and warnings are errors."""

SHOWN = 20
"""The number of findings that are shown; the others are counted."""

Location: TypeAlias = tuple[str, int, int]
"""File, line and column."""


def checked_kinds(check: Check) -> frozenset[str]:
    """The kinds of findings that `check` selects. Errors that end a work-group, of the kind
    `other`, always belong to them.

    Raises:
        ArgumentError: there is no such kind.
    """
    if check is True or check in ("strict", "all"):
        return frozenset(KINDS)
    if check is False:
        return frozenset()
    words = check.split(",") if isinstance(check, str) else check
    kinds = {"other"}
    for word in map(str.strip, words):
        kind = word if word in KINDS else word.removesuffix("s")
        if kind not in KINDS:
            raise ArgumentError(
                f"{unknown_name('kind of check', word, KINDS)} (the kinds: {', '.join(KINDS)})"
            )
        kinds.add(kind)
    return frozenset(kinds)


@dataclass
class Finding:
    """One defect, named by its kind and the places in the source that it involves."""

    kind: str
    severity: Severity
    where: str
    """`file:line:col`, or the operation's name where that is unknown."""
    location: Location | None
    message: str
    notes: tuple[tuple[str, Location | None, str], ...] = ()
    """The same two of each other place, and its text."""
    count: int = 1
    """How often it occurred."""
    remedy: str = ""
    """What to do about it; "" if that is not known."""

    @property
    def locations(self) -> list[Location]:
        """The places of the defect and of its notes, where they are known."""
        places = (self.location, *(location for _, location, _ in self.notes))
        return [place for place in places if place is not None]

    def _repr_html_(self) -> str:
        places = [(self.where, self.message), *((where, text) for where, _, text in self.notes)]
        if self.remedy:
            places.append(("to mend it", self.remedy))
        title = f"{self.severity}: {self.kind}" + (
            f", {self.count} times" if self.count > 1 else ""
        )
        return titled(title, table(["place", "what"], places))

    def __str__(self) -> str:
        lines = [_diagnostic(self.where, self.location, self.severity, self.message)]
        lines += [_diagnostic(where, place, "note", text) for where, place, text in self.notes]
        if self.remedy:
            lines.append(f"  to mend it: {self.remedy}")
        if self.count > 1:
            more = self.count - 1
            lines.append(f"  and {more} more time{'s' if more > 1 else ''} at the same place")
        return "\n".join(lines)


@dataclass
class Findings:
    """The findings of one launch, in order of occurrence.

    Of several findings of one kind at the same places, in whatever order, the first is kept; an
    error replaces a warning.
    """

    strict: bool = False
    """Whether warnings are errors."""

    kinds: Collection[str] = frozenset(KINDS)
    """Those that are reported."""

    found: dict[tuple[object, ...], Finding] = field(default_factory=lambda: {})

    left_out: int = 0
    """The number of findings of other kinds."""

    def add(
        self,
        kind: str,
        op: Operation,
        message: Callable[[], str],
        notes: Sequence[tuple[Operation, Callable[[], str]]] = (),
        severity: Severity = "error",
        remedy: Callable[[], str] = str,
    ) -> None:
        """Keep a finding. The texts are made only for the first one at its places."""
        if self.strict:
            severity = "error"
        key = (kind, *sorted((_key(op), *(_key(other) for other, _ in notes)), key=str))
        known = self.found.get(key)
        if known is not None and (known.severity == severity or known.severity == "error"):
            known.count += 1
            return
        texts = tuple((place_of(other), location_of(other), text()) for other, text in notes)
        self.found[key] = Finding(
            kind, severity, place_of(op), location_of(op), message(), texts, remedy=remedy()
        )

    def add_error(self, error: LaunchError, where: str) -> None:
        """Keep an error that ended a work-group; `where` is its place if it has no location."""
        location = None
        if isinstance(error, SourceError):
            location = (error.filename, error.line, error.col)
            where = ":".join(map(str, location))
        text = error.message if isinstance(error, SourceError) else str(error)
        known = self.found.setdefault(
            ("other", where), Finding("other", "error", where, location, text, count=0)
        )
        known.count += 1

    def drop_consequences(self) -> None:
        """Forget uses of values that a race left unset: the race is the error."""
        racing = {
            place
            for finding in self.found.values()
            if finding.kind == "race" and finding.severity == "error"
            for place in finding.locations
        }
        self.found = {
            key: finding
            for key, finding in self.found.items()
            if finding.kind != "uninitialised" or racing.isdisjoint(finding.locations[1:])
        }

    def put_causes_first(self) -> None:
        """Errors before warnings, and uses of unset values after what may have left them unset: an
        access that was left out, or work-items that have not come to a barrier."""
        self.found = dict(
            sorted(
                self.found.items(),
                key=lambda item: (item[1].severity == "warning", item[1].kind == "uninitialised"),
            )
        )

    def select(self) -> None:
        """Forget what is not reported."""
        found = {key: finding for key, finding in self.found.items() if finding.kind in self.kinds}
        self.left_out += len(self.found) - len(found)
        self.found = found

    def of(self, severity: Severity) -> list[Finding]:
        return [finding for finding in self.found.values() if finding.severity == severity]

    def report(self) -> str:
        """All findings in clang's format, and the number of each severity."""
        findings = list(self.found.values())
        parts = [str(finding) for finding in findings[:SHOWN]]
        if len(findings) > SHOWN:
            parts.append(f"and {len(findings) - SHOWN} more places")
        parts.append(self.summary())
        return "\n".join(parts)

    def summary(self) -> str:
        errors, warnings = len(self.of("error")), len(self.of("warning"))
        counts = [_counted(errors, "error")] if errors else []
        if warnings:
            counts.append(_counted(warnings, "warning"))
        return f"{' and '.join(counts) or 'nothing'} found"


class CheckError(LaunchError, SourceError):
    """The checks found errors in a launch. `str(error)` is the whole report."""

    def __init__(self, findings: Findings):
        first = findings.of("error")[0]
        super().__init__(first.message, *(first.location or ("", 0, 0)))
        self.args = (findings.report(),)
        self.findings = tuple(findings.found.values())

    def _repr_html_(self) -> str:
        return "".join(finding._repr_html_() for finding in self.findings)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"


def _key(op: Operation) -> str:
    location = location_of(op)
    return f"#{id(op)}" if location is None else repr(location)


def _diagnostic(where: str, location: Location | None, severity: str, text: str) -> str:
    """`where: severity: text`, and the source line with a caret where the file can be read."""
    head = f"{where}: {severity}: {text}"
    if location is None:
        return head
    name, line, col = location
    lines = _source_lines(name)
    if not 0 < line <= len(lines):
        return head
    source = lines[line - 1]
    indent = "".join("\t" if c == "\t" else " " for c in source[: max(col - 1, 0)])
    return f"{head}\n{source}\n{indent}^"


def _source_lines(name: str) -> Sequence[str]:
    try:
        return Path(name).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
