"""What ``import pubdice`` gives: matches played move by move, exact answers, and pictures of dice."""
