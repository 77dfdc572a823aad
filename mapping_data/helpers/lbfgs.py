"""The optimizer L-BFGS."""

import math
from typing import NamedTuple

import mindspore
from mindspore import ops


class LinePoint(NamedTuple):
    """A point of a line search: how far along the direction, and what the function is there."""

    position: float
    loss: float
    gradient: mindspore.Tensor
    slope: float


def dot_product(left, right):
    """The dot product of two vectors, as a number."""
    return float((left * right).sum())


def cubic_minimum(one, other, bounds=None):
    """Where the cubic through two points of a line search is least, between the points or other bounds."""
    left, right = (one, other) if one.position <= other.position else (other, one)
    low, high = bounds or (left.position, right.position)
    width = right.position - left.position
    middle = left.slope + right.slope - 3 * (right.loss - left.loss) / width
    square = middle**2 - left.slope * right.slope
    if not square >= 0:
        return (low + high) / 2
    root = math.sqrt(square)
    share = (right.slope + root - middle) / (right.slope - left.slope + 2 * root)
    return min(max(right.position - width * share, low), high)


def is_too_high(point, start, best):
    """Whether a point fails the first of Wolfe's conditions, or is no better than the best so far."""
    bound = start.loss + 1e-4 * point.position * start.slope
    return point.loss > bound or (best is not None and point.loss >= best.loss)


def is_flat(point, start):
    """Whether a point meets the second of Wolfe's conditions."""
    return abs(point.slope) <= -0.9 * start.slope


def bracket_minimum(evaluate, start, position, limit):
    """Go along a direction until two points have a minimum between them: these points, the number of
    evaluations, and whether the first of the points will do."""
    before, point, count = start, evaluate(position), 0
    while count < limit:
        if is_too_high(point, start, before if count > 1 else None):
            return before, point, count, False
        if is_flat(point, start):
            return point, point, count, True
        if point.slope >= 0:
            return before, point, count, False
        gap = point.position - before.position
        bounds = (point.position + 0.01 * gap, point.position * 10)
        before, point = point, evaluate(cubic_minimum(before, point, bounds))
        count += 1
    return start, point, count, False


def inner_position(low, high, was_near):
    """Where to look between two points, kept off both, and whether it came near one of them."""
    left, right = sorted((low.position, high.position))
    position = cubic_minimum(low, high)
    margin = 0.1 * (right - left)
    if min(right - position, position - left) >= margin:
        return position, False
    if not was_near and left < position < right:
        return position, True
    is_right = abs(position - right) < abs(position - left)
    return (right - margin if is_right else left + margin), False


def strong_wolfe(evaluate, start, position, length, tolerance, limit):
    """A line search for a point that meets Wolfe's strong conditions: it, and the number of evaluations.

    `length` is the largest component of the direction."""
    one, other, count, is_done = bracket_minimum(evaluate, start, position, limit)
    low, high = (one, other) if one.loss <= other.loss else (other, one)
    is_near = False
    while not is_done and count < limit:
        if abs(high.position - low.position) * length < tolerance:
            break
        position, is_near = inner_position(low, high, is_near)
        point = evaluate(position)
        count += 1
        if is_too_high(point, start, low):
            low, high = (low, point) if low.loss <= point.loss else (point, low)
            continue
        is_done = is_flat(point, start)
        if not is_done and point.slope * (high.position - low.position) >= 0:
            high = low
        low = point
    return low, count + 1


class LBFGS(Optimizer):
    """torch.optim.LBFGS."""

    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        check_options(lr=lr)
        options = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, options)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")

    @property
    def _params(self):
        return self.param_groups[0]["params"]

    def _flat_gradient(self):
        gradients = [
            ops.zeros_like(parameter) if parameter._grad is None else parameter._grad
            for parameter in self._params
        ]
        return ops.cat([gradient.reshape(-1) for gradient in gradients])

    def _move(self, direction, distance):
        begin = 0
        for parameter in self._params:
            part = direction[begin : begin + parameter.size].reshape(parameter.shape)
            ops.assign_add(parameter, times(part, distance))
            begin += parameter.size

    def _evaluator(self, closure, direction):
        """A function that gives the point at a distance from where the parameters are, and leaves them."""
        origin = [parameter * 1 for parameter in self._params]

        def evaluate(position):
            self._move(direction, position)
            loss = float(evaluated(closure))
            gradient = self._flat_gradient()
            for parameter, values in zip(self._params, origin):
                ops.assign(parameter, values)
            return LinePoint(position, loss, gradient, dot_product(gradient, direction))

        return evaluate

    def _remember(self, state, gradient):
        """Keep the last step and the change of the gradient in it, unless the curvature is not positive."""
        change = gradient - state["prev_flat_grad"]
        moved = times(state["d"], state["t"])
        curvature = dot_product(change, moved)
        if curvature <= 1e-10:
            return
        for name, value in (("old_dirs", change), ("old_stps", moved), ("ro", 1.0 / curvature)):
            state[name].append(value)
            del state[name][: -self.param_groups[0]["history_size"]]
        state["H_diag"] = curvature / dot_product(change, change)

    def _direction(self, state, gradient):
        """The descent direction, from the gradient and what is remembered."""
        state.setdefault("al", [None] * self.param_groups[0]["history_size"])
        history = list(zip(state["old_dirs"], state["old_stps"], state["ro"]))
        direction = -gradient
        shares = []
        for change, moved, weight in reversed(history):
            shares.append(dot_product(moved, direction) * float(weight))
            state["al"][len(history) - len(shares)] = shares[-1]
            direction = direction - times(change, shares[-1])
        direction = times(direction, state["H_diag"])
        for (change, moved, weight), share in zip(history, reversed(shares)):
            direction = direction + times(moved, share - dot_product(change, direction) * float(weight))
        return direction

    def step(self, closure):
        with no_grad():
            return self._minimize(closure)

    def _minimize(self, closure):
        group = self.param_groups[0]
        tolerance, state = group["tolerance_change"], self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = evaluated(closure)
        loss, gradient, evaluations = float(first_loss), self._flat_gradient(), 1
        state["func_evals"] += 1
        if self._largest(gradient) <= group["tolerance_grad"]:
            return first_loss
        for iteration in range(1, group["max_iter"] + 1):
            slope = self._prepare(state, gradient, loss)
            if slope > -tolerance:
                break
            is_last = iteration == group["max_iter"]
            limit = group["max_eval"] - evaluations
            loss, gradient, count = self._advance(closure, loss, gradient, slope, limit, is_last)
            evaluations += count
            state["func_evals"] += count
            if is_last or evaluations >= group["max_eval"]:
                break
            if self._largest(gradient) <= group["tolerance_grad"]:
                break
            if self._largest(state["d"]) * abs(state["t"]) <= tolerance:
                break
            if abs(loss - state["prev_loss"]) < tolerance:
                break
        return first_loss

    @staticmethod
    def _largest(vector):
        return float(vector.abs().max())

    def _prepare(self, state, gradient, loss):
        """Choose the next direction and distance; the slope of the function along it."""
        rate = float(self.param_groups[0]["lr"])
        state["n_iter"] += 1
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1, d=-gradient)
            state["t"] = min(1.0, 1.0 / float(gradient.abs().sum())) * rate
        else:
            self._remember(state, gradient)
            state["d"] = self._direction(state, gradient)
            state["t"] = rate
        state.update(prev_flat_grad=gradient, prev_loss=loss)
        return dot_product(gradient, state["d"])

    def _advance(self, closure, loss, gradient, slope, limit, is_last):
        """Move the parameters along the direction: the loss and gradient there, and the number of
        evaluations."""
        state, group = self.state[self._params[0]], self.param_groups[0]
        direction = state["d"]
        if group["line_search_fn"] is None:
            self._move(direction, state["t"])
            if is_last:
                return loss, gradient, 0
            return float(evaluated(closure)), self._flat_gradient(), 1
        start = LinePoint(0.0, loss, gradient, slope)
        evaluate = self._evaluator(closure, direction)
        length, tolerance = self._largest(direction), group["tolerance_change"]
        point, count = strong_wolfe(evaluate, start, state["t"], length, tolerance, limit)
        state["t"] = point.position
        self._move(direction, point.position)
        return point.loss, point.gradient, count
