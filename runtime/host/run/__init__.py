"""How `polycl.runtime.host.host_program` runs the host's side of a program."""
