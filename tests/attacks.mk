# attacks.mk: what attacks the program: sanitizers, failing system calls, fuzzing, planted mistakes.

.PHONY: test-sanitize sanitized test-threads test-faults test-mutants

# ---- sanitizers: host code and CPU algorithms, a build for each tool ----

ASAN = -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
TSAN = -fsanitize=thread
# ThreadSanitizer sees the synchronisation of OpenMP through LLVM's libomp and its tool archer, which libomp loads by
# itself. libomp is not instrumented: what it does in its own memory must be left out (archer's manual asks for this
# setting), or every barrier in it looks like a race. Our own code is instrumented throughout, zlib is not.
# An allocation that is too large is refused, as it is without sanitizers: tests ask for one. A hot team, which libomp
# keeps for the next region, leaks when it grows, so no team is kept.
SANITIZER_OPTIONS = ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1 \
                    TSAN_OPTIONS=ignore_noninstrumented_modules=1:allocator_may_return_null=1 \
                    UBSAN_OPTIONS=print_stacktrace=1 \
                    OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive KMP_HOT_TEAMS_MAX_LEVEL=0
# Without MPI, whose libraries are not instrumented, and without the emulator, which answers ThreadSanitizer's calls
# itself. The emulator is tested under AddressSanitizer, with every allocation of device memory failing in turn.
SANITIZED_BUILD   = $(MAKE) CC=clang NVCC= BOOST= MPI= OPTIMIZE=-O1

test-sanitize: ## unit and command line tests under address, leak, undefined-behaviour and thread sanitizers (clang)
	scripts/setup.sh clang
	$(SANITIZED_BUILD) BUILD=$(BUILD)/asan SANITIZE='$(ASAN)' FINDS='overrun leak overflow cast' sanitized
	$(SANITIZED_BUILD) BUILD=$(BUILD)/tsan SANITIZE='$(TSAN)' FINDS=race UNSUITED='$(UNDER_TSAN)' sanitized
	$(MAKE) NVCC= MPI= OPTIMIZE=-O1 BUILD=$(BUILD)/emulated all \
	    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
	GTRAV=$(abspath $(BUILD))/emulated/gtrav $(PYTHON) -m pytest -p no:cacheprovider tests/cli/test_emulator.py
	$(SANITIZED_BUILD) BUILD=$(BUILD)/tsan SANITIZE='$(TSAN)' $(BUILD)/tsan/gtrav-faults $(BUILD)/tsan/library-faults
	$(SANITIZER_OPTIONS) GTRAV_FAULTS_EVERY=5 GTRAV_FAULTS=$(abspath $(BUILD))/tsan/gtrav-faults \
	    $(PYTHON) -m pytest -p no:cacheprovider tests/faults/test_injection.py # races on the way out of a failure

test-threads: ## 8 threads search one graph through the library and are cancelled, under ThreadSanitizer; SECONDS=60
	scripts/setup.sh clang
	$(SANITIZED_BUILD) BUILD=$(BUILD)/tsan SANITIZE='$(TSAN)' $(BUILD)/tsan/tests/unit/test_library_searches
	$(SANITIZER_OPTIONS) GTRAV_TEST_SECONDS=$(or $(SECONDS),60) $(BUILD)/tsan/tests/unit/test_library_searches

# ThreadSanitizer copies itself to a temporary file when it starts, and dies where no file may grow.
UNDER_TSAN = not disk_full and not failed_write

OF_SCRIPTS = library scripts setup datasets downloads peers pipeline claims verdicts compare report

# The tools first: each planted defect is found, and none where there is none. Then the tests.
sanitized: export GTRAV = $(abspath $(BUILD))/gtrav
sanitized: all $(BUILD)/tests/sanitize/defects
	@for defect in $(FINDS); do \
	    ! $(SANITIZER_OPTIONS) $(BUILD)/tests/sanitize/defects $$defect >/dev/null 2>&1 || \
	        { echo "the sanitizer does not find the planted $$defect" >&2; exit 1; }; done
	$(SANITIZER_OPTIONS) $(BUILD)/tests/sanitize/defects openmp
	$(SANITIZER_OPTIONS) $(MAKE) unit
	$(SANITIZER_OPTIONS) $(PYTHON) -m pytest -p no:cacheprovider tests/cli \
	    $(OF_SCRIPTS:%=--ignore=tests/cli/test_%.py) \
	    $(if $(UNSUITED),-k '$(UNSUITED)')

$(BUILD)/tests/sanitize/defects: tests/sanitize/defects.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(LDFLAGS) $(LDLIBS)

# ---- failing system calls: gtrav with tests/faults/inject.c in place of malloc, open and their like ----

# In these builds, in fuzzers and in SMALL_TESTS, readers take files in tiny chunks, and the builder takes edges in tiny
# blocks.
SMALL_BLOCKS = -DCHUNK_BYTES=61u -DGZIP_BYTES=64u -DBLOCK_BYTES=64u -DSLAB_BYTES=1024u -DPIECE_EDGES=8u

# Without WebGPU, since Vulkan drivers leak.
FAULTS_BUILD = $(MAKE) NVCC= BOOST= MPI= WEBGPU= OPTIMIZE=-Og BUILD=$(BUILD)/faults GTRAV_VERSION=test \
               SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer $(SMALL_BLOCKS)'

test-faults: all ## every allocation and file operation fails in turn, full disks, kills; EVERY=10: only some of them
	$(FAULTS_BUILD) $(BUILD)/faults/gtrav-faults $(BUILD)/faults/library-faults
	GTRAV_FAULTS_EVERY=$(or $(EVERY),1) GTRAV_FAULTS=$(abspath $(BUILD))/faults/gtrav-faults \
	    $(PYTEST) -p no:cacheprovider tests/faults

$(BUILD)/gtrav-faults: $(MAIN) $(BUILD)/tests/faults/inject.o $(LIBRARY)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) -ldl
$(BUILD)/library-faults: $(BUILD)/tests/faults/library.o $(BUILD)/tests/faults/inject.o $(STATIC)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS) -ldl
# It runs before the sanitizers are ready, and under their own calls.
$(BUILD)/tests/faults/inject.o: override SANITIZE =
-include $(BUILD)/tests/faults/inject.d $(BUILD)/tests/faults/library.d

# ---- fuzzing: a target for each thing that reads what others wrote ----

FUZZ_BUILD = $(MAKE) CC=clang NVCC= BOOST= MPI= OPTIMIZE=-O1 BUILD=$(BUILD)/fuzz GTRAV_VERSION=test \
             SANITIZE='$(ASAN) -fsanitize=fuzzer-no-link $(SMALL_BLOCKS)'
FUZZ_PARTS = $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/replay.c,$(wildcard tests/fuzz/*.c))) $(LIBRARY)

fuzz: ## SECONDS=60: libFuzzer on every reader and parser, one after the other; TARGETS="mtx spec": on these
	scripts/setup.sh clang
	$(FUZZ_BUILD) $(BUILD)/fuzz/fuzzer
	$(PYTHON) tests/fuzz/run.py --program $(BUILD)/fuzz/fuzzer --seconds $(or $(SECONDS),60) $(TARGETS)

# By the normal compiler and without libFuzzer.
test-findings: ## what the fuzzers have found in the past, and their first inputs
	$(FAULTS_BUILD) replayed

.PHONY: fuzz test-findings replayed
replayed: $(BUILD)/replay
	@$(BUILD)/replay $$(find tests/fuzz/corpus tests/fuzz/regressions -type f) 2>$(BUILD)/replay.log || \
	    { cat $(BUILD)/replay.log >&2; exit 1; }
	@echo "$$(wc -l <$(BUILD)/replay.log) inputs of the fuzzers replayed"

# Without a build id the version stands for it, so that inputs can name the build whose records are resumed.
$(BUILD)/fuzzer $(BUILD)/replay: private LDFLAGS += -Wl,--build-id=none
$(BUILD)/fuzzer: $(FUZZ_PARTS)
	$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)
$(BUILD)/replay: $(FUZZ_PARTS) $(BUILD)/tests/fuzz/replay.o
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/tests/fuzz/limit.o: override SANITIZE =
-include $(wildcard $(BUILD)/tests/fuzz/*.d)

# ---- the tests, tested ----

test-mutants: ## plant mistakes in a copy of the sources; tests must find each; TARGET=host or kernels/dobfs, JOBS=2
	$(ANY_PYTHON) tests/mutants/run.py $(if $(JOBS),--jobs $(JOBS)) $(addsuffix /,$(TARGET))
