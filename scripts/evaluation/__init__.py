"""The evaluation of gtrav, which the commands in scripts/ and the plots in plot/ run.

campaigns    what is measured
analyses     tables, and what else is made of the records
numbers      the numbers that the papers' claims are tested by
claims       what the papers claim, and the verdicts
report       report.md, which says which claims hold, and which algorithm to use

Records become Results (results.py) by the rules of trusted.py. All else asks Results for the rows of a Method
(methods.py), and compares them by comparison.py.
"""
