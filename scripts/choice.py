#!/usr/bin/env python3
from evaluation.command import run

run("analyses.choice")
