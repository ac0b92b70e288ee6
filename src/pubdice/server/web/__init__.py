"""The parts that every request passes, and that every page is made of: guard, limits, browser, routes, templates and
files.
"""
