# Coverage is measured without the volume tests, which take twice as long under it and need not reach a line:
# tests/reliability, tests/verify (rulebook tools are not measured), compiled games, and the many games of the largest
# ruleset.
# Each goal stands alone: on a fresh machine it first makes .venv with everything pinned in constraints.txt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
COMPILED := abreast abreast_made flat_verify kinds_at_once lanes layouts linked_sets llvm llvm_advice llvm_time looked_for narrow numbers \
  object_cache planted_faults promises playouts_of_rulesets rolling_rulesets shown_answers steady
VOLUME := tests/reliability tests/verify tests/benchmarks $(COMPILED:%=tests/native/test_%.py) \
  tests/games/test_taiwan_monsters_brawl.py tests/games/test_taiwan_monsters_brawl_secrets.py

.PHONY: demo test soak format clean

demo: $(STAMP)
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash scripts/demo.sh

test: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist loadfile $(VOLUME:%=--ignore=%) --cov --cov-report=term-missing:skip-covered
	$(BIN)/python -m pytest -n 2 --dist loadfile $(VOLUME)

# MINUTES of R1 to R11 (their ledger is docs/soak-ledger.md), then whatever else is too long for CI.
MINUTES ?= 180

soak: $(STAMP)
	$(BIN)/python scripts/soak.py --minutes $(MINUTES) --jobs 2
	$(BIN)/python -m pytest -n 2 --dist loadfile -m soak
	$(BIN)/python scripts/mutants.py --count 500 --seed 1

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist .coverage .coverage.* htmlcov
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt scripts/install.sh
	@PYTHON="$(PYTHON)" bash scripts/install.sh $(VENV)
	@touch $(STAMP)
