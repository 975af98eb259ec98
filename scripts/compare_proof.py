#!/usr/bin/env python3
from evaluation.command import run

run("campaigns.compare_proof")
