"""The checks: what tests/oracle does not show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import polycl
from polycl.backends.interp.checks import CheckError, Finding
from polycl.backends.interp.device import InterpExecutable
from polycl.backends.interp.state import StepLimit

CHECKED = polycl.device("interp", check=True)


def find(
    text: str,
    *args: object,
    size: int = 1,
    local: int | None = None,
    device: polycl.Device = CHECKED,
    pipeline: str | None = None,
    options: Sequence[str] = (),
) -> Sequence[Finding]:
    """What the checks find in the one kernel of `text`."""
    program = polycl.load(text, options)
    (name,) = program.kernels
    bound = program.kernel(name).bind(
        *args, global_size=size, local_size=local or size, device=device, pipeline=pipeline
    )
    assert isinstance(bound.executable, InterpExecutable)
    raised: tuple[Finding, ...] = ()
    try:
        bound.launch()
    except CheckError as error:
        raised = error.findings
    errors = [finding for finding in bound.executable.findings if finding.severity == "error"]
    assert raised == (bound.executable.findings if errors else ())
    return bound.executable.findings


def kinds(findings: Sequence[Finding]) -> list[str]:
    return [finding.kind for finding in findings]


def test_the_letter_of_fences_is_for_strict_checks():
    text = """kernel void k(global int *x, global int *y) {
      int i = get_global_id(0);
      y[i] = x[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      y[i] += x[1];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i == 0) x[0] = 1;
    }"""
    arrays = np.zeros((2, 4), "i4")
    assert not find(text, *arrays, size=4)
    strict = polycl.device("interp", check="strict")
    (race,) = find(text, *arrays, size=4, device=strict)
    assert (race.kind, race.severity) == ("race", "error")
    assert "the barrier between them is not a barrier(CLK_GLOBAL_MEM_FENCE)" in str(race)
    assert not find(text.replace("LOCAL", "GLOBAL"), *arrays, size=4, device=strict)


def test_an_atomic_load_is_a_read():
    text = """kernel void k(global atomic_int *x, global int *y) {
      global int *plain = (global int *)x;
      y[get_global_id(0)] = get_global_id(0) % 2 ? atomic_load(x) : (*plain);
    }"""
    arrays, options = (np.zeros(1, "i4"), np.zeros(2, "i4")), ["-cl-std=CL2.0"]
    assert not find(text, *arrays, size=2, options=options)
    (race,) = find(text.replace("(*plain)", "(*plain)++"), *arrays, size=2, options=options)
    assert "reads here" in str(race)
    assert "writes here" in str(race)


def test_subscripts():
    text = """typedef struct { int a[3][4]; int b; int last[1]; } S;
    kernel void k(global int *x, int i, int j) { global S *s = (global S *)x; ACCESS; }"""

    def kinds_of(access: str, i: int, j: int = 0) -> list[str]:
        return kinds(find(text.replace("ACCESS", access), np.zeros(4 * 14, "i4"), i, j))

    assert not kinds_of("s->a[i][j] = 1", 2, 3)
    assert kinds_of("s->a[i][j] = 1", 3, 0) == ["bounds"]
    assert kinds_of("s->a[i][j] = 1", 0, -1) == ["bounds"]
    assert kinds_of("s[1].a[i][j] = 1", 1, 4) == ["bounds"]
    # From the first element on, an array of arrays is one array.
    assert not kinds_of("global int *p = &s->a[0][0]; p[i] = 1", 11)
    assert kinds_of("global int *p = &s->a[0][0]; p[i] = 1", 12) == ["bounds"]
    assert kinds_of("global int *p = s->a[1] + 2; p[i] = 1", 2) == ["bounds"]
    assert not kinds_of("global int *p = s->a[1] + 2; p[i] = 1", -2)
    assert not kinds_of("vstore2((int2)(1), i, s->a[1])", 1)
    assert kinds_of("vstore2((int2)(1), i, s->a[1] + 1)", 1) == ["bounds"]
    # An array of one element at the end of a structure stands for as many as there is room for.
    assert not kinds_of("s->last[i] = 1", 5)
    assert not kinds_of("((global char *)s->a[1])[i] = 1", 40)


def test_accesses_of_several_sizes():
    text = """kernel void k(global int *x, global int *y) {
      int i = get_global_id(0);
      global char *bytes = (global char *)x;
      if (i == 0) x[0] = 1;
      if (i == 1) bytes[4] = 2;
      if (i == 2) vstore4((char4)(3), 2, bytes);
      y[i] = bytes[12 + i];
    }"""
    assert not find(text, np.zeros(4, "i4"), np.zeros(4, "i4"), size=4)
    (race,) = find(text.replace("bytes[4]", "bytes[3]"), *np.zeros((2, 4), "i4"), size=4)
    assert "byte offset 3" in str(race) or "element 3" in str(race)


def test_two_parameters_of_one_array():
    text = """kernel void k(global const int *x, global int *y) {
      int i = get_global_id(0);
      y[i] = x[3 - i];
    }"""
    array = np.arange(4, dtype="i4")
    assert not find(text, array.copy(), array, size=4)
    assert kinds(find(text, array, array, size=4)) == ["race"]


def test_an_error_takes_the_place_of_a_warning():
    text = """kernel void k(global const int *x, global int *y) {
      y[0] = x[get_global_id(0)];
    }"""
    (same,) = find(text, np.ones(4, "i4"), np.zeros(1, "i4"), size=4)
    assert (same.kind, same.severity, same.count) == ("race", "warning", 3)
    (differ,) = find(text, np.array([1, 1, 2, 2], "i4"), np.zeros(1, "i4"), size=4)
    assert (differ.kind, differ.severity) == ("race", "error")
    strict = polycl.device("interp", check="strict")
    (error,) = find(text, np.ones(4, "i4"), np.zeros(1, "i4"), size=4, device=strict)
    assert error.severity == "error"


def test_findings_of_all_groups_and_one_report():
    text = """kernel void k(global int *x) {
      int i = get_global_id(0);
      x[i + 100] = 1;
      x[i] = 10 / x[i];
    }"""
    x = np.zeros(8, "i4")
    x[3] = 5
    with pytest.raises(CheckError) as caught:
        polycl.load(text).kernel("k")(x, global_size=8, local_size=4, device=CHECKED)
    report = str(caught.value)
    assert kinds(caught.value.findings) == ["bounds", "division"]
    assert [finding.count for finding in caught.value.findings] == [8, 7]
    assert "out of bounds" in report
    assert report.endswith("2 errors found")
    assert x.tolist() == [10, 10, 10, 2, 10, 10, 10, 10]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("u & 0", []),
        ("0 & u", []),
        ("u | -1", []),
        ("u & 1", ["uninitialised"]),
        ("u | 1", ["uninitialised"]),
        ("x[0] == 5 && u > 0", []),
        ("x[0] != 5 && u > 0", ["uninitialised"]),
        ("x[0] == 5 ? u : 1", []),
        ("max(u, 1)", ["uninitialised"]),
        ("(int)sqrt((float)u)", ["uninitialised"]),
        ("((int2)(u, 1)).y", []),
        ("((int2)(u, 1) + (int2)(1)).y", []),
        ("((int2)(u, 1) + (int2)(1)).x", ["uninitialised"]),
        ("100 / ((int2)(u, 1)).y", []),
        ("((int2)(100) / (int2)(u, 1)).y", []),
        ("((int2)(100) / (int2)(u, 0)).y", ["division"]),
        ("((int2)(100) / (int2)(0, 2)).y", []),
        ("((int2)(INT_MIN) % (int2)(-1, 2) + (int2)(1, 2)).x", ["division"]),
        ("((char3)(x[0] + 1) / (char3)(0, 1, 1)).y", []),
        ("(int)dot((float2)(u, 1), (float2)(1))", ["uninitialised"]),
        ("shuffle((int2)(u, 7), (uint2)(1, 1)).x", []),
        ("as_int(as_float(u))", ["uninitialised"]),
        ("select(u, 3, x[0] == 0)", []),
    ],
)
def test_what_uses_a_value_without_one(expression: str, found: list[str]):
    text = f"""kernel void k(global const int *x, global int *y) {{
      int u;
      if (x[0] > 100) u = 1;
      y[0] = {expression};
    }}"""
    assert kinds(find(text, np.zeros(1, "i4"), np.zeros(1, "i4"))) == found


def test_structures_and_unions_may_be_copied_in_part():
    text = """typedef struct { int a; float3 b; int c[2]; } record_t;
    typedef union { int i; char bytes[8]; } union_t;
    kernel void k(global int *y) {
      record_t r, s[2];
      r.a = 1;
      r.b = (float3)(1);
      r.c[1] = 2;
      s[1] = r;
      union_t u, v;
      u.i = 4;
      v = u;
      y[0] = s[1].a + s[1].c[1] + (int)s[1].b.z + v.bytes[0];
      y[1] = PART;
    }"""
    y = np.zeros(2, "i4")
    assert not find(text.replace("PART", "v.i"), y)
    assert y.tolist() == [8, 4]
    for part in ("s[1].c[0]", "s[0].a", "v.bytes[5]"):
        assert kinds(find(text.replace("PART", part), y)) == ["uninitialised"]


def test_read_only_array():
    x = np.zeros(1, "i4")
    x.flags.writeable = False
    text = "kernel void k(global const int *x) { ((global int *)x)[0] = 1; }"
    assert kinds(find(text, x)) == ["constant"]


_FENCED = """kernel void k(global int *data, global int *flag, global int *y) {{
  if (get_global_id(0) == 0) {{
    data[0] = 5;
    {release}
    atomic_xchg(flag, 1);
  }} else if (atomic_add(flag, 0)) {{
    {acquire}
    y[0] = data[0];
  }}
}}"""


@pytest.mark.parametrize("local", [1, 2])
def test_fences_with_atomics_order(local: int):
    fence = "mem_fence(CLK_GLOBAL_MEM_FENCE);"
    ordered = _FENCED.format(release=fence, acquire=fence)
    free = _FENCED.format(release="", acquire=fence)
    assert not find(ordered, *np.zeros((3, 1), "i4"), size=2, local=local)
    assert kinds(find(free, *np.zeros((3, 1), "i4"), size=2, local=local)) == ["race"]


def test_two_copies_on_one_event():
    text = """kernel void k(global const int *x, global int *y) {
      local int a[4], b[4];
      event_t e = async_work_group_copy(a, x, 4, 0);
      e = async_work_group_strided_copy(b, x, 4, 1, e);
      wait_group_events(1, &e);
      y[get_local_id(0)] = a[get_local_id(0)] + b[get_local_id(0)];
    }"""
    assert not find(text, np.arange(4, dtype="i4"), np.zeros(4, "i4"), size=4)
    apart = text.replace("1, e)", "1, 0)")
    assert "async" in kinds(find(apart, np.arange(4, dtype="i4"), np.zeros(4, "i4"), size=4))


def test_copies_must_agree():
    text = """kernel void k(global const int *x, global int *y) {
      local int a[4];
      event_t e = async_work_group_copy(a, x + get_local_id(0), 2, 0);
      wait_group_events(1, &e);
      y[0] = 1;
    }"""
    found = find(text, np.arange(8, dtype="i4"), np.zeros(4, "i4"), size=2)
    assert [f.kind for f in found if f.severity == "error"] == ["async"]


_MLIR = """ocl.kernel @k(%x: !ocl.ptr<i32, global> {{ocl.name = "x"}}) {{
  %i = ocl.global_id 0 : index
  {body}
  ocl.return
}}"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            """%p = ub.poison : i1
  cf.cond_br %p, ^a, ^a
^a:
  cf.br ^b
^b:""",
            ["uninitialised"],
        ),
        (
            """%v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %n = arith.constant 32 : i32
  %s = arith.shli %v, %n : i32
  ocl.store %s, %x[%i] : !ocl.ptr<i32, global>""",
            ["shift"],
        ),
        (
            """%p = ub.poison : index
  %c0 = arith.constant 0 : index
  scf.for %j = %c0 to %p step %p {
    %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  }""",
            ["uninitialised"],
        ),
        (
            """%v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %b = vector.broadcast %v : i32 to vector<4xi32>
  %e = vector.extract %b[%i] : i32 from vector<4xi32>""",
            ["bounds"],
        ),
    ],
)
def test_mlir(body: str, found: list[str]):
    findings = find(_MLIR.format(body=body), np.zeros(8, "i4"), size=8)
    assert kinds(findings) == found
    assert findings[0].severity == "error"


def test_step_limit_ends_a_checked_launch():
    device = polycl.device("interp", check=True, max_steps=1000)
    text = "kernel void k(global int *x) { while (x[0] == 0) x[1] = 1; }"
    with pytest.raises(StepLimit):
        find(text, np.zeros(2, "i4"), device=device)


def test_unknown_mode():
    with pytest.raises(polycl.ArgumentError, match="unknown kind of check 'loose'"):
        polycl.device("interp", check="loose")
