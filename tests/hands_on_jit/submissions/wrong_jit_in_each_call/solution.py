# %% answer_heavy
def compute_heavy(x):
    return jnp.sum(jnp.log(jnp.abs(jnp.sin(jnp.dot(x, x.T))) + 1e-6))


def compute_heavy_jit(x):
    return jax.jit(lambda x: compute_heavy(x))(x)

# %% answer_timings
def measure(x, repeat):
    return {
        "eager": bench(compute_heavy, x, repeat=repeat),
        "jit": bench(jax.jit(compute_heavy), x, repeat=repeat),
    }

# %% answer_conditional
@jax.jit
def conditional_computation(x, threshold):
    return lax.cond(jnp.sum(x) > threshold, lambda: 2 * jnp.sum(x**2), lambda: jnp.sum(x) + 1)

# %% answer_errors
conditional_error = "TracerBoolConversionError"
rounds_error = "TracerIntegerConversionError"

# %% answer_rounds
@partial(jax.jit, static_argnames="n")
def apply_static(x, n):
    for _ in range(n):
        x = 1.1 * x + 0.5
    return x


@jax.jit
def apply_fori(x, n):
    return lax.fori_loop(0, n, lambda i, x: 1.1 * x + 0.5, x)

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
