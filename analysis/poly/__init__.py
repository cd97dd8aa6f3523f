"""What isl knows of a kernel: index expressions, domains, predicates, tiles."""
