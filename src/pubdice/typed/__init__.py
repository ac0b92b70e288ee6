"""What people type at a table, on a keyboard in the terminal or in the field of a page: one grammar for both.

``grammar`` reads a line and finds the dice it names, ``answers`` says why a line was not understood. Nothing here
changes a table.
"""
