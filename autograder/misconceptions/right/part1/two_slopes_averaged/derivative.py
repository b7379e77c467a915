"""Right slopes: the central one is the mean of a step to the right and one to the left; a generator makes the rows."""

from operator import itemgetter


class Bump:
    def __init__(self, f, x):
        self.f, self.x = f, x

    def slope(self, step):
        return (self.f(self.x + step) - self.f(self.x)) / step


def forward_difference(f, x, h=1e-3):
    return Bump(f, x).slope(h)


def central_difference(f, x, h=1e-3):
    bump = Bump(f, x)
    return (bump.slope(h) + bump.slope(-h)) / 2


def bumped(xs, i, step):
    copy = xs.copy()
    copy[i] = xs[i] + step
    return copy


def partial(f, xs, i, h=1e-6):
    down, up = (f(bumped(xs, i, step)) for step in (-h, h))
    return (up - down) / h / 2


def gradient(f, xs, h=1e-6):
    return [*(partial(f, xs, i, h) for i, _ in enumerate(xs))]


def rows_of(f, exact, x, hs):
    for h in hs:
        errors = forward_difference(f, x, h) - exact, central_difference(f, x, h) - exact
        yield (h, *(max(error, -error) for error in errors))


def error_sweep(f, exact, x, hs):
    return list(rows_of(f, exact, x, hs))


def best_h(rows):
    steps, *errors = zip(*rows, strict=True)
    return tuple(min(zip(column, steps, strict=True), key=itemgetter(0))[1] for column in errors)
