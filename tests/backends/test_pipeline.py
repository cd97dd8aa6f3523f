"""Pass pipelines as text: what runs, and what is said when one cannot."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from polycl.backends import pipeline
from polycl.backends.cpu import pipeline as cpu
from polycl.backends.cpu.pipeline import FOR_SPEED, NEEDED, cpu_pipeline
from polycl.backends.device import ArgumentFacts
from polycl.backends.pipeline import make_context, parse_passes, run_pipeline
from polycl.errors import ArgumentError, PolyclError
from polycl.frontends.mlir.mlir_text import parse_mlir
from polycl.lowering.ocl.fuse_products import FuseProductsPass
from polycl.runtime.index_space import make_ndrange

_TEXT = """
func.func @f() -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 1 : i32
  %c = arith.addi %a, %b : i32
  func.return %c : i32
}"""


def _module() -> ModuleOp:
    return parse_mlir(make_context(), _TEXT.encode(), "f.mlir")


def test_passes_run_in_order() -> None:
    module = _module()
    run_pipeline(module, "cse,canonicalize")
    assert str(module).count("arith.constant") < _TEXT.count("arith.constant")


def test_our_passes_are_known() -> None:
    assert [step.name for step in parse_passes("ocl-to-wg,cse")] == ["ocl-to-wg", "cse"]


def test_an_empty_pipeline_does_nothing() -> None:
    module = _module()
    before = str(module)
    run_pipeline(module, "")
    assert str(module) == before


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("canonicalise", "unknown pass 'canonicalise'; did you mean 'canonicalize'"),
        ("cse{a=1}", "'cse': Provided arguments"),
        ("cse{", "pipeline 'cse{': "),
        ("cse canonicalize", "pipeline 'cse canonicalize': "),
    ],
)
def test_bad_pipelines(spec: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_passes(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


class SpoilPass(ModulePass):
    """Takes the terminator of the only function away."""

    name = "spoil"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        (function,) = op.ops
        assert isinstance(function, FuncOp)
        last = function.body.block.last_op
        assert last is not None
        last.detach()
        last.erase()


def test_a_module_that_does_not_verify_after_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(pipeline, "available_passes", lambda: {"spoil": lambda: SpoilPass})
    with pytest.raises(PolyclError, match=r"\(after pass 'spoil'\)"):
        run_pipeline(_module(), "spoil")


def test_the_page_of_the_cpu_pipeline_lists_its_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    # The page is of a processor without AVX-512, for which there are more passes.
    monkeypatch.setattr(cpu, "has_masks", lambda: False)
    page = Path(__file__).resolve().parents[2] / "docs" / "pipelines" / "cpu.md"
    listed = re.findall(r"^\| `([a-z-]+)", page.read_text(), re.MULTILINE)
    # With everything that a launch may ask for.
    facts = ArgumentFacts(alone=True, constants=((0, 1),))
    ndrange = replace(make_ndrange("k", 64, 64), facts=facts, guarded=())
    assert listed == [one.name for one in cpu_pipeline(ndrange, contract=True)]


def test_each_pass_is_for_speed_or_needed():
    ndrange = make_ndrange("k", (64,), None, None, required=None, hint=None, needs_local_size="")
    ndrange = replace(ndrange, guarded=(0,), facts=ArgumentFacts(constants=((0, 1),)))
    names = {step.name for step in cpu_pipeline(ndrange, contract=False)}
    assert names == {*FOR_SPEED, *NEEDED} - {FuseProductsPass.name}
    left = {step.name for step in cpu_pipeline(ndrange, contract=False, disable=FOR_SPEED)}
    assert left == {*NEEDED} - {FuseProductsPass.name}
