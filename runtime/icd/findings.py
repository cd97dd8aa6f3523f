"""What checked launches of a host program find, in the files that its sources come from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from polycl.backends.interp.checks import Finding, Findings
from polycl.backends.interp.checks.findings import Location
from polycl.backends.interp.checks.sarif import write_sarif
from polycl.errors import PolyclError

_SUFFIXES = (".cl", ".clh", ".clc", ".ocl", ".opencl", ".h", ".hpp", ".inc")
_MOST_FILES = 20_000
_MOST_BYTES = 4 << 20


@dataclass(frozen=True)
class _Part:
    """A file whose text is a part of a program's source."""

    file: str
    first: int
    """Its first line there, from 1."""
    lines: int


class Reports:
    """The findings of the launches of one program: each is reported once."""

    def __init__(self) -> None:
        self._known: set[tuple[object, ...]] = set()
        self._parts: dict[tuple[str, str], list[_Part]] = {}

    def report(
        self, findings: Sequence[Finding], texts: Mapping[str, str], sarif: str, sources: str
    ) -> tuple[int, str]:
        """The number of errors, and the text about what was not reported before.

        `texts` are the program's sources by the names that locations have. Where one contains the
        text of a file in the folder `sources`, locations are in that file. With the name of a file
        in `sarif`, all findings are added to it.
        """
        if sources and findings:
            findings = [self._in_files(finding, texts, sources) for finding in findings]
        errors = sum(finding.severity == "error" for finding in findings)
        new = [finding for finding in findings if self._is_new(finding)]
        text = ""
        if new:
            found = Findings(found={(number,): finding for number, finding in enumerate(new)})
            text = f"{found.report()}\n"
        if sarif and (findings or not os.path.exists(sarif)):
            try:
                write_sarif(sarif, findings, keep=True)
            except PolyclError as error:
                text += f"polycl: POLYCL_CHECK_SARIF: {error}\n"
        return errors, text

    def _is_new(self, finding: Finding) -> bool:
        key = (finding.kind, finding.severity, finding.where, *finding.locations)
        if key in self._known:
            return False
        self._known.add(key)
        return True

    def _in_files(self, finding: Finding, texts: Mapping[str, str], sources: str) -> Finding:
        def moved(location: Location | None) -> Location | None:
            if location is None or location[0] not in texts:
                return location
            name, line, column = location
            for part in self._parts_of(texts[name], sources):
                if part.first <= line < part.first + part.lines:
                    return part.file, line - part.first + 1, column
            return location

        def named(where: str, location: Location | None) -> tuple[str, Location | None]:
            place = moved(location)
            return (where if place is location else ":".join(map(str, place or ()))), place

        where, location = named(finding.where, finding.location)
        notes = tuple((*named(where, place), text) for where, place, text in finding.notes)
        return replace(finding, where=where, location=location, notes=notes)

    def _parts_of(self, text: str, sources: str) -> list[_Part]:
        """The files whose text is in `text`, the longest ones first."""
        key = text, sources
        if key not in self._parts:
            found: list[_Part] = []
            for path in _files_in(sources):
                with suppress(OSError):
                    content = path.read_text(encoding="utf-8", errors="replace").rstrip()
                    content = content.replace("\r\n", "\n")
                    at = text.find(content) if "\n" in content else -1
                    # The whole of its lines.
                    if at > 0 and text[at - 1] != "\n":
                        at = -1
                    if at >= 0:
                        first, lines = text.count("\n", 0, at) + 1, content.count("\n") + 1
                        found.append(_Part(os.path.normpath(path), first, lines))
            self._parts[key] = sorted(found, key=lambda part: (-part.lines, part.file))
        return self._parts[key]


def _files_in(folder: str) -> Iterator[Path]:
    """The files below a folder that may be sources, hidden folders left out."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            if path.suffix in _SUFFIXES and path.stat().st_size <= _MOST_BYTES:
                count += 1
                if count > _MOST_FILES:
                    return
                yield path
