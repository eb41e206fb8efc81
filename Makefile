# Two commands do everything: `make book` and `make test`. Both make their own .venv from the lock.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: bench bench-quick bench-growth book heights serve dist lighthouse lab notebooks renumber test test-long test-quick test-oldest test-newest lock clean help

PYTHON ?= python3
PY := .venv/bin/python
READY := .venv/.ready
NOTEBOOKS = $(shell $(PYTHON) tools/contents.py)
NBVAL := -m pytest -n 2 --dist loadfile -q --nbval --nbval-current-env
# What needs neither the notebooks nor the built book, and is quick.
UNITS := tests linclass --ignore=tests/book --ignore=tests/site --ignore=tests/assignments --ignore=tests/certificates
LOCK := --custom-compile-command "make lock" pyproject.toml
# One BLAS thread: the same digits on every machine, and test processes that do not fight over cores.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "linclass needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --requirement requirements.txt
	$(PY) -m pip install --quiet --no-deps --editable .
	$(PY) tools/site_assets.py
	$(PY) tools/live_assets.py
	@touch $@

book: $(READY) ## build the book and print the page to open
	.venv/bin/jupyter-book build . -W -n --keep-going
	@echo "Open $(CURDIR)/_build/html/index.html"

heights: $(READY) ## measure anew how high the sections of the built book are (needs Chromium)
	$(PY) tools/heights.py

serve: $(READY) ## the book at a local address, built anew as you edit
	.venv/bin/python tools/serve.py

notebooks: $(READY) ## run every notebook anew and store its outputs
	$(PY) tools/execute.py

renumber: $(READY) ## number chapters, equations, theorems, exercises and figures anew, and what refers to them
	$(PY) tools/renumber.py

.PHONY: pdf epub paper-long
pdf: book ## the whole book as PDF, for A4 and for Letter (needs Chromium; some three minutes)
	PYTHONPATH=tools $(PY) -m paper.pdf

epub: book ## the whole book as EPUB
	PYTHONPATH=tools $(PY) -m paper.epub

paper-long: pdf epub ## what the tests ask of three chapters on paper, asked of the whole book
	PAPER_LONG=1 $(PY) -m pytest -q -rsP tests/site/test_paper.py

dist: book ## the site, the notebooks and the package in one file, to take along
	$(PY) tools/dist.py

lighthouse: $(READY) ## performance, accessibility, practices and SEO of every chapter (needs Chromium)
	$(PY) tools/lighthouse.py

lab: $(READY) ## open the chapters in JupyterLab
	.venv/bin/jupyter lab --notebook-dir=book

# Each notebook is run once: nbval compares what it gives with what is stored, and the build shows that very run.
test: $(READY) ## what must hold before anything lands, some 25 minutes: lint, units, notebooks, the built book in a browser
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/jupyter-book clean . --all
	PYTHONPATH=tools $(PY) $(NBVAL) -p record_runs $(NOTEBOOKS)
	.venv/bin/jupyter-book build . -W -n --keep-going --all
	$(PY) -m pytest -n 2 --dist loadfile -m ''

# What is not in `make test`: it needs other environments, a quiet machine, or much time.
test-long: assignments-long live-long site-long paper-long certificates test-oldest test-newest lighthouse ## what `make test` leaves out, hours and a quiet machine: real graders, thousands of problems, other NumPys, Lighthouse

test-quick: $(READY) ## the inner loop: lint and unit tests, under a minute
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	$(PY) -m pytest -n 2 --dist loadfile -q $(UNITS)

# The other two ends of what pyproject.toml admits, each in its own environment and with the package from this folder.
.venv-oldest/.ready: requirements-oldest.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info >= (3, 13) and "NumPy 1.26 needs Python 3.11 or 3.12: make test-oldest PYTHON=python3.12")'
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --requirement requirements-oldest.txt
	@touch $@

test-oldest: .venv-oldest/.ready ## the unit tests on the oldest NumPy that pyproject.toml admits
	PYTHONPATH=. .venv-oldest/bin/python -m pytest -n 2 --dist loadfile -q -m '' -W default::DeprecationWarning $(UNITS)

lock: ## renew both locks (needs uv)
	uv pip compile --quiet --upgrade --universal --python-version 3.11 --all-extras --group dev $(LOCK) -o requirements.txt
	uv pip compile --quiet --upgrade --resolution lowest-direct --python-version 3.11 --extra plots --extra separability --extra estimators --group units $(LOCK) -o requirements-oldest.txt

test-newest: ## unit tests and notebooks on the newest NumPy, SciPy and Matplotlib that pip offers
	$(PYTHON) -m venv .venv-newest
	.venv-newest/bin/python -m pip install --quiet --upgrade pip
	.venv-newest/bin/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable '.[run,estimators,dask]' --group units nbval
	.venv-newest/bin/python -m pip list | grep -iE '^(numpy|scipy|matplotlib) '
	.venv-newest/bin/python -m pytest -n 2 --dist loadfile -q $(UNITS)
	.venv-newest/bin/python $(NBVAL) $(NOTEBOOKS)

.PHONY: notebooks-check assignments-long
# LINCLASS_IMPL=hw/ make notebooks-check: the chapters computed by a student's functions, compared with what is stored.
notebooks-check: $(READY) ## run every chapter and compare with its stored outputs; LINCLASS_IMPL=hw/ plugs your functions in
	LINCLASS_IMPL=$(if $(LINCLASS_IMPL),$(abspath $(LINCLASS_IMPL))) \
	  $(PY) $(NBVAL) $(NOTEBOOKS)

# The graders of others live in an environment of their own: 66 packages that nothing else needs.
.venv-graders/.ready:
	$(PYTHON) -m venv .venv-graders
	.venv-graders/bin/python -m pip install --quiet nbgrader==0.9.6 otter-grader==7.0.0 ipykernel
	@touch $@

assignments-long: $(READY) .venv-graders/.ready ## all checks of the assignments: 20 seeds, real graders, chapters plugged in
	ASSIGNMENTS_LONG=1 $(PY) -m pytest -n 2 --dist loadfile -q -rsP tests/assignments

.PHONY: live-long site-long bench-live
site-long: book ## every handle of every explorable under a finger
	ASSIGNMENTS_LONG=1 $(PY) -m pytest -q tests/site/test_explore_touch.py

live-long: book ## every cell of the book and every mistake of the catalogue by the Python in the page
	ASSIGNMENTS_LONG=1 $(PY) -m pytest -q -rsP tests/site/test_live.py tests/book/test_live.py

bench-live: book ## from the first click on Run to what it prints, cold and warm, desktop and phone
	$(PY) -m benchmarks.live

.PHONY: certificates
COUNT ?= 5000
certificates: $(READY) ## learners judged in extended precision on drawn problems: COUNT=5000 SEED=…
	$(PY) tests/certificates --count $(COUNT) $(if $(SEED),--seed $(SEED)) --peers

bench: $(READY) ## our times beside the peers', the whole table and families of shapes drawn anew (up to half an hour)
	$(PY) -m benchmarks

bench-quick: $(READY) ## a third of the table, in two minutes
	$(PY) -m benchmarks --quick

bench-growth: $(READY) ## how time grows with n and d, for the appendix on speed
	$(PY) -m benchmarks.growth

clean: ## remove what was built, and the environments
	rm -rf _build dist .venv .venv-oldest .venv-newest .venv-graders

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 20
