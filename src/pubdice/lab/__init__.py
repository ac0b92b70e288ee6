"""The lab: matches between bots simulated by the million, and environments for learners; nobody who plays loads it."""
