"""Thread coarsening: common parts of `ocl-reorganize-threads` and `ocl-holistic-vectorize`.

coarse_dependence   the values that differ between merged work-items; reasons not to merge
coarse_emitter      the body of several work-items, and of single ones for the remainder
coarse_kernel       the kernel for fewer, larger work-items: `coarsen`
"""
