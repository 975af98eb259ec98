#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import status

command.run(status.main)
