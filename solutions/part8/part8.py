# %% [markdown]
# # Part 8: Softmax, and PyTorch
#
# Your engine can do everything that a network needs. In this last part it gets one more operation, the logarithm, and
# with it the loss that nearly all classifiers are trained with. Then it is held against PyTorch, number by number. On
# the way we find out why a famous printout differs from yours in the seventh digit.
#
# **How to work.** Keep `value.py` and `softmax.py` open beside this notebook; all the code you hand in goes there,
# where it says `TODO 8.1` to `TODO 8.4`. After a change: save the file, run the next cell again, then the cells of the
# section you are in. You can run the whole notebook at any time: what is not written yet says so. PyTorch need not be
# installed.
#
# Where a cell says `predict("...", None)`, put your prediction in the place of `None` before you run it; several of
# them in parentheses, as in `(6, -4)`. Nobody marks the guesses.

# %%
import importlib
import math

import softmax
import value
from kit import check, predict, when_ready

importlib.reload(value)  # run this cell again, and it reads both files again
importlib.reload(softmax)
Value = value.Value

# %% [markdown]
# ## 1. The logarithm (task 8.1)
#
# The natural logarithm undoes `exp`: log(e**x) is x. How steep is it? Two bumps:

# %%
guess = predict("the slope of log at 4, and at 0.1", None)
slopes = []
for x in (4.0, 0.1):
    h = 1e-6
    slopes.append((math.log(x + h) - math.log(x - h)) / (2 * h))
    print(f"at {x}: {slopes[-1]:.6f}")
guess.saw(slopes)

# %% [markdown]
# A quarter at 4, ten at 0.1. It is very steep near 0, and below that it does not exist.
#
# With tanh and exp the closure could use the output. Here it is the input that counts.
#
# **Task 8.1.** In `value.py`: `log()`, the natural logarithm, a primitive with one child.

# %%
guess = predict("x.grad for 3 * log(x) at 4", None)
x = Value(4.0)
with when_ready():
    y = 3 * x.log()
    y.backward()
    print("y:", y.data)
    guess.saw(x.grad)

x = Value(0.7)
with when_ready():
    y = x.exp().log()
    y.backward()
    print("there and back:", y.data, "  x.grad:", x.grad)

# %% task="8.1"
check("8.1")

# %% [markdown]
# ## 2. From scores to probabilities (task 8.2)
#
# A network that has to choose between four classes ends in four numbers, one score for each. They are called *logits*,
# and they may be anything: 0, 3, -2, 1. We want probabilities: each between 0 and 1, together 1, and larger where the
# score is larger. Softmax takes e to the power of each, which makes all of them positive, and divides by their sum.
#
# In part 5 you saw that `exp` alone can run out of range. In softmax it is always divided by something at least as
# large, so the result is harmless. Is the computation?

# %%
guess = predict("what this prints for the second list", None)
for scores in ([0.0, 3.0, -2.0, 1.0], [1000.0, 1003.0, 998.0, 1001.0]):
    try:
        powers = [math.exp(score) for score in scores]
        outcome = [round(power / sum(powers), 6) for power in powers]
        print(outcome)
    except OverflowError as error:
        print("OverflowError,", error)
        outcome = "an OverflowError"
guess.saw(outcome)

# %% [markdown]
# The scores of the second list are those of the first, each plus 1000. What *should* the answer be?
#
#     e**(x + c)  =  e**x * e**c
#
# Adding `c` to every score multiplies the top and the bottom of each fraction by the same number. Softmax does not
# notice a common shift: only differences between the scores count. So both lists have the same answer, and before you
# compute anything you may move all scores to wherever they do no harm. Which shift makes sure that no power can
# overflow, whatever the scores are? (A power that is too *small* simply becomes 0. That is harmless, as long as not all
# of them do.)
#
# **Task 8.2.** In `softmax.py`: `softmax(logits)`, a list of Values out of a list of Values. Compute with nodes, so
# that the gradients come by themselves.

# %%
guess = predict("the largest of the four probabilities", None)
with when_ready():
    for shift in (0.0, 1000.0, -1000.0):
        logits = [Value(score + shift) for score in (0.0, 3.0, -2.0, 1.0)]
        p = softmax.softmax(logits)
        print([round(node.data, 6) for node in p], "  together", round(sum(node.data for node in p), 12))
    guess.saw(max(node.data for node in p))

# %% [markdown]
# And the gradients? Send one back from the last probability alone. Which of the four logits will get a positive
# gradient?

# %%
guess = predict('the signs of the four gradients, for example "+ - - -"', None)
logits = [Value(score) for score in (0.0, 3.0, -2.0, 1.0)]
with when_ready():
    softmax.softmax(logits)[3].backward()
    gradients = [logit.grad for logit in logits]
    print("gradients:", [round(gradient, 6) for gradient in gradients])
    guess.saw(" ".join("+" if gradient > 0 else "-" for gradient in gradients))
    print("their sum:", round(sum(gradients), 12))

# %% task="8.2"
check("8.2")

# %% [markdown]
# ## 3. The loss (task 8.3)
#
# Now somebody tells us which class was the right one. How bad were the probabilities? Only one of them matters: what
# was given to the class that came. If it got 1, there is nothing to complain about. If it got very little, we want a
# large loss. Minus the logarithm does that (which is the logarithm of one over it):

# %%
guess = predict("the loss for 1, for one half, for one in a thousand", None)
for probability in (1.0, 0.5, 0.001):
    print(f"{probability:6}   loss {math.log(1 / probability):.4f}")
guess.saw([math.log(1 / probability) for probability in (1.0, 0.5, 0.001)])

# %% [markdown]
# It is called the *negative log likelihood*. Beware of `math.log10`: the loss would only be smaller by a factor, the
# training would look all right, and every number would be wrong.
#
# **Task 8.3.** `negative_log_likelihood(probabilities, target)`; `target` is the place of the right class, counted
# from 0.
#
# The exercise that belongs to the lecture uses the scores above, and says that class 3 was the right one (the last).
# Softmax gave it about 0.11. Before you run the cell: which logits should go up, which down? A gradient says how the
# *loss* reacts, so think about the signs.

# %%
guess = predict('the signs of the four gradients, for example "+ - - -"', None)
logits = [Value(score) for score in (0.0, 3.0, -2.0, 1.0)]
with when_ready():
    p = softmax.softmax(logits)
    loss = softmax.negative_log_likelihood(p, 3)
    loss.backward()
    print("loss:", loss.data)
    for logit, node in zip(logits, p, strict=True):
        print(f"logit {logit.data:5.1f}   probability {node.data:.6f}   gradient {logit.grad:9.6f}")
    guess.saw(" ".join("+" if logit.grad > 0 else "-" for logit in logits))

# %% [markdown]
# Compare the two columns on the right. For three classes they are equal. For the right one the gradient is the
# probability minus 1. All that machinery, exponentials, a quotient, a logarithm, ends in a subtraction.
#
# One step against the gradient, built again from the moved logits:

# %%
guess = predict("the loss: more than 2.1755, or less", None)
rate = 1.0
with when_ready():
    moved = [Value(logit.data - rate * logit.grad) for logit in logits]
    p = softmax.softmax(moved)
    loss = softmax.negative_log_likelihood(p, 3)
    print("loss:", loss.data, "  probabilities:", [round(node.data, 4) for node in p])
    guess.saw("more" if loss.data > 2.1755153626167147 else "less")

# %% task="8.3"
check("8.3")

# %% [markdown]
# ### Written question: why the gradients of the logits sum to zero
#
# In about six to ten sentences.
#
# 1. You have seen that the gradient of each logit is its probability, minus 1 for the right class. Show from this that
#    the four gradients sum to zero.
# 2. Give a reason for it that uses no formula for the gradients at all. (What happens to the loss when all logits grow
#    by the same small amount? How does a bump of all of them together relate to the four gradients?)
# 3. Someone takes the largest logit away as a *node*, another one as a plain number. One of them has a graph with more
#    paths. Why do both get the same gradients?

# %% [markdown] question="logit-gradients"
# *Replace this line with your answer.*

# %% [markdown] answer="logit-gradients"
# **Model answer.** The probabilities sum to 1. Taking 1 away from one of them, that of the right class, leaves a sum of
# 0; in the example 0.0418 + 0.8390 + 0.0057 - 0.8865 = 0.
#
# Without the formula: softmax depends on the differences between logits only, so when all logits grow by the same `h`,
# the probabilities and the loss stay exactly as they are. To first order the loss changes by `h` times the first
# gradient, plus `h` times the second, and so on, that is, by `h` times their sum. Since it does not change at all, the
# sum has to be 0. This holds for anything that is computed from the probabilities, not only for this loss.
#
# The largest logit as a node gets a further gradient along the paths through the subtraction. What arrives there is
# minus the sum of the gradients of all shifted logits. By the argument above this sum is zero (the result does not
# depend on the shift), so nothing is added. The plain number leaves these paths out, and loses nothing.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | probabilities sum to 1, minus 1 |
# | 1.0 | a common shift changes nothing; a common bump changes the loss by h times the sum (0.5 for the first alone) |
# | 0.5 | the paths through the shift carry the (negative) sum, which is zero |
#
# *Not enough:* "because what one class gains the others must lose": true of probabilities, but it says nothing about
# gradients until it is connected with a bump (0.5 of the middle point). *Wrong:* "because softmax normalises the
# gradients".

# %% [markdown]
# ## 4. The same in PyTorch
#
# PyTorch works on whole arrays, *tensors*, with the inner loops written in C++, and otherwise by the same idea. The
# stored numbers below are from PyTorch 2.13 with 64-bit tensors. Where PyTorch is installed, the next cell computes
# them afresh, otherwise it uses the stored ones.

# %%
SCORES, TARGET = [0.0, 3.0, -2.0, 1.0], 3
stored = {
    "probabilities": [0.04177257051535046, 0.8390245074625321, 0.00565330266221633, 0.11354961935990125],
    "loss": 2.1755153626167143,
    "gradients": [0.04177257051535046, 0.8390245074625321, 0.00565330266221633, -0.8864503806400987],
}

try:
    import torch
except ImportError:
    torch = None

theirs = stored
if torch is not None:
    tensor = torch.tensor(SCORES, dtype=torch.float64, requires_grad=True)
    probabilities = torch.softmax(tensor, dim=0)
    torch_loss = -torch.log(probabilities[TARGET])
    torch_loss.backward()
    theirs = {
        "probabilities": probabilities.tolist(),
        "loss": torch_loss.item(),
        "gradients": tensor.grad.tolist(),
    }
print("PyTorch's numbers are", "stored ones" if torch is None else f"fresh, from version {torch.__version__}")

# %%
guess = predict("the decimal place in which the first difference shows", None)


def compare(title, mine, other):
    """Print two numbers and how far apart they are."""
    print(f"{title:<16} mine {mine:20.17f}   PyTorch {other:20.17f}   apart {abs(mine - other):.0e}")


logits = [Value(score) for score in SCORES]
with when_ready():
    p = softmax.softmax(logits)
    loss = softmax.negative_log_likelihood(p, TARGET)
    loss.backward()
    compare("loss", loss.data, theirs["loss"])
    for i in range(4):
        compare(f"probability {i}", p[i].data, theirs["probabilities"][i])
        compare(f"gradient {i}", logits[i].grad, theirs["gradients"][i])
    mine = [loss.data, *(node.data for node in p), *(logit.grad for logit in logits)]
    others = [theirs["loss"], *theirs["probabilities"], *theirs["gradients"]]
    apart = max(abs(one - other) for one, other in zip(mine, others, strict=True))
    guess.saw(-math.floor(math.log10(apart)) if apart else "none of them")

# %% [markdown]
# They agree to the last digit or two, although PyTorch computes softmax in one operation and yours is made of many
# nodes. What is left is rounding: the same sums in another order.
#
# ### What is where
#
# | in your engine | in PyTorch | |
# |---|---|---|
# | `node.data` | `tensor.data`, `tensor.item()` | one number here, an array there |
# | `node.grad` | `tensor.grad` | there only leaves keep it, unless you ask |
# | `node._backward` | `tensor.grad_fn` | a closure here, an object with a name there |
# | `node._prev` | `grad_fn.next_functions` | there the graph is made of functions, not of values |
# | `loss.backward()` | `loss.backward()` | order, seed, steps, in both |
# | setting `p.grad = 0.0` | `optimizer.zero_grad()` | gradients are added to, in both |

# %% [markdown]
# ### What PyTorch does otherwise
#
# - **It lets go of the graph.** After `backward()` the intermediate results are freed, and a second call on the same
#   graph raises a RuntimeError, unless you said `retain_graph=True`. `a + a` then gives 2 and 4, as in part 4.
# - **It starts from a single number only.** For an output with several elements it wants to be told which gradient to
#   begin with. Your `backward()` always begins with 1.0, because every node is a single number.
# - **Its steps are objects, not closures.** A closure can be called, and that is all. Somebody who stores the name of
#   the operation, and a table of rules, can print the backward pass, rearrange it, run it on a graphics card, or
#   differentiate it again to get second derivatives.
# - **It checks what you change.** If you overwrite a number in place that a later step needs, it notices. Your engine
#   does not: change `.data` between building and `backward()`, and the gradient is one of a mixture.

# %% [markdown]
# ### What it costs
#
# In both, one forward pass and one backward pass give the gradients of *all* parameters; the backward pass costs about
# as much as a forward pass or two. With bumps, a network of 13,002 parameters needs 13,002 further forward passes for
# the same. The price is memory: everything that a step of the backward pass will read has to be kept until then. Large
# models therefore throw some of it away and compute it a second time.
#
# The bump has kept one job: whoever writes a new operation for PyTorch checks it like that
# (`torch.autograd.gradcheck`).

# %% [markdown]
# ## 5. The seventh digit (task 8.4)
#
# The lecture runs the neuron through PyTorch too, to show that the engine is right. Its inputs are made like this:
#
#     b = torch.Tensor([6.8813735870195432]).double()
#
# and the output it prints begins with 0.70710669. Your neuron says:

# %%
guess = predict("my output begins with 0.70710669 too (yes or no)", None)
x1, x2, w1, w2, b = Value(2.0), Value(0.0), Value(-3.0), Value(1.0), Value(6.8813735870195432)
o = (x1 * w1 + x2 * w2 + b).tanh()
o.backward()
print("mine:        ", o.data, "  x1.grad", x1.grad, "  w1.grad", w1.grad)
print("the lecture's: 0.7071066904050358   x1.grad -1.5000003851533106   w1.grad 1.0000002567688737")
guess.saw(str(o.data).startswith("0.70710669"))

# %% [markdown]
# Everything in that cell is `double`, 64 bits with about 16 digits, just like Python's floats. And yet they differ
# from the seventh digit on. Neither engine computes wrongly.
#
# A float of 32 bits has 24 of them for the digits, which makes about seven decimal ones. We need to see what such a
# float makes of a number.
#
# **Task 8.4.** In `softmax.py`: `as_float32(x)`, the nearest number to `x` that 32 bits can hold, as an ordinary Python
# float. The module `struct` of the standard library can pack a number into four bytes and unpack it again; you will
# have to import it.
#
# Which of the neuron's five inputs will be changed by it?

# %%
guess = predict("those of 2.0, 0.0, -3.0, 1.0, 6.8813735870195432 and 0.1 that are changed", None)
numbers = (2.0, 0.0, -3.0, 1.0, 6.8813735870195432, 0.1)
with when_ready():
    for x in numbers:
        print(f"{x!r:<20} {softmax.as_float32(x)!r}")
    guess.saw([x for x in numbers if softmax.as_float32(x) != x])

# %% [markdown]
# Now you can act out any story about where the rounding happened. Here are three. Which one gives 0.7071066904050358?
#
# 1. The inputs were rounded to 32 bits; everything after that was done in 64.
# 2. All was done in 64 bits, and only the output was rounded to 32.
# 3. The inputs were rounded, and the output once more.


# %%
def neuron_output(bias):
    """The neuron's output for this bias, in 64 bits."""
    x1, x2, w1, w2, b = Value(2.0), Value(0.0), Value(-3.0), Value(1.0), Value(bias)
    return (x1 * w1 + x2 * w2 + b).tanh().data


guess = predict("the story that gives it: 1, 2 or 3", None)
bias = 6.8813735870195432
with when_ready():
    stories = [
        neuron_output(softmax.as_float32(bias)),
        softmax.as_float32(neuron_output(bias)),
        softmax.as_float32(neuron_output(softmax.as_float32(bias))),
    ]
    for number, output in enumerate(stories, start=1):
        print(f"{number}:", output)
    fitting = [number for number, output in enumerate(stories, start=1) if abs(output - 0.7071066904050358) < 1e-12]
    guess.saw(fitting[0] if len(fitting) == 1 else fitting)

# %% [markdown]
# And the gradients? The stored numbers are PyTorch's again; with PyTorch installed they are computed, for both ways of
# making a tensor.

# %%
stored_neuron = {
    "torch.Tensor([...]).double()": (0.7071066904050358, -1.5000003851533106, 1.0000002567688737),
    "torch.tensor([...], dtype=torch.float64)": (0.7071067811865476, -1.4999999999999998, 0.9999999999999999),
}


def torch_neuron(make):
    """The neuron in PyTorch: its output, x1.grad and w1.grad; make turns a list into a tensor."""
    x1, x2, w1, w2, b = (make([number]).requires_grad_() for number in (2.0, 0.0, -3.0, 1.0, 6.8813735870195432))
    o = torch.tanh(x1 * w1 + x2 * w2 + b)
    o.backward()
    return o.item(), x1.grad.item(), w1.grad.item()


theirs = stored_neuron
if torch is not None:
    makers = [lambda xs: torch.Tensor(xs).double(), lambda xs: torch.tensor(xs, dtype=torch.float64)]
    theirs = {title: torch_neuron(make) for title, make in zip(stored_neuron, makers, strict=True)}

with when_ready():
    for (title, numbers), bias in zip(
        theirs.items(), (softmax.as_float32(6.8813735870195432), 6.8813735870195432), strict=True
    ):
        x1, x2, w1, w2, b = Value(2.0), Value(0.0), Value(-3.0), Value(1.0), Value(bias)
        o = (x1 * w1 + x2 * w2 + b).tanh()
        o.backward()
        print(title, "  bias in my engine:", bias)
        for what, mine, other in zip(("o", "x1.grad", "w1.grad"), (o.data, x1.grad, w1.grad), numbers, strict=True):
            compare("   " + what, mine, other)

# %% task="8.4"
check("8.4")

# %% [markdown]
# ### Written question: why the lecture's cell prints 0.70710669
#
# In about eight to twelve sentences, with numbers from your runs.
#
# 1. In the line `torch.Tensor([6.8813735870195432]).double()`, where is something lost, and what does `.double()` do
#    about it? How do you know that the rounding happened there, and not at the output?
# 2. Of the five inputs only one is changed. Which, and why not the others?
# 3. By how much is that input off, and by how much is the output? Explain the ratio of the two with a gradient that you
#    know.
# 4. A test that compares two engines with a tolerance of 1e-6 would call them equal. Is that good or bad here? How
#    should the line have been written?

# %% [markdown] question="float32"
# *Replace this line with your answer.*

# %% [markdown] answer="float32"
# **Model answer.** `torch.Tensor([...])` makes a tensor of PyTorch's default type, which is 32 bits. There the number
# is rounded to the nearest one that 24 binary digits can hold: 6.881373405456543 instead of 6.8813735870195432.
# `.double()` widens the tensor to 64 bits, but the digits that were cut off are gone; it can only append zeros.
# Everything after it runs in 64 bits. The three stories show it: rounding the inputs gives 0.7071066904050358, exactly
# the lecture's number, while rounding the output of an exact computation would give 0.7071067690849304, and both
# roundings together another number that has only 24 bits, which 0.7071066904050358 has not.
#
# Only the bias is changed. 2, 0, -3 and 1 are whole numbers (sums of few powers of two) and fit into 24 binary digits;
# the bias was chosen so that the output is 1/sqrt(2), and needs all the digits there are.
#
# The bias is off by 6.8813735870 - 6.8813734055 = 1.8e-7, the output by 0.70710678119 - 0.70710669041 = 9.1e-8: one
# half. That is the gradient of `o` with respect to `b`, `1 - o**2 = 0.5`: a small change of `b` moves `o` by half as
# much.
#
# A tolerance of 1e-6 hides the difference. This is good if one wants to know whether the *rules* of two engines agree;
# they do. It is bad if one believes that one computes with 16 digits and in truth has seven: every comparison at 1e-9
# fails, and a mistake of that size in the engine would not be seen. It should be `torch.tensor([...],
# dtype=torch.float64)` (or the default type set to float64 beforehand), and then the output is 0.7071067811865476.
#
# **Marking guide (3 points).**
#
# | points | for |
# |---|---|
# | 1.0 | 32 bits at construction, `.double()` brings nothing back; shown by the three stories (0.5 if claimed only) |
# | 0.5 | only the bias; the other four fit exactly |
# | 1.0 | both differences (1.8e-7 and 9.1e-8), ratio one half = the gradient do/db (0.5 for the numbers alone) |
# | 0.5 | what the tolerance hides, and how to write it; either half gives 0.25 |
#
# *Common wrong answers.* "PyTorch's tanh is less exact": no, with the right dtype it agrees to the last digits.
# "`.double()` rounds": it widens, exactly. "Rounding errors pile up in the computation": all of it runs in 64 bits,
# and the difference is there from the start.

# %% [markdown]
# ## Where people get stuck
#
# **`math domain error` in log.** A probability is exactly 0 (or negative). After softmax that happens only if a power
# became 0 because its logit lies more than about 745 below the largest. The loss is then infinite, in fact. Libraries
# avoid it by computing the logarithm of softmax in one go.
#
# **The gradients of the logits are all positive.** The sum in the denominator was made of plain numbers, so one half of
# the slope is missing.
#
# **Everything works, but not at 1000.** Is it the largest logit that you take away? The first one, the mean or a fixed
# number help only sometimes.
#
# **`max()` of a list of nodes raises a TypeError.** Nodes have no order. Their numbers have.
#
# **`unsupported operand type(s) for +: 'int' and ...` in `sum`.** Something in the list is no node.
#
# **My number differs from PyTorch's in the last digit.** So do two versions of PyTorch. Look at the size of the
# difference: 1e-16 is rounding, 1e-7 is a type, 1e-1 is a mistake.
#
# ## Handing in
#
# Save this notebook and your files. Then run `python kit.py submit` in a terminal in this folder, or
# `from kit import submit; submit()` in a new cell here; in the browser there is only the cell. Both look at everything
# that is graded, name what is missing or broken, and pack the zip to hand in.
#
# ## Go deeper
#
# - PyTorch documentation, *Autograd mechanics* and *A gentle introduction to torch.autograd*: the same ideas in a large
#   system, and what becomes of the graph.
# - PyTorch documentation, `torch.nn.functional.cross_entropy`: softmax, logarithm and this loss in a single operation,
#   and why.
# - JAX documentation, *Forward- and reverse-mode autodiff*: gradients of gradients, in both directions.
# - Andrej Karpathy's exercise notebook for the lecture, last section: the same loss, to be differentiated by you.
# - David Goldberg, *What every computer scientist should know about floating-point arithmetic* (1991).
# - Baydin, Pearlmutter, Radul and Siskind, *Automatic Differentiation in Machine Learning: a Survey* (2015), for the
#   costs in time and memory.
