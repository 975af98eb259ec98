"""The measured numbers: a module a paper, and compare.py, which the papers share.

A function that begins with the parameter `results` measures; the tests of claims leave it out. It gives an Answer:
a number for each graph.
"""
