# %% answer_heavy
def compute_heavy(x):
    return jnp.log(jnp.abs(jnp.sin(jnp.einsum("ik,jk->ij", x, x))) + 1e-6).sum()


inner = jax.jit(compute_heavy)


def compute_heavy_jit(x):
    return inner(x)

# %% answer_timings
def measure(x, repeat):
    return {
        "eager": bench(compute_heavy, x, repeat=repeat),
        "jit": bench(compute_heavy_jit, x, repeat=repeat),
    }

# %% answer_conditional
@jax.jit
def conditional_computation(x, threshold):
    return lax.cond(jnp.sum(x) > threshold, lambda: 2 * jnp.sum(x**2), lambda: jnp.sum(x) + 1)

# %% answer_errors
conditional_error = "TracerBoolConversionError"
rounds_error = "TracerIntegerConversionError"

# %% answer_rounds
inner_static = jax.jit(apply_n_times, static_argnames="n")
inner_fori = jax.jit(lambda x, n: lax.fori_loop(0, n, lambda i, x: 1.1 * x + 0.5, x))


def apply_static(x, n):
    """Returns x after n rounds."""
    return inner_static(x, n=n)


def apply_fori(x, n):
    """Returns x after n rounds."""
    return inner_fori(x, n)

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
