# gtrav: `make` builds build/gtrav, `make help` lists the rest. Settings: config.mk.
include config.mk

.DEFAULT_GOAL := all

# Every processor is used, unless make was given another -j.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

WARNINGS  = -Werror=implicit-function-declaration -Werror=int-conversion -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers
CPPFLAGS += -D_GNU_SOURCE -MMD -MP
# No fused multiply-adds: generated graphs must not depend on the machine. All code may become part of libgtrav.so.
CFLAGS   += -std=c17 $(OPTIMIZE) -g -fopenmp -fPIC -fvisibility=hidden -ffp-contract=off $(WARNINGS) $(SANITIZE)
LDFLAGS  += $(SANITIZE) -Wl,--build-id=sha1 # records name the build by it
LIBS      = -fopenmp -lz -lm
NVCCFLAGS += -std=c++20 $(if $(filter -O0 -Og,$(OPTIMIZE)),-O1,-O3) $(if $(word 2,$(ARCHS)),$(SEVERAL_ARCHS),-lineinfo -arch=sm_$(CUDA_ARCH)) \
             -Xcompiler=-fopenmp,-fPIC,-fno-gnu-unique,-Wall,-Wextra,-Wshadow,-Wno-missing-field-initializers -MMD -MP
SEVERAL_ARCHS = --compress-mode=size $(foreach arch,$(ARCHS),-gencode=arch=compute_$(arch),code=sm_$(arch)) \
                $(foreach arch,$(lastword $(ARCHS)),-gencode=arch=compute_$(arch),code=compute_$(arch))

# What there are two of: for several processes and for one, with NCCL and without.
SOURCES = $(filter-out src/processes/ranks_%.c,$(wildcard src/*.c src/*/*.c baselines/*.c kernels/msbfs/*.c)) \
          $(wildcard src/processes/ranks_$(if $(MPI),mpi,alone)*.c) kernels/backend/gpu_sum_$(if $(MPI),$(if $(NCCL),nccl,none),none).c
KERNELS = $(wildcard kernels/*.cu kernels/*/*.cu kernels/*/*/*.cu)
OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o)

# Optional parts. Only PART_USERS look at them, so a part that is found later rebuilds little.
ifneq ($(MPI),)
PARTS    += -DGTRAV_MPI
MPI_LIBS += $(filter -L% -l% -Wl%,$(MPI_FLAGS))
$(BUILD)/src/processes/ranks_%.o: private CPPFLAGS += $(patsubst -I%,-isystem %,$(filter -I% -D%,$(MPI_FLAGS)))
ifneq ($(NCCL),)
PARTS    += -DGTRAV_NCCL
MPI_LIBS += -L$(CUDA_LIB) -Wl,-rpath,$(realpath $(CUDA_LIB)) -lnccl
$(BUILD)/kernels/backend/gpu_sum_nccl.o: private CPPFLAGS += -isystem $(CUDA)/include
endif
endif
ifneq ($(NVCC),)
PARTS    += -DGTRAV_CUDA
OBJECTS  += $(KERNELS:%.cu=$(BUILD)/%.cu.o)
LIBS     += $(if $(CUDA_LIB),-L$(CUDA_LIB)) -lcudart_static -lstdc++ -lpthread -ldl -lrt
endif

# The same kernels for the CPU. ThreadSanitizer's instrumentation, not its library: the emulator answers the calls itself, so
# a build with that library has no emulator.
ifneq ($(BOOST),)
PARTS    += -DGTRAV_EMULATOR
EMULATOR  = $(wildcard kernels/emulator/*.cpp)
OBJECTS  += $(KERNELS:%.cu=$(BUILD)/%.emulated.o) $(EMULATOR:%.cpp=$(BUILD)/%.o)
LDFLAGS  += -rdynamic
LIBS     += -lboost_context -lstdc++ -ldl
# Kernels stay visible in the program, where the emulator's messages name them by dladdr().
CXXFLAGS += -std=c++20 $(OPTIMIZE) -g -fopenmp -fPIC -fno-semantic-interposition -Wall -Wextra -Wshadow -Wno-missing-field-initializers
# Such code runs as fast at -O1 as at -O3, and compiles in half the time.
INSTRUMENT = -fsanitize=thread $(if $(filter -O0 -Og,$(OPTIMIZE)),,-O1 -g1) $(shell $(CXX) --param tsan-distinguish-volatile=1 -E -x c++ /dev/null >/dev/null 2>&1 && \
    echo --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0)
endif

# WebGPU, whose library is loaded when it is needed. The shaders become texts in a C file.
ifneq ($(WEBGPU),)
PARTS    += -DGTRAV_WEBGPU
WEBGPU_SOURCES = $(wildcard kernels/webgpu/*.c)
SHADERS   = $(wildcard kernels/webgpu/shaders/*.wgsl)
OBJECTS  += $(WEBGPU_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/kernels/webgpu/shaders.o
LIBS     += -ldl -lpthread
$(BUILD)/kernels/webgpu/%.o $(BUILD)/tests/unit/test_webgpu: private CPPFLAGS += -isystem $(WEBGPU) -DWEBGPU_LIBRARY='"$(WEBGPU_LIBRARY)"'
$(BUILD)/kernels/webgpu/shaders.o: $(BUILD)/kernels/webgpu/shaders.c
	$(CC) $(CFLAGS) -c -o $@ $<
$(BUILD)/kernels/webgpu/shaders.c: $(SHADERS)
	@mkdir -p $(@D)
	for shader in $(basename $(notdir $(SHADERS))); do \
	    echo "const char shader_$$shader[] ="; \
	    sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' kernels/webgpu/shaders/$$shader.wgsl; echo ';'; done > $@
endif

LDLIBS    += $(MPI_LIBS) $(LIBS)
MAIN       = $(BUILD)/src/cli/main.o
LIBRARY    = $(BUILD)/all.a
SMALL_TESTS = test_readers_small test_bad_files_small test_builder_small # with SMALL_BLOCKS, so that tiny files and graphs have many
UNIT_TESTS = $(if $(CMOCKA),$(patsubst %.c,$(BUILD)/%,$(filter-out $(if $(WEBGPU),,%/test_webgpu.c),$(wildcard tests/unit/test_*.c))) $(SMALL_TESTS:%=$(BUILD)/tests/unit/%))
OF_EMULATOR  = test_faults test_races # what the emulator finds; the other kernel tests run on GPUs, too
ON_DEVICES   = $(filter-out $(OF_EMULATOR),$(patsubst tests/kernels/%.cu,%,$(wildcard tests/kernels/*.cu)))
KERNEL_TESTS = $(if $(BOOST),$(ON_DEVICES:%=$(BUILD)/tests/kernels/%_emulated))
FAULT_TESTS  = $(if $(BOOST),$(OF_EMULATOR:%=$(BUILD)/tests/kernels/%_emulated))
ENQUEUE      = $(BUILD)/kernels/bfs/xbfs/enqueue.o
LAST_SEED    = 3 # of the schedules that they run under
GPU_TESTS    = $(if $(NVCC),$(ON_DEVICES:%=$(BUILD)/tests/kernels/%_cuda))

.PHONY: all debug test test-webgpu check test-programs test-cli test-algorithm test-stress test-gpu unit lint style format balance install clean help parts report figures FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: parts $(BUILD)/gtrav $(BUILD)/bench/enqueue ## build/gtrav, build/libgtrav.so and .a, and build/bench/

# Optional parts, one line each.
parts:
	@echo "CUDA:   $(if $(NVCC),$(NVCC) for sm_$(CUDA_ARCH),none (no nvcc): GPU algorithms are left out)"
	@echo "Boost:  $(if $(BOOST),yes,none (install libboost-context-dev; GCC 11 or newer): the GPU emulator is left out)"
	@echo "MPI:    $(if $(MPI),yes,none (no $(MPICC); install libopenmpi-dev): runs of several processes are left out)"
	@echo "NCCL:   $(if $(MPI),$(if $(NCCL),yes,none (no nccl.h): GPUs of several processes sum up by MPI),none (it is for MPI))"
	@echo "WebGPU: $(if $(WEBGPU),yes,none (scripts/setup.sh webgpu): WebGPU algorithms are left out)"
	@echo "cmocka: $(if $(CMOCKA),yes,none (install libcmocka-dev): unit tests are left out)"

$(BUILD)/gtrav: $(MAIN) $(LIBRARY)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(LIBRARY): $(filter-out $(MAIN),$(OBJECTS))
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/%.cu.o: %.cu $(BUILD)/nvcc_flags
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -c -o $@ $<

$(BUILD)/%.emulated.o: %.cu $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) -x c++ $(CPPFLAGS) -DEMULATED $(CXXFLAGS) -Wno-unknown-pragmas $(INSTRUMENT) -c -o $@ $<

$(BUILD)/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(SANITIZE) -c -o $@ $<

$(BUILD)/tests/unit/%: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LDFLAGS) $(LDLIBS)

$(BUILD)/tests/unit/%_small: tests/unit/%.c src/graph/byte_input.c src/graph/text_input.c src/graph/builder.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SMALL_BLOCKS) -o $@ $(filter %.c,$^) $(LIBRARY) -lcmocka $(LDFLAGS) $(LDLIBS)

$(BUILD)/bench/enqueue: $(ENQUEUE) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# What the conformance test tries: schedules on the emulator, others on each graph, and one option value in TURNS.
SEEDS      ?= 1
TURNS      ?= 8
CONFORMANCE = $(BUILD)/tests/conformance/conformance
OF_CONFORMANCE = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/conformance/*.c))
$(CONFORMANCE): $(OF_CONFORMANCE) $(LIBRARY)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/kernels/%_emulated: $(BUILD)/tests/kernels/%.emulated.o $(LIBRARY)
	$(CXX) -o $@ $^ $(LDFLAGS) $(LDLIBS)

$(BUILD)/tests/kernels/%_cuda: $(BUILD)/tests/kernels/%.cu.o $(LIBRARY)
	$(CXX) -o $@ $^ $(LDFLAGS) $(LDLIBS)

# Objects are rebuilt when their compiler's flags change; the users of a setting when that does.
remember = @mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' > $@
$(BUILD)/flags: FORCE
	$(call remember,$(CC) $(CPPFLAGS) $(CFLAGS) $(CXX) $(CXXFLAGS))
$(BUILD)/nvcc_flags: FORCE
	$(call remember,$(NVCC) $(NVCCFLAGS))
$(BUILD)/parts_found: FORCE
	$(call remember,$(PARTS))
$(BUILD)/version: FORCE
	$(call remember,$(GTRAV_RELEASE) $(GTRAV_VERSION))
PART_USERS = $(addprefix $(BUILD)/,src/device.o src/registry.o src/cli/help.o tests/conformance/conformance.o) $(ENQUEUE)
$(PART_USERS): $(BUILD)/parts_found
$(PART_USERS): private CPPFLAGS += $(PARTS)
VERSIONED = $(BUILD)/src/records/identity.o
$(VERSIONED): $(BUILD)/version
$(VERSIONED): private CPPFLAGS += -DGTRAV_VERSION='"$(GTRAV_VERSION)"' -DGTRAV_RELEASE='"$(GTRAV_RELEASE)"'

include src/library/library.mk

debug: ## build/debug/gtrav: unoptimised, with address and undefined-behaviour sanitizers
	$(MAKE) BUILD=$(BUILD)/debug OPTIMIZE=-Og SANITIZE='-fsanitize=address,undefined -fno-omit-frame-pointer' all

TEST_PROGRAMS = $(UNIT_TESTS) $(KERNEL_TESTS) $(FAULT_TESTS)

# Each test program is a target, PROGRAM.run, so that make runs as many at once as there are processors.
%.run: % FORCE
	@OMP_WAIT_POLICY=passive $< >$@.log 2>&1 || { cat $@.log; exit 1; }
	@echo "passed: $<"
$(KERNEL_TESTS:=.run): %.run: % FORCE
	@for seed in $$(seq 0 $(LAST_SEED)); do $< $$seed >$@.log 2>&1 || { cat $@.log; exit 1; }; done
	@echo "passed: $< under the schedules 0 to $(LAST_SEED)"

test-programs: all $(TEST_PROGRAMS) $(CONFORMANCE)

unit: $(TEST_PROGRAMS:=.run) $(CONFORMANCE) ## test programs, and every algorithm on every small graph
	OMP_WAIT_POLICY=passive GTRAV_EMULATOR_SMS=2 $(CONFORMANCE) --seeds $(SEEDS) --turns $(TURNS)
	$(if $(WEBGPU),$(MAKE) test-webgpu)

# Status 3: no adapter, which the first command tells.
test-webgpu: $(CONFORMANCE) ## the WebGPU algorithms on every small graph, with whole arrays and with split ones: 30 seconds
	@$(CONFORMANCE) --device webgpu --turns $(TURNS) || test $$? = 3
	@GTRAV_WEBGPU_BINDING_BYTES=16384 $(CONFORMANCE) --device webgpu --turns 16 || test $$? = 3

ANY_PYTHON = $(if $(wildcard $(PYTHON)),$(PYTHON),python3)
PYTEST = $(PYTHON) -m pytest $(if $(shell $(PYTHON) -c 'import xdist' 2>/dev/null || echo no),,-n $(shell expr 2 \* $$(nproc)) --dist worksteal)

test: ## set up what is missing, build, run every test that needs no GPU: 8 to 12 minutes on two cores
	scripts/setup.sh test
	$(MAKE) style
	$(MAKE) test-programs
	$(MAKE) unit
	$(MAKE) test-cli
	$(MAKE) test-python
	$(MAKE) test-findings
	$(MAKE) test-faults EVERY=20

check: ## for every day, 2 minutes on two cores: each test program, each algorithm briefly, the quick tests of the command line
	scripts/setup.sh test
	$(MAKE) test-programs
	$(MAKE) unit SEEDS=1 TURNS=24 LAST_SEED=1
	$(MAKE) test-cli MARKED='not slow'
	$(MAKE) test-python MARKED='not slow'

# Another make runs it after the set-up: this one has asked .venv for xdist before there was a .venv.
test-cli: all ## the tests of the command line and the scripts
	$(PYTEST) --durations=15 $(if $(MARKED),-m '$(MARKED)') tests/cli tests/cluster

test-algorithm: all $(CONFORMANCE) ## ALGO=bfs:mine: one algorithm, or all of ALGO=bfs, on every small graph; seconds for one
	@test -n '$(ALGO)' || { echo 'make test-algorithm: name one, such as ALGO=bfs:gap' >&2; exit 2; }
	OMP_WAIT_POLICY=passive $(CONFORMANCE) --family $(firstword $(subst :, ,$(ALGO))) \
	    $(addprefix --variant ,$(word 2,$(subst :, ,$(ALGO)))) --seeds 3 --turns 2

test-stress: LAST_SEED = 50
test-stress: all $(CONFORMANCE) $(KERNEL_TESTS:=.run) ## every option of GPU algorithms and every kernel test on the emulator, under many schedules: SEEDS=1000
	$(CONFORMANCE) --device emulator --seeds $(if $(filter command line environment,$(origin SEEDS)),$(SEEDS),1000)

test-gpu: unit $(GPU_TESTS) ## the same suite with the GPU algorithms on the GPU of this machine
	@for test in $(GPU_TESTS); do echo "== $$test"; $$test || exit 1; done
	$(CONFORMANCE) --device gpu
	$(ANY_PYTHON) tests/kernels/sanitize.py $(BUILD)
	GTRAV_TEST_DEVICE=gpu $(if $(wildcard $(PYTHON)),$(PYTEST),python3 -m pytest) tests/cli

FORMATTED = $(wildcard include/*.h examples/*/*.[ch] src/*.[ch] src/*/*.[ch] baselines/*.[ch] $(foreach depth,kernels kernels/* kernels/*/*,$(addprefix $(depth)/*.,cu cuh c h cpp)) \
                      tests/*/*.[ch] tests/*/*.cu)
lint: ## formatting and style of C, CUDA, Python and shell; shaders are right
	scripts/setup.sh test
	$(MAKE) style

# Where .venv is but a stand-in for another Python, clang-format and ruff are missing.
style:
	@test -x .venv/bin/ruff || echo 'style: .venv has no ruff and clang-format, so only the shell scripts are checked'
	@test ! -x .venv/bin/clang-format || .venv/bin/clang-format --dry-run --Werror $(FORMATTED)
	test ! -x .venv/bin/ruff || { .venv/bin/ruff check . && .venv/bin/ruff format --check .; }
	test ! -x .venv/bin/ruff || scripts/check_sizes.py
	$(ANY_PYTHON) scripts/check_shaders.py
	for script in gtrav-setup scripts/*.sh scripts/*/*.sh scripts/slurm/*.sbatch .ci/run; do bash -n $$script || exit 1; done

format: ## reformat everything as lint wants it
	.venv/bin/clang-format -i $(FORMATTED)
	.venv/bin/ruff check --fix --quiet .
	.venv/bin/ruff format --quiet .

report: ## what holds of the papers' claims: report.html and report.md beside the newest records, or those in RESULTS=DIR
	$(ANY_PYTHON) scripts/report.py $(if $(RESULTS),--results $(RESULTS))

figures: ## draw every figure from the committed records of the H200, or those in RESULTS=DIR, to build/figures
	$(ANY_PYTHON) plot/draw.py --results $(or $(RESULTS),results/nvidia-h200) --to $(BUILD)/figures

include tests/tests.mk
-include python/python.mk # a source distribution of the Python package has none

balance: all ## tasks of every block of DiggerBees's grid (figure 9); BALANCE_POLICY=0: with random victims; GRAPHS="road:17 ...", RESULTS=DIR
	GTRAV=$(BUILD)/gtrav $(ANY_PYTHON) scripts/balance.py --policy $(or $(BALANCE_POLICY),1) \
	    $(if $(RESULTS),--csv $(RESULTS)) $(GRAPHS)

SHARE = $(DESTDIR)$(PREFIX)/share
install: all install-library ## PREFIX=/usr/local: the program into PREFIX/bin, its manual page and completions into PREFIX/share, libgtrav into PREFIX/lib
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions
	install -m 755 $(BUILD)/gtrav $(DESTDIR)$(PREFIX)/bin/gtrav
	help2man -N -o $(SHARE)/man/man1/gtrav.1 $(BUILD)/gtrav || echo 'install: no manual page without help2man'
	echo 'complete -o bashdefault -o default -F _longopt gtrav' > $(SHARE)/bash-completion/completions/gtrav
	printf '#compdef gtrav\n_gnu_generic\n' > $(SHARE)/zsh/site-functions/_gtrav

clean: ## remove build/
	rm -rf $(BUILD)

help: ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile src/library/library.mk python/python.mk tests/tests.mk | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | expand -t 16

-include $(OBJECTS:.o=.d) $(LIBRARY_OBJECTS:.o=.d) $(ENQUEUE:.o=.d) $(UNIT_TESTS:=.d) $(OF_CONFORMANCE:.o=.d) $(KERNEL_TESTS:_emulated=.emulated.d) $(FAULT_TESTS:_emulated=.emulated.d) $(GPU_TESTS:_cuda=.cu.d)
