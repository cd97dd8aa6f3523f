"""Tiles that read what the tile before writes: each waits until the other's stores are done."""

from __future__ import annotations

from xdsl.ir import Block, SSAValue

from polycl.analysis.ocl.addresses import place_of
from polycl.analysis.ocl.linear import linear
from polycl.dialects import ocl, wg
from polycl.dialects.inside import operations_of
from polycl.dialects.ocl.layout import size_of
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


def reads_row_before(body: Block, row: SSAValue) -> bool:
    """Whether vectors are read that overlap what the tile of the row before writes, in place:

    ```
    %above = wg.load %p[18 * %row + %x] mask %m : vector<16xf32>
    ...
    wg.store %new, %p[18 * %row + %x + 18] mask %m : vector<16xf32>
    ```

    The mask keeps the processor from passing on what was stored: the load waits until it is in the
    cache. It is so with arrays of local memory in particular, whose rows are short.
    """
    stores = operations_of(body, wg.StoreOp)
    loads = operations_of(body, wg.LoadOp) if any(store.mask for store in stores) else []
    for store in stores:
        root, place = place_of(store.pointer, store.index)
        step = place.factors.get(row, 0)
        if store.mask is None or step == 0:
            continue
        for load in loads:
            other, its_place = place_of(load.pointer, load.index)
            distance = its_place - place
            if other is root and not distance.factors:
                apart = distance.number + step
                if -_bytes(load.pointer, load.result) < apart < _bytes(store.pointer, store.value):
                    return True
    return False


def _bytes(pointer: SSAValue, vector: SSAValue) -> int:
    return count_of(vector.type) * size_of(ocl.pointee_of(pointer))
