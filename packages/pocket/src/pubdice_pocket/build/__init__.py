"""The builder of the folder of a pocket house: plain files, the same bytes from the same commit."""
