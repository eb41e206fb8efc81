"""linclass: linear classification, formula by formula."""
