"""A house of many processes as a network of queues: what it costs, simulated and by formula."""
