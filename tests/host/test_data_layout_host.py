"""`ocl-data-layout` and the order of the host's arrays: the same bytes before and after.

Programs are drawn at random: a host fills an array in some order, launches, and walks the results
in some order; the kernel may read columns whose numbers it loads, so that its buffer stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

import polycl
from polycl.backends.cpu import CpuDevice
from polycl.backends.pipeline import make_context
from polycl.lowering.host.ocl_data_layout import OclDataLayoutPass
from polycl.remarks import collect_remarks

PLATFORMS = ("polycl-cpu", "pocl-cpu", "pocl7-cpu", "intel-rt", "nvidia-h200")
ELEMENTS = {
    "i8": ("char", np.int8),
    "i16": ("short", np.int16),
    "i32": ("int", np.int32),
    "i64": ("long", np.int64),
    "f32": ("float", np.float32),
    "f64": ("double", np.float64),
}
PLACES = {
    "by items": ("%i", "%n", "%j", "%m"),
    "by values": ("%j", "%m", "%i", "%n"),
}
"""The outer loop and its end, the inner one and its."""

INDICES = {
    "coalesced": "%p = arith.muli %j, %n : index\n %at = arith.addi %p, %i : index",
    "backwards": """%p = arith.addi %j, %c1 : index
        %q = arith.muli %p, %n : index
        %k = arith.addi %i, %c1 : index
        %at = arith.subi %q, %k : index""",
    "continuous": "%p = arith.muli %i, %m : index\n %at = arith.addi %p, %j : index",
}
KERNEL = {"coalesced": "j * n + {}", "continuous": "{} * m + j"}
READ = ("i", "where[i]", "(n - 1 - i)")


@dataclass(frozen=True)
class Case:
    """A program on n items with m values each."""

    element: str = "f32"
    fill: str = "by items"
    walk: str = "by items"
    filled: str = "coalesced"
    walked: str = "coalesced"
    kernel: str = "coalesced"
    read: str = "i"
    rounds: int = 1
    launches: int = 12
    n: int = 8
    m: int = 3

    @property
    def source(self) -> str:
        """The kernel: `a` becomes `b`."""
        type, _ = ELEMENTS[self.element]
        index = KERNEL[self.kernel]
        return f"""
kernel void step(global const {type} *a, global {type} *b, global const int *where, int n, int m)
{{
    int i = get_global_id(0);
    for (int j = 0; j < m; j++)
        b[{index.format("i")}] = a[{index.format(self.read)}] + ({type})1;
}}
"""

    def loops(self, order: str, index: str, body: str) -> str:
        """Two loops of the host around `body`, which has %at."""
        outer, most, inner, least = PLACES[order]
        return f"""
      scf.for {outer} = %c0 to {most} step %c1 {{
        scf.for {inner} = %c0 to {least} step %c1 {{
          {INDICES[index]}
          {body}
        }}
      }}"""

    @property
    def host(self) -> str:
        """Fills %h from %x, and what comes back is %y, in the order of the walk."""
        buffer, array = f"!host.buffer<{self.element}>", f"memref<?x{self.element}>"
        fill = self.loops(
            self.fill,
            self.filled,
            f"""%f = arith.addi %i, %j : index
          %v = memref.load %x[%f] : {array}
          memref.store %v, %h[%at] : {array}""",
        )
        walk = self.loops(
            self.walk,
            self.walked,
            f"""%v = memref.load %g[%at] : {array}
          %s = arith.muli %i, %m : index
          %f = arith.addi %s, %j : index
          memref.store %v, %y[%f] : {array}""",
        )
        return f"""
func.func @main(%x: {array}, %y: {array}, %where: memref<?xi32>, %n: index, %m: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant {self.rounds} : index
  %launches = arith.constant {self.launches} : index
  %nm = arith.muli %n, %m : index
  %n32 = arith.index_cast %n : index to i32
  %m32 = arith.index_cast %m : index to i32
  %w = host.buffer %n : !host.buffer<i32>
  host.write %where to %w : memref<?xi32>, !host.buffer<i32>
  %h = memref.alloc(%nm) : {array}
  %g = memref.alloc(%nm) : {array}
  scf.for %round = %c0 to %rounds step %c1 {{
      {fill}
      %a = host.buffer %nm : {buffer}
      %b = host.buffer %nm : {buffer}
      host.write %h to %a : {array}, {buffer}
      scf.for %launch = %c0 to %launches step %c1 {{
        host.launch @step global [%n] (%a, %b, %w, %n32, %m32)
          : {buffer}, {buffer}, !host.buffer<i32>, i32, i32
      }}
      host.read %b to %g : {buffer}, {array}
      host.release %a : {buffer}
      host.release %b : {buffer}
      {walk}
  }}
  func.return
}}
"""

    def module(self) -> ModuleOp:
        return polycl.load(_kernels(self.source) + self.host, language="mlir").module

    def results(self, module: ModuleOp, device: polycl.Device | str) -> list[bytes]:
        """The bytes of all arrays after a call."""
        rng = np.random.default_rng(self.n * 41 + self.m)
        _, dtype = ELEMENTS[self.element]
        x = rng.integers(0, 100, self.n + self.m).astype(dtype)
        y = np.zeros(self.n * self.m, dtype)
        where = rng.integers(0, self.n, self.n, dtype=np.int32)
        program = polycl.Program(module.clone(), "main").host("main")
        program(x, y, where, self.n, self.m, device=device)
        return [a.tobytes() for a in (x, y, where)]


@cache
def _kernels(source: str) -> str:
    return str(polycl.load(source, language="cl").module).removeprefix("builtin.module {")[:-1]


def changed(module: ModuleOp, platform: str) -> set[str]:
    """Which arrays of the host get the other order; the module is changed and verified."""
    with collect_remarks() as remarks:
        OclDataLayoutPass(platform).apply(make_context(), module)
    module.verify()
    texts = [remark.message for remark in remarks if "in the other order" in remark.message]
    return {name for text in texts for name in text.split(":")[0].split(" and ")}


def check(case: Case, platform: str, *devices: polycl.Device | str) -> set[str]:
    before, after = case.module(), case.module()
    names = changed(after, platform)
    expected = case.results(before, "interp")
    for device in devices:
        assert case.results(after, device) == expected, (device, names)
    return names


@pytest.mark.parametrize(
    ("element", "platform"),
    [*((element, "intel-rt") for element in ELEMENTS), *(("f32", p) for p in PLATFORMS)],
)
def test_loops_that_jump_get_the_other_order(element: str, platform: str):
    devices = ("interp", "cpu", "opencl:intel")
    # The kernels of a GPU read the host's order before the host transposes.
    expected = set[str]() if platform == "nvidia-h200" else {"h", "g"}
    assert check(Case(element, n=21, m=17), platform, *devices) == expected


def test_the_host_transposes_for_many_launches_of_a_gpu():
    """And only what it writes."""
    case = Case(n=21, m=17, launches=2000)
    module = case.module()
    assert changed(module, "nvidia-h200") == {"h"}
    assert case.results(module, "cpu") == case.results(case.module(), "cpu")


@pytest.mark.parametrize(
    ("case", "names"),
    [
        (Case(walk="by values"), "h"),
        (Case(fill="by values"), "g"),
        (Case(fill="by values", walk="by values"), ""),
        (Case(filled="backwards", walked="backwards"), "gh"),
        (Case(filled="continuous", walked="continuous"), ""),
        (Case(read="where[i]"), "gh"),
        (Case(rounds=3), "gh"),
        (Case(launches=1), ""),
    ],
    ids=str,
)
def test_which_arrays_change(case: Case, names: str):
    assert check(case, "intel-rt", "interp", "cpu") == set(names)


@pytest.mark.parametrize(("fill", "transposes"), [("by items", 2), ("by values", 1)])
def test_an_array_follows_its_buffer_if_its_loops_do_not_jump_then(fill: str, transposes: int):
    """Both buffers change. Where the loop fills value by value, it jumps now, and follows."""
    case = Case(
        fill=fill, filled="continuous", walked="continuous", kernel="continuous", launches=12
    )
    module = case.module()
    assert changed(module, "intel-rt") == set()
    assert str(module).count("host.transpose") == transposes
    assert case.results(module, "cpu") == case.results(case.module(), "interp")


cases = st.builds(
    Case,
    element=st.sampled_from(sorted(ELEMENTS)),
    fill=st.sampled_from(sorted(PLACES)),
    walk=st.sampled_from(sorted(PLACES)),
    filled=st.sampled_from(sorted(INDICES)),
    walked=st.sampled_from(sorted(INDICES)),
    kernel=st.sampled_from(sorted(KERNEL)),
    read=st.sampled_from(READ),
    rounds=st.integers(1, 2),
    launches=st.sampled_from([1, 12]),
    n=st.integers(1, 40),
    m=st.integers(1, 40),
)


@settings(max_examples=8)
@given(cases, st.sampled_from(PLATFORMS))
def test_results_stay(case: Case, platform: str):
    check(case, platform, "interp", CpuDevice(threads=2))


@pytest.mark.slow
@settings(max_examples=100)
@given(cases, st.sampled_from(PLATFORMS))
def test_results_stay_in_many_programs(case: Case, platform: str):
    check(case, platform, "interp", CpuDevice(threads=2), "opencl:intel")
