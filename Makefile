# make demo                     an OpenCL C kernel on a picture, on the CPU: writes demo.png
# make test                     lint, type check and all tests, on all cores (JOBS=2: on two)
# make unit AREA=tests/poly     pytest alone, of one area or file
# make lit AREA=test/lit/tools  lit alone
# make site                     the documentation as a site, in build/site
#
# All make their own virtual environment (VENV) from PYTHON, which must be 3.11 or newer.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu)

export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS = 1
# Each of the many processes of the tests would compile all modules that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint types unit lit site clean

demo: $(VENV)/.demo
	$(BIN)/python examples/picture.py

# pyright has one thread: the tests run beside it.
test: lint
	$(MAKE) -j2 types unit
	$(MAKE) lit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/pyright --pythonpath $(BIN)/python

# The tests of a file run in one process: they share what they import, compile and install.
unit: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile $(AREA)

lit: $(VENV)/.dev
	$(BIN)/lit -sv -j $(JOBS) $(or $(AREA),test/lit)

# MkDocs announces its next version otherwise.
site: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

clean:
	rm -rf .venv build src/*.egg-info .pytest_cache .ruff_cache .hypothesis demo.png
	find . -name __pycache__ -prune -exec rm -rf {} +
	find test -name Output -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "polycl needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# An editable install: a change of the sources needs no new one. Python compiles what it imports;
# pip would compile each file of each package.
$(VENV)/.demo: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable .
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	@touch $@ $(VENV)/.demo
