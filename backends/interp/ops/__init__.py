"""The operations by family, one file for each; `HANDLERS` is their union."""

from polycl.backends.interp.ops import run_arith as arith
from polycl.backends.interp.ops import run_atomics as atomics
from polycl.backends.interp.ops import run_builtins as builtins
from polycl.backends.interp.ops import run_control as control
from polycl.backends.interp.ops import run_lanes as lanes
from polycl.backends.interp.ops import run_math as math
from polycl.backends.interp.ops import run_memory as memory
from polycl.backends.interp.ops import run_sync as sync
from polycl.backends.interp.ops import run_values as values
from polycl.backends.interp.ops import run_vector as vector
from polycl.backends.interp.ops import run_work_group as work_group
from polycl.backends.interp.ops import run_work_item as work_item
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
