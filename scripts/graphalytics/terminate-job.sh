#!/usr/bin/env bash
# terminate-job.sh: ends the job of execute-job.sh, if it still runs.
# Usage: terminate-job.sh [--job-id ID] --log-path DIR
set -euo pipefail
declare -A option=([log-path]=.)
for ((; $# >= 2; )); do option[${1#--}]=$2 && shift 2; done
if read -r job <"${option[log-path]}/executable.pid" && [[ $(readlink "/proc/$job/exe") == */gtrav ]]; then
    kill "$job"
fi
