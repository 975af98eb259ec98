#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import xbfs

command.run(xbfs.main)
