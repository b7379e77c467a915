# %% [markdown]
# # Part 2: A value that remembers
#
# In part 1 you found slopes by trying: bump an input, compute again, once for each input. To get all slopes from a
# *single* run, a program has to know afterwards what happened in that run: which numbers there were, and which of
# them was made from which. Python does not keep such a record. In this part you build the kind of number that does.
#
# There is no calculus in this part, and no slope is computed. At the end you will write `L = (a*b + c) * f` as in
# ordinary arithmetic, and behind your back a graph will have come into being that you can walk through, count and
# draw.
#
# **How to work.** Keep `value.py` and `graph.py` open beside this notebook; all the code you hand in goes there. They
# say `TODO 2.1` to `TODO 2.5`, and the sections below take them in that order. After a change: save the file, run the
# next cell again, then the cells of the section you are in. You can run the whole notebook at any time: what is not
# written yet says so.
#
# Where a cell says `predict("...", None)`, put your prediction in the place of `None` before you run it; several of
# them in parentheses, as in `(6, -4)`. A wrong guess is where the learning happens, so guess even when you are unsure.
# Nobody marks the guesses.

# %%
import importlib

import graph
import value
from IPython.display import display
from kit import check, draw_dot, predict, when_ready

importlib.reload(value)  # run this cell again, and it reads value.py and graph.py again
importlib.reload(graph)
Value = value.Value
trace = graph.trace


# %% [markdown]
# ## 1. A number forgets
#
# Two ways to compute 4:

# %%
a, b, c = 2.0, -3.0, 10.0
d = a * b + c
other = 3.0 + 1.0
print("d =", d, "  other =", other)

# %% [markdown]
# `d` was made from `a`, `b` and `c`, by a product and a sum. Is there any way to ask `d` about that? Could a
# program that is handed only `d` and `other` find out which is which?

# %%
guess = predict("is there a way to tell d from other (yes or no)", None)
print("are they equal?", d == other)
guess.saw("no")

# %% [markdown]
# No. Both are the float 4.0, and a float is 64 bits that hold a number and nothing else. The names `a`, `b`, `c`
# and the line with the formula are known to you, not to the 4.0.
#
# So we make objects of our own that *contain* a number and, beside it, remember where it came from:
#
# | attribute | what it holds |
# |---|---|
# | `data` | the number |
# | `grad` | room for a slope: how strongly the result depends on this node; 0.0 until part 3 |
# | `_prev` | the nodes it was computed from, its *children*; empty for a number that you typed in |
# | `_op` | the operation that made it, as text: `"+"`, `"*"`; empty for a number that you typed in |
# | `label` | a name for people who look at drawings |
#
# (The underscore says: meant for the inside of the engine.) Such an object is called a *node*, one with no children
# a *leaf*. It seems odd to call `a` and `b` the children of `d`, as they were there first. Think of looking back
# from the result: the result is the root, and what it was made from lies below.
#
# ## 2. The node (task 2.1)
#
# `Value(2.0)` makes a leaf. `Value(-6.0, (a, b), "*")` makes a node that says: I am -6, I was made from these two
# nodes, by a product. The nodes *themselves* go into `_prev`, not their numbers: -3 alone would not tell from where
# to go on.
#
# **Task 2.1.** In `value.py`, `Value.__init__`: store the five attributes of the table. A sixth, `_backward`, stands
# there already; it has its turn in part 4.
#
# Whether `_prev` is a tuple, a list or a set is up to you. Before you decide, look at this trap. `_children=()` in
# the signature is a tuple, which nobody can change. Suppose it were a list that the function appends to:


# %%
def new_node(number, children=[]):  # noqa: B006
    """Return the list of children, with this number noted in it."""
    children.append(number)
    return children


guess = predict("what the second call returns", None)
first = new_node(2.0)
second = new_node(-3.0)
guess.saw(second)
print("the same list?", first is second)

# %% [markdown]
# The default is made once, when the function is *defined*, and then shared by all calls. With it all leaves would
# have the same children. A tuple as the default, or a fresh container in each call, is safe.

# %%
guess = predict("the number of children of a, and of p", None)
with when_ready():
    a, b = Value(2.0, label="a"), Value(-3.0, label="b")
    p = Value(-6.0, (a, b), "*", label="p")
    guess.saw((len(a._prev), len(p._prev)))
    print("p:", p.data, p.grad, p._op, [child.label for child in p._prev])

# %% task="2.1"
check("2.1")

# %% [markdown]
# ## 3. A readable text (task 2.2)
#
# What does Python show for an object that it knows nothing about?


# %%
class Nothing:
    """A class without a text of its own."""


print(Nothing())

# %% [markdown]
# An address in memory. A class that defines `__repr__` decides itself: the method returns a text (it does not print
# it), and Python shows that text.
#
# **Task 2.2.** `Value.__repr__`: a text that starts with `Value(data=` and then shows the number. What follows is
# up to you, the gradient for instance.

# %%
with when_ready():
    print(Value(2.0))
    print([Value(2.0), Value(-3.0)])

# %% task="2.2"
check("2.2")

# %% [markdown]
# ## 4. Plus leaves a trace (tasks 2.3 and 2.4)
#
# When Python meets `a + b`, it looks whether `a` has a method `__add__`, and calls `a.__add__(b)`. Whatever that
# returns is the value of the expression. So for our own class *we* say what plus means: not only to add, but also to
# leave a record.
#
# **Task 2.3.** `Value.__add__`. Inside, `self` is the left node and `other` the right one. Make a new node that holds
# the sum of the two numbers, has the two nodes as its children, and `"+"` as its operation.
#
# The two operands stay as they are. A plus makes something new; it does not change what it was given.

# %%
guess = predict("one of d's children is the very same object as a (yes or no)", None)
with when_ready():
    a, b = Value(-6.0, label="a"), Value(10.0, label="b")
    d = a + b
    print(d, " made by", d._op, "from", list(d._prev))
    guess.saw(any(child is a for child in d._prev))

# %% [markdown]
# The same object. This is what makes the whole course work: `_prev` holds *references*. From `d` you can go to `a`,
# from `a` on to what `a` was made from, and so on to the leaves; and whatever somebody writes into `a.grad` later,
# `a` has it, by whichever way you come.

# %% task="2.3"
check("2.3")

# %% [markdown]
# **Task 2.4.** `Value.__mul__`, the same for the product.
#
# Then this line looks like arithmetic and builds a graph. It is the expression of the next two parts. What are `e`,
# `d` and `L`?

# %%
guess = predict("e, d, L", None)


def expression():
    """Build L = (a*b + c) * f and return its seven nodes by name."""
    a, b, c, f = Value(2.0), Value(-3.0), Value(10.0), Value(-2.0)
    e = a * b
    d = e + c
    L = d * f
    nodes = {"a": a, "b": b, "c": c, "f": f, "e": e, "d": d, "L": L}
    for label, node in nodes.items():
        node.label = label
    return nodes


with when_ready():
    nodes = expression()
    for label in "edL":
        node = nodes[label]
        print(label, "=", node.data, "  made by", node._op, "from", [child.label for child in node._prev])
    guess.saw([nodes[label].data for label in "edL"])

# %%
with when_ready():
    display(draw_dot(expression()["L"], title="L = (a*b + c) * f"))

# %% [markdown]
# Read it from left to right, as the computation went. (If you keep children in a set, Python chooses their order, and
# `b` may be drawn above `a`.) Each box is a node with its label, its number and its gradient (0 everywhere: nobody
# has computed one yet). The small ones in between are the operations; they are no nodes of their own but the `_op` of
# the box behind them. (`print(draw_dot(...))` shows the same as a table.)
#
# You can also write it in one line. Who keeps the nodes in the middle alive then, which have no name?

# %%
guess = predict("how many nodes can still be reached from L", None)
with when_ready():
    L = (Value(2.0) * Value(-3.0) + Value(10.0)) * Value(-2.0)
    print("L =", L.data)
    display(draw_dot(L))
    guess.saw(7)  # counted in the picture

# %% [markdown]
# All seven. Each node is held by the one that was made from it, and `L` holds them all. (For the lecture's neuron
# each step gets a name all the same, since we shall want to look at each.)

# %% task="2.4"
check("2.4")

# %% [markdown]
# ## 5. Three surprises about references
#
# **The first.** `d` is made; afterwards the number in one of its children is changed. What is `d` now?

# %%
guess = predict("e.data and d.data after the change", None)
with when_ready():
    a, b, c = Value(2.0), Value(-3.0), Value(10.0)
    e = a * b
    d = e + c
    a.data = 5.0
    guess.saw((e.data, d.data))
    print("a:", a.data)
    print("child of e:", [child.data for child in e._prev], "  built again: d =", (a * b + c).data)

# %% [markdown]
# Still -6 and 4. A node computes its number once, at birth. It is no cell of a spreadsheet. Through its reference `e`
# *sees* the new 5, but nobody multiplies again; the record and the number no longer fit together. Whoever changes
# numbers has to build the expression again. We shall do so in every step of training, in part 7.
#
# **The second.** Is `a += b` a change of `a`?

# %%
guess = predict("what is in `same` afterwards, 2.0 or 5.0", None)
with when_ready():
    a, b = Value(2.0), Value(3.0)
    same = a
    a += b
    guess.saw(same.data)
    print("a:", a.data, "  one object?", same is a)

# %% [markdown]
# For our class `a += b` means `a = a + b`: a *new* node is made, and the name `a` is hung onto it. The old node is
# still there, as the new one's child (and under the name `same`). This is how a long sum can be collected in one
# variable without losing anything.
#
# **The third.** The same formula, written twice:

# %%
guess = predict("w * x, written twice: one node or two", None)
with when_ready():
    w, x = Value(-3.0), Value(2.0)
    product = w * x
    n = product + Value(10.0)
    again = w * x
    guess.saw(1 if product is again else 2)
    print("equal numbers:", product.data == again.data)
    print("n was made from product:", any(child is product for child in n._prev))
    print("n was made from again:  ", any(child is again for child in n._prev))

# %% [markdown]
# Each `*` makes a new node. `again` looks just like `product`, but it does not lie on the way to `n`. If you set
# something in it, `n` never hears of it. In part 3, where you fill in gradients by hand, keep names for the nodes you
# want to talk about, and use those.
#
# ### Written question: a changed leaf
#
# With `a = Value(2.0)`, `b = Value(-3.0)`, `c = Value(10.0)`, `e = a * b` and `d = e + c`, somebody then runs
# `a.data = 5.0`. In your own words, in about four to six sentences.
#
# 1. Which of the nodes `a`, `e`, `d` show another number now, and why just these?
# 2. Would anything be different if `_prev` held copies of the nodes (`Value(a.data)`) instead of the nodes
#    themselves? Say what would stay the same, and name one thing that would no longer work.
# 3. What has to be done to get the right `d` for the new `a`?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="references"
# *Replace this line with your answer.*

# %% [markdown] answer="references"
# **Model answer.** Only a shows another number, 5. e and d keep -6 and 4, because a node's number is computed once,
# when its operation runs, and then stored; changing a child triggers no computation. e still refers to a, so through
# e._prev one finds the 5: record and result no longer agree.
#
# With copies, e and d would keep -6 and 4 just the same, as they were computed before. But the child found in e._prev
# would be another object: it would still say 2, and not be a. Walking down from d one would never arrive at the real
# leaves, so a gradient that is written to the children later would end up in copies that nobody looks at, and a.grad
# would stay 0. Also, a node that is used in two places would become two nodes, and its two contributions would never
# come together.
#
# To get the right d, the operations have to run again: e = a * b and d = e + c, which makes new nodes from the same
# leaf a (d is then -5).
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | only a changes; e and d were computed once and stored |
# | 0.5 | with copies the numbers of e and d are the same as before, but the children are other objects (still 2) |
# | 0.5 | one consequence: gradients land in copies, or shared nodes fall apart, or leaves are out of reach |
# | 0.5 | the expression has to be built again (new nodes e and d) |
#
# *Half of an element (0.25):* "it is saved" without when it was computed; "then it is not linked any more" without a
# consequence.
#
# *Common wrong answers.* "e becomes -15 because it refers to a": the run shows otherwise. "With copies nothing would
# work": forward, everything would. "Set d.data by hand": then the record below it is still that of the old run.

# %% [markdown]
# ## 6. Walking through the graph (task 2.5)
#
# An expression that uses a node more than once is not a tree any more. In `L = (a*b + b) * 2`, at `a = 2` and `b =
# 3`, `b` is used twice. (The 2 is a node as well: in this part every operand is a `Value`.)

# %%
guess = predict("L's number, the nodes, the edges (arrows from a child to what was made from it)", None)


def shared():
    """Build L = (a*b + b) * 2 and return L."""
    a, b, two = Value(2.0, label="a"), Value(3.0, label="b"), Value(2.0, label="two")
    c = a * b
    d = c + b
    L = d * two
    c.label, d.label, L.label = "c", "d", "L"
    return L


with when_ready():
    L = shared()
    display(draw_dot(L))
    guess.saw((L.data, 6, 6))  # nodes and edges counted in the picture

# %% [markdown]
# 18; six nodes, and six edges. (Note that `a` and `two` hold the same number and are two nodes.) Counting is easy
# by eye; a program has to walk. The obvious way calls itself for each child:


# %%
def count_visits(node):
    """How many nodes one meets on the way down, when every child is visited."""
    return 1 + sum(count_visits(child) for child in node._prev)


guess = predict("the visits for the six nodes of L", None)
with when_ready():
    guess.saw(count_visits(shared()))

# %% [markdown]
# Seven: `b` was met twice, once on each way. One too many does not hurt? The following graph grows by three
# nodes per step. How many visits does it take for 16 steps?

# %%
guess = predict("the nodes and the visits for 16 steps", None)


def twice_used(steps):
    """Begin with x = 1.5 and make x = x * 1 + x, again and again; return the last x."""
    x = Value(1.5)
    for _ in range(steps):
        x = x * Value(1.0) + x
    return x


with when_ready():
    for steps in (1, 2, 4, 8, 16):
        print(f"{steps:2} steps: {3 * steps + 1:3} nodes, {count_visits(twice_used(steps)):6} visits")
    guess.saw((3 * steps + 1, count_visits(twice_used(steps))))

# %% [markdown]
# The visits double with each step, since each `x` is used twice: 49 nodes, hundreds of thousands of visits. A walk
# that does not notice where it has been is no walk through the graph; it follows every *path*, and paths multiply.
#
# And there is a second reason not to write it like this:


# %%
def chain(length):
    """Begin with 0 and add 1, again and again; return the last sum."""
    v = Value(0.0)
    for _ in range(length):
        v = v + Value(1.0)
    return v


guess = predict("the visits for a chain of 10,000 steps", None)
with when_ready():
    last = chain(10_000)
    print("the number:", last.data)
    try:
        guess.saw(count_visits(last))
    except RecursionError:
        guess.saw("no answer, but a RecursionError")

# %% [markdown]
# It should have been 20,001 visits, and there was not even an answer. Each call waits for the call inside it, and
# Python allows only about a thousand calls inside each other (in a notebook perhaps a few more). A chain of 10,000
# sums is nothing unusual for a program, so the walk must not depend on it.
#
# Both are cured by the way you would do it with a pile of paper. Keep a list of *nodes still to look at*; at first
# it holds the root only. Take one from it; look at its children; put those that you have never met onto the list.
# When the list is empty, you have seen everything. (How do you know that you have met a node? By the object, not by
# its number. A `set` of nodes does just that as long as the class defines no `==` of its own, and ours does not.)
#
# **Task 2.5.** `trace(root)` in `graph.py`: returns two sets, the nodes (`root` too) and the edges, each edge as a
# pair `(child, parent)`. Without calling itself, and without touching Python's recursion limit.

# %%
with when_ready():
    nodes, edges = trace(shared())
    print(len(nodes), "nodes:", sorted(node.label for node in nodes))
    print(len(edges), "edges:", sorted(child.label + " -> " + parent.label for child, parent in edges))

with when_ready():
    nodes, edges = trace(twice_used(16))
    print("the 16 steps:", len(nodes), "nodes,", len(edges), "edges")

with when_ready():
    nodes, edges = trace(chain(10_000))
    print("the chain:   ", len(nodes), "nodes,", len(edges), "edges")

# %% [markdown]
# The neuron that will be with us in parts 3 and 4, without its last step: two inputs, two weights, a bias.

# %%
guess = predict("the nodes and the edges of n = x1*w1 + x2*w2 + b", None)
with when_ready():
    x1, w1 = Value(2.0, label="x1"), Value(-3.0, label="w1")
    x2, w2 = Value(0.0, label="x2"), Value(1.0, label="w2")
    b = Value(6.8813735870195432, label="b")
    x1w1 = x1 * w1
    x2w2 = x2 * w2
    s = x1w1 + x2w2
    n = s + b
    x1w1.label, x2w2.label, s.label, n.label = "x1w1", "x2w2", "s", "n"
    nodes, edges = trace(n)
    print("n =", n.data)
    guess.saw((len(nodes), len(edges)))
    display(draw_dot(n, title="A neuron before its activation"))

# %% [markdown]
# Nine nodes: five leaves, two products, two sums. The order in which a set gives its nodes back has no meaning, and
# it may change from run to run; do not rely on it. (In part 4 the order will matter, and then we shall *make* one.)

# %% task="2.5"
check("2.5")

# %% [markdown]
# ## 7. Which picture is right?
#
# Now the smallest graph in which a node is used twice, `b = a + a`. How many arrows go from `a` to `b`?

# %%
guess = predict("the edges from a to b in the set", None)
with when_ready():
    a = Value(3.0, label="a")
    b = a + a
    b.label = "b"
    nodes, edges = trace(b)
    print("b =", b.data, "  nodes:", len(nodes))
    guess.saw(len(edges))
    print("children as your node keeps them:", len(b._prev))

# %% [markdown]
# `trace` puts edges into a set, and in a set `(a, b)` and `(a, b)` are the same thing. So it finds one edge. How
# many children `b` itself remembers depends on your container: a set of children has `a` once, a tuple or a list
# twice. Here are both, wired by hand:

# %%
with when_ready():
    a, b = Value(3.0, label="a"), Value(6.0, (), "+", label="b")
    b._prev = (a, a)
    display(draw_dot(b, title="children in a tuple"))
    b._prev = {a}
    display(draw_dot(b, title="children in a set"))

# %% [markdown]
# ### Written question: which picture of a + a is right?
#
# One drawing shows one arrow from `a` to `b`, the other shows two. The lecture's engine keeps children in a set and
# draws one. In your own words, in about four to six sentences.
#
# 1. What does an arrow say, if the picture with one arrow is right? What does it say, if the one with two is?
# 2. Which question about `b` can you answer from the picture with two arrows, but not from the other?
# 3. In both cases `b.data` is 6. Why can the set of children not have spoiled it?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="two-edges"
# *Replace this line with your answer.*

# %% [markdown] answer="two-edges"
# **Model answer.** Both can be right, as they state different things. If one arrow is right, an arrow means "b was
# computed with the help of a", a yes or no between two nodes: that is a set of edges. If two are right, an arrow
# means "a stands in this place of the operation", and a plus has two places, both filled by the same node. (Wrong
# would be a picture with two boxes for a: there is only one node.)
#
# From two arrows one sees how often b uses a, for instance that b moves by 2h when a moves by h, because the bump
# arrives along both; from one arrow and a "+" one cannot tell a + a from an operation with a single operand. For
# walking through the graph, drawing each node once, or finding an order, one arrow is enough.
#
# b.data is 6 because __add__ computes with self and other, which are both there (they are two names for the same
# node), before anything is put into a container. The set only concerns what is remembered afterwards. (For the same
# reason it will not be to blame when a gradient of a + a comes out wrong in part 4.)
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | one arrow: depends on, yes or no, once per pair of nodes |
# | 0.5 | two arrows: the places (uses) of the operation, one per operand |
# | 0.5 | how often a is used, or the factor 2 in the effect of a bump, is visible in two arrows only |
# | 0.5 | the sum is computed from self and other before children are stored; the container plays no part in it |
#
# An answer that calls one of the pictures the right one gets full marks if it says what an arrow means in it and why
# the other one does not say that.
#
# *Half of an element (0.25):* "a is used twice" without what an arrow means; "data is computed separately" without
# self and other.
#
# *Common wrong answers.* "In the set a is lost": it is in there, once. "There are two nodes a": there is one, trace
# finds two nodes in all. "The set makes 3 out of 6": the run shows 6.

# %% [markdown]
# ## Where people get stuck
#
# **`AttributeError: 'Value' object has no attribute ...`** Something is missing in `__init__`, or misspelt: it is
# `_prev` and `_op`, with an underscore, and `data`, `grad`, `label` without.
#
# **`'float' object has no attribute '_prev'`.** One of your operations returns a number, or `_prev` holds numbers. An
# operation returns a new *node*; children are nodes.
#
# **`'int' object has no attribute 'data'`.** You have written something like `a + 1`. In this part both operands are
# `Value`s; plain numbers come in part 5.
#
# **RecursionError in `__add__`.** `self + other` inside `__add__` calls `__add__`. Add the two numbers: their `data`.
#
# **Why is `grad` there at all, if nobody uses it?** So that each node has its place for it from birth, with a 0.0
# that means: nobody has told me yet that I matter.
#
# **Does Python build the graph for me?** No. It only calls your methods. Everything that is remembered, you store.
#
# **Can there be a circle?** Not by computing: a new node can only be made from nodes that are there already. You
# could make one by hand, by writing to `_prev`. Would your `trace` come to an end on it?
#
# ## Handing in
#
# Save this notebook and your files. Then run `python kit.py submit` in a terminal in this folder, or
# `from kit import submit; submit()` in a new cell here; in the browser there is only the cell. Both look at everything
# that is graded, name what is missing or broken, and pack the zip to hand in.
#
# ## Go deeper
#
# - Andrej Karpathy, *micrograd*, the first thirty lines of `engine.py`, and `trace` and `draw_dot` in its notebook.
# - Python documentation, *Data model*, "Emulating numeric types": what happens when Python meets `a + b`.
# - PyTorch documentation, *Autograd mechanics*, "How autograd encodes the history": the same record. PyTorch's
#   tensors overload the same methods; its graph keeps functions where ours keeps values.
# - Wikipedia, *Directed acyclic graph*: the kind of graph that an expression is.
