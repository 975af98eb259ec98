#!/usr/bin/env bash
# shellcheck disable=SC2317  # the functions of modes are called by name
# run_all.sh: a whole evaluation in one command: set up, build, get graphs, run, merge, draw, say where it all is.
set -euo pipefail
cd "$(dirname "$0")/.."

# A mode is a row here and a function of its name below, which calls the steps with what is its own.
MODES='
mode            | what it does                                       | time          | what it needs
quick_start     | every algorithm that can run here, on small graphs | two minutes   | 2 cores; a GPU for GPU algorithms
run_subset      | DiggerBees and its rivals: figures 5, 6, 8         | about an hour | a GPU, 16 GB of memory, network
run_bench       | the same on all 234 graphs: figures 5, 6, 7        | days          | a GPU, 128 GB of memory, 600 GB of disk
run_balance     | tasks of the blocks of DiggerBees: figure 9        | some minutes  | a GPU; the emulator for small graphs
run_sensitivity | DiggerBees under nine pairs of cutoffs: figure 10  | half an hour  | a GPU, 16 GB of memory, network
run_warpnet     | WarpNet at full size: tables 2, 4, figures 1, 2    | about an hour | a GPU, 16 GB of memory, network
run_blest       | Blest: tables 1, 2, 4, 5, 7, 8, figures 4, 5       | an hour       | a GPU; the emulator for small graphs
run_msbfs       | many sources: tables 3, 6, 8 of Blest, IBFS        | half an hour  | a GPU; the emulator for small graphs
run_xbfs        | XBFS: table 2, figures 5 and 9 to 15               | half an hour  | a GPU; the emulator for small graphs
run_user LIST   | all that can run here, on graphs of your own       | as they are   | a list: dataset/README.md says how
'

quick_start() {
    get_graphs "${list:=dataset/quick_list.csv}"
    experiments "$list" --stand-ins
    emulate dataset/emulator_list.csv
    many "$results/many" --small
    xbfs "$results/xbfs" --small --graph kron:9
    peers "$list" --first 1 --sources 2
    merge
    paper_tables
    draw warpnet_1 warpnet_2 5 6 8 "${figures_of_many[@]}" xbfs_5 xbfs_11 xbfs_15
    conclude
}

# Six representative graphs; all twelve with --list dataset/rep12_graphs.csv
run_subset() {
    get_graphs "${list:=dataset/rep_graphs.csv}"
    experiments "$list" --stand-ins --algo dfs:ckl,acr,nvg,v1,v2,v3,v4,v5
    mode_words=(--device gpu)
    experiments "$list" --stand-ins --algo bfs
    merge
    draw 5 6 8
    conclude
}

# Far more than anybody waits for: scripts/slurm/evaluation.sbatch shares it among jobs.
run_bench() {
    get_graphs "${list:=dataset/benchmark_list.csv}"
    experiments "$list" --stand-ins --algo dfs:ckl,acr,nvg,v4,v5
    experiments "$list" --stand-ins --algo bfs:gap,warp,berrybees,blest,xbfs,auto
    representative=dataset/rep12_graphs.csv
    merge
    draw 5 6 7
    conclude
}

# A list of the user's own, whose graphs may be files of theirs.
run_user() {
    get_graphs "$list"
    experiments "$list" --stand-ins
    peers "$list"
    merge
    paper_tables
    draw warpnet_1 warpnet_2 5 6 8
    conclude
}

run_balance() {
    local tasks
    [[ -z $list ]] || lists=(--list "$list")
    get_graphs "${list:-dataset/rep_graphs.csv}"
    [[ -n $given ]] || make counting >/dev/null
    for policy in 0 1; do
        measure "counting tasks, balance-policy $policy" scripts/balance.py --policy "$policy" \
            --gtrav "${given:-build/balance/gtrav}" --csv "$results" "${lists[@]}" -- "${extra[@]}"
    done
    draw 9
    reproduction_report
    tasks=$(find "$results" -type d -name 'balance_*')
    say "tasks of every block: $(listed "$tasks"); figure: $figures"
}

run_sensitivity() {
    get_graphs "${list:=dataset/rep_graphs.csv}"
    for hot in 16 32 64; do
        for cold in 32 64 128; do
            mode_words=(--set "hot-cutoff=$hot" --set "cold-cutoff=$cold")
            experiments "$list" --stand-ins --algo dfs:v4
        done
    done
    merge
    draw 10
    conclude
}

run_warpnet() {
    get_graphs "${list:=dataset/warpnet_list.csv}"
    experiments "$list" --stand-ins --kind undirected --algo bfs
    experiments "$list" --kind acyclic --algo dfs --algo topo
    merge
    paper_tables
    draw warpnet_1 warpnet_2
    conclude
}

# Graphs of the paper's and generated ones; its own fourteen, 300 GB as text, with --list dataset/blest14_graphs.csv
run_blest() {
    local where=(--stand-ins) always=() timed=yes order window direction
    if gpu_is_here; then
        get_graphs "${list:=dataset/blest_list.csv}"
    elif emulator_is_here; then
        say "no GPU here: small graphs on the emulator, whose times are no GPU times"
        : "${list:=dataset/emulator_list.csv}"
        where=(--emulated) always=(--set lazy-above=0) timed=no
    else
        give_up "run_blest needs a GPU, or the emulator; quick_start runs without either"
    fi
    mode_words=()
    experiments "$list" "${where[@]}" --algo bfs:gap,queue,bitmap,warp,stream,kball,auto
    mode_words=("${always[@]}")
    experiments "$list" "${where[@]}" --algo bfs:berrybees,blest-a,blest-ab,blest-abc,blest-abcd,blest
    for order in random rcm jaccard; do
        mode_words=(--reorder "$order" "${always[@]}")
        experiments "$list" "${where[@]}" --algo bfs:blest-ab,blest
    done
    for window in 256 1024 4096 16384 65536 262144; do
        mode_words=(--reorder "jaccard:$window" "${always[@]}")
        experiments "$list" "${where[@]}" --kind scale-free --algo bfs:blest
    done
    for direction in switch=never switch=auto "switch=always --set eta=1048576"; do
        # shellcheck disable=SC2206  # the last one is several words
        mode_words=(--set trace=1 --set $direction "${always[@]}")
        experiments "$list" "${where[@]}" --kind shallow --algo bfs:blest
    done
    if [[ $timed == yes ]]; then
        merge
        finish "$python" scripts/tables.py blest --merged "$results/merged"
        draw blest_4 blest_5
    fi
    tell_where
}

# Graphs that are generated, and two of Blest's; closeness on several GPUs with --gpus 1,2,4
run_msbfs() {
    local how=(--stand-ins)
    [[ -z $list ]] || lists=(--list "$list")
    if gpu_is_here; then
        get_graphs "${list:-dataset/msbfs_list.csv}"
        [[ -n $list ]] || get_graphs dataset/closeness_list.csv
    else
        say "no GPU here: small graphs, on the emulator and the CPU; the emulator's times are no GPU times"
        how=(--small)
    fi
    many "$results" "${how[@]}" "${lists[@]}" "${gpus[@]}" -- "${extra[@]}"
    finish "$python" scripts/tables.py msbfs --results "$results" --merged "$results/merged"
    draw "${figures_of_many[@]}"
    tell_where
}

# The paper's graphs; those that are not here are replaced by generated ones
run_xbfs() {
    local how=(--stand-ins)
    [[ -z $list ]] || lists=(--list "$list")
    if gpu_is_here; then
        get_graphs "${list:-dataset/xbfs_list.csv}"
    elif emulator_is_here; then
        say "no GPU here: small graphs on the emulator, whose times are no GPU times"
        how=(--small)
    else
        give_up "run_xbfs needs a GPU, or the emulator; quick_start runs without either"
    fi
    xbfs "$results" "${how[@]}" "${lists[@]}" -- "${extra[@]}"
    finish "$python" scripts/tables.py xbfs --results "$results" --merged "$results/merged"
    draw "${figures_of_xbfs[@]}"
    tell_where
}

usage() {
    cat <<TEXT
usage: scripts/run_all.sh MODE [option...]

$(sed '/^$/d; s/^/  /' <<<"$MODES")

Graphs that cannot be downloaded are replaced by generated ones like them, which the tables then name.

  --list FILE      graphs of this dataset list instead of the mode's own
  --results DIR    records and merged tables (default: results/MODE)
  --figures DIR    figures (default: figures in the folder of the records)
  --offline        do not try to download
  --base PLACE     download from this mirror or local folder; scripts/download_graphs.py --help tells more
  --gpus N[,N...]  run_msbfs: closeness on so many GPUs, one number after the other
  --share I/N      measure only the I-th of N shares of the graphs, from 0 on, to DIR/share-I; neither merge nor draw
  --gather         measure nothing: put together what the shares have measured, merge and draw
  -- WORD...       the rest is given to every run of gtrav, such as --sources 8 --verify all

What is measured already is not measured again: after Ctrl-C, the same command goes on where it was. One graph's
failure does not stop the rest. DIR/status.csv says what is done, what failed and why, and what is left.
A mode that needs a GPU ends at once with exit status 3 where there is none.
GTRAV=FILE in the environment runs that program, and nothing is built.
TEXT
}

# ---- the steps ----

# A mode's function is called twice. The first time, the phase is plan: what it measures is only named, in the status file.
# Then it is all: or work, which leaves out what comes after measuring, or finish, which is only that.
phase=plan
given=${GTRAV:-}

say() {
    [[ $phase == plan ]] || echo "== $*" >&2
}

give_up() {
    echo "== $*" >&2
    exit 3
}

status=0
# Takes note of a step's exit status: after a failure the rest goes on, and the end tells; Ctrl-C ends everything.
count() {
    [[ $1 != 130 ]] || exit 130
    [[ $1 == 0 ]] || status=1
}

measuring() {
    [[ $phase == all || $phase == work ]]
}

finishing() {
    [[ $phase == all || $phase == finish ]]
}

# A script that measures, after a line about it: it keeps the status file.
measure() {
    local about=$1 script=$2 code=0
    shift 2
    if [[ $phase == plan ]]; then
        "$python" "$script" --status "$states" "${share[@]}" --plan "$@" || exit
    elif measuring; then
        say "$about"
        "$python" "$script" --status "$states" "${share[@]}" "$@" || code=$?
        count "$code"
    fi
}

# What comes after measuring.
finish() {
    local code=0
    finishing || return 0
    "$@" || code=$?
    count "$code"
    [[ $code == 0 ]] || "$python" scripts/status.py "$states" failed "${*:2}" "it ended with status $code"
}

set_up() {
    echo "== setting up and building" >&2
    scripts/setup.sh run
    [[ -n ${GTRAV:-} ]] || make -j"$(nproc)" >/dev/null
    export GTRAV=${GTRAV:-build/gtrav}
    "$GTRAV" --version >&2
    python=.venv/bin/python
}

get_graphs() {
    local no_network=4 code=0
    [[ $offline == no ]] && measuring || return 0
    say "getting graphs"
    "$python" scripts/download_graphs.py "$@" "${base[@]}" || code=$?
    [[ $code == "$no_network" ]] || count "$code"
}

mode_words=() # for gtrav, by the mode
experiments() {
    measure "running $* ${mode_words[*]}" scripts/run_experiments.py "$@" --csv "$results" -- "${mode_words[@]}" "${extra[@]}"
}

# Whether what there is to measure is measured on a GPU; what shares have measured was, wherever it is gathered.
gpu_is_here() {
    [[ $phase != finish ]] || return 0
    lists_one '"device": *"gpu"[^}]*"available": *true'
}

# Whether the emulator can stand in for a GPU that is not here.
emulator_is_here() {
    lists_one '"available": *false[^}]*"emulated": *true'
}

# Whether gtrav lists an algorithm that matches. Python need not be set up yet.
lists_one() {
    "$GTRAV" --list --json | tr '\n' ' ' | grep -E "$1" >/dev/null
}

# As far as can be told before anything is built.
gpu_may_be_here() {
    if [[ -n $given ]]; then
        gpu_is_here
    else
        nvidia-smi -L >/dev/null 2>&1 || compgen -G '/dev/nvidia[0-9]*' >/dev/null || [[ -e /dev/dxg ]]
    fi
}

# The modes that need a GPU, and have nothing to do without: those whose row says so.
needs_gpu() {
    grep -qE "^$mode( LIST)? *\\|.*\\| a GPU,[^|]*$" <<<"$MODES"
}

refuse_without_gpu() {
    give_up "$mode needs a GPU, and gtrav finds none here; quick_start runs without one"
}

# Where there is no GPU, its algorithms run on the emulator, for their answers: the rows say so and enter no table.
emulate() {
    emulator_is_here || return 0
    measure "GPU algorithms on the emulator" scripts/run_experiments.py "$1" --emulated --csv "$results" -- \
        --sources 4 --verify all
    say "records in $results/emulator: every result checked; the times are no GPU times"
}

# Searches from many sources, records below a folder.
many() {
    measure "many sources at once: ${*:2}" scripts/msbfs.py --csv "$@"
}

# XBFS's parts, records below a folder.
xbfs() {
    measure "XBFS: ${*:2}" scripts/xbfs.py --csv "$@"
}

# Other programs on the same graphs, those that are here.
peers() {
    [[ $offline == yes ]] || ! measuring || scripts/setup.sh peers
    measure "other programs on the same graphs" scripts/peers.py "$@" --stand-ins --csv "$results"
}

representative='' # the list of the graphs that stand for all, if it is not the mode's
merge() {
    ! finishing || say "merging and drawing"
    finish "$python" scripts/merge_results.py "$results" --representative "${representative:-$list}"
}

paper_tables() {
    finish "$python" scripts/tables.py paper --merged "$results/merged"
}

figures_of_many=(blest_table_6 ibfs_5_1 ibfs_5_4 ibfs_5_16 ibfs_5_17)
figures_of_xbfs=(xbfs_5 xbfs_9 xbfs_10 xbfs_11 xbfs_12 xbfs_13 xbfs_14 xbfs_15)
draw() {
    finish "$python" plot/draw.py "$@" --results "$results" --to "$figures"
}

conclude() {
    ! finishing || say "the fastest on every graph"
    finish "$python" scripts/tables.py summary --merged "$results/merged"
    tell_where
}

reproduction_report() {
    ! finishing || say "what holds of the papers' claims"
    finish "$python" scripts/report.py --results "$results"
}

tell_where() {
    reproduction_report
    local records made=()
    records=$(find "$results" \( -name merged -o -name trials -o -name 'share-*' \) -prune \
        -o \( -name '*_perf.csv' -o -name '*_pairs.csv' \) -printf '%h\n' | sort -u)
    say "records: $(listed "$records"); their log: $results/experiments.log"
    [[ ! -d $results/merged ]] || made+=("tables: $results/merged")
    [[ ! -d $figures ]] || made+=("figures: $figures")
    ! finishing || [[ ${#made[@]} == 0 ]] || say "$(listed "$(printf '%s\n' "${made[@]}")")"
}

# Lines as words with commas between; "none" if there are none.
listed() {
    [[ -n $1 ]] && paste -sd, <<<"$1" | sed 's/,/, /g' || echo none
}

# However it ends.
tell_status() {
    local code=$?
    [[ $phase == plan ]] || "$python" scripts/status.py "$states" show >&2 || code=$((code ? code : 1))
    exit "$code"
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
list='' lists=() gpus=() base=() share=() results=results/$mode figures='' offline=no after_plan=all extra=()
if [[ $mode == run_user && -n ${1:-} && $1 != -* ]]; then
    list=$1 && shift
fi
while (($#)); do
    case $1 in
    --list) list=${2:?needs a file} && shift 2 ;;
    --results) results=${2:?needs a folder} && shift 2 ;;
    --figures) figures=${2:?needs a folder} && shift 2 ;;
    --offline) offline=yes && shift ;;
    --base) base=(--base "${2:?needs an address or a folder}") && shift 2 ;;
    --gpus) gpus=(--gpus "${2:?needs numbers}") && shift 2 ;;
    --share) share=(--share "${2:?needs I/N}") after_plan=work && shift 2 ;;
    --gather) after_plan=finish && shift ;;
    --) shift && extra=("$@") && break ;;
    *) echo "run_all: unknown option '$1'; --help shows what there is" >&2 && exit 2 ;;
    esac
done
if [[ $mode == run_user && -z $list ]]; then
    echo "run_all: run_user needs a list of graphs; dataset/README.md says how to make one" >&2
    exit 2
fi
if [[ -n $list && ! -f $list ]]; then
    echo "run_all: no list $list in $PWD; dataset/README.md says how to make one" >&2
    exit 2
fi
if [[ $after_plan != finish ]] && needs_gpu && ! gpu_may_be_here; then
    refuse_without_gpu
fi
: "${figures:=$results/figures}"

trap 'exit 130' TERM # once the step that is on has ended, which is told so too
set_up
if [[ $after_plan != finish ]] && needs_gpu && ! gpu_is_here; then
    refuse_without_gpu # of a build without nvcc
fi
[[ $after_plan != work ]] || results=$results/share-${share[1]%/*}
mkdir -p "$results"
states=$results/status.csv
if [[ $after_plan == finish ]]; then
    "$python" scripts/gather.py "$results"
else
    "$python" scripts/status.py "$states" begin
    "$mode"
    "$python" scripts/status.py "$states" settle
fi
mode_words=() representative=''
phase=$after_plan
trap tell_status EXIT
"$mode"
[[ $status == 0 ]] || say "something failed; see the lines with 'failed' above"
exit "$status"
