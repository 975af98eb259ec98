#!/usr/bin/env python3
from evaluation import command
from evaluation.analyses import figures

command.run(figures.main)
