"""What PyTorch has no more, said with what it has: as the notes on its releases tell to replace it."""

from __future__ import annotations

import collections.abc
import math
from collections.abc import Callable
from typing import Any

import torch
from cases_earlier_versions import FAMILIES
from torch import Tensor


def _symeig(input: Tensor, eigenvectors: bool = False, upper: bool = True) -> tuple[Tensor, Tensor]:
    half = "U" if upper else "L"
    if eigenvectors:
        return tuple(torch.linalg.eigh(input, UPLO=half))  # type: ignore[return-value]
    return torch.linalg.eigvalsh(input, UPLO=half), torch.empty(0)


def _eig(input: Tensor, eigenvectors: bool = False) -> tuple[Tensor, Tensor]:
    values, vectors = torch.linalg.eig(input)
    parts = torch.view_as_real(values)
    if not eigenvectors:
        return parts, torch.empty(0)
    real = vectors.real.clone()
    for column in range(1, len(values)):
        if parts[column, 1] < 0:  # the second of a pair
            real[:, column] = vectors[:, column - 1].imag
    return parts, real


def _solve(input: Tensor, A: Tensor) -> tuple[Tensor, Tensor]:  # noqa: N803 - PyTorch's name
    return torch.linalg.solve(A, input), torch.linalg.lu_factor(A)[0]


def _lstsq(input: Tensor, A: Tensor) -> tuple[Tensor, Tensor]:  # noqa: N803 - PyTorch's name
    rows, columns = A.shape
    if rows < columns:
        return torch.linalg.lstsq(A, input, driver="gels").solution, torch.empty(0)
    whole, _ = torch.linalg.qr(A, mode="complete")
    found = torch.linalg.lstsq(A, input, driver="gels").solution
    return torch.cat([found, (whole.mT @ input)[columns:]]), torch.geqrf(A)[0]


def _transform(function: Callable[..., Tensor], takes_pairs: bool) -> Callable[..., Tensor]:
    def called(input: Tensor, signal_ndim: int, normalized: bool = False) -> Tensor:
        given = torch.view_as_complex(input) if takes_pairs else input
        norm = "ortho" if normalized else "backward"
        return torch.view_as_real(function(given, dim=tuple(range(-signal_ndim, 0)), norm=norm))

    return called


def _rfft(input: Tensor, signal_ndim: int, normalized: bool = False, onesided: bool = True) -> Tensor:
    function = torch.fft.rfftn if onesided else torch.fft.fftn
    return _transform(function, False)(input, signal_ndim, normalized)


def _irfft(
    input: Tensor,
    signal_ndim: int,
    normalized: bool = False,
    onesided: bool = True,
    signal_sizes: tuple[int, ...] | None = None,
) -> Tensor:
    options = {"dim": tuple(range(-signal_ndim, 0)), "norm": "ortho" if normalized else "backward"}
    given = torch.view_as_complex(input)
    if onesided:
        return torch.fft.irfftn(given, s=signal_sizes, **options)  # type: ignore[arg-type]
    return torch.fft.ifftn(given, **options).real  # type: ignore[arg-type]


def _btrisolve(b: Tensor, factors: Tensor, pivots: Tensor) -> Tensor:
    return torch.linalg.lu_solve(factors, pivots, b[..., None])[..., 0]


REMOVED: dict[str, Any] = {
    "torch.symeig": _symeig,
    "torch.Tensor.symeig": _symeig,
    "torch.eig": _eig,
    "torch.Tensor.eig": _eig,
    "torch.solve": _solve,
    "torch.Tensor.solve": _solve,
    "torch.gesv": _solve,
    "torch.lstsq": _lstsq,
    "torch.Tensor.lstsq": _lstsq,
    "torch.gels": _lstsq,
    "torch.matrix_rank": lambda input, tol=None, symmetric=False: torch.linalg.matrix_rank(
        input, **({} if tol is None else {"tol": tol}), hermitian=symmetric
    ),
    "torch.potrf": lambda a, upper=True: torch.linalg.cholesky(a, upper=upper),
    "torch.potrs": lambda b, u, upper=True: torch.cholesky_solve(b, u, upper),
    "torch.potri": lambda u, upper=True: torch.cholesky_inverse(u, upper),
    "torch.btrifact": torch.linalg.lu_factor,
    "torch.btrisolve": _btrisolve,
    "torch.btriunpack": torch.lu_unpack,
    "torch.trtrs": torch.triangular_solve,
    "torch.fft": _transform(torch.fft.fftn, True),
    "torch.ifft": _transform(torch.fft.ifftn, True),
    "torch.rfft": _rfft,
    "torch.irfft": _irfft,
    "torch.set_deterministic": torch.use_deterministic_algorithms,
    "torch.is_deterministic": torch.are_deterministic_algorithms_enabled,
    "torch._six.container_abcs": collections.abc,
    "torch._six.string_classes": (str, bytes),
    "torch._six.int_classes": int,
    "torch._six.inf": math.inf,
    "torch.nn.NLLLoss2d": torch.nn.NLLLoss,
}
"""By name in an earlier version, what gives the same."""


def model_urls(family: str) -> dict[str, str]:
    """What `model_urls` of a module of torchvision says today. Needs torchvision."""
    from torchvision import models

    found = {name: models.get_model_weights(name).IMAGENET1K_V1.url for name in FAMILIES[family].split()}
    return {f"{name}_google" if family == "inception" else name: url for name, url in found.items()}
