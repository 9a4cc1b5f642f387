"""What lessons and students use in a notebook: count compiles, time a function, compare two, expect an error."""
