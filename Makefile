# Every target makes the environment it needs; nothing has to be installed by hand first.
PYTHON ?= python3
BIN := .venv/bin
# One thread for each process: the parallelism is in the workers, and BLAS threads only fight them.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export VECLIB_MAXIMUM_THREADS ?= 1
# The tests start thousands of processes: each would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE
# Of tests, three times as many as there are cores: while some wait for processes, others compute.
WORKERS ?= $(shell $(BIN)/python -c 'import os; print(3 * (os.cpu_count() or 2))')
# How often a story that fails is told again: by nobody who looks for faults.
RERUNS ?= 0

.PHONY: run test test-searches test-long test-compare simulate whole-searches fuzz fuzz-codec load format clean
.PHONY: lint lint-style lint-types lint-tests lint-imports

run: .venv/.installed
	$(BIN)/orchestrator run configs/quickstart.yaml

test: .venv/.installed-test
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --reruns $(RERUNS) -rR

# How near whole searches come: to be run after a change to what an algorithm asks for.
test-searches: .venv/.installed-test
	$(BIN)/python -m pytest -m searches -n $(WORKERS)

# Stories of which the suite has shorter ones: kills beside every feature, measurements from end to end.
test-long: .venv/.installed-test
	$(BIN)/python -m pytest -m long -n $(WORKERS)

# The optimisers of other projects, in an environment of their own: torch is large. It has the robots' engines
# as well, whose pushes the comparison holds.
test-compare: .venv-compare/.installed
	.venv-compare/bin/python -m pytest tests/compare

simulate: .venv/.installed-test
	$(BIN)/python -m tests.simulation --seconds $(or $(SECONDS),60)

# Whole searches of features drawn together, with the questions after them.
whole-searches: .venv/.installed-test
	$(BIN)/python -m tests.whole_searches --seconds $(or $(SECONDS),60)

# Hostile messages at a live orchestrator; then, guided by coverage, at what reads them.
fuzz: .venv/.installed-test
	$(BIN)/python tests/security/fuzz.py --messages $(or $(MESSAGES),200000)

fuzz-codec: .venv/.installed-test
	scripts/environment $(PYTHON) '.[test,fuzz]'
	$(BIN)/python tests/security/fuzz_codec.py -max_len=4096 -max_total_time=$(or $(SECONDS),60)

load: .venv/.installed-test
	$(BIN)/python -m benchmarks.load

# One after the other; `make -j2` has a core for the types of the packages and one for those of the tests.
lint: lint-style lint-types lint-tests lint-imports

lint-style: .venv/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-types: .venv/.installed-test
	$(BIN)/mypy

lint-tests: .venv/.installed-test
	$(BIN)/mypy --config-file tests/mypy.ini

lint-imports: .venv/.installed-test
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

.venv-compare/.installed: pyproject.toml scripts/environment
	scripts/environment $(PYTHON) '.[test,compare,robots]' .venv-compare
	touch $@

clean:
	rm -rf .venv .venv-compare build *.egg-info
