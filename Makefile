# The two commands that matter: `make demo` and `make test`. Both set up what they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
# For all tests one more: steps in editors wait most of the time.
TEST_WORKERS ?= 3
# Tests start hundreds of Pythons: one that may not keep bytecode compiles every module anew, which doubles its time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint check frameworks-test large-networks differential models editor-test compiled wheels bench package sbom docs fuzz clean

$(VENV)/.ready: pyproject.toml constraints.txt requirements-dev.txt hatch_build.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -r requirements-dev.txt -e .
	touch $@

# Scans the example project, then shows what an editor shows of it.
demo: $(VENV)/.ready
	$(BIN)/python scripts/demo.py

# Style, types, spelling, workflows, and that there is one version number.
lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -n $(WORKERS)
	$(BIN)/codespell
	$(BIN)/python scripts/check_workflows.py
	$(BIN)/python scripts/release.py check

# Everything: what CI calls. That the mapping data are sound is one of the tests.
test: lint
	$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadgroup --no-loadscope-reorder

# Lint, types and the fast tests, for use while working.
check: lint
	$(BIN)/python -m pytest -n $(WORKERS) -q -m "not slow"

# PyTorch and MindSpore in a Python of their own, and the tests that run both: correspondences, helpers, published
# models, training programs. MINDPORT_TORCH_PYTHON names another Python that has them.
FRAMEWORKS := .frameworks
ifeq ($(MINDPORT_TORCH_PYTHON),)
MINDPORT_TORCH_PYTHON := $(CURDIR)/$(FRAMEWORKS)/bin/python
FRAMEWORKS_READY := $(FRAMEWORKS)/.ready
endif

# torchaudio's compiled part needs CUDA; without it, its Python part does the same.
$(FRAMEWORKS)/.ready: requirements-frameworks.txt
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-frameworks.txt
	find $(FRAMEWORKS)/lib -path '*/torchaudio/lib/*.so' -delete
	touch $@

# In the order in which they are collected, as all tests, since the longest come first: pytest-xdist's own order is
# by how many tests a group has.
frameworks-test: $(VENV)/.ready $(FRAMEWORKS_READY)
	MINDPORT_TORCH_PYTHON=$(MINDPORT_TORCH_PYTHON) $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup \
		--no-loadscope-reorder -m "not large" tests/differential tests/verify

# Networks of torchvision in full size, as helpers: some 25 minutes, and 7 GB of memory.
large-networks: $(VENV)/.ready $(FRAMEWORKS_READY)
	MINDPORT_TORCH_PYTHON=$(MINDPORT_TORCH_PYTHON) $(BIN)/python -m pytest -m large tests/differential

# Runs every correspondence in torch and MindSpore, in the Python that MINDPORT_TORCH_PYTHON names, and writes
# mapping_data/evidence anew.
differential: $(VENV)/.ready
	$(BIN)/python -m mindport verify all --write --jobs $(WORKERS)
	$(BIN)/python scripts/verification_page.py
	$(BIN)/python scripts/reference_pages.py
	$(BIN)/python -m mindport mapping check
	$(BIN)/python -m pytest tests/differential tests/verify

# Converts published models of torchvision, vit-pytorch, timm and transformers, runs them in both frameworks, and
# writes docs/models.md: some 40 minutes.
models: $(VENV)/.ready $(FRAMEWORKS_READY)
	$(MINDPORT_TORCH_PYTHON) -m pip install --quiet -r requirements-models.txt
	MINDPORT_TORCH_PYTHON=$(MINDPORT_TORCH_PYTHON) $(BIN)/python scripts/model_pages.py

# Real editors: those that are not on this machine are skipped, and the reasons are told. VS Code is installed
# where that is possible, and has to be where CI=true.
editor-test: $(VENV)/.ready
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -rs tests/editor

# The wheel with its hot modules compiled, as released for a platform; needs a C compiler.
COMPILED := .cache/compiled
compiled: $(VENV)/.ready
	rm -rf $(COMPILED) $(COMPILED)-wheel
	MINDPORT_COMPILE=1 $(BIN)/python -m build --wheel --no-isolation --outdir $(COMPILED)-wheel
	$(BIN)/python -m pip install --quiet --no-deps --target $(COMPILED) $(COMPILED)-wheel/*.whl

# The same for each of these Pythons, as releases have it (manylinux), into .cache/wheels, installed and tried:
# `make wheels PYTHONS="python3.11 python3.12"`. Tests take the wheels from there.
PYTHONS ?= $(PYTHON)
wheels: $(VENV)/.ready
	$(BIN)/python scripts/compiled_wheels.py $(PYTHONS)

# Timings against other programs in the same run, written into docs/benchmarks.md and the READMEs; needs a quiet
# machine. `make bench BUILDS=sources=server` measures the sources alone.
BUILDS ?= compiled=$(COMPILED) sources=server
bench: $(VENV)/.ready
	$(if $(findstring $(COMPILED),$(BUILDS)),$(MAKE) compiled)
	$(BIN)/python scripts/benchmark_pages.py --measure $(BUILDS)

# The wheel and the VS Code extension, into dist/: a package for each platform and a universal one.
package: $(VENV)/.ready
	$(BIN)/python -m build --wheel --sdist --outdir dist
	cd vscode-client && npm ci --no-audit --no-fund
	$(BIN)/python scripts/vscode_packages.py --out dist

# The site of the documentation, in English and Chinese, into dist/site: a link to nothing, or a word that is
# spelt wrongly, fails.
DOCS := .cache/docs
docs: $(VENV)/.ready
	$(BIN)/codespell
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-docs.txt -c constraints.txt
	$(BIN)/python scripts/site_pages.py
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build
	MINDPORT_SITE=$(CURDIR)/dist/site $(BIN)/python -m pytest -q tests/test_site.py

# What is in an environment in which the wheel is installed with the versions of constraints.txt, as CycloneDX.
WHEEL ?= $(wildcard dist/mindport-*-none-any.whl)
SBOM := .cache/sbom
sbom:
	rm -rf $(SBOM)
	$(PYTHON) -m venv $(SBOM)/tools
	$(SBOM)/tools/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-release.txt
	$(PYTHON) -m venv --without-pip $(SBOM)/installed
	$(SBOM)/tools/bin/python -m pip --python $(SBOM)/installed/bin/python install --quiet -c constraints.txt $(WHEEL)
	mkdir -p dist
	$(SBOM)/tools/bin/cyclonedx-py environment --output-reproducible --mc-type application \
		--pyproject pyproject.toml --of JSON -o dist/mindport.cdx.json $(SBOM)/installed/bin/python

clean:
	rm -rf $(VENV) $(FRAMEWORKS) dist build .cache .mypy_cache .pytest_cache .ruff_cache

# Random edits, messages, settings, folders and conversions for a while: `make fuzz MINUTES=60`. With the
# compiled package, if it was built, which makes more of them.
MINUTES ?= 1
fuzz: $(VENV)/.ready
	PYTHONPATH=$(wildcard $(CURDIR)/$(COMPILED)) $(BIN)/python tests/fuzz/run.py --minutes $(MINUTES) --jobs $(WORKERS)
