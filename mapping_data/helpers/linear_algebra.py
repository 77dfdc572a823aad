"""Linear algebra."""

from collections import namedtuple

import mindspore
import numpy as np
from mindspore import ops
from mindspore.scipy import linalg

Eig = namedtuple("Eig", ["eigenvalues", "eigenvectors"])
Eigh = namedtuple("Eigh", ["eigenvalues", "eigenvectors"])
QR = namedtuple("QR", ["Q", "R"])
SVD = namedtuple("SVD", ["U", "S", "V"])
LU = namedtuple("LU", ["P", "L", "U"])
FactoredLU = namedtuple("FactoredLU", ["LU", "pivots"])
FactoredLUAndInfo = namedtuple("FactoredLUAndInfo", ["LU", "pivots", "info"])
LeastSquares = namedtuple("LeastSquares", ["solution", "residuals", "rank", "singular_values"])
TriangularSolution = namedtuple("TriangularSolution", ["solution", "cloned_coefficient"])


def of_matrices(function, *tensors):
    """A function of matrices, for each of those in Tensors of more dimensions."""
    batch = broadcast_shapes(*(tensor.shape[:-2] for tensor in tensors))
    if not batch:
        return function(*tensors)
    flat = [ops.broadcast_to(one, (*batch, *one.shape[-2:])).reshape(-1, *one.shape[-2:]) for one in tensors]
    found = [function(*(one[number] for one in flat)) for number in range(flat[0].shape[0])]
    if isinstance(found[0], mindspore.Tensor):
        return ops.stack(found).reshape(*batch, *found[0].shape)
    return tuple(ops.stack(parts).reshape(*batch, *parts[0].shape) for parts in zip(*found))


class HermitianEigenvalues(Function):
    """The eigenvalues and eigenvectors of matrices, of which a half counts. MindSpore's have other signs, and
    their gradients cannot be differentiated again."""

    @staticmethod
    def forward(ctx, matrix, half):
        found = [mindspore.Tensor(part) for part in solved(np.linalg.eigh, matrix.asnumpy(), half)]
        ctx.save_for_backward(*found)
        return tuple(found)

    @staticmethod
    def backward(ctx, of_values, of_vectors):
        values, vectors = ctx.saved_tensors
        unit = ops.eye(values.shape[-1], values.shape[-1], values.dtype)
        gaps = values.expand_dims(-2) - values.expand_dims(-1) + unit
        inner = ops.matmul(conjugate_turned(vectors), of_vectors) * ((1 - unit) / gaps)
        own = unit * of_values.expand_dims(-2)
        inner = inner + (complex_of(own, 0.0) if inner.is_complex() else own)
        return ops.matmul(ops.matmul(vectors, inner), conjugate_turned(vectors)), None


def eigh(A, UPLO="L", *, out=None):
    """torch.linalg.eigh."""
    if A.is_complex():
        return Eigh(*giving_complex(HermitianEigenvalues.apply)(A, UPLO))
    return Eigh(*HermitianEigenvalues.apply(A, UPLO))


def eigvalsh(A, UPLO="L", *, out=None):
    """torch.linalg.eigvalsh."""
    return eigh(A, UPLO).eigenvalues


def eig_in_order(A):
    """Eigenvalues and eigenvectors in LAPACK's order, which MindSpore's are not in. Neither has a gradient:
    where one is recorded, MindSpore's raise an error when it is asked for."""
    if A._requires_grad and is_grad_enabled():
        return ops.eig(A)
    is_double = A.dtype in (mindspore.float64, mindspore.complex128)
    kind = np.complex128 if is_double else np.complex64
    return (mindspore.Tensor(part.astype(kind)) for part in np.linalg.eig(A.asnumpy()))


def eig(A, *, out=None):
    """torch.linalg.eig."""
    return Eig(*giving_complex(eig_in_order)(A))


def eigvals(A, *, out=None):
    """torch.linalg.eigvals."""
    return eig(A).eigenvalues


class SolvedTriangular(Function):
    """The solution of systems of linear equations with triangular matrices, whose gradient can be
    differentiated again, which MindSpore's cannot."""

    @staticmethod
    def forward(ctx, matrix, other, upper):
        ctx.upper = upper
        found = of_matrices(
            lambda one, right: linalg.solve_triangular(one, right, lower=not upper), matrix, other
        )
        ctx.save_for_backward(matrix, other, found)
        return found

    @staticmethod
    def backward(ctx, gradient):
        matrix, other, found = ctx.saved_tensors
        of_other = SolvedTriangular.apply(conjugate_turned(matrix), gradient, not ctx.upper)
        of_matrix = -ops.matmul(of_other, conjugate_turned(found))
        of_matrix = ops.triu(of_matrix) if ctx.upper else ops.tril(of_matrix)
        return sum_to_size(of_matrix, matrix.shape), sum_to_size(of_other, other.shape), None


def solve_triangular(A, B, *, upper, left=True, unitriangular=False, out=None):
    """torch.linalg.solve_triangular."""
    if not left:
        sides = A.swapaxes(-1, -2), B.swapaxes(-1, -2)
        return solve_triangular(*sides, upper=not upper, unitriangular=unitriangular).swapaxes(-1, -2)
    if unitriangular:
        size = A.shape[-1]
        ones = ops.eye(size, size, A.dtype)
        return solve_triangular(A * (1 - ones) + ones, B, upper=upper)
    return SolvedTriangular.apply(A, B, upper)


def triangular_solve(input, A, upper=True, transpose=False, unitriangular=False, *, out=None):
    """torch.triangular_solve."""
    if transpose:
        turned = A.swapaxes(-1, -2)
        solved = solve_triangular(turned, input, upper=not upper, unitriangular=unitriangular)
    else:
        solved = solve_triangular(A, input, upper=upper, unitriangular=unitriangular)
    return TriangularSolution(solved, A)


def factored(matrix):
    """The lower triangular factor of symmetric matrices, of which the lower half counts; MindSpore's takes
    none that rounding has made unsymmetric."""
    try:
        return ops.cholesky(ops.tril(matrix) + ops.tril(matrix, -1).swapaxes(-1, -2))
    except RuntimeError as error:
        raise LinAlgError(str(error)) from error


class CholeskyFactor(Function):
    """The lower triangular factor of Hermitian matrices; MindSpore has no gradient of it on CPU, and none of
    complex ones."""

    @staticmethod
    def forward(ctx, matrix):
        if matrix.is_complex():
            factor = mindspore.Tensor(solved(np.linalg.cholesky, matrix.asnumpy()))
        else:
            factor = factored(matrix)
        ctx.save_for_backward(factor)
        return factor

    @staticmethod
    def backward(ctx, gradient):
        (factor,) = ctx.saved_tensors
        size = factor.shape[-1]
        counted = mindspore.Tensor(np.tril(np.ones((size, size))) - 0.5 * np.eye(size), factor.dtype)
        inner = ops.matmul(conjugate_turned(factor), gradient) * counted
        inverse = inv(factor)
        found = ops.matmul(ops.matmul(conjugate_turned(inverse), inner), inverse)
        return 0.5 * (found + conjugate_turned(found))


def cholesky(input, *, upper=False, out=None):
    """torch.linalg.cholesky and torch.cholesky."""
    if upper:
        return conjugate_turned(cholesky(conjugate_turned(input)))
    return CholeskyFactor.apply(input)


def torch_cholesky(input, upper=False, *, out=None):
    """torch.cholesky and torch.Tensor.cholesky."""
    return cholesky(input, upper=upper)


def high_lu(matrix):
    """What `lu` gives of a matrix that has more rows than columns, which MindSpore's does not take."""
    values = matrix.asnumpy().copy()
    height, width = values.shape
    order = np.arange(height)
    for step in range(width):
        pivot = step + np.abs(values[step:, step]).argmax()
        for rows in (values, order):
            rows[[step, pivot]] = rows[[pivot, step]]
        if values[step, step]:
            values[step + 1 :, step] /= values[step, step]
            values[step + 1 :, step + 1 :] -= np.outer(values[step + 1 :, step], values[step, step + 1 :])
    lower = np.tril(values, -1) + np.eye(height, width, dtype=values.dtype)
    turned_back = np.eye(height, dtype=values.dtype)[:, order]
    return tuple(mindspore.Tensor(part) for part in (turned_back, lower, np.triu(values[:width])))


class FactorsOfLU(Function):
    """The triangular factors of a matrix whose rows are reordered; MindSpore has no gradients of them."""

    @staticmethod
    def forward(ctx, matrix):
        factors = high_lu if matrix.shape[0] > matrix.shape[1] else linalg.lu
        order, lower, upper = factors(ops.mul(matrix, 1))  # no Parameter
        ctx.save_for_backward(order, lower, upper)
        return order.astype(matrix.dtype), lower, upper

    @staticmethod
    def backward(ctx, of_order, of_lower, of_upper):
        order, lower, upper = ctx.saved_tensors
        if lower.shape != upper.shape:
            raise NotImplementedError("the gradient of the factors of a matrix that is not square")
        inner = ops.tril(ops.matmul(conjugate_turned(lower), of_lower), -1)
        inner = inner + ops.triu(ops.matmul(of_upper, conjugate_turned(upper)))
        inner = ops.matmul(conjugate_turned(inv(lower)), inner)
        return ops.matmul(order.astype(inner.dtype), ops.matmul(inner, conjugate_turned(inv(upper))))


def lu(A, *, pivot=True, out=None):
    """torch.linalg.lu: A = P @ L @ U."""
    return LU(*of_matrices(FactorsOfLU.apply, A))


def pivots_of(order):
    """With which row each row was changed, counted from 1, by the matrix that puts the rows back."""
    places, found = list(order.asnumpy().argmax(0)), []
    now = list(range(len(places)))
    for row, place in enumerate(places):
        at = now.index(place)
        now[row], now[at] = now[at], now[row]
        found.append(at + 1)
    return mindspore.Tensor(found, mindspore.int32)


def order_of(pivots, height, dtype):
    """The matrix that puts rows back that were changed with others, one after the other."""
    now = list(range(height))
    for row, at in enumerate(pivots.asnumpy()):
        now[row], now[at - 1] = now[at - 1], now[row]
    return ops.eye(len(now), len(now), dtype)[now].swapaxes(0, 1)


def lu_factor(A, *, pivot=True, out=None):
    """torch.linalg.lu_factor."""

    def factors(matrix):
        order, lower, upper = FactorsOfLU.apply(matrix)
        size = min(matrix.shape)
        ones = ops.eye(*lower.shape, lower.dtype)
        both = ops.zeros(matrix.shape, matrix.dtype)
        both[:, :size] = both[:, :size] + (lower - ones)
        both[:size] = both[:size] + upper
        return both, pivots_of(order)[:size]

    return FactoredLU(*of_matrices(factors, A))


def lu_factor_ex(A, *, pivot=True, check_errors=False, out=None):
    """torch.linalg.lu_factor_ex."""
    info = mindspore.Tensor(failed_orders(A, singular_order))
    return FactoredLUAndInfo(*lu_factor(A, pivot=pivot), info)


def factored_lu(A, pivot=True, get_infos=False, *, out=None):
    """torch.lu and torch.Tensor.lu."""
    factored = lu_factor(A, pivot=pivot)
    return (*factored, ops.zeros(A.shape[:-2], mindspore.int32)) if get_infos else tuple(factored)


def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True, *, out=None):
    """torch.lu_unpack."""
    size = min(LU_data.shape[-2:])
    lower = ops.tril(LU_data[..., :size], -1)
    lower = lower + ops.eye(*lower.shape[-2:], lower.dtype)
    pivots = LU_pivots.reshape(-1, LU_pivots.shape[-1])
    orders = ops.stack([order_of(each, LU_data.shape[-2], LU_data.dtype) for each in pivots])
    orders = orders.reshape(*LU_data.shape[:-2], *orders.shape[-2:])
    return LU(orders, lower, ops.triu(LU_data[..., :size, :]))


def lu_solve(LU, pivots, B, *, left=True, adjoint=False, out=None):
    """torch.linalg.lu_solve."""
    order, lower, upper = lu_unpack(LU, pivots)
    matrix = ops.matmul(ops.matmul(order, lower), upper)
    matrix = conjugate_turned(matrix) if adjoint else matrix
    inverse = inv(matrix)
    return ops.matmul(inverse, B) if left else ops.matmul(B, inverse)


def solve_by_lu(b, LU_data, LU_pivots, *, out=None):
    """torch.lu_solve and torch.Tensor.lu_solve."""
    return lu_solve(LU_data, LU_pivots, b)


class ReducedQR(Function):
    """The factors of matrices that are at least as high as wide; MindSpore has no gradient of them."""

    @staticmethod
    def forward(ctx, matrix):
        factors = ops.qr(matrix, "reduced")
        ctx.save_for_backward(*factors)
        return tuple(factors)

    @staticmethod
    def backward(ctx, of_q, of_r):
        q, r = ctx.saved_tensors
        inner = ops.matmul(r, of_r.swapaxes(-1, -2)) - ops.matmul(of_q.swapaxes(-1, -2), q)
        inner = ops.tril(inner) + ops.tril(inner, -1).swapaxes(-1, -2)
        inverse = inv(r)
        return ops.matmul(of_q + ops.matmul(q, inner), inverse.swapaxes(-1, -2))


def qr(A, mode="reduced", *, out=None):
    """torch.linalg.qr."""
    height, width = A.shape[-2:]
    if mode == "r":
        return QR(mindspore.Tensor(np.zeros((0,)), A.dtype), qr(A).R)
    if mode == "complete" and height > width:
        return QR(*ops.qr(A, "complete"))
    if height >= width:
        return QR(*ReducedQR.apply(A))
    q, r = ReducedQR.apply(A[..., :height])
    rest = ops.matmul(conjugate_turned(q), A[..., height:])
    return QR(q, ops.cat([r, rest], -1))


def torch_qr(input, some=True, *, out=None):
    """torch.qr and torch.Tensor.qr."""
    return qr(input, "reduced" if some else "complete")


def svd(input, some=True, compute_uv=True, *, out=None):
    """torch.svd and torch.Tensor.svd."""
    if input.is_complex():
        values, left, right = ops.svd(input, full_matrices=not some)
        return SVD(left, values, right)
    left, values, right = full_svd(input, full_matrices=not some)
    return SVD(left, values, turned(right))


def lstsq(A, B, rcond=None, *, driver=None):
    """torch.linalg.lstsq."""
    if B.ndim == A.ndim - 1:
        found = lstsq(A, B.expand_dims(-1))
        return found._replace(solution=found.solution.squeeze(-1))
    height, width = A.shape[-2:]
    rank = matrix_rank(A, rtol=rcond)
    if (rank.asnumpy() < min(height, width)).any():
        solved = ops.matmul(pinv(A, rtol=rcond), B)
    elif height >= width:
        q, r = qr(A)
        solved = solve_triangular(r, ops.matmul(conjugate_turned(q), B), upper=True)
    else:
        q, r = qr(conjugate_turned(A))
        solved = ops.matmul(q, solve_triangular(conjugate_turned(r), B, upper=False))
    error = ops.abs(ops.matmul(A, solved) - B)
    residuals = (error * error).sum(-2) if height > width else ops.zeros((0,), A.dtype)
    if driver == "gels":
        rank = mindspore.Tensor(np.zeros((0,)), mindspore.int64)
    values = svdvals(A) if driver in ("gelsd", "gelss") else ops.zeros((0,), A.dtype)
    return LeastSquares(solved, residuals, rank, values)


def matrix_exp(input):
    """torch.matrix_exp and torch.linalg.matrix_exp: the series of a part of the matrix, squared as needed."""
    size = input.shape[-1]
    largest = float(ops.abs(input).sum(-1).max().asnumpy()) if input.size else 0.0
    halvings = 0
    while largest / 2**halvings > 0.25:
        halvings += 1
    scaled = input / 2**halvings
    result = term = ops.broadcast_to(ops.eye(size, size, input.dtype), input.shape)
    for number in range(1, 10):
        term = ops.matmul(term, scaled) / number
        result = result + term
    for _ in range(halvings):
        result = ops.matmul(result, result)
    return result
