"""One work-item does the work of several neighbours: what `ocl-reorganize-threads` and
`ocl-holistic-vectorize` share.

dependence   which values of a kernel differ between merged work-items; what forbids merging
emitter      the body of several work-items, and of single ones where the last are too few
kernel       the kernel for fewer, larger work-items: `coarsen`
"""
