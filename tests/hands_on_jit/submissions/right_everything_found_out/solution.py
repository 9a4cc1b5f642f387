# %% answer_heavy
def compute_heavy(x):
    return jnp.sum(jnp.log(jnp.abs(jnp.sin(jnp.dot(x, x.T))) + 1e-6))


compute_heavy_jit = jax.jit(compute_heavy)

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
def error_of(function, *args):
    try:
        jax.jit(function)(*args)
    except Exception as error:
        return error.__class__.__name__


conditional_error = error_of(conditional_python, jnp.ones(3), 2.0)
rounds_error = error_of(apply_n_times, jnp.ones(3), 2)

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
def programs(function):
    with count_compiles(function) as compiles:
        for n in (2, 5, 2, 9, 5):
            function(jnp.ones(17), n)
    return compiles()


static_programs = float(programs(apply_static))
fori_programs = programs(apply_fori)

# %% answer_chart
def chart(names, means, errors):
    fig, ax = plt.subplots()
    ax.bar(names, means, yerr=errors, capsize=4)
    ax.set_ylim(bottom=0)
    ax.set_ylabel("seconds")
    return ax
