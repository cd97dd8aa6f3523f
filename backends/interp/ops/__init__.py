"""The operations by family, one file for each; `HANDLERS` is their union."""

from polycl.backends.interp.ops import (
    arith,
    atomics,
    builtins,
    control,
    lanes,
    math,
    memory,
    sync,
    values,
    vector,
    work_group,
    work_item,
)
from polycl.backends.interp.translate import Handlers

HANDLERS = Handlers(
    operations={
        **arith.OPERATIONS,
        **atomics.OPERATIONS,
        **builtins.OPERATIONS,
        **control.OPERATIONS,
        **lanes.OPERATIONS,
        **math.OPERATIONS,
        **memory.OPERATIONS,
        **sync.OPERATIONS,
        **values.OPERATIONS,
        **vector.OPERATIONS,
        **work_group.OPERATIONS,
        **work_item.OPERATIONS,
    },
    terminators=control.TERMINATORS,
)
