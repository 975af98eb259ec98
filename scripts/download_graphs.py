#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import download

command.run(download.main)
