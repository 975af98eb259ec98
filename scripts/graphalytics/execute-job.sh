#!/usr/bin/env bash
# execute-job.sh: runs a job of LDBC Graphalytics on a graph of load-graph.sh, and prints its processing time T_p, the
# makespan, both in seconds, and EVPS, edges and vertices a second (an undirected edge counts once).
# Usage: execute-job.sh --algorithm bfs|sssp|wcc [--source-vertex ID] --input-path DIR --output-path FILE
#        [--log-path DIR] [--num-threads N] [other options, which are ignored]
# Environment: GTRAV, the program (default: build/gtrav). The exit status is gtrav's; 2 for another algorithm.
set -euo pipefail
export LC_ALL=C
began=$EPOCHREALTIME
declare -A option=([log-path]=.)
for ((; $# >= 2; )); do option[${1#--}]=$2 && shift 2; done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
algorithm=${option[algorithm],,}
[[ $algorithm == @(bfs|sssp|wcc) ]] ||
    { echo "execute-job.sh: no algorithm '$algorithm' here; bfs, sssp and wcc are there" >&2 && exit 2; }
source=(--source "${option[source-vertex]-}")
[ "$algorithm" != wcc ] || source=(--sources 1)
mkdir -p "${option[log-path]}" "$(dirname "${option[output-path]}")"
report=${option[log-path]}/gtrav.json
"${GTRAV:-$root/build/gtrav}" "$algorithm" "${option[input-path]}/graph.gtrav" "${source[@]}" --verify none \
    ${option[num-threads]:+--threads "${option[num-threads]}"} --quiet --json \
    --output "${option[output-path]}.graphalytics" >"$report" &
echo $! >"${option[log-path]}/executable.pid"
wait $!
mv "${option[output-path]}.graphalytics" "${option[output-path]}"
awk -v began="$began" -v ended="$EPOCHREALTIME" '
    function number(name) {
        return match($0, "\"" name "\": [0-9.]+") ? substr($0, RSTART + length(name) + 4) + 0 : 0
    }
    /"graph":/ { size = number("vertices") + number("edges") / (/"symmetric": true/ ? 2 : 1) }
    /"time_ms":/ && !seconds { seconds = number("time_ms") / 1000 }
    END { printf "T_p %.9g s\nmakespan %.3f s\nEVPS %.6g\n", seconds, ended - began, size / seconds }' "$report"
