#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import peers

command.run(peers.main)
