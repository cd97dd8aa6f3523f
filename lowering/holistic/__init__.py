"""Merged work-items as vectors: the parts of `ocl-holistic-vectorize`.

packing   which values of a kernel become vectors
emitter   the body of several work-items, with vectors for what they compute in step
factor    how many work-items one vector holds: Algorithm 4
"""
