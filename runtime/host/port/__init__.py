"""POLYCL_PORT: what a recorded run teaches about its launches, for the next run of the program."""
