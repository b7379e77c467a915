"""Right slopes that divide by the step which a float really makes, and answer with lists in place of tuples."""


def forward_difference(f, x, h=1e-3):
    there = x + h
    way = there - x
    return (f(there) - f(x)) / way


def central_difference(f, x, h=1e-3):
    left, right = x - h, x + h
    low = f(left)
    return (f(right) - low) / (right - left)


def partial(f, xs, i, h=1e-6):
    left = [x - h if place == i else x for place, x in enumerate(xs)]
    right = [x + h if place == i else x for place, x in enumerate(xs)]
    low = f(left)
    return (f(right) - low) / (right[i] - left[i])


def gradient(f, xs, h=1e-6):
    slopes = []
    for i in range(len(xs)):
        slopes.append(partial(f, xs, i, h=h))
    return slopes


def error_sweep(f, exact, x, hs):
    return [[h] + [abs(exact - slope(f, x, h)) for slope in (forward_difference, central_difference)] for h in hs]


def best_h(rows):
    return [sorted(rows, key=lambda row: row[column])[0][0] for column in (1, 2)]
