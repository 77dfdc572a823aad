"""Constraints: which values a distribution or a transform takes."""

import mindspore
import numpy as np
from mindspore import ops


class Constraint:
    """torch.distributions.constraints.Constraint."""

    is_discrete = False
    event_dim = 0

    def check(self, value):
        """For each event whether its value is allowed."""
        raise NotImplementedError

    def __repr__(self):
        return f"{type(self).__name__}()"


class DependentConstraint(Constraint):
    """torch.distributions.constraints.dependent: it depends on other values, and can not be checked."""

    def __init__(self, *, is_discrete=False, event_dim=0):
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, *, is_discrete=None, event_dim=None):
        return DependentConstraint(
            is_discrete=self.is_discrete if is_discrete is None else is_discrete,
            event_dim=self.event_dim if event_dim is None else event_dim,
        )

    def check(self, value):
        raise ValueError("a constraint that depends on other values can not be checked")


class dependent_property(property, DependentConstraint):
    """torch.distributions.constraints.dependent_property."""

    def __init__(self, fn=None, *, is_discrete=False, event_dim=0):
        super().__init__(fn)
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return dependent_property(fn, is_discrete=self.is_discrete, event_dim=self.event_dim)


class CheckedConstraint(Constraint):
    """A constraint on each value, or on the last axes of values."""

    def __init__(self, function, *, is_discrete=False, event_dim=0):
        self.function, self.is_discrete, self.event_dim = function, is_discrete, event_dim

    def check(self, value):
        return self.function(value)


class BoundedConstraint(Constraint):
    """Values between bounds; where `lower_bound` or `upper_bound` is None, there is none."""

    def __init__(self, lower_bound=None, upper_bound=None, takes_bounds=(True, True), is_discrete=False):
        if lower_bound is not None:
            self.lower_bound = lower_bound
        if upper_bound is not None:
            self.upper_bound = upper_bound
        self.takes_bounds, self.is_discrete = takes_bounds, is_discrete

    def check(self, value):
        lower, upper = getattr(self, "lower_bound", None), getattr(self, "upper_bound", None)
        allowed = value % 1 == 0 if self.is_discrete else value == value
        if lower is not None:
            allowed = ops.logical_and(allowed, value >= lower if self.takes_bounds[0] else value > lower)
        if upper is not None:
            allowed = ops.logical_and(allowed, value <= upper if self.takes_bounds[1] else value < upper)
        return allowed


def constraint_interval(lower_bound, upper_bound):
    """torch.distributions.constraints.interval."""
    return BoundedConstraint(lower_bound, upper_bound)


def constraint_half_open_interval(lower_bound, upper_bound):
    """torch.distributions.constraints.half_open_interval."""
    return BoundedConstraint(lower_bound, upper_bound, (True, False))


def constraint_integer_interval(lower_bound, upper_bound):
    """torch.distributions.constraints.integer_interval."""
    return BoundedConstraint(lower_bound, upper_bound, is_discrete=True)


def constraint_greater_than(lower_bound):
    """torch.distributions.constraints.greater_than."""
    return BoundedConstraint(lower_bound, None, (False, False))


def constraint_greater_than_eq(lower_bound):
    """torch.distributions.constraints.greater_than_eq."""
    return BoundedConstraint(lower_bound)


def constraint_less_than(upper_bound):
    """torch.distributions.constraints.less_than."""
    return BoundedConstraint(None, upper_bound, (False, False))


class IndependentConstraint(Constraint):
    """torch.distributions.constraints.independent: all values of the last axes are allowed."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim + self.reinterpreted_batch_ndims)

    def check(self, value):
        return all_of_last(self.base_constraint.check(value), self.reinterpreted_batch_ndims)


def all_of_last(value, count):
    """Whether all are true over the last `count` axes."""
    return (
        ops.logical_not(ops.logical_not(value).astype(mindspore.int32).sum(tuple(range(-count, 0))) > 0)
        if count
        else value
    )


def is_symmetric(value):
    """Which matrices equal their transposes."""
    return all_of_last(ops.abs(value - value.swapaxes(-1, -2)) <= 1e-6, 2)


def has_eigenvalues_from(value, least):
    """Which symmetric matrices have no eigenvalue below `least`."""
    lowest = np.linalg.eigvalsh(value.asnumpy()).min(-1)
    return ops.logical_and(is_symmetric(value), mindspore.Tensor(lowest >= least))


def is_lower_triangular(value):
    """Which matrices have only zeros above the diagonal."""
    return all_of_last(ops.tril(value) == value, 2)


def has_positive_diagonal(value):
    """Which matrices have a diagonal of positive numbers."""
    size = value.shape[-1]
    return (value[..., list(range(size)), list(range(size))] > 0).all(-1)


constraint_dependent = DependentConstraint()
constraint_boolean = CheckedConstraint(lambda value: ops.logical_or(value == 0, value == 1), is_discrete=True)
constraint_one_hot = CheckedConstraint(
    lambda value: ops.logical_and(all_of_last(ops.logical_or(value == 0, value == 1), 1), value.sum(-1) == 1),
    is_discrete=True,
    event_dim=1,
)
constraint_nonnegative_integer = BoundedConstraint(0, is_discrete=True)
constraint_positive_integer = BoundedConstraint(1, is_discrete=True)
constraint_real = CheckedConstraint(lambda value: value == value)
constraint_real_vector = IndependentConstraint(constraint_real, 1)
constraint_positive = constraint_greater_than(0.0)
constraint_nonnegative = constraint_greater_than_eq(0.0)
constraint_unit_interval = constraint_interval(0.0, 1.0)
constraint_simplex = CheckedConstraint(
    lambda value: ops.logical_and(all_of_last(value >= 0, 1), ops.abs(value.sum(-1) - 1) < 1e-6), event_dim=1
)
constraint_square = CheckedConstraint(
    lambda value: (
        ops.ones(value.shape[:-2], dtype=mindspore.bool_)
        if value.shape[-2] == value.shape[-1]
        else ops.zeros(value.shape[:-2], dtype=mindspore.bool_)
    ),
    event_dim=2,
)
constraint_symmetric = CheckedConstraint(is_symmetric, event_dim=2)
constraint_lower_triangular = CheckedConstraint(is_lower_triangular, event_dim=2)
constraint_lower_cholesky = CheckedConstraint(
    lambda value: ops.logical_and(is_lower_triangular(value), has_positive_diagonal(value)), event_dim=2
)
constraint_positive_semidefinite = CheckedConstraint(
    lambda value: has_eigenvalues_from(value, 0), event_dim=2
)
constraint_positive_definite = CheckedConstraint(
    lambda value: has_eigenvalues_from(value, np.finfo(np.float32).tiny), event_dim=2
)


def is_dependent(constraint):
    """torch.distributions.constraints.is_dependent."""
    return isinstance(constraint, DependentConstraint)
