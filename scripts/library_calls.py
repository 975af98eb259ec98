#!/usr/bin/env python3
from evaluation.command import run

run("campaigns.library_calls")
