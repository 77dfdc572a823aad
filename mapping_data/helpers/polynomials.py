"""torch.special: orthogonal polynomials, by the recurrence from one degree to the next."""

from mindspore import ops


def orthogonal(first, following, shifted=False):
    """The polynomials that begin with 1 and `first(x)`, and go on with `following(k, x)`: what the one of
    degree k and the one before it are multiplied with. `shifted` ones are those of 2 x - 1."""

    def called(input, n, *, out=None):
        value, degree = broadcast_tensors(*both_floating(input, n))
        value, degree = 2 * value - 1 if shifted else value, ops.trunc(degree)
        before, current = ops.ones_like(value), first(value)
        found = ops.where(degree < 0, ops.zeros_like(value), before)
        for number in range(1, int(degree.max().item()) + 1):
            found = ops.where(degree >= number, current, found)
            factor, of_before = following(number, value)
            before, current = current, factor * current - of_before * before
        return found

    return called


def of_chebyshev(k, x):
    """How polynomials of Chebyshev go on."""
    return 2 * x, 1


def of_laguerre(k, x):
    """How polynomials of Laguerre go on."""
    return (2 * k + 1 - x) / (k + 1), k / (k + 1)


def of_legendre(k, x):
    """How polynomials of Legendre go on."""
    return (2 * k + 1) / (k + 1) * x, k / (k + 1)


chebyshev_polynomial_t = orthogonal(lambda x: x, of_chebyshev)
chebyshev_polynomial_u = orthogonal(lambda x: 2 * x, of_chebyshev)
chebyshev_polynomial_v = orthogonal(lambda x: 2 * x - 1, of_chebyshev)
chebyshev_polynomial_w = orthogonal(lambda x: 2 * x + 1, of_chebyshev)
shifted_chebyshev_polynomial_t = orthogonal(lambda x: x, of_chebyshev, True)
shifted_chebyshev_polynomial_u = orthogonal(lambda x: 2 * x, of_chebyshev, True)
shifted_chebyshev_polynomial_v = orthogonal(lambda x: 2 * x - 1, of_chebyshev, True)
shifted_chebyshev_polynomial_w = orthogonal(lambda x: 2 * x + 1, of_chebyshev, True)
hermite_polynomial_h = orthogonal(lambda x: 2 * x, lambda k, x: (2 * x, 2 * k))
hermite_polynomial_he = orthogonal(lambda x: x, lambda k, x: (x, k))
laguerre_polynomial_l = orthogonal(lambda x: 1 - x, of_laguerre)
legendre_polynomial_p = orthogonal(lambda x: x, of_legendre)
