# %% extra
pass
