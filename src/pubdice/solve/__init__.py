"""Mathematics over the rules object, without knowledge of any game, one algorithm a file."""
