# %% answer_1
answer_1 = "three"

# %% answer_3
answer_3 = "chosen while tracing"

# %% answer_5
answer_5 = "once and thrice"

# %% answer_7
answer_7 = "array"
