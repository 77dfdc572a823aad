"""Windows, and Fourier transforms of what they show of a signal."""

import mindspore
import numpy as np
from mindspore import ops


def window_of(values, periodic, dtype, requires_grad=False):
    """The Tensor of a window, from a function that gives a symmetric one of a length."""

    def window(length):
        if length < 2:
            return np.ones(length)
        return values(length + 1)[:-1] if periodic else values(length)

    return lambda length: leaf(mindspore.Tensor(window(length), dtype or get_default_dtype()), requires_grad)


def hann_window(window_length, periodic=True, *, dtype=None, requires_grad=False, **options):
    """torch.hann_window."""
    return window_of(np.hanning, periodic, dtype, requires_grad)(window_length)


def hamming_window(
    window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, requires_grad=False, **options
):
    """torch.hamming_window."""

    def values(length):
        return alpha - beta * np.cos(2 * np.pi * np.arange(length) / (length - 1))

    return window_of(values, periodic, dtype, requires_grad)(window_length)


def blackman_window(window_length, periodic=True, *, dtype=None, requires_grad=False, **options):
    """torch.blackman_window."""
    return window_of(np.blackman, periodic, dtype, requires_grad)(window_length)


def bartlett_window(window_length, periodic=True, *, dtype=None, requires_grad=False, **options):
    """torch.bartlett_window."""
    return window_of(np.bartlett, periodic, dtype, requires_grad)(window_length)


def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, requires_grad=False, **options):
    """torch.kaiser_window."""
    return window_of(lambda length: np.kaiser(length, beta), periodic, dtype, requires_grad)(window_length)


def signal_window(values):
    """A window of torch.signal.windows, from a function that gives a symmetric one of a length."""

    def window(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False, **options):
        return window_of(lambda length: values(length, **options), not sym, dtype, requires_grad)(M)

    return window


def cosines(length, a):
    """The sum of cosines with the weights `a`, of signs in turn."""
    angles = 2 * np.pi * np.arange(length) / (length - 1)
    return sum((-1) ** number * weight * np.cos(number * angles) for number, weight in enumerate(a))


def half_sine(length):
    """Half of a sine."""
    return np.sin(np.pi / length * (np.arange(length) + 0.5))


def falling(length, center=None, tau=1.0):
    """What falls exponentially to both sides."""
    middle = (length - 1) / 2 if center is None else center
    return np.exp(-np.abs(np.arange(length) - middle) / tau)


def bell(length, std=1.0):
    """The density of a normal distribution, 1 in the middle."""
    return np.exp(-0.5 * ((np.arange(length) - (length - 1) / 2) / std) ** 2)


bartlett = signal_window(np.bartlett)
blackman = signal_window(lambda length: cosines(length, (0.42, 0.5, 0.08)))
cosine = signal_window(half_sine)
exponential = signal_window(falling)
gaussian = signal_window(bell)
general_cosine = signal_window(cosines)
general_hamming = signal_window(lambda length, alpha=0.54: cosines(length, (alpha, 1 - alpha)))
hamming = signal_window(lambda length: cosines(length, (0.54, 0.46)))
hann = signal_window(lambda length: cosines(length, (0.5, 0.5)))
kaiser = signal_window(lambda length, beta=12.0: np.kaiser(length, beta))
nuttall = signal_window(lambda length: cosines(length, (0.3635819, 0.4891775, 0.1365995, 0.0106411)))


def window_for(window, win_length, n_fft, dtype):
    """A window in the middle of `n_fft` values; of ones where none is given."""
    window = ops.ones((win_length,), dtype) if window is None else window
    left = (n_fft - win_length) // 2
    return pad(window, (left, n_fft - win_length - left))


def frame_places(count, hop_length, n_fft):
    """Where in a signal the values of its frames stand."""
    return mindspore.Tensor(np.arange(count)[:, None] * hop_length + np.arange(n_fft), mindspore.int64)


class SpectrumOfReals(Function):
    """The first half of the Fourier transforms of real rows; MindSpore's gradient of it has none itself."""

    @staticmethod
    def forward(ctx, rows):
        ctx.size = rows.shape[-1]
        return giving_complex(ops.rfft)(rows)

    @staticmethod
    def backward(ctx, gradient):
        counted = np.full(gradient.shape[-1], ctx.size / 2)
        counted[0] = ctx.size
        if ctx.size % 2 == 0:
            counted[-1] = ctx.size
        return RealsOfSpectrum.apply(times_real(gradient, counted), ctx.size)


class RealsOfSpectrum(Function):
    """The real rows of the first half of their Fourier transforms; with gradients as above."""

    @staticmethod
    def forward(ctx, spectrum, size):
        ctx.size, ctx.width = size, spectrum.shape[-1]
        return ops.irfft(spectrum, size)

    @staticmethod
    def backward(ctx, gradient):
        counted = np.full(ctx.width, 2 / ctx.size)
        counted[0] = 1 / ctx.size
        if ctx.size % 2 == 0:
            counted[-1] = 1 / ctx.size
        return times_real(SpectrumOfReals.apply(gradient), counted), None


def times_real(spectrum, factors):
    """Complex numbers times real ones, one for each place of the last axis."""
    real, imag = parts_of(spectrum)
    factors = mindspore.Tensor(factors, real.dtype)
    return complex_of(real * factors, imag * factors)


def stft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
    return_complex=None,
    align_to_window=None,
):
    """torch.stft and torch.Tensor.stft."""
    hop_length = hop_length or n_fft // 4
    window = window_for(window, win_length or n_fft, n_fft, input.dtype)
    signal = input.reshape(-1, input.shape[-1])
    if center:
        signal = pad(signal.expand_dims(0), (n_fft // 2, n_fft // 2), pad_mode).reshape(signal.shape[0], -1)
    count = 1 + (signal.shape[-1] - n_fft) // hop_length
    frames = ops.gather(signal, frame_places(count, hop_length, n_fft), 1) * window
    onesided = not (is_complex(input) or is_complex(window)) if onesided is None else onesided
    found = SpectrumOfReals.apply(frames) if onesided else fft(frames)
    if normalized:
        found = times_real(found, np.full(found.shape[-1], n_fft**-0.5))
    found = found.swapaxes(1, 2)
    found = found.reshape(*input.shape[:-1], *found.shape[1:])
    return found if return_complex else ops.stack([ops.real(found), ops.imag(found)], -1)


def istft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    normalized=False,
    onesided=None,
    length=None,
    return_complex=False,
):
    """torch.istft and torch.Tensor.istft; also of pairs of real numbers, as was usual before PyTorch 2.0."""
    hop_length = hop_length or n_fft // 4
    input = input if is_complex(input) else view_as_complex(input)
    batch, count = input.shape[:-2], input.shape[-1]
    onesided = input.shape[-2] != n_fft if onesided is None else onesided
    spectrum = input.reshape(-1, *input.shape[-2:]).swapaxes(1, 2)
    if normalized:
        spectrum = times_real(spectrum, np.full(spectrum.shape[-1], n_fft**0.5))
    if onesided or not return_complex:  # the other half is the same for what is real
        frames = RealsOfSpectrum.apply(spectrum[..., : n_fft // 2 + 1], n_fft)
    else:
        frames = ifft(spectrum, n_fft)
    window = window_for(window, win_length or n_fft, n_fft, frames.dtype)
    size = n_fft + hop_length * (count - 1)
    places = frame_places(count, hop_length, n_fft).reshape(-1)
    shape = (frames.shape[0], count * n_fft)
    signal = index_add(ops.zeros((shape[0], size), frames.dtype), 1, places, (frames * window).reshape(shape))
    squares = ops.broadcast_to(window * window, (1, count, n_fft)).reshape(1, -1)
    weight = index_add(ops.zeros((1, size), window.dtype), 1, places, squares)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else size - start
    end_of_signal = min(end, size)
    signal = (signal[:, start:end_of_signal]) / (weight[:, start:end_of_signal])
    return pad(signal, (0, end - end_of_signal)).reshape(*batch, end - start)
