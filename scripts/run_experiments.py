#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import experiments

command.run(experiments.main)
