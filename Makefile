# pubdice: `make serve` opens the house, `make test` checks all but the long runs, `make quick` a change in a minute.
# Each sets up what it needs, once.

# In place of pyenv's Python the system's own, where it is one that is tried and can make environments: pyenv builds
# without PGO and LTO unless told to, and tests/costs takes 48 s with its 3.11.7, 34 s with Debian's 3.11.2.
SUITS := import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))
PYTHON ?= $(shell case $$(command -v python3) in (*/shims/*) /usr/bin/python3 -c '$(SUITS)' 2>/dev/null && echo /usr/bin/;; esac)python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where it is set, every process compiles what it imports again: all that follow each other here read what one compiled.
unexport PYTHONDONTWRITEBYTECODE

HOST ?= 0.0.0.0
PORT ?= 4224

# Two processes more than there are cores: half of their time, tests wait for browsers, houses and clocks.
JOBS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 2)')
# A test that takes ten minutes hangs: where it stands is printed, and the others go on.
PYTEST = $(BIN)/pytest --numprocesses $(JOBS) --dist worksteal -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true
# What tests of any game are, and what these need: our own tests import it too.
LAWS := packages/workshop/src/pubdice_workshop/laws
# The map of tests to functions. What tests/costs counts would be counted with the map's own calls.
MAP := .testmondata
MAPPED = $(PYTEST) --quiet --testmon --ignore=tests/costs $(ANNEXES:%=--ignore=%tests/costs)

.PHONY: serve play pocket docs test quick map hunt nightly words language game costs weight compare release lock system lint scripts types imports unit bench clean

serve: $(VENV)/.web
	@$(BIN)/pubdice serve --host $(HOST) --port $(PORT) --how 'make serve HOST=0.0.0.0' $(ARGS)

play: $(VENV)/.play
	@$(BIN)/pubdice $(ARGS)

# Pubdice as a folder of files for any web server: make pocket FOLDER=site
FOLDER ?= dist/pocket
pocket: $(VENV)/.web
	@$(BIN)/pubdice pocket $(FOLDER) $(ARGS)

# The site of the documents, in a folder: make docs FOLDER=dist/docs. A link that leads nowhere is an error.
docs: FOLDER = dist/docs
docs: $(VENV)/.docs
	@$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --jobs auto --doctree-dir .cache/docs docs $(FOLDER) $(ARGS)

# All that a release is, in a folder: make release FOLDER=dist. The same commit gives the same bytes.
release: FOLDER = dist
release: $(VENV)-release/.made
	@$(VENV)-release/bin/python -m release.make_release $(FOLDER) $(ARGS)

# The newest versions of what a release needs to run, and of what it is made with, with their hashes.
LOCK = $(VENV)-release/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	--no-emit-index-url --custom-compile-command 'make lock'
lock: $(VENV)-release/.made
	$(LOCK) --extra web --no-emit-package pubdice --output-file deploy/requirements.txt pyproject.toml packages/cluster/pyproject.toml
	$(LOCK) --constraint deploy/requirements.txt --output-file release/tools.txt release/tools.in

# npm installs beside pip, and types and imports are checked while the tests begin: otherwise one core would stand idle.
# npm may be missing until .ci/install has been here.
test:
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/.dev $(if $(shell command -v npm 2>/dev/null),$(NODE)/.made)
	@$(MAKE) --no-print-directory system lint
	@$(MAKE) --no-print-directory --jobs 2 unit types imports

# The tests that the change since main can break (tests/support/quick.py), as many as fit into a minute.
quick: lint types imports
	$(if $(wildcard $(MAP)),$(MAPPED) --testmon-nocollect,$(PYTEST) --quiet) -p support.quick

# Writes the map that make quick reads. It lasts twice as long as make test.
map: $(VENV)/.dev
	@rm -f $(MAP)*
	$(MAPPED)

# The tests with a browser, with pages four times slower, so that a race shows on a quiet machine.
hunt: $(VENV)/.dev
	PUBDICE_SLOWED=4 $(PYTEST) tests/browser $(wildcard packages/pocket/tests/pocket)

EAR := tests/ear $(wildcard packages/*/tests/ear)
# What is heard comes last and alone, as a screen reader's voice waits for nobody. A long run takes up to an hour.
nightly: $(VENV)/.dev
	@status=0; export PUBDICE_PROFILE=nightly; \
	$(PYTEST) -o faulthandler_timeout=3600 $(EAR:%=--ignore=%) || status=$$?; \
	$(BIN)/pytest $(EAR) || status=$$?; \
	unset PUBDICE_PROFILE; $(MAKE) --no-print-directory words || status=$$?; $(MAKE) --no-print-directory map || status=$$?; \
	exit $$status

# Writes new and reworded sentences into all catalogues, and counts what is missing or fuzzy. Fails if a language that is
# whole lacks a sentence.
words: $(VENV)/.dev
	@PYTHONPATH=$(LAWS) $(BIN)/python tests/catalogues.py

# The files of a new language, to be filled in (docs/contribute/translating.md): make language CODE=fr
language: $(VENV)/.dev
	@PYTHONPATH=$(LAWS) $(BIN)/python tests/catalogues.py $(or $(CODE),$(error name a language: make language CODE=fr))

# One game alone, in two minutes at most: make game NAME=threes, or NAME=FOLDER for a package elsewhere. Make's own status
# is 2 for any that is not 0, so it says which one it was.
game: $(VENV)/.dev
	@$(BIN)/pubdice game check $(or $(NAME),$(error name a game: make game NAME=threes)) || { \
		status=$$?; echo "The status of pubdice game check is $$status (1: a fault; 3: the time was over); make ends with 2."; \
		exit $$status; }

# What tests/costs counts now, there and of annexes: new deeds are written into tests/costs/costs.toml, and numbers only fall.
costs: $(VENV)/.dev
	$(BIN)/pytest --quiet tests/costs $(wildcard packages/*/tests/costs) --write-costs

# The ceilings in weight.toml, lowered for each room that has become lighter. Nothing raises them.
weight: $(VENV)/.dev
	@$(BIN)/python tests/weight.py --lower

system: $(VENV)/.dev
	@BIN=$(BIN) .ci/install

lint: $(VENV)/.dev scripts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@$(BIN)/actionlint
	@$(BIN)/python tests/weight.py
	@$(BIN)/python tests/manner.py
	@$(BIN)/python tests/bare_waits.py
	@$(BIN)/zizmor --offline --persona pedantic --quiet --no-progress .github

# JavaScript and CSS (docs/decisions/0016-checked-scripts.md): two seconds, once the two programs are here.
NODE := node_modules/.bin
# Lines of more than 120 characters, but for the sentences of the pocket's pages, which stand there as JSON.
LONG = LC_ALL=C.UTF-8 grep -rnE --include='*.js' --include='*.mjs' --include='*.css' --include='*.d.ts' '^.{121}' src packages tests | grep -vE ':[0-9]+: +"[a-z_]+": "'
scripts:
	@if ! command -v npm >/dev/null; then \
		echo "Scripts and styles are not checked, as npm is missing; .ci/install installs it where it may." >&2; \
		exit $${PUBDICE_CI:+1}; \
	fi; \
	$(MAKE) --silent --no-print-directory $(NODE)/.made && $(NODE)/biome ci --error-on-warnings && \
		for file in tsconfig.json $(wildcard packages/*/tsconfig*.json); do $(NODE)/tsc -p $$file || exit; done && ! $(LONG)

$(NODE)/.made: package.json package-lock.json
	@npm ci --silent
	@touch $@

types: $(VENV)/.dev
	$(BIN)/mypy

# Of the core, and of each annex that is there. A cache of other contracts knows what is imported from an annex by other names.
imports: $(VENV)/.dev
	$(BIN)/lint-imports --no-cache .importlinter $(wildcard packages/*/.importlinter)

unit: $(VENV)/.dev
	$(PYTEST)

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.play

# Whether this revision is quicker or slower than another: make compare REV=COMMIT
compare: $(VENV)/.dev
	@$(BIN)/python -m benchmarks.compare $(or $(REV),$(error name a revision: make compare REV=COMMIT)) $(ARGS)

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "pubdice needs Python 3.11 or newer; name one with: make PYTHON=python3.12 play" >&2; exit 1; }
	@echo "Setting up, once: a minute at most."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# The annexes (docs/contribute/annexes.md) come along. They need nothing that the core does not need, but for their extras; and those
# for the web need its libraries.
ANNEXES := $(wildcard packages/*/)
PROJECTS := pyproject.toml $(ANNEXES:%=%pyproject.toml)
EDITABLE = $(ANNEXES:%=--editable ./%)

$(VENV)/.play: $(VENV)/.python $(PROJECTS)
	@$(BIN)/pip install --quiet --editable . \
		$(patsubst %pyproject.toml,--editable ./%,$(shell grep -L '^dependencies = .*\[web\]' $(ANNEXES:%=%pyproject.toml)))
	@touch $@

$(VENV)/.web: $(VENV)/.python $(PROJECTS)
	@$(BIN)/pip install --quiet --editable '.[web]' $(EDITABLE)
	@touch $@ $(VENV)/.play

$(VENV)/.docs: $(VENV)/.python $(PROJECTS)
	@$(BIN)/pip install --quiet --editable '.[docs]' $(EDITABLE)
	@touch $@ $(VENV)/.play $(VENV)/.web

# Without compiling: of 1.2 GB most is never imported, and what is, is compiled then. By the newest pip: the one that
# comes with Python 3.11 takes 30 s of processor to choose among all versions of 130 packages, the newest 18.
$(VENV)/.dev: $(VENV)/.python $(PROJECTS)
	@$(BIN)/pip install --quiet --no-compile --upgrade pip
	@$(BIN)/pip install --quiet --no-compile --editable '.[dev]' $(EDITABLE)
	@touch $@ $(VENV)/.play $(VENV)/.web $(VENV)/.docs

# Nothing but what is locked, so that a release follows from its commit.
$(VENV)-release/.made: deploy/requirements.txt release/tools.txt
	@$(PYTHON) -m venv --clear $(VENV)-release
	@$(VENV)-release/bin/pip install --quiet --no-deps --require-hashes --requirement deploy/requirements.txt --requirement release/tools.txt
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-release node_modules dist build .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
