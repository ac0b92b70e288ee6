"""What every request passes, and what every page is made of: guard, limits, browser, routes, templates and files."""
