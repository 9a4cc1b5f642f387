"""A course folder, what students handed in for it, and the notebook that is made of that."""
