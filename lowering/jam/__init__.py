"""The parts of `wg-jam` and `wg-interleave`: several tiles of a parallel region in one body.

dependence   which values differ between the tiles of one body
cost         how many tiles are worth it
emitter      the new body: each operation for each tile that has a value of its own
"""
