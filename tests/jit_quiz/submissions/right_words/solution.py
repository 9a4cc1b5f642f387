# %% answer_1
answer_1 = "three"

# %% answer_2
answer_2 = "one"

# %% answer_3
answer_3 = "chosen while tracing"

# %% answer_4
answer_4 = "cond"

# %% answer_5
answer_5 = "once and thrice"

# %% answer_6
answer_6 = "fori loop"

# %% answer_7
answer_7 = "array"

# %% answer_8
answer_8 = "warm and waiting"
