"""torchaudio's work on waves: other rates, loudness, codes, noise, and what is computed of them."""

import math

import mindspore
import numpy as np
from mindspore import ops


def sinc_kernels(orig_freq, new_freq, lowpass_filter_width, rolloff, method, beta, dtype):
    """A low-pass filter for each new sample of a period, and how far it reaches."""
    if method not in ("sinc_interp_hann", "sinc_interp_kaiser"):
        raise ValueError(f"Invalid resampling method: {method}")
    if lowpass_filter_width <= 0:
        raise ValueError("Low pass filter width should be positive.")
    base = min(orig_freq, new_freq) * rolloff
    width = math.ceil(lowpass_filter_width * orig_freq / base)
    kind = np.float64 if dtype is None else mindspore.dtype_to_nptype(dtype)
    samples = np.arange(-width, width + orig_freq, dtype=kind)[None, :] / orig_freq
    times = (np.arange(0, -new_freq, -1, dtype=kind)[:, None] / new_freq + samples) * base
    times = times.clip(-lowpass_filter_width, lowpass_filter_width)
    if method == "sinc_interp_hann":
        window = np.cos(times * math.pi / lowpass_filter_width / 2) ** 2
    else:
        beta = 14.769656459379492 if beta is None else beta
        window = np.i0(beta * np.sqrt(1 - (times / lowpass_filter_width) ** 2)) / np.i0(np.float64(beta))
    kernels = np.sinc(times) * window * (base / orig_freq)
    return mindspore.Tensor(kernels.astype(np.float32 if dtype is None else kind)[:, None]), width


def resampled(waveform, orig_freq, new_freq, kernels, width):
    """A wave at another rate, by the filters of `sinc_kernels`; the rates have no common divisor."""
    if not waveform.is_floating_point():
        raise TypeError(f"Expected floating point type for waveform tensor, but received {waveform.dtype}.")
    joined, apart = joined_axes(waveform, 1)
    length = joined.shape[-1]
    padded = pad(joined, (width, width + orig_freq)).expand_dims(1)
    found = conv1d(padded, kernels.astype(waveform.dtype), stride=orig_freq)
    found = found.swapaxes(1, 2).reshape(joined.shape[0], -1)
    return apart(found[:, : math.ceil(new_freq * length / orig_freq)])


def checked_rates(orig_freq, new_freq):
    """Two rates as whole numbers without a common divisor, and that divisor."""
    if orig_freq <= 0 or new_freq <= 0:
        raise ValueError("Original frequency and desired frequency should be positive")
    if int(orig_freq) != orig_freq or int(new_freq) != new_freq:
        raise ValueError("Frequencies must be of integer type to ensure quality resampling computation.")
    common = math.gcd(int(orig_freq), int(new_freq))
    return int(orig_freq) // common, int(new_freq) // common, common


def resample(
    waveform,
    orig_freq,
    new_freq,
    lowpass_filter_width=6,
    rolloff=0.99,
    resampling_method="sinc_interp_hann",
    beta=None,
):
    """torchaudio.functional.resample."""
    if orig_freq == new_freq:
        return waveform
    old, new, _ = checked_rates(orig_freq, new_freq)
    kernels, width = sinc_kernels(
        old, new, lowpass_filter_width, rolloff, resampling_method, beta, waveform.dtype
    )
    return resampled(waveform, old, new, kernels, width)


def speed(waveform, orig_freq, factor, lengths=None):
    """torchaudio.functional.speed."""
    source, target, _ = checked_rates(int(factor * int(orig_freq)), int(orig_freq))
    if lengths is not None:
        lengths = ops.ceil(lengths * target / source).astype(lengths.dtype)
    return resample(waveform, source, target), lengths


def mu_law_encoding(x, quantization_channels):
    """torchaudio.functional.mu_law_encoding."""
    x = x if x.is_floating_point() else x.astype(mindspore.float32)
    top = quantization_channels - 1.0
    code = ops.sign(x) * log1p(top * ops.abs(x)) / log1p(mindspore.Tensor(top, x.dtype))
    return ((code + 1) / 2 * top + 0.5).astype(mindspore.int64)


def mu_law_decoding(x_mu, quantization_channels):
    """torchaudio.functional.mu_law_decoding."""
    x_mu = x_mu if x_mu.is_floating_point() else x_mu.astype(mindspore.float32)
    top = quantization_channels - 1.0
    code = x_mu / top * 2 - 1.0
    return ops.sign(code) * (exp(ops.abs(code) * math.log1p(top)) - 1.0) / top


def gain(waveform, gain_db=1.0):
    """torchaudio.functional.gain."""
    return waveform if gain_db == 0 else waveform * 10 ** (gain_db / 20)


def contrast(waveform, enhancement_amount=75.0):
    """torchaudio.functional.contrast."""
    if not 0 <= enhancement_amount <= 100:
        raise ValueError("Allowed range of values for enhancement_amount : 0-100")
    angle_of = waveform * (math.pi / 2)
    return ops.sin(angle_of + enhancement_amount / 750 * ops.sin(angle_of * 4))


def dcshift(waveform, shift, limiter_gain=None):
    """torchaudio.functional.dcshift."""
    if limiter_gain is None:
        return clamp(waveform + shift, -1, 1)
    if shift < 0:
        return -dcshift(-waveform, -shift, limiter_gain)
    threshold = 1.0 - (shift - limiter_gain)
    bent = (waveform - threshold) * limiter_gain / (1 - threshold) + threshold + shift
    return ops.where(waveform > threshold, clamp(bent, max=threshold), clamp(waveform + shift, -1, 1))


def preemphasis(waveform, coeff=0.97):
    """torchaudio.functional.preemphasis."""
    return ops.cat([waveform[..., :1], waveform[..., 1:] - coeff * waveform[..., :-1]], -1)


def add_noise(waveform, noise, snr, lengths=None):
    """torchaudio.functional.add_noise."""
    if not waveform.ndim - 1 == noise.ndim - 1 == snr.ndim == (snr.ndim if lengths is None else lengths.ndim):
        raise ValueError("Input leading dimensions don't match.")
    length = waveform.shape[-1]
    if length != noise.shape[-1]:
        raise ValueError(
            f"Length dimensions of waveform and noise don't match ({length}, {noise.shape[-1]})."
        )
    heard, masked = waveform, noise
    if lengths is not None:
        inside = (arange(length) < lengths.expand_dims(-1)).astype(waveform.dtype)
        heard, masked = waveform * inside, noise * inside
    levels = [10 * log10((each * each).sum(-1)) for each in (heard, masked)]
    scale = ops.pow(10.0, (levels[0] - levels[1] - snr) / 20.0)
    return waveform + scale.expand_dims(-1) * noise


def cut_as(full, shorter, longer, mode):
    """The part of a convolution that a mode asks for."""
    if mode == "full":
        return full
    if mode == "same":
        size = longer
    elif mode == "valid":
        size = abs(longer - shorter) + 1
    else:
        raise ValueError(f"Unrecognized mode value '{mode}'.")
    start = (full.shape[-1] - size) // 2
    return full[..., start : start + size]


def fftconvolve(x, y, mode="full"):
    """torchaudio.functional.fftconvolve and convolve: along the last axis."""
    if x.ndim != y.ndim:
        raise ValueError(f"The operands must be the same dimension (got {x.ndim} and {y.ndim}).")
    size = x.shape[-1] + y.shape[-1] - 1
    spectra = [SpectrumOfReals.apply(pad(each, (0, size - each.shape[-1]))) for each in (x, y)]
    full = RealsOfSpectrum.apply(spectra[0] * spectra[1], size)
    if mode == "valid":
        return cut_as(full, min(x.shape[-1], y.shape[-1]), max(x.shape[-1], y.shape[-1]), mode)
    return cut_as(full, y.shape[-1], x.shape[-1], mode)


def loudness(waveform, sample_rate):
    """torchaudio.functional.loudness: by ITU-R BS.1770-4."""
    if waveform.shape[-2] > 5:
        raise ValueError("Only up to 5 channels are supported.")
    wave = treble_biquad(waveform, sample_rate, 4.0, 1500.0, 1 / math.sqrt(2))
    wave = highpass_biquad(wave, sample_rate, 38.0, 0.5)
    block = round(0.4 * sample_rate)
    step = round(block * 0.25)
    count = 1 + (wave.shape[-1] - block) // step
    places = mindspore.Tensor(np.arange(count)[:, None] * step + np.arange(block))
    energy = ops.square(ops.gather(wave, places, wave.ndim - 1)).mean(-1)
    factors = mindspore.Tensor([1.0, 1.0, 1.0, 1.41, 1.41][: wave.shape[-2]], wave.dtype).expand_dims(-1)
    level = -0.691 + 10 * log10((factors * energy).sum(-2))

    def weighted(counted):
        counted = counted.astype(energy.dtype).expand_dims(-2)
        kept = (counted * energy).sum(-1) / ops.count_nonzero(counted, -1).astype(energy.dtype)
        return -0.691 + 10 * log10((factors[:, 0] * kept).sum(-1))

    audible = level > -70.0
    return weighted(audible & (level > (weighted(audible) - 10.0).expand_dims(-1)))


class Resample(Module):
    """torchaudio.transforms.Resample."""

    def __init__(
        self,
        orig_freq=16000,
        new_freq=16000,
        resampling_method="sinc_interp_hann",
        lowpass_filter_width=6,
        rolloff=0.99,
        beta=None,
        *,
        dtype=None,
    ):
        super().__init__()
        self.orig_freq, self.new_freq, self.resampling_method = orig_freq, new_freq, resampling_method
        self.lowpass_filter_width, self.rolloff, self.beta = lowpass_filter_width, rolloff, beta
        old, new, self.gcd = checked_rates(orig_freq, new_freq)
        if old != new:
            kernels, self.width = sinc_kernels(
                old, new, lowpass_filter_width, rolloff, resampling_method, beta, dtype
            )
            self.register_buffer("kernel", kernels)

    def construct(self, waveform):
        if self.orig_freq == self.new_freq:
            return waveform
        old, new = int(self.orig_freq) // self.gcd, int(self.new_freq) // self.gcd
        return resampled(waveform, old, new, self.kernel, self.width)


class Speed(Module):
    """torchaudio.transforms.Speed."""

    def __init__(self, orig_freq, factor):
        super().__init__()
        self.orig_freq, self.factor = orig_freq, factor
        self.source_sample_rate, self.target_sample_rate, _ = checked_rates(
            int(factor * int(orig_freq)), int(orig_freq)
        )
        self.resampler = Resample(orig_freq=self.source_sample_rate, new_freq=self.target_sample_rate)

    def construct(self, waveform, lengths=None):
        if lengths is not None:
            lengths = ops.ceil(lengths * self.target_sample_rate / self.source_sample_rate).astype(
                lengths.dtype
            )
        return self.resampler(waveform), lengths


class SpeedPerturbation(Module):
    """torchaudio.transforms.SpeedPerturbation: PyTorch's choices from the same seed."""

    def __init__(self, orig_freq, factors):
        super().__init__()
        self.speeders = ModuleList([Speed(orig_freq, factor) for factor in factors])

    def construct(self, waveform, lengths=None):
        chosen = int(randint(len(self.speeders), ()))
        return self.speeders[chosen](waveform, lengths)


class MuLawEncoding(Module):
    """torchaudio.transforms.MuLawEncoding."""

    def __init__(self, quantization_channels=256):
        super().__init__()
        self.quantization_channels = quantization_channels

    def construct(self, x):
        return mu_law_encoding(x, self.quantization_channels)


class MuLawDecoding(Module):
    """torchaudio.transforms.MuLawDecoding."""

    def __init__(self, quantization_channels=256):
        super().__init__()
        self.quantization_channels = quantization_channels

    def construct(self, x_mu):
        return mu_law_decoding(x_mu, self.quantization_channels)


class Vol(Module):
    """torchaudio.transforms.Vol."""

    def __init__(self, gain, gain_type="amplitude"):
        super().__init__()
        if gain_type in ("amplitude", "power") and gain < 0:
            raise ValueError("If gain_type = amplitude or power, gain must be positive.")
        self.gain, self.gain_type = gain, gain_type

    def construct(self, waveform):
        factor = {
            "amplitude": lambda: self.gain,
            "db": lambda: 10 ** (self.gain / 20),
            "power": lambda: math.sqrt(self.gain),
        }.get(self.gain_type, lambda: 1)()
        return clamp(waveform * factor, -1, 1)


class Fade(Module):
    """torchaudio.transforms.Fade."""

    rising = {
        "linear": lambda share: share,
        "exponential": lambda share: 2 ** (share - 1) * share,
        "logarithmic": lambda share: np.log10(0.1 + share) + 1,
        "quarter_sine": lambda share: np.sin(share * math.pi / 2),
        "half_sine": lambda share: np.sin(share * math.pi - math.pi / 2) / 2 + 0.5,
    }

    def __init__(self, fade_in_len=0, fade_out_len=0, fade_shape="linear"):
        super().__init__()
        self.fade_in_len, self.fade_out_len, self.fade_shape = fade_in_len, fade_out_len, fade_shape

    def factors(self, length):
        """What the samples are multiplied with."""
        rise, made = self.rising[self.fade_shape], np.ones(length)
        beginning = np.ones(length)
        beginning[: self.fade_in_len] = rise(np.linspace(0, 1, self.fade_in_len)).clip(0, 1)
        made[length - self.fade_out_len :] = rise(1 - np.linspace(0, 1, self.fade_out_len)).clip(0, 1)
        return beginning * made

    def construct(self, waveform):
        return mindspore.Tensor(self.factors(waveform.shape[-1]), waveform.dtype) * waveform


class Preemphasis(Module):
    """torchaudio.transforms.Preemphasis."""

    def __init__(self, coeff=0.97):
        super().__init__()
        self.coeff = coeff

    def construct(self, waveform):
        return preemphasis(waveform, self.coeff)


class Deemphasis(Module):
    """torchaudio.transforms.Deemphasis."""

    def __init__(self, coeff=0.97):
        super().__init__()
        self.coeff = coeff

    def construct(self, waveform):
        return deemphasis(waveform, self.coeff)


class Loudness(Module):
    """torchaudio.transforms.Loudness."""

    def __init__(self, sample_rate):
        super().__init__()
        self.sample_rate = sample_rate

    def construct(self, wavefrom):
        return loudness(wavefrom, self.sample_rate)


class AddNoise(Module):
    """torchaudio.transforms.AddNoise."""

    def construct(self, waveform, noise, snr, lengths=None):
        return add_noise(waveform, noise, snr, lengths)


class FFTConvolve(Module):
    """torchaudio.transforms.FFTConvolve and Convolve."""

    def __init__(self, mode="full"):
        super().__init__()
        if mode not in ("full", "valid", "same"):
            raise ValueError(f"Unrecognized mode value '{mode}'.")
        self.mode = mode

    def construct(self, x, y):
        return fftconvolve(x, y, self.mode)
