"""Linear algebra whose gradients MindSpore lacks on CPU, or that has other parameters there."""

import math
from collections import namedtuple

import mindspore
import numpy as np
from mindspore import ops

SignAndLogarithm = namedtuple("SignAndLogarithm", ["sign", "logabsdet"])
FullSVD = namedtuple("FullSVD", ["U", "S", "Vh"])
FactorAndInfo = namedtuple("FactorAndInfo", ["L", "info"])
InverseAndInfo = namedtuple("InverseAndInfo", ["inverse", "info"])
ResultAndInfo = namedtuple("ResultAndInfo", ["result", "info"])


class LinAlgError(RuntimeError, np.linalg.LinAlgError):
    """torch.linalg.LinAlgError."""


def turned(matrix):
    """The matrices, transposed."""
    return matrix.swapaxes(-2, -1)


def conjugate_turned(matrix):
    """The matrices, transposed and conjugated."""
    return ops.conj(turned(matrix)) if matrix.is_complex() else turned(matrix)


def solved(function, *arrays, **options):
    """What a function of NumPy's gives of matrices. Where it has no result, the error is PyTorch's."""
    try:
        return function(*arrays, **options)
    except np.linalg.LinAlgError as error:
        raise LinAlgError(str(error)) from error


class Inverse(Function):
    """The inverse of matrices; of those that are not finite, NaN."""

    @staticmethod
    def forward(ctx, matrix):
        values = matrix.asnumpy()
        known = np.isfinite(values).all((-2, -1))
        if known.all():
            found = mindspore.Tensor(solved(np.linalg.inv, values))
        else:
            found = np.full_like(values, np.nan)
            found[known] = solved(np.linalg.inv, values[known])
            found = mindspore.Tensor(found)
        ctx.save_for_backward(found)
        return found

    @staticmethod
    def backward(ctx, gradient):
        (found,) = ctx.saved_tensors
        return -ops.matmul(ops.matmul(conjugate_turned(found), gradient), conjugate_turned(found))


def inv(A, *, out=None):
    """torch.linalg.inv."""
    return Inverse.apply(A)


def failed_orders(A, failed_order):
    """What `failed_order` says of each matrix, as NumPy's array."""
    matrices = A.asnumpy().reshape(-1, *A.shape[-2:])
    return np.array([failed_order(matrix) for matrix in matrices], np.int32).reshape(A.shape[:-2])


def singular_order(matrix):
    """The number of the first pivot that is 0; 0 if none is."""
    _, _, upper = high_lu(mindspore.Tensor(matrix[:, : len(matrix)]))
    missing = np.flatnonzero(np.diagonal(upper.asnumpy()) == 0)
    return int(missing[0]) + 1 if missing.size else 0


def is_positive_definite(matrix):
    """Whether NumPy finds a factor without NaN."""
    try:
        return not np.isnan(np.linalg.cholesky(matrix)).any()
    except np.linalg.LinAlgError:
        return False


def indefinite_order(matrix):
    """The order of the first leading minor that is not positive definite; 0 if all are."""
    if is_positive_definite(matrix):
        return 0
    orders = range(1, len(matrix) + 1)
    return next((one for one in orders if not is_positive_definite(matrix[:one, :one])), len(matrix))


def inv_ex(A, *, check_errors=False, out=None):
    """torch.linalg.inv_ex."""
    return InverseAndInfo(*told_of(inv, A, check_errors, singular_order))


def no_errors(A):
    """What says of each matrix that there was no error."""
    return mindspore.Tensor(np.zeros(A.shape[:-2]), mindspore.int32)


def told_of(function, A, check_errors, failed_order):
    """What a function gives of matrices, NaN of those that it cannot be computed of, and for each of them how
    far it came: what `failed_order` says, 0 where there was no error."""
    try:
        return function(A), no_errors(A)
    except RuntimeError:
        if check_errors:
            raise
    orders = failed_orders(A, lambda matrix: (failed_order(matrix) or 1) if is_error(function, matrix) else 0)
    without = mindspore.Tensor(orders > 0).expand_dims(-1).expand_dims(-1)
    found = function(ops.where(without, ops.eye(*A.shape[-2:], A.dtype), A))
    found = ops.where(without, mindspore.Tensor(math.nan, A.dtype), found)
    return found, mindspore.Tensor(orders)


def is_error(function, matrix):
    """Whether a function cannot be computed of a matrix, which is NumPy's."""
    try:
        function(mindspore.Tensor(matrix))
    except RuntimeError:
        return True
    return False


def cholesky_ex(A, *, upper=False, check_errors=False, out=None):
    """torch.linalg.cholesky_ex."""
    if upper:
        factor, info = cholesky_ex(conjugate_turned(A), check_errors=check_errors)
        return FactorAndInfo(conjugate_turned(factor), info)
    return FactorAndInfo(*told_of(cholesky, A, check_errors, indefinite_order))


def cholesky_inverse(L, upper=False, *, out=None):
    """torch.cholesky_inverse and torch.Tensor.cholesky_inverse."""
    factor = conjugate_turned(L) if upper else L
    # what is beyond the triangle does not count, but has a gradient in PyTorch
    lower = factor * mindspore.Tensor(np.tril(np.ones(factor.shape[-2:])), factor.dtype)
    factor = factor + ops.stop_gradient(lower - factor)
    return inv(ops.matmul(factor, conjugate_turned(factor)))


def solve(A, B, *, left=True, out=None):
    """torch.linalg.solve."""
    return product_with(inv(A), B, left)


def cholesky_solve(B, L, upper=False, *, out=None):
    """torch.cholesky_solve and torch.Tensor.cholesky_solve."""
    return ops.matmul(cholesky_inverse(L, upper), B)


def product_with(inverse, B, left):
    """The product of inverses and matrices, or vectors."""
    is_vector = B.ndim == 1 or (B.ndim == inverse.ndim - 1 and B.shape == inverse.shape[:-1])
    if is_vector:
        return ops.matmul(inverse, B.expand_dims(-1)).squeeze(-1)
    return ops.matmul(inverse, B) if left else ops.matmul(B, inverse)


def solve_ex(A, B, *, left=True, check_errors=False, out=None):
    """torch.linalg.solve_ex."""
    inverse, info = told_of(inv, A, check_errors, singular_order)
    return ResultAndInfo(product_with(inverse, B, left), info)


class LogarithmOfDeterminant(Function):
    """The logarithm of the magnitude of the determinants of matrices."""

    @staticmethod
    def forward(ctx, matrix):
        ctx.save_for_backward(matrix)
        return mindspore.Tensor(np.linalg.slogdet(matrix.asnumpy())[1])

    @staticmethod
    def backward(ctx, gradient):
        (matrix,) = ctx.saved_tensors
        return conjugate_turned(inv(matrix)) * gradient.reshape(*gradient.shape, 1, 1)


def slogdet(A, *, out=None):
    """torch.linalg.slogdet."""
    signs = mindspore.Tensor(np.linalg.slogdet(A.asnumpy())[0])
    return SignAndLogarithm(signs, LogarithmOfDeterminant.apply(A))


def logdet(input):
    """torch.logdet and torch.Tensor.logdet."""
    sign, logarithm = slogdet(input)
    return ops.where(sign < 0, ops.full_like(logarithm, math.nan), logarithm)


class Determinant(Function):
    """The determinants of matrices."""

    @staticmethod
    def forward(ctx, matrix):
        ctx.save_for_backward(matrix)
        return mindspore.Tensor(np.linalg.det(matrix.asnumpy()))

    @staticmethod
    def backward(ctx, gradient):
        (matrix,) = ctx.saved_tensors
        return cofactors(matrix) * gradient.reshape(*gradient.shape, 1, 1)


def cofactors(matrix):
    """The gradients of the determinants of matrices."""
    values = matrix.asnumpy()
    if np.linalg.det(values).all():
        return turned(inv(matrix)) * Determinant.apply(matrix).expand_dims(-1).expand_dims(-1)
    left, sizes, right = np.linalg.svd(values)
    others = np.where(np.eye(sizes.shape[-1], dtype=bool), 1, sizes[..., None, :]).prod(-1)
    signs = np.linalg.det(left) * np.linalg.det(right)
    return mindspore.Tensor(np.matmul(left * others[..., None, :], right) * signs[..., None, None])


def det(A, *, out=None):
    """torch.linalg.det."""
    return ops.det(A) if A.is_complex() else Determinant.apply(A)


class SingularValues(Function):
    """The singular value decomposition of matrices, reduced."""

    @staticmethod
    def forward(ctx, matrix):
        left, values, right = (
            mindspore.Tensor(part) for part in solved(np.linalg.svd, matrix.asnumpy(), full_matrices=False)
        )
        ctx.save_for_backward(left, values, right)
        return left, values, right

    @staticmethod
    def backward(ctx, of_left, of_values, of_right):
        left, values, right = ctx.saved_tensors
        squares = (values * values).expand_dims(-2)
        gaps = squares - turned(squares)
        unit = ops.eye(values.shape[-1], values.shape[-1], values.dtype)
        gaps = (1 - unit) / (gaps + unit)
        on_left = ops.matmul(turned(left), of_left)
        on_right = ops.matmul(right, turned(of_right))
        row, column = values.expand_dims(-2), values.expand_dims(-1)
        inner = gaps * (on_left - turned(on_left)) * row + column * gaps * (on_right - turned(on_right))
        found = ops.matmul(ops.matmul(left, inner + unit * of_values.expand_dims(-2)), right)
        if left.shape[-2] > left.shape[-1]:
            beyond = of_left - ops.matmul(left, ops.matmul(turned(left), of_left))
            found = found + ops.matmul(beyond / row, right)
        if right.shape[-1] > right.shape[-2]:
            beyond = of_right - ops.matmul(ops.matmul(of_right, turned(right)), right)
            found = found + ops.matmul(left, beyond / column)
        return found


def full_svd(A, full_matrices=True, *, driver=None, out=None):
    """torch.linalg.svd; what is beyond the reduced decomposition has no gradient."""
    left, values, right = SingularValues.apply(A)
    if full_matrices and A.shape[-2] != A.shape[-1]:
        wide = np.linalg.svd(A.asnumpy())
        if A.shape[-2] > A.shape[-1]:
            left = cat([left, mindspore.Tensor(wide[0][..., values.shape[-1] :])], -1)
        else:
            right = cat([right, mindspore.Tensor(wide[2][..., values.shape[-1] :, :])], -2)
    return FullSVD(left, values, right)


def svdvals(A, *, driver=None, out=None):
    """torch.linalg.svdvals."""
    return SingularValues.apply(A)[1]


class PseudoInverse(Function):
    """The pseudo-inverse of matrices."""

    @staticmethod
    def forward(ctx, matrix, limit, hermitian):
        found = mindspore.Tensor(solved(np.linalg.pinv, matrix.asnumpy(), limit, hermitian))
        ctx.save_for_backward(matrix, found)
        return found

    @staticmethod
    def backward(ctx, gradient):
        matrix, found = ctx.saved_tensors
        back, flipped = turned(gradient), turned(found)
        total = -ops.matmul(ops.matmul(flipped, gradient), flipped)
        kept = ops.matmul(ops.matmul(back, found), flipped)
        total = total + kept - ops.matmul(matrix, ops.matmul(found, kept))
        kept = ops.matmul(flipped, ops.matmul(found, back))
        return total + kept - ops.matmul(ops.matmul(kept, found), matrix), None, None


def pinv(A, rcond=None, *, atol=None, rtol=None, hermitian=False, out=None):
    """torch.linalg.pinv."""
    rtol = plain_numbers(rcond if rtol is None else rtol)
    least = max(A.shape[-2:]) * limits_of(A.dtype)[1]
    limit = least if rtol is None else rtol
    if atol is not None:
        limit = max(0 if rtol is None else rtol, atol / float(svdvals(A).max()))
    return PseudoInverse.apply(A, limit, hermitian)


def pinverse(input, rcond=1e-15):
    """torch.pinverse and torch.Tensor.pinverse."""
    return pinv(input, rtol=rcond)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    """torch.linalg.matrix_norm."""
    if dtype is not None:
        return matrix_norm(A.astype(dtype), ord, dim, keepdim)
    first, second = (axis % A.ndim for axis in dim)
    if ord == "fro":
        found = ops.sqrt((A * A).sum((first, second)))
    elif ord in ("nuc", 2, -2):
        values = svdvals(movedim(A, (first, second), (-2, -1)))
        found = values.sum(-1) if ord == "nuc" else values[..., 0 if ord == 2 else -1]
    else:
        summed, rest = (first, second) if abs(ord) == 1 else (second, first)
        sums = ops.abs(A).sum(summed, keepdims=True)
        found = (amax if ord > 0 else amin)(sums, (summed, rest))
    if keepdim:
        found = found.reshape([1 if axis in (first, second) else size for axis, size in enumerate(A.shape)])
    return found


def linalg_norm(A, ord=None, dim=None, keepdim=False, *, dtype=None, out=None):
    """torch.linalg.norm."""
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    axes = (tuple(range(A.ndim)) if A.ndim == 2 else 0) if dim is None else dim
    if isinstance(axes, int) or len(axes) == 1:
        return vector_norm(A, ord, axes, keepdim, dtype=dtype)
    return matrix_norm(A, ord, axes, keepdim, dtype=dtype)


def matrix_power(A, n, *, out=None):
    """torch.linalg.matrix_power and torch.matrix_power."""
    if n < 0:
        return matrix_power(inv(A), -n)
    if n == 0:
        unit = ops.eye(A.shape[-1], A.shape[-1], A.dtype)
        return ops.broadcast_to(unit, A.shape)
    half = matrix_power(A, n // 2) if n > 1 else None
    found = A if half is None else ops.matmul(half, half)
    return ops.matmul(found, A) if n > 1 and n % 2 else found


def matrix_rank(A, *, atol=None, rtol=None, hermitian=False, tol=None, out=None):
    """torch.linalg.matrix_rank."""
    matrix = A.asnumpy()
    if hermitian:
        values = np.abs(solved(np.linalg.eigvalsh, matrix))
    else:
        values = solved(np.linalg.svd, matrix, compute_uv=False)
    if rtol is None:
        rtol = max(A.shape[-2:]) * np.finfo(values.dtype).eps if atol is None and tol is None else 0
    absolute, relative = (
        each.asnumpy()[..., None] if isinstance(each, mindspore.Tensor) else each
        for each in (tol if atol is None else atol, rtol)
    )
    limit = np.maximum(relative * values.max(-1, keepdims=True), 0 if absolute is None else absolute)
    return mindspore.Tensor((values > limit).sum(-1), mindspore.int64)


def multi_dot(tensors, *, out=None):
    """torch.linalg.multi_dot."""
    found = tensors[0]
    for one in tensors[1:]:
        found = ops.matmul(found, one)
    return found


def chain_matmul(*matrices, out=None):
    """torch.chain_matmul."""
    return multi_dot(matrices)


def matmul(input, other, *, out=None):
    """torch.linalg.matmul."""
    return ops.matmul(input, other)


def linalg_cross(input, other, *, dim=-1, out=None):
    """torch.linalg.cross."""
    input, other = broadcast_tensors(input, other)
    return roll(input, -1, dim) * roll(other, -2, dim) - roll(input, -2, dim) * roll(other, -1, dim)


def cross(input, other, dim=None, *, out=None):
    """torch.cross: without an axis, along the first of length 3."""
    if dim is None:
        dim = tuple(broadcast_tensors(input, other)[0].shape).index(3)
    return linalg_cross(input, other, dim=dim)


def vecdot(x, y, *, dim=-1, out=None):
    """torch.linalg.vecdot."""
    return (x * y).sum(dim)


def linalg_diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """torch.linalg.diagonal."""
    return diagonal(A, offset, dim1, dim2)


def vander(x, N=None, increasing=False):
    """torch.vander: the first powers of each number, the highest first."""
    powers = np.arange(x.shape[-1] if N is None else N)
    powers = mindspore.Tensor(powers if increasing else powers[::-1].copy(), x.dtype)
    return x.expand_dims(-1) ** powers


def linalg_vander(x, N=None):
    """torch.linalg.vander: the lowest power first."""
    return vander(x, N, True)


def tensorinv(A, ind=2, *, out=None):
    """torch.linalg.tensorinv."""
    size = int(np.prod(A.shape[ind:]))
    return inv(A.reshape(size, size)).reshape(*A.shape[ind:], *A.shape[:ind])


def tensorsolve(A, B, dims=None, *, out=None):
    """torch.linalg.tensorsolve."""
    if dims is not None:
        last = tuple(range(A.ndim - len(dims), A.ndim))
        return tensorsolve(movedim(A, tuple(dims), last), B)
    shape = A.shape[B.ndim :]
    return solve(A.reshape(B.size, -1), B.reshape(-1)).reshape(shape)


def svd_lowrank(A, q=6, niter=2, M=None):
    """torch.svd_lowrank, from the random vectors that PyTorch draws."""
    matrix = A if M is None else A - M
    is_wide = A.shape[-2] < A.shape[-1]
    matrix = turned(matrix) if is_wide else matrix
    basis = randn(matrix.shape[-1], 6 if q is None else q, dtype=A.dtype)
    basis = qr(ops.matmul(matrix, basis))[0]
    for _ in range(2 if niter is None else niter):
        basis = qr(ops.matmul(turned(matrix), basis))[0]
        basis = qr(ops.matmul(matrix, basis))[0]
    left, values, right = full_svd(ops.matmul(turned(basis), matrix), False)
    left, right = ops.matmul(basis, left), turned(right)
    return SVD(right, values, left) if is_wide else SVD(left, values, right)


def pca_lowrank(A, q=None, center=True, niter=2):
    """torch.pca_lowrank, from the random vectors that PyTorch draws."""
    q = min(6, *A.shape[-2:]) if q is None else q
    return svd_lowrank(A - A.mean(-2, keep_dims=True) if center else A, q, niter)
