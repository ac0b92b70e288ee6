"""The pocket: pubdice as a folder of files for a browser, play between phones without a house, solvers without
numpy.
"""
