# Everything lives in .venv; packaging/set_up.py prepares it and returns at once when it is up to date.
PYTHON := .venv/bin/python
EXTRAS ?=
ARGS ?=
# Tests wait for servers and deadlines half of the time: more of them than cores at once.
JOBS ?= $(shell expr 3 \* $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))
HOURS ?= 1
TIMES ?= 10
SEED ?= 1
# Any Python that starts will do for set-up. Not every one does: pyenv's shims ask for the version in .python-version.
set-up = @for python in .venv/bin/python $$(which -a python3 python); do \
	! "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null || exec "$$python" packaging/set_up.py $(1); \
	done; echo "set-up: no python3 on PATH works: install Python 3.12" >&2; exit 1

.DEFAULT_GOAL := help
.PHONY: run test check quick format app .venv guide pictures translations icons fuzz shake mutants conditions truth validate package release lock clean help

# Qt is tried first: where its system libraries are missing the study still runs.
run: .venv ## Open the window, or run the default study where there is no display
	@if [ -f app/__main__.py ] \
		&& { [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || { [ "$$(uname)" = Darwin ] && [ -z "$$SSH_CONNECTION" ]; }; } \
		&& $(PYTHON) -c 'import PySide6.QtWidgets'; \
	then exec $(PYTHON) -m app; \
	else exec $(PYTHON) -m core study seqrepo-fd-cache --repeats 3 --budget 200s $${SLUICE_DATASET:+--dataset "$$SLUICE_DATASET"}; \
	fi

# The tests of signals, of tiles, of transfers and of the lab need their drivers, those of sparse files a compiler,
# which is installed where it may; spark is half a gigabyte.
test fuzz shake: EXTRAS += spark
test fuzz shake mutants check: EXTRAS += signal sparse tiles transfer cluster s3 arrays rasters
test: check ## Check, then run every test in JOBS processes, by default three for each core, with the same random choices each time; ARGS go to pytest
	@PYTHONHASHSEED=0 QT_QPA_PLATFORM=$${QT_QPA_PLATFORM:-offscreen} $(PYTHON) -m pytest -n $(JOBS) $(ARGS)

check: .venv ## Format, lint, types and import contracts
	@$(PYTHON) -m ruff format --check --quiet .
	@$(PYTHON) -m ruff check --quiet .
	@$(PYTHON) -m mypy --no-error-summary core workloads app
	@contracts=$$(.venv/bin/lint-imports --no-logo --config tests/import_contracts.toml) || { echo "$$contracts"; exit 1; }

quick: .venv ## For every commit: format, lint and the tests marked quick
	@$(PYTHON) -m ruff format --check --quiet .
	@$(PYTHON) -m ruff check --quiet .
	@QT_QPA_PLATFORM=$${QT_QPA_PLATFORM:-offscreen} $(PYTHON) -m pytest -q -m "quick and not benchmark" $(ARGS)

format: .venv ## Format, and mend what ruff can mend
	@$(PYTHON) -m ruff format .
	@$(PYTHON) -m ruff check --fix .

app: .venv ## Open the window
	@if [ -f app/__main__.py ]; then exec $(PYTHON) -m app; \
	else echo "The window is not part of this version." >&2; exit 2; fi

.venv: ## Prepare .venv; EXTRAS="signal s3 sparse tiles transfer cluster package" adds drivers
	$(call set-up,$(EXTRAS))

guide: .venv ## Render the user guide as web pages into dist/guide; ARGS=FOLDER elsewhere
	@$(PYTHON) packaging/make_guide.py $(ARGS)

pictures: .venv ## Photograph the window for the documents into resources/pictures; takes about five minutes
	@QT_QPA_PLATFORM=offscreen $(PYTHON) packaging/draw_pictures.py $(ARGS)

translations: .venv ## Collect the window's texts, and compile their translations
	@texts=$$(mktemp -d) && $(PYTHON) packaging/core_texts.py $$texts/core_texts.py || exit; \
	for language in resources/translations/sluice_*.ts; do \
		.venv/bin/pyside6-lupdate $$(find app -name '*.py' | sort) $$texts/core_texts.py -silent -no-obsolete -locations none -ts $$language \
			&& .venv/bin/pyside6-lrelease -silent $$language || exit; \
	done; rm -r $$texts

icons: .venv ## Draw the icons in all sizes from resources/icons/sluice.svg
	@QT_QPA_PLATFORM=offscreen $(PYTHON) packaging/draw_pictures.py --icons

# Every round draws anew and says from which seed.
fuzz: .venv ## Search at random for HOURS=1, in rounds of TIMES=10 as many examples, until a test fails
	@end=$$($(PYTHON) -c 'import time; print(int(time.time() + 3600 * $(HOURS)))') || exit; \
	while [ "$$(date +%s)" -lt "$$end" ]; do \
		SLUICE_FUZZ=$(TIMES) QT_QPA_PLATFORM=$${QT_QPA_PLATFORM:-offscreen} $(PYTHON) -m pytest -x -m fuzz $(ARGS) || exit; \
	done

# What passes on a quiet machine by luck fails here: threads and processes that start late, or at once.
shake: .venv ## Run every test with pauses at random, from SEED=1, where threads, processes and files change hands
	@SLUICE_SHAKE=$(SEED) PYTHONPATH="$(CURDIR)/tests/shaking" PYTHONHASHSEED=0 QT_QPA_PLATFORM=$${QT_QPA_PLATFORM:-offscreen} $(PYTHON) -m pytest -n $(JOBS) $(ARGS)

# Tests that need servers of the lab are left out. What tests reach is kept in build/mutants.
mutants: .venv ## Put 200 small faults into copies of the product, and say by room how many of them the tests find; ARGS="--count 20 --room core/judge --seed 1"
	@PYTHONPATH="$(CURDIR)/tests:$(CURDIR)/tests/mutants" QT_QPA_PLATFORM=$${QT_QPA_PLATFORM:-offscreen} $(PYTHON) tests/mutants/driver.py --jobs $(JOBS) $(ARGS)

# Mounts, control groups and filters end with the rows; the machine itself is not touched.
conditions: .venv ## Say what Sluice does under each odd condition: refused calls, limits, full and read-only places; ARGS="forbidden 'no /proc'" are parts of names
	@PYTHONPATH="$(CURDIR)/tests:$(CURDIR)/tests/conditions" $(PYTHON) tests/conditions/table.py $(ARGS)

# fio and hyperfine are used where they are installed; a line says what is left out without them.
truth: EXTRAS += signal sparse tiles transfer
truth: .venv ## Hold throughput against independent loops, in about twenty minutes; ARGS=--short takes four, ARGS=--help says more
	@PYTHONPATH="$(CURDIR):$(CURDIR)/tests/benchmarks" $(PYTHON) tests/benchmarks/truth.py $(ARGS)

validate: .venv ## Hold verdicts, advice and search against simulated truth; ARGS="pairs sweeps --count 200" is shorter
	@PYTHONPATH="$(CURDIR):$(CURDIR)/tests" $(PYTHON) tests/validation/validate.py $(ARGS)

package: EXTRAS += package signal s3 sparse tiles transfer rasters
package: .venv ## Build what this platform can into dist/, and try it; ARGS go to packaging/make_package.py
	@$(PYTHON) packaging/make_package.py $(ARGS)

release: .venv ## Check changelog and tree, build as `make package` does, and tag the version; ARGS=--check only checks
	@$(PYTHON) packaging/make_release.py $(ARGS)

# Pins that still fit are kept; ARGS=--upgrade renews them all.
lock: ## Resolve uv.lock anew
	$(call set-up,--lock $(ARGS))

clean: ## Remove everything that make has made
	@rm -rf .venv .bootstrap build dist ./*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find app core workloads tests -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## Say what there is
	@sed -n 's/^\([.a-z]*\):.*## /\1	/p' Makefile | expand -t 14
