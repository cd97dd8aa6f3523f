"""Tables of what a processor's operations cost: read, refused, and fitted to measurements."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest
from bench.calibrate import fit, measure, table
from bench.calibrate_loops import loops
from bench.costs import without_caches
from xdsl.utils.exceptions import PassFailedException

from polycl.lowering.wg.wg_vectorize.cycles import (
    ALIKE,
    DEFAULT,
    Cycles,
    cycles_of,
    processors,
    table_of,
)


def test_each_processor_has_a_table_that_reads() -> None:
    for name in processors():
        assert isinstance(cycles_of(name), Cycles)
        assert table_of(name) == name
    assert all(table_of(name) == other for name, other in ALIKE.items())
    assert table_of("pentium4") == DEFAULT


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    rows = [f"{name} = {value}" for name, value in asdict(cycles_of(DEFAULT)).items()]
    wrong = {
        "unknown": ([*rows, "gatherd_4 = 1"], "unknown number 'gatherd_4'.*gathered_4"),
        "missing": (rows[1:], "these numbers are missing: scalar"),
        "negative": (["scalar = -1", *rows[1:]], "scalar is -1, not a positive number"),
        "text": (["scalar = 'x'", *rows[1:]], "scalar is 'x', not a positive number"),
        "toml": ([*rows, "= 1"], "Invalid"),
    }
    for name, (text, message) in wrong.items():
        path = tmp_path / f"{name}.toml"
        path.write_text("\n".join(text))
        with pytest.raises(PassFailedException, match=message):
            cycles_of(str(path))
    with pytest.raises(PassFailedException, match="unknown processor 'zen4'"):
        cycles_of("zen4")


def test_a_fit_finds_the_numbers_of_another_processor(tmp_path: Path) -> None:
    """Of loops that would be as fast there as its table says."""
    pytest.importorskip("scipy")
    start = cycles_of(DEFAULT)
    other = replace(start, gathered_4=0.6, vector=1.0)
    names = (
        "int, row, sum",
        "int, anywhere, sum",
        "float, anywhere, eight, sum",
        "int, own row, sum",
    )
    with without_caches():
        found = [
            measure(loop, tmp_path / "loop.cl", gain=1.0) for loop in loops() if loop.name in names
        ]
    measured = [replace(each, gain=each.estimate(other)) for each in found if each is not None]
    assert len(measured) >= 3
    fitted = fit(measured, start)
    for each in measured:
        assert abs(each.estimate(fitted) / each.gain - 1) < 0.35, each.name
        before, after = (abs(each.estimate(c) / each.gain - 1) for c in (start, fitted))
        assert after <= before + 0.05
    assert fitted.gathered_4 < start.gathered_4
    assert fitted.vector > start.vector
    assert fitted.chased == pytest.approx(start.chased)
    path = tmp_path / "mine.toml"
    path.write_text(table(fitted, measured))
    assert cycles_of(str(path)).gathered_4 == pytest.approx(fitted.gathered_4, rel=0.01)
