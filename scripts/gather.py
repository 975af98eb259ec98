#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import gather

command.run(gather.main)
