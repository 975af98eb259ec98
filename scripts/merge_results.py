#!/usr/bin/env python3
from evaluation import command
from evaluation.analyses import merge

command.run(merge.main)
