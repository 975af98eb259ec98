#!/usr/bin/env bash
# setup.sh: makes a machine ready to build and test gtrav; where all is there it changes nothing and takes no time.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<'TEXT'
usage: scripts/setup.sh [build|python|test|clang|run|peers|all]     (default: all)

  build    C compiler with OpenMP, GNU make, zlib; optional: qhull (the delaunay generator), Boost.Context (the GPU emulator)
  python   the virtual environment .venv, made from requirements.txt and made again when that changes
  test     build and python, and cmocka; optional: MPI (runs of several processes)
  clang    test, and clang with LLVM's OpenMP and sanitizers (make test-sanitize, make fuzz); not in all
  run      build and python, and curl (optional: downloads)
  peers    python, and the libraries of requirements-peers.txt, which scripts/peers.py compares with; not in all
  all      test and run

Missing Debian packages are installed with apt-get where this runs as root; elsewhere one line says what is missing.
Without a package index, .venv/bin/python stands for a python3 that has the packages, if there is one.
TEXT
}

say() {
    echo "setup: $*" >&2
}

die() {
    say "$*"
    exit 1
}

# ---- system packages ----

have_header() {
    local header=$1
    shift
    echo "#include <$header>" | ${CC:-cc} "$@" -E -x c - >/dev/null 2>&1
}
have_cc() { have_header omp.h -fopenmp; }
# nvcc compiles what is not for the GPU with g++; without nvcc nothing is C++.
have_cxx() {
    [[ -z $(command -v nvcc /usr/local/cuda/bin/nvcc) ]] || echo 'int x;' | g++ -fsyntax-only -x c++ - 2>/dev/null
}
have_make() { make --version 2>/dev/null | grep -q '^GNU Make'; }
have_zlib() { have_header zlib.h; }
have_boost() { g++ -E -x c++ -include boost/context/detail/fcontext.hpp /dev/null >/dev/null 2>&1; }
have_qhull() { have_header libqhull_r/libqhull_r.h; }
have_mpi() { command -v mpicc >/dev/null && command -v mpirun >/dev/null; }
have_cmocka() { have_header cmocka.h; }
have_clang() { command -v clang >/dev/null; }
have_libomp() { echo '#include <omp.h>' | clang -fopenmp -E -x c - >/dev/null 2>&1; }
# The fuzzer and the thread sanitizer each need a library of their own.
have_sanitizers() {
    echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null &&
        echo 'int main(void) { return 0; }' | clang -fsanitize=thread -x c -o /dev/null - 2>/dev/null
}
have_curl() { command -v curl >/dev/null; }
have_venv() { python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }
have_packages() { python3 -c 'import matplotlib, numpy, pandas, pytest, scipy' 2>/dev/null; }
have_python() { have_venv || have_packages; }

# part | tested by have_... | Debian packages | what it is | required?
NEEDS='
build  | cc     | gcc libc6-dev              | C compiler with OpenMP                             | required
build  | cxx    | g++                        | C++ compiler (for nvcc)                            | required
build  | make   | make                       | GNU make                                           | required
build  | zlib   | zlib1g-dev                 | zlib                                               | required
build  | boost  | g++ libboost-context-dev   | Boost.Context (for the GPU emulator)               | optional
build  | qhull  | libqhull-dev               | qhull (for the delaunay generator)                 | optional
test   | mpi    | libopenmpi-dev openmpi-bin | MPI (for the tests of several processes)           | optional
test   | cmocka | libcmocka-dev              | cmocka (for the unit tests)                        | required
clang  | clang  | clang                      | clang (for sanitizers and fuzzing)                 | required
clang  | libomp | libomp-dev                 | OpenMP of LLVM (for sanitizers and fuzzing)        | required
clang  | sanitizers | libclang-rt-dev        | sanitizers and libFuzzer of LLVM                   | required
run    | curl   | curl ca-certificates       | curl (for downloads)                               | optional
python | python | python3 python3-venv       | Python 3.9 or newer with venv                      | required
'

# The rows of NEEDS for the given parts that are not met, as "packages | what | required?".
missing() {
    local part test packages what required
    while IFS='|' read -r part test packages what required; do
        part=${part// /} test=${test// /}
        [[ -n $part && " $* " == *" $part "* ]] || continue
        [[ $part == python ]] && python_is_ready && continue
        "have_$test" || echo "$packages|$what|$required"
    done <<<"$NEEDS"
}

install_missing() {
    local lacking packages
    lacking=$(missing "$@")
    [[ -n $lacking ]] || return 0
    read -r -a packages <<<"$(cut -d'|' -f1 <<<"$lacking" | tr '\n' ' ')"
    if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
        say "installing ${packages[*]}"
        { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
            "${packages[@]}"; } >/dev/null 2>&1 || say "apt-get could not install them"
        lacking=$(missing "$@")
    fi
    local fatal=0
    while IFS='|' read -r names what required; do
        [[ -n $what ]] || continue
        say "missing ($(xargs <<<"$required")): $(xargs <<<"$what"); install $(xargs <<<"$names") (Debian's names)"
        [[ $required == *required* ]] && fatal=1
    done <<<"$lacking"
    return $fatal
}

# ---- Python ----

# The copy of requirements.txt inside .venv is written last: without it, or with another, .venv is made anew.
python_is_ready() {
    cmp -s requirements.txt .venv/requirements.txt && .venv/bin/python -c '' 2>/dev/null
}

make_python() {
    python_is_ready && return
    say "making .venv from requirements.txt"
    rm -rf .venv
    if have_venv && python3 -m venv .venv &&
        .venv/bin/python -m pip --disable-pip-version-check --retries 2 --timeout 15 install --quiet \
            -r requirements.txt 2>.venv/pip.log; then
        :
    elif have_packages; then
        local python
        python=$(command -v python3)
        say "no package index answered: .venv/bin/python stands for $python with its own versions, without make lint"
        rm -rf .venv
        mkdir -p .venv/bin
        printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >.venv/bin/python
        chmod +x .venv/bin/python
    else
        die "the Python packages of requirements.txt cannot be installed: $(tail -n 1 .venv/pip.log 2>/dev/null)"
    fi
    cp requirements.txt .venv/requirements.txt
}

# They are optional: without them a comparison is missing, and nothing else.
add_peers() {
    local added=.venv/requirements-peers.txt
    if [[ ! -x .venv/bin/pip ]] || cmp -s requirements-peers.txt "$added"; then
        return
    fi
    say "adding requirements-peers.txt to .venv"
    if .venv/bin/python -m pip --disable-pip-version-check --retries 1 --timeout 10 install --quiet \
        -r requirements-peers.txt 2>.venv/pip.log; then
        cp requirements-peers.txt "$added"
    else
        say "they cannot be installed, and are left out: $(tail -n 1 .venv/pip.log)"
    fi
}

# ---- what was asked for ----

case ${1:-all} in
build) parts=(build) ;;
python) parts=(python) ;;
test) parts=(build python test) ;;
clang) parts=(build python test clang) ;;
run) parts=(build python run) ;;
peers) parts=(python peers) ;;
all) parts=(build python test run) ;;
-h | --help)
    usage
    exit
    ;;
*)
    usage >&2
    exit 2
    ;;
esac

install_missing "${parts[@]}" || exit 1
if [[ " ${parts[*]} " == *" python "* ]]; then
    make_python
fi
if [[ " ${parts[*]} " == *" peers "* ]]; then
    add_peers
fi
