"""The file that an exploration keeps its trials in."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from polycl.runtime.pattern.explore.database import Database, Setting, Trial

SETTING = Setting("0123", {"N": 1024}, "rand", "interp", "here")
TRIAL = Trial(SETTING, "3c n=?n @", {"n": 4}, "ok", (0.125, 0.25), estimate=0.5)


def test_what_was_added_is_there_in_the_next_process(tmp_path: Path):
    path = tmp_path / "trials.jsonl"
    slow = replace(TRIAL, parameters={"n": 8}, status="slow", seconds=(1.0,))
    for trial in (TRIAL, slow):
        Database(path).add(trial)
    assert list(Database(path).of(SETTING)) == [TRIAL, slow]


def test_the_last_line_for_a_trial_counts(tmp_path: Path):
    database = Database(tmp_path / "trials.jsonl")
    database.add(TRIAL)
    again = replace(TRIAL, seconds=(0.0625, 0.125))
    database.add(again)
    assert list(Database(database.path).of(SETTING)) == [again]


@pytest.mark.parametrize(
    "other",
    [
        replace(SETTING, program="4567"),
        replace(SETTING, sizes={"N": 2048}),
        replace(SETTING, data="iota"),
        replace(SETTING, device="cpu"),
        replace(SETTING, driver="there"),
    ],
    ids=["program", "sizes", "data", "device", "driver"],
)
def test_a_time_is_not_taken_for_that_of_another_setting(other: Setting):
    database = Database()
    database.add(TRIAL)
    assert list(database.of(other)) == []
    assert replace(TRIAL, setting=other).key != TRIAL.key


def test_parameters_are_named_by_a_trial_in_any_order():
    one = replace(TRIAL, parameters={"n": 1, "m": 2})
    other = replace(TRIAL, parameters={"m": 2, "n": 1})
    assert one.key == other.key


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_half_written_line_is_ignored_and_spoils_no_other(tmp_path: Path, cut: int):
    path = tmp_path / "trials.jsonl"
    Database(path).add(TRIAL)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:cut])
    database = Database(path)
    assert (list(database.of(SETTING)), database.ignored) == ([TRIAL], 1)
    another = replace(TRIAL, parameters={"n": 16})
    database.add(another)
    assert list(Database(path).of(SETTING)) == [TRIAL, another]


@pytest.mark.parametrize("line", ["[]", "{}", "3", '{"setting": 1}', "\x00\xff"])
def test_lines_of_something_else_are_ignored(tmp_path: Path, line: str):
    path = tmp_path / "trials.jsonl"
    path.write_text(f"{line}\n")
    Database(path).add(TRIAL)
    assert list(Database(path).of(SETTING)) == [TRIAL]


def test_a_line_with_another_setting_is_ignored(tmp_path: Path):
    path = tmp_path / "trials.jsonl"
    Database(path).add(TRIAL)
    values = json.loads(path.read_text())
    del values["setting"]["driver"]
    path.write_text(json.dumps(values) + "\n")
    assert Database(path).trials == {}


def test_several_may_write_at_once(tmp_path: Path):
    path = tmp_path / "trials.jsonl"
    databases = [Database(path) for _ in range(4)]

    def write(number: int) -> None:
        for n in range(50):
            databases[number].add(replace(TRIAL, parameters={"n": n, "writer": number}))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    database = Database(path)
    assert (len(database.trials), database.ignored) == (200, 0)


def test_what_failed_has_no_time():
    assert replace(TRIAL, status="wrong").time == float("inf")
    assert TRIAL.time == 0.25
    assert replace(TRIAL, drift=2.0).time == 0.125
