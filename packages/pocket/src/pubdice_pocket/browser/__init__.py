"""Code that runs in the browser: the application of a house on a folder, called without a network."""
