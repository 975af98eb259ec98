"""The evaluation of gtrav, which the commands in scripts/ and the plots in plot/ run.

campaigns    what is measured
analyses     what is made of the records
claims       what the papers claim
report       which claims hold
"""
