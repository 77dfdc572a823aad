"""Constraints: which values a distribution or a transform takes. NumPy looks at them, since nothing that is
asked of them has a gradient."""

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
        return f"{type(self).__name__.lstrip('_')}({self._shown()})"

    def _shown(self):
        """What a text shows of the constraint."""
        return ""


class DependentConstraint(Constraint):
    """torch.distributions.constraints.dependent: it depends on other values, and can not be checked."""

    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self):
        return self._known("is_discrete")

    @property
    def event_dim(self):
        return self._known("event_dim")

    def _known(self, name):
        found = getattr(self, f"_{name}")
        if found is NotImplemented:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return found

    def __call__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        return DependentConstraint(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, value):
        raise ValueError("Cannot determine validity of dependent constraint")


class dependent_property(property, DependentConstraint):
    """torch.distributions.constraints.dependent_property."""

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return dependent_property(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


def allows_all(constraint, value):
    """Whether a constraint allows all values, without a Tensor that says so of each."""
    while isinstance(constraint, IndependentConstraint):
        constraint = constraint.base_constraint
    if isinstance(constraint, CheckedConstraint) and type(constraint).check is CheckedConstraint.check:
        return bool(np.all(constraint.allows(array_of(value))))
    return bool(constraint.check(value).asnumpy().all())


class CheckedConstraint(Constraint):
    """A constraint that `allows` decides, of an array."""

    def check(self, value):
        return mindspore.Tensor(np.asarray(self.allows(array_of(value))))

    def allows(self, values):
        raise NotImplementedError


class Boolean(CheckedConstraint):
    """What torch.distributions.constraints.boolean is of."""

    is_discrete = True

    def allows(self, values):
        return (values == 0) | (values == 1)


class OneHot(CheckedConstraint):
    """What torch.distributions.constraints.one_hot is of."""

    is_discrete = True
    event_dim = 1

    def allows(self, values):
        return ((values == 0) | (values == 1)).all(-1) & (values.sum(-1) == 1)


class Real(CheckedConstraint):
    """What torch.distributions.constraints.real is of."""

    def allows(self, values):
        return values == values


class BoundedConstraint(CheckedConstraint):
    """Values between bounds. A kind of it says which it has, and whether they are allowed themselves."""

    bounds = ("lower_bound", "upper_bound")
    takes_lower = takes_upper = True

    def __init__(self, *bounds, **named):
        named.update(zip(self.bounds, bounds))
        if set(named) != set(self.bounds):
            raise TypeError(f"{type(self).__name__} takes {' and '.join(self.bounds)}, not {sorted(named)}")
        for name in self.bounds:
            setattr(self, name, named[name])

    def allows(self, values):
        allowed = values % 1 == 0 if self.is_discrete else values == values
        if "lower_bound" in self.bounds:
            lower = array_of(self.lower_bound)
            allowed = allowed & (values >= lower if self.takes_lower else values > lower)
        if "upper_bound" in self.bounds:
            upper = array_of(self.upper_bound)
            allowed = allowed & (values <= upper if self.takes_upper else values < upper)
        return allowed

    def _shown(self):
        return ", ".join(f"{name}={getattr(self, name)}" for name in self.bounds)


class Interval(BoundedConstraint):
    """torch.distributions.constraints.interval."""


class HalfOpenInterval(BoundedConstraint):
    """torch.distributions.constraints.half_open_interval."""

    takes_upper = False


class IntegerInterval(BoundedConstraint):
    """torch.distributions.constraints.integer_interval."""

    is_discrete = True


class GreaterThan(BoundedConstraint):
    """torch.distributions.constraints.greater_than."""

    bounds = ("lower_bound",)
    takes_lower = False


class GreaterThanEq(BoundedConstraint):
    """torch.distributions.constraints.greater_than_eq."""

    bounds = ("lower_bound",)


class IntegerGreaterThan(BoundedConstraint):
    """What torch.distributions.constraints.nonnegative_integer is of."""

    bounds = ("lower_bound",)
    is_discrete = True


class LessThan(BoundedConstraint):
    """torch.distributions.constraints.less_than."""

    bounds = ("upper_bound",)
    takes_upper = False


class Multinomials(BoundedConstraint):
    """torch.distributions.constraints.multinomial: numbers of successes, so many in all at most."""

    bounds = ("upper_bound",)
    is_discrete = True
    event_dim = 1

    def allows(self, values):
        return (values >= 0).all(-1) & (values.sum(-1) <= array_of(self.upper_bound))

    def __repr__(self):
        return "Multinomial()"


class Simplex(CheckedConstraint):
    """What torch.distributions.constraints.simplex is of."""

    event_dim = 1

    def allows(self, values):
        return (values >= 0).all(-1) & (np.abs(values.sum(-1) - 1) < 1e-6)


class LowerTriangular(CheckedConstraint):
    """What torch.distributions.constraints.lower_triangular is of."""

    event_dim = 2

    def allows(self, values):
        return (np.tril(values) == values).all((-2, -1))


class LowerCholesky(LowerTriangular):
    """What torch.distributions.constraints.lower_cholesky is of."""

    def allows(self, values):
        return super().allows(values) & (np.diagonal(values, axis1=-2, axis2=-1) > 0).all(-1)


class CorrCholesky(LowerCholesky):
    """What torch.distributions.constraints.corr_cholesky is of."""

    def allows(self, values):
        slack = 10 * np.finfo(values.dtype).eps * values.shape[-1]
        lengths = np.linalg.norm(values, axis=-1)
        return super().allows(values) & (np.abs(lengths - 1) <= slack).all(-1)


class Square(CheckedConstraint):
    """What torch.distributions.constraints.square is of."""

    event_dim = 2

    def allows(self, values):
        return np.full(values.shape[:-2], values.shape[-2] == values.shape[-1])


class Symmetric(Square):
    """What torch.distributions.constraints.symmetric is of."""

    def allows(self, values):
        square = super().allows(values)
        if not square.all():
            return square
        return np.isclose(values, values.swapaxes(-1, -2), rtol=1e-5, atol=1e-6).all((-2, -1))


class PositiveSemidefinite(Symmetric):
    """What torch.distributions.constraints.positive_semidefinite is of."""

    def allows(self, values):
        symmetric = super().allows(values)
        return symmetric & (np.linalg.eigvalsh(values) >= 0).all(-1) if symmetric.all() else symmetric


class PositiveDefinite(Symmetric):
    """What torch.distributions.constraints.positive_definite is of."""

    def allows(self, values):
        symmetric = super().allows(values)
        if not symmetric.all():
            return symmetric
        found = [is_positive_definite(one) for one in values.reshape(-1, *values.shape[-2:])]
        return np.array(found, bool).reshape(symmetric.shape)


def all_of_last(value, count):
    """Whether all are true over the last `count` axes."""
    if not count:
        return value
    if value.ndim < count:
        raise ValueError(f"Expected value.dim() >= {count} but got {value.ndim}")
    return mindspore.Tensor(np.asarray(value.asnumpy().all(tuple(range(-count, 0)))))


class IndependentConstraint(Constraint):
    """torch.distributions.constraints.independent: all values of the last axes are allowed."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim + self.reinterpreted_batch_ndims)

    def check(self, value):
        return all_of_last(self.base_constraint.check(value), self.reinterpreted_batch_ndims)

    def _shown(self):
        return f"{self.base_constraint!r}, {self.reinterpreted_batch_ndims}"


class MixtureSameFamilyConstraint(Constraint):
    """torch.distributions.constraints.MixtureSameFamilyConstraint: what all parts of a mixture allow."""

    def __init__(self, base_constraint):
        self.base_constraint = base_constraint

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim)

    def check(self, value):
        found = self.base_constraint.check(value.expand_dims(-1 - self.event_dim))
        return all_of_last(found, found.ndim - value.ndim + self.event_dim)

    def _shown(self):
        return repr(self.base_constraint)


class JoinedConstraint(Constraint):
    """Constraints for parts of an axis."""

    is_discrete = property(lambda self: any(one.is_discrete for one in self.cseq))
    event_dim = property(lambda self: max(one.event_dim for one in self.cseq))


class Cat(JoinedConstraint):
    """torch.distributions.constraints.cat: a constraint for each part of an axis, of some length."""

    def __init__(self, cseq, dim=0, lengths=None):
        self.cseq, self.dim = list(cseq), dim
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})")

    def check(self, value):
        starts = np.cumsum([0, *self.lengths[:-1]]).tolist()
        parts = [narrow(value, self.dim, *place) for place in zip(starts, self.lengths)]
        checked = [one.check(part).asnumpy() for one, part in zip(self.cseq, parts)]
        return mindspore.Tensor(np.concatenate(checked, self.dim))


class Stack(JoinedConstraint):
    """torch.distributions.constraints.stack: a constraint for each place of an axis."""

    def __init__(self, cseq, dim=0):
        self.cseq, self.dim = list(cseq), dim

    @property
    def event_dim(self):
        most = max(one.event_dim for one in self.cseq)
        return most + 1 if self.dim + most < 0 else most

    def check(self, value):
        parts = ops.unbind(value, self.dim)
        checked = [one.check(part).asnumpy() for one, part in zip(self.cseq, parts)]
        return mindspore.Tensor(np.stack(checked, self.dim))


constraint_dependent = DependentConstraint()
constraint_boolean = Boolean()
constraint_one_hot = OneHot()
constraint_nonnegative_integer = IntegerGreaterThan(0)
constraint_positive_integer = IntegerGreaterThan(1)
constraint_real = Real()
constraint_real_vector = IndependentConstraint(constraint_real, 1)
constraint_positive = GreaterThan(0.0)
constraint_nonnegative = GreaterThanEq(0.0)
constraint_unit_interval = Interval(0.0, 1.0)
constraint_simplex = Simplex()
constraint_square = Square()
constraint_symmetric = Symmetric()
constraint_lower_triangular = LowerTriangular()
constraint_lower_cholesky = LowerCholesky()
constraint_corr_cholesky = CorrCholesky()
constraint_positive_semidefinite = PositiveSemidefinite()
constraint_positive_definite = PositiveDefinite()


def is_dependent(constraint):
    """torch.distributions.constraints.is_dependent."""
    return isinstance(constraint, DependentConstraint)
