"""What earlier versions of PyTorch had, and programs of that time call."""

import collections.abc
import math
from collections import namedtuple
from functools import wraps

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


def with_former_names(**names):
    """Let a function take its parameters by the names that they had in earlier versions, too."""

    def renamed(function):
        @wraps(function)
        def called(*args, **kwargs):
            return function(*args, **{names.get(name, name): value for name, value in kwargs.items()})

        return called

    return renamed


def addresses_of(*kinds):
    """The `model_urls` of torchvision's modules, which were there until 0.12: by network, where its weights
    are."""
    return {kind.__name__.removesuffix("_Weights").lower(): kind.IMAGENET1K_V1.url for kind in kinds}


addresses_of_resnets = addresses_of(
    *(ResNet18_Weights, ResNet34_Weights, ResNet50_Weights, ResNet101_Weights, ResNet152_Weights),
    *(ResNeXt50_32X4D_Weights, ResNeXt101_32X8D_Weights),
    *(Wide_ResNet50_2_Weights, Wide_ResNet101_2_Weights),
)
addresses_of_vggs = addresses_of(
    *(VGG11_Weights, VGG13_Weights, VGG16_Weights, VGG19_Weights),
    *(VGG11_BN_Weights, VGG13_BN_Weights, VGG16_BN_Weights, VGG19_BN_Weights),
)
addresses_of_densenets = addresses_of(
    DenseNet121_Weights, DenseNet169_Weights, DenseNet201_Weights, DenseNet161_Weights
)
addresses_of_alexnets = addresses_of(AlexNet_Weights)
addresses_of_squeezenets = addresses_of(SqueezeNet1_0_Weights, SqueezeNet1_1_Weights)
addresses_of_mobilenets = addresses_of(MobileNet_V2_Weights)
addresses_of_inceptions = {"inception_v3_google": Inception_V3_Weights.IMAGENET1K_V1.url}
addresses_of_googlenets = addresses_of(GoogLeNet_Weights)
