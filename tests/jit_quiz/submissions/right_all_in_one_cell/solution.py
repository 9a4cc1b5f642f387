# %% answer_8
answer_1 = "three"
answer_2 = "one"
answer_3 = "chosen while tracing"
answer_4 = "cond"
answer_5 = "once and thrice"
answer_6 = "fori loop"
answer_7 = "array"
answer_8 = "warm and waiting"
