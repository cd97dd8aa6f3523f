"""lit runs these tests: `lit -sv test/lit`, with the tools of the Python that runs lit."""

import os
import sys

import lit.formats

config.name = "polycl"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir", ".cl", ".c", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

# Tools installed next to this Python come first; from a bare checkout, the scripts in tools/.
root = os.path.dirname(os.path.dirname(config.test_source_root))
scripts = os.path.dirname(sys.executable)
path = [scripts, os.environ.get("PATH", "")]
if not os.path.exists(os.path.join(scripts, "ocl-opt")):
    path.insert(0, os.path.join(root, "tools"))
config.environment["PATH"] = os.pathsep.join(path)
# What a test compiles is compiled here and now.
config.environment["POLYCL_CACHE_DIR"] = ""
config.environment["POLYCL_SERVER"] = "0"
for name in ("HOME", "PYTHONPATH", "POLYCL_DEBUG"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# The tools run in forks of one process that has them loaded.
if path[0] == scripts:
    sys.path.insert(0, os.path.join(root, "tests"))
    import fork_server

    clients = fork_server.start({**config.environment})
    config.environment["PATH"] = os.pathsep.join([clients, *path])

# A module prints, parses and prints again to the same text: custom and generic syntax.
reprint = "ocl-opt --split-input-file | filecheck %s"
config.substitutions += [
    ("OCL_GENERIC_ROUNDTRIP", f"ocl-opt %s --split-input-file --print-op-generic | {reprint}"),
    ("OCL_ROUNDTRIP", f"ocl-opt %s --split-input-file | {reprint}"),
    ("OCL_INVALID", "ocl-opt %s --split-input-file --verify-diagnostics | filecheck %s"),
]
