"""The conversions of `convert-to-llvm`, one file for each family of operations."""
