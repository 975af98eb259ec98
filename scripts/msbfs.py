#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import msbfs

command.run(msbfs.main)
