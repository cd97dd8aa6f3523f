"""From pattern programs to kernels, one idea a file:

- `views`: arrays as functions from an index to where the element is; `layouts`: what the patterns
  that only rearrange do to views, for reading and for writing,
- `emitter`: operations in a block; indices as `arith`, loads and stores, loops,
- `kernel`: one kernel, its parameters and its memory; `reuse`: local memory used several times,
- `scopes`: what the values of a pattern program are during code generation,
- `destinations`: results are written where they belong, not copied there,
- `bodies`, `maps`, `reductions`, `scalars`: the code of each pattern,
- `barriers`: where work-items of a group must wait for each other,
- `ndrange`: how many work-items; `host`: one kernel after the other.
"""
