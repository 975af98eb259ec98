#!/usr/bin/env bash
# shellcheck disable=SC2317  # the functions of modes are called by name
# run_all.sh: a whole evaluation in one command: set up, build, get graphs, run, merge, draw, say where it all is.
set -euo pipefail
cd "$(dirname "$0")/.."

# A mode is a row here and a function of its name below, which calls the steps with what is its own.
MODES='
mode        | what it does                                       | time          | what it needs
quick_start | every algorithm that can run here, on small graphs | a minute      | 2 cores; a GPU for GPU algorithms
run_warpnet | WarpNet at full size: tables 2, 4, figures 1, 2    | about an hour | a GPU, 16 GB of memory, network
'

quick_start() {
    get_graphs "${list:=dataset/quick_list.csv}"
    experiments "$list" --stand-ins
    emulate dataset/emulator_list.csv
    report warpnet
}

run_warpnet() {
    get_graphs "${list:=dataset/warpnet_list.csv}"
    experiments "$list" --stand-ins --kind undirected --algo bfs
    experiments "$list" --kind acyclic --algo dfs --algo topo
    report warpnet
}

usage() {
    cat <<TEXT
usage: scripts/run_all.sh MODE [option...]

$(sed '/^$/d; s/^/  /' <<<"$MODES")

Graphs that cannot be downloaded are replaced by generated ones like them, which the tables then name.

  --list FILE      graphs of this dataset list instead of the mode's own
  --results DIR    records and merged tables (default: results/MODE)
  --figures DIR    figures (default: figures)
  --offline        do not try to download
  -- WORD...       the rest is given to every run of gtrav, such as --sources 8 --verify all

What is measured already is not measured again: after Ctrl-C, the same command goes on where it was.
GTRAV=FILE in the environment runs that program, and nothing is built.
TEXT
}

# ---- the steps ----

say() {
    echo "== $*" >&2
}

status=0
# Takes note of a step's exit status: after a failure the rest goes on, and the end tells; Ctrl-C ends everything.
count() {
    [[ $1 != 130 ]] || exit 130
    [[ $1 == 0 ]] || status=1
}

step() {
    local code=0
    "$@" || code=$?
    count "$code"
}

set_up() {
    say "setting up and building"
    scripts/setup.sh run
    [[ -n ${GTRAV:-} ]] || make -j"$(nproc)" >/dev/null
    export GTRAV=${GTRAV:-build/gtrav}
    "$GTRAV" --version >&2
    python=.venv/bin/python
}

get_graphs() {
    local no_network=4 code=0
    [[ $offline == no ]] || return 0
    say "getting graphs"
    "$python" scripts/download_graphs.py "$@" || code=$?
    [[ $code == "$no_network" ]] || count "$code"
}

experiments() {
    say "running $*"
    step "$python" scripts/run_experiments.py "$@" --csv "$results" -- "${extra[@]}"
}

# Where there is no GPU, its algorithms run on the emulator, for their answers: the rows say so and enter no table.
emulate() {
    "$GTRAV" --list --json | "$python" -c 'import json, sys
sys.exit(not any(a["emulated"] and not a["available"] for a in json.load(sys.stdin)))' || return 0
    say "GPU algorithms on the emulator"
    step "$python" scripts/run_experiments.py "$1" --emulated --csv "$results" -- --sources 4 --verify all
    say "records in $results/emulator: every result checked; the times are no GPU times"
}

report() {
    local figure_set=$1
    say "merging and drawing"
    step "$python" scripts/merge_results.py "$results"
    step "$python" scripts/tables.py paper --merged "$results/merged"
    for plot in plot/plot_fig_"$figure_set"_*.py; do
        step "$python" "$plot" --merged "$results/merged" --to "$figures"
    done
    say "the fastest on every graph"
    step "$python" scripts/tables.py summary --merged "$results/merged"
    say "records: $results/DEVICE, their log: $results/experiments.log"
    say "merged tables, tables of the paper: $results/merged; figures: $figures"
}

# ---- the command line ----

mode=${1:-}
if [[ $mode == -h || $mode == --help ]]; then
    usage
    exit
fi
names=$(sed '1,2d' <<<"$MODES" | cut -d' ' -f1 | xargs)
if [[ -z $mode || " $names " != *" $mode "* ]]; then
    echo "run_all: not a mode: '$mode'; modes: $names; --help tells more" >&2
    exit 2
fi
shift
list='' results=results/$mode figures=figures offline=no extra=()
while (($#)); do
    case $1 in
    --list) list=${2:?needs a file} && shift 2 ;;
    --results) results=${2:?needs a folder} && shift 2 ;;
    --figures) figures=${2:?needs a folder} && shift 2 ;;
    --offline) offline=yes && shift ;;
    --) shift && extra=("$@") && break ;;
    *) echo "run_all: unknown option '$1'; --help shows what there is" >&2 && exit 2 ;;
    esac
done

set_up
"$mode"
[[ $status == 0 ]] || say "something failed; see the lines with 'failed' above"
exit "$status"
