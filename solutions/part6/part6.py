# %% [markdown]
# # Part 6: Neuron, layer, MLP
#
# Your engine differentiates any expression. In this part you build one particular kind of expression with it: a
# neural network. There is no new calculus and no new operation. A network is an expression with many leaves, and the
# only question is how to write down so many of them without losing track. Three small classes do it: a neuron is made
# of `Value`s, a layer of neurons, and a network of layers.
#
# **How to work.** Keep `nn.py` open beside this notebook; all the code you hand in goes there. `value.py` is finished:
# it is the engine of parts 1 to 5, and you need not change it. Look for `TODO 6.1` to `TODO 6.5`. Some tasks have more
# than one TODO: a class has to be made *and* called. After a change, save `nn.py` and run the next cell again, then
# the cells of the section you are in. What is not written yet says so.
#
# Where a cell says `predict("...", None)`, put your prediction in the place of `None` before you run it; several of
# them in parentheses, as in `(6, -4)`. Nobody marks the guesses.

# %%
import importlib
import math
import random
import time

import nn
import value
from kit import check, curves, draw_dot, predict, when_ready

importlib.reload(value)  # run this cell again, and it reads both files again
importlib.reload(nn)
from nn import MLP, Layer, Neuron
from value import Value

# %% [markdown]
# ## 1. A neuron is an expression with knobs
#
# The neuron of parts 3 and 4 was `tanh(x1*w1 + x2*w2 + b)`. Seen from now on, its five leaves are of two kinds:
#
# - the inputs `x1`, `x2` are **data**. They come from outside and are what they are.
# - the weights `w1`, `w2` and the bias `b` are **parameters**: the knobs. Training will turn them.
#
# Each weight says how strongly, and in which direction, its input counts. The bias says how willing the neuron is to
# fire when nothing comes in at all. The tanh then squashes the sum, however large it is, to something between -1 and 1.
#
# So an object that *is* a neuron has to keep its parameters, and it has to build the expression when it is given
# inputs. In Python that is a class with two methods: `__init__`, which runs when you write `Neuron(2)`, and
# `__call__`, which runs when you write `neuron([2.0, 0.0])`.
#
# ### Random, but the same for everybody
#
# The weights start as random numbers. (Section 9 shows what goes wrong otherwise.) Random numbers in a program follow
# from a *seed*: the same seed gives the same numbers in the same order, on every machine. That is how your network can
# be compared with ours to the last digit, if both draw in the same order: the weights one after the other, nothing for
# the bias.

# %%
guess = predict("the second line: the first one again, or new numbers", None)
random.seed(7)
print([round(random.uniform(-1, 1), 4) for _ in range(3)])
print([round(random.uniform(-1, 1), 4) for _ in range(3)])
random.seed(7)
print([round(random.uniform(-1, 1), 4) for _ in range(3)])
guess.saw("new numbers")

# %% [markdown]
# ### Lists that do not fit
#
# To multiply weights and inputs in pairs, `zip` is the natural tool. It has a habit that has cost many people a day:

# %%
guess = predict("the number of pairs", None)
weights, inputs = [0.5, -2.0, 4.0], [10.0, 20.0]
pairs = list(zip(weights, inputs))
print("pairs:", pairs)
guess.saw(len(pairs))

# %% [markdown]
# The third weight was dropped without a word. A neuron that computes with what is left gives a plausible number, and
# a network full of them trains, badly, for no visible reason. So a neuron of ours counts first, and raises
# `ValueError` when the number of inputs is not the number of its weights.
#
# ### Staying on Values
#
# The output has to be one `Value` that hangs together with `w` and `b`, so that `backward()` can reach them. Compute
# with the nodes, never with their `.data`. Inputs may be plain numbers; part 5 taught `*` and `+` to wrap them.
#
# **Task 6.1.** In `nn.py`: `Neuron.__init__` and `Neuron.__call__`. What they have to do stands in their docstrings.

# %%
guess = predict("the output, with the numbers of part 3", None)
picture = None
with when_ready():
    neuron = Neuron(2)
    for w, number in zip(neuron.w, [-3.0, 1.0], strict=True):
        w.data = number
    neuron.b.data = 6.8813735870195432
    neuron.w[0].label, neuron.w[1].label, neuron.b.label = "w1", "w2", "b"

    o = neuron([2.0, 0.0])
    o.label = "o"
    o.backward()
    guess.saw(o.data)
    print("w1.grad, w2.grad, b.grad:", neuron.w[0].grad, neuron.w[1].grad, neuron.b.grad)
    picture = draw_dot(o)
picture

# %% [markdown]
# 0.7071, and the gradients 1, 0 and 0.5, as in part 4: the same neuron, built by three lines of a class instead of ten
# lines of a notebook. (Your picture may have one plus more or less than your neighbour's: you may start the sum from
# the bias, or add it at the end.)
#
# Run the cell below to see that a wrong list is refused.

# %%
with when_ready():
    try:
        print("a Value came back:", Neuron(3)([1.0, 2.0]))
    except ValueError as error:
        print("ValueError:", error)

# %% task="6.1"
check("6.1")

# %% [markdown]
# ## 2. Why tanh, and why not exp?
#
# Part 5 gave you another curved function, `exp`. Why do we not bend a neuron's sum with that?

# %%
curves(
    {
        "tanh": [(x / 10, math.tanh(x / 10)) for x in range(-30, 31)],
        "exp": [(x / 10, math.exp(x / 10)) for x in range(-30, 16)],
        "no bend": [(x / 10, x / 10) for x in range(-30, 31)],
    },
    title="Three things to do with a neuron's sum",
    x="sum",
    y="output",
)

# %%
guess = predict("the digits of exp(50) before the point", None)
for x in (1, 10, 50):
    print(f"x = {x:2}   tanh {math.tanh(x):.6f}   exp {math.exp(x):.6g}   slope of exp {math.exp(x):.6g}")
try:
    print(math.exp(math.exp(10)))
except OverflowError as error:
    print("exp of exp of 10:", "OverflowError,", error)
guess.saw(len(str(int(math.exp(50)))))

# %% [markdown]
# `exp` has no upper bound: 22,026 at 10, and 5 with 21 zeros behind it at 50. Two layers of it, and Python gives up.
# Its slope is just as large as its value, so gradients would explode in step. In real networks `exp` is everywhere, but
# always tamed by a division: inside sigmoid, inside tanh, and inside the softmax of part 8.
#
# tanh is tame on both sides, and it has the opposite weakness. Far out it is flat. What does that mean for the
# gradient of a weight whose neuron sits at a sum of 10? (Part 3: the slope is `1 - o*o`.)

# %%
guess = predict("the slope of tanh at 10", None)
guess.saw(1 - math.tanh(10) ** 2)

# %% [markdown]
# Such a neuron is called saturated: its knobs still exist, but turning them a little changes next to nothing. That is
# one reason to start with small weights.

# %% [markdown]
# ## 3. A layer: the same inputs, several opinions (task 6.2)
#
# A layer is a list of neurons that all see the same inputs. Each has weights of its own, so each answers differently.
# Nothing connects them to each other.
#
# Before you write it, a question about Python. Somebody wants three empty lists:

# %%
guess = predict("rows after this", None)
rows = [[]] * 3
rows[0].append("mine")
print("rows:", rows)
guess.saw(rows)

# %% [markdown]
# `* 3` did not make three lists. It wrote the same list down three times. A layer made as `[Neuron(3)] * 4` has one
# neuron with four names. It gives four outputs, all equal; it counts the right number of parameters; it can even learn.
# It is simply not the network you think it is.
#
# **Task 6.2.** `Layer.__init__` and `Layer.__call__`. A layer always answers with a list, even if it has one neuron.
# Pass `nonlin` on to the neurons.

# %%
guess = predict("how many different numbers", None)
with when_ready():
    random.seed(3)
    layer = Layer(3, 4)
    outs = layer([2.0, 3.0, -1.0])
    for out in outs:
        print(f"{out.data:8.4f}")
    guess.saw(len({out.data for out in outs}))

# %% task="6.2"
check("6.2")

# %% [markdown]
# ## 4. A network: layers in a row (task 6.3)
#
# Now let the outputs of one layer be the inputs of the next. This is a *multi-layer perceptron*, MLP for short. The
# network `MLP(2, [4, 4, 1])` looks like this:
#
#     2 inputs      4 neurons       4 neurons       1 neuron
#
#                    ( tanh ) ---->  ( tanh ) --.
#       x1  ----->   ( tanh ) ---->  ( tanh ) ---\
#       x2  ----->   ( tanh ) ---->  ( tanh ) ---->  ( linear )  ----->  output
#                    ( tanh ) ---->  ( tanh ) --'
#
#     Every neuron of a layer is connected with everything in the column to its left.
#
# The numbers in `nouts` are the sizes of the layers. How many weights does a neuron in the second layer have? And in
# the third? Write it down before you go on: it is what people most often get wrong in this task.

# %%
guess = predict("the weights per neuron in the three layers of MLP(2, [4, 4, 1])", None)

# %% [markdown]
# The last layer has no tanh. With a tanh at the end the network could never say 3, nor even exactly 1, whatever its
# weights: its answers would be locked between -1 and 1. Inside, the bend is what makes it more than a line (section 5);
# at the end it would only be in the way.
#
# **Task 6.3.** `MLP.__init__` and `MLP.__call__`. Most networks of this course have one output, and it would be a
# nuisance to write `[0]` behind each call. So a network with one output returns that `Value` itself, and one with
# several returns the list. This is the network's business only: *inside*, a layer of one neuron passes on a list.

# %%
with when_ready():
    random.seed(1)
    net = MLP(2, [4, 4, 1])
    guess.saw([len(layer.neurons[0].w) for layer in net.layers])
    print("one output:    ", net([1.0, -2.0]))
    print("three outputs: ", MLP(2, [4, 3])([1.0, -2.0]))

# %% [markdown]
# With seed 1 the output is -1.3406. And here is what you have built, in full, for a small one: two inputs, two neurons,
# one output. Find the two tanh nodes, and follow one input to both of them.

# %%
picture = None
with when_ready():
    random.seed(1)
    x1, x2 = Value(1.0, label="x1"), Value(-2.0, label="x2")
    out = MLP(2, [2, 1])([x1, x2])
    out.label = "out"
    out.backward()
    picture = draw_dot(out)
picture

# %% task="6.3"
check("6.3")

# %% [markdown]
# ### What became of the inputs' gradients?
#
# In part 3 the gradients of `x1` and `x2` fell out of the backward pass, and nobody needed them: data is not turned.
# Now look at a layer in the middle. Its inputs are the outputs of the layer below.

# %%
guess = predict("what the gradient equals: data or the weight above", None)
with when_ready():
    random.seed(5)
    below, above = Layer(2, 3), Layer(3, 1, nonlin=False)
    hidden = below([1.0, -2.0])
    (out,) = above(hidden)
    out.backward()
    for i, node in enumerate(hidden):
        weight = above.neurons[0].w[i]
        print(f"hidden {i}:  data {node.data:7.4f}   grad {node.grad:7.4f}   weight above {weight.data:7.4f}")
    guess.saw("the weight above")

# %% [markdown]
# The gradient that arrives at a hidden output is the weight it is multiplied with further up, and from there it goes on
# to the weights below. Without the gradients of "inputs", nothing below the last layer would ever learn anything. This
# is the signal whose way back gave backpropagation its name.

# %% [markdown]
# ## 5. What the bend is for
#
# Take the tanh away everywhere. Is a network of three linear layers worth more than one layer? Here is a test number.
# For a function `f` of two inputs, take its four values at the corners of a square:
#
#     f(0,0) + f(1,1) - f(0,1) - f(1,0)
#
# For a plane, any plane, this is zero. Predict it for a deep network of linear layers, and for one with tanh.


# %%
def corners(f):
    """f(0,0) + f(1,1) - f(0,1) - f(1,0) for a function of two numbers that returns a Value."""
    return f(0.0, 0.0).data + f(1.0, 1.0).data - f(0.0, 1.0).data - f(1.0, 0.0).data


def in_a_row(*layers):
    """A function of two numbers: through all these layers, then the first output."""

    def f(x, y):
        values = [x, y]
        for layer in layers:
            values = layer(values)
        return values[0]

    return f


guess = predict("it is zero (True or False): one linear layer, three linear layers, tanh and then linear", None)
with when_ready():
    for seed in (1, 2, 3):
        random.seed(seed)
        one = in_a_row(Layer(2, 1, nonlin=False))
        deep = in_a_row(Layer(2, 8, nonlin=False), Layer(8, 8, nonlin=False), Layer(8, 1, nonlin=False))
        bent = in_a_row(Layer(2, 8), Layer(8, 1, nonlin=False))
        print(f"one linear {corners(one):9.1e}   three linear {corners(deep):9.1e}   bent {corners(bent):9.4f}")
    guess.saw([abs(corners(f)) < 1e-9 for f in (one, deep, bent)])

# %% [markdown]
# (What is printed as something times 10 to the power of -16 is zero, but for rounding.)
#
# ### Written question: what a network without tanh can do
#
# About six to ten sentences.
#
# 1. Why is the test number zero for the three linear layers too, whatever their weights? Show it for two layers with
#    one input and one neuron each: write down what `w2*(w1*x + b1) + b2` is as a function of `x`.
# 2. The task XOR asks for 0, 1, 1, 0 at the corners (0,0), (0,1), (1,0), (1,1). What is its test number? What does this
#    say about every network without tanh, however large?
# 3. `MLP(2, [8, 8, 1])` without tanh has 105 parameters. How many would do the same job?
#
# Write your answer into the next cell (double-click it). A person marks it.

# %% [markdown] question="why-tanh"
# *Replace this line with your answer.*

# %% [markdown] answer="why-tanh"
# **Model answer.** A linear layer multiplies its inputs by numbers, adds them up and adds a number. Doing this twice
# gives nothing new: `w2*(w1*x + b1) + b2 = (w2*w1)*x + (w2*b1 + b2)`, a single weight and a single bias again. In the
# same way three layers with many neurons collapse, layer by layer, into one: the output is `A*x + B*y + C`, where A, B
# and C are made from all the weights. For this the test number is `C + (A+B+C) - (B+C) - (A+C) = 0`, whatever A, B and
# C are.
#
# XOR's test number is `0 + 0 - 1 - 1 = -2`. Since it is 0 for every network without tanh, no such network computes XOR,
# or even comes near it at all four corners at once, however many layers and neurons it has and however long it is
# trained. With tanh between the layers the sums no longer collapse, and the test number can be anything.
#
# The 105 parameters do the job of three: A, B and C, that is one linear neuron with two inputs.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | the calculation: two linear steps are one linear step, with the new weight and the new bias |
# | 0.5 | carried over to many neurons and layers: the whole network is one `A*x + B*y + C`, so its test number is 0 |
# | 0.5 | XOR has -2 (or: not 0), and therefore *no* choice of weights and no size helps |
# | 0.5 | 3 parameters (two weights and a bias) |
#
# *Half of an element (0.25):* "linear stays linear" without the calculation; "XOR is not linearly separable" without
# the test number or another reason; 2 instead of 3 parameters (the bias forgotten).
#
# *Common wrong answers.* "It learns more slowly without tanh": it cannot represent XOR at all. "The gradients vanish":
# they do not, without tanh even less. "tanh keeps the numbers small": true, and not the point here. "One needs more
# neurons": no number of them helps.
#
# *Another way.* An answer that argues with a picture (one straight line cannot have the two 1s on one side and the two
# 0s on the other) is a full answer to the second point, if it says why the network without tanh gives such a line.

# %% [markdown]
# ## 6. parameters() (task 6.4)
#
# Training will have to turn every knob, so it needs a list of them all. A neuron lists its own; a layer puts its
# neurons' lists one behind the other; a network does the same with its layers. The list holds the `Value`s themselves:
# copies could be turned for ever without the network noticing.
#
# Count with a pencil first. A neuron with `n` inputs has `n` weights and a bias.

# %%
guess = predict("the parameters of MLP(2, [4, 4, 1]), MLP(3, [4, 4, 1]) and MLP(784, [16, 16, 10])", None)

# %% [markdown]
# **Task 6.4.** `parameters()` on all three classes: one flat list, weights then bias, neuron by neuron, layer by layer.

# %%
with when_ready():
    counts = []
    for nin, nouts in [(2, [4, 4, 1]), (3, [4, 4, 1]), (784, [16, 16, 10])]:
        found = MLP(nin, nouts).parameters()
        counts.append(len(found))
        print(f"MLP({nin}, {nouts}): {len(found)} in the list, {len({id(p) for p in found})} different objects")
    guess.saw(counts)

# %% [markdown]
# 37, 41 and 13,002. If your second number is smaller than the first, some neurons share their weights: with
# `[Neuron(nin)] * nout`, `MLP(3, [4, 4, 1])` lists 41 entries and has 14 objects. The count alone cannot see it.
#
# The last network is a well-known one: 784 is 28 times 28, a small grey picture, and 10 outputs are ten digits. In part
# 1 you read that measuring slopes by bumping would need 13,002 extra evaluations for it. Now you can see what that
# means. Bumping one parameter costs one evaluation; a backward pass gives all of them. How much longer than an
# evaluation will the backward pass take?

# %%
guess = predict("the backward pass takes how many times as long", None)
with when_ready():
    random.seed(0)
    big = MLP(784, [16, 16, 10])
    pixels = [random.random() for _ in range(784)]

    start = time.perf_counter()
    outs = big(pixels)
    forward = time.perf_counter() - start

    total = sum(outs)
    start = time.perf_counter()
    total.backward()
    backward = time.perf_counter() - start

    count = len(big.parameters())
    print(f"one evaluation            {forward:8.3f} s")
    print(f"one backward pass         {backward:8.3f} s,  {backward / forward:.1f} times as long")
    print(f"bumping each parameter    {forward * count:8.0f} s,  {count:,} evaluations")
    guess.saw(round(backward / forward, 1))

# %% [markdown]
# About as long as the evaluation (on some machines half of that, on others twice), whatever the number of parameters.
# This is why networks are trained with backpropagation. By the way, each neuron of the first layer is a chain of 784
# additions; a `backward()` that calls itself once per node would come close to Python's limit here.

# %% task="6.4"
check("6.4")

# %% [markdown]
# ## 7. zero_grad() (task 6.5)
#
# Gradients add up; part 4 made that a rule. An expression that is built again from the same leaves finds the old
# gradients still there. For a network this is the normal case: every call builds a new expression, from the same
# parameters.

# %%
guess = predict("the last bias's gradient after three backward passes", None)
with when_ready():
    random.seed(2)
    net = MLP(2, [3, 1])
    for _ in range(3):
        net([2.0, -1.5]).backward()
    guess.saw(net.layers[-1].neurons[0].b.grad)

# %% [markdown]
# So there has to be a way to start afresh. It is the same for a neuron, a layer and a network: go through
# `parameters()` and set each gradient back. The same code three times would be a pity, so `nn.py` has a class `Module`,
# and each of the three is written as `class Neuron(Module)`. This means: a method that is not found in `Neuron` is
# looked up in `Module`. When it runs, `self` is still the neuron, and `self.parameters()` the neuron's own list.
#
# **Task 6.5.** `Module.zero_grad()`. It changes gradients and nothing else.

# %%
with when_ready():
    random.seed(2)
    net = MLP(2, [3, 1])
    for _ in range(3):
        net.zero_grad()
        net([2.0, -1.5]).backward()
    print("last bias:", net.layers[-1].neurons[0].b.grad)

# %% [markdown]
# PyTorch has the same three ideas under the same names: modules, `parameters()`, and `zero_grad()`, which people forget
# there as easily as here. Part 7 shows what happens to those who do.

# %% task="6.5"
check("6.5")

# %% [markdown]
# ## 8. A network before training
#
# Nothing has been learnt yet. Here is what a network does with the four inputs of XOR, for three seeds. The right
# answers would be 0, 1, 1, 0.

# %%
guess = predict("the answer that is the same for every seed", None)
with when_ready():
    for seed in (1, 2, 3):
        random.seed(seed)
        net = MLP(2, [4, 1])
        answers = [net([x, y]).data for x in (0.0, 1.0) for y in (0.0, 1.0)]
        print(f"seed {seed}: ", "   ".join(f"{answer:7.4f}" for answer in answers))
    guess.saw(answers[0])

# %% [markdown]
# Why is the first answer of each line exactly 0? All biases start at 0, and with inputs of 0 there is nothing else in
# any of the sums.

# %% [markdown]
# ## 9. Why random?
#
# What if all weights started at 0, or all at the same number? No need to train it: look at the gradients, for this is
# what training will use. We set every weight to the same number, leave the biases at 0, and run backward once.


# %%
def gradients_when_all_weights_are(number):
    """Print and return the gradients of MLP(2, [3, 1]) with equal weights, at the inputs 1.0 and -2.0."""
    net = MLP(2, [3, 1])
    for layer in net.layers:
        for neuron in layer.neurons:
            for w in neuron.w:
                w.data = number
    net([1.0, -2.0]).backward()
    for i, neuron in enumerate(net.layers[0].neurons):
        print(f"hidden neuron {i}:   w", [round(w.grad, 4) for w in neuron.w], "  b", round(neuron.b.grad, 4))
    last = net.layers[1].neurons[0]
    print("output neuron:     w", [round(w.grad, 4) for w in last.w], "  b", round(last.b.grad, 4))
    return [p.grad for p in net.parameters()]


guess = predict("all weights 0.0: how many of the thirteen gradients are not zero", None)
with when_ready():
    gradients = gradients_when_all_weights_are(0.0)
    guess.saw(sum(gradient != 0 for gradient in gradients))

# %%
guess = predict("all weights 0.5: what the three hidden neurons have in common", None)
with when_ready():
    gradients_when_all_weights_are(0.5)
    guess.saw("all their gradients")

# %% [markdown]
# ### Written question: why the weights start as random numbers
#
# About six to ten sentences. Use the two printouts.
#
# 1. All weights 0: follow the gradient from the output down. Why do the weights of the output neuron get 0? Why do the
#    hidden neurons get 0? Which parameter is the only one that training could move at first, and what could the network
#    learn with it alone?
# 2. All weights 0.5: the gradients are not zero. A training step subtracts from each parameter a multiple of its
#    gradient. What do the three hidden neurons look like after the step, and after a thousand steps? What is such a
#    network worth, compared with `MLP(2, [1, 1])`?
# 3. The biases all start at 0, and that is harmless. Why?

# %% [markdown] question="why-random"
# *Replace this line with your answer.*

# %% [markdown] answer="why-random"
# **Model answer.** With all weights 0, every hidden sum is 0 and every hidden output is tanh(0) = 0. A product hands on
# the partner's number. The partners of the output neuron's weights are the hidden outputs, which are 0, so these
# weights get a gradient of 0. The partners of the hidden outputs are those weights, 0 as well, so nothing arrives at
# the hidden neurons, and all that lies below stays at 0. Only the bias of the output neuron has a gradient (1, through
# a plus). If it alone moves, the network answers the same number to every input: it can learn the average of the
# targets. And moving it changes none of the zeros, so it stays like this for ever.
#
# With all weights 0.5 the gradients are not 0, but the three hidden neurons have the same inputs, the same weights and
# the same weight above them, so they get the same gradients. A step takes equal amounts from equal numbers; the neurons
# are equal again, and so on in every later step. Three equal neurons are one neuron whose output counts three times.
# The network can do what `MLP(2, [1, 1])` can, and no more. Random weights break the symmetry: the neurons begin apart,
# get different gradients, and can take over different parts of the job.
#
# Biases need not be random, because the weights tell the neurons apart already: different sums, different outputs,
# different gradients, also for the biases, which therefore move apart in the first step.
#
# **Marking guide (2 points).**
#
# | points | for |
# |---|---|
# | 0.5 | zeros: *both* reasons (hidden outputs are 0; the weights on the way down are 0), following the product rule |
# | 0.5 | only the last bias moves: a constant answer, for ever |
# | 0.5 | equal weights: equal gradients, equal after every step; worth one hidden neuron |
# | 0.5 | biases: the neurons differ already by their weights, so their biases get different gradients |
#
# *Half of an element (0.25):* one of the two reasons for the zeros; "the symmetry is not broken" without saying what
# is equal to what; "biases do not matter" (they do; only their start does not).
#
# *Common wrong answers.* "tanh is flat at 0": it is steepest there, slope 1. "The gradient vanishes because the numbers
# are small": they are exactly 0, for the reasons above. "Random numbers are nearer to the solution": no, they are only
# different from each other.

# %% [markdown]
# ## Where people get stuck
#
# **`'float' object has no attribute 'backward'`.** Somewhere `.data` was used in the sum, so a plain number came out.
#
# **`unsupported operand type(s) for +: 'int' and ...`.** `sum` starts from the number 0, and `0 + Value` needs the
# reflected plus of part 5. Your engine has it. If you see this, something in the sum is not a `Value` but a list: is a
# layer's answer used as if it were one number?
#
# **`'list' object has no attribute 'data'`.** A network with one output has to return the `Value`. If it happens
# *inside* the network, a layer was unwrapped too early: a layer always returns a list.
#
# **36 instead of 41.** Every layer was made with `nin` inputs. The second layer's inputs are the first layer's outputs.
#
# **32 instead of 41.** The nine biases are missing from `parameters()`. Such a network still trains, and looks fine.
#
# **The weights are not those of the test.** Draw them in order, one `random.uniform(-1, 1)` per weight and nothing
# else: no number for the bias, and no neuron that is made and thrown away.
#
# **Why does a network build its whole expression again at every call?** Because a node computes its number once, when
# it is made. New inputs, or parameters that have moved, need new nodes. Only the parameters live on.
#
# **Is a real network made like this?** The same ideas, other proportions: there a whole layer is one multiplication of
# a matrix, on thousands of inputs at once. Part 8 compares.
#
# ## Handing in
#
# Save this notebook and your files. Then run `python kit.py submit` in a terminal in this folder, or
# `from kit import submit; submit()` in a new cell here; in the browser there is only the cell. Both look at everything
# that is graded, name what is missing or broken, and pack the zip to hand in.
#
# ## Go deeper
#
# - Andrej Karpathy, *micrograd* (the file `nn.py`): these three classes as the lecture's author wrote them, with relu.
# - Michael Nielsen, *Neural Networks and Deep Learning*, chapter 1: the network with 784 inputs, and why it needs a
#   bend.
# - 3Blue1Brown, *But what is a neural network?*: the 13,002 parameters, drawn.
# - Minsky and Papert, *Perceptrons* (1969): the book that made XOR famous.
# - Glorot and Bengio, *Understanding the difficulty of training deep feedforward neural networks* (2010): how large the
#   random weights should be.
