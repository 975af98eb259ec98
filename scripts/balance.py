#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import balance

command.run(balance.main)
