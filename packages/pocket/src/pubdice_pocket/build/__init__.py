"""The builder of a pocket's folder: plain files, with the same bytes each time for the same commit."""
