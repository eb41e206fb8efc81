"""Where rows come from: memory, a mapped file, a stream of blocks, Dask."""
