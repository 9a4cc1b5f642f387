# %% answer_heavy
def compute_heavy(x):
    p = x @ x.T
    s = jnp.sin(p)
    l = jnp.log(1e-6 + jnp.absolute(s))
    return l.sum()


@jax.jit
def compute_heavy_jit(x):
    return compute_heavy(x)

# %% answer_timings
def measure(x, repeat):
    return {
        "eager": bench(compute_heavy, x, repeat=repeat),
        "jit": bench(compute_heavy_jit, x, repeat=repeat),
    }

# %% answer_conditional
def above(x):
    return jnp.sum(jnp.square(x)) * 2.0


def below(x):
    return x.sum() + 1.0


@jax.jit
def conditional_computation(x, threshold):
    return lax.cond(x.sum() > threshold, above, below, x)

# %% answer_errors
conditional_error = "TracerBoolConversionError"
rounds_error = "TracerIntegerConversionError"

# %% answer_rounds
def body(i, x):
    return x * 1.1 + 0.5


apply_static = jax.jit(apply_n_times, static_argnums=(1,))
apply_fori = jax.jit(lambda x, n: lax.fori_loop(0, n, body, x))

# %% answer_counts
static_programs = 3
fori_programs = 1

# %% answer_chart
def chart(names, means, errors):
    fig, ax = plt.subplots()
    ax.bar(names, means, yerr=errors, capsize=4)
    ax.set_ylim(bottom=0)
    ax.set_ylabel("seconds")
    return ax
