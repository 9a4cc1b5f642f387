"""What an exported program consists of and does: opened, described, changed and run as StableHLO operations.

`structure` alone is for the grader, and imports no JAX; the other modules work in the replay box.
"""
