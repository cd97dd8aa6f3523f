"""The parts of `split-structs`.

leaves   which structs are taken apart, and into what
values   struct values become the values of their leaves
memory   memory of structs becomes memory of each field
"""
