"""The settings of [split16] as passes of the cpu device.

All of them begin and end as the device's own pipeline. Between them are the passes of input space
splitting alone: the other passes for speed are left out.
"""

from __future__ import annotations

from llvmlite import binding
from xdsl.passes import ModulePass

from polycl.backends.cpu import CpuDevice
from polycl.backends.cpu.pipeline import FOR_SPEED, cpu_pipeline
from polycl.backends.device import NDRange
from polycl.backends.pipeline import parse_passes

SETTINGS = {
    "scalar": "",
    "vec-only": (
        "poly-normalize,poly-extract,poly-split{{predicates=full width={width}}},"
        "poly-materialize,poly-lower-codelet{{scalar-rest=true}}"
    ),
    "split-only": (
        "poly-normalize,poly-extract,poly-split{{width={width}}},"
        "poly-materialize,poly-lower-codelet{{scalar-rest=true}}"
    ),
    "score-only": (
        "poly-normalize,poly-extract,poly-split{{predicates=full width={width}}},"
        "poly-score,poly-materialize,poly-lower-codelet{{scalar-rest=true}}"
    ),
    "split+score": (
        "poly-normalize,poly-extract,poly-split{{width={width}}},"
        "poly-score,poly-materialize,poly-lower-codelet{{scalar-rest=true}}"
    ),
}
"""The passes after wg-lower-contexts. Without a score, the first dimension that has a vector's
width of work-items is vectorized."""

KEPT = (
    "promote-loop-memory",
    "split-structs",
    "simplify-loops",
    "remove-dead-values",
    "simplify-breaks",
    "widen-indices",
    "wg-promote-local",
)
"""Of the passes for speed: they make values of memory, in which the vectorizer sees no lanes, and
give local arrays their place. Any compiler has them."""


def no_vectors_by_llvm() -> None:
    """From now on, in this process, LLVM vectorizes no loops: what is scalar stays scalar."""
    binding.set_option("polycl", "-vectorize-loops=false")


class StudyDevice(CpuDevice):
    """The cpu device with the passes of a setting, for vectors of `width` work-items."""

    def __init__(self, setting: str, width: int, threads: int = 1, contract: bool = True):
        left_out = [name for name in FOR_SPEED if name not in KEPT]
        super().__init__(threads, contract, disable=left_out)
        self.setting = setting
        self.width = width

    def own_passes(self, ndrange: NDRange) -> tuple[ModulePass, ...]:
        passes = list(cpu_pipeline(ndrange, contract=self.contract, disable=self.disable))
        names = [step.name for step in passes]
        spec = SETTINGS[self.setting].format(width=self.width)
        splitting = parse_passes(spec) if spec else ()
        split_at = names.index("wg-lower-contexts") + 1
        vectorize_at = names.index("wg-to-scf")
        vectorize = parse_passes(f"wg-vectorize{{width={self.width}}}") if splitting else ()
        return (
            *passes[:split_at],
            *splitting,
            *passes[split_at:vectorize_at],
            *vectorize,
            *passes[vectorize_at:],
        )
