# tests.mk: the tests, by what they run: test programs in C, every algorithm on small graphs, pytest.

.PHONY: test check unit test-programs test-webgpu test-cli test-algorithm test-stress test-gpu

# ---- test programs: tests/unit for the host, tests/kernels for kernels ----

# Only the emulator finds faults and races; the other kernel tests also run on GPUs.
OF_EMULATOR  = test_faults test_races
ON_DEVICES   = $(filter-out $(OF_EMULATOR),$(patsubst tests/kernels/%.cu,%,$(wildcard tests/kernels/*.cu)))
KERNEL_TESTS = $(if $(BOOST),$(ON_DEVICES:%=$(BUILD)/tests/kernels/%_emulated))
FAULT_TESTS  = $(if $(BOOST),$(OF_EMULATOR:%=$(BUILD)/tests/kernels/%_emulated))
GPU_TESTS    = $(if $(NVCC),$(ON_DEVICES:%=$(BUILD)/tests/kernels/%_cuda))

# With SMALL_BLOCKS (attacks.mk), so that tiny files and graphs have many blocks.
SMALL_TESTS  = test_readers_small test_bad_files_small test_builder_small test_weights_small
UNIT_SOURCES = $(filter-out $(if $(WEBGPU),,%/test_webgpu.c),$(wildcard tests/unit/test_*.c))
UNIT_TESTS   = $(if $(CMOCKA),$(UNIT_SOURCES:%.c=$(BUILD)/%) $(SMALL_TESTS:%=$(BUILD)/tests/unit/%))

TEST_PROGRAMS = $(UNIT_TESTS) $(KERNEL_TESTS) $(FAULT_TESTS)

$(BUILD)/tests/unit/%: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LDFLAGS) $(LDLIBS)

IN_BLOCKS = $(addprefix src/graph/,byte_input.c text_input.c builder.c)
$(BUILD)/tests/unit/%_small: tests/unit/%.c $(IN_BLOCKS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SMALL_BLOCKS) -o $@ $(filter %.c,$^) $(LIBRARY) -lcmocka $(LDFLAGS) $(LDLIBS)

$(BUILD)/tests/kernels/%_emulated: $(BUILD)/tests/kernels/%.emulated.o $(LIBRARY)
	$(CXX) -o $@ $^ $(LDFLAGS) $(LDLIBS)

$(BUILD)/tests/kernels/%_cuda: $(BUILD)/tests/kernels/%.cu.o $(LIBRARY)
	$(CXX) -o $@ $^ $(LDFLAGS) $(LDLIBS)

# Each test program is a target, PROGRAM.run, so that make runs as many at once as there are processors.
LAST_SEED = 3 # kernel tests run under the schedules 0 to LAST_SEED
%.run: % FORCE
	@OMP_WAIT_POLICY=passive $< >$@.log 2>&1 || { cat $@.log; exit 1; }
	@echo "passed: $<"
$(KERNEL_TESTS:=.run): %.run: % FORCE
	@for seed in $$(seq 0 $(LAST_SEED)); do $< $$seed >$@.log 2>&1 || { cat $@.log; exit 1; }; done
	@echo "passed: $< under the schedules 0 to $(LAST_SEED)"

# ---- conformance: every algorithm on small graphs ----

# SEEDS: schedules on the emulator, others on each graph. TURNS: one option value in so many is tried.
SEEDS         ?= 1
TURNS         ?= 8
CONFORMANCE    = $(BUILD)/tests/conformance/conformance
OF_CONFORMANCE = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/conformance/*.c))
$(CONFORMANCE): $(OF_CONFORMANCE) $(LIBRARY)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

test-programs: all $(TEST_PROGRAMS) $(CONFORMANCE)

unit: $(TEST_PROGRAMS:=.run) $(CONFORMANCE) ## test programs, and every algorithm on every small graph
	OMP_WAIT_POLICY=passive GTRAV_EMULATOR_SMS=2 $(CONFORMANCE) --seeds $(SEEDS) --turns $(TURNS)
	$(if $(WEBGPU),$(MAKE) test-webgpu)

# Exit status 3: there is no adapter. The first command says so.
test-webgpu: $(CONFORMANCE) ## the WebGPU algorithms on every small graph, with whole and with split arrays: 30 seconds
	@$(CONFORMANCE) --device webgpu --turns $(TURNS) || test $$? = 3
	@GTRAV_WEBGPU_BINDING_BYTES=16384 $(CONFORMANCE) --device webgpu --turns 16 || test $$? = 3

FAMILY  = $(firstword $(subst :, ,$(ALGO)))
VARIANT = $(word 2,$(subst :, ,$(ALGO)))
test-algorithm: all $(CONFORMANCE) ## ALGO=bfs:mine, or all of ALGO=bfs, on every small graph; seconds for one
	@test -n '$(ALGO)' || { echo 'make test-algorithm: name one, such as ALGO=bfs:gap' >&2; exit 2; }
	OMP_WAIT_POLICY=passive $(CONFORMANCE) --family $(FAMILY) $(addprefix --variant ,$(VARIANT)) --seeds 3 --turns 2

MANY_SEEDS  = $(if $(filter command line environment,$(origin SEEDS)),$(SEEDS),1000)
test-stress: LAST_SEED = 50
test-stress: all $(CONFORMANCE) $(KERNEL_TESTS:=.run) ## every option and kernel test, emulated, SEEDS=1000 schedules
	$(CONFORMANCE) --device emulator --seeds $(MANY_SEEDS)

# ---- pytest ----

XDIST  = $(shell $(PYTHON) -c 'import xdist' 2>/dev/null && echo "-n $$((2 * $$(nproc))) --dist worksteal")
PYTEST = $(PYTHON) -m pytest $(XDIST)

# test and check call make again for these: a make that began before the set-up has asked .venv for xdist in vain.
test-cli: all ## the tests of the command line and the scripts
	$(PYTEST) --durations=15 $(if $(MARKED),-m '$(MARKED)') tests/cli tests/cluster

# ---- all of them ----

test: ## set up what is missing, build, run every test that needs no GPU: 17 minutes on two cores
	scripts/setup.sh test
	$(MAKE) style
	$(MAKE) test-programs
	$(MAKE) unit
	$(MAKE) test-cli
	$(MAKE) test-python
	$(MAKE) test-findings
	$(MAKE) test-faults EVERY=20

check: ## for every day, 2 minutes on two cores: test programs, each algorithm briefly, quick tests of the command line
	scripts/setup.sh test
	$(MAKE) test-programs
	$(MAKE) unit SEEDS=1 TURNS=24 LAST_SEED=1
	$(MAKE) test-cli MARKED='not slow'
	$(MAKE) test-python MARKED='not slow'

test-gpu: unit $(GPU_TESTS) ## the same suite with the GPU algorithms on the GPU of this machine
	@for test in $(GPU_TESTS); do echo "== $$test"; $$test || exit 1; done
	$(CONFORMANCE) --device gpu
	$(ANY_PYTHON) tests/kernels/sanitize.py $(BUILD)
	GTRAV_TEST_DEVICE=gpu $(if $(wildcard $(PYTHON)),$(PYTEST),python3 -m pytest) tests/cli

-include $(UNIT_TESTS:=.d) $(OF_CONFORMANCE:.o=.d) $(KERNEL_TESTS:_emulated=.emulated.d) \
         $(FAULT_TESTS:_emulated=.emulated.d) $(GPU_TESTS:_cuda=.cu.d)
