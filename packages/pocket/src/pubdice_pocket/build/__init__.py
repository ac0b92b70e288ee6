"""The builder of a pocket house's folder: plain files, the same bytes from the same commit."""
