#!/usr/bin/env python3
from evaluation import command
from evaluation.report import report

command.run(report.main)
