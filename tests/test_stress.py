"""Random kernels with vectors, and damaged LLVM IR: no abort of LLVM reaches this process.

`pytest -m slow tests/test_stress.py` runs thousands; `tests/fuzz/stress.py` any number.
"""

import pytest

from fuzz.stress import stress


@pytest.mark.parametrize("first", [0, 1000])
def test_kernels(first: int):
    ends = stress(first, 8)
    assert ends["kernels with a result"] == 8
    assert sum(count for name, count in ends.items() if name.startswith("damaged")) == 2


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_many_kernels():
    assert stress(2000, 2000)["kernels with a result"] == 2000
