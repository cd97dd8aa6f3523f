"""Runs a program that is linked with a loader: its path and arguments."""

import subprocess
import sys

raise SystemExit(subprocess.run(sys.argv[1:]).returncode)
