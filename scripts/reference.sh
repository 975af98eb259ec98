#!/usr/bin/env bash
# reference.sh: measures the records of results/nvidia-h200, part by part.
#
# Usage: scripts/reference.sh [PART...]
#
# Without a PART it measures all of them, in the order below: some hours on an H200 and 16 cores.
#
# Environment:
#   RECORDS  the folder to write, with folders as in results/nvidia-h200 (default: results/reference). Records that it
#            holds are not measured again, so the same command continues where it was stopped.
#   REAL     a folder with NAME.mtx of the real graphs in results/nvidia-h200/tables.md; missing graphs are left out
#   GRAPHS   of the part auto: only these graphs, such as "kmer:20 cnr-2000+undirected"
#   SOURCES  of the part auto: how many sources (default: 64)
#   STOP     seconds after which running commands are stopped, and no other starts (default: a day)
#   GTRAV, GTRAV_GRAPHS: as for run_all.sh
#
# A command that fails or takes too long is reported with its status. Exit status: 0 all ran, 1 some failed, 2 an
# unknown part. To add the records to the repository: scripts/add_records.py results/nvidia-h200 RECORDS
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

records=${RECORDS:-results/reference}
gtrav=${GTRAV:-build/gtrav}
stop=${STOP:-86400}
export GTRAV_GRAPHS=${GTRAV_GRAPHS:-$records/graphs}
ablation=berrybees,blest-a,blest-ab,blest-abc,blest-abcd,blest
failed=0

# within SECONDS COMMAND...
within() {
    local seconds=$1 left=$((stop - SECONDS)) status=0
    shift
    [ "$seconds" -lt "$left" ] || seconds=$left
    if [ "$seconds" -gt 0 ]; then
        echo "+ $*"
        timeout -s INT -k 10 "$seconds" "$@" || status=$?
        [ "$status" = 0 ] || echo "reference: status $status after at most $seconds s: $*" >&2
    else
        status=1
        echo "reference: no time left for: $*" >&2
    fi
    [ "$status" = 0 ] || failed=1
}

# measure SECONDS FOLDER WORD...: gtrav with these words; its records go to the folder
measure() {
    local seconds=$1 folder=$2
    shift 2
    within "$seconds" "$gtrav" "$@" --csv "$records/$folder" --quiet
}

# as_paper SECONDS FOLDER WORD...: the same with mode=paper
as_paper() { measure "$@" --set mode=paper; }

# each FUNCTION GRAPH...: calls the function with the words for each graph, a generator's spec or the name of a real
# graph, to which +undirected may be added
each() {
    local graph file words
    for graph in "${@:2}"; do
        file=${REAL:-}/${graph%+undirected}.mtx words=(--cache)
        [[ $graph != *+undirected ]] || words+=(--undirected)
        if [[ $graph == *:* ]]; then
            "$1" "$graph"
        elif [ -f "$file" ]; then
            "$1" "$file" "${words[@]}"
        fi
    done
}

# rivals SECONDS GRAPH SOURCES PEER...: programs of other authors
rivals() {
    local seconds=$1 graph=$2 sources=$3
    shift 3
    within "$seconds" scripts/measure.py peers --graph "$graph" --sources "$sources" --csv "$records/peers" \
        --timeout $((seconds / 2)) --gtrav "$gtrav" "${@/#/--peer=}"
}

# All modes of the papers, on the graphs of their lists or the graphs that replace them.
papers() {
    local name
    for name in blest warpnet diggerbees xbfs ibfs; do
        within 7200 scripts/run_all.sh paper "$name" --results "$records" --offline --time-limit 4
    done
}

# results/nvidia-h200/tables.md: the fastest searches beside one thread and all cores, from 64 sources.
fastest() {
    each fastest_on luxembourg_osm motorBike web-NotreDame fb100-Oklahoma97 ego-twitter USA-road-d.FLA \
        cnr-2000{,+undirected} USA-road-d.NE gitobj-uboot{,+undirected} gitobj-git{,+undirected} \
        road:17 rgg:20 grid:2048x2048 delaunay:20 kron:20 urand:20 kron:22 urand:22 kron:24 road:21
}

fastest_on() {
    measure 40 fastest bfs "$@" --variant auto,gap,slices,dobfs,khop,blest --time-limit 2
    measure 15 fastest bfs "$@" --variant serial --time-limit 2
    measure 20 fastest dfs "$@" --variant handoff,v4,ckl,acr --time-limit 2
    measure 15 fastest dfs "$@" --variant serial --time-limit 2
}

# DiggerBees and its rivals, including programs of other authors, on graphs of the paper's sizes.
diggerbees() {
    local graph
    for graph in road:22 delaunay:24 grid:3987x3987 rgg:24 kron:22:10 kron:20:57 web:20:5 kron:18:2 road:17 rgg:20 \
        kron:20 kron:22 kron:19:15 kron:21:8 kron:18:5 delaunay:18 mesh:65 kron:21:7; do
        dfs_and_rivals "$graph"
        rivals 50 "$graph" 8 sc15-ckl sc15-acr
    done
    each dfs_and_rivals luxembourg_osm cnr-2000 web-NotreDame ego-twitter USA-road-d.FLA USA-road-d.NE
    for graph in delaunay:14 mesh:17 kron:14:2; do
        measure 35 run_subset dfs "$graph" --variant nvg --set limit-s=30 --sources 2
        as_paper 5 run_subset dfs "$graph" --variant v4 --sources 2
    done
}

dfs_and_rivals() {
    as_paper 10 run_subset dfs "$@" --variant v3,v4 --sources 8 --time-limit 2
    measure 30 run_subset dfs "$@" --variant handoff,v4,ckl,acr --sources 8 --time-limit 1
    measure 15 run_subset bfs "$@" --variant queue,berrybees --sources 8 --time-limit 2
}

# Blest on the graphs that replace GAP-twitter and GAP-web, which dataset/blest_list.csv leaves out.
blest() {
    local graph
    for graph in kron:26:11 web:26:30; do
        as_paper 200 run_blest bfs "$graph" --variant "$ablation,auto,queue,gap" --sources 16 --time-limit 2
    done
}

# 256 searches at once, and closeness.
blest_many() {
    local graph
    for graph in mesh:200x200x200:7 mesh:303 web:25:28; do
        as_paper 125 msbfs/batches-256 msbfs "$graph" --variant blest-naive,blest-a,blest-ab,blest --sources 256
    done
    for graph in kron:20 urand:20 kron:22 kron:22:9 kron:21:57; do
        measure 60 msbfs/closeness-1 closeness "$graph"
    done
}

# bfs auto at its defaults beside its engines, in the order of the input: levels, then parents.
graphs_of_auto=(luxembourg_osm t60k finan512 motorBike caidaRouterLevel dblp-2010 coAuthorsDBLP USA-road-d.NY
    USA-road-d.FLA USA-road-d.NE ego-twitter fb100-Oklahoma97 soc-Slashdot0902{,+undirected}
    soc-Epinions1{,+undirected} cit-HepPh{,+undirected} cnr-2000{,+undirected} web-NotreDame{,+undirected}
    gitobj-git{,+undirected} gitobj-uboot{,+undirected}
    kron:18 kron:20 kron:22 kron:23:8 graph500:22 urand:20 urand:22 urand:22:4 urand:23 urand:24:8 web:20 web:22
    snb:10 snb:30 snb:100 mawi:20 mawi:22 star:5000000 tree:20000000 kmer:18 kmer:20 kmer:22 road:17 road:19 rgg:20
    rgg:22 delaunay:20 delaunay:22 grid:1024x1024 grid:2048x2048 mesh:128 mesh:200:7
    kron:22:64 kron:24 kron:26 urand:24 web:25:28 road:21 rgg:24 delaunay:24 mesh:303 mesh:346:7 kmer:25)
auto() {
    local wanted
    read -ra wanted <<<"${GRAPHS:-${graphs_of_auto[*]}}"
    each auto_on "${wanted[@]}"
}

auto_on() {
    local parents engines=auto,queue,dobfs,blest,slices,khop
    for parents in "" --output-parents; do
        measure 120 choice bfs "$@" --variant "$engines" --reorder natural --sources "${SOURCES:-64}" --time-limit 2 \
            ${parents:+"$parents"}
    done
}

# Searches by WebGPU.
webgpu() {
    local graph row
    for graph in kron:16 kron:20 road:13 snb:10; do
        measure 30 webgpu bfs "$graph" --device webgpu --sources 16 --time-limit 2
    done
    for row in never 16 64 256; do
        measure 15 webgpu bfs kron:20 --device webgpu --set "high-degree-above=$row" --sources 16
    done
}

# Programs of other authors; scripts/build_peer.py builds them.
peers() {
    local graph
    for graph in kron:20 kron:22 road:17 rgg:20; do
        rivals 300 "$graph" 8 blest-authors blest-authors-natural gunrock gswitch gapbs ligra enterprise-authors \
            xbfs-authors xbfs-authors-whole
    done
    for graph in kron:22:2 kron:22:4 kron:22:9 kron:21:57 urand:22:4; do
        rivals 60 "$graph" 8 enterprise-authors gunrock gswitch xbfs-authors xbfs-authors-whole ligra
    done
    for graph in rgg:24 mesh:303 mesh:346:7 kmer:25 mawi:28 web:25:28; do
        rivals 200 "$graph" 2 gswitch gunrock
    done
    rivals 200 web:26:30 2 gswitch
    for graph in kron:20 urand:20 kron:22 urand:22 kron:24 rgg:20 road:17 road:21; do
        rivals 200 "$graph" 8 {cugraph,doublegraph}{,-topdown,-parents,-parents-topdown} tigr dawn
    done
}

parts=(papers fastest diggerbees blest blest_many auto webgpu peers)
if [ "${1-}" = -h ] || [ "${1-}" = --help ]; then
    sed -n '2,/^[^#]/s/^# \?//p' scripts/reference.sh
    echo "Parts: ${parts[*]}"
    exit
fi
[ $# -gt 0 ] || set -- "${parts[@]}"
for part in "$@"; do
    case " ${parts[*]} " in
        *" $part "*) ;;
        *)
            echo "reference: no part $part; there is: ${parts[*]}" >&2
            exit 2
            ;;
    esac
done
mkdir -p "$records" "$GTRAV_GRAPHS"
for part in "$@"; do
    "$part"
    echo "reference: $part done after $SECONDS s"
done
exit $failed
