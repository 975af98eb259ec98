"""Measures a campaign, and writes its records below --csv.

What has been measured is not measured again: after Ctrl-C, the same command continues. A run that fails does not stop
the others, and is reported again at the end. Words after -- are given to every run of gtrav:

  scripts/measure.py experiments dataset/quick_list.csv -- --sources 8 --verify all

`scripts/measure.py CAMPAIGN --help` lists the options of a campaign.
Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import argparse
import signal
import sys

from evaluation.campaigns import experiments, loop, msbfs, peers, xbfs
from evaluation.campaigns.runs import add_common_options
from evaluation.command import INTERRUPTED, new_parser, parse_words

CAMPAIGNS = {"experiments": experiments, "msbfs": msbfs, "xbfs": xbfs, "peers": peers}


def campaign_of(words):
    """Returns the campaign of a command line, whose steps loop.run() runs."""
    parser = new_parser(__doc__)
    names = parser.add_subparsers(dest="campaign", required=True, metavar="CAMPAIGN")
    for name, module in CAMPAIGNS.items():
        about, raw = module.__doc__.splitlines()[0], argparse.RawDescriptionHelpFormatter
        one = names.add_parser(name, help=about, description=module.__doc__, formatter_class=raw)
        add_common_options(one)
        module.add_options(one)
    settings = parse_words(parser, words)
    return CAMPAIGNS[settings.campaign].campaign(settings)


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return int(not loop.run(campaign_of(sys.argv[1:]), loop.Status()))
    except loop.Interrupted:
        return INTERRUPTED
