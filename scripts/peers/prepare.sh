#!/bin/bash
# Builds another program for scripts/peers.py: prepare.sh NAME PROGRAM [CHECKOUT]
#
# CHECKOUT is a checkout of the program's repository that you have; it is copied, not changed. Without it, the commit
# below is fetched, if there is one. What today's CUDA and compilers need is done here by commands; drivers beside this
# file call the searches of programs whose own main reads other graphs or tells less. scripts/peers.py --prepare runs
# this script.
set -euo pipefail

# The commits that these recipes are for.
declare -A commits=(
    [tigr]=AutomataLab/Tigr@a9b7c08bdbf84c14c42f9daabf99b94aa01834d3
    [dawn]=lxrzlyr/GAL-DAWN@29fb42f98cfb7866c36a93201e6a6412bad14e02
    [pasgal]=ucrparlay/PASGAL@8e27a35c5b6d33d46a3a75199b48edad5753cf2d
    [doublegraph]=double-ai/doubleGraph@08441510d63149090cf8ca5cd3edfa21a0631a9f
)
here=$(cd "$(dirname "$0")" && pwd)
name=$1 program=$2 checkout=${3:+$(cd "$3" && pwd)}
mkdir -p "$(dirname "$program")"
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
arch=${CUDA_ARCH:-native}
march=${MARCH:-native}

give_up() { echo "prepare: $name: $1" >&2; exit 2; }

# A library of headers that the program needs, in a folder that the environment names.
needs() {
    [ -d "${!1:-}/$2" ] || give_up "$1=FOLDER in the environment names a checkout of github.com/$3"
}

build_gapbs() {
    make -B -C "$copy" bfs
    cp "$copy/bfs" "$program"
}

build_gap() {
    sed -i '/^pvector<NodeID> DOBFS/,/^}/s/^  if (logging_enabled)$/  return parents_by_command(g, source); &/' \
        "$copy/src/bfs.cc"
    g++ -O3 -w -fopenmp -include "$copy/src/pvector.h" -include "$here/gap.h" "$copy/src/bfs.cc" -o "$program"
}

build_ligra() {
    sed -i "s/-march=native/-march=$march/" "$copy/apps/Makefile"
    make -B -C "$copy/apps" BFS OPENMP=1
    cp "$copy/apps/BFS" "$program"
}

# CKL and ACR of the paper on ACR. Its makefile writes its commands with PHP; this is what they come to. It tells
# times in whole milliseconds.
build_sc15_pdfs() {
    local top=$copy/sc15-graph
    sed -i 's/exectime %.3lf/exectime %.6lf/' "$top/sched/benchmark.hpp"
    (cd "$top/graph/bench" && g++ -std=gnu++0x -O2 -DNDEBUG -fno-optimize-sibling-calls -march="$march" -fpermissive \
        -w -pthread -D_GNU_SOURCE -DTARGET_X86_64 -DTARGET_LINUX -DHAVE_GCC_TLS -DHAVE_SCHED_SETAFFINITY -DSTATS_IDLE \
        -DSKIP_OTHER_CHUNKED_SEQ -DSKIP_OTHER_SEQUENTIAL -DSKIP_OTHER_FRONTIERS -DPASL_PCONTAINER_CHUNK_CAPACITY=1024 \
        -DSKIP_64_BITS -I. -I../include -I"$top/sequtil" -I"$top/parutil" -I"$top/sched" -I"$top/chunkedseq/include" \
        -I"$top/tools/matrix_market" -I"$top/tools/pbbs" -I"$top/tools/malloc_count" search.cpp "$top"/sched/*.cpp \
        "$top"/parutil/*.cpp "$top"/tools/matrix_market/*.cpp \
        "$top"/sequtil/{atomic,callback,cmdline,microtime,ticks}.cpp "$top/sched/native.S" -lpthread -lm -lrt \
        -o "$program")
}

build_blest() {
    nvcc -O3 -std=c++20 -arch="$arch" -Xcompiler -fopenmp -I"$here" -I"$copy" -I"$copy/DataStructures" -I"$copy/BFS" \
        -I"$copy/Gorder" "$here/blest.cu" "$copy"/Gorder/*.cpp -lcuda -o "$program"
}

# Its device code asks for HIP's compiler, so that nvcc alone would take the host's side of its atomics.
build_gunrock() {
    sed -i 's/^#if\(def\)\? __HIP_DEVICE_COMPILE__/#ifdef __CUDA_ARCH__/' "$copy/include/gunrock/util/math.hxx" \
        "$copy"/include/gunrock/framework/frontier/vector_frontier.hxx
    needs MODERNGPU src/moderngpu moderngpu/moderngpu
    nvcc -O3 -std=c++17 -arch="$arch" --extended-lambda --expt-relaxed-constexpr -rdc=true -DSM_TARGET="${arch#sm_}" \
        -DESSENTIALS_BACKEND='"NVIDIA"' -D__HIP_PLATFORM_NVIDIA__ -DHIP_BACKEND=1 -I"$here" -I"$copy/include" \
        -I"$MODERNGPU/src" "$here/gunrock.cu" -lpthread -o "$program"
}

# CUDA 13 has no memoryClockRate and no deviceOverlap, which GSWITCH prints.
build_gswitch() {
    needs MODERNGPU src/moderngpu moderngpu/moderngpu
    sed -i '/memoryClockRate\|deviceOverlap\|Peak Memory Bandwidth/d' "$copy/src/utils/utils.cuh"
    nvcc -O3 -std=c++17 -arch="$arch" -maxrregcount=64 --extended-lambda -I"$here" -I"$copy" -I"$copy/src" \
        -I"$MODERNGPU/src" "$here/gswitch.cu" -o "$program"
}

# Their counters of edges start as whatever is in memory.
build_tigr() {
    sed -i 's/\(outDegreeCounter *= new uint\[.*\]\);/\1();/' "$copy/shared/virtual_graph.cpp"
    nvcc -O3 -std=c++17 -w -arch="$arch" -I"$here" -I"$copy" "$here/tigr.cu" "$copy"/shared/*.cpp -o "$program"
}

# Each of its threads clears the flag that something was found, so it ends too early; here the host does once it looked.
build_dawn() {
    sed -i '/^  ptr\[0\] = false;/d; s/bool ptr = d_ptr\[0\];/& d_ptr[0] = false;/' "$copy/src/algorithm/gpu/bfs.cu"
    nvcc -O3 -std=c++17 -arch="$arch" -Xcompiler -fopenmp -I"$here" -I"$copy" -I"$copy/include" "$here/dawn.cu" \
        -o "$program"
}

# Of a whole cuGraph two files, which of its headers need no more than the name of a type.
build_doublegraph() {
    local include=$copy/cpp/include
    echo 'namespace cugraph { template <class, class, bool, bool> class graph_view_t; }' \
        > "$include/cugraph/graph_view.hpp"
    nvcc -O3 -std=c++20 -arch="$arch" --use_fast_math -include string -I"$here" -I"$include" "$here/doublegraph.cu" \
        "$copy"/cpp/src/aai/impl/a100/traversal/bfs{,_direction_optimizing}_seg.cu -o "$program"
}

build_pasgal() {
    g++ -O3 -std=c++20 -mcx16 -march="$march" -pthread -I"$here" -I"$copy/src/BFS" -I"$copy/src" -I"$copy/external" \
        -I"$copy/external/parlaylib/include" "$here/pasgal.cpp" -o "$program"
}

# By the appendix of its paper: the artifact (Zenodo 17709254, and in the image yuyaoniu/diggerbees), which could not be
# reached to try this. The program is what its makefile links: then executable.
build_diggerbees() {
    sed -i "s/^CUDA_ARCH *=.*/CUDA_ARCH=${arch#sm_}/" "$copy/config.mk"
    find "$copy/DiggerBees_master" -type f -exec chmod a-x {} +
    make -B -C "$copy/DiggerBees_master"
    find "$copy/DiggerBees_master" -type f -executable -exec cp {} "$program" \; -quit
}

build_xbfs() {
    (cd "$copy" && nvcc -O3 -I. -arch="$arch" bfs_gpu_update.cu -o "$program")
}

# Texture references and votes without a mask left CUDA with versions 12 and 9. The program picks 64 sources by
# rand(), and tells no time of a search of fewer than three levels.
build_enterprise() {
    sed -i 's/^texture </__device__ texture </; s/, *cudaReadModeElementType>/, 0>/' "$copy/comm.h"
    sed -i 's/__all(/__all_sync(0xffffffff, /; s/__any(/__any_sync(0xffffffff, /' "$copy/expander.cuh"
    sed -i 's/rand()%ginst->vert_count/next_source()/; s/i<64/i<num_sources()/' "$copy/main.cu"
    sed -i 's/i< 64/i< num_sources()/; s/if(level > 2)/if(true)/' "$copy/bfs_gpu_opt.cuh"
    nvcc -O3 -arch="$arch" -Xcompiler -fopenmp -include "$here/enterprise.h" "$copy/main.cu" -o "$program"
}

# Of PyPI's wheels: the checkout is what pip install --target=CHECKOUT libcugraph-cu13 made, and is not copied.
build_cugraph() {
    local package words=()
    for package in libcugraph libraft librmm rapids_logger libcuvs libkvikio; do
        words+=(-isystem "$checkout/$package/include" -isystem "$checkout/$package/include/rapids")
        words+=("-L$checkout/$package/lib64" -Xlinker "-rpath=$checkout/$package/lib64")
    done
    nvcc -O3 -std=c++20 -I"$here" "$here/cugraph.cpp" "${words[@]}" \
        -Xlinker --disable-new-dtags,--allow-shlib-undefined -lcugraph -lrmm -lrapids_logger -o "$program"
}

build_graph500() { # of edge factor 16
    sed -i 's|//user code to do bfs|read_tree(root, pred, g.tg->nglobaledges / 16, g.nlocalverts);|' \
        "$copy/src/bfs_custom.c"
    (cd "$copy/src" && ${MPICC:-mpicc} -O3 -fcommon -w -D_GNU_SOURCE -Drestrict=__restrict__ -DGRAPH_GENERATOR_MPI \
        -I../aml -include "$here/graph500_reader.h" {bfs_custom,csr_reference,main,utils,validate}.c ../aml/aml.c \
        ../generator/{graph_generator,make_graph,splittable_mrg,utils}.c -lm -lpthread -o "$program")
}

declare -F "build_$name" > /dev/null ||
    give_up "no such program; there is: $(declare -F | sed -n 's/.*build_//p' | tr '\n' ' ')"
if [ -z "$checkout" ]; then
    commit=${commits[$name]:-}
    [ -n "$commit" ] || give_up "--from CHECKOUT names a checkout of its repository"
    git clone --quiet --no-checkout "${GITHUB:-https://github.com}/${commit%@*}" "$copy" &&
        git -C "$copy" checkout --quiet "${commit#*@}" && git -C "$copy" submodule --quiet update --init ||
        give_up "cannot fetch $commit"
elif [ "$name" != cugraph ]; then
    cp -r "$checkout/." "$copy"
fi
"build_$name"
