"""Right slopes: the central difference is a forward one from x - h, a partial one of a function of one number."""

forward_difference = lambda f, x, h=1e-3: (f(x + h) - f(x)) / h  # noqa: E731
central_difference = lambda f, x, h=1e-3: forward_difference(f, x - h, 2 * h)  # noqa: E731


def along(f, xs, i):
    return lambda number: f([*xs[:i], number, *xs[i + 1 :]])


partial = lambda f, xs, i, h=1e-6: central_difference(along(f, xs, i), xs[i], h)  # noqa: E731
gradient = lambda f, xs, h=1e-6: [partial(f, xs, i, h) for i, _ in enumerate(xs)]  # noqa: E731
error_sweep = lambda f, exact, x, hs: [  # noqa: E731
    (h, abs(forward_difference(f, x, h) - exact), abs(central_difference(f, x, h) - exact)) for h in hs
]
best_h = lambda rows: (  # noqa: E731
    min((forward, h) for h, forward, _ in rows)[1],
    min((central, h) for h, _, central in rows)[1],
)
