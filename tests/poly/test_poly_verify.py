"""poly-verify: split kernels pass, and what is changed in them afterwards is found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

import polycl
from fuzz.indices import index_kernels
from polycl.analysis.poly.poly_verify import PolyVerifyPass
from polycl.backends.pipeline import make_context, parse_passes, run_passes
from polycl.dialects import ocl
from polycl.dialects.poly import ClassAttr, CodeletOp, KernelOp, SetAttr, SubkernelOp
from polycl.errors import PolyclError
from polycl.remarks import collect_remarks

PASSES = (
    "promote-private-memory,inline-functions,ocl-expand-builtins,ocl-to-wg,poly-normalize,"
    "poly-extract{annotate=false},poly-split{width=4}"
)
KERNELS = ("foo", "replicate", "matmul", "transpose", "fan2", "floyd", "conv2d", "halves")


@cache
def _split(name: str) -> ModuleOp:
    module = polycl.load(Path(__file__).with_name("poly_score.cl")).module.clone()
    for op in list(module.ops):
        assert isinstance(op, ocl.KernelOp)
        if op.sym_name.data != name:
            op.detach()
    run_passes(module, parse_passes(PASSES))
    return module


def verify(module: ModuleOp, samples: int = 40) -> None:
    """Without the verifiers of the operations, which find some mistakes before."""
    PolyVerifyPass(samples=samples).apply(make_context(), module)


def subkernel_along(module: ModuleOp, dimension: int) -> SubkernelOp:
    return next(
        op
        for op in module.walk()
        if isinstance(op, SubkernelOp)
        and op.along.value.data == dimension
        and op.width.value.data > 1
    )


@pytest.mark.parametrize("name", KERNELS)
def test_a_split_kernel_passes(name: str):
    with collect_remarks() as remarks:
        verify(_split(name), samples=10)
    assert any("tiles" in remark.message for remark in remarks)
    assert not any("could not" in remark.message for remark in remarks)


def test_the_same_seed_checks_the_same():
    module = _split("fan2")

    def told(seed: int) -> list[str]:
        with collect_remarks() as remarks:
            PolyVerifyPass(samples=3, seed=seed).apply(make_context(), module)
        return [remark.message for remark in remarks]

    assert told(1) == told(1)
    assert told(1) != told(2)


@pytest.mark.parametrize(
    ("name", "dimension", "codelet", "part", "better"),
    [
        ("foo", 0, "divergent", "mem", "cons"),
        ("fan2", 0, "mixed", "ctl", "uniform"),
        ("fan2", 1, "mixed", "ctl", "uniform"),
        ("conv2d", 0, "mixed", "ctl", "uniform"),
        ("conv2d", 0, "divergent", "ctl", "uniform"),
        ("conv2d", 0, "divergent", "mem", "cons"),
        ("conv2d", 1, "mixed", "ctl", "uniform"),
    ],
)
def test_a_class_that_says_too_much_is_found(
    name: str, dimension: int, codelet: str, part: str, better: str
):
    module = _split(name).clone()
    (changed,) = [
        op
        for op in subkernel_along(module, dimension).codelets
        if op.domain.isl.get_tuple_name() == codelet
    ]
    said = {key: getattr(changed.class_, key).data for key in ("tile", "mem", "ctl")}
    changed.properties["class"] = ClassAttr(**{**said, part: better})
    with pytest.raises(PolyclError, match=f"codelet '{codelet}': .*has {part} = {better}; with"):
        verify(module)


def _domains(subkernel: SubkernelOp) -> Iterator[tuple[CodeletOp, isl.Set, str]]:
    """Wrong domains, and what is to be said of them."""
    tiled = [codelet for codelet in subkernel.codelets if codelet.lanes.value.data > 1]
    for codelet in tiled:
        domain = codelet.domain.isl
        place = codelet.position
        kernel = subkernel.parent_op()
        assert isinstance(kernel, KernelOp)
        least = domain.intersect_params(kernel.known).lexmin()
        yield codelet, domain.subtract(least), "is in the domain, but in no codelet"
        one = isl.Val.int_from_si(domain.get_ctx(), 1)
        shift = isl.MultiAff.identity(isl.Space.map_from_set(domain.get_space()))
        shift = shift.set_at(place, shift.get_at(place).add_constant_val(one))
        moved = domain.preimage_multi_aff(shift)
        yield codelet, moved, "but|also"
        for other in tiled:
            if other is not codelet:
                both = domain.union(other.domain.isl.set_tuple_name(domain.get_tuple_name()))
                yield codelet, both, "is also in the codelet"
    for one, other in zip(tiled, tiled[1:], strict=False):
        yield one, isl.Set.empty(one.domain.isl.get_space()), "but in no codelet"
        yield other, isl.Set.empty(other.domain.isl.get_space()), "but in no codelet"


@pytest.mark.parametrize(
    ("name", "dimension"), [("foo", 0), ("fan2", 0), ("fan2", 1), ("conv2d", 0), ("conv2d", 1)]
)
def test_a_wrong_domain_is_found(name: str, dimension: int):
    count = len(list(_domains(subkernel_along(_split(name), dimension))))
    assert count >= 2
    for place in range(count):
        module = _split(name).clone()
        codelet, domain, said = list(_domains(subkernel_along(module, dimension)))[place]
        names = codelet.domain.dimensions
        for i, dim in enumerate(names):
            domain = domain.set_dim_name(isl.dim_type.set, i, dim)
        codelet.properties["domain"] = SetAttr.of(domain)
        with pytest.raises(PolyclError, match=said):
            verify(module)


@pytest.mark.parametrize(("name", "dimension"), [("fan2", 0), ("conv2d", 0), ("conv2d", 1)])
def test_codelets_with_each_others_domains_are_found(name: str, dimension: int):
    module = _split(name).clone()
    tiled = [c for c in subkernel_along(module, dimension).codelets if c.lanes.value.data > 1]
    first, last = tiled[0], tiled[-1]
    domains = first.domain, last.domain
    last.properties["domain"], first.properties["domain"] = domains
    with pytest.raises(PolyclError, match="the class has"):
        verify(module)


def test_a_work_item_that_is_forgotten_is_found():
    """The domain of the whole subkernel lacks what it should have, as its codelets do."""
    module = _split("transpose").clone()
    kernel = next(op for op in module.walk() if isinstance(op, KernelOp))
    without = isl.Set("{ R[z, y, x] : x != 2 }")
    for subkernel in kernel.body.block.ops:
        if isinstance(subkernel, SubkernelOp) and subkernel.width.value.data == 1:
            (codelet,) = subkernel.codelets
            for op in (subkernel, codelet):
                domain = op.domain.isl
                name = domain.get_tuple_name()
                assert name is not None
                op.properties["domain"] = SetAttr.of(domain.intersect(without.set_tuple_name(name)))
    with pytest.raises(PolyclError, match=r"x = 2\) is not in the domain, but it executes"):
        verify(module)


def test_an_analysis_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch):
    """The model is told that a sum is a difference."""
    module = _split("fan2").clone()
    from polycl.analysis.poly.index import Index

    monkeypatch.setattr(Index, "__add__", Index.__sub__)
    with pytest.raises(PolyclError, match=r"the (read|write) of @\w+ at .* with L0 = "):
        verify(module)


def check_random(text: str, dimension: int) -> None:
    module = polycl.load(text).module.clone()
    before = "lift-cf-to-scf,promote-private-memory,ocl-to-wg,canonicalize,cse,poly-normalize"
    split = f"poly-split{{width=4 dims={dimension}}}"
    run_passes(module, parse_passes(f"{before},poly-extract{{annotate=false}},{split}"))
    module.verify()
    verify(module, samples=10)


@settings(max_examples=10, deadline=None)
@given(index_kernels(), st.integers(0, 1))
def test_random_kernels(text: str, dimension: int):
    """What the analysis says of addresses, branches and loops of any kind is true."""
    check_random(text, dimension)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(index_kernels(), st.integers(0, 1))
def test_many_random_kernels(text: str, dimension: int):
    check_random(text, dimension)
