"""Live tables, each one actor over its log: commands, presence, bots, timers, streams and views. Knows no HTTP."""
