# %% [markdown]
# # Part 1: Derivatives by bumping
#
# A neural network is a function with very many numbers in it. Training means to turn each of these numbers a little
# in the direction that makes the result better. For this you have to know, for every number: if I increase it a
# little, what happens to the result, and how strongly? That "how strongly" is a derivative, and this course builds a
# machine that finds all of them.
#
# We begin with the most honest method there is: try it out. Change a number a little, compute again, look what
# happened. At the end of this part you will know how well that works, why nobody trains a network with it, and why it
# will nevertheless stay with us to the end of the course.
#
# **How to work.** Keep `derivative.py` open beside this notebook; all the code you hand in goes there. It says
# `TODO 1.1` to `TODO 1.4`, and the sections below take them in that order. After a change: save `derivative.py`, run
# the next cell again, then the cells of the section you are in. You can run the whole notebook at any time: what is
# not written yet says so.
#
# Where a cell says `predict("...", None)`, put your prediction in the place of `None` before you run it; several of
# them in parentheses, as in `(6, -4)`. A wrong guess is where the learning happens, so guess even when you are unsure.
# Nobody marks the guesses.

# %%
import importlib
import math

import derivative
from IPython.display import display
from kit import check, curves, predict, when_ready

importlib.reload(derivative)  # run this cell again, and it reads derivative.py again
from derivative import best_h, central_difference, error_sweep, forward_difference, gradient, partial

# %% [markdown]
# ## 1. A bump
#
# Here is the function that we shall push around:


# %%
def f(x):
    """A parabola: 3x^2 - 4x + 5."""
    return 3 * x**2 - 4 * x + 5


for x in [-1, 0, 1, 2, 3, 4]:
    print(f"f({x}) = {f(x)}")

# %% [markdown]
# At 3 it is 20, and to the right of it the function climbs. How steeply? Take a small step to the right, to 3.001.
# By how much will `f` have grown?

# %%
guess = predict("f(3.001) - f(3)", None)
rise = f(3.001) - f(3)
guess.saw(rise)
print("per unit of the step:", rise / 0.001)

# %% [markdown]
# It grew by 0.014, that is fourteen times as much as the step. This ratio is the *slope* of `f` at 3, or its
# derivative there. School calculus agrees: the derivative of `3x^2 - 4x + 5` is `6x - 4`, and at 3 that is 14.
#
# But note what we did *not* need: any idea of what is inside `f`. We called it twice and divided. This works for a
# function of three lines and for one of three thousand.
#
# **Task 1.1.** `forward_difference(f, x, h)` in `derivative.py`: the change of `f` from `x` to `x + h`, divided by
# `h`. It is called *forward* because it looks to the right.

# %%
guess = predict("the x where the slope is 0", None)
with when_ready():
    for x in [3, 1, 0, -1, 2 / 3]:
        print(f"slope at {x:6.3f}: {forward_difference(f, x, 0.001):8.3f}   (calculus: {6 * x - 4:7.3f})")
    guess.saw(2 / 3)

# %% [markdown]
# A positive slope says: a step to the right raises `f`. A negative one: it lowers it. At 2/3, the bottom of the
# parabola, it is zero: a small step does next to nothing, in either direction. Training a network is a search for
# such a place.

# %% task="1.1"
check("1.1")

# %% [markdown]
# ## 2. The little bit too much
#
# The slope at 3 came out as 14.003, not as 14. (Also, the last of the many digits look like dirt. They are another
# story, told in section 4.) Where do the 3 thousandths come from? Multiply out:
#
#     f(3 + h)              =  20 + 14h + 3h*h
#     f(3 + h) - f(3)       =       14h + 3h*h
#     the same, divided     =       14  + 3h
#
# While you walk from 3 to 3 + h the function gets steeper, and what we measured is the average steepness on the way.
# The error is `3h`: it shrinks with the step.
#
# There is a better way to spend two calls of `f`. Do not start at `x`; go one step to the left and one to the right,
# and `x` is in the middle of the way. What will be left of the error? First: by how much does `f` grow on this way?

# %%
guess = predict("f(3.001) - f(2.999)", None)
rise = f(3 + 0.001) - f(3 - 0.001)
guess.saw(rise)

# %% [markdown]
# By 0.028. And how long was the way? (Whoever forgets to ask this gets 28 for a slope.)
#
# **Task 1.2.** `central_difference(f, x, h)`: the change from `x - h` to `x + h`, divided by the length of the way.

# %%
guess = predict("x^3 at 2, where the slope is 12: the difference with the smaller error", None)


def cube(x):
    """x^3; its slope is 3x^2."""
    return x**3


with when_ready():
    print("parabola at 3:", forward_difference(f, 3, 0.1), "and", central_difference(f, 3, 0.1), "  (14)")
    for h in [0.1, 0.01, 0.001]:
        forward, central = forward_difference(cube, 2, h), central_difference(cube, 2, h)
        print(f"cube at 2, h = {h:<6} forward {forward:.6f}   central {central:.6f}   (12)")
    guess.saw("central" if abs(central - 12) < abs(forward - 12) else "forward")

# %% [markdown]
# On a parabola the central difference has no error at all: what the right side has too much, the left side has too
# little. On the cube a rest remains, but look how it shrinks. A step ten times smaller makes the forward error ten
# times smaller, and the central error a *hundred* times: the one goes with `h`, the other with `h*h`.

# %% task="1.2"
check("1.2")

# %% [markdown]
# ## 3. Many inputs, one at a time
#
# A network has one result (how bad its answers are) and many inputs to turn. The question is the same, asked once
# per input: move *this one* a little, hold all the others still. The answer is called a *partial derivative*, and
# the list of all of them the *gradient*.
#
# Our functions of many inputs take one list. For example `d = a*b + c`, at `a = 2`, `b = -3`, `c = 10`:


# %%
def d(xs):
    """a*b + c for xs = [a, b, c]."""
    a, b, c = xs
    return a * b + c


print("d =", d([2.0, -3.0, 10.0]))

# %% [markdown]
# Before you compute anything: increase `a` a little. `b` is negative. Does `d` go up or down? And for `b`, and `c`?

# %%
guess = predict('the signs of the three slopes, for example "+ + -"', None)
h = 0.0001
print("a:", (d([2.0 + h, -3.0, 10.0]) - d([2.0, -3.0, 10.0])) / h)
print("b:", (d([2.0, -3.0 + h, 10.0]) - d([2.0, -3.0, 10.0])) / h)
print("c:", (d([2.0, -3.0, 10.0 + h]) - d([2.0, -3.0, 10.0])) / h)
guess.saw("- + +")

# %% [markdown]
# A bump of `a` is multiplied by `b`, so its slope is -3. A bump of `b` is multiplied by `a`: 2. A bump of `c` arrives
# as it is: 1. Keep these three in mind. In part 3 they will turn out to be almost everything there is to know.
#
# **Task 1.3.** `partial(f, xs, i, h)`, the slope with respect to `xs[i]`, and `gradient(f, xs, h)`, the list of all
# of them. Both use central differences. `f` gets a list, and it is called twice for each entry: when a call takes a
# minute, somebody will be grateful that there is no third.
#
# One more demand: **afterwards the list holds exactly the numbers it held before.** It belongs to the caller. This is
# easier to break than it looks. Which of the two ways below leaves `xs[0]` as it was?

# %%
guess = predict("xs[0] is as it was after the first way, and after the second (True or False)", None)
xs = [0.7, 2.0]
xs[0] += 1e-6
xs[0] -= 1e-6
print("forth and back:         ", xs)
first = xs[0] == 0.7

xs = [0.3, 2.0]
xs[0] += 1e-6
xs[0] -= 2e-6
xs[0] += 1e-6
print("right, left and back:   ", xs)
guess.saw((first, xs[0] == 0.3))

# %% [markdown]
# Each addition is rounded, and roundings need not cancel: what was changed and changed back can come out a tiny bit
# different. (Try some other numbers. With 0.2 you would never have noticed.) After many gradients the tiny bits add
# up. And a second name is no second list: after `up = xs`, whatever you do to `up` you do to `xs`.

# %%
guess = predict("the three slopes of d, and the number of calls", None)
calls = []


def counted(xs):
    """d, but every call is noted."""
    calls.append(list(xs))
    return d(xs)


xs = [2.0, -3.0, 10.0]
with when_ready():
    print("with respect to b alone:", partial(d, xs, 1))
    slopes = gradient(counted, xs)
    print("gradient:", slopes)
    print("calls:", len(calls), "  the list afterwards:", xs)
    guess.saw((*slopes, len(calls)))

# %% [markdown]
# A longer one, from the lecture's own exercises:
#
#     g(a, b, c)  =  -a^3 + sin(3b) - 1/c + b^2.5 - a^0.5        at (2, 3, 4)
#
# You could find its three partial derivatives with pencil and paper. Each of them takes a rule from calculus, or two.
# Bumping needs none:


# %%
def g(xs):
    """-a^3 + sin(3b) - 1/c + b^2.5 - a^0.5 for xs = [a, b, c]."""
    a, b, c = xs
    return -(a**3) + math.sin(3 * b) - 1 / c + b**2.5 - a**0.5


a, b, c = 2.0, 3.0, 4.0
print("g =", g([a, b, c]))
by_calculus = [-3 * a**2 - 0.5 / a**0.5, 3 * math.cos(3 * b) + 2.5 * b**1.5, 1 / c**2]
with when_ready():
    for name, bumped, exact in zip("abc", gradient(g, [a, b, c]), by_calculus, strict=True):
        print(f"{name}:  bumped {bumped:.9f}   calculus {exact:.9f}")

# %% task="1.3"
check("1.3")

# %% [markdown]
# ## 4. Smaller and smaller
#
# The smaller the step, the smaller the error. So why not take a really small one?

# %%
guess = predict("what comes out for h = 1e-15, and for 1e-17", None)
with when_ready():
    for h in [1e-1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-17]:
        print(f"h = {h:<8} slope of the parabola at 3: {forward_difference(f, 3, h)}")
    guess.saw((forward_difference(f, 3, 1e-15), forward_difference(f, 3, 1e-17)))

# %% [markdown]
# It gets better, and then it falls apart: 10.66 instead of 14, and finally 0. What has happened?
#
# A Python number has room for about 16 digits. Near 20, neighbouring numbers are about 3.6e-15 apart; there is
# nothing between them. With `h = 1e-15` the two values of `f` differ by three of these smallest steps, where it
# should be four, and the rest is cut off. With `h = 1e-17`, `3 + h` simply *is* 3:

# %%
print("3 + 1e-17 == 3:  ", 3 + 1e-17 == 3)
print(f"f(3)         =  {f(3):.18f}")
print(f"f(3 + 1e-13) =  {f(3 + 1e-13):.18f}")
print("difference   = ", f(3 + 1e-13) - f(3), "  of which only the first two or three digits mean anything")

# %% [markdown]
# When two nearly equal numbers are subtracted, the leading digits, which were right, cancel, and the last ones, which
# were rounded, move to the front. Then we divide by `h`, and so blow up that rounding error: the smaller the step,
# the more.
#
# So there are two errors, and they pull in opposite directions: the bend of the function (smaller `h` is better) and
# the rounding (larger `h` is better). In between there must be a best `h`. Let us look for it.
#
# **Task 1.4.** `error_sweep(f, exact, x, hs)`: for each `h` a tuple with `h`, the error of the forward and the
# error of the central difference. And `best_h(rows)`: the `h` with the smallest forward error, and the `h` with the
# smallest central error.
#
# We sweep a function that is curved, like those inside a network: tanh, at a point where its slope is one half.

# %%
guess = predict("the best h of the forward and of the central difference", None)
x = 0.8813735870195432
hs = [10.0**-k for k in range(1, 16)]

with when_ready():
    rows = error_sweep(math.tanh, 0.5, x, hs)
    for h, forward, central in rows:
        print(f"h = {h:.0e}   forward error {forward:.1e}   central error {central:.1e}")
    guess.saw(best_h(rows))

# %%
with when_ready():
    rows = error_sweep(math.tanh, 0.5, x, hs)
    lines = {
        "forward": [(h, forward) for h, forward, _ in rows],
        "central": [(h, central) for h, _, central in rows],
    }
    display(curves(lines, title="tanh at 0.88: error against h", x="h", y="error", log_x=True, log_y=True))

# %% [markdown]
# Read the picture from right to left, as `h` gets smaller. On a logarithmic scale `h` and `h*h` are straight lines:
# the forward error comes down with slope 1, the central one with slope 2. Then each turns round and climbs, and both
# climb alike, since rounding does not care how we choose our points. Such a curve, with a right arm that falls and a
# left arm that climbs again, is called a U.
#
# The best forward error is about 1e-8, at an `h` near 1e-8. The best central error is about 1e-11, near 1e-5. (The
# exact place may differ by a digit from one computer to the next. The climb is ragged: rounding is a matter of luck.)
# Not sixteen digits, but eleven at best, and with the wrong `h` none.

# %% task="1.4"
check("1.4")

# %% [markdown]
# ## 5. A function without a U
#
# One of the texts behind this course has students sweep another function: `L = (a*b + c) * f`, with respect to `a`,
# at `a = 2`, `b = -3`, `c = 10`, `f = -2`. The exact slope is 6. You should see, it says, how the error falls,
# reaches its lowest point somewhere near 1e-6 to 1e-8, and climbs again. Do you expect that?


# %%
def L_of(a):
    """L = (a*b + c) * f with b = -3, c = 10, f = -2."""
    return (a * -3.0 + 10.0) * -2.0


guess = predict("the h with the smallest forward error", None)
steps = [1.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14]
with when_ready():
    rows = error_sweep(L_of, 6.0, 2.0, steps)
    for h, forward, central in rows:
        print(f"h = {h:.0e}   forward error {forward:.1e}   central error {central:.1e}")
    guess.saw(best_h(rows)[0])

# %%
with when_ready():
    rows = error_sweep(L_of, 6.0, 2.0, steps)
    lines = {"L, forward": [(h, error) for h, error, _ in rows]}
    display(curves(lines, title="L as a function of a", x="h", y="error", log_x=True, log_y=True))

# %% [markdown]
# There is no U. At `h = 1`, the largest step of all, the error is exactly 0 (so it has no place on a logarithmic
# scale, and the picture leaves it out), and from there it only grows. On this function the text is wrong. What it
# describes is true of the curve of section 4, and the run above shows that it is not true of `L`.
#
# And the parabola, with the central difference? Try it, if you like, before you answer:

# %%
guess = predict("the two errors at h = 1, forward and central", None)
with when_ready():
    rows = error_sweep(f, 14.0, 3.0, [1.0, 0.5, 0.1, 1e-3, 1e-5, 1e-8])
    for h, forward, central in rows:
        print(f"h = {h:<6}   forward error {forward:.1e}   central error {central:.1e}")
    guess.saw(rows[0][1:])

# %% [markdown]
# ### Written question: why there is no U
#
# In your own words, in about five to eight sentences. Use the numbers above.
#
# 1. Which two errors make the U on tanh? Which of them rules on its right arm, which on its left?
# 2. Why has the curve of `L` only one arm? Say what `L` looks like as a function of `a` alone.
# 3. Why does the parabola have a right arm with the forward difference, but none with the central difference?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="no-u-curve"
# *Replace this line with your answer.*

# %% [markdown] answer="no-u-curve"
# **Model answer.** The right arm comes from the curvature: between x and x + h the slope of tanh changes, and the
# difference measures an average. This truncation error shrinks with h (forward) or with h squared (central). The left
# arm comes from rounding: two nearly equal values of the function are subtracted, only their last, rounded digits are
# left, and dividing by a small h magnifies them, so this error grows about as 1/h.
#
# As a function of a alone, L is a straight line: (a*b + c)*f = b*f*a + c*f = 6a - 20. Its slope is 6 everywhere, so
# the average slope over any step, however long, is exactly 6. There is no truncation error. Only the rounding is
# left, and that grows as h shrinks: 0 at h = 1, 4e-8 at 1e-8, 0.04 at 1e-14. The best h is therefore the largest
# one.
#
# The parabola is curved, and the forward difference feels it: 14 + 3h, an error of 3h. With the central difference
# the terms 3h*h from the two sides are equal and cancel, (28h)/(2h) = 14, so nothing remains but rounding, as with
# L. Only terms of third order or higher, as tanh and the cube have them, leave something for the central
# difference.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | both errors named, each on its arm: curvature (truncation) for large h, rounding for small h |
# | 0.5 | why rounding grows as h shrinks: nearly equal numbers subtracted, then divided by h |
# | 0.5 | L is linear (a straight line) in a, so no truncation error; error 0 at h = 1 |
# | 0.5 | parabola: forward error 3h; in the central difference the h*h terms of both sides cancel |
#
# *Half of an element (0.25):* "L is too simple" or "L has no curve" without saying that its slope is the same
# everywhere; "central is more accurate" without the cancelling of the two sides.
#
# *Common wrong answers.* "L has no U because the numbers are round": with other numbers it has none either (at most
# the error at h = 1 is then 1e-15 and not 0). "The steps are not small enough": smaller ones only make it worse.
# "It is a product, and products are exact": as a function of a AND f it is curved.

# %% [markdown]
# ## 6. The bill
#
# How much does a gradient cost? Count calls of `f`. The lecture's example is a small network that reads handwritten
# digits: 784 inputs, two layers of 16 neurons, 10 outputs. Each neuron has a weight per input and one bias.

# %%
guess = predict("the parameters, and the runs of the network for one gradient (forward difference)", None)
parameters = (784 + 1) * 16 + (16 + 1) * 16 + (16 + 1) * 10
print("parameters:", parameters)
print("runs for one gradient: forward", parameters + 1, "  central", 2 * parameters)
guess.saw((parameters, parameters + 1))

# %% [markdown]
# 13,002 parameters, so 13,002 extra runs with the forward difference, beside the one that gives the value itself, and
# twice as many with the central one. All this for *one* small step of training, and training takes thousands. Let us
# see it grow. When there are twice as many parameters, how many times as long will one gradient take?

# %%
import time


def network_like(xs):
    """Stands for a network: some work for every parameter, one number as the result."""
    return math.tanh(sum(math.tanh(0.01 * x * x + x) for x in xs))


guess = predict("how many times as long, with twice the parameters", None)
with when_ready():
    times = []
    for size in [50, 100, 200, 400]:
        start = time.perf_counter()
        gradient(network_like, [0.001 * k for k in range(size)])
        times.append(1000 * (time.perf_counter() - start))
        print(f"{size:4} parameters: {2 * size:4} calls, {times[-1]:8.1f} ms")
    guess.saw(round(times[-1] / times[-2], 1))

# %% [markdown]
# Twice the parameters take about four times as long: twice as many calls, and each call twice the work. From 400 to
# 13,002 parameters it is a factor of a thousand; to a network with billions of them, hopeless.
#
# ### Three ways to a derivative
#
# Bumping is not the only way. The second one you know from school: rules that turn a formula into another formula.
# A program can do that too. Here is a tiny one, for `+` and `*`:


# %%
def derive(e):
    """The derivative with respect to x of "x", a number, or a triple (op, left, right), as another such thing."""
    if e == "x":
        return 1
    if not isinstance(e, tuple):
        return 0
    op, u, v = e
    if op == "+":
        return ("+", derive(u), derive(v))
    return ("+", ("*", derive(u), v), ("*", u, derive(v)))


def size_of(e):
    """How many symbols it takes to write it down."""
    return 1 + size_of(e[1]) + size_of(e[2]) if isinstance(e, tuple) else 1


print("derivative of x*x:", derive(("*", "x", "x")))

guess = predict("the symbols in the derivative's formula after 8 steps of y = y*y + x", None)
e = "x"
for step in range(1, 9):
    e = ("+", ("*", e, e), "x")
    print(f"y = y*y + x, {step} times:  formula {size_of(e):5} symbols, its derivative {size_of(derive(e)):6}")
guess.saw(size_of(derive(e)))

# %% [markdown]
# A program of eight short lines, written out as a formula, has about a thousand symbols, because each line uses the
# one before it twice; its derivative has eight times as many, and both at least double with every further line.
# (Good systems simplify and share what they can; they have to.) And what would be the formula of a program with a
# loop that runs until something is small enough, or with an `if`?
#
# The third way is what this course builds. It looks neither at formulas nor at nudged results. While the program
# runs, on ordinary numbers, it writes down each `+` and each `*` as it happens; afterwards it goes through that
# record backward and applies the (very short) rule of each single step.
#
# | | what it works on | what comes out | what it costs |
# |---|---|---|---|
# | symbolic | the formula | another formula, exact | formulas that may grow beyond all measure |
# | numerical (this part) | calls of the function | an estimate, eleven digits at best | one or two runs *per input* |
# | automatic (parts 2 to 8) | the record of one run | the slope, exact but for rounding | a few runs *for all inputs* |
#
# Look at the last column. "All inputs together" is what makes training possible: 13,002 parameters or a billion, one
# run forward and one pass backward. It is paid for with memory: every intermediate number of the run has to be kept
# until the backward pass has used it.
#
# Is bumping then of no use? On the contrary. It knows nothing of the rules, so it cannot make the same mistake as
# whoever wrote them. When you have derived a gradient by hand (part 3) or written an engine (part 4), you bump a few
# inputs and compare. Agreement to six digits ends every argument. This is called a *gradient check*.

# %% [markdown]
# ### Written question: three ways
#
# In your own words, in about five to eight sentences.
#
# 1. Give two reasons, each with a number from this part, why the network with 13,002 parameters is not trained by
#    bumping.
# 2. What is bumping still good for, and why are its two weaknesses bearable there?
# 3. What does the automatic way have to keep that the numerical way need not, and what does it get for it?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="three-ways"
# *Replace this line with your answer.*

# %% [markdown] answer="three-ways"
# **Model answer.** It is slow: each gradient takes a run of the network per parameter, 13,002 extra ones with
# forward differences and 26,004 with central ones, for a single step of training. And it is inexact in a way that
# cannot be repaired by a smaller h: below the best step (1e-8 forward, 1e-5 central on tanh) rounding takes over,
# until at 1e-15 the parabola's slope reads 10.66 for 14, and 0 at 1e-17. Which h is best depends on the function
# and the point, so nobody can choose it well for thousands of parameters at once.
#
# It is good for checking gradients that were found in another way, because it only calls the function and shares no
# rule (and so no mistake) with the derivation. A check is done seldom, on small examples or on a few parameters, so
# the cost does not matter; and a wrong rule usually is wrong in the first digits, while six right digits are
# plenty.
#
# The automatic way keeps a record of the run: every intermediate number, and what it was computed from. That takes
# memory that grows with the length of the computation. In return a single pass backward gives the slopes with respect
# to all inputs, at the cost of a few runs, however many inputs there are, and exact but for rounding.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | cost: one (two) runs per parameter and gradient, with 13,002 or 26,004 |
# | 0.5 | accuracy: limited, and a smaller h makes it worse from some point on, with any number from section 4 |
# | 0.5 | two of: gradient checking; independent of the rules; done seldom, and a few digits suffice |
# | 0.5 | the record (intermediate numbers and their origin) against one pass for all inputs |
#
# *Half of an element (0.25):* "slow" or "inaccurate" without a number; checking named without a reason; "memory"
# without what it buys.
#
# *Common wrong answers.* "Automatic differentiation is symbolic differentiation done by the computer": it never
# builds a formula. "Automatic is a better approximation": it is no approximation, apart from rounding. "Central
# differences solve the problem": they cost more, and only move the best h.

# %% [markdown]
# ## Where people get stuck
#
# **My slope is 28 and not 14.** The way from `x - h` to `x + h` is not `h` long.
#
# **My slope is huge, or it is `f` itself.** In `f(x + h) - f(x) / h` only the second term is divided. Python divides
# before it subtracts, and `/ 2 * h` divides by 2 and then *multiplies* by `h`.
#
# **All partial derivatives are 0.** `up = xs` and `down = xs` are three names for one list. What you add to it
# under one name you take away under the other. Make a copy: `list(xs)`.
#
# **Which h should I use?** For one bump about 1e-8, for two about 1e-5 or 1e-6, when `x` and `f(x)` are of the size
# of 1. For a large `x` it has to be larger in proportion: next to a million, neighbouring numbers are already 1e-10
# apart.
#
# **Why do forward and central agree to the last digit for tiny h?** On some functions rounding is all that is left,
# and it hits both alike. That they agree does not mean that they are right.
#
# **Is the derivative at a corner?** `abs` has none at 0. The forward difference says 1, a backward one would say
# -1, the central one 0. No warning appears; bumping never notices that it was asked for something that does not
# exist.
#
# ## Handing in
#
# Save this notebook and your files. Then run `python kit.py submit` in a terminal in this folder, or
# `from kit import submit; submit()` in a new cell here; in the browser there is only the cell. Both look at everything
# that is graded, name what is missing or broken, and pack the zip to hand in.
#
# ## Go deeper
#
# - Andrej Karpathy, *The spelled-out intro to neural networks and backpropagation: building micrograd*, the first
#   quarter of an hour: this part as a film.
# - PyTorch documentation, *Gradcheck mechanics*: the same check in industry; how `h` and the tolerances are chosen.
# - Wikipedia, *Numerical differentiation*: more formulas, and the best `h` derived.
# - Wikipedia, *Automatic differentiation*: the three ways of section 6, and a fourth, that goes forward.
# - Baydin, Pearlmutter, Radul and Siskind, *Automatic Differentiation in Machine Learning: a Survey* (2015),
#   section 2: what automatic differentiation is not.
