# parts.mk: the optional parts of the build: MPI, NCCL, CUDA, the emulator, WebGPU. Each adds to OBJECTS, LIBS and
# PARTS. Only PART_USERS are compiled with PARTS, so a part that is found later rebuilds little.

.PHONY: parts
parts: # one line for each
	@echo "CUDA:   $(if $(NVCC),$(NVCC) for sm_$(CUDA_ARCH),none (no nvcc): GPU algorithms are left out)"
	@echo "Boost:  $(or $(BOOST:1=yes),none (install libboost-context-dev; GCC 11 or newer): the GPU emulator is left out)"
	@echo "MPI:    $(or $(MPI:1=yes),none (no $(MPICC); install libopenmpi-dev): runs of several processes are left out)"
	@echo "NCCL:   $(if $(MPI),$(or $(NCCL:1=yes),$(NO_NCCL)),none (it is for MPI))"
	@echo "WebGPU: $(if $(WEBGPU),yes,none (scripts/setup.sh webgpu): WebGPU algorithms are left out)"
	@echo "cmocka: $(or $(CMOCKA:1=yes),none (install libcmocka-dev): unit tests are left out)"
NO_NCCL = none (no nccl.h): GPUs of several processes sum up by MPI

PART_USERS = $(BUILD)/src/device.o $(BUILD)/src/registry.o $(BUILD)/src/cli/help.o \
             $(BUILD)/tests/conformance/conformance.o $(BUILD)/kernels/bfs/xbfs/enqueue.o
$(PART_USERS): $(BUILD)/parts_found
$(PART_USERS): private CPPFLAGS += $(PARTS)

# ---- several processes: one of two implementations of src/processes/ranks.h, one of three of gpu_sum.h ----

SOURCES += $(wildcard src/processes/ranks_$(if $(MPI),mpi,alone)*.c) \
           kernels/backend/gpu_sum_$(if $(MPI),$(if $(NCCL),nccl,none),none).c
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

# ---- CUDA ----

CXX_WARNINGS  = -Wall -Wextra -Wshadow -Wno-missing-field-initializers
comma        := ,
empty        :=
with_commas   = $(subst $(empty) $(empty),$(comma),$(strip $(1)))
ONE_ARCH      = -arch=sm_$(CUDA_ARCH)
SEVERAL_ARCHS = --compress-mode=size $(foreach arch,$(ARCHS),-gencode=arch=compute_$(arch),code=sm_$(arch)) \
                $(foreach arch,$(lastword $(ARCHS)),-gencode=arch=compute_$(arch),code=compute_$(arch))
# Only debug builds have the lines of the source: they make modules 2.5 times as large, and slow to load.
NVCCFLAGS    += -std=c++20 $(if $(filter -O0 -Og,$(OPTIMIZE)),-O1 -lineinfo,-O3) \
                $(if $(word 2,$(ARCHS)),$(SEVERAL_ARCHS),$(ONE_ARCH)) \
                -Xcompiler=$(call with_commas,-fopenmp -fPIC -fno-gnu-unique $(CXX_WARNINGS)) -MMD -MP
ifneq ($(NVCC),)
PARTS   += -DGTRAV_CUDA
OBJECTS += $(KERNELS:%.cu=$(BUILD)/%.cu.o)
LIBS    += $(if $(CUDA_LIB),-L$(CUDA_LIB)) -lcudart_static -lstdc++ -lpthread -ldl -lrt
endif

# ---- the emulator: the same kernels for the CPU ----

# The kernels are compiled with ThreadSanitizer's instrumentation. The emulator defines the functions that it calls, in
# place of ThreadSanitizer's library. So a build with that library has no emulator.
ifneq ($(BOOST),)
PARTS    += -DGTRAV_EMULATOR
EMULATOR  = $(wildcard kernels/emulator/*.cpp)
OBJECTS  += $(KERNELS:%.cu=$(BUILD)/%.emulated.o) $(EMULATOR:%.cpp=$(BUILD)/%.o)
LDFLAGS  += -rdynamic
LIBS     += -lboost_context -lstdc++ -ldl
# Exports the kernels' names: the emulator's messages find them by dladdr().
CXXFLAGS += -std=c++20 $(OPTIMIZE) -g -fopenmp -fPIC -fno-semantic-interposition $(CXX_WARNINGS)
# Instrumented code runs as fast at -O1 as at -O3, and compiles in half the time.
FINER    := --param tsan-distinguish-volatile=1
FINER    := $(if $(shell $(CXX) $(FINER) -E -x c++ /dev/null >/dev/null 2>&1 && echo 1),\
              $(FINER) --param tsan-instrument-func-entry-exit=0)
INSTRUMENT = -fsanitize=thread $(if $(filter -O0 -Og,$(OPTIMIZE)),,-O1 -g1) $(FINER)
endif

# ---- WebGPU: its library is loaded when it is needed; the shaders become strings in a C file ----

ifneq ($(WEBGPU),)
PARTS         += -DGTRAV_WEBGPU
WEBGPU_SOURCES = $(wildcard kernels/webgpu/*.c)
WEBGPU_FLAGS   = -isystem $(WEBGPU) -DWEBGPU_LIBRARY='"$(WEBGPU_LIBRARY)"'
SHADERS        = $(wildcard kernels/webgpu/shaders/*.wgsl)
OBJECTS       += $(WEBGPU_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/kernels/webgpu/shaders.o
LIBS          += -ldl -lpthread
$(BUILD)/kernels/webgpu/%.o $(BUILD)/tests/unit/test_webgpu: private CPPFLAGS += $(WEBGPU_FLAGS)
$(BUILD)/kernels/webgpu/shaders.o: $(BUILD)/kernels/webgpu/shaders.c
	$(CC) $(CFLAGS) -c -o $@ $<
$(BUILD)/kernels/webgpu/shaders.c: $(SHADERS)
	@mkdir -p $(@D)
	for shader in $(basename $(notdir $(SHADERS))); do \
	    echo "const char shader_$$shader[] ="; \
	    sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' kernels/webgpu/shaders/$$shader.wgsl; echo ';'; done > $@
endif
