"""The parts of every request and every page: guard, limits, browser, routes, templates and files."""
