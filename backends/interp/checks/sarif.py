"""Findings as a file in SARIF, which code-hosting sites show beside the source lines.

SARIF is the Static Analysis Results Interchange Format, version 2.1.0 (OASIS).
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from polycl.backends.interp.checks.findings import KINDS, Finding, Location
from polycl.errors import ArgumentError

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def write_sarif(file: str | Path, findings: Iterable[Finding], *, keep: bool = False) -> None:
    """Write the findings of a launch; with `keep`, add them to those of a file that is there.

    Several processes may add to one file. A defect is in it once for each pair of places in the
    source, with the number of its occurrences.

    Raises:
        ArgumentError: the file cannot be written, or what is to be kept is no SARIF of polycl.
    """
    path = Path(file).absolute()
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            log = _read(path) if keep and path.exists() else _empty_log()
            _add(log["runs"][0]["results"], findings)
            unfinished = path.with_name(f".{path.name}-{os.getpid()}.tmp")
            unfinished.write_text(json.dumps(log, indent=2) + "\n", encoding="utf-8")
            unfinished.replace(path)
        finally:
            os.close(folder)
    except OSError as error:
        raise ArgumentError(f"cannot write '{file}': {error.strerror}") from error


def _empty_log() -> dict[str, Any]:
    rules = [
        {"id": kind, "shortDescription": {"text": text}, "defaultConfiguration": {"level": "error"}}
        for kind, text in KINDS.items()
    ]
    driver = {"name": "polycl", "version": version("polycl"), "rules": rules}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": []}],
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        log = json.loads(path.read_text(encoding="utf-8"))
        if log["runs"][0]["tool"]["driver"]["name"] == "polycl":
            return log
    except (ValueError, LookupError, TypeError):
        pass
    raise ArgumentError(f"'{path}' is not a SARIF file of polycl; remove it, or name another file")


def _add(results: list[dict[str, Any]], findings: Iterable[Finding]) -> None:
    known = {_key(result): result for result in results}
    for finding in findings:
        result = _result(finding)
        other = known.setdefault(_key(result), result)
        if other is result:
            results.append(result)
        else:
            other["occurrenceCount"] += finding.count


def _key(result: dict[str, Any]) -> str:
    places = [*result.get("locations", []), *result.get("relatedLocations", [])]
    where = [place["physicalLocation"] for place in places]
    return json.dumps([result["ruleId"], result["level"], where or result["message"]])


def _result(finding: Finding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.kind,
        "ruleIndex": list(KINDS).index(finding.kind),
        "level": finding.severity,
        "message": {"text": finding.message},
        "occurrenceCount": finding.count,
    }
    if finding.location is not None:
        result["locations"] = [{"physicalLocation": _place(finding.location)}]
    others = [
        {"id": number, "physicalLocation": _place(location), "message": {"text": text}}
        for number, (_, location, text) in enumerate(finding.notes, 1)
        if location is not None
    ]
    if others:
        result["relatedLocations"] = others
    return result


def _place(location: Location) -> dict[str, Any]:
    name, line, column = location
    uri = Path(name).as_uri() if os.path.isabs(name) else quote(Path(name).as_posix())
    return {
        "artifactLocation": {"uri": uri},
        "region": {"startLine": max(line, 1), "startColumn": max(column, 1)},
    }
