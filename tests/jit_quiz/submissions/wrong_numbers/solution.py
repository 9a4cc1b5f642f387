# %% answer_1
answer_1 = 2

# %% answer_2
answer_2 = 3

# %% answer_3
answer_3 = 4

# %% answer_4
answer_4 = 1

# %% answer_5
answer_5 = 2

# %% answer_6
answer_6 = 3

# %% answer_7
answer_7 = 4

# %% answer_8
answer_8 = 1
