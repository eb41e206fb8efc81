"""The same answers sooner, or where double precision is short: one file an algorithm, and what proves an answer."""
