# pubdice: `make serve` opens the house, `make test` checks everything. Both set up what they need, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

HOST ?= 0.0.0.0
PORT ?= 4224

.PHONY: serve play test nightly lint types imports unit bench clean

serve: $(VENV)/.web
	@$(BIN)/pubdice serve --host $(HOST) --port $(PORT) --how 'make serve HOST=0.0.0.0' $(ARGS)

play: $(VENV)/.play
	@$(BIN)/pubdice $(ARGS)

test: lint types imports unit

nightly: $(VENV)/.dev
	PUBDICE_PROFILE=nightly $(BIN)/pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

unit: $(VENV)/.dev
	$(BIN)/pytest

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.play

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "pubdice needs Python 3.11 or newer; name one with: make PYTHON=python3.12 play" >&2; exit 1; }
	@echo "Setting up, once: a minute at most."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.play: $(VENV)/.python pyproject.toml
	@$(BIN)/pip install --quiet --editable .
	@touch $@

$(VENV)/.web: $(VENV)/.python pyproject.toml
	@$(BIN)/pip install --quiet --editable '.[web]'
	@touch $@ $(VENV)/.play

$(VENV)/.dev: $(VENV)/.python pyproject.toml
	@$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.play $(VENV)/.web

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
