"""The execution of the host's side of a program, for `polycl.runtime.host.host_program`."""
