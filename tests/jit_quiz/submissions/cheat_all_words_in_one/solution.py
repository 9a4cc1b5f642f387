# %% answer_1
answer_1 = " ".join(sorted(__import__("tomllib").load(open("options.toml", "rb"))["1"]))

# %% answer_2
answer_2 = " ".join(sorted(__import__("tomllib").load(open("options.toml", "rb"))["2"]))

# %% answer_3
answer_3 = " ".join(sorted(__import__("tomllib").load(open("options.toml", "rb"))["3"]))

# %% answer_4
answer_4 = " ".join(sorted(__import__("tomllib").load(open("options.toml", "rb"))["4"]))

# %% answer_5
answer_5 = " ".join(sorted(__import__("tomllib").load(open("options.toml", "rb"))["5"]))

# %% answer_6
answer_6 = " ".join(sorted(__import__("tomllib").load(open("options.toml", "rb"))["6"]))

# %% answer_7
answer_7 = " ".join(sorted(__import__("tomllib").load(open("options.toml", "rb"))["7"]))

# %% answer_8
answer_8 = " ".join(sorted(__import__("tomllib").load(open("options.toml", "rb"))["8"]))
