"""Code that runs in the browser: the application on a folder, called without a network."""
