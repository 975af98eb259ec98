#!/usr/bin/env bash
# sanitize.sh: every kernel under every tool of compute-sanitizer, on small graphs; `make test-gpu` runs it on a GPU machine.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: tests/kernels/sanitize.sh BUILD

  BUILD   folder of the build: BUILD/gtrav and BUILD/tests/kernels/test_backend_cuda

One line per tool and program; exit status 1 if a tool reports what is not explained in results/nvidia-h200/test-gpu.md.
TEXT
}

[[ ${1:-} != -h && ${1:-} != --help ]] || { usage; exit; }
build=${1:?folder of the build; --help tells more}
sanitizer=$(command -v compute-sanitizer) || { echo "sanitize: no compute-sanitizer here; it comes with the CUDA Toolkit" >&2; exit 3; }
seconds=120 # for one program under one tool
small=(--sources 2 --verify all --quiet --set block-size=64 --set blocks-per-sm=1)
status=0

# The program's own result, and that the tool has nothing to report but what the pattern, of lines, allows.
check() {
    local tool=$1 label=$2 allowed=$3 log code=0 reports
    shift 3
    log=$(timeout "$seconds" "$sanitizer" --tool "$tool" "$@" 2>&1) || code=$?
    reports=$(grep -E '^=+ +(Error|Warning|Invalid|Program hit|Uninitialized|Barrier error|Race)' <<<"$log" | grep -vcE "$allowed" || true)
    if [[ $code != 0 || $reports != 0 ]] || ! grep -q 'SUMMARY' <<<"$log"; then
        echo "$tool, $label: FAILED (status $code, $reports reports)"
        grep -E '^=' <<<"$log" | head -20
        status=1
    else
        echo "$tool, $label: clean"
    fi
}

none='^$'
for tool in memcheck racecheck synccheck initcheck; do
    # Calls that are refused on purpose; a flag in shared memory that two warps poll on purpose (volatile, fenced).
    check "$tool" "the backend's primitives" 'Program hit cudaError(InvalidValue|MemoryAllocation)|ping_pong_shared' \
        "$build/tests/kernels/test_backend_cuda"
    while IFS=$'\t' read -r family variant; do
        graphs=(--graph kron:8 --graph path:40 --graph star:100)
        [[ $family != topo ]] || graphs=(--graph dag:200:0.2)
        check "$tool" "$family $variant" "$none" \
            "$build/gtrav" --algo "$family" --variant "$variant" "${graphs[@]}" "${small[@]}"
    done < <("$build/gtrav" --list --json | python3 -c 'import json, sys
for a in json.load(sys.stdin):
    if a["device"] == "gpu":
        print(a["family"], a["variant"], sep="\t")')
done
exit $status
