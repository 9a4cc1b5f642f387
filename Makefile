# The same commands at home and in CI. `make` alone lists them.
#
#   PYTHON=...   the interpreter that makes a virtual environment (default: the newest Python >= 3.11 that works)
#   JOBS=...     processes that run tests (default: one more than there are cores, since tests of limits wait)

SHELL := /bin/bash
JOBS ?= $(shell echo $$(($$(nproc) + 1)))
newest = $(shell for python in $(1); do "$$python" -c 'import ensurepip, venv' 2>/dev/null && echo "$$python" && break; done)

.PHONY: help demo test lint bench test-jax012 test-hostile test-browser clean

help:  ## List the commands.
	@sed -n 's/^\([a-z0-9-]*\):.*## /make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

demo: .venv/.ready  ## Grade a sample class from end to end, in this folder.
	@.venv/bin/python -m demo

test: .venv/.ready-dev  ## Run the whole test suite.
	.venv/bin/python -m pytest -n $(JOBS) --dist worksteal --durations=15

lint: .venv/.ready-dev  ## Run ruff and mypy.
	.venv/bin/ruff check .
	.venv/bin/mypy

bench: .venv/.ready  ## Grade one class by stock nbgrader and by this program in alternation; says first how long it takes.
	.venv/bin/python -m benchmarks

test-jax012: .venv-jax012/.ready-dev  ## Run the whole test suite on JAX 0.12 (Python >= 3.12).
	.venv-jax012/bin/python -m pytest -n $(JOBS) --dist worksteal

test-hostile: .venv/.ready-hostile  ## Try every attack, fault and fuzzer, and write what came of it into docs/threat-model.md.
	.venv/bin/python -m pytest tests/hostile tests/autograder/test_same_evaluation.py tests/autograder/test_every_way.py -m "" -n $(JOBS) --dist worksteal --junitxml hostile.xml --ignore tests/hostile/test_document.py
	.venv/bin/python -m tests.hostile.table hostile*.xml
	.venv/bin/python -m pytest tests/hostile/test_document.py

test-browser: .venv/.ready-browser  ## Drive formgrader and JupyterLab in headless Chromium (apt-get install chromium chromium-driver).
	.venv/bin/python -m pytest tests/browser

clean:  ## Remove the virtual environments and caches; handed-in work, marks and feedback stay.
	rm -rf .venv .venv-jax012 .pytest_cache .mypy_cache .ruff_cache build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A virtual environment is complete when its stamp is newer than what it was made from.
.venv/bin/python:
	$(call make-venv,.venv,python3.14 python3.13 python3.12 python3.11 python3,3.11)

.venv-jax012/bin/python:
	$(call make-venv,.venv-jax012,python3.14 python3.13 python3.12,3.12)

%/.ready: %/bin/python pyproject.toml constraints.txt
	$*/bin/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

%/.ready-dev: %/bin/python pyproject.toml constraints.txt
	$*/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@ $*/.ready

%/.ready-hostile: %/.ready-dev
	$*/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[hostile]'
	@touch $@

%/.ready-browser: %/.ready-dev
	$*/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[browser]'
	@touch $@

.PRECIOUS: %/bin/python %/.ready %/.ready-dev %/.ready-hostile %/.ready-browser

# $(1) folder, $(2) names of interpreters to try, $(3) oldest version that does
define make-venv
@python="$(or $(PYTHON),$(call newest,$(2)))"; \
if ! "$${python:-false}" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < ($(subst .,$(comma) ,$(3))))' 2>/dev/null; then \
  echo "No Python >= $(3) with its venv module was found$(if $(PYTHON), at $(PYTHON))." >&2; \
  echo "Install one (Debian and Ubuntu: apt-get install python$(3) python$(3)-venv), or say which: make $(MAKECMDGOALS) PYTHON=/path/to/python" >&2; \
  exit 1; \
fi; \
echo "Making $(1) with $$("$$python" --version); the first time this takes a minute or two."; \
"$$python" -m venv $(1)
endef
comma := ,
