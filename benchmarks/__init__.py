"""How fast the learners are beside the tools a reader would use instead. Run `python -m benchmarks`."""
