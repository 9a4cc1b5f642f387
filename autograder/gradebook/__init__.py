"""nbgrader, given our records: release, marks, feedback and the table of scores.

nbgrader reads marks from the outputs of cells. Here it never does: its converters are subclassed (`autograde`), so that
the notebook it keeps is built from an evaluation, and the marks in its database are those of the same evaluation.
"""
