# %% answer_1
answer_1 = "a thousand"

# %% answer_2
answer_2 = "two"

# %% answer_3
answer_3 = "both branches"

# %% answer_4
answer_4 = "bool"

# %% answer_5
answer_5 = "debug alone"

# %% answer_6
answer_6 = "plain jit"

# %% answer_7
answer_7 = "function"

# %% answer_8
answer_8 = "plain"
