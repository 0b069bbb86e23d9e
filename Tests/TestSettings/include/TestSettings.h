// TestSettings declares nothing: it only has to be linked.
