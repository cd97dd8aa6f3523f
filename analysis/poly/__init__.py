"""The polyhedral model of a kernel: index polynomials, domains, predicates, tiles."""
