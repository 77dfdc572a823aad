"""Which transform makes values that a constraint allows of any numbers."""

import numbers


class ConstraintRegistry:
    """torch.distributions.constraint_registry.ConstraintRegistry: a transform for each kind of constraint."""

    def __init__(self, factories=()):
        self._registry = dict(factories)

    def register(self, constraint, factory=None):
        """Say which function makes the transform for a constraint, or for a class of them."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, Constraint):
            raise TypeError(
                f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint):
        if type(constraint) not in self._registry:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return self._registry[type(constraint)](constraint)


def to_above(constraint):
    """From any numbers to those above a bound."""
    return ComposeTransform([ExpTransform(), AffineTransform(constraint.lower_bound, 1)])


def to_below(constraint):
    """From any numbers to those below a bound."""
    return ComposeTransform([ExpTransform(), AffineTransform(constraint.upper_bound, -1)])


def to_between(constraint):
    """From any numbers to those between two bounds."""
    lower, upper = constraint.lower_bound, constraint.upper_bound
    if all(isinstance(one, numbers.Number) for one in (lower, upper)) and (lower, upper) == (0, 1):
        return SigmoidTransform()
    return ComposeTransform([SigmoidTransform(), AffineTransform(lower, upper - lower)])


def to_independent(registry, constraint):
    """What a registry has for a constraint, for the last axes together."""
    return IndependentTransform(registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims)


def to_parts(registry, constraint):
    """What a registry has for the constraints of the parts of an axis."""
    parts = [registry(one) for one in constraint.cseq]
    return CatTransform(parts, constraint.dim, constraint.lengths)


def to_places(registry, constraint):
    """What a registry has for the constraints of the places of an axis."""
    return StackTransform([registry(one) for one in constraint.cseq], constraint.dim)


# the transforms that are the same where they have to be bijections and where not
OF_BOTH_REGISTRIES = {
    Real: lambda constraint: identity_transform,
    GreaterThan: to_above,
    GreaterThanEq: to_above,
    LessThan: to_below,
    Interval: to_between,
    HalfOpenInterval: to_between,
    CorrCholesky: lambda constraint: CorrCholeskyTransform(),
}

# bijections to what constraints allow
biject_to = ConstraintRegistry(
    {
        **OF_BOTH_REGISTRIES,
        IndependentConstraint: lambda constraint: to_independent(biject_to, constraint),
        Cat: lambda constraint: to_parts(biject_to, constraint),
        Stack: lambda constraint: to_places(biject_to, constraint),
        Simplex: lambda constraint: StickBreakingTransform(),
    }
)

# transforms to what constraints allow, which need not be bijections
transform_to = ConstraintRegistry(
    {
        **OF_BOTH_REGISTRIES,
        IndependentConstraint: lambda constraint: to_independent(transform_to, constraint),
        Cat: lambda constraint: to_parts(transform_to, constraint),
        Stack: lambda constraint: to_places(transform_to, constraint),
        Simplex: lambda constraint: SoftmaxTransform(),
        LowerCholesky: lambda constraint: LowerCholeskyTransform(),
        PositiveDefinite: lambda constraint: PositiveDefiniteTransform(),
        PositiveSemidefinite: lambda constraint: PositiveDefiniteTransform(),
    }
)
