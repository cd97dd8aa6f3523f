"""`polycl gui`: xdsl-gui shows what our passes make of a kernel."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import pytest

from polycl.errors import PolyclError
from polycl.tools.gui_command import gui_app

pytest.importorskip("textual", reason="xdsl[gui] is not installed")


def shown(file: Path, passes: str) -> str:
    """The output pane, once all passes have run."""

    async def run() -> str:
        app = gui_app(argparse.Namespace(file=str(file), passes=passes))
        async with app.run_test(size=(160, 50)) as pilot:
            await pilot.pause()
            return app.output_text_area.text

    return asyncio.run(run())


def test_our_passes(tmp_path: Path) -> None:
    file = tmp_path / "k.cl"
    file.write_text("kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }\n")
    assert "ocl.kernel @twice" in shown(file, "")
    assert "wg.parallel" in shown(file, "ocl-to-wg")


def test_an_unknown_pass_is_refused() -> None:
    with pytest.raises(PolyclError, match="unknown pass 'ocl-to-wgg'"):
        gui_app(argparse.Namespace(file=None, passes="ocl-to-wgg"))
