"""What `POLYCL_CHECK` tells the user of a host program, and a CI."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Host = Callable[..., "subprocess.CompletedProcess[str]"]

KERNEL = """kernel void reverse(global int *x) {
  local int t[COUNT]; int i = get_local_id(0);
  t[i] = x[i];
  x[i] = t[COUNT - 1 - i];
}
"""


def results(file: Path) -> list[dict[str, Any]]:
    log = json.loads(file.read_text())
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning")
        assert result["message"]["text"]
    return run["results"]


def places(result: dict[str, Any]) -> list[tuple[str, int, int]]:
    found = [*result["locations"], *result.get("relatedLocations", [])]
    return [
        (
            place["physicalLocation"]["artifactLocation"]["uri"],
            place["physicalLocation"]["region"]["startLine"],
            place["physicalLocation"]["region"]["startColumn"],
        )
        for place in found
    ]


@pytest.mark.parametrize(
    ("case", "wanted", "status"),
    [
        ("race", {}, 1),
        ("race", {"POLYCL_CHECK_EXIT": "0"}, 0),
        ("race", {"POLYCL_CHECK_EXIT": "77"}, 77),
        ("race_and_status", {}, 3),
        ("simple", {}, 0),
        ("race", {"POLYCL_CHECK": "bounds,division"}, 0),
        ("race", {"POLYCL_CHECK": "races"}, 1),
        ("race", {"POLYCL_CHECK": "0"}, 0),
    ],
)
def test_exit_code(run_host: Host, case: str, wanted: dict[str, str], status: int) -> None:
    done = run_host("programs.py", case, status=status, **{"POLYCL_CHECK": "1"} | wanted)
    # The kernel is launched twice.
    expected = status != 0 or "POLYCL_CHECK_EXIT" in wanted
    assert done.stderr.count("error: data race") == expected


def test_log_and_sarif(run_host: Host, tmp_path: Path) -> None:
    log, sarif = tmp_path / "checks.txt", tmp_path / "checks.sarif"
    files = {"POLYCL_CHECK_LOG": str(log), "POLYCL_CHECK_SARIF": str(sarif)}
    run_host("programs.py", "simple", POLYCL_CHECK="1", **files)
    assert not log.exists()
    assert results(sarif) == []
    for count in (2, 4):
        errors = run_host("programs.py", "race", status=1, POLYCL_CHECK="1", **files).stderr
        (race,) = results(sarif)
        assert race["ruleId"] == "race"
        assert places(race) == [("source.cl", 3, 3), ("source.cl", 4, 10)]
        assert race["occurrenceCount"] % count == 0
    assert log.read_text().count("error: data race") == 2
    assert log.read_text().endswith(errors)


def test_sources_are_found_by_their_text(
    run_host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "reverse.cl").write_text(KERNEL)
    (tmp_path / "kernels" / "other.cl").write_text("kernel void other() {\n}\n")
    monkeypatch.chdir(tmp_path)
    wanted = {"POLYCL_CHECK_SARIF": "out.sarif", "POLYCL_CHECK_SOURCES": "."}
    done = run_host("programs.py", "race_in_file", status=1, POLYCL_CHECK="1", **wanted)
    assert "kernels/reverse.cl:3:3: error: data race on local memory 't'" in done.stderr
    assert "\n  t[i] = x[i];\n  ^\n" in done.stderr
    (race,) = results(tmp_path / "out.sarif")
    assert places(race) == [("kernels/reverse.cl", 3, 3), ("kernels/reverse.cl", 4, 10)]


def test_unknown_kind(run_host: Host) -> None:
    done = run_host("programs.py", "race", status=1, POLYCL_CHECK="racing")
    assert "POLYCL_CHECK: unknown kind of check 'racing'; did you mean 'race'?" in done.stderr


def test_files_that_cannot_be_written(run_host: Host, tmp_path: Path) -> None:
    (tmp_path / "other.sarif").write_text("{}")
    for name, message in (
        (tmp_path / "nowhere" / "x", "No such file or directory"),
        (tmp_path / "other.sarif", "is not a SARIF file of polycl; remove it"),
    ):
        files = {"POLYCL_CHECK_SARIF": str(name), "POLYCL_CHECK_LOG": os.fspath(tmp_path)}
        done = run_host("programs.py", "race", status=1, POLYCL_CHECK="1", **files)
        assert "error: data race" in done.stderr
        assert message in done.stderr
        assert f"POLYCL_CHECK_LOG: cannot write '{tmp_path}'" in done.stderr
    assert (tmp_path / "other.sarif").read_text() == "{}"
