# Monpro. `make` alone lists what there is. Everything lands in .venv/ and build/, and in the cache of models that
# `monpro doctor` names; nothing needs root.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# A process for each processor, each of which gets its tests one by one.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxschedchunk 1

# What the installed package is made from: a change in any of these installs it again. Folders are among them because a
# file that is gone has no time of its own.
SOURCES := $(shell find python/monpro lib/include lib/src provider sim rtl boards published soc ! -path '*__pycache__*') \
           pyproject.toml CMakeLists.txt designs.toml README.md LICENSE

.DELETE_ON_ERROR:
.PHONY: help setup bench papers test test-long test-rtl test-lib test-python durations soak lint check regs docs records \
        records-placed records-slow prove prove-long clean

help: ## list what there is
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name what; do \
	  printf '  make %-14s %s\n' "$$name" "$$what"; done

setup: $(VENV)/.package ## make .venv with Monpro and all its tools in it

bench: setup ## the main job: RSA through RTL, software and OpenSSL, one table; then the papers' names
	$(BIN)/monpro bench
	@echo
	@$(BIN)/monpro papers

papers: setup ## the tables of every published system, ours beside them, in their short form
	$(BIN)/monpro papers --all

test: setup ## lint and the tests, with one line of totals; ROOM=lib/device: only those of a folder
	$(BIN)/python tools/test.py $(if $(ROOM),--room "$(ROOM)")

test-long: setup ## the tests that make test leaves out: more compilers, more parameters, longer operands
	$(BIN)/python tools/test.py --long

test-rtl: setup ## tests of the RTL; M=NAME: only those with NAME in their name
	$(PYTEST) tests/rtl $(if $(M),-k "$(M)")

test-lib: setup ## tests of the C library; M=NAME as above
	$(PYTEST) tests/lib $(if $(M),-k "$(M)")

test-python: setup ## tests of package, command line and README; M=NAME as above
	$(PYTEST) tests/python $(if $(M),-k "$(M)")

durations: ## record what each test took in the last `make test` and `make test-long`
	$(BIN)/python tests/durations.py

soak: setup ## random work through the RTL for about an hour; ARGS='--seed 1 --scale 0.1'
	$(BIN)/python tests/soak/soak.py $(ARGS)

prove: setup ## the theorems about the RTL, each with its breaks on purpose: two to three minutes
	$(BIN)/python -m formal

prove-long: setup ## the same, and the theorems that take longer
	$(BIN)/python -m formal --long

lint: $(VENV)/.dependencies ## static checks of the whole tree: RTL, Python, C, generated files
	$(BIN)/python tools/lint.py

check: setup ## in a minute: lint, and the quick tests of what differs from main
	$(BIN)/python tools/check.py

regs: $(VENV)/.dependencies ## generate RTL, C, Python and HTML from regs/monpro.rdl
	$(BIN)/python regs/generate.py

docs: $(VENV)/.dependencies ## write the tables of README and docs from records/
	$(BIN)/python tools/figures docs

records: setup ## make the cycle records that are older than the RTL; NAMES='designs main': these
	$(BIN)/python tools/figures cycles $(NAMES)

records-placed: setup ## area and clock of DESIGNS='tiny small' SEEDS=5, recalled where the cache has them
	$(BIN)/python tools/figures placed $(DESIGNS) $(if $(SEEDS),--seeds $(SEEDS))

records-slow: setup ## any record: NAMES=systems/stream or NAMES=measured/main
	$(BIN)/python tools/figures slow $(NAMES)

clean: ## remove .venv and build (the cache of models stays)
	rm -rf $(VENV) build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Monpro needs Python 3.11 or newer; say which with make PYTHON=...' >&2; exit 1; }
	@echo 'setup: making $(VENV)'
	@$(PYTHON) -m venv $(VENV)

# Dependencies apart from the package, so that a changed source costs seconds. They include what builds the package,
# which is therefore built in this environment instead of a fresh one each time.
$(VENV)/.dependencies: pyproject.toml | $(BIN)/python
	@echo 'setup: installing dependencies (a minute or two when nothing is cached)'
	@$(BIN)/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); print("cmake", "ninja", \
	  *p["build-system"]["requires"], *p["project"]["dependencies"], \
	  *p["project"]["optional-dependencies"]["test"], sep="\n")' > $(VENV)/requirements.txt
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet -r $(VENV)/requirements.txt
	@touch $@

$(VENV)/.package: $(VENV)/.dependencies $(SOURCES)
	@echo 'setup: building and installing Monpro'
	@touch $@.start
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip --disable-pip-version-check install --quiet \
	  --no-build-isolation --no-deps --force-reinstall .
	@mv $@.start $@
	@echo 'setup: done; try $(BIN)/monpro --help'
