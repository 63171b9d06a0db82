# Every target works in a fresh clone: the environment is made on the way, and again when it is stale.
# `bench` and `soak` take wishes: make soak ARGS="--minutes 5"

FIRST_GAME ?= $(if $(wildcard rulesets/ambourella),ambourella,tic_tac_toe)
PYTHON ?= python3

BIN := .venv/bin
READY := .venv/ready

# An environment knows its folder by heart. If the clone has moved, it is made from nothing.
ifneq ($(CURDIR),$(shell cat $(READY) 2>/dev/null))
$(shell rm -f $(READY))
endif

.PHONY: play test bench soak lint clean

play: $(READY)
	$(BIN)/orrery play $(FIRST_GAME) --seat 2=mcts

test: lint
	$(BIN)/python -m pytest -n 2

bench: $(READY)
	$(BIN)/python benchmarks/run.py $(ARGS)

soak: $(READY) .venv/soak
	$(BIN)/python tests/soak.py $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy -p orrery.interpreter

clean:
	rm -rf .venv build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What makes a soak harsher and is not needed: if it cannot be installed, the report says what was left out.
.venv/soak: requirements-soak.txt $(READY)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-soak.txt
	touch $@

# The link gives the type checker the package under its true name, whatever this folder is called.
$(READY): pyproject.toml requirements-dev.txt
	test -f $@ || $(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	mkdir -p .venv/types && ln -sfn ../.. .venv/types/orrery
	echo "$(CURDIR)" > $@
