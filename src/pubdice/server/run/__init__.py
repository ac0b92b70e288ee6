"""The house running: uvicorn with our bounds, garbage collection, what is printed when it opens."""
