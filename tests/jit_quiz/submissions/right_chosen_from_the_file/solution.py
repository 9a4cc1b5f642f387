import tomllib
from pathlib import Path

known = tomllib.loads(Path("options.toml").read_text())

# %% answer_1
answer_1 = next(word for word in known["1"] if word == "three")

# %% answer_2
answer_2 = next(word for word in known["2"] if word == "one")

# %% answer_3
answer_3 = next(word for word in known["3"] if word == "chosen while tracing")

# %% answer_4
answer_4 = next(word for word in known["4"] if word == "cond")

# %% answer_5
answer_5 = next(word for word in known["5"] if word == "once and thrice")

# %% answer_6
answer_6 = next(word for word in known["6"] if word == "fori loop")

# %% answer_7
answer_7 = next(word for word in known["7"] if word == "array")

# %% answer_8
answer_8 = next(word for word in known["8"] if word == "warm and waiting")
