# %% [markdown]
# # Part 4: Automating backward
#
# In part 3 you filled in gradients by hand: ten assignments for one small neuron, each typed by a person who knew
# which rule belonged where. In this part the rules move into the nodes, and the order in which they run is worked out
# by the program. There is no new calculus. At the end `o.backward()` does the whole job in one call.
#
# **How to work.** Keep `value.py` and `checks.py` open beside this notebook; all the code you hand in goes there. Five
# places in the first say `TODO 4.1` to `TODO 4.5`, two in the second `TODO 4.6` and `TODO 4.7`, and the sections below
# take them in that order. After a change: save the file, run the next cell again, then the cells of the section you are
# in. You can run the whole notebook at any time: what is not written yet says so.
#
# Wherever a cell says `guess = None`, put your prediction there before you run it. A wrong guess is where the
# learning happens, so guess even when you are unsure. Nobody marks the guesses.

# %%
import importlib
import math
from collections import Counter
from contextlib import contextmanager
from itertools import permutations

import checks
import value
from IPython.display import display
from kit import check, draw_dot

importlib.reload(value)  # run this cell again, and it reads both files again
importlib.reload(checks)
Value = value.Value

# %% [markdown]
# Three small helpers. `show` prints the graph below a node, children indented under the node that was made from them.
# A node that is used twice is printed twice: it is the same node, with the same numbers. For larger graphs there is
# `draw_dot`, which draws; `print(draw_dot(o))` says the same in words.


# %%
def show(node, indent=""):
    """Print a node and, indented, everything it was computed from."""
    title = indent + node.label + (f" [{node._op}]" if node._op else "")
    print(f"{title:<22} data {node.data:8.4f}   grad {node.grad:8.4f}")
    for child in node._prev:
        show(child, indent + "   ")


def name(**nodes):
    """Give each node the name it is passed under, for show()."""
    for label, node in nodes.items():
        node.label = label


@contextmanager
def when_ready():
    """Run the lines below it; where they meet a task that is not written yet, say which one."""
    try:
        yield
    except NotImplementedError as todo:
        print("still to do:", str(todo).removeprefix("TODO "))
    except RecursionError:
        print("too deep for a function that calls itself")


# %% [markdown]
# ## 1. Where the rule lives
#
# Here is the neuron of part 3 again, every step with a name of its own.


# %%
def neuron():
    """Build o = tanh(x1*w1 + x2*w2 + b) and return its ten nodes."""
    x1, w1 = Value(2.0), Value(-3.0)
    x2, w2 = Value(0.0), Value(1.0)
    b = Value(6.8813735870195432)
    x1w1 = x1 * w1
    x2w2 = x2 * w2
    s = x1w1 + x2w2
    n = s + b
    o = n.tanh()
    name(x1=x1, w1=w1, x2=x2, w2=w2, b=b, x1w1=x1w1, x2w2=x2w2, s=s, n=n, o=o)
    return x1, w1, x2, w2, b, x1w1, x2w2, s, n, o


draw_dot(neuron()[-1])

# %% [markdown]
# Look back at the lines you typed in part 3, for instance "`x1.grad` is `w1.data` times the gradient of the product".
# To write it you need three things: the kind of operation (a product), its two inputs, and the gradient of its
# result. You need nothing about the rest of the graph. A product follows the same rule wherever it stands.
#
# So the operation itself can carry the rule. At the moment `x1 * w1` is computed, Python is inside `__mul__` and
# holds all three nodes: `self`, `other` and the new `out`. What we want to leave behind on `out` is a function that
# says: *take my gradient and hand the right share of it to the two nodes I was made from.* That function is
# `out._backward`.
#
# Two names that look alike: the underscore marks the small one. `_backward` is the step of **one node**; `backward`
# will run the pass through **the whole graph**.
#
# A leaf was not made from anything, so it has nothing to hand on. Its `_backward` is a function that does nothing,
# and that is its final answer, not a gap to be filled later. It means that we can call `_backward()` on any node
# without asking what kind it is.

# %%
leaf = Value(2.0)
print(leaf._backward())  # does nothing, returns None

# %% [markdown]
# ## 2. What a closure captures
#
# A function that is defined inside another one can use the outer one's variables, and it keeps them after the outer
# one has returned. It is then called a closure. Each call of the outer function makes a new one, with its own
# variables.


# %%
def remember(number):
    """Return a function that knows `number`."""

    def report():
        return number

    return report


five = remember(5)
nine = remember(9)
print(five(), nine())

# %% [markdown]
# Now the point that matters for us. The next cell makes a closure over a node, and only afterwards changes the node's
# gradient. Does the closure report the gradient from when it was defined (0.0), or from when it is called (7.0)?

# %%
guess = None  # 0.0 or 7.0?


def watch(node):
    """Return a function that reads node.grad."""

    def report():
        return node.grad

    return report


a = Value(3.0)
look = watch(a)  # a.grad is 0.0 here
a.grad = 7.0
print("your guess:", guess, "  it says:", look())

# %% [markdown]
# A closure holds on to the *variable*, here to the node, and reads from it when it is called. It does not keep a copy
# of the number that was there at the start. This is just what we need: while the expression is being built every
# gradient is still 0.0, and the closure is called much later, when the real one has arrived.
#
# It also fixes an order inside each operation: `out` has to be made first, then the closure that talks about it. And
# since each call makes a closure of its own, a graph with ten thousand products will have ten thousand of them, each
# knowing its own three nodes.
#
# ### Storing a function, calling a function
#
# One pair of parentheses makes a difference that has cost many people an evening, the lecturer on camera included.


# %%
def ring():
    """Print something, return nothing."""
    print("  ring!")


print("stored = ring")
stored = ring
print("called = ring()")
called = ring()

# %% [markdown]
# What is in `called` now? And what will happen when somebody later tries to use it as a function?

# %%
guess = None  # what is in `called`?
print("your guess:", guess, "  it is:", called)

stored()
try:
    called()
except TypeError as error:
    print("TypeError:", error)

# %% [markdown]
# `ring` is the function; `ring()` is what it returned, and a function without a `return` gives `None`. If you write
# `out._backward = _backward()`, the step runs at once, while every gradient is still zero, and `None` is stored.
# Nothing complains at that point. The error comes later, from another line: `'NoneType' object is not callable`. When
# you meet this message in this part, look for parentheses in the line that attaches a closure.

# %% [markdown]
# ## 3. Plus is a router (task 4.1)
#
# Let `a` grow by a little `h` while `b` stays. Then `a + b` grows by `h` as well:
#
#     ((a + h) + b) - (a + b)  =  h        slope: h / h = 1
#
# For `b` it is the same. The chain rule says that an input's gradient is *how steeply this operation depends on that
# input (its slope), times the gradient of the result*. With a slope of 1, a plus passes the gradient it received to
# both inputs, unchanged.
#
# **Task 4.1.** In `value.py`, inside `__add__`, write the closure in the place of the one that only says TODO. The line
# below it attaches it to `out`; leave it as it is, without parentheses (section 2). The closure takes no arguments. It
# hands `out.grad` on to both operands, by *adding* it to what already stands in their `grad`. For now take the adding
# as a rule; section 10 shows what happens to an engine that replaces instead.

# %%
guess = None  # c.grad is 7.0: what will a.grad and b.grad be?
a, b = Value(2.0), Value(-3.0)
c = a + b
name(a=a, b=b, c=c)

c.grad = 7.0
with when_ready():
    c._backward()
    print("your guess:", guess)
    show(c)

# %% task="4.1"
check("4.1")

# %% [markdown]
# ## 4. Times swaps (task 4.2)
#
# The same experiment with a product:
#
#     (a + h) * b - a * b  =  h * b        slope with respect to a:  b
#     a * (b + h) - a * b  =  a * h        slope with respect to b:  a
#
# Each input's slope is the *other* input's number. So a product scales the gradient that arrives, and the two inputs
# swap: each receives the gradient times the value of its partner.
#
# It is the partner's `data`, the number from the forward pass, that counts here. Its `grad` has no business in the
# rule.
#
# **Task 4.2.** The closure of `__mul__`.

# %%
guess = None  # p.grad is 5.0: what will a.grad and b.grad be?
a, b = Value(2.0), Value(-3.0)
p = a * b
name(a=a, b=b, p=p)

p.grad = 5.0
with when_ready():
    p._backward()
    print("your guess:", guess)
    show(p)

# %% task="4.2"
check("4.2")

# %% [markdown]
# ## 5. tanh from its own output (task 4.3)
#
# The slope of tanh at `x` is `1 - tanh(x)**2`. A bump confirms it at 0.5:

# %%
x, h = 0.5, 1e-6
t = math.tanh(x)
print("bumped: ", (math.tanh(x + h) - t) / h)
print("formula:", 1 - t * t)

# %% [markdown]
# In the formula, `tanh(x)` is the number that the forward pass has just put into `out`. The closure can see it, so it
# need not compute any tanh again. It is the *output* that gets squared, not the input: `1 - x**2` at 0.5 would be
# 0.75, which is wrong.
#
# This is a habit of every engine of this kind: the forward pass leaves its results behind, and the backward pass is
# cheap because it finds them there.
#
# **Task 4.3.** The closure of `tanh`. It has one operand only. Do not forget that the slope is half of the rule: the
# other half is the gradient that arrives.

# %%
guess = None  # t.grad is 3.0: what will x.grad be, roughly?
x = Value(0.5)
t = x.tanh()
name(x=x, t=t)

t.grad = 3.0
with when_ready():
    t._backward()
    print("your guess:", guess)
    show(t)

# %% task="4.3"
check("4.3")

# %% [markdown]
# ## 6. Calling the closures by hand
#
# Every operation now knows its own step. Let us run the neuron backward, calling the steps one by one, from the
# output down: first `o`, then `n`, `s`, and the two products.
#
# Run each cell of this section once. (If you ran one twice, start the section again: it builds a fresh neuron.)

# %%
guess = None  # what will x1.grad be after these five calls?
x1, w1, x2, w2, b, x1w1, x2w2, s, n, o = neuron()

with when_ready():
    for node in [o, n, s, x1w1, x2w2]:
        node._backward()
    print("your guess:", guess)
    display(draw_dot(o))

# %% [markdown]
# Zeros everywhere. No closure is wrong: each of them multiplies by the gradient of its own node, every gradient
# started at 0.0, and zero times anything is zero. Something has to start the flow.
#
# The start is the one gradient that needs no computing. If `o` grows by `h`, then `o` grows by `h`, so its slope
# against itself is 1. This is called the seed, and it gives all other numbers their meaning: they are slopes *of o*.

# %%
x1, w1, x2, w2, b, x1w1, x2w2, s, n, o = neuron()
o.grad = 1.0

with when_ready():
    o._backward()
    display(draw_dot(o))

# %% [markdown]
# The output is 0.7071, which is 1 divided by the square root of 2, so `1 - o*o` is one half. (In most engines the
# last digits read 0.4999999999999999. That is rounding, not a mistake.) From here a plus comes next, and then another
# one. What will they do with 0.5?

# %%
guess = None  # s.grad, b.grad, x1w1.grad and x2w2.grad after the two pluses?

with when_ready():
    n._backward()
    s._backward()
    print("your guess:", guess)
    display(draw_dot(o))

# %% [markdown]
# The 0.5 has passed through both pluses untouched. Four values went *into* a plus, and all four hold 0.5: `s`, `b`,
# `x1w1`, `x2w2`. (One text about this neuron speaks of "four add nodes". There are only two; the four are the values
# that go into them.)
#
# Now the products. Which of the four leaves below them will get a gradient of zero?

# %%
guess = None  # which leaf gets 0.0?

with when_ready():
    x1w1._backward()
    x2w2._backward()
    print("your guess:", guess)
    display(draw_dot(o))

# %% [markdown]
# The same numbers as in part 3, and nobody typed a derivative. `w2.grad` is 0 because its partner `x2` is 0: whatever
# you do to `w2`, the product stays 0, and so `o` does not move. The zero is the truth about this neuron at this
# input.

# %% [markdown]
# ## 7. Why not simply recurse?
#
# One thing was still ours: the order of the calls. How can the program find it? A tempting idea is to run a node's
# step, then do the same with each of its children:


# %%
def naive(node):
    """Run this node's step, then everything below it. Tempting, and wrong."""
    node._backward()
    for child in node._prev:
        naive(child)


# %% [markdown]
# We try it on two graphs. The first is called the diamond: `f = (a*b) * (a+b)`. Both `a` and `b` are used twice. At
# `a = -2`, `b = 3` the right gradients are -3 and -8. (Multiply out: `f = a*a*b + a*b*b`, and take the two
# derivatives.)


# %%
def diamond(engine):
    """Build f = (a*b) * (a+b) at a = -2, b = 3, out of the given class."""
    a, b = engine(-2.0), engine(3.0)
    d = a * b
    e = a + b
    f = d * e
    name(a=a, b=b, d=d, e=e, f=f)
    return a, b, d, e, f


guess = None  # right or wrong?
a, b, d, e, f = diamond(Value)
f.grad = 1.0
with when_ready():
    naive(f)
    print("your guess:", guess, "  a.grad:", a.grad, "  b.grad:", b.grad)

# %% [markdown]
# Right! You can read, in one of the texts behind this course too, that the diamond breaks the naive way. It does not:
# what is shared in it are leaves, and a leaf's step does nothing, so it does not matter when or how often it runs.
#
# The second graph shares a node in the *middle*: `y = 3x`, then `o = 2y + 5y`. By school algebra `o = 21x`, so the
# slope is 21. (In this part every operand is a `Value`, so the plain numbers are wrapped too.)


# %%
def shared_middle():
    """Build y = 3x and o = 2y + 5y at x = 2."""
    x = Value(2.0)
    y = Value(3.0) * x
    two_y = Value(2.0) * y
    five_y = Value(5.0) * y
    o = two_y + five_y
    name(x=x, y=y, two_y=two_y, five_y=five_y, o=o)
    return x, y, two_y, five_y, o


guess = None  # 21? If not: larger or smaller?
x, y, two_y, five_y, o = shared_middle()
o.grad = 1.0
with when_ready():
    naive(o)
    print("your guess:", guess, "  x.grad:", x.grad)

# %% [markdown]
# 27 (or 36, if your engine happens to visit the other child first). Follow it with a pencil:
#
# 1. Through `two_y`, `y` receives 2 and *at once* hands 3 * 2 = 6 on to `x`.
# 2. Through `five_y`, `y` receives 5 more, holds 7, and hands 3 * 7 = 21 on to `x`.
#
# The 21 alone would have been right. The 6 was sent too early, from a gradient that was not finished. Skipping nodes
# that have had their turn does not help either: then only the early 6 arrives (or 15).
#
# It is slow as well. The naive way visits a node once for every *path* that leads to it, and paths multiply: 18 small
# steps of the form `x = x*Value(1.0) + x` make 262,144 of them.
#
# So here is the rule that any correct order obeys:
#
# > **A node may run its step only when its own gradient is complete: after every node that uses it has run.**

# %% [markdown]
# ## 8. An order that always works (task 4.4)
#
# Arrange all nodes in a list such that *every child stands before its parent*. This is a topological order. Read it
# backward, and each node comes after all the nodes that use it: just what the rule asks for.
#
# Such an order always exists for our graphs. An expression can only use nodes that are there already, so following
# children never leads back to where you started.
#
# There is usually more than one. Which of these are orders of the diamond, children first?

# %%
guess = None  # for example "1 3"

candidates = {1: "a b d e f", 2: "b a e d f", 3: "a d b e f", 4: "f e d b a", 5: "b a d e f"}


def children_first(order):
    """Is every node placed after all of its children?"""
    place = {id(node): position for position, node in enumerate(order)}
    return all(place[id(child)] < place[id(node)] for node in order for child in node._prev)


by_name = {node.label: node for node in diamond(Value)}
print("your guess:", guess)
for number, labels in candidates.items():
    print(number, labels, children_first([by_name[label] for label in labels.split()]))

# %% [markdown]
# In number 3, `d` comes before `b`, which it was made from. Number 4 is back to front.
#
# How do you make such a list? Think of what it takes to place *one* node: first all of its children have to be
# placed, and only then may the node itself be appended. **Append after the children**; the whole idea is in the word
# *after*. And a node that was placed already, because somebody else uses it too, is not placed again.
#
# The obvious way to write this is a function that calls itself for each child. It has one weakness. Python allows
# only about a thousand calls inside each other (a notebook may allow somewhat more), and a chain of nodes can be
# longer.


# %%
def depth(node):
    """How many nodes the longest path from this node down to a leaf has, by recursion."""
    return 1 + max((depth(child) for child in node._prev), default=0)


def chain(length):
    """Add 1 again and again; return the first node and the last."""
    first = last = Value(0.0)
    for _ in range(length):
        last = last + Value(1.0)
    return first, last


first, last = chain(10_000)
print("the neuron:", depth(neuron()[-1]))
try:
    print("the chain: ", depth(last))
except RecursionError as error:
    print("the chain:  RecursionError,", str(error).split(" while")[0])

# %% [markdown]
# When a function calls itself, Python keeps the list of half-finished calls for you, and that list is what is
# limited. You can keep one yourself: an ordinary list to which you `append` what is still to do, and from which you
# `pop` the next thing. A list used like this is called a *stack*, and it may be as long as memory allows.
#
# There is one catch, and it is the heart of the task. When you take a node off the stack, its children are usually
# not placed yet, so you cannot append it to the order now. You have to come back to it later, and when you do you
# must know that its children have been dealt with. Find your own way of leaving yourself that note.
#
# **Task 4.4.** `topological_order()`: a list of every node that `self` depends on, and `self`. Each node once, every
# child before its parent, `self` last. It has to survive the chain above without touching Python's recursion limit.
# Any order with these properties is right.

# %%
x1, w1, x2, w2, b, x1w1, x2w2, s, n, o = neuron()

with when_ready():
    order = o.topological_order()
    print(" ".join(node.label for node in order))
    print(len(order), "nodes, children first:", children_first(order))

first, last = chain(10_000)
with when_ready():
    print("the chain:", len(last.topological_order()), "nodes")

# %% [markdown]
# The neuron has ten nodes; the chain has 20,001: the start, and a number and a sum for each step. (If it says "too
# deep", your walk calls itself. The check below does not try a long chain; the hidden tests do.)
#
# Your list for the neuron may look different from your neighbour's; with sets for `_prev` it may even change from run
# to run. One text prints `b x1 w1 x1w1 x2 w2 x2w2 s n o`, and another promises that all leaves come first. They do
# not have to: in the printed list a product stands before two leaves that it does not need. Children before parents,
# and nothing more.

# %% task="4.4"
check("4.4")

# %% [markdown]
# ## 9. backward() (task 4.5)
#
# All the pieces are on the table. A backward pass has three phases: find an order, seed the node you start from, and
# run every node's step once, in the direction in which gradients flow. One call per node, however many paths there
# are: the work grows with the size of the graph and no faster.
#
# The seed is set, not added: the node's own gradient *becomes* 1.0. Apart from that, `backward()` clears nothing.
# What stands in the gradients before the call is added to; we come back to that in section 13.
#
# **Task 4.5.** `backward()`. It must work from any node, and it returns nothing.

# %%
x1, w1, x2, w2, b, x1w1, x2w2, s, n, o = neuron()
with when_ready():
    o.backward()
    display(draw_dot(o))

# %%
x, y, two_y, five_y, o = shared_middle()
with when_ready():
    o.backward()
    print("2y + 5y: x.grad", x.grad)

first, last = chain(10_000)
with when_ready():
    last.backward()
    print("the chain of 10,000: first.grad", first.grad)

# %% [markdown]
# The graph that defeated the naive way gives 21, and the long chain gives 1. (If the chain is too deep for your
# `backward()`, let it use `topological_order()`. It need not, but then it has to find an order in some other way.)
#
# **From a node in the middle.** Nothing says that you have to start at the end. Call `n.backward()` on a fresh neuron
# and think first: of *which* quantity are the gradients now the slopes? What will `x1.grad` be, and what happens to
# `o.grad`?

# %%
guess = None  # x1.grad and o.grad?
x1, w1, x2, w2, b, x1w1, x2w2, s, n, o = neuron()
with when_ready():
    n.backward()
    print("your guess:", guess)
    show(o)

# %% [markdown]
# Now they are slopes of `n`. The tanh above it plays no part, so no factor of one half appears: `x1.grad` is -3,
# plainly the weight it is multiplied with. `o` is not below `n`, so the pass never touches it, and `o.grad` stays 0.

# %% task="4.5"
check("4.5")

# %% [markdown]
# ## 10. The bug: a node used twice
#
# Your engine adds to `grad`. Why is that a rule? Here is a small engine that *replaces* instead. It is not built like
# yours: each node keeps a list of pairs, a child and the slope with respect to that child, instead of a closure. The
# chain rule is the same. One line in it is wrong.


# %%
class Broken:
    """An engine with one wrong line."""

    def __init__(self, data, pairs=(), op=""):
        self.data, self.grad, self.label, self._op = data, 0.0, "", op
        self.pairs = list(pairs)
        self._prev = {child for child, _ in pairs}  # a set, as in the lecture

    def __add__(self, other):
        return type(self)(self.data + other.data, [(self, 1.0), (other, 1.0)], "+")

    def __mul__(self, other):
        return type(self)(self.data * other.data, [(self, other.data), (other, self.data)], "*")

    def _backward(self):
        for child, slope in self.pairs:
            child.grad = slope * self.grad  # <- the wrong line


# %% [markdown]
# The smallest case: `b = a + a`. School calculus says that the slope of `2a` is 2. What does this engine say?

# %%
guess = None  # a.grad?
a = Broken(3.0)
b = a + a
name(a=a, b=b)

b.grad = 1.0
b._backward()
print("your guess:", guess)
show(b)

# %% [markdown]
# The value is right, 6; the gradient is 1. Both inputs of the plus are the *same* node. The step writes 1 into its
# gradient, and then writes 1 there again. Two contributions arrived, one survived.
#
# Is the set to blame, in which the two edges from `a` to `b` have become one? No. The step does not look at the set;
# it goes through `pairs`, and there both edges stand:

# %%
print("edges in the set:", len(b._prev), "  pairs the step goes through:", len(b.pairs))

# %% [markdown]
# Now the diamond, on the same engine. Right would be -3 and -8. We run `f`'s step, then the steps of `d` and `e`.
# Both `d` before `e` and `e` before `d` are legal. Does it matter which comes first?

# %%
guess = None  # same numbers, or different ones?
print("your guess:", guess)

for first, second in [("d", "e"), ("e", "d")]:
    nodes = {node.label: node for node in diamond(Broken)}
    nodes["f"].grad = 1.0
    for label in ["f", first, second]:
        nodes[label]._backward()
    print(f"{first} before {second}:  a.grad {nodes['a'].grad}   b.grad {nodes['b'].grad}")

# %% [markdown]
# Two legal orders, two answers, both wrong. Before you read on, hold the two lines next to the right answer, -3 and
# -8. Do you see how they are related?
#
# And who chooses the order? If children are kept in a set, Python does, by where the objects happen to lie in memory.
# Here are 200 fresh diamonds, each stepped through in the order in which its set comes:

# %%
kept = []  # keeps every graph alive, so that each gets its own place in memory
answers = Counter()
for _ in range(200):
    a, b, d, e, f = diamond(Broken)
    kept.append(f)
    f.grad = 1.0
    f._backward()
    for node in f._prev:
        node._backward()
    answers[a.grad, b.grad] += 1

for (grad_a, grad_b), times in answers.items():
    print(f"a.grad {grad_a}   b.grad {grad_b}   {times} times")

# %% [markdown]
# The same program, the same numbers, and the answer depends on chance. (On your machine one of the two may be rare,
# and running the cell again may change the counts.) Such a bug can hide for a long time.
#
# ### The rule behind the plus sign
#
# The two wrong answers *add up* to the right one: 3 + (-6) = -3, and -2 + (-6) = -8. Each is the part of the slope
# that comes along one path: 3 and -2 through the product `d`, -6 and -6 through the sum `e`.
#
# This is the chain rule for more than one path. If `x` acts on the output `o` through `u` and also through `v`, then
# a bump of `x` moves `u` and `v` at once, and the two effects on `o` add:
#
#     do/dx  =  do/du * du/dx  +  do/dv * dv/dx
#
# Nobody has to find out in advance how often a node is used. Every user adds its own share: `+=` instead of `=`. A
# gradient that starts at 0.0 then ends as the sum over all paths.
#
# **Try it.** In the class `Broken`, change the wrong line by one character. Run the class again and the three
# experiments below it. Which numbers come out now, and does the order still matter?
#
# Your own engine adds already:

# %%
a = Value(3.0)
b = a + a
with when_ready():
    b.backward()
    print("a + a:        a.grad", a.grad)

a = Value(3.0)
b = a * a
with when_ready():
    b.backward()
    print("a * a:        a.grad", a.grad)

a, b, d, e, f = diamond(Value)
with when_ready():
    f.backward()
    print("the diamond:  a.grad", a.grad, "  b.grad", b.grad)

# %% [markdown]
# For `a * a` at 3 the slope is `2a`, 6. You may read that it works because the step fires twice. It fires once, and
# *writes* twice, once for each operand.
#
# Two more for pencil and paper. For `z = (x + y) * y` at `x = 2`, `y = 3`: how much of `y`'s gradient comes straight
# through the product, and how much through the sum? And both gradients of `L = (a*b + b) * 2` at `a = 2`, `b = 3`?

# %%
guess = None  # x.grad, y.grad, then a.grad, b.grad
print("your guess:", guess)

x, y = Value(2.0), Value(3.0)
s = x + y
z = s * y
name(x=x, y=y, s=s, z=z)
with when_ready():
    z.backward()
    show(z)

a, b = Value(2.0), Value(3.0)
L = (a * b + b) * Value(2.0)
with when_ready():
    L.backward()
    print("L", L.data, "  a.grad", a.grad, "  b.grad", b.grad)

# %% [markdown]
# `y` gets 5 straight through the product (its partner `s` is 5) and 3 through the sum: 8. In `L`, `b` gets 2 times
# `a`, 4, through the product and 2 straight through the sum: 6.

# %% [markdown]
# ### Written question: adding on a plain chain
#
# On a *plain chain* every node below the output has one user, as in `u = x * p`, `v = u.tanh()`, `L = v * q`. In about
# six to eight sentences:
#
# 1. There `+=` leaves the same numbers behind as `=`. Two facts about the engine are needed for this, one about the
#    moment a node is made and one about the backward pass. Which? Explain it for `u.grad`.
# 2. Break the two facts, one at a time. Take a chain of k pluses, each of which adds a fresh number to the node before,
#    so that the right gradient of the first node is 1. (a) A colleague's constructor starts every `grad` at 0.5. What
#    does the first node's gradient come to after one backward pass? (b) Another colleague's `backward()` sets the seed
#    and then runs each step twice in a row. What now? Give both as formulas with k, and say how you got them.
# 3. In `L = v * v` the node `v` has one user, and still `=` and `+=` disagree. Which of your two facts is violated? If
#    none is: what is it about this graph that makes it no plain chain?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="plain-chain"
# *Replace this line with your answer.*

# %% [markdown] answer="plain-chain"
# **Model answer.** The facts: a node's grad is 0.0 when it is made, and in one pass each node's step runs exactly once.
# u has a single user, the tanh, whose step runs once and makes a single contribution to u.grad. Zero plus this one
# contribution is the contribution, which is just what an assignment would have stored.
#
# (a) The root's gradient is set to 1.0, so the wrong start is overwritten there. Every node below keeps its 0.5 and
# receives what its user holds: 1 + 0.5 one step down, then 1.5 + 0.5, and so on: each plus adds another half, and after
# k steps it is 1 + k/2. (b) A step that runs twice hands on everything twice, and the next one hands on twice as much
# of the doubled number: factor 2 per plus, so 2 to the power k. With `=`, running a step twice would do no harm.
#
# In v * v neither fact is violated: v starts at zero and the product's step runs once. But this one step writes to v
# two times, once for each operand, because v is both of them. There are two edges from v to L, so two paths, and both
# contributions are real: their sum is 2v. A plain chain has one edge into each user, not only one user.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | born at 0.0, each step once per pass, and u's single contribution: 0 + c = c |
# | 0.5 | (a) 1 + k/2, with the reason that the root is set and every node below keeps its start |
# | 0.5 | (b) 2**k, because each step doubles what it received already doubled |
# | 0.5 | v * v: neither fact; one step writes twice, both shares are real (two edges or two paths) |
#
# *Half of an element (0.25):* a right formula without a reason, or a right reason with a slip (k + 1 for k). *Common
# wrong answers.* "(a) 1.5, because 0.5 is added": true one step down only. "(b) 2": each level doubles. "In v * v the
# step runs twice": it runs once.

# %% [markdown]
# ### Written question: why the answer depends on the order
#
# With the wrong line, the diamond gave (3, -2) or (-6, -6). In about six to eight sentences:
#
# 1. State a rule for what stands in a node's `grad` after a pass of the engine that replaces, and use it to say which
#    path's share survives in `a.grad` for either order of `d` and `e`.
# 2. `a + a` comes out wrong in that engine too, but it gives 1 every time. Why does the order play no part there? Then
#    invent an expression in which one leaf may end with one of *three* different wrong gradients, list them, and give
#    the right one.
# 3. With `+=` the result is the same in every legal order. Which property of addition is behind that, and why does
#    this not make the order superfluous? (Section 7 has the number.)
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="order-dependence"
# *Replace this line with your answer.*

# %% [markdown] answer="order-dependence"
# **Model answer.** In the replacing engine a node's grad is whatever was written last: the share of the user whose step
# ran last, and nothing of the others. If d runs before e, then e writes last, and a keeps the share through the sum,
# e.grad * 1 = -6. If e runs first, the product d writes last and a keeps d.grad * b = 1 * 3 = 3. Both orders are legal,
# because d and e do not depend on each other, and nothing in the program prefers one of them.
#
# In a + a both writes happen inside one and the same step, and both write the same number, 1. There is only one user,
# so there is no order of users to choose. (Even with different shares the sequence would be fixed by the code.) Three
# answers: a leaf with three users that do not depend on each other, for example x*p + x*q + x*r with different p, q, r.
# The last product to run decides: x.grad is p, q or r, and right would be p + q + r.
#
# A sum does not depend on the sequence of its terms (apart from rounding), so all legal orders give the same total.
# But each term has to be complete when it is sent: a share is slope times the sender's own gradient. In an order that
# is not legal a node sends before it has received everything, as y did in section 7 when it sent 6 too early, and x
# got 27 instead of 21. Adding cures the sequence of users; only the topological order makes every sender complete.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | the last writer wins, with -6 (e last) and 3 (d last) assigned to the right orders |
# | 0.75 | a + a: one step, one user, same number twice; a correct example with three answers, and the right sum |
# | 0.75 | terms of a sum may come in any sequence; but each has to be complete when sent: 27 instead of 21 |
#
# *Half of an element:* "the set's order is random" alone, without what is written when (0.25 of the first); an example
# in which the three shares are equal, or whose users depend on each other (0.25 of the second); "addition is
# commutative" without the need for complete senders (0.5 of the third).
# *Common wrong answers.* "The set loses one edge": no step ever reads that set. "One order is the right one, the
# other is not": both are legal, and both answers wrong.

# %% [markdown]
# ## 11. Proving it (task 4.6)
#
# You have seen right and wrong numbers for graphs whose answers we knew. For the next graph nobody will have worked
# them out. What you need is a referee that knows nothing of engines, closures and orders: it gets a function, a
# place, and the gradients that somebody *claims*, and says yes or no. You know its method since part 1: bump each
# number up and down, and compare.
#
# How close is close enough? A bumped slope is never exact. For a slope of 50,000 a difference of 1 is nothing, for a
# slope of 0.3 it is everything. So the allowed difference is measured *relative* to the slope where the slope is larger
# than 1. Near a slope of 0 this would allow nothing at all, so below 1 the difference is measured as it stands.
#
# One more trap, and it is a real one: a broken engine may claim `nan`, "not a number". Every comparison with it is
# False. What does a referee do that asks *is the difference too large?*

# %%
guess = None  # True or False, and what would such a referee conclude?
difference = abs(float("nan") - 6.0)
print("your guess:", guess)
print("too large? ", difference > 1e-4)
print("small?     ", difference <= 1e-4)

# %% [markdown]
# **Task 4.6.** In `checks.py`, `gradient_check(f, xs, grads, h, tol)`. It deals in plain numbers only; no `Value` comes
# near it, which is why it can judge any engine. It must accept a right one *and* reject a wrong one.
#
# Then let it judge three engines on the diamond: the broken one, the broken one with its line repaired, and yours.


# %%
class Repaired(Broken):
    """The same engine with the wrong line put right."""

    def _backward(self):
        for child, slope in self.pairs:
            child.grad = child.grad + slope * self.grad


def claims(engine, x, y):
    """The two gradients that an engine finds for the diamond, its steps called by hand."""
    a, b = engine(x), engine(y)
    d, e = a * b, a + b
    f = d * e
    f.grad = 1.0
    for node in (f, d, e):
        node._backward()
    return [a.grad, b.grad]


def plain_diamond(xs):
    """The diamond in plain numbers."""
    a, b = xs
    return (a * b) * (a + b)


guess = None  # three verdicts?
print("your guess:", guess)
for engine in (Broken, Repaired, Value):
    with when_ready():
        found = claims(engine, -2.0, 3.0)
        print(engine.__name__, found, "accepted:", checks.gradient_check(plain_diamond, [-2.0, 3.0], found))

# %% [markdown]
# Rejected, accepted, accepted (and if you repaired `Broken` itself in section 10, accepted three times). This is a
# proof of the fix in the sense in which engineers use the word: the same instrument that rejects the old line accepts
# the new one.
#
# How much is one acceptance worth? Here is the broken engine again, untouched, at four other places.

# %%
guess = None  # will it be accepted anywhere?


class StillBroken(Broken):
    """The wrong line once more, in case you have repaired it above."""

    def _backward(self):
        for child, slope in self.pairs:
            child.grad = slope * self.grad


print("your guess:", guess)
for x, y in [(1.5, 4.0), (-0.5, 0.7), (2.0, -2.0), (3.0, 1.0)]:
    with when_ready():
        found = claims(StillBroken, x, y)
        print(f"at a = {x}, b = {y}:", found, "accepted:", checks.gradient_check(plain_diamond, [x, y], found))

# %% [markdown]
# At a = 2, b = -2 the wrong engine is accepted, and rightly so: there `e` is 0, nothing comes along the path that gets
# lost, and its numbers are true. A gradient check says something about *one function at one place*. Use several
# places, crooked numbers, and functions in which nodes are shared. On a plain chain it would have accepted the broken
# engine everywhere.

# %% task="4.6"
check("4.6")

# %% [markdown]
# ## 12. Watching the schedule (task 4.7)
#
# The second instrument looks at the *order*. `backward()` promises that each step runs once, and none before all its
# users have run. Right gradients are a hint that it keeps the promise; here we look.
#
# `_backward` is an attribute like any other. So for the length of one pass you can put another function in its place:
# one that notes which node it belongs to, and then does what the old one would have done. Afterwards the old ones are
# put back, as if you had never been there.
#
# You will need one such function per node, made in a loop, and in a loop a closure has a surprise in store:

# %%
guess = None  # what will the two reports say?
reports = []
for number in (5, 9):

    def report():
        """Say which number this report is about."""
        return number

    reports.append(report)

print("your guess:", guess, "  they say:", [report() for report in reports])

# %% [markdown]
# 9 and 9. Section 2 said why: a closure holds on to the *variable*. Both functions share the loop's one variable, and
# when they are called it holds the last number. `remember` in section 2 did not have this problem, because each call of
# an outer function makes variables of its own.
#
# **Task 4.7.** In `checks.py`, `record_schedule(root)`: run `root.backward()` once and return the list of nodes in the
# order in which their steps ran. If a step runs twice, its node stands there twice: note what happens, not what ought
# to happen.


# %%
def each_once(fired):
    """Did no node's step run more than once?"""
    return len({id(node) for node in fired}) == len(fired)


def users_first(fired):
    """Did every node's step run after the steps of all nodes in the list that use it?"""
    last = {id(node): position for position, node in enumerate(fired)}
    first = {id(node): position for position, node in reversed(list(enumerate(fired)))}
    return all(last[id(node)] < first[id(child)] for node in fired for child in node._prev if id(child) in first)


for title, root in [
    ("the neuron", neuron()[-1]),
    ("the diamond", diamond(Value)[-1]),
    ("2y + 5y", shared_middle()[-1]),
]:
    with when_ready():
        fired = checks.record_schedule(root)
        print(f"{title}: {' '.join(node.label or '(a number)' for node in fired)}")
        print("   each once:", each_once(fired), "  users first:", users_first(fired))

# %% [markdown]
# So this is your whole machine at work. For the neuron it takes sixteen moves: five operations build the graph, one
# sort finds an order, and ten calls run the steps. Here are the ten calls in slow motion, on a fresh neuron:


# %%
def replay(root):
    """Repeat a recorded pass call by call, and print what each call has handed on."""
    fired = checks.record_schedule(root)
    for node in fired:
        node.grad = 0.0
    root.grad = 1.0
    for move, node in enumerate(fired, start=7):
        node._backward()
        handed = ",  ".join(f"{child.label}.grad is now {child.grad:.4f}" for child in node._prev)
        print(f"{move:2}. {node.label}._backward():  {handed or 'a leaf, nothing to hand on'}")


with when_ready():
    replay(neuron()[-1])

# %% [markdown]
# (If your engine does not call the steps of leaves at all, the list is shorter. That is fine: they do nothing.)
#
# An instrument should also show a fault when there is one. On the graph `2y + 5y` we put the naive walk of section 7 in
# the place of `backward`, for this one root. What will the record look like?

# %%
guess = None  # how often will y fire?
root = shared_middle()[-1]


def hasty_backward():
    """Seed, then the naive walk."""
    root.grad = 1.0
    naive(root)


root.backward = hasty_backward
print("your guess:", guess)
with when_ready():
    fired = checks.record_schedule(root)
    print(" ".join(node.label or "(a number)" for node in fired))
    print("each once:", each_once(fired), "  users first:", users_first(fired))

# %% [markdown]
# `y` stands there twice, once before one of its users has run. This is the early 6 of section 7, caught in the act.

# %% task="4.7"
check("4.7")

# %% [markdown]
# ## 13. A second backward()
#
# Adding has a price. Nothing is ever cleared, so what happens when `backward()` is called twice on the same graph?
# Start small:

# %%
guess = None  # a.grad after the second call?
a = Value(3.0)
b = a + a
with when_ready():
    b.backward()
    print("once: ", a.grad)
    b.backward()
    print("twice:", a.grad, "  your guess:", guess)

# %% [markdown]
# 2, then 4: it has doubled. One text says that a second call doubles *every* gradient. Let us look at the
# expression of part 3, `L = (a*b + c) * f`. By which factor will each gradient have grown?


# %%
def expression(a, b, c, f):
    """Build L = (a*b + c) * f and return its nodes by name."""
    e = a * b
    d = e + c
    L = d * f
    return {"L": L, "d": d, "f": f, "e": e, "c": c, "a": a, "b": b}


def compare(label, before, after):
    """Print one gradient after the first and after the second call, and how many times larger it is now."""
    factor = f"{after / before:.0f}" if before else "?"
    print(f"{label}:  once {before:6.1f}   twice {after:6.1f}   factor {factor}")


guess = None  # the factors for f, c, a?
nodes = expression(Value(2.0), Value(-3.0), Value(10.0), Value(-2.0))
with when_ready():
    nodes["L"].backward()
    once = {label: node.grad for label, node in nodes.items()}
    nodes["L"].backward()
    print("your guess:", guess)
    for label, node in nodes.items():
        compare(label, once[label], node.grad)

# %% [markdown]
# Now the same, with one difference: between the two calls the expression is *built again* from the same four leaves.

# %%
guess = None  # the factors for f, c, a this time?
leaves = [Value(2.0), Value(-3.0), Value(10.0), Value(-2.0)]
with when_ready():
    expression(*leaves)["L"].backward()
    once = [leaf.grad for leaf in leaves]
    expression(*leaves)["L"].backward()
    print("your guess:", guess)
    for label, leaf, before in zip("abcf", leaves, once, strict=True):
        compare(label, before, leaf.grad)

# %% [markdown]
# This second case is the one you will meet in training. There the expression is built anew in every step, from the
# same weights, and whoever forgets to set the gradients back to zero collects those of all the steps before.

# %% [markdown]
# ### Written question: what a second backward() does
#
# In your own words, in about eight to twelve sentences. Use the numbers above.
#
# 1. What does the second call of `backward()` on the same graph set anew, what does it add to, and what does it leave
#    as it was?
# 2. On `L = (a*b + c) * f`, `f` came out twice as large, `c` three times, `a` and `b` four times. Explain why,
#    following the gradients from `L` down to `a`. What would the factor be for a leaf that lies `k` operations away
#    from the root on a single chain?
# 3. Why does everything exactly double when the expression is built again from the same leaves? What should a program
#    do before each backward pass if it wants the plain gradients?
#
# If you like to test your explanation: it should be able to predict `y.grad` after two calls on `z = (x + y) * y`.
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="second-backward"
# *Replace this line with your answer.*

# %% [markdown] answer="second-backward"
# **Model answer.** The second call sets one gradient anew: the root's becomes 1.0 again, by assignment. Every other
# gradient is only added to, by the closures. Nothing is cleared in between, so the inner nodes `d` and `e` still hold
# what they received in the first pass, and this old part is handed on a second time.
#
# First pass: L 1, d -2, f 4, e -2, c -2, a 6, b -4. In the second pass `L` starts from 1 again, so `d` and `f`, one
# operation away, receive the same as before: d -2 + -2 = -4, f 4 + 4 = 8, twice as large. But now `d` holds twice its
# gradient when its turn comes, so `e` and `c` receive 2 shares on top of the 1 they hold: -2 + -4 = -6, three times.
# `e` in turn hands on 3 shares: a = 6 + 18 = 24 and b = -4 + -12 = -16, four times. Each operation further away adds
# one share: on a chain, a leaf `k` operations away from the root has `k + 1` times its gradient after the second
# call. Only leaves at distance 1, as in `a + a`, double.
#
# When the expression is built again, all inner nodes are new and start at 0.0. Only the leaves remember the first
# pass. The second pass therefore brings each leaf exactly the same contribution once more: twice as large, at any
# depth. A program that wants the plain gradients sets the gradients to zero before each backward pass (those of the
# leaves it keeps; of all nodes, if it uses the same graph again).
#
# For `z = (x + y) * y`: the path straight through the product has length 1 and counts twice, the one through the sum
# has length 2 and counts three times: 2 * 5 + 3 * 3 = 19. (Not asked for; no points.)
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | the root's gradient is *set* to 1.0, not added to, while the closures add and nothing is cleared |
# | 0.5 | the cause: inner nodes still hold the first pass's gradient, and hand it on again beside the new one |
# | 0.5 | the factors 2, 3, 4 followed through at least two levels, and `k + 1` for a chain (in symbols or in words) |
# | 0.5 | built again: inner nodes are fresh, only leaves remember, hence exactly double; zero before each pass |
#
# *Half of an element (0.25):* the factors named as "one more per level" without following them; "double because the
# same is added again" without saying that the inner nodes are new; the zeroing missing.
#
# *Common wrong answers.* "Everything doubles because of `+=`": earns at most the first element. "The root becomes 2,
# and everything follows from that": the root is assigned 1.0 both times. "The closures run twice per call": they run
# once per call. "`a` is used more often": it is used once; its distance counts, not its number of uses. "Python
# caches the graph": nothing is cached; the gradients are attributes that nobody resets.
#
# *Another engine.* A student whose own engine keeps inner gradients apart, so that a second call doubles everything,
# has a correct engine. Give full marks if the answer explains this and also says what happens where inner gradients
# stay.

# %% [markdown]
# ## 14. What if the graph had a circle?
#
# An expression can only be made of nodes that are there already, so following children never leads back. But `_prev` is
# only an attribute, and by hand we can tie a knot: let x be computed from y, and y from x. Is there an order with
# children first? With three nodes there are six orders, so we can simply try them all.

# %%
guess = None  # how many of the six are children first?
x, y = Value(2.0), Value(3.0)
o = x + y
name(x=x, y=y, o=o)
x._prev, y._prev = (y,), (x,)

print("your guess:", guess)
for order in permutations([x, y, o]):
    print(" ".join(node.label for node in order), children_first(order))

x._prev, y._prev = (), ()  # untie it

# %% [markdown]
# None. x would have to stand before y, and y before x. So on a circle no schedule can keep the rule of section 7, and
# no engine of this kind can be right there; there is not even a right answer to miss, since each gradient would wait
# for the other. What an engine does with a circle depends on how it looks for its order. One that ticks off the nodes
# it has met comes back with *some* list, in which the rule is broken somewhere, and with numbers that mean nothing.
# One that starts a node only when all its users have run never starts x or y, and what they have received goes no
# further. One that recurses without ticking anything off does not come back. None of them is asked for anything in
# this course: our engine does not look for circles, because nobody who only computes with Values can make one.

# %% [markdown]
# ## Where people get stuck
#
# **A plus copies its gradient and a product does not. Why?** Because the slope of `a + b` is 1 whatever the numbers
# are, and the slope of `a * b` depends on them. Copying is simply multiplying by 1.
#
# **Which operand's number goes where in a product?** The partner's. If you read `self.data` in the share of `self`,
# you have not swapped. A test with two equal numbers cannot see this mistake, so try 2 and -3.
#
# **Why can I not run a step as soon as I reach the node?** Its gradient may be incomplete. In section 7 the shared
# node sent 6 too early, and nothing that came later could take it back.
#
# **My `record_schedule` returns the same node ten times.** Section 12, the two nines.
#
# **`gradient_check` accepts everything.** Let it compare *every* gradient before it says True, look at the size of the
# difference and not at its sign, and try it on a claim of `nan`.
#
# **Everything is zero.** Either the seed is missing, or the closures were attached to the wrong node (`self` instead
# of `out`), or not at all, or the order runs from the leaves up.
#
# **`'NoneType' object is not callable`?** Parentheses where the closure is attached. See section 2.
#
# **I changed `a.data` after building the expression. Why is nothing updated?** A node computes its number once, when
# it is made. Build the expression again.
#
# **Why store a function? A string like `'*'` and one big `if` would do.** It would. Then you could print the backward
# pass, rearrange it, differentiate it again or translate it for a graphics card, and some large systems do that. A
# closure can only be called. In return each rule stands right beside its forward line, what it needs (such as the
# output of tanh) is at hand without being stored anywhere, and a new operation needs no change elsewhere.
#
# ## Go deeper
#
# - Andrej Karpathy, *micrograd* (the file `engine.py`), and the notebook of the lecture's first half: the engine you
#   have just written, as its author wrote it.
# - Stanford CS231n, course notes *Backpropagation, Intuitions*: gates that distribute, swap and add up.
# - PyTorch documentation, *Autograd mechanics*: the same three ideas in a large system, and accumulation into
#   `.grad`.
# - Wikipedia, *Topological sorting*: two methods, one that goes depth first like ours, and Kahn's, which needs no
#   recursion to begin with.
# - Rumelhart, Hinton and Williams, *Learning representations by back-propagating errors* (1986): the paper that made
#   the method known.
# - Baydin, Pearlmutter, Radul and Siskind, *Automatic Differentiation in Machine Learning: a Survey* (2015): where
#   this engine stands among its relatives.
