"""Live tables: each a hub in memory, made from its log; presence, bots, timers. Knows no HTTP."""
