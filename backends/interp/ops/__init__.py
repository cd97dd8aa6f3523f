"""The operations by family, one file for each; `HANDLERS` is their union."""

from polycl.backends.interp.ops import (
    arith,
    atomics,
    control,
    memory,
    sync,
    work_group,
    work_item,
)
from polycl.backends.interp.translate import Handlers

HANDLERS = Handlers(
    operations={
        **arith.OPERATIONS,
        **atomics.OPERATIONS,
        **control.OPERATIONS,
        **memory.OPERATIONS,
        **sync.OPERATIONS,
        **work_group.OPERATIONS,
        **work_item.OPERATIONS,
    },
    terminators=control.TERMINATORS,
)
