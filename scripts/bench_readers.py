#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import readers

command.run(readers.main)
