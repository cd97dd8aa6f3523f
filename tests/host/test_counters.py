"""The counters of [ppopencl19] Figure 14: what vectors of work-items save."""

from __future__ import annotations

import pytest
from bench.ppopencl.counters import counted
from bench.programs.inputs import inputs


def test_mri_q_in_vectors_of_four() -> None:
    """Every operation is on four elements, but loads of the sample points, which work-items share,
    are one for four of them."""
    before = counted("mri_q", "original", "amd-cpu", "small")
    after = counted("mri_q", "vectorize", "amd-cpu", "small")
    arguments = inputs("mri_q")
    voxels, samples = len(arguments["x"]), len(arguments["kx"])
    # Five loads of a voxel; four of a sample for each; two of a sample for its magnitude.
    assert before.load == pytest.approx(voxels * (5 + 5 * samples) + 2 * samples, rel=0.2)
    assert before.varith == 0
    assert after.varith == pytest.approx(after.arith, rel=0.01)
    assert after.arith == pytest.approx(before.arith / 4, rel=0.05)
    assert after.load < before.load / 4
