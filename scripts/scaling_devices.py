#!/usr/bin/env python3
from evaluation import command
from evaluation.campaigns import scaling_devices

command.run(scaling_devices.main)
