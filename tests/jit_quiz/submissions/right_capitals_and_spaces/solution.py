# %% answer_1
answer_1 = "Three"

# %% answer_2
answer_2 = "one"

# %% answer_3
answer_3 = " chosen  While-Tracing "

# %% answer_4
answer_4 = "cond"

# %% answer_5
answer_5 = "ONCE_AND_THRICE"

# %% answer_6
answer_6 = "fori_loop"

# %% answer_7
answer_7 = "array"

# %% answer_8
answer_8 = "Warm and Waiting\n"
