#!/usr/bin/env python3
from evaluation import command
from evaluation.analyses import tables

command.run(tables.main)
