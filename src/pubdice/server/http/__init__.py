"""Requests and answers: the guard, limits, cookies, routes and refusals. Knows HTTP, and no rules."""
