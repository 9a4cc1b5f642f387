# %% answer_1
import warnings

x = jnp.ones(1234)
with count_compiles() as compiles:
    wave(x)
warnings.warn("how many?")
print(compiles.causes())
answer_1 = {1: "one", 3: "three"}[compiles()]

# %% answer_2
answer_2 = "one"

# %% answer_3
answer_3 = "chosen while tracing"

# %% answer_4
answer_4 = "cond"

# %% answer_5
@jax.jit
def double(x):
    print("python:", x)
    jax.debug.print("jax: {}", x)
    return 2 * x


for number in (1.0, 2.0, 3.0):
    double(number)
answer_5 = "once and thrice"

# %% answer_6
answer_6 = "fori loop"

# %% answer_7
for word, settings in {"array": jnp.array([3, 3]), "function": jnp.tanh, "string": "fast", "tuple": (3, 3)}.items():
    try:
        run(1.0, settings=settings)
    except ValueError:
        answer_7 = word

# %% answer_8
answer_8 = "warm and waiting"
