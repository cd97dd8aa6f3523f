"""The operations by family, one file for each; `HANDLERS` is their union."""

from polycl.backends.interp.ops import run_arith as arith
from polycl.backends.interp.ops import run_atomics as atomics
from polycl.backends.interp.ops import run_builtins as builtins
from polycl.backends.interp.ops import run_collectives as collectives
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

_FAMILIES = (
    arith,
    atomics,
    builtins,
    collectives,
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
HANDLERS = Handlers(
    operations={op: row for family in _FAMILIES for op, row in family.OPERATIONS.items()},
    terminators=control.TERMINATORS,
)
