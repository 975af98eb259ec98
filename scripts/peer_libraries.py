#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import peer_libraries

command.run(peer_libraries.main)
