# %% answer_1
answer_1 = ["three"]

# %% answer_2
answer_2 = {"one": True}

# %% answer_3
answer_3 = {"chosen while tracing"}

# %% answer_4
answer_4 = b"cond"

# %% answer_5
answer_5 = True

# %% answer_6
answer_6 = lambda: "fori loop"

# %% answer_7
answer_7 = jnp.ones(3)

# %% answer_8
answer_8 = 8.0
