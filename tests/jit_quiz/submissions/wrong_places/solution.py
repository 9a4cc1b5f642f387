# %% answer_1
answer_1 = "a"

# %% answer_2
answer_2 = "b"

# %% answer_3
answer_3 = "c"

# %% answer_4
answer_4 = "d"

# %% answer_5
answer_5 = "a"

# %% answer_6
answer_6 = "b"

# %% answer_7
answer_7 = "c"

# %% answer_8
answer_8 = "d"
