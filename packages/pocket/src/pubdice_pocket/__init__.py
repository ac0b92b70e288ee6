"""The pocket: pubdice as a folder of files that runs in a browser without a server. It also lets phones play together
without a house, and has solvers that work without numpy.
"""
