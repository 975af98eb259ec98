#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import scaling

command.run(scaling.main)
