"""Code that runs in the browser: the application of a house whose files are in a folder. It is called without a
network.
"""
