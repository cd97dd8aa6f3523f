"""A project that embeds polycl: a kernel language with one operation, `tiny.square`."""
