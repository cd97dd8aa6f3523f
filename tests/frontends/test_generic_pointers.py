"""The address spaces of generic pointers, on the interpreter and the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import polycl
from polycl.errors import UnsupportedError

SOURCE = """
global int of_program = 1;
int spaces(int *p) {
  return (to_global(p) == p) + 2 * (to_local(p) == p) + 4 * (to_private(p) == p) +
         8 * get_fence(p);
}
kernel void k(global int *o, int n) {
  local int l[4];
  int q = 3, *t[3] = {o, l, &q};
  struct { int *a, *b; } s = {l, o};
  o[0] = spaces(o);
  o[1] = spaces(l + 2);
  o[2] = spaces(&q);
  o[3] = spaces(n ? (int *)l : (int *)o);
  int *p = o;
  for (int i = 0; i < n; i++) p = l;
  o[4] = spaces(p);
  for (int i = 0; i < 3; i++) o[5 + i] = spaces(t[(i + n) % 3]);
  o[8] = (to_global(s.a) != NULL) + get_fence((int *)0);
  o[9] = spaces(&of_program);
  o[10] = spaces(s.a) * 100 + spaces(s.b);
  o[11] = *to_private(t[2]);
}
"""
GLOBAL, LOCAL, PRIVATE = 1 + 16, 2 + 8, 4
EXPECTED = [GLOBAL, LOCAL, PRIVATE, LOCAL, LOCAL, GLOBAL, LOCAL, PRIVATE, 0, GLOBAL, 1017, 3]


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_spaces(device: str) -> None:
    out = np.zeros(12, np.int32)
    kernel = polycl.load(SOURCE, language="cl", options=["-cl-std=CL2.0"]).kernel("k")
    kernel(out, 3, global_size=4, local_size=2, device=device)
    assert out.tolist() == EXPECTED


@pytest.mark.parametrize("device", ["interp", "cpu"])
def test_pointers_in_memory(device: str) -> None:
    """LLVM must not take a vector of addresses from memory for one that points nowhere."""
    source = """kernel void k(global int *o) {
      local int l;
      l = 2;
      int p = 3, failures = 0;
      union { local int *of_local; int *of_private; } u;
      u.of_local = &l;
      failures += *u.of_local != 2;
      u.of_private = &p;
      failures += !to_private(u.of_private) + (*u.of_private != 3);
      o[get_global_id(0)] = failures == 0;
    }"""
    out = np.zeros(4, np.int32)
    kernel = polycl.load(source, language="cl", options=["-cl-std=CL2.0"]).kernel("k")
    kernel(out, global_size=4, local_size=2, device=device)
    assert out.tolist() == [1, 1, 1, 1]


def test_unknown_space() -> None:
    source = """kernel void k(global int *o, local int *l, int n) {
      int *t[2] = {o, l};
      o[0] = to_local(t[n]) != NULL;
    }"""
    kernel = polycl.load(source, language="cl", options=["-cl-std=CL2.0"]).kernel("k")
    arguments = (np.zeros(1, np.int32), polycl.Local(4), 1)
    with pytest.raises(UnsupportedError, match="address space of this generic pointer is not know"):
        kernel(*arguments, global_size=1, local_size=1, device="cpu")
