# %% [markdown]
# # Part 5: More operators
#
# The engine of part 4 knows three operations, and both sides of each must be nodes. That is enough to see how
# backpropagation works and too little to write a network in. In this part it learns to take plain numbers, to
# subtract, divide and raise to powers, and two new functions, `exp` and `relu`. Most of the new operations turn out
# to need no calculus at all.
#
# **How to work.** Keep `value.py` open beside this notebook; all the code you hand in goes there, where it says
# `TODO 5.1` to `TODO 5.8`. After a change: save `value.py`, run the next cell again, then the cells of the section
# you are in. You can run the whole notebook at any time: what is not written yet says so.
#
# Where a cell says `predict("...", None)`, put your prediction in the place of `None` before you run it; several of
# them in parentheses, as in `(6, -4)`. Nobody marks the guesses.

# %%
import importlib
import math

import value
from kit import check, draw_dot, name, predict, step, when_ready

importlib.reload(value)  # run this cell again, and it reads value.py again
Value = value.Value

# %% [markdown]
# ## 1. Numbers beside a node (task 5.1)
#
# `a + 1` fails so far: inside `__add__`, `other` is the number 1, and a number has no `data` and no `grad`. There are
# two ways out. Every line that touches `other` could ask what it is. Or the method could, as its very first step, turn
# a plain number into a node; then everything below stays as it is. The second way is shorter, and the closure needs
# no exception either: the new node receives a gradient that nobody will ever look at.
#
# ### Who is asked
#
# `a + 1` calls `a`'s method. And `1 + a`? The next class only reports what Python does.


# %%
class Witness:
    """Says which of its methods was called, and with what."""

    def __add__(self, other):
        return f"__add__ was called, other = {other}"

    def __radd__(self, other):
        return f"__radd__ was called, other = {other}"


guess = predict("the method that `1 + w` calls", None)
w = Witness()
print("w + 1:", w + 1)
print("1 + w:", 1 + w)
print("what the int itself says:", (1).__add__(w))
guess.saw((1 + w).split()[0])

# %% [markdown]
# Python asks the left operand first. An `int` does not know what a `Witness` is and says `NotImplemented`, a special
# value that means "not my business". Only then is the right operand asked, through the *reflected* method, the one
# with an `r` in its name. In it, `self` is the operand on the right and `other` the one on the left. If that one has
# no such method either, you get a `TypeError`.
#
# When both sides are nodes, the left one can do it, and the reflected method is never called.
#
# **Task 5.1.** Plain numbers (`int` and `float`) on either side of `+` and of `*`. Four places: the first lines of
# `__add__` and `__mul__`, and the methods `__radd__` and `__rmul__`. Two nodes must work exactly as before.

# %%
guess = predict("a.grad of 2 * a + 1", None)
a = Value(3.0)
with when_ready():
    out = 2 * a + 1
    out.backward()
    print("out:", out.data)
    guess.saw(a.grad)

# %% [markdown]
# One consequence is worth a cell of its own. `sum` is an ordinary function that knows nothing of nodes. Why can it
# add up a list of them? (What does it start with?)

# %%
guess = predict("the very first addition that sum() does", None)
numbers = [Value(2.0), Value(-3.0), Value(10.0)]
with when_ready():
    total = sum(numbers)
    total.backward()
    print("total:", total.data, "  gradients:", [node.grad for node in numbers])
    guess.saw("0 + numbers[0]")

# %% [markdown]
# `sum` begins with the number 0, so the first thing it computes is `0 + numbers[0]`: a number on the left.
#
# A last trap with plain numbers. What does `a += 1` do to the node that `a` was, and to `c`, another name for it?

# %%
guess = predict("c.data afterwards", None)
a = Value(2.0)
c = a
with when_ready():
    a += 1
    print("a.data:", a.data, "  the same node?", a is c)
    guess.saw(c.data)

# %% [markdown]
# `a += 1` means `a = a + 1`: a new node, to which the name `a` now points. The old node is untouched, and `c` still
# points to it. Nodes are never changed by an operation.

# %% task="5.1"
check("5.1")

# %% [markdown]
# ## 2. Subtraction, made of what is there (task 5.2)
#
# You could write a subtraction node with a closure of its own, plus one for `self` and minus one for `other`. But
# look at what there is already: a difference can be written with a sum and a product.
#
# An operation that makes a node of its own is called *primitive*; it needs a closure. One that only calls other
# operations is *composite*. It needs none: the pieces it is made of know their steps, and the chain rule joins them.
# Each closure that is never written is a closure that cannot be wrong.
#
# **Task 5.2.** `-v`, `v - w`, `v - 1` and `1 - v`. Composite or primitive, as you like; the tests look at numbers and
# gradients only.

# %%
guess = predict("a.grad and b.grad of a - b", None)
a, b = Value(5.0), Value(3.0)
name(a=a, b=b)
with when_ready():
    d = a - b
    name(d=d)
    d.backward()
    print("d:", d.data)
    guess.saw((a.grad, b.grad))
    display(draw_dot(d))

# %% [markdown]
# Is there a minus among the operations in your picture? If you built it from a product and a sum, there is none.
#
# **A gap in two published engines.** Among the texts behind this course, one that prints "the complete code" has no
# method for `1 - v` and none for `2 / v`. Another one explains the first of them, and then its full listing has lost
# it. Both work in all their own examples. Here is a class with the same gap:


# %%
class Gap:
    """A number that can be subtracted from, but has no reflected method."""

    def __init__(self, data):
        self.data = data

    def __sub__(self, other):
        return Gap(self.data - other)


guess = predict("both lines work (yes or no)", None)
print("v - 1:", (Gap(5.0) - 1).data)
try:
    print("1 - v:", (1 - Gap(5.0)).data)
    guess.saw(True)
except TypeError as error:
    print("1 - v: TypeError,", error)
    guess.saw(False)

# %% [markdown]
# At least it fails loudly. Worse is the common repair: a reflected method that computes `self - other`. Then `10 - v`
# at `v = 3` is -7, with a gradient of +1, and nothing complains. Check yours:

# %%
guess = predict("10 - v and v.grad, at v = 3", None)
v = Value(3.0)
with when_ready():
    out = 10 - v
    out.backward()
    guess.saw((out.data, v.grad))

# %% task="5.2"
check("5.2")

# %% [markdown]
# ## 3. Powers (task 5.3)
#
# How steep is `x**3` at 2? A bump says:

# %%
guess = predict("the slope of x**3 at x = 2", None)
x, n, h = 2.0, 3, 1e-6
guess.saw(((x + h) ** n - (x - h) ** n) / (2 * h))

# %% [markdown]
# 12, which is `3 * 2**2`: the exponent comes down as a factor, and what remains has an exponent one smaller. Try other
# numbers in the cell, also a negative exponent and one half: the rule stays the same.
#
# **Task 5.3.** `v ** n` for a plain number `n`, whole or not, also negative. This one is a primitive: a new node with
# one child (the exponent is not a node), and a closure. Take care that it also works at 0: `v ** 2` has the slope 0
# there.
#
# Then two expressions for pencil and paper, both of the form `L = (a*b + c)**2`. First at `a = 2`, `b = 3`, `c = 1`,
# then at `a = 2`, `b = -3`, `c = 10`. Begin at the end: with `e = a*b + c`, what is the slope of `e**2`?

# %%
guess = predict("L and the gradients of a, b, c, twice", None)
with when_ready():
    seen = []
    for numbers in [(2.0, 3.0, 1.0), (2.0, -3.0, 10.0)]:
        a, b, c = (Value(number) for number in numbers)
        L = (a * b + c) ** 2
        L.backward()
        print(numbers, " L:", L.data, "  gradients:", a.grad, b.grad, c.grad)
        seen += [L.data, a.grad, b.grad, c.grad]
    guess.saw(seen)

# %% [markdown]
# In the first, `e` is 7 and its gradient 14. The plus hands 14 to `c` and to the product, which hands 14 * 3 = 42 to
# `a` and 14 * 2 = 28 to `b`. In the second, `e` is 4 and its gradient 8: `c` gets 8, `a` gets 8 * (-3) = -24, and `b`
# 8 * 2 = 16.
#
# **What if the exponent is a node?** Then it would want a gradient too, and the rule above has none for it. An engine
# that takes a node as exponent without a word gives it the gradient 0, and that is wrong without anybody noticing. In
# this course it is neither asked nor marked; many engines refuse it.

# %% task="5.3"
check("5.3")

# %% [markdown]
# ## 4. Division (task 5.4)
#
# `a / b` is `a` times one over `b`, and one over `b` is a power. Nothing is missing for a composite.
#
# **Task 5.4.** `v / w`, `v / 2` and `2 / v`.

# %%
guess = predict("the gradients of a and b, for q = a / b at 6 and 4", None)
a, b = Value(6.0), Value(4.0)
with when_ready():
    q = a / b
    q.backward()
    print("q:", q.data)
    guess.saw((a.grad, b.grad))

v = Value(4.0)
with when_ready():
    q = 2 / v
    q.backward()
    print("2 / v:", q.data, "  v.grad:", v.grad)

# %% [markdown]
# If `2 / v` at 4 gives 2.0 for you, it has been turned upside down: with `/`, as with `-`, the sides do not commute.

# %% task="5.4"
check("5.4")

# %% [markdown]
# ## 5. exp (task 5.5)
#
# e to the power of `x` is the one function that is its own slope. What the closure needs has therefore been computed
# already, as with tanh: it is the output.
#
# It is tempting to treat it like a power and take one off the exponent. A power has the variable at the bottom; here
# the variable is on top. They are different functions.
#
# **Task 5.5.** `exp()`, a primitive with one child.
#
# When you have it, try it on a node that is used *twice*. In the lecture's video the closure of `exp` was written with
# `=` at first, and none of the lecture's own examples could notice: in all of them `exp` is applied to a node that has
# no other use. (The slope of `exp(x) + exp(x)*x` is `(2 + x) * exp(x)`; at 0.5 that is 4.1218.)

# %%
guess = predict("with an exp that replaces: more than 4.1218, or less", None)
x = Value(0.5)
with when_ready():
    y = x.exp() + x.exp() * x
    y.backward()
    print("x.grad:", x.grad, "  right:", 2.5 * math.exp(0.5))
    guess.saw("less: all shares are positive, and some get lost")

# %% task="5.5"
check("5.5")

# %% [markdown]
# ## 6. relu (task 5.6)
#
# The simplest bend there is: positive numbers pass, negative ones become 0. Its slope is 1 where the number is
# positive and 0 where it is negative. So its closure is a switch: it hands the gradient on whole, or not at all.
#
# At exactly 0 there is a corner, and a corner has no slope. Every engine picks a number there (PyTorch takes 0). You
# may pick yours; it is not marked.
#
# **Task 5.6.** `relu()`, a primitive with one child.

# %%
guess = predict("the gradients of p and n", None)
p, n = Value(2.0), Value(-2.0)
with when_ready():
    (p.relu() * 3 + n.relu() * 3).backward()
    guess.saw((p.grad, n.grad))

# %% task="5.6"
check("5.6")

# %% [markdown]
# ### Loops, ifs and recursion
#
# What can be differentiated by this engine? Anything that Python can run. An expression is recorded while it is being
# computed. The engine never sees your loop or your `if`; it sees the operations that were really carried out.


# %%
def looped(x):
    """The product of three x, by a loop."""
    result = x
    for _ in range(2):
        result = result * x
    return result


def branched(x):
    """x squared for positive x, three x otherwise."""
    return x**2 if x.data > 0 else 3 * x


def nested(x, depth):
    """x / (1 + x / (1 + ...)), by a function that calls itself."""
    return x if depth == 0 else x / (1 + nested(x, depth - 1))


guess = predict("the slopes of looped and branched at 2, and of branched at -2", None)
with when_ready():
    slopes = []
    for title, function, number in [
        ("loop", looped, 2.0),
        ("if, positive", branched, 2.0),
        ("if, negative", branched, -2.0),
        ("recursion", lambda x: nested(x, 3), 2.0),
    ]:
        x = Value(number)
        function(x).backward()
        slopes.append(x.grad)
        h = 1e-6
        bumped = (function(Value(number + h)).data - function(Value(number - h)).data) / (2 * h)
        print(f"{title:<14} x.grad {x.grad:.6f}   bumped {bumped:.6f}")
    guess.saw(slopes[:3])

# %% [markdown]
# One thing follows: the graph holds for the numbers it was built with. At -2 the other branch runs, and a new graph
# has to be built.

# %% [markdown]
# ## 7. tanh, taken apart (task 5.7)
#
# In part 3 tanh became one node, because it could not be written with the operations of the time. Now it can:
#
#     tanh x  =  (e**2x - 1) / (e**2x + 1)
#
# **Task 5.7.** `tanh_from_exp()`: the same as `tanh()`, out of `exp()` and the operators, with no closure of its own.
# (Any formula out of exp is fine.)
#
# The neuron once more, its last step in both ways. Will the gradients of the leaves be the same? And how many nodes
# will the graph have? The packed one has ten.


# %%
def neuron(last_step):
    """The neuron's output and its named nodes; last_step makes o of n."""
    x1, x2, w1, w2, b = Value(2.0), Value(0.0), Value(-3.0), Value(1.0), Value(6.8813735870195432)
    n = x1 * w1 + x2 * w2 + b
    o = last_step(n)
    name(x1=x1, x2=x2, w1=w1, w2=w2, b=b, n=n, o=o)
    return o, (x1, w1, x2, w2, b)


guess = predict("the nodes when it is taken apart", None)
with when_ready():
    for title, last_step in [("packed", lambda n: n.tanh()), ("taken apart", lambda n: n.tanh_from_exp())]:
        o, leaves = neuron(last_step)
        o.backward()
        print(f"{title:<12}", " ".join(f"{leaf.label} {leaf.grad:.6f}" for leaf in leaves), end="   ")
        print(len(o.topological_order()), "nodes")
    guess.saw(len(o.topological_order()))

# %% [markdown]
# The same gradients, from a graph that is larger. One of the texts says that it grows "from 5 nodes to a dozen or so",
# and counts 10 and 18 itself a little later. 10 and 18 is right, for an engine in which `-` and `/` are composite and
# every plain number becomes a leaf; in yours it may be a few more or fewer, which is neither right nor wrong. Where
# do the eight extra nodes come from? `draw_dot` shows them. (The text prints both orders, too. Five of its eighteen
# names are empty, for nodes that nobody had named. Your order may differ: only children before parents is promised.)

# %%
n = Value(0.8813735870195432)
name(n=n)
with when_ready():
    o = n.tanh_from_exp()
    name(o=o)
    o.backward()
    display(draw_dot(o))

# %% [markdown]
# ### The fork
#
# In this formula the exponential is used twice, above and below the line. So two closures write to its gradient. Which
# two numbers arrive, and what is their sum? We take the quotient apart by hand, with a leaf in the exponential's
# place:

# %%
guess = predict("the larger share: the positive or the negative one", None)
e = Value(math.exp(2 * 0.8813735870195432))
with when_ready():
    above, below = e - 1, e + 1
    quotient = above / below
    name(e=e, above=above, below=below, quotient=quotient)
    quotient.backward()
    print("through the part above:", above.grad, "  through the part below:", below.grad)
    print("together:", above.grad + below.grad, "  e.grad:", e.grad)
    guess.saw("the positive one" if e.grad > 0 else "the negative one")
    display(step(quotient, title="Two shares arrive at e"))

# %% [markdown]
# 0.1464 and -0.1036 make 0.0429. A closure that replaced instead of adding would have kept one of the two.
#
# So an engine does not prescribe how large its nodes are. A sum can be a node, a whole tanh can, and large libraries
# make whole layers into one. All that a node must know is its own slope.
#
# ### Where they differ
#
# tanh never leaves the range from -1 to 1. What will the two do at 400?

# %%
guess = predict("tanh and tanh_from_exp at 400", None)
print("packed:     ", Value(400.0).tanh().data)
with when_ready():
    try:
        outcome = Value(400.0).tanh_from_exp().data
        print("taken apart:", outcome)
    except OverflowError as error:
        outcome = "an OverflowError"
        print("taken apart: OverflowError,", error)
    guess.saw((Value(400.0).tanh().data, outcome))

# %% [markdown]
# e to the power of 800 is larger than any float, although the quotient would be harmless. The limit lies at 354.89 for
# the formula above. Three of the texts write their tanh itself like this, and it raises the same error there. Up to
# that range both are right, and both get full marks. (With another formula yours may fail on the other side, or not
# at all.)

# %% task="5.7"
check("5.7")

# %% [markdown]
# ## 8. Right gradients are not enough (task 5.8)
#
# The sigmoid squeezes every number into the range from 0 to 1:
#
#     sigmoid x  =  1 / (1 + e**-x)
#
# Written just like this, its gradients are right. What happens at -1000, where the answer is 0 to any number of
# digits?

# %%
guess = predict("this formula at -1000", None)
with when_ready():
    try:
        outcome = (1 / (1 + (-Value(-1000.0)).exp())).data
    except OverflowError as error:
        outcome = "an OverflowError"
        print("OverflowError,", error)
    guess.saw(outcome)

# %% [markdown]
# Backpropagation promises that the gradients belong to the formula. It promises nothing about whether the formula can
# be computed. That is the author's business, and it is why libraries have a sigmoid, a softmax and their like as
# operations of their own.
#
# **Task 5.8.** `sigmoid()`, right for any number: at 1000 and at -1000 too, the gradient included. One node with a
# closure or many without, as you like. The idea is not to catch the error. On which side of zero is the formula safe?
# And on the other side, what happens to the fraction when you multiply its top and bottom by the same thing?

# %%
guess = predict("the slope in the middle, at 0", None)
with when_ready():
    for number in (0.0, 2.0, -2.0, 1000.0, -1000.0):
        v = Value(number)
        y = v.sigmoid()
        y.backward()
        print(f"{number:8.1f}   sigmoid {y.data:.6f}   slope {v.grad:.6f}")
    v = Value(0.0)
    v.sigmoid().backward()
    guess.saw(v.grad)

# %% task="5.8"
check("5.8")

# %% [markdown]
# ## 9. A printout that cannot be right
#
# One of the texts puts a squared loss on the neuron: the output should be 1, and `loss = (o - 1)**2`. It prints
# `0.5000` for the gradient of `w1` and `0.5000` for that of `b`. You have all the operations to run it now. Before
# that: can both be right? (`w1` is multiplied by `x1 = 2` before it reaches the sum; `b` is not.)

# %%
guess = predict("w1.grad and b.grad", None)
with when_ready():
    o, (x1, w1, x2, w2, b) = neuron(lambda n: n.tanh())
    loss = (o - 1) ** 2
    loss.backward()
    print("o:", o.data, "  loss:", loss.data, "  o.grad:", o.grad)
    print("w1.grad:", w1.grad, "  b.grad:", b.grad)
    guess.saw((w1.grad, b.grad))

# %% [markdown]
# ### Written question: the printed 0.5
#
# In about six to ten sentences, with numbers.
#
# 1. Derive both gradients by hand, from the loss down to `w1` and `b`, and say which factor belongs to which step.
# 2. Why could the two printed numbers not both be right, whatever the loss is? And of which quantity is 0.5 really the
#    slope with respect to `b`?
# 3. The right gradients are negative. What does this say about the loss and the output if `w1` grows a little? Does it
#    fit what the loss is for?

# %% [markdown] question="squared-loss"
# *Replace this line with your answer.*

# %% [markdown] answer="squared-loss"
# **Model answer.** The neuron's output is 0.7071. The loss `(o - 1)**2` has the slope `2 * (o - 1)` with respect to
# `o`: 2 * (-0.2929) = -0.5858. tanh multiplies by `1 - o**2`, one half: `n` gets -0.2929. The pluses hand that on
# unchanged, so `b.grad` is -0.2929 (exactly -0.29289321881345237 in floats). The product multiplies by its partner,
# `x1 = 2`: `w1.grad` is -0.5858 (-0.5857864376269047).
#
# `w1` reaches the sum through a product with `x1 = 2`, `b` directly. So, whatever stands above the sum, the gradient
# of `w1` is twice that of `b`; two equal numbers other than 0 cannot both be right. 0.5 is the slope of the *output*
# `o` with respect to `b` (and to `n`), that is, without the factor `2 * (o - 1)` of the loss. (For `w1` even that is
# 1.0, so 0.5 belongs to nothing there.)
#
# A negative gradient says that the loss falls when `w1` grows. The output rises then, by about 1.0 for each unit, and
# it has to rise: it is 0.7071 and should be 1. That is what the loss is for.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 1.0 | -0.5858, times 0.5, times 1 or 2, each factor named (0.5 for `b` alone, or one factor unexplained) |
# | 0.5 | `w1`'s gradient must be twice `b`'s because of `x1 = 2`; 0.5 is do/db |
# | 0.5 | negative: the loss falls as `w1` grows, the output rises towards its target |
#
# *Common wrong answers.* "The text rounds differently": the sign is wrong as well. "They forgot to set the gradients
# to zero": leftovers could add something, but not make the two equal. "0.5 is the gradient of o": the gradient of `o`
# with respect to the loss is -0.5858; 0.5 is the slope of `o` with respect to `b`; give half if this is mixed up in
# words but the factor is right.

# %% [markdown]
# ### Written question: how large should a node be?
#
# In about six to ten sentences. Use `tanh` and `tanh_from_exp` as your example.
#
# 1. Why do both give the same gradients at the leaves, although one has a closure with a formula of its own and the
#    other has none?
# 2. What *does* change? Name at least two things, with numbers from this notebook.
# 3. Somebody says: "Our gradients agree with the bump check, so our sigmoid is fine." When is that not enough? What
#    can you do about it, and why does that often end in a node of its own?

# %% [markdown] question="size-of-a-node"
# *Replace this line with your answer.*

# %% [markdown] answer="size-of-a-node"
# **Model answer.** Both compute the same function of `n`, and a function has only one slope. The packed node states
# that slope in one formula; the other multiplies and adds the slopes of its small steps, by the chain rule, and the
# product comes to the same number. The engine does not care into which pieces a function is cut, as long as each
# piece knows its own slope.
#
# What changes: the graph has 18 nodes instead of 10 (with composite `-` and `/`), so it needs more memory, and both
# passes more time. An inner node is used twice, so shares of 0.1464 and -0.1036 have to be collected, where the packed
# node has no fork. Last digits may differ. And the range in which it can be computed: `tanh_from_exp` overflows above
# 354.89, `tanh` never does.
#
# A bump check compares slopes where the function could be computed. It says nothing of places where the computation
# itself fails, such as the sigmoid at -1000, where `exp(1000)` overflows although the answer is 0. The formula has to
# be changed: on the negative side multiply top and bottom so that only harmless powers appear. Whoever has worked out
# such a formula packs it into a single operation, so that it is used everywhere, it is also faster, and its slope can
# be written with the output. Mathematical correctness comes from the engine, numerical stability from the author.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | same function, hence same slope; the chain rule over the small steps gives the packed formula |
# | 0.5 | two differences with numbers (18 against 10 nodes or own counts; the fork; the limit 354.89) |
# | 0.5 | a check covers only places that can be computed; overflow as the example |
# | 0.5 | the remedy (another formula on one side), and why it becomes one operation |
#
# *Accept* other node counts if they are the student's own. *Not enough:* "more nodes are less exact" without anything
# that overflows or differs.

# %% [markdown]
# ## Where people get stuck
#
# **`'int' object has no attribute 'data'`.** A number got past the first lines of `__add__` or `__mul__`.
#
# **`unsupported operand type(s) for *: 'int' and 'Value'`.** The reflected method is missing or misspelt.
#
# **RecursionError in `sum`.** A reflected method that hands the same two operands back in the same order asks itself
# for ever.
#
# **My gradient is zero, the number is right.** Somewhere a node was made from `.data` alone, without its child. Such a
# fresh leaf cuts the graph.
#
# **Which operations need a closure?** Those that compute with `.data` and make a result node from it. Those that only
# write `self * ...`, `... + other` do not. (The node that wraps a plain number is a leaf. A leaf needs none.)
#
# **`math.exp(v)` raises a TypeError.** The functions of `math` want plain numbers. For nodes there is `v.exp()`.
#
# ## Handing in
#
# Save this notebook and your files. Then run `python kit.py submit` in a terminal in this folder, or
# `from kit import submit; submit()` in a new cell here; in the browser there is only the cell. Both look at everything
# that is graded, name what is missing or broken, and pack the zip to hand in.
#
# ## Go deeper
#
# - Python's documentation, *Emulating numeric types*: the reflected methods and `NotImplemented`.
# - Andrej Karpathy, *micrograd*, `engine.py`: the same operators in 94 lines.
# - The exercise notebook that belongs to the lecture: a function with powers and quotients, differentiated three ways.
# - JAX documentation, *Forward- and reverse-mode autodiff*: how a large system lets you define the slope of an
#   operation of your own.
