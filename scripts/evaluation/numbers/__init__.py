"""The measured numbers: a module a paper, and compare.py, which the papers share.

A function with the decorator of_results measures. It gives an Answer: a number for each graph.
"""
