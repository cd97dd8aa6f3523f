"""Sources whose IR is nested hundreds of regions deep."""

import numpy as np
import pytest

import polycl

STEPS = 256
RETURNS = "\n".join(f"  if (x <= {i}) return {i % 100};" for i in range(STEPS))
ELSE_IFS = " else ".join(f"if (x == {i}) r = {i % 100};" for i in range(STEPS))


@pytest.mark.parametrize("body", [RETURNS, f"  int r = 7;\n  {ELSE_IFS}\n  return r;"])
@pytest.mark.parametrize("device", ["cpu", "interp"])
def test_chains_of_branches(body: str, device: str):
    source = f"""
int choose(int x) {{
{body}
  return 7;
}}
kernel void k(global const int *x, global int *y) {{
  y[get_global_id(0)] = choose(x[get_global_id(0)]);
}}"""
    x = np.array([0, 1, 130, STEPS - 1, STEPS], np.int32)
    y = np.zeros_like(x)
    polycl.load(source).kernel("k")(x, y, global_size=len(x), device=polycl.device(device))
    assert y.tolist() == [0, 1, 30, (STEPS - 1) % 100, 7]
