"""What earlier versions of PyTorch had, and programs of that time call."""

import collections.abc
import math
from collections import namedtuple

import mindspore
import numpy as np

SolutionAndFactors = namedtuple("SolutionAndFactors", ["solution", "LU"])
SolutionAndQR = namedtuple("SolutionAndQR", ["solution", "QR"])


def symeig(input, eigenvectors=False, upper=True, *, out=None):
    """torch.symeig, which was there until PyTorch 1.13."""
    half = "U" if upper else "L"
    if not eigenvectors:
        return Eigh(eigvalsh(input, half), mindspore.Tensor(np.zeros(0), input.dtype))
    return Eigh(*eigh(input, half))


def real_eig(input, eigenvectors=False, *, out=None):
    """torch.eig, which was there until PyTorch 1.13: real and imaginary parts of the eigenvalues beside each
    other; of a pair of eigenvectors, the real part and the imaginary part."""
    values, vectors = np.linalg.eig(input.asnumpy())
    parts = mindspore.Tensor(np.stack([values.real, values.imag], -1), input.dtype)
    if not eigenvectors:
        return Eigh(parts, mindspore.Tensor(np.zeros(0), input.dtype))
    is_second = values.imag < 0  # of a pair, the second is the first, conjugated
    columns = np.where(is_second, -vectors.imag, vectors.real)
    return Eigh(parts, mindspore.Tensor(np.ascontiguousarray(columns), input.dtype))


def solved_with_factors(input, A, *, out=None):
    """torch.solve and torch.gesv, which were there until PyTorch 1.13 and 1.2: A times the solution is the
    input."""
    return SolutionAndFactors(solve(A, input), lu_factor(A)[0])


def least_squares(input, A, *, out=None):
    """torch.lstsq and torch.gels, which were there until PyTorch 1.13 and 1.2: the solution, below it what is
    left over, without a gradient."""
    from scipy.linalg import lapack  # takes long to import

    rows, columns = A.shape
    given = np.zeros((max(rows, columns), input.shape[1]), np.float64)
    given[:rows] = input.asnumpy()
    factors, found, _ = lapack.dgels(A.asnumpy().astype(np.float64), given)
    return SolutionAndQR(*(mindspore.Tensor(part, input.dtype) for part in (found, factors)))


def rank_of_matrix(input, tol=None, symmetric=False, *, out=None):
    """torch.matrix_rank, which was there until PyTorch 1.13."""
    return matrix_rank(input, tol=tol, hermitian=symmetric)


def upper_cholesky(a, upper=True, *, out=None):
    """torch.potrf, which was there until PyTorch 1.2."""
    return torch_cholesky(a, upper)


def upper_cholesky_solve(b, u, upper=True, *, out=None):
    """torch.potrs, which was there until PyTorch 1.2."""
    return cholesky_solve(b, u, upper)


def upper_cholesky_inverse(u, upper=True, *, out=None):
    """torch.potri, which was there until PyTorch 1.2."""
    return cholesky_inverse(u, upper)


def factors_of_batch(A, pivot=True, *, info=None, out=None):
    """torch.btrifact, which was there until PyTorch 1.2."""
    return tuple(lu_factor(A, pivot=pivot))


def solved_by_batch(b, LU_data, LU_pivots, *, out=None):
    """torch.btrisolve, which was there until PyTorch 1.2: a vector for each matrix."""
    return lu_solve(LU_data, LU_pivots, b.expand_dims(-1)).squeeze(-1)


def last_axes(count):
    """The axes of a signal, behind those of its batch."""
    return tuple(range(-count, 0))


def norm_of_transform(normalized):
    """What PyTorch calls that today."""
    return "ortho" if normalized else "backward"


def paired_rfft(input, signal_ndim, normalized=False, onesided=True):
    """torch.rfft, which was there until PyTorch 1.7: complex numbers are pairs in the last axis."""
    transform = rfftn if onesided else fftn
    found = transform(input, dim=last_axes(signal_ndim), norm=norm_of_transform(normalized))
    return view_as_real(found)


def paired_irfft(input, signal_ndim, normalized=False, onesided=True, signal_sizes=None):
    """torch.irfft, which was there until PyTorch 1.7: complex numbers are pairs in the last axis."""
    axes, norm, numbers = last_axes(signal_ndim), norm_of_transform(normalized), view_as_complex(input)
    if onesided:
        return irfftn(numbers, s=signal_sizes, dim=axes, norm=norm)
    return view_as_real(ifftn(numbers, dim=axes, norm=norm))[..., 0]


def paired_fft(input, signal_ndim, normalized=False):
    """torch.fft, when it was a function, until PyTorch 1.7: complex numbers are pairs in the last axis."""
    axes, norm = last_axes(signal_ndim), norm_of_transform(normalized)
    return view_as_real(fftn(view_as_complex(input), dim=axes, norm=norm))


def paired_ifft(input, signal_ndim, normalized=False):
    """torch.ifft, which was there until PyTorch 1.7: complex numbers are pairs in the last axis."""
    axes, norm = last_axes(signal_ndim), norm_of_transform(normalized)
    return view_as_real(ifftn(view_as_complex(input), dim=axes, norm=norm))


# torch._six, which was there until PyTorch 1.13
container_abcs = collections.abc
string_classes = (str, bytes)
int_classes = int
infinity = math.inf
