"""Random loops on memory of each work-item's own: the device cpu does what the interpreter does.

`pytest -m slow tests/test_sequences.py` runs thousands of them.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import polycl
from fuzz.sequences import Kernel, sequence_kernel
from fuzz.stress import DTYPES
from polycl.backends.cpu import CpuDevice

DEVICES = (
    CpuDevice(threads=1, contract=False),
    CpuDevice(threads=1, contract=False, without_features=["avx512"]),
    CpuDevice(threads=1, contract=False, enable=["vectors"]),
)


def run(
    kernel: Kernel, device: polycl.Device, constants: bool = False
) -> list[NDArray[np.generic]]:
    """What a launch leaves in its arrays."""
    dtype, size = DTYPES[kernel.element], kernel.items * kernel.part
    numbers = np.random.default_rng(5).integers(0, 40, (2, size)).astype(dtype)
    a, b, last = numbers[0].copy(), numbers[1].copy(), np.zeros(kernel.items, dtype)
    if kernel.is_one_array:
        b = a
    bound = (
        polycl.load(kernel.text, language="cl")
        .kernel("k")
        .bind(
            *(a, b, last, kernel.length, 15),
            global_size=kernel.items,
            local_size=kernel.group,
            device=device,
            constants=constants,
        )
    )
    bound.launch()
    return [a, b, last]


def check(seed: int) -> None:
    """One of the devices, in turn, with the numbers known or not."""
    kernel = sequence_kernel(seed)
    expected = run(kernel, polycl.device("interp"))
    found = run(kernel, DEVICES[seed % len(DEVICES)], constants=seed % 5 == 0)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other, kernel.text)


@pytest.mark.parametrize("seed", range(16))
def test_sequences(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_many_sequences(first: int) -> None:
    for seed in range(first, first + 100):
        check(seed)
