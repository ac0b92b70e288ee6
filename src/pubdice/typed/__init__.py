"""What people type at a table, on a keyboard in the terminal or in the field of a page: one grammar for both.

``grammar`` reads a line, ``marks`` finds the dice it names, ``words`` says what it could not mean. Nothing is done.
"""
