#!/usr/bin/env bash
# run_all.sh: runs a whole evaluation. scripts/evaluation/campaigns/modes.py has its modes.
set -euo pipefail
cd "$(dirname "$0")"
command -v python3 >/dev/null || ./setup.sh python
exec python3 -m evaluation.campaigns.run_all "$@"
