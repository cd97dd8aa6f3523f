"""Each test kernel after each pass of the CPU pipeline: it verifies, its text reads back to the
same text, and as long as the interpreter can run it, it leaves the same bits as before the first
pass. `expand-math` replaces library functions by formulas: its results differ as far as the LAUNCH
line allows, and later passes keep its bits. Every fourth text is in generic form, which is the same
for all operations."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from launches import Launch, launches_of, sampled
from polycl.backends.cpu.pipeline import cpu_pipeline
from polycl.backends.interp import InterpDevice
from polycl.backends.pipeline import make_context
from polycl.frontends.mlir.mlir_text import parse_mlir
from polycl.lowering.llvm.expand_math import ExpandMathPass
from polycl.runtime.compare import compare
from polycl.runtime.index_space import make_ndrange
from polycl.runtime.program import Program

ROOT = Path(__file__).resolve().parent.parent
FILES = [p for f in ("tests/kernels", "examples") for p in sorted((ROOT / f).glob("*.cl"))]


def text_of(module: ModuleOp, *, generic: bool) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def check_text(module: ModuleOp, generic_text: str, stage: str, *, generic: bool) -> None:
    """Its text in custom form, or in `generic` form, reads back to the same text."""
    text = generic_text if generic else text_of(module, generic=False)
    again = parse_mlir(make_context(), text.encode(), f"{stage}.mlir")
    again.verify()
    assert text_of(again, generic=generic) == text, f"{stage}, generic={generic}"


def interpreted(module: ModuleOp, launch: Launch) -> dict[str, Any] | None:
    """The arguments after a launch of `module`; None if it has no such kernel any more."""
    kernel = Program(module).kernels.get(launch.kernel)
    if kernel is None:
        return None
    arguments = launch.values()
    kernel(
        **arguments,
        global_size=launch.global_size,
        local_size=launch.local_size,
        global_offset=launch.global_offset,
        device=InterpDevice(),
    )
    return arguments


def assert_same(before: dict[str, Any], after: dict[str, Any], stage: str, ulp: int = 0) -> None:
    """Equal in every bit, or floats within `ulp`."""
    for name, value in before.items():
        if isinstance(value, np.ndarray):
            difference = compare(value, after[name])
            allowed = ulp if value.dtype.kind == "f" else 0
            assert difference is None or difference.max_ulp <= allowed, f"{name} after {stage}"


@pytest.mark.parametrize("path", sampled(FILES, 12))
def test_each_pass_keeps_the_meaning(path: Path):
    launch = launches_of(path)[0]
    module = launch.load().module.clone()
    module.verify()
    text = text_of(module, generic=True)
    for generic in (False, True):
        check_text(module, text, "import", generic=generic)
    expected = interpreted(module, launch)
    assert expected is not None
    sizes = (launch.global_size, launch.local_size, launch.global_offset)
    ndrange = make_ndrange(launch.kernel, *sizes, required=None, hint=None, needs_local_size="")
    context, changes = make_context(), 0
    for one in cpu_pipeline(ndrange, contract=False):
        one.apply(context, module)
        before, text = text, text_of(module, generic=True)
        if text == before:
            continue
        module.verify()
        changes += 1
        check_text(module, text, one.name, generic=changes % 4 == 0)
        after = interpreted(module, launch)
        if after is None:
            continue
        if isinstance(one, ExpandMathPass):
            assert_same(expected, after, one.name, launch.tolerance)
            expected = after
        assert_same(expected, after, one.name)
