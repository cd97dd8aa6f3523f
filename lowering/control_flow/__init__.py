"""Control flow as graphs and as trees: the parts of `lift-cf-to-scf`.

`graph` and `restructure` turn any graph into a tree of sequences, branches and loops and know no
IR; `program` reads the blocks of a function; `liveness` and `emit` write the tree as `scf`.
"""
