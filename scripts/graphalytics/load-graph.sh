#!/usr/bin/env bash
# load-graph.sh: keeps a graph of LDBC Graphalytics in gtrav's binary form, as its benchmark suite asks a platform to.
# Usage: load-graph.sh --graph-name NAME --input-vertex-path FILE --input-edge-path FILE --output-path DIR
#        --directed true|false --weighted true|false
# Environment: GTRAV, the program (default: build/gtrav).
set -euo pipefail
declare -A option
for ((; $# >= 2; )); do option[${1#--}]=$2 && shift 2; done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
words=()
[ "${option[directed]}" = true ] || words+=(--undirected)
[ "${option[weighted]}" = false ] || words+=(--weights auto)
mkdir -p "${option[output-path]}"
"${GTRAV:-$root/build/gtrav}" "${option[input-edge-path]}" --vertices "${option[input-vertex-path]}" --ids any \
    --header-counts no "${words[@]}" --write "${option[output-path]}/graph.gtrav"
