"""Whether each pass of a pipeline keeps what kernels compute: the interpreter judges it."""
