# `make` lists the targets. Everything runs in .venv, which the first target makes.
# DPTR_SEEDS and DPTR_WAREHOUSE point at another collection and its databases.

PYTHON ?= python3
# Superset's packages want this one.
SUPERSET_PYTHON ?= python3.11
BIN := .venv/bin
# sqlfluff reads macros where models and tests use them; it skips the files that only define one.
SQL := models tests/dbt
PYTHON_FOLDERS := scripts benchmarks dashboard tests
PYTHON_PATH := scripts:benchmarks:dashboard/app:dashboard/superset:tests

.DEFAULT_GOAL := help
.PHONY: help uv environment rankings site serve node dashboard superset endurance test lint lint-types lint-sql lint-python unit test-long test-superset test-spark fuzz kill-test chaos audit benchmark pythons answers docs lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

environment: .venv/requirements.lock ## Install the pinned packages into .venv

# What is installed is known by the content of the lock file, which is kept beside it: in a clone, times mean nothing.
.venv/requirements.lock: requirements.lock | uv
	@cmp --silent $< $@ && touch $@ || { $(INSTALL); }

.venv-audit/audit.lock: audit.lock | uv
	@cmp --silent $< $@ && touch $@ || { $(INSTALL); }

.venv-benchmark/benchmark.lock: benchmark.lock | uv
	@cmp --silent $< $@ && touch $@ || { $(INSTALL); }

.venv-spark/spark.lock: spark.lock | uv
	@cmp --silent $< $@ && touch $@ || { $(INSTALL); }

.venv-node/node.lock: node.lock | uv
	@cmp --silent $< $@ && touch $@ || { $(INSTALL); }

.venv-superset/superset.lock: override PYTHON := $(SUPERSET_PYTHON)
.venv-superset/superset.lock: FITS = sys.version_info[:2] == (3, 11)
.venv-superset/superset.lock: WANTED = Python 3.11 is needed for Superset; name one with SUPERSET_PYTHON=...
.venv-superset/superset.lock: superset.lock | uv
	@cmp --silent $< $@ && touch $@ || { $(INSTALL); }

# Which Python makes an environment, and what is said where there is none.
FITS = sys.version_info >= (3, 11)
WANTED = Python 3.11, 3.12 or 3.13 is needed (later ones are not tried); name one with PYTHON=...

# A new environment in the folder of the target, from the lock file that it needs.
define INSTALL
$(PYTHON) -c 'import sys; sys.exit(not ($(FITS)))' || { echo "$(WANTED)"; exit 1; }; \
if [ -L $(@D) ]; then echo "$(@D) is a link: run make where it leads"; exit 1; fi; \
echo "Installing the environment into $(@D) ..." && $(PYTHON) -m venv --clear --without-pip $(@D) && $(FILL)
endef

# More packages in an environment that is there.
ADD = echo "Adding $(WHAT) to $(@D) ..." && $(FILL)

# uv installs in seconds what takes pip a minute or two; where uv is not to be had or fails, pip does it.
define FILL
{ $(call PACKAGES,$(WITH_UV)) || { echo "uv failed; pip is tried ..." && $(PYTHON) -m venv $(@D) && $(call PACKAGES,$(WITH_PIP)); }; } && cp $< $@
endef
PACKAGES = $(1) --require-hashes --requirement $< $(and $(COMMAND),&& $(1) $(COMMAND))
WITH_UV = $(UV) pip install --quiet --python $(@D)/bin/python --compile-bytecode
WITH_PIP = $(@D)/bin/python -m pip install --quiet --disable-pip-version-check

.venv-uv/installer.lock: installer.lock
	@cmp --silent $< $@ && touch $@ || { $(PYTHON) -m venv --clear $(@D) && $(call PACKAGES,$(WITH_PIP)) && cp $< $@; }

# The machine's uv, or one in an environment of its own.
UV = $(or $(shell command -v uv),.venv-uv/bin/uv)
uv:
	@command -v uv > /dev/null || $(MAKE) --no-print-directory .venv-uv/installer.lock || true

# The command dptr, which runs the code of this folder.
.venv/requirements.lock: COMMAND = --no-deps --no-build-isolation --editable .

# What tests and `make lint` need on top. A new environment is without it, and gets it again.
.venv/tools.lock: WHAT = the tools for tests
.venv/tools.lock: tools.lock .venv/requirements.lock
	@cmp --silent $< $@ && touch $@ || { $(ADD); }

# What a dashboard needs on top.
.venv/dashboard.lock: WHAT = the packages of the dashboard
.venv/dashboard.lock: dashboard.lock .venv/tools.lock
	@cmp --silent $< $@ && touch $@ || { $(ADD); }

rankings: environment ## Build, verify and publish the rankings, and print the top ten; or more (TOP=50), or a nation's (NATION=SWE)
	@$(BIN)/dptr refresh $${TOP:+--top "$$TOP"} $${NATION:+--nation "$$NATION"}

site: environment node ## Make the site of the published rankings, site/index.html (DPTR_SITE names another folder)
	@$(BIN)/dptr site

serve: environment ## Serve the site on 127.0.0.1, as its live pages need it (PORT=8080 names another port)
	@$(BIN)/dptr serve $${PORT:+--port "$$PORT"}

# Node bundles the scripts of the live pages, once. Where the machine has none, Python brings it; where neither is to be had, the site has
# no live pages, and says so.
node:
	@command -v npm > /dev/null || $(MAKE) --no-print-directory .venv-node/node.lock || true

dashboard: .venv/dashboard.lock ## Open the dashboard of the published rankings, on this machine only (PORT=8600 names another port)
	@PYTHONPATH=scripts $(BIN)/streamlit run dashboard/app/dashboard.py $${PORT:+--server.port "$$PORT"}

superset: .venv-superset/superset.lock ## Start Superset with the dashboard of the published rankings on 127.0.0.1:8088 (PORT=8090 for another)
	@PYTHONPATH=scripts .venv-superset/bin/python dashboard/superset/start_superset.py $${PORT:+--port "$$PORT"}

test: lint unit ## What must pass before a change is handed in: lint, types, dbt tests, pytest

lint: .venv/dashboard.lock ## Lint the SQL and the Python: style, types, direction of imports, duplicated code
	@$(MAKE) --no-print-directory --jobs=2 lint-types lint-sql lint-python

lint-types:
	@$(BIN)/mypy

lint-sql:
	@$(BIN)/sqlfluff lint --disable-progress-bar $(SQL)

lint-python:
	@$(BIN)/ruff check $(PYTHON_FOLDERS)
	@$(BIN)/ruff format --check $(PYTHON_FOLDERS)
	@PYTHONPATH=scripts $(BIN)/lint-imports --no-logo --no-cache
	@PYTHONPATH=$(PYTHON_PATH) $(BIN)/pylint --recursive=y $(PYTHON_FOLDERS)

unit: .venv/dashboard.lock node ## Run pytest: programs, dbt builds, publication
	@$(BIN)/pytest

test-long: .venv/dashboard.lock ## Run the tests that take longest: mutated rules, killed refreshes, whole lives of collections
	@$(BIN)/pytest -m long

test-superset: .venv/dashboard.lock .venv-superset/superset.lock ## Run the dashboard in the real Superset and Chromium, and publish under it while it is read
	@$(BIN)/pytest -n0 -m superset tests/python/superset

test-spark: .venv/tools.lock .venv-spark/spark.lock ## Build a million results on a cluster of Spark, kill a part of it, and compare every row with DuckDB's
	@$(BIN)/pytest -n0 -s -m spark tests/python/spark

fuzz: .venv/tools.lock ## Import 10,000 documents broken at random, then take 10,000 steps in small collections: every promise is kept
	@DPTR_DOCUMENTS=$${DPTR_DOCUMENTS:-10000} DPTR_STEPS=$${DPTR_STEPS:-10000} $(BIN)/pytest -n2 -m long tests/python/importing/test_fuzzing.py tests/python/importing/test_state_machine.py

kill-test: .venv/tools.lock ## Kill two hundred imports: the seeds are the old ones or the new ones
	@DPTR_KILLS=200 $(BIN)/pytest -n0 -s -m long tests/python/seeds/test_kills.py

chaos: .venv/tools.lock ## Two hundred rounds of refreshes and changes in bad surroundings, under readers: nothing is lost, nobody disturbed
	@PYTHONPATH=scripts:tests $(BIN)/python -m support.chaos --rounds 200 --seed 1

endurance: .venv/dashboard.lock ## Show pages of the dashboard 2,000 times over 20 publications: its memory stays as it is, and no old publication stays open
	@DPTR_PAGES=2000 $(BIN)/pytest -n0 -s -m long tests/python/dashboard/test_dashboard_visits.py

audit: .venv/dashboard.lock .venv-audit/audit.lock ## Check the pinned packages: licences, and vulnerabilities where a database can be reached
	@PYTHONPATH=scripts:tests $(BIN)/python -m support.audit

benchmark: environment .venv-benchmark/benchmark.lock ## Measure the warehouse on up to ten million results, and write docs/benchmarks.md (BENCHMARK="--sizes 10000" for less)
	@$(BIN)/python benchmarks/run_benchmarks.py --write docs/benchmarks.md $(BENCHMARK)

pythons: ## Refresh and run some tests with every Python from 3.11 to 3.13 that is installed
	@tests/try_pythons.sh

answers: .venv/tools.lock ## Compute the answers in README.md and docs/ again from the published rankings
	@PYTHONPATH=scripts:tests $(BIN)/python -m support.page_answers

docs: environment ## Write the documentation of all models as one page, target/static_index.html
	@mkdir -p target
	@DPTR_WAREHOUSE=target $(BIN)/dbt --quiet build --exclude-resource-type test unit_test
	@DPTR_WAREHOUSE=target $(BIN)/dbt --quiet docs generate --static
	@echo "Written: target/static_index.html"

# What stands beside other packages in one environment has their versions.
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras
lock: uv ## Pin the packages of pyproject.toml again
	@$(COMPILE) --group run pyproject.toml --output-file requirements.lock
	@for group in tools dashboard benchmark spark; do $(COMPILE) --group $$group --constraint requirements.lock --output-file $$group.lock || exit; done
	@for group in installer audit superset node; do $(COMPILE) --group $$group --output-file $$group.lock || exit; done

clean: ## Remove build products; seeds and published rankings stay
	@rm -rf target logs warehouse/dbt warehouse/build.duckdb warehouse/failed_build.duckdb .pytest_cache .mypy_cache .ruff_cache .hypothesis
