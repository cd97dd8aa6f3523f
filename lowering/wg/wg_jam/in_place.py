"""Tiles that read what the tile before writes: each waits until the other's stores are done."""

from __future__ import annotations

from xdsl.ir import Block

from polycl.analysis.ocl.linear import linear
from polycl.dialects import wg
from polycl.dialects.inside import operations_of
from polycl.dialects.vec import count_of


def reads_tile_before(body: Block) -> bool:
    """Whether vectors of a row are read that overlap what the tile before writes, in place:

    ```
    %left = wg.load %p[%x - 1] : vector<8xf64>
    ...
    wg.store %new, %p[%x] : vector<8xf64>
    ```

    The next tile's `%left` has one element of `%new`. It is read after the store, though either
    order is right: work-items of a group do not wait for each other. Neighbours that mask each
    other out, red and black ones, are the usual case.
    """
    loads = operations_of(body, wg.LoadOp)
    for store in operations_of(body, wg.StoreOp):
        for load in loads:
            if load.pointer is store.pointer and load.index is not store.index:
                distance = linear(load.index) - linear(store.index)
                if not distance.factors and -count_of(load.result.type) < distance.number < 0:
                    return True
    return False
