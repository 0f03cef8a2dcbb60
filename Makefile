# `make` lists the targets. Everything runs in .venv, which the first target creates.
# DPTR_SEEDS names another collection. Its databases are in `warehouse` beside it, its site is in `site`.

PYTHON ?= python3
# Superset's packages require this version.
SUPERSET_PYTHON ?= python3.11
BIN := .venv/bin
# sqlfluff checks macros where models and tests use them; it skips files that only define macros.
SQL := models tests/dbt
PYTHON_FOLDERS := scripts benchmarks dashboard tests
PYTHON_PATH := scripts:benchmarks:dashboard/superset:tests

.DEFAULT_GOAL := help
.PHONY: help uv environment collector rankings site serve node dashboard wheel superset test lint lint-types lint-sql lint-python lint-javascript unit test-long test-browser test-superset test-spark fuzz chaos audit benchmark pythons answers docs lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# A copied or moved environment still runs the code of the folder that it was made in: forget it, so that it is made again.
$(foreach made,$(wildcard .venv*/*.lock),$(shell [ -L $(patsubst %/,%,$(dir $(made))) ] || [ "$$(cat $(dir $(made))made_in 2> /dev/null)" = "$$(pwd -P)" ] || rm -f $(made)))

environment: .venv/run.lock ## Install the pinned packages into .venv

# Each environment keeps a copy of its lock file, to compare contents: modification times mean nothing in a clone.
ENVIRONMENTS = .venv/run.lock $(foreach name,audit benchmark spark node superset,.venv-$(name)/$(name).lock)
.SECONDEXPANSION:
$(ENVIRONMENTS): requirements/$$(@F) | uv
	@cmp --silent $< $@ && touch $@ || { $(INSTALL); }

.venv-superset/superset.lock: override PYTHON := $(SUPERSET_PYTHON)
.venv-superset/superset.lock: FITS = sys.version_info[:2] == (3, 11)
.venv-superset/superset.lock: WANTED = Python 3.11 is needed for Superset; name one with SUPERSET_PYTHON=...

# The required Python, and the message if it is missing.
FITS = sys.version_info >= (3, 11)
WANTED = Python 3.11, 3.12 or 3.13 is needed (later ones are not tried); name one with PYTHON=...

# Create an environment in the target's folder from its lock file.
define INSTALL
$(PYTHON) -c 'import sys; sys.exit(not ($(FITS)))' || { echo "$(WANTED)"; exit 1; }; \
if [ -L $(@D) ]; then echo "$(@D) is a link: run make where it leads"; exit 1; fi; \
echo "Installing the environment into $(@D) ..." && $(PYTHON) -m venv --clear --without-pip $(@D) && $(FILL)
endef

# Add packages to an existing environment.
ADD = echo "Adding $(WHAT) to $(@D) ..." && $(FILL)

# uv takes seconds, pip a minute or two; pip is the fallback if uv is missing or fails.
define FILL
{ $(call PACKAGES,$(WITH_UV)) || { echo "uv failed; trying pip ..." && $(PYTHON) -m venv $(@D) && $(call PACKAGES,$(WITH_PIP)); }; } && pwd -P > $(@D)/made_in && cp $< $@
endef
PACKAGES = $(1) --require-hashes --requirement $< $(and $(COMMAND),&& $(1) $(COMMAND))
WITH_UV = $(UV) pip install --quiet --python $(@D)/bin/python --compile-bytecode
WITH_PIP = $(@D)/bin/python -m pip install --quiet --disable-pip-version-check

.venv-uv/installer.lock: requirements/installer.lock
	@cmp --silent $< $@ && touch $@ || { $(PYTHON) -m venv --clear $(@D) && $(call PACKAGES,$(WITH_PIP)) && pwd -P > $(@D)/made_in && cp $< $@; }

# The machine's uv, or one in its own environment.
UV = $(or $(shell command -v uv),.venv-uv/bin/uv)
uv:
	@command -v uv > /dev/null || $(MAKE) --no-print-directory --silent .venv-uv/installer.lock || true

# The command dptr, which runs the code in this folder.
.venv/run.lock: COMMAND = --no-deps --no-build-isolation --editable .

# Additional packages: the crawler, and those for tests and `make lint`. A recreated environment lacks them, so they are installed again.
.venv/collector.lock: WHAT = the crawler
.venv/tools.lock: WHAT = the tools for tests
.venv/collector.lock .venv/tools.lock: requirements/$$(@F) .venv/run.lock
	@cmp --silent $< $@ && touch $@ || { $(ADD); }

# Tests run the crawler, too.
.venv/tools.lock: .venv/collector.lock

collector: .venv/collector.lock ## Add the crawler of `dptr collect` to .venv

rankings: environment ## Build, verify and publish the rankings, and print the top ten (TOP=50 for more)
	@exec $(BIN)/dptr refresh $${TOP:+--top "$$TOP"}

site: environment node ## Make the site of the published rankings, site/index.html (DPTR_SITE for another folder)
	@$(BIN)/dptr site

serve: environment ## Serve the site with its live pages on 127.0.0.1 (PORT=8080 for another port)
	@exec $(BIN)/dptr serve $${PORT:+--port "$$PORT"}

# Node bundles the scripts of the live pages, once. Without Node on the machine, a Python package provides it; without either, the site
# has no live pages, and says so.
node:
	@command -v npm > /dev/null || $(MAKE) --no-print-directory --silent .venv-node/node.lock || true

dashboard: site ## Make the site, serve it on 127.0.0.1, and open its live pages in a browser (PORT=8080 for another port)
	@exec $(BIN)/dptr serve --open $${PORT:+--port "$$PORT"}

wheel: environment node ## Build the package for `pip install`, with everything that it needs, into dist/
	@$(BIN)/python -m hatchling build -t wheel

superset: .venv-superset/superset.lock ## Start Superset with the dashboard of the published rankings on 127.0.0.1:8088 (PORT=8090 for another port)
	@PYTHONPATH=scripts .venv-superset/bin/python dashboard/superset/start_superset.py $${PORT:+--port "$$PORT"}

test: lint unit ## Run everything that a change must pass: lint, types, dbt tests, pytest

lint: .venv/tools.lock node ## Lint the SQL, the Python and the JavaScript: style, types, direction of imports, duplicated code
	@$(MAKE) --no-print-directory --jobs=2 lint-types lint-sql lint-python lint-javascript

lint-types:
	@$(BIN)/mypy

# Without garbage collection, which takes a quarter of the time and frees little.
lint-sql:
	@$(BIN)/python -c "import gc; gc.disable(); from sqlfluff.cli.commands import cli; cli()" lint --disable-progress-bar $(SQL)

lint-python:
	@$(BIN)/ruff check $(PYTHON_FOLDERS)
	@$(BIN)/ruff format --check $(PYTHON_FOLDERS)
	@PYTHONPATH=scripts $(BIN)/lint-imports --no-logo --no-cache
	@PYTHONPATH=$(PYTHON_PATH) $(BIN)/pylint --recursive=y $(PYTHON_FOLDERS)

# With the machine's Node, else the one in .venv-node.
LIVE := dashboard/live
lint-javascript: export PATH := $(PATH):$(CURDIR)/.venv-node/bin
lint-javascript:
	@cmp --silent $(LIVE)/package-lock.json $(LIVE)/node_modules/package-lock.json || { npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --prefix $(LIVE) > /dev/null && cp $(LIVE)/package-lock.json $(LIVE)/node_modules; }
	@cd $(LIVE) && node node_modules/@biomejs/biome/bin/biome check --error-on-warnings . ../../scripts/dippouch/site/static

unit: .venv/tools.lock node ## Run pytest: programs, dbt builds, publication
	@$(BIN)/pytest

test-long: .venv/tools.lock ## Run the longest tests: mutated rules, killed refreshes, whole lives of collections
	@$(BIN)/pytest -m long

test-browser: .venv/tools.lock node ## Run the pages of the site and the live pages in Chromium
	@$(BIN)/pytest -m browser

test-superset: .venv/tools.lock .venv-superset/superset.lock ## Run the dashboard in the real Superset and Chromium, and publish while it is open
	@$(BIN)/pytest -n0 -m superset tests/python/superset

test-spark: .venv/tools.lock .venv-spark/spark.lock ## Build a million results on a Spark cluster, kill an executor, and compare every row with DuckDB's
	@$(BIN)/pytest -n0 -s -m spark tests/python/spark

fuzz: .venv/tools.lock ## Import 10,000 randomly broken documents, then take 10,000 random steps in small collections
	@DPTR_DOCUMENTS=$${DPTR_DOCUMENTS:-10000} DPTR_STEPS=$${DPTR_STEPS:-10000} $(BIN)/pytest -n2 -m long tests/python/importing/test_fuzzing.py tests/python/importing/test_state_machine.py

chaos: .venv/tools.lock ## Run 200 rounds of refreshes and changes under faults and readers; check that nothing is lost
	@PYTHONPATH=scripts:tests $(BIN)/python -m support.chaos --rounds 200 --seed 1

# Licences that the MIT licence of this project may use. The four ignored packages were read: pylint (GPL) and axe-playwright-python (MIT
# in its text, axe-core MPL) are only started, by lint and tests; text-unidecode offers the Artistic License, and odfpy is LGPL.
ALLOWED = MIT;Apache;BSD;ISC;MPL;Mozilla Public License;PSF;Python Software Foundation;LGPL;Lesser General Public License;Unlicense;CC0;zlib;ZPL
READ = pylint text-unidecode axe-playwright-python odfpy
audit: .venv/tools.lock .venv-audit/audit.lock ## Check the pinned packages: licences of those installed, vulnerabilities as far as the index knows them
	@for made in $(dir $(wildcard .venv*/*.lock)); do echo "Licences in $$made" && .venv-audit/bin/pip-licenses --python=$${made}bin/python --from=mixed --partial-match --allow-only="$(ALLOWED)" --ignore-packages $(READ) --summary || exit; done
	@for lock in requirements/*.lock; do echo "Vulnerabilities in $$lock" && .venv-audit/bin/pip-audit --requirement $$lock --require-hashes --disable-pip || exit; done

benchmark: environment .venv-benchmark/benchmark.lock ## Measure the warehouse on up to a million results, and write docs/benchmarks.md (BENCHMARK="--size 10000" for less)
	@$(BIN)/python benchmarks/run_benchmarks.py --write docs/benchmarks.md $(BENCHMARK)

pythons: ## Refresh and run some tests with every installed Python from 3.11 to 3.13
	@tests/try_pythons.sh

answers: .venv/tools.lock ## Recompute the answers in README.md and docs/ from the published rankings
	@PYTHONPATH=scripts:tests $(BIN)/python -m support.page_answers

docs: environment ## Write the documentation of all models as one page, target/static_index.html
	@mkdir -p target
	@DPTR_WAREHOUSE=target $(BIN)/dbt --quiet build --exclude-resource-type test unit_test
	@DPTR_WAREHOUSE=target $(BIN)/dbt --quiet docs generate --static
	@echo "Written: target/static_index.html"

# Lock files of one environment share versions (--constraint).
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras
lock: uv ## Pin the packages of pyproject.toml again
	@$(COMPILE) --group run pyproject.toml --output-file requirements/run.lock
	@for group in tools benchmark spark; do $(COMPILE) --group $$group --constraint requirements/run.lock --output-file requirements/$$group.lock || exit; done
	@$(COMPILE) --group collector --constraint requirements/run.lock --constraint requirements/tools.lock --output-file requirements/collector.lock
	@for group in installer audit superset node; do $(COMPILE) --group $$group --output-file requirements/$$group.lock || exit; done

clean: ## Remove build products, except the published rankings
	@rm -rf target logs warehouse/dbt warehouse/build.duckdb warehouse/failed_build.duckdb .pytest_cache .mypy_cache .ruff_cache .hypothesis
