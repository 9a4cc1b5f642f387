# %% answer_1
answer_1 = "one"

# %% answer_2
answer_2 = "chosen while tracing"

# %% answer_3
answer_3 = "cond"

# %% answer_4
answer_4 = "once and thrice"

# %% answer_5
answer_5 = "fori loop"

# %% answer_6
answer_6 = "array"

# %% answer_7
answer_7 = "warm and waiting"

# %% answer_8
answer_8 = "three"
