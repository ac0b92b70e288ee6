"""The terminal: plain lines in and out, made to be read, heard and felt. No cursor tricks, no alternate screen."""
