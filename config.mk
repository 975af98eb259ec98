# config.mk: settings that may differ between machines. Every setting can be overridden:
#     make NVCC=/opt/cuda/bin/nvcc CUDA_ARCH=80

CC        ?= cc
CXX       ?= c++
OPTIMIZE  ?= -O3
PREFIX    ?= /usr/local
BUILD     ?= build
PYTHON    ?= .venv/bin/python

# The CUDA compiler. If it is empty, the build leaves out GPU algorithms.
NVCC      ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))

# The compute capability to build for: this machine's GPU's, or else Hopper's (90). It may be several ("80 90") or all;
# newer GPUs then compile the PTX of the last one.
ARCH_HERE  = $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
CUDA_ARCH ?= $(or $(ARCH_HERE),90)

# Older versions fail here with one line, instead of many lines in the middle of the build.
LEAST_CUDA = 12.8
LEAST_ARCH = 80
ARCHS      = $(if $(filter all,$(CUDA_ARCH)),80 86 89 90 100 120,$(CUDA_ARCH))
ifneq ($(strip $(NVCC)),)
OTHER_NVCC    = name another nvcc by NVCC=PATH, or leave out the GPU by NVCC=
CUDA_RELEASE := $(shell $(NVCC) --version 2>/dev/null | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p')
ifeq ($(CUDA_RELEASE),)
$(error $(NVCC) --version names no CUDA release: $(OTHER_NVCC))
endif
ifneq ($(firstword $(shell printf '%s\n' $(LEAST_CUDA) $(CUDA_RELEASE) | sort -V)),$(LEAST_CUDA))
$(error $(NVCC) is of CUDA $(CUDA_RELEASE), but gtrav needs $(LEAST_CUDA) or newer: $(OTHER_NVCC))
endif
NEW_ENOUGH := $(shell for arch in $(or $(ARCHS),none); do \
    test "$$(echo $$arch | tr -dc 0-9)" -ge $(LEAST_ARCH) || exit; done 2>/dev/null; echo 1)
ifneq ($(NEW_ENOUGH),1)
$(error CUDA_ARCH=$(CUDA_ARCH): gtrav needs compute capability 8.0 (CUDA_ARCH=80) or newer: leave out the GPU by NVCC=)
endif
endif

# Optional libraries, found by trying to compile and link against them: 1 or empty.
try_link = $(shell echo 'int main(void) { return 0; }' | \
             $(1) $(addprefix -include ,$(2)) - -o /dev/null $(addprefix -l,$(3)) >/dev/null 2>&1 && echo 1)
BOOST     ?= $(call try_link,$(CXX) -std=c++20 -x c++,source_location boost/context/detail/fcontext.hpp,boost_context)
CMOCKA    ?= $(call try_link,$(CC) -x c,stdarg.h stddef.h stdint.h setjmp.h cmocka.h,cmocka)

# MPI, for several processes: mpicc (of Open MPI or MPICH) prints the compiler's flags.
MPICC     ?= mpicc
MPI_FLAGS ?= $(wordlist 2,99,$(shell $(MPICC) -show 2>/dev/null))
MPI       ?= $(if $(MPI_FLAGS),$(call try_link,$(CC) $(MPI_FLAGS) -x c,mpi.h,))

# NCCL adds up results of the GPUs of several processes. It is found beside CUDA, or where the compiler looks for it.
CUDA      ?= $(if $(NVCC),$(dir $(realpath $(NVCC)))..)
CUDA_LIB  ?= $(firstword $(wildcard $(CUDA)/lib64 $(CUDA)/lib))
NCCL      ?= $(if $(NVCC),$(call try_link,$(CC) -isystem $(CUDA)/include -L$(CUDA_LIB) -x c,nccl.h,nccl))

# WebGPU: the folder with webgpu.h and wgpu.h, and the library. If WEBGPU is empty, its algorithms are left out.
# `scripts/setup.sh webgpu` installs both into .venv.
WEBGPU         ?= $(patsubst %/wgpu.h,%,$(firstword $(wildcard .venv/lib/python3*/site-packages/wgpu/resources/wgpu.h)))
WEBGPU_LIBRARY ?= $(abspath $(firstword $(wildcard $(WEBGPU)/libwgpu_native*.so)))

# The version in records and --version.
GTRAV_RELEASE := $(shell cat VERSION)
GTRAV_VERSION := $(or $(GTRAV_VERSION),$(shell git describe --always --dirty --tags 2>/dev/null),$(GTRAV_RELEASE))

# Evaluates each of these settings once, not at every use.
$(foreach name,NVCC CUDA_ARCH BOOST CMOCKA MPI_FLAGS MPI CUDA CUDA_LIB NCCL WEBGPU WEBGPU_LIBRARY,\
  $(eval $(name) := $$($(name))))
