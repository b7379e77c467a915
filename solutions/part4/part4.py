# %% [markdown]
# # Part 4: Automating backward
#
# In part 3 you filled in gradients by hand: ten assignments for one small neuron, each typed by a person who knew
# which rule belonged where. In this part the rules move into the nodes, and the order in which they run is worked out
# by the program. There is no new calculus. At the end `o.backward()` does the whole job in one call.
#
# **How to work.** Keep `value.py` open beside this notebook; all the code you hand in goes there. Five places in it
# say `TODO 4.1` to `TODO 4.5`, and the sections below take them in that order. After a change: save `value.py`, run
# the next cell again, then the cells of the section you are in. You can run the whole notebook at any time: what is
# not written yet says so.
#
# Whenever a cell starts with `guess = None`, put your prediction there before you run it. A wrong guess is where the
# learning happens, so guess even when you are unsure. Nobody marks the guesses.

# %%
import importlib
import math
from collections import Counter
from contextlib import contextmanager

import value
from kit import check

importlib.reload(value)  # run this cell again, and it reads value.py again
Value = value.Value

# %% [markdown]
# Three small helpers. `show` prints the graph below a node, children indented under the node that was made from them.
# A node that is used twice is printed twice: it is the same node, with the same numbers.


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


show(neuron()[-1])

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
# **Task 4.1.** In `value.py`, inside `__add__`, write the closure and attach it to `out`. It takes no arguments. It
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
# **Task 4.2.** The closure of `__mul__`, and its attachment to `out`.

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
    show(o)

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
    show(o)

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
    show(o)

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
    show(o)

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
# The neuron has ten nodes; the chain has 20,001: the start, and a number and a sum for each step.
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
# What stands in the gradients before the call is added to; we come back to that in section 11.
#
# **Task 4.5.** `backward()`. It must work from any node, and it returns nothing.

# %%
x1, w1, x2, w2, b, x1w1, x2w2, s, n, o = neuron()
with when_ready():
    o.backward()
    show(o)

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
        return Broken(self.data + other.data, [(self, 1.0), (other, 1.0)], "+")

    def __mul__(self, other):
        return Broken(self.data * other.data, [(self, other.data), (other, self.data)], "*")

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
# ## 11. A second backward()
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
# 2, then 4: it has doubled. The text just mentioned says that a second call doubles *every* gradient. Let us look at
# the expression of part 3, `L = (a*b + c) * f`. By which factor will each gradient have grown?


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
# **Does += count anything twice when every node is used only once?** Look at the number that `grad` has at birth, and
# at how often each node's step runs in one pass. Then add up.
#
# **Everything is zero.** Either the seed is missing, or the closures were attached to the wrong node (`self` instead
# of `out`), or not at all, or the order runs from the leaves up.
#
# **`'NoneType' object is not callable`?** Parentheses where the closure is attached. See section 2.
#
# **What if the graph had a circle?** Then there would be no order with children first, because each node on the
# circle would have to stand before itself. Building expressions cannot make one. By changing `_prev` by hand you
# could; our engine does not look for it, and its answer would be meaningless.
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
