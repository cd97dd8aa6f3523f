"""The functions that `expand-math` writes out, a file a family; how they are made: README.md."""
