# Everything a contributor runs, and the whole set-up of a fresh Debian 12 machine.
# Each target installs what it lacks (tools/setup.sh), so there is nothing to do before the first one.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
# The one configuration that `make test` builds; CONTRIBUTING.md says why it is this one.
TEST_PRESET ?= release
# Further arguments for ctest, e.g. CTEST_ARGS="-L unit" or CTEST_ARGS="-R store".
CTEST_ARGS ?=
# For `make run`.
PORT ?= 8080
GRPC_PORT ?= 9090
METRICS_PORT ?= 9091
DEMO_EXIT ?=
# For `make fuzz`: how long each target runs, and which one alone.
FUZZ_SECONDS ?= 600
FUZZ_TARGET ?=
# For `make soak`: how long, and the seed of an earlier run, for its order of faults.
SOAK_SECONDS ?= 300
SOAK_SEED ?=
# For `make simulate`: the first seed (now: the time), how many or for how long, on which store (memory, sqlite, postgres),
# and whether to print all that happens. Without any: 10,000 seeds, and what they have reached.
SEED ?=
SEEDS ?=
SECONDS ?=
STORE ?= memory
TRACE ?=
# Further arguments for bench/run.py, e.g. BENCH_ARGS=--quick or BENCH_ARGS="--store sqlite --save";
# and for bench/run_postgres.py, e.g. BENCH_ARGS="--quick --only floor,queue".
BENCH_ARGS ?=
# What an operator would set on a machine of a few GB; everything that makes commits durable stays on.
POSTGRES_SETTINGS := -c shared_buffers=1GB -c max_wal_size=8GB -c checkpoint_timeout=15min

BUILD := JOBS=$(JOBS) tools/build.sh
BUILD_TESTS := JOBS=$(JOBS) tools/build_tests.sh
RUN_TESTS := JOBS=$(JOBS) tools/run_tests.sh

.PHONY: help setup build run test check asan tsan clang clang-changed tidy headers format format-check coverage \
        bench bench-neighbours bench-postgres fuzz interleavings mutants openapi-clients proto-breaking proto-gen \
        simulate soak upgrade clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install the packages that are missing (sudo only if there are any and you are not root)
	@tools/setup.sh build test check

build: ## Build the optimised program: build/release/millrace
	@tools/setup.sh build
	@$(BUILD) release millrace
	@echo "build/release/millrace is ready."

run: build ## Start a server with a sample workflow and workers (PORT=8080; DEMO_EXIT=1 stops after it)
	@PORT=$(PORT) GRPC_PORT=$(GRPC_PORT) METRICS_PORT=$(METRICS_PORT) DEMO_EXIT=$(DEMO_EXIT) tools/run_demo.sh

test: ## Build one configuration and run every test, on real services
	@tools/stages.py "make test" packages="tools/setup.sh build test" \
	    build="$(BUILD_TESTS) $(TEST_PRESET)" tests='$(RUN_TESTS) $(TEST_PRESET) $(CTEST_ARGS)'

# A stage that has passed is not run again while no file changes: `make check` goes on where it stopped.
CHECKS := format-check clang tidy headers asan tsan upgrade soak
check: ## All that `make test` leaves out: sanitizers, clang, tidy, soak … (goes on where it stopped)
	@tools/setup.sh build test check
	@tools/stages.py --resume build/check "make check" $(foreach each,$(CHECKS),$(each)="$(MAKE) $(each)")

asan: ## Run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/setup.sh build test
	@$(BUILD_TESTS) asan
	@$(RUN_TESTS) asan $(CTEST_ARGS)

tsan: ## Run the tests under ThreadSanitizer
	@tools/setup.sh build test
	@$(BUILD_TESTS) tsan
	@$(RUN_TESTS) tsan $(CTEST_ARGS)

clang: ## Let clang 16 and its thread-safety warnings look at every file
	@tools/setup.sh build test check
	@$(BUILD) clang generated_headers
	@JOBS=$(JOBS) tools/clang_warnings.py build/clang

clang-changed: ## The same for what the latest change touches
	@tools/setup.sh build test check
	@$(BUILD) clang generated_headers
	@JOBS=$(JOBS) tools/clang_warnings.py build/clang --changed

tidy: ## Run clang-tidy on the files that the latest change touches (ALL=1: on every file)
	@tools/setup.sh build test check
	@$(BUILD) clang generated_headers
	@JOBS=$(JOBS) tools/clang_tidy.sh build/clang

headers: ## Compile every header on its own
	@tools/setup.sh build test
	@$(BUILD) debug all_verify_interface_header_sets

format: ## Format the C++ files
	@tools/setup.sh check
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

format-check: ## Fail if a C++ file is not formatted
	@tools/setup.sh check
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run -Werror

coverage: ## Run the tests and print which share of each folder's lines they reach
	@tools/setup.sh build test
	@$(BUILD_TESTS) coverage
	@$(RUN_TESTS) coverage $(CTEST_ARGS)
	@tools/coverage.py build/coverage

bench: ## Measure the optimised program against each database's own floor
	@tools/setup.sh build test
	@$(BUILD) release millrace millrace_floor millrace_load
	@tools/with_postgres.py bench/run.py --build build/release $(BENCH_ARGS)

bench-neighbours: ## Measure what a good tenant suffers beside a hostile one
	@tools/setup.sh build test
	@$(BUILD) release millrace
	@tools/with_postgres.py bench/run_neighbours.py --build build/release $(BENCH_ARGS)

upgrade: ## Upgrade a cluster of the previous version under load (that version is built once)
	@tools/setup.sh build test
	@$(BUILD) $(TEST_PRESET) millrace
	@earlier=$$(JOBS=$(JOBS) tools/earlier_program.sh); tools/with_postgres.py --fast /usr/bin/python3 -B \
	    tests/e2e/upgrade_test.py build/$(TEST_PRESET)/millrace "$$earlier"

interleavings: ## Let every two commands meet at every statement, on two connections to PostgreSQL
	@tools/setup.sh build test
	@$(BUILD) $(TEST_PRESET) interleavings_test
	@MILLRACE_INTERLEAVINGS=all tools/with_postgres.py --fast ctest --test-dir build/$(TEST_PRESET) -j$(JOBS) \
	    -R '^integration/interleavings/' --timeout 7200 --output-on-failure

SIMULATE_ALL := --seed now --seeds 10000 --coverage --keep-going
SIMULATE_SOME = $(if $(SEED),--seed $(SEED)) $(if $(SEEDS),--seeds $(SEEDS)) $(if $(SECONDS),--seconds $(SECONDS))
mutants: ## Break one rule of the engine after the other and see that the simulator notices
	@tools/setup.sh build test
	@tools/mutants.py

simulate: ## Run the engine under seeds in virtual time (SEED=… SEEDS=… SECONDS=… STORE=memory TRACE=1)
	@tools/setup.sh build test
	@$(BUILD) $(TEST_PRESET) millrace_simulate
	@$(if $(filter postgres,$(STORE)),tools/with_postgres.py --fast) \
	    build/$(TEST_PRESET)/tests/simulation/simulator/millrace_simulate --store $(STORE) --shrink \
	    $(if $(TRACE),--trace) $(if $(strip $(SIMULATE_SOME)),$(SIMULATE_SOME),$(SIMULATE_ALL))

soak: ## Strike a cluster with all faults at random (SOAK_SECONDS=300; SOAK_SEED=… repeats their order)
	@tools/setup.sh build test
	@$(BUILD) $(TEST_PRESET) millrace full_disk
	@SOAK_SECONDS=$(SOAK_SECONDS) SOAK_SEED=$(SOAK_SEED) /usr/bin/python3 -B tests/soak/soak.py \
	    build/$(TEST_PRESET)/millrace build/$(TEST_PRESET)/tests/libfull_disk.so

openapi-clients: ## Generate clients of the API in Go and Java too, and let them work against the server
	@tools/setup.sh build test
	@$(BUILD) release millrace
	@/usr/bin/python3 -B tests/e2e/openapi_clients_test.py build/release/millrace

bench-postgres: ## Measure replicas on one PostgreSQL, old and new data, beside a queue from npm
	@tools/setup.sh build test peers
	@$(BUILD) release millrace millrace_floor millrace_load temporal_start
	@tools/with_postgres.py $(POSTGRES_SETTINGS) bench/run_postgres.py --build build/release $(BENCH_ARGS)

proto-gen: ## Make what is generated from proto/: the reference page of millrace.v1
	@tools/setup.sh build test
	@/usr/bin/python3 -B tools/proto_gen.py

proto-breaking: ## Lint proto/ and compare it with that of an earlier commit (buf, from npm)
	@tools/proto_breaking.sh

fuzz: ## Look for inputs that break a parser (FUZZ_SECONDS=600 for each; FUZZ_TARGET=json for one)
	@tools/setup.sh build test fuzz
	@$(BUILD) fuzz fuzzers
	@tools/fuzz.sh $(FUZZ_SECONDS) $(FUZZ_TARGET)

clean: ## Remove build/ (the compiler cache stays)
	@rm -rf build
