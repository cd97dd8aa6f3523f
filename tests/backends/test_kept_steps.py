"""Wide vectors count by numbers of which LLVM does not know that they are 1 or -1."""

from __future__ import annotations

import numpy as np
from llvmlite import binding

import polycl
from polycl.backends.cpu import codegen

COUNTS = """\
define <16 x i32> @f(<16 x i32> %x, <8 x i32> %y, <16 x i64> %z) {
entry:
  %a = add nsw <16 x i32> %x, splat (i32 1)
  %b = add <16 x i32> %a, splat (i32 1)
  %c = add <16 x i32> %b, splat (i32 3)
  %d = add <8 x i32> %y, splat (i32 1)
  %e = add <16 x i64> %z, splat (i64 -1)
  ret <16 x i32> %c
}
define i32 @g(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
"""

KERNEL = """
kernel void count(global const int *x, global int *steps, global long *left) {
  int i = get_global_id(0), n = 0;
  long rest = x[i];
  while (rest > 0) {
    rest = rest % 3 == 0 ? rest / 3 : rest - 1;
    n++;
  }
  steps[i] = n;
  left[i] = rest - 1;
}
"""


def test_wide_vectors_count_by_unknown_numbers() -> None:
    kept = codegen.keep_steps(COUNTS)
    lines = kept.splitlines()
    assert lines[1] == "entry:"
    assert '  %polycl.step.1.16.32.n = call i32 asm "", "=r,0"(i32 1)' in lines
    assert "  %a = add nsw <16 x i32> %x, %polycl.step.1.16.32" in lines
    assert "  %b = add <16 x i32> %a, %polycl.step.1.16.32" in lines
    assert "  %e = add <16 x i64> %z, %polycl.step.-1.16.64" in lines
    binding.parse_assembly(kept).verify()


def test_distances_in_addresses_stay() -> None:
    function = """\
define <8 x ptr> @f(ptr %p, <8 x i64> %x) {
  %next = add <8 x i64> %x, splat (i64 1)
  %at = getelementptr i32, ptr %p, <8 x i64> %next
  ret <8 x ptr> %at
}
"""
    assert codegen.keep_steps(function) == function


def test_narrow_vectors_and_other_numbers_stay() -> None:
    kept = codegen.keep_steps(COUNTS).splitlines()
    assert "  %c = add <16 x i32> %b, splat (i32 3)" in kept
    assert "  %d = add <8 x i32> %y, splat (i32 1)" in kept
    assert kept[-4:] == COUNTS.splitlines()[-4:]
    assert codegen.keep_steps("\n".join(kept)) == "\n".join(kept)


def test_vectors_that_count_have_the_results_of_the_interpreter() -> None:
    x = np.arange(-5, 59, dtype=np.int32)
    results = []
    for device in ("interp", "cpu"):
        steps, left = np.zeros(64, np.int32), np.zeros(64, np.int64)
        kernel = polycl.load(KERNEL).kernel("count")
        kernel.bind(x, steps, left, global_size=64, local_size=64, device=device).launch()
        results.append((steps, left))
    assert results[0][0].max() > 5
    for mine, expected in zip(results[1], results[0], strict=True):
        np.testing.assert_array_equal(mine, expected)
