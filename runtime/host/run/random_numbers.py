"""`rand` and similar functions (C99, section 7.20.2; POSIX): the numbers differ from a C library's
and are the same in each run of a program."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from polycl.dialects.host import OpaqueOp

RANDOM = ("rand", "srand", "drand48", "srand48")


class RandomNumbers:
    """The generators of one run."""

    def __init__(self) -> None:
        # C99, section 7.20.2.2: as if seeded by 1.
        self._source = random.Random(1)

    def call(self, op: OpaqueOp, values: Sequence[Any]) -> list[Any]:
        match op.function.data:
            case "rand":
                return [self._source.getrandbits(31)]
            case "drand48":
                return [self._source.random()]
            case _:
                self._source.seed(int(values[0]))
                return []
