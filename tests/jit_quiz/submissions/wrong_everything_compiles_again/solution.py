# %% answer_1
answer_1 = "three"

# %% answer_2
answer_2 = "three"

# %% answer_3
answer_3 = "first branch"

# %% answer_4
answer_4 = "cond"

# %% answer_5
answer_5 = "both thrice"

# %% answer_6
answer_6 = "fori loop"

# %% answer_7
answer_7 = "array"

# %% answer_8
answer_8 = "warm and waiting"
