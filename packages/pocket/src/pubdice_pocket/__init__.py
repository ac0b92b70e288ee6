"""The pocket: pubdice as a folder of files that a browser runs, phones without a house, and solvers without numpy."""
