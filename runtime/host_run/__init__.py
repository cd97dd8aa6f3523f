"""How `polycl.runtime.host_program` runs the host's side of a program."""
