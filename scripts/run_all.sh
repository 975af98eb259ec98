#!/usr/bin/env bash
# run_all.sh: a whole evaluation in one command. Its modes: scripts/evaluation/campaigns/modes.py.
set -euo pipefail
cd "$(dirname "$0")"
command -v python3 >/dev/null || ./setup.sh python
exec python3 -m evaluation.campaigns.run_all "$@"
