"""`polycl.runtime.check_passes`: wrong passes are found, right ones are not accused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polycl
from broken_pass import BreakPass
from launches import launches_of
from polycl.backends.pipeline import parse_passes, run_passes
from polycl.dialects.ocl import KernelLike
from polycl.runtime.check_passes.checker import Finding, check_passes
from polycl.runtime.check_passes.generate import generate_trials, rank_of
from polycl.runtime.check_passes.inputs import Array, Number
from polycl.runtime.check_passes.trial import GeneratedTrial, GivenTrial, options_of
from polycl.runtime.dataspec import parse_data

ROOT = Path(__file__).resolve().parent.parent.parent

HEAD = "kernel void k(global {t} *x, int n, int h) {{ int i = get_global_id(0);"
FLOATS, INTS = HEAD.format(t="float"), HEAD.format(t="int")

WRONG = {
    "swap": (
        f"{FLOATS} if (i < n) x[i] = 2.0f - x[i]; }}",
        "x[0] was 2.0 before the pass and is -2.0 after it (1 of 1 elements differ)",
        "--kernel k --global 1 --local 1 --arg x=zeros:f32:1 --arg n=1 --arg h=0",
    ),
    "unsigned": (
        f"{INTS} x[i] = x[i] / n; }}",
        "x[0] was 0 before the pass and is 2147483647 after it (1 of 1 elements differ)",
        "--kernel k --global 1 --local 1 --arg x=values:i32:-1 --arg n=2 --arg h=0",
    ),
    "nan": (
        f"{FLOATS} float v = x[i]; x[i] = v - v; }}",
        "x[0] was nan before the pass and is 0.0 after it (1 of 1 elements differ)",
        "--kernel k --global 1 --local 1 --arg x=values:f32:inf --arg n=0 --arg h=0",
    ),
    "barrier": (
        f"{INTS} local int t[64]; int l = get_local_id(0); t[l] = x[i]; "
        "barrier(CLK_LOCAL_MEM_FENCE); x[i] = t[(l + 1) % get_local_size(0)]; }",
        "x[0] was 1 before the pass and is 0 after it (1 of 2 elements differ)",
        "--kernel k --global 2 --local 2 --arg x=values:i32:0,1 --arg n=0 --arg h=0",
    ),
    "index": (
        f"{INTS} x[i] = 1; }}",
        "it fails now: write of 4 bytes at byte offset 4194304 is out of bounds",
        "--kernel k --global 1 --local 1 --arg x=zeros:i32:1 --arg n=0 --arg h=0",
    ),
    "bound": (
        f"{INTS} int s = 0; for (int a = 0; a < n; a++) s += x[get_global_id(1) * n + a]; "
        "x[i] = s; }",
        "it fails now: read of 4 bytes at byte offset 4 is out of bounds",
        "--kernel k --global 1x1 --local 1x1 --arg x=zeros:i32:1 --arg n=1 --arg h=0",
    ),
    "print": (
        f'{INTS} if (n > 2) printf("n = %d\\n", n); }}',
        "printf: the line 'n = 3' was printed 1 times before the pass and 0 times after it",
        "--kernel k --global 1 --local 1 --arg x=zeros:i32:1 --arg n=3 --arg h=0",
    ),
}


def judge(text: str | Path, spec: str, broken: str | None = None, **given):
    options = launches_of(text)[0].build_options if isinstance(text, Path) else []
    module = polycl.load(text, options).module.clone()
    passes = [*parse_passes(spec), *([BreakPass(broken)] if broken else [])]
    return check_passes(module, passes, lambda m, step: run_passes(m, (step,)), **given)


@pytest.mark.parametrize("how", WRONG)
def test_a_wrong_pass_is_found_with_a_small_launch(how: str):
    text, message, launch = WRONG[how]
    finding, remarks = judge(text, "inline-functions", how)
    assert isinstance(finding, Finding)
    assert finding.pass_name == "test-break"
    assert finding.spec == f'inline-functions,test-break{{how="{how}"}}'
    assert finding.change.message.startswith(message)
    assert options_of(finding.trial) == launch
    assert finding.location is not None
    assert finding.location[:2] == ("<source>.cl", 1)
    assert remarks == []


def test_the_first_wrong_pass_is_named():
    text, message, _ = WRONG["swap"]
    finding, _ = judge(text, "inline-functions,ocl-to-wg", "swap")
    assert finding is not None
    assert finding.spec == 'inline-functions,ocl-to-wg,test-break{how="swap"}'
    assert finding.change.message == message


def test_a_given_launch_is_what_is_tried():
    text, message, _ = WRONG["swap"]
    array = np.arange(4, dtype=np.float32)
    values = {"x": array, "n": 4, "h": 0}
    trial = GivenTrial("k", (4,), (2,), None, {"x": "iota:f32:4", "n": "4", "h": "0"}, values)
    finding, _ = judge(text, "", "swap", given=[trial])
    assert finding is not None
    assert finding.change.message == message.replace("1 of 1", "3 of 4")
    assert finding.trial is trial
    assert array.tolist() == [0, 1, 2, 3]


def test_a_tolerance_lets_small_differences_pass():
    text = f"{FLOATS} x[i] = (x[i] - 1.0f) * 0.0f; }}"
    finding, _ = judge(text, "", "swap", tolerance=1)
    assert finding is None
    finding, _ = judge(text, "", "swap")
    assert finding is not None
    assert "was -0.0 before the pass and is 0.0 after it" in finding.change.message


def test_checking_ends_where_the_interpreter_does():
    finding, remarks = judge(
        f"{INTS} x[i] = i; }}", "ocl-set-local-size{size=4},ocl-to-wg,wg-to-scf,wg-to-launch"
    )
    assert finding is None
    assert remarks == [
        "kernel 'k': 6 launches give the same after each of the first 3 passes; "
        "'wg-to-launch' ends the checking: @k is no longer a kernel"
    ]


def test_a_kernel_without_inputs_is_named():
    finding, remarks = judge(f"{INTS} x[i] = n / (n - n); }}", "inline-functions")
    assert finding is None
    assert len(remarks) == 1
    assert remarks[0].startswith("kernel 'k' is not checked, no input was found: ")


def test_an_endless_loop_is_no_input():
    finding, remarks = judge(f"{INTS} while (n > 0) x[i] = 1; }}", "inline-functions")
    assert finding is None
    assert "not checked" in remarks[0]
    assert "operations were executed" in remarks[0]


UNUSUAL = {
    "union": "typedef union { int i; float f; } T; kernel void k(global T *x) {"
    " int i = get_global_id(0); x[i].f = 2.0f - x[i].f; }",
    "packed": "typedef struct __attribute__((packed)) { char c; float f; } T;"
    "kernel void k(global T *x) { int i = get_global_id(0); x[i].f = 2.0f - x[i].f; }",
    "by value": "typedef struct __attribute__((packed)) {"
    " char c; union { short s; float f[2]; } u; } T; kernel void k(global float *x, T t) {"
    " int i = get_global_id(0); x[i] = t.u.f[1] + t.c - x[i]; }",
    "image": "kernel void k(read_only image2d_t from, write_only image2d_t to, sampler_t s) {"
    " int2 at = (int2)(get_global_id(0), get_global_id(1));"
    " write_imagef(to, at, 2.0f - read_imagef(from, s, convert_float2(at) * 0.5f)); }",
    "integers": "kernel void k(read_only image3d_t from, global int4 *x) {"
    " int i = get_global_id(0); x[i] = read_imagei(from, (int4)(i & 3, 0, 0, 0))"
    " - convert_int4(2.0f - convert_float4(x[i])); }",
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_parameters(name: str):
    finding, remarks = judge(UNUSUAL[name], "inline-functions,ocl-to-wg")
    assert finding is None
    assert remarks[0].endswith("launches give the same after each of 2 passes")
    finding, _ = judge(UNUSUAL[name], "inline-functions", "swap")
    assert isinstance(finding, Finding)
    assert finding.pass_name == "test-break"


CLEAN = "inline-functions,ocl-to-wg,ocl-expand-builtins"
SAMPLE = ["barrier_guarded_loop", "barrier_reduction_2d", "structures", "special_floats", "atomics"]


@pytest.mark.parametrize(
    "path",
    [*sorted((ROOT / "examples").glob("*.cl")), *(ROOT / f"tests/kernels/{n}.cl" for n in SAMPLE)],
    ids=lambda path: path.stem,
)
def test_right_passes_are_not_accused(path: Path):
    finding, remarks = judge(path, CLEAN)
    assert finding is None
    for remark in remarks:
        assert remark.endswith("the same after each of 3 passes"), remark


def trials(text: str) -> list[GeneratedTrial]:
    module = polycl.load(text).module
    (kernel,) = (op for op in module.ops if isinstance(op, KernelLike))
    return list(generate_trials(module, kernel))


def test_trials_fit_the_parameters():
    text = """kernel void k(global const uchar4 *a, global double *b, local float *c, float3 d,
        ulong e, constant int *g, half h, global void *p) { }"""
    for trial in trials(text):
        kernel = polycl.load(text).kernel("k")
        values = trial.values()
        kernel(
            *(values[p.name] for p in kernel.parameters),
            global_size=trial.global_size,
            local_size=trial.local_size,
            global_offset=trial.offset,
            device="interp",
        )


def test_the_dimensions_are_those_that_the_kernel_asks_about():
    module = polycl.load("""
      int row() { return get_group_id(1); }
      kernel void k(global int *x) { x[0] = row(); }
    """).module
    kernel = next(op for op in module.ops if isinstance(op, KernelLike))
    assert rank_of(module, kernel) == 2
    sizes = {len(trial.global_size) for trial in generate_trials(module, kernel)}
    assert sizes == {2}


def test_the_required_local_size_is_kept():
    text = "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(global int *x) { }"
    for trial in trials(text):
        assert trial.local_size == (4, 2)
        assert all(smaller.local_size == (4, 2) for smaller in trial.smaller())


def test_inputs_get_simpler_until_nothing_is_left():
    array = Array("i32", "rand", ("0", "9", "seed=1"), "x", 64)
    assert [a.text for a in array.smaller()][:2] == [
        "rand:i32:1:0:9:seed=1",
        "rand:i32:16:0:9:seed=1",
    ]
    for _ in range(100):
        array = next((a for a in (*array.smaller(), *array.simpler())), array)
    assert array.text == "zeros:i32:1"
    assert [n.text for n in Number(1.75).simpler()] == ["0.0", "1.0", "2.0", "1.8"]
    assert list(Number(0).simpler()) == []


def test_cutting_an_array_keeps_its_first_elements():
    array = Array("f32", "bits", ("seed=1",), "x", 64)
    whole = parse_data(array.text, "x")
    assert isinstance(whole, np.ndarray)
    for less in array.smaller():
        part = parse_data(less.text, "x")
        assert isinstance(part, np.ndarray)
        np.testing.assert_array_equal(part.view(np.uint32), whole[: part.size].view(np.uint32))
