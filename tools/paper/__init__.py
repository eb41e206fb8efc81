"""The book as files to keep, print and annotate: PDF (`paper.pdf`) and EPUB (`paper.epub`), from the pages as built."""
