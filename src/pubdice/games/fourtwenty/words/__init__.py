"""What 420 says: play is what is said at the table, answers what questions are answered with."""
