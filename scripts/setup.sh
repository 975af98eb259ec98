#!/usr/bin/env bash
# setup.sh: makes a machine ready to build and test gtrav. It changes nothing if nothing is missing.
# It needs bash and Debian's essential packages only. ./gtrav-setup calls it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    cat <<'TEXT'
usage: scripts/setup.sh [build|python|test|clang|run|webgpu|all]     (default: all)
       ./gtrav-setup [...]                                          the same

  build    C compiler with OpenMP, GNU make, zlib; optional: Boost.Context (the GPU emulator)
  python   the virtual environment .venv, made from requirements.txt and made again when that changes
  test     build, python and webgpu, and cmocka; optional: MPI (runs of several processes), Chromium (the web page),
           and the libraries of requirements-python.txt (tests of the Python package)
  clang    test, and clang with LLVM's OpenMP and sanitizers (make test-sanitize, make fuzz); not in all
  run      build and python; optional: CA certificates (downloads)
  webgpu   python, and the library of requirements-webgpu.txt (algorithms for any GPU); optional: a Vulkan driver for
           the CPU, where there is none for a GPU
  all      test and run

As root, it installs missing Debian packages with apt-get; otherwise one line says what is missing.
If pip cannot install the packages of requirements.txt, .venv/bin/python calls a python3 that has them, if there is one.
TEXT
}

say() {
    echo "setup: $*" >&2
}

die() {
    say "$*"
    exit 1
}

# ---- steps that take time ----

log=$(mktemp) # what the last step printed
trap 'rm -f "$log"' EXIT
trap 'exit 143' TERM # waits for the current command to end, so that apt-get does not go on alone
steps=0

# step WHAT COMMAND...: runs the command, and prints what it is for and how many seconds it took; returns its status.
step() {
    local what=$1 begin=$SECONDS status=0
    shift
    printf 'setup: %s ... ' "$what" >&2
    "$@" >"$log" 2>&1 || status=$?
    ((steps += 1))
    [[ $status == 0 ]] || printf 'failed after ' >&2
    echo "$((SECONDS - begin)) s" >&2
    return $status
}

# Shows why the last step failed: for each pattern, the last two lines of its output that match.
show_errors() {
    local pattern lines shown=''
    for pattern in "$@"; do
        lines=$(grep -E "$pattern" "$log" | tail -n 2) || continue
        shown+=$lines$'\n'
    done
    [[ -n $shown ]] || shown=$(tail -n 3 "$log")
    while IFS= read -r lines; do
        [[ -z $lines ]] || say "  $lines"
    done <<<"$shown"
}

# ---- system packages ----

have_header() {
    local header=$1
    shift
    echo "#include <$header>" | ${CC:-cc} "$@" -E -x c - >/dev/null 2>&1
}
has() { command -v "$@" >/dev/null; } # one of these programs
# nvcc compiles host code with g++; without nvcc no C++ compiler is required.
have_cxx() {
    [[ -z $(command -v nvcc /usr/local/cuda/bin/nvcc) ]] || echo 'int x;' | g++ -fsyntax-only -x c++ - 2>/dev/null
}
have_make() { [[ $(make --version 2>/dev/null) == 'GNU Make'* ]]; }
have_boost() { g++ -E -x c++ -include boost/context/detail/fcontext.hpp /dev/null >/dev/null 2>&1; }
have_libomp() { echo '#include <omp.h>' | clang -fopenmp -E -x c - >/dev/null 2>&1; }
# The fuzzer and the thread sanitizer each need a library of their own.
have_sanitizers() {
    echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null &&
        echo 'int main(void) { return 0; }' | clang -fsanitize=thread -x c -o /dev/null - 2>/dev/null
}
# A loader and a driver. GPUs' drivers bring their own description.
have_vulkan() {
    [[ $(PATH=$PATH:/sbin ldconfig -p 2>/dev/null) == *libvulkan.so.1* ]] || return
    compgen -G '/usr/share/vulkan/icd.d/*.json' >/dev/null || compgen -G '/etc/vulkan/icd.d/*.json' >/dev/null
}
have_certificates() { [[ -n ${SSL_CERT_FILE-} ]] || compgen -G '/etc/ssl/certs/*' >/dev/null; }
have_venv() { python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }
have_packages() { python3 -c 'import matplotlib, numpy, pandas, pytest, scipy' 2>/dev/null; }
have_python() { have_venv || have_packages; }

# part | tested by | Debian packages | what it is | required?
NEEDS='
build  | have_header omp.h -fopenmp | gcc libc6-dev       | C compiler with OpenMP                      | required
build  | have_cxx               | g++                     | C++ compiler (for nvcc)                     | required
build  | have_make              | make                    | GNU make                                    | required
build  | have_header zlib.h     | zlib1g-dev              | zlib                                        | required
build  | have_boost             | g++ libboost-context-dev | Boost.Context (for the GPU emulator)       | optional
test   | has mpicc && has mpirun | libopenmpi-dev openmpi-bin | MPI (for the tests of several processes) | optional
test   | have_header cmocka.h   | libcmocka-dev           | cmocka (for the unit tests)                 | required
test   | has chromium chromium-browser google-chrome | chromium | Chromium (for the tests of the web page) | optional
clang  | has clang              | clang                   | clang (for sanitizers and fuzzing)          | required
clang  | have_libomp            | libomp-dev              | OpenMP of LLVM (for sanitizers and fuzzing) | required
clang  | have_sanitizers        | libclang-rt-dev         | sanitizers and libFuzzer of LLVM            | required
webgpu | have_vulkan            | mesa-vulkan-drivers     | Vulkan driver (for the WebGPU algorithms)   | optional
run    | has curl               | curl                    | curl (for downloads)                        | optional
run    | have_certificates      | ca-certificates         | CA certificates (for downloads)             | optional
python | have_python            | python3 python3-venv    | Python 3.9 or newer with venv               | required
'

# Prints the unmet needs of the given parts, as "packages | what | required?".
missing() {
    local part test packages what required
    while IFS='|' read -r part test packages what required; do
        part=${part// /}
        [[ -n $part && " $* " == *" $part "* ]] || continue
        [[ $part == python ]] && python_is_ready && continue
        eval "$test" || echo "$packages|$what|$required"
    done <<<"$NEEDS"
}

export DEBIAN_FRONTEND=noninteractive
get_packages() { apt-get install -y --no-install-recommends "$@"; }

# Installs all packages at once, or else one by one, so that a package that this release lacks does not keep out the
# others. If an earlier set-up was interrupted, dpkg must first finish it, or apt-get installs nothing.
apt_install() {
    local package status=0
    dpkg --configure -a && apt-get update || return
    get_packages "$@" && return
    (($# > 1)) || return
    for package in "$@"; do
        get_packages "$package" || status=1
    done
    return $status
}

install_missing() {
    local lacking packages
    lacking=$(missing "$@")
    [[ -n $lacking ]] || return 0
    read -r -a packages <<<"$(cut -d'|' -f1 <<<"$lacking" | tr '\n' ' ')"
    if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
        step "installing ${packages[*]}" apt_install "${packages[@]}" || show_errors '^(Err|W):' '^E:'
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

# The copy of requirements.txt inside .venv is written last. If it is missing or differs, .venv is made anew.
python_is_ready() {
    cmp -s requirements.txt .venv/requirements.txt && .venv/bin/python -c '' 2>/dev/null
}

pip_install() {
    .venv/bin/python -m pip --disable-pip-version-check --retries 2 --timeout 15 install --quiet -r "$1"
}

make_venv() { python3 -m venv .venv && pip_install requirements.txt; }

# If pip cannot install the packages, .venv/bin/python becomes a script that calls a python3 that has them.
stand_in() {
    local python
    python=$(command -v python3)
    say "using $python with its own packages instead; make lint does not work with it"
    rm -rf .venv
    mkdir -p .venv/bin
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$python" >.venv/bin/python
    chmod +x .venv/bin/python
}

make_python() {
    python_is_ready && return
    rm -rf .venv
    if ! have_venv; then
        stand_in
    elif ! step "making .venv from requirements.txt" make_venv; then
        show_errors WARNING ERROR
        have_packages || die "pip cannot install the packages of requirements.txt: see its messages above"
        stand_in
    fi
    cp requirements.txt .venv/requirements.txt
}

# add_optional FILE: adds optional packages. Without them, some tests of the Python package are left out, and gtrav
# has no WebGPU.
add_optional() {
    [[ -x .venv/bin/pip ]] && ! cmp -s "$1" ".venv/$1" || return 0
    if step "adding $1 to .venv" pip_install "$1"; then
        cp "$1" ".venv/$1"
    else
        show_errors WARNING ERROR
        say "going on without the libraries of $1"
    fi
}

# ---- what was asked for ----

case ${1:-all} in
build) parts=(build) ;;
python) parts=(python) ;;
test) parts=(build python webgpu test) ;;
clang) parts=(build python webgpu test clang) ;;
run) parts=(build python run) ;;
webgpu) parts=(python webgpu) ;;
all) parts=(build python webgpu test run) ;;
-h | --help)
    usage
    exit
    ;;
*)
    usage >&2
    exit 2
    ;;
esac

is_asked() { [[ " ${parts[*]} " == *" $1 "* ]]; }
install_missing "${parts[@]}" || exit 1
! is_asked python || make_python
! is_asked test || add_optional requirements-python.txt
! is_asked webgpu || add_optional requirements-webgpu.txt
((steps == 0)) || say "done in $SECONDS s"
