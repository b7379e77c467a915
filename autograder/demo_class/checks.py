"""Checks one claim at a time; records with small callable objects."""


def gradient_check(f, xs, grads, h=1e-6, tol=1e-4):
    def bumped(i, by):
        return f([x + by if i == j else x for j, x in enumerate(xs)])

    if len(xs) != len(grads):
        return False
    for i, claim in enumerate(grads):
        slope = (bumped(i, h) - bumped(i, -h)) / (2 * h)
        scale = abs(slope) if abs(slope) > 1 else 1.0
        if not (abs(slope - claim) < tol * scale):
            return False
    return True


class Recorder:
    def __init__(self, node, log):
        self.node = node
        self.log = log
        self.original = node._backward

    def __call__(self):
        self.log.append(self.node)
        return self.original()


def record_schedule(root):
    log = []
    recorders = []
    for node in root.topological_order():
        recorder = Recorder(node, log)
        recorders.append(recorder)
        node._backward = recorder
    root.backward()
    for recorder in recorders:
        recorder.node._backward = recorder.original
    return log
