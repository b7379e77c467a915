# %% [markdown]
# # Part 3: Backpropagation by hand
#
# Your `Value` can remember how it was computed. What it can't do yet is answer the question of part 1: if one of the
# numbers at the bottom grows a little, how much does the output move? A bump answers it for one number at a time. In
# this part you find the answers for *all* numbers of a graph in one walk from the output down, with a pencil, and you
# type them in yourself. Part 4 makes the program do it. What it will do is exactly what you do here, so it is worth
# doing slowly once.
#
# **How to work.** Keep `value.py` and `by_hand.py` open beside this notebook; all the code you hand in goes there.
# Five places in them say `TODO 3.1` to `TODO 3.5`, and the sections below take them in that order. After a change:
# save the file, run the next cell again, then the cells of the section you are in. You can run the whole notebook at
# any time: what is not written yet says so.
#
# Where a cell says `predict("...", None)`, put your prediction in the place of `None` before you run it; several of
# them in parentheses, as in `(6, -4)`. Nobody marks the guesses.

# %%
import importlib
import math

import by_hand
import value
from IPython.display import display
from kit import check, draw_dot, name, predict, when_ready

importlib.reload(value)  # run this cell again, and it reads both files again
importlib.reload(by_hand)
Value = value.Value

# %% [markdown]
# Three small helpers. `name` gives nodes their labels. `fill` writes a dict of gradients into labelled nodes. Lines
# below `when_ready` run until they meet a task that is not written yet, and then say which one.


# %%
def fill(nodes, gradients):
    """Write each gradient into the node of that name."""
    for label, gradient in gradients.items():
        nodes[label].grad = gradient


# %% [markdown]
# `draw_dot` draws the graph below a node. Each box shows a node's name, its number and its gradient. If you prefer
# text, or a screen reader reads to you, `print(draw_dot(L))` says the same in words.
#
# ## 1. One more operation (task 3.1)
#
# Later in this part we meet a neuron, and a neuron bends its result with tanh, which squeezes any number into the
# range from -1 to 1. Plus and times alone can't compute that. So `Value` gets one operation more.
#
# It could be split into smaller steps (an exponential, a sum, a division), and in part 5 you will do so for fun. Here
# it is *one* node. How much a single node does is a free choice: a plus, a whole tanh, a hundred lines. The one thing
# you need to know about it is how its output moves when its input does.
#
# **Task 3.1.** In `value.py`, `tanh()`: a new node that holds the hyperbolic tangent of `self.data` (Python has
# `math.tanh`), with one child, `self`. Call the operation `"tanh"`, for the drawing.

# %%
guess = predict("the tanh of 0, of 1, of -1 and of 20", None)
with when_ready():
    for x in (0.0, 1.0, -1.0, 20.0):
        print(f"tanh({x:5}) =", Value(x).tanh().data)
    display(draw_dot(Value(0.5).tanh()))
    guess.saw([Value(x).tanh().data for x in (0.0, 1.0, -1.0, 20.0)])

# %% [markdown]
# A word on "one child". The constructor wants a collection of children, and a collection with one thing in it is
# written `(self,)`, with a comma. Parentheses alone do nothing: `(self)` is just `self`. One text behind this course
# warns that the missing comma goes wrong silently. Does it?

# %%
guess = predict("without the comma: silently, or with an error", None)
lonely = Value(0.5)
try:
    Value(math.tanh(lonely.data), (lonely), "tanh")
    guess.saw("silently")
except TypeError as error:
    guess.saw("with an error")
    print("TypeError:", error)

# %% [markdown]
# It is not silent: a node can't be gone through like a collection, and Python says so at once.

# %% task="3.1"
check("3.1")

# %% [markdown]
# ## 2. Start at the end
#
# Here is the expression that we will take apart. Every step has a name of its own, because you can only write a
# gradient into a node that you can point at.


# %%
def expression_nodes(a, b, c, f):
    """Build L = (a*b + c) * f and return its seven nodes by name."""
    a, b, c, f = Value(a), Value(b), Value(c), Value(f)
    e = a * b
    d = e + c
    L = d * f
    return name(a=a, b=b, c=c, e=e, d=d, f=f, L=L)


nodes = expression_nodes(2.0, -3.0, 10.0, -2.0)
draw_dot(nodes["L"])

# %% [markdown]
# The forward pass went from left to right: -6, then 4, then -8. All gradients say 0, which only means that nobody has
# looked yet. We fill them from right to left. The *gradient* of a node is from now on always the same question: **if
# this node's number grows by a tiny h, by how many times h does L grow?**
#
# The first one is free. If `L` grows by h, then `L` grows by h.

# %%
guess = predict("the gradient of L", None)
nodes["L"].grad = 1.0
guess.saw(nodes["L"].grad)

# %% [markdown]
# ## 3. The last operation: a product
#
# `L = d * f`, with d = 4 and f = -2. Let d grow by h and write down what happens:
#
#     ((d + h) * f  -  d * f) / h   =   (h * f) / h   =   f
#
# Everything cancels except the *other* factor. A product hands each of its inputs the number of the other one. Which
# gradients do `d` and `f` get?

# %%
guess = predict("d.grad and f.grad", None)
h = 0.001
d, f = 4.0, -2.0
print("bumping d:", ((d + h) * f - d * f) / h)
print("bumping f:", (d * (f + h) - d * f) / h)

nodes["d"].grad = -2.0
nodes["f"].grad = 4.0
guess.saw((nodes["d"].grad, nodes["f"].grad))
draw_dot(nodes["L"])

# %% [markdown]
# The bumped numbers may miss the round ones in the tenth digit or later. Learn to read such a difference: in a late
# digit it is the arithmetic of the machine, in the first digit it is a wrong derivative.
#
# ## 4. The one idea: through a plus
#
# Now `c` and `e`. They do not touch L; they reach it only through `d`. Think of yourself as that plus. You know that
# you added two numbers. You know nothing about the graph you stand in, not even that there is an L. What can you say?
#
# - What you know yourself: if one of your inputs grows by h, your output grows by h. Slope 1:
#   `((c + h) + e - (c + e)) / h = h / h = 1`.
# - What somebody has to tell you: how much the output L cares about *you*. We have just written it down: `d.grad` is
#   -2.
#
# The two numbers have to be put together. If d grows 1 times as fast as c, and L grows -2 times as fast as d, then L
# grows 1 * -2 times as fast as c. Speeds behave like this everywhere: if a train is three times as fast as a tram, and
# the tram is five times as fast as a runner, then the train is fifteen times as fast as the runner. Rates multiply.
# That is the chain rule:
#
# > gradient of an input = slope of this operation with respect to that input, times the gradient of its output
#
# The first factor is local, the second one arrives. Because a plus has slope 1, it simply passes on what arrives, to
# both inputs. It *routes*.

# %%
guess = predict("c.grad and e.grad", None)
a, b, c, f = 2.0, -3.0, 10.0, -2.0
print("bumping c:", ((a * b + (c + h)) * f - (a * b + c) * f) / h)
print("bumping e:", (((a * b + h) + c) * f - (a * b + c) * f) / h)

nodes["c"].grad = -2.0
nodes["e"].grad = -2.0
guess.saw((nodes["c"].grad, nodes["e"].grad))
draw_dot(nodes["L"])

# %% [markdown]
# ## 5. Down to the leaves (task 3.2)
#
# One operation is left, `e = a * b`. Its local slopes are those of any product: the other factor. What arrives is
# `e.grad`. Do the two multiplications with a pencil before you run the next cell. It bumps, so it can't be fooled.

# %%
guess = predict("a.grad and b.grad", None)
bumped_a = (((a + h) * b + c) * f - (a * b + c) * f) / h
bumped_b = ((a * (b + h) + c) * f - (a * b + c) * f) / h
print("bumping a:", bumped_a)
print("bumping b:", bumped_b)
guess.saw((bumped_a, bumped_b))

# %% [markdown]
# 6 and -4, up to the last digits. All seven gradients are known now, and you have used two rules only: *a plus passes
# on, a product swaps and scales*. Nothing in them depends on the four numbers we happened to start with.
#
# **Task 3.2.** In `by_hand.py`, `expression_gradients(a, b, c, f)`: the seven gradients for *any* four numbers, as
# formulas. The numbers above are one test of it; the others use numbers you have not seen.

# %%
with when_ready():
    gradients = by_hand.expression_gradients(2.0, -3.0, 10.0, -2.0)
    nodes = expression_nodes(2.0, -3.0, 10.0, -2.0)
    fill(nodes, gradients)
    display(draw_dot(nodes["L"]))

# %% [markdown]
# Now change one number: f = 3 instead of -2. Write all seven gradients on paper first. Which of them change? Does any
# stay the same?

# %%
guess = predict("the gradients of L, d, f, c, e, a, b", None)
with when_ready():
    nodes = expression_nodes(2.0, -3.0, 10.0, 3.0)
    fill(nodes, by_hand.expression_gradients(2.0, -3.0, 10.0, 3.0))
    display(draw_dot(nodes["L"]))
    guess.saw([nodes[label].grad for label in "Ldfceab"])

# %% task="3.2"
check("3.2")

# %% [markdown]
# ### Written question: the flipped sign
#
# With f = -2 the gradient of `a` is 6, with f = 3 it is -9. In about six sentences:
#
# 1. Follow the way from L down to `a` and name the factor that each operation contributes, for both values of f. Which
#    factor changed, and what did it do to the sign?
# 2. `c` and `e` have equal gradients both times. Could you choose a, b, c and f so that they differ? Why, or why not?
# 3. One leaf kept its gradient although f changed. Which one, and why is this no accident? What would you have to
#    change to move it?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="flipped-sign"
# *Replace this line with your answer.*

# %% [markdown] answer="flipped-sign"
# **Model answer.** From L to `a` there are three operations. The product at the top contributes its other factor, f.
# The plus contributes 1. The product below contributes its other factor, b = -3. So a.grad = f * 1 * b. For f = -2
# this is -2 * -3 = 6, for f = 3 it is 3 * -3 = -9. Only the factor f changed, and with it the sign: two negative
# factors make a positive number, one negative factor a negative one. (The size grew by 3/2, as f's did.)
#
# `c` and `e` can never differ, whatever the four numbers are: they are the two inputs of the same plus, whose slopes
# are both 1, so each receives d.grad unchanged. Both are f.
#
# The leaf `f` keeps the gradient 4. Its gradient is the partner's number, d = a*b + c, and f does not appear in it. A
# slope of L with respect to f says how L moves per step of f, and L is a straight line in f, so it is as steep at 3
# as at -2. To move it one has to change a, b or c (and so d).
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 1 | the three factors f, 1, b along the way, and that the sign of f alone decides the flip |
# | 0.5 | c and e: never, because one plus gives both of them what it received |
# | 0.5 | f keeps 4 because its gradient is its partner's number d, which does not contain f; name a, b or c |
#
# *Half of an element:* "minus times minus is plus" without naming the factors (0.5 of the first); "they come out equal
# in both cases" without the reason (0.25); "because f is a leaf" (0 of the last: a, b and c are leaves too).

# %% [markdown]
# ## 6. A way of being wrong out loud (task 3.3)
#
# You have checked each claim with a bump typed by hand. Typing the expression twice for every leaf is tedious, and
# tedious things get skipped. So we write the bump once, for any expression and any leaf. The point is a habit: *no
# gradient is believed before a bump has agreed.*
#
# How would you bump a leaf of a graph that stands there already? The obvious idea is to change its `data`:

# %%
guess = predict("L.data after this", None)
nodes = expression_nodes(2.0, -3.0, 10.0, -2.0)
nodes["b"].data = nodes["b"].data + 1.0
print("e.data:", nodes["e"].data)
guess.saw(nodes["L"].data)

# %% [markdown]
# Nothing moved. A node computes its number once, at the moment it is made, and keeps it. `e` does not know that `b`
# has changed. So both graphs have to be built from scratch, the second one from a bumped number.
#
# That is why `numeric_slope` gets a *function* that builds the graph, together with a dict of numbers. (There is one
# more small trap: there is no minus between Values yet. Subtract the plain numbers inside them.)
#
# **Task 3.3.** `numeric_slope(expression, leaves, name, h)`: build the graph twice, once from `leaves` and once with
# one leaf larger by h, and return by how much the output rose, divided by h. The dict `leaves` must be the same
# afterwards. (If you have a dict `numbers`, then `build(**numbers)` calls a function with its entries as named
# arguments.)


# %%
def expression(a, b, c, f):
    """Build L from four numbers."""
    return expression_nodes(a, b, c, f)["L"]


leaves = {"a": 2.0, "b": -3.0, "c": 10.0, "f": -2.0}
with when_ready():
    claimed = by_hand.expression_gradients(**leaves)
    for leaf in leaves:
        print(f"{leaf}:  claimed {claimed[leaf]:5}   bumped", by_hand.numeric_slope(expression, leaves, leaf))

# %% [markdown]
# For `b` the lecture prints -3.9999999999995595, and you should see the same digits or nearly so. Two things can make
# such an estimate inexact. One is the bend of the curve between x and x + h, which grows with h; the other is the
# rounding in a difference of two nearly equal numbers, which grows as h shrinks. Here there is only the second: L is
# a straight line in each of its leaves.
#
# From now on, whenever you are unsure of a gradient: do not argue, bump.

# %% task="3.3"
check("3.3")

# %% [markdown]
# ## 7. What gradients are for (task 3.4)
#
# A gradient says which way to go. A leaf with a positive gradient has to grow if L is to grow; a leaf with a negative
# one has to shrink. So if every leaf moves a little *along* its gradient, L goes up:
#
#     new number = old number + rate * gradient         with a small rate, say 0.01
#
# By how much? Each leaf moves by 0.01 times its gradient, and L moves by the gradient times that, so each leaf brings
# 0.01 times its gradient *squared*. Add the four up with a pencil. L is -8 now; where will it be?
#
# **Task 3.4.** `one_step(leaves, gradients, rate)`: a new dict with every leaf moved. `gradients` may know more nodes
# than leaves, as the dict from 3.2 does; only the leaves move.

# %%
guess = predict("L after one step", None)
print("predicted rise:", 0.01 * (6.0**2 + (-4.0) ** 2 + (-2.0) ** 2 + 4.0**2))
with when_ready():
    moved = by_hand.one_step(leaves, {"a": 6.0, "b": -4.0, "c": -2.0, "f": 4.0})
    print("moved leaves:  ", moved)
    after = expression_nodes(**moved)
    print("L:", after["L"].data, "  rise:", after["L"].data - (-8.0))
    guess.saw(after["L"].data)
    display(draw_dot(after["L"]))

# %% [markdown]
# The prediction says 0.72, the truth is 0.713504: L stands at -7.286496. (The lecturer guessed "about -6", so do not
# worry about your own guess.) The gradients are slopes *at the old place*. While the leaves move, the slopes change, so
# the prediction is good for small steps and gets worse for large ones. Try it: in the cell above, hand `rate=0.5` to
# `one_step`. Where does it take L, and what would the prediction have been?
#
# In part 7, L will be an error that should become *small*. Then a minus takes the plus's place, and the rest of the
# line stays. It is the line that trains every neural network there is.

# %% task="3.4"
check("3.4")

# %% [markdown]
# ## 8. A neuron
#
# The second example has the shape that matters. A neuron takes some inputs x, multiplies each with a weight w of its
# own, adds everything up together with a bias b (its general readiness to fire), and squashes the sum with tanh:
#
#     n = x1*w1 + x2*w2 + b          o = tanh(n)
#
# Again with a name for every step.


# %%
def neuron_nodes(x1, x2, w1, w2, b):
    """Build o = tanh(x1*w1 + x2*w2 + b) and return its ten nodes by name."""
    x1, x2, w1, w2, b = Value(x1), Value(x2), Value(w1), Value(w2), Value(b)
    x1w1 = x1 * w1
    x2w2 = x2 * w2
    x1w1x2w2 = x1w1 + x2w2
    n = x1w1x2w2 + b
    o = n.tanh()
    return name(x1=x1, x2=x2, w1=w1, w2=w2, b=b, x1w1=x1w1, x2w2=x2w2, x1w1x2w2=x1w1x2w2, n=n, o=o)


inputs = {"x1": 2.0, "x2": 0.0, "w1": -3.0, "w2": 1.0, "b": 6.8813735870195432}
with when_ready():
    neuron = neuron_nodes(**inputs)
    display(draw_dot(neuron["o"]))

# %% [markdown]
# The bias looks strange, and it was chosen on purpose: it makes n the number 0.8813735870195432, whose tanh is
# 0.7071..., one divided by the square root of 2. You are about to see why this is convenient.
#
# **Through the tanh.** The only new rule. The slope of tanh at n is `1 - tanh(n)**2`. And tanh(n) is what the node `o`
# holds: so the slope is `1 - o*o`. With this bias, o*o is one half. What arrives at the tanh is the gradient of o,
# which is 1 as always.

# %%
guess = predict("the gradients of n and, two pluses further down, of x1w1x2w2, b, x1w1, x2w2", None)
n, h = 0.8813735870195432, 1e-6
o = math.tanh(n)
print("bumping n:", (math.tanh(n + h) - o) / h)
print("1 - o*o: ", 1 - o * o)

with when_ready():
    neuron = neuron_nodes(**inputs)
    fill(neuron, {"o": 1.0, "n": 0.5, "x1w1x2w2": 0.5, "b": 0.5, "x1w1": 0.5, "x2w2": 0.5})
    display(draw_dot(neuron["o"]))
    guess.saw([neuron[label].grad for label in ("n", "x1w1x2w2", "b", "x1w1", "x2w2")])

# %% [markdown]
# The pluses route, so the 0.5 arrives at four values undiminished. For the same reason a bias always has the gradient
# of the sum that it is added to.
#
# Two products are left, and four leaves below them. One of the four has gradient 0. Which?

# %%
guess = predict("x1.grad, w1.grad, x2.grad, w2.grad", None)
with when_ready():
    bumped = {}
    for leaf in ("x1", "w1", "x2", "w2"):
        bumped[leaf] = by_hand.numeric_slope(lambda **numbers: neuron_nodes(**numbers)["o"], inputs, leaf, h=1e-6)
        print(f"bumping {leaf}: {bumped[leaf]:9.5f}")
    guess.saw(list(bumped.values()))

# %% [markdown]
# -1.5, 1, 0.5 and 0. One text calls `w1.grad = 1.0` the largest gradient in the graph. Look again: `x1` has -1.5, and
# in size that is larger; `o` itself ties with 1. How strongly a leaf pulls is a question of size, and the sign says in
# which direction.
#
# In training you will change weights and biases only: the inputs are data. For a single neuron, the gradients of x1
# and x2 are by-products. In a network, though, a neuron's x is another neuron's o, and then they are what travels on
# to the layer below.
#
# ### A trap: a node that looks the same
#
# Suppose you want to write 0.5 into the node of the first product, but have no name for it. So you write the product
# again:

# %%
guess = predict("the graph's x1w1.grad", None)
with when_ready():
    neuron = neuron_nodes(**inputs)
    s1 = neuron["x1"] * neuron["w1"]
    s1.grad = 0.5
    guess.saw(neuron["x1w1"].grad)
    print("same number:", s1.data == neuron["x1w1"].data, "  same node:", s1 is neuron["x1w1"])

# %% [markdown]
# Still 0. Every `*` makes a new node. `s1` has the same number as the one in the graph and the same children, but
# nothing was computed *from* it. This is why each step above has a name.
#
# ### All ten (task 3.5)
#
# **Task 3.5.** `neuron_gradients(x1, x2, w1, w2, b)`: the ten gradients for any five numbers. You need the forward
# pass as far as o, then the three rules.

# %%
with when_ready():
    neuron = neuron_nodes(**inputs)
    fill(neuron, by_hand.neuron_gradients(**inputs))
    display(draw_dot(neuron["o"]))

# %% [markdown]
# Now switch the second input on: x2 = 1. Pencil first: n is no longer the number that was arranged for us. Will the
# gradients be larger or smaller than before? What about w2?

# %%
guess = predict("w2.grad, with x2 = 1", None)
with when_ready():
    switched = {**inputs, "x2": 1.0}
    claimed = by_hand.neuron_gradients(**switched)
    neuron = neuron_nodes(**switched)
    fill(neuron, claimed)
    display(draw_dot(neuron["o"]))
    for leaf in switched:
        bumped = by_hand.numeric_slope(lambda **numbers: neuron_nodes(**numbers)["o"], switched, leaf, h=1e-6)
        print(f"{leaf}:  claimed {claimed[leaf]:9.6f}   bumped {bumped:9.6f}")
    guess.saw(claimed["w2"])

# %% [markdown]
# n is 1.88 now, farther out, where tanh is flatter: the slope through it is 0.0887 instead of 0.5, and everything
# below is a multiple of that. w2 is alive.

# %% task="3.5"
check("3.5")

# %% [markdown]
# ### Written question: a gradient of zero
#
# In the first neuron (x2 = 0) `w2.grad` is 0. In about six sentences:
#
# 1. Explain the zero twice: by the rule of the operation that `w2` goes into, and by what a bump of `w2` does to o.
#    Did something break?
# 2. A friend says: "Then w2 has no influence on this neuron, so we could just as well set w2 to 0." Which of the ten
#    gradients would change if we did, and from which number to which?
# 3. What does a step as in task 3.4 do to `w2` here? A network is trained on many examples. What has to be true of
#    them for `w2` to learn something, and what of an input that is 0 in all of them?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="gradient-of-zero"
# *Replace this line with your answer.*

# %% [markdown] answer="gradient-of-zero"
# **Model answer.** `w2` goes into a product, and a product hands it the other factor's number times what arrives:
# x2 * 0.5 = 0 * 0.5 = 0. The bump says the same: whatever w2 becomes, w2 * 0 is 0, so the sum and o do not move. No
# step of the method failed; zero is the true slope of this neuron at this input.
#
# Setting w2 to 0 leaves o as it is, and nearly all gradients, but x2.grad is w2 * 0.5: it falls from 0.5 to 0. So w2
# does have an influence, on how the output reacts to the *input* (in a network: on what is sent to the layer below).
#
# The step adds rate times 0, so w2 stays exactly where it is. This holds for this example only. In an example with
# x2 different from 0 the gradient is not zero (unless the tanh is flat), and w2 moves. If an input is 0 in all
# examples, its weight never gets a gradient and keeps its starting value for ever: the data say nothing about it.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | both explanations of the zero (rule: partner x2 = 0; bump: the product stays 0), and that nothing broke |
# | 0.75 | only x2.grad changes, from 0.5 to 0, because it is w2 times what arrives |
# | 0.75 | the step leaves w2 alone; it moves where x2 is not 0; an input that is always 0 teaches its weight nothing |
#
# *Common wrong answers.* "w2 is dead and can be removed": 0 of the second element. "The gradient vanished because tanh
# is flat": tanh is not flat here, its slope is 0.5. "w2.grad is 0 because w2 was not used": it was, in a product.

# %% [markdown]
# ### Written question: the slope out of the output
#
# We wrote `1 - o*o`. In about six sentences:
#
# 1. Why o and not n? Which formula for the slope of tanh stands behind it, and what has the forward pass already done
#    for us?
# 2. Somebody writes `1 - n*n` instead. What does it give at n = 0.5, and at n = 3? How can you see without any
#    calculus that the second number can't be the slope of tanh anywhere?
# 3. The tests of a colleague use n = 0 and n = 0.01 only. Would they find the mistake? What do you learn about
#    choosing test numbers?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="slope-from-output"
# *Replace this line with your answer.*

# %% [markdown] answer="slope-from-output"
# **Model answer.** The derivative of tanh at n is 1 - tanh(n)**2. tanh(n) is the number that the node o holds since
# the forward pass, so o*o *is* tanh(n)**2: the same formula, with its expensive part already paid for. Nothing has to
# be computed again but one product and one difference. Putting n in its place squares the wrong number.
#
# At n = 0.5 the wrong formula gives 0.75 (right: 0.786), at n = 3 it gives -8 (right: 0.0099). tanh always rises, so
# its slope is never negative, and it never rises faster than at 0, where it has slope 1. A slope of -8 would mean that
# a little more n brings o down by eight times as much, and o can't even leave the range from -1 to 1.
#
# At 0 both formulas give 1 exactly. At 0.01 tanh(n) is almost n, and the two differ by less than 1e-8: any sensible
# tolerance passes it. The tests would not find the mistake. Test numbers should lie where the right formula and the
# likely wrong ones disagree clearly: not 0, not 1, not tiny, and more than one.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | tanh(n) is already stored in o: same formula, no second tanh |
# | 0.75 | 0.75 and -8; a function that only rises has no negative slope (or: its output stays between -1 and 1) |
# | 0.75 | no; at 0 both agree, near 0 tanh(n) is nearly n; choose numbers that tell the candidates apart |
#
# *Half of an element:* correct numbers without the argument from the shape of tanh; "no, because the numbers are too
# small" without saying why small numbers hide it.

# %% [markdown]
# ## 9. When a node is used twice
#
# In both examples every node had exactly one user. Let us meet the other case once, with the pencil: `z = (x + y) * y`
# at x = 2, y = 3. The `y` goes into the sum *and* into the product.
#
#     s = x + y = 5        z = s * y = 15
#
# - z.grad is 1.
# - The product swaps: s gets 3, and y gets 5.
# - The plus passes on s's 3: x gets 3, and y gets 3 as well.
#
# So y was given a 5 by one user and a 3 by the other. Which of them is its gradient?

# %%
guess = predict("the gradient of y: 5, 3, 8, 15, ...", None)


def z_of(x, y):
    """Build z = (x + y) * y."""
    x, y = Value(x), Value(y)
    return (x + y) * y


with when_ready():
    for leaf in ("x", "y"):
        print("bumping", leaf, by_hand.numeric_slope(z_of, {"x": 2.0, "y": 3.0}, leaf, h=1e-6))
    guess.saw(by_hand.numeric_slope(z_of, {"x": 2.0, "y": 3.0}, "y", h=1e-6))

# %% [markdown]
# 8, the sum. A bump of y moves z along both ways at once, and the two effects add. School calculus agrees: z is
# x*y + y*y, with slope x + 2*y = 8. This is the chain rule in full, and some books call the gradient of a node its
# *adjoint*:
#
# > gradient of a node = the sum, over all its users, of (slope of the user with respect to the node) times (gradient of
# > the user)
#
# Until now the sum had one term. With the pencil we wrote `grad = ...` and were right. From the next part on the
# program will *add* to `grad`, and you will see what happens to one that does not.
#
# A longer one to end with, all rules at once: a = 2, b = -3, c = 10; p = a*b, e = p + c, and L = e*e. The last product
# multiplies a node with *itself*. Start at the end: what does e get from its left side, what from its right?

# %%
guess = predict("the gradients of e, p, c, a, b", None)


def square_nodes(a, b, c):
    """Build L = (a*b + c) * (a*b + c) with a single node for the sum."""
    a, b, c = Value(a), Value(b), Value(c)
    p = a * b
    e = p + c
    L = e * e
    return name(a=a, b=b, c=c, p=p, e=e, L=L)


nodes = square_nodes(2.0, -3.0, 10.0)
fill(nodes, {"L": 1.0, "e": 4.0 + 4.0, "p": 8.0, "c": 8.0, "a": -24.0, "b": 16.0})
display(draw_dot(nodes["L"]))
guess.saw([nodes[label].grad for label in "epcab"])
with when_ready():
    for leaf in ("a", "b", "c"):
        start = {"a": 2.0, "b": -3.0, "c": 10.0}
        print(
            "bumping", leaf, by_hand.numeric_slope(lambda **numbers: square_nodes(**numbers)["L"], start, leaf, h=1e-6)
        )

# %% [markdown]
# e gets its partner's number from either side, 4 and 4, so 8; that is `2*e`, the slope of a square. Then the plus
# passes 8 on, and the product swaps: a gets 8 * -3 = -24, b gets 8 * 2 = 16.
#
# ## Where people get stuck
#
# **The slope of a plus is 1. Why does that mean that it copies?** These are two steps. The slope is 1 because the sum
# grows by exactly what one of its inputs grows by. Then the chain rule multiplies what arrives with that 1, and
# multiplying with 1 copies.
#
# **Which operand's number goes where in a product?** The partner's. Test yourself with two different numbers, never
# with two equal ones.
#
# **He writes `=` and the library writes `+=`. Who is right?** `+=`. Writing `=` is fine as long as every node has one
# user, as in sections 2 to 8, and loses a part of the gradient as soon as one has two, as in section 9.
#
# **My gradient and the bump differ in the eleventh digit.** That is rounding. If they differ in the first or second,
# the formula is wrong, or h is too large for a curve that bends.
#
# **I changed `data` and the graph does not follow.** Section 6: build it again.
#
# **Ten assignments for two inputs. Is that not ridiculous?** It is. But look at your lines once more: each right-hand
# side depends only on the kind of operation and on its own inputs. So the node itself could do it. That is part 4.
#
# ## Handing in
#
# Save this notebook and your files. Then run `python kit.py submit` in a terminal in this folder, or
# `from kit import submit; submit()` in a new cell here; in the browser there is only the cell. Both look at everything
# that is graded, name what is missing or broken, and pack the zip to hand in.
#
# ## Go deeper
#
# - Andrej Karpathy, *micrograd* (`engine.py`, the methods `__add__` and `__mul__`): the two rules of this part, as the
#   author of the lecture wrote them down.
# - Stanford CS231n, course notes *Backpropagation, Intuitions*: circuits with numbers on every wire.
# - Wikipedia, *Chain rule*, with its section on several variables (our section 9), and *Hyperbolic functions* for the
#   slope of tanh.
# - PyTorch documentation, *Gradcheck mechanics*: what a grown-up version of task 3.3 has to think of.
# - Rumelhart, Hinton and Williams, *Learning representations by back-propagating errors* (1986).
