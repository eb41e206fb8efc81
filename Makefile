# Two commands do everything: `make book` and `make test`. Both make their own .venv from the lock.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: book serve lab notebooks test test-quick clean help

PYTHON ?= python3
PY := .venv/bin/python
READY := .venv/.ready
NOTEBOOKS = $(shell find book -name '*.ipynb' -not -path '*/.ipynb_checkpoints/*')
# One BLAS thread: the same digits on every machine, and test processes that do not fight over cores.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "linclass needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --requirement requirements.txt
	$(PY) -m pip install --quiet --no-deps --editable .
	$(PY) book/_ext/katex_assets.py
	@touch $@

book: $(READY) ## build the book and print the page to open
	.venv/bin/jupyter-book build . -W -n --keep-going
	@echo "Open $(CURDIR)/_build/html/index.html"

serve: $(READY) ## the book at a local address, built anew as you edit
	.venv/bin/python book/_ext/serve.py

notebooks: $(READY) ## run every notebook anew and store its outputs
	$(PY) book/_ext/execute.py book

lab: $(READY) ## open the chapters in JupyterLab
	.venv/bin/jupyter lab --notebook-dir=book

test: $(READY) ## everything: lint, units, notebooks, the built book
	.venv/bin/ruff check .
	.venv/bin/jupyter-book clean . --all
	.venv/bin/jupyter-book build . -W -n --keep-going --all
	$(PY) -m pytest -n 2 --dist loadfile
	$(PY) -m pytest -n 2 --dist loadfile --nbval --nbval-current-env $(NOTEBOOKS)

test-quick: $(READY) ## the inner loop: lint and unit tests, under a minute
	.venv/bin/ruff check .
	$(PY) -m pytest -n 2 --dist loadfile -q tests --ignore=tests/book --ignore=tests/site

clean: ## remove what was built, and the environment
	rm -rf _build dist .venv

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 20
