#!/usr/bin/env python3
from evaluation import command
from evaluation.claims import claims

command.run(claims.main)
