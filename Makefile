# Every target makes the environment it needs; nothing has to be installed by hand first.
PYTHON ?= python3
BIN := .venv/bin
# One thread for each process: the parallelism is in the workers, and BLAS threads only fight them.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: run test lint format clean

run: .venv/.installed
	$(BIN)/orchestrator run configs/quickstart.yaml

test: .venv/.installed-test
	$(BIN)/python -m pytest

lint: .venv/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv/.installed: pyproject.toml scripts/environment
	scripts/environment $(PYTHON) .
	touch $@

.venv/.installed-test: .venv/.installed
	scripts/environment $(PYTHON) '.[test]'
	touch $@

clean:
	rm -rf .venv build *.egg-info
