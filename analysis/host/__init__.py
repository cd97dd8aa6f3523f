"""What is known of a program of host and kernels: aliases, orders, indices, reuse."""
