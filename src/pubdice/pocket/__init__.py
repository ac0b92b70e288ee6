"""The house in a browser: a folder of files that any static host serves, and that works without a network."""
