"""torchaudio's spectra: spectrograms, mel scales, cepstral coefficients, and the waves behind them."""

import math

import mindspore
import numpy as np
from mindspore import ops


def joined_axes(input, kept):
    """A Tensor whose axes before the last `kept` are one, and what gives them back to a Tensor made of it."""
    shape = input.shape[: input.ndim - kept]
    return input.reshape(-1, *input.shape[input.ndim - kept :]), lambda made: made.reshape(
        *shape, *made.shape[1:]
    )


def window_length_of(window):
    """The square root of the sum of a window's squares."""
    return (window * window).sum().sqrt()


def with_silence(waveform, length):
    """A wave with zeros before it and behind it."""
    return pad(waveform, (length, length))


def audio_spectrogram(
    waveform,
    pad,
    window,
    n_fft,
    hop_length,
    win_length,
    power,
    normalized,
    center=True,
    pad_mode="reflect",
    onesided=True,
    return_complex=None,
):
    """torchaudio.functional.spectrogram: of the last axis."""
    if pad > 0:
        waveform = with_silence(waveform, pad)
    whole = normalized == "frame_length"
    found = stft(
        waveform,
        n_fft,
        hop_length,
        win_length,
        window,
        center,
        pad_mode,
        whole,
        onesided,
        return_complex=True,
    )
    if normalized is True or normalized == "window":
        found = found / window_length_of(window)
    if power is None:
        return found
    found = ops.abs(found)
    return found if power == 1.0 else ops.pow(found, power)


def inverse_spectrogram(
    spectrogram,
    length,
    pad,
    window,
    n_fft,
    hop_length,
    win_length,
    normalized,
    center=True,
    pad_mode="reflect",
    onesided=True,
):
    """torchaudio.functional.inverse_spectrogram."""
    if not is_complex(spectrogram):
        raise ValueError("Expected `spectrogram` to be complex dtype.")
    if normalized is True or normalized == "window":
        spectrogram = spectrogram * window_length_of(window)
    joined, apart = joined_axes(spectrogram, 2)
    wanted = None if length is None else length + 2 * pad
    whole = normalized == "frame_length"
    found = istft(joined, n_fft, hop_length, win_length, window, center, whole, onesided, wanted)
    if length is not None and pad > 0:
        found = found[:, pad:-pad]
    return apart(found)


def griffinlim(specgram, window, n_fft, hop_length, win_length, power, n_iter, momentum, length, rand_init):
    """torchaudio.functional.griffinlim: with PyTorch's first phases from the same seed."""
    if not 0 <= momentum < 1:
        raise ValueError(f"momentum must be in range [0, 1). Found: {momentum}")
    momentum = momentum / (1 + momentum)
    sizes, apart = joined_axes(specgram, 2)
    sizes = ops.pow(sizes, 1 / power)
    dtype = complex_dtype_of(sizes)
    angles = rand(sizes.shape, dtype=dtype) if rand_init else ops.ones(sizes.shape, dtype)
    before = 0.0
    for _ in range(n_iter):
        wave = istft(sizes * angles, n_fft, hop_length, win_length, window, length=length)
        rebuilt = stft(wave, n_fft, hop_length, win_length, window, return_complex=True)
        angles = rebuilt - before * momentum if momentum else rebuilt
        angles = angles / (ops.abs(angles) + 1e-16)
        before = rebuilt
    return apart(istft(sizes * angles, n_fft, hop_length, win_length, window, length=length))


def complex_dtype_of(input):
    """The complex dtype with the digits of a real Tensor's."""
    return mindspore.complex128 if input.dtype == mindspore.float64 else mindspore.complex64


def amplitude_to_DB(x, multiplier, amin, db_multiplier, top_db=None):
    """torchaudio.functional.amplitude_to_DB."""
    found = multiplier * log10(clamp(x, min=amin)) - multiplier * db_multiplier
    if top_db is None:
        return found
    channels = found.shape[-3] if found.ndim > 2 else 1
    packed = found.reshape(-1, channels, *found.shape[-2:])
    least = packed.max(axis=(1, 2, 3), keepdims=True) - top_db
    return maximum(packed, least).reshape(found.shape)


def DB_to_amplitude(x, ref, power):
    """torchaudio.functional.DB_to_amplitude."""
    return ref * ops.pow(ops.pow(10.0, 0.1 * x), power)


def triangles(frequencies, edges):
    """The weights of overlapping triangles between edges, by frequency and triangle."""
    widths = edges[1:] - edges[:-1]
    slopes = edges[None, :] - frequencies[:, None]
    down, up = -slopes[:, :-2] / widths[:-1], slopes[:, 2:] / widths[1:]
    return np.maximum(np.float32(0), np.minimum(down, up))


def mel_of(frequency, mel_scale):
    """The place of a frequency on a mel scale."""
    if mel_scale == "htk":
        return 2595.0 * math.log10(1.0 + frequency / 700.0)
    if mel_scale != "slaney":
        raise ValueError('mel_scale should be one of "htk" or "slaney".')
    if frequency < 1000.0:
        return 3 * frequency / 200
    return 15.0 + math.log(frequency / 1000.0) * 27.0 / math.log(6.4)


def frequencies_at(mels, mel_scale):
    """The frequencies of places on a mel scale."""
    if mel_scale == "htk":
        return (700.0 * (np.float32(10.0) ** (mels / np.float32(2595.0)) - 1.0)).astype(np.float32)
    high = 1000.0 * np.exp(np.float32(math.log(6.4) / 27.0) * (mels - 15.0))
    return np.where(mels >= 15.0, high, mels * np.float32(200 / 3)).astype(np.float32)


def melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm=None, mel_scale="htk"):
    """torchaudio.functional.melscale_fbanks."""
    if norm is not None and norm != "slaney":
        raise ValueError('norm must be one of None or "slaney"')
    ends = mel_of(f_min, mel_scale), mel_of(f_max, mel_scale)
    edges = frequencies_at(linspace(*ends, n_mels + 2).asnumpy(), mel_scale)
    weights = triangles(linspace(0, sample_rate // 2, n_freqs).asnumpy(), edges)
    if norm == "slaney":
        weights = weights * (np.float32(2.0) / (edges[2:] - edges[:n_mels]))
    return mindspore.Tensor(weights)


def linear_fbanks(n_freqs, f_min, f_max, n_filter, sample_rate):
    """torchaudio.functional.linear_fbanks."""
    edges = linspace(f_min, f_max, n_filter + 2).asnumpy()
    return mindspore.Tensor(triangles(linspace(0, sample_rate // 2, n_freqs).asnumpy(), edges))


def create_dct(n_mfcc, n_mels, norm):
    """torchaudio.functional.create_dct: of the second kind, a column for each coefficient."""
    if norm is not None and norm != "ortho":
        raise ValueError('norm must be either "ortho" or None')
    angles = np.float32(math.pi / n_mels) * (np.arange(n_mels) + np.float32(0.5)) * np.arange(n_mfcc)[:, None]
    made = np.cos(angles.astype(np.float32))
    if norm is None:
        made = made * np.float32(2)
    else:
        made[0] *= np.float32(1 / math.sqrt(2))
        made = made * np.float32(math.sqrt(2 / n_mels))
    return mindspore.Tensor(np.ascontiguousarray(made.T))


def compute_deltas(specgram, win_length=5, mode="replicate"):
    """torchaudio.functional.compute_deltas: how the last axis changes."""
    if win_length < 3:
        raise ValueError(f"Window length should be greater than or equal to 3. Found win_length {win_length}")
    reach, length = (win_length - 1) // 2, specgram.shape[-1]
    joined, apart = joined_axes(specgram, 1)
    # one axis more, as PyTorch reflects Tensors of three
    padded = pad(joined.expand_dims(0), (reach, reach), mode).reshape(joined.shape[0], -1)
    steps = range(-reach, reach + 1)
    found = sum(step * padded[:, reach + step : reach + step + length] for step in steps)
    return apart(found / (reach * (reach + 1) * (2 * reach + 1) / 3))


def spectral_centroid(waveform, sample_rate, pad, window, n_fft, hop_length, win_length):
    """torchaudio.functional.spectral_centroid."""
    found = audio_spectrogram(waveform, pad, window, n_fft, hop_length, win_length, 1.0, False)
    frequencies = linspace(0, sample_rate // 2, 1 + n_fft // 2, dtype=found.dtype).reshape(-1, 1)
    return (frequencies * found).sum(-2) / found.sum(-2)


def phase_vocoder(complex_specgrams, rate, phase_advance):
    """torchaudio.functional.phase_vocoder: a spectrogram that is `rate` times as fast."""
    if rate == 1.0:
        return complex_specgrams
    joined, apart = joined_axes(complex_specgrams, 2)
    times = arange(0, joined.shape[-1], rate, dtype=ops.real(joined).dtype).asnumpy()
    shares = mindspore.Tensor(times % 1.0)
    places = mindspore.Tensor(times.astype(np.int64))
    first = angle(joined[..., :1])
    parts = [pad(part(joined), (0, 2)) for part in (ops.real, ops.imag)]
    now, then = (complex_of(*(ops.gather(part, places + step, 2) for part in parts)) for step in (0, 1))
    change = angle(then) - angle(now) - phase_advance
    change = change - 2 * math.pi * ops.round(change / (2 * math.pi)) + phase_advance
    phase = ops.cumsum(ops.cat([first, change[..., :-1]], -1), -1)
    size = shares * complex_magnitude(then) + (1 - shares) * complex_magnitude(now)
    return apart(complex_of(size * ops.cos(phase), size * ops.sin(phase)))


def pitch_shift(
    waveform,
    sample_rate,
    n_steps,
    bins_per_octave=12,
    n_fft=512,
    win_length=None,
    hop_length=None,
    window=None,
):
    """torchaudio.functional.pitch_shift."""
    hop_length = hop_length or n_fft // 4
    win_length = win_length or n_fft
    window = hann_window(win_length) if window is None else window
    length = waveform.shape[-1]
    rate = 2.0 ** (-float(n_steps) / bins_per_octave)
    joined, apart = joined_axes(waveform, 1)
    spectrum = stft(joined, n_fft, hop_length, win_length, window, return_complex=True)
    advance = linspace(0, math.pi * hop_length, spectrum.shape[-2]).reshape(-1, 1)
    stretched = phase_vocoder(spectrum, rate, advance)
    wave = istft(stretched, n_fft, hop_length, win_length, window, length=round(length / rate))
    shifted = resample(wave, int(sample_rate / rate), sample_rate)[:, :length]
    return apart(pad(shifted, (0, length - shifted.shape[-1])))


def window_made(window_fn, win_length, wkwargs):
    """A window of a function."""
    return window_fn(win_length, **(wkwargs or {}))


class SpectrumBase(Module):
    """What torchaudio's spectra have in common: a window, and how far it moves."""

    def __init__(self, n_fft, win_length, hop_length, window_fn, wkwargs):
        super().__init__()
        self.n_fft = n_fft
        self.win_length = n_fft if win_length is None else win_length
        self.hop_length = self.win_length // 2 if hop_length is None else hop_length
        self.register_buffer("window", window_made(window_fn, self.win_length, wkwargs))


class Spectrogram(SpectrumBase):
    """torchaudio.transforms.Spectrogram."""

    def __init__(
        self,
        n_fft=400,
        win_length=None,
        hop_length=None,
        pad=0,
        window_fn=hann_window,
        power=2.0,
        normalized=False,
        wkwargs=None,
        center=True,
        pad_mode="reflect",
        onesided=True,
        return_complex=None,
    ):
        super().__init__(n_fft, win_length, hop_length, window_fn, wkwargs)
        self.pad, self.power, self.normalized = pad, power, normalized
        self.center, self.pad_mode, self.onesided = center, pad_mode, onesided

    def construct(self, waveform):
        return audio_spectrogram(
            waveform,
            self.pad,
            self.window,
            self.n_fft,
            self.hop_length,
            self.win_length,
            self.power,
            self.normalized,
            self.center,
            self.pad_mode,
            self.onesided,
        )


class InverseSpectrogram(SpectrumBase):
    """torchaudio.transforms.InverseSpectrogram."""

    def __init__(
        self,
        n_fft=400,
        win_length=None,
        hop_length=None,
        pad=0,
        window_fn=hann_window,
        normalized=False,
        wkwargs=None,
        center=True,
        pad_mode="reflect",
        onesided=True,
    ):
        super().__init__(n_fft, win_length, hop_length, window_fn, wkwargs)
        self.pad, self.normalized = pad, normalized
        self.center, self.pad_mode, self.onesided = center, pad_mode, onesided

    def construct(self, spectrogram, length=None):
        return inverse_spectrogram(
            spectrogram,
            length,
            self.pad,
            self.window,
            self.n_fft,
            self.hop_length,
            self.win_length,
            self.normalized,
            self.center,
            self.pad_mode,
            self.onesided,
        )


class GriffinLim(SpectrumBase):
    """torchaudio.transforms.GriffinLim."""

    def __init__(
        self,
        n_fft=400,
        n_iter=32,
        win_length=None,
        hop_length=None,
        window_fn=hann_window,
        power=2.0,
        wkwargs=None,
        momentum=0.99,
        length=None,
        rand_init=True,
    ):
        if not 0 <= momentum < 1:
            raise ValueError(f"momentum must be in the range [0, 1). Found: {momentum}")
        super().__init__(n_fft, win_length, hop_length, window_fn, wkwargs)
        self.n_iter, self.power, self.momentum = n_iter, power, momentum
        self.length, self.rand_init = length, rand_init

    def construct(self, specgram):
        return griffinlim(
            specgram,
            self.window,
            self.n_fft,
            self.hop_length,
            self.win_length,
            self.power,
            self.n_iter,
            self.momentum,
            self.length,
            self.rand_init,
        )


class AmplitudeToDB(Module):
    """torchaudio.transforms.AmplitudeToDB."""

    def __init__(self, stype="power", top_db=None):
        super().__init__()
        if top_db is not None and top_db < 0:
            raise ValueError("top_db must be positive value")
        self.stype, self.top_db = stype, top_db
        self.multiplier = 10.0 if stype == "power" else 20.0
        self.amin, self.ref_value = 1e-10, 1.0
        self.db_multiplier = math.log10(max(self.amin, self.ref_value))

    def construct(self, x):
        return amplitude_to_DB(x, self.multiplier, self.amin, self.db_multiplier, self.top_db)


class MelScale(Module):
    """torchaudio.transforms.MelScale."""

    def __init__(
        self,
        n_mels=128,
        sample_rate=16000,
        f_min=0.0,
        f_max=None,
        n_stft=201,
        norm=None,
        mel_scale="htk",
    ):
        super().__init__()
        self.n_mels, self.sample_rate = n_mels, sample_rate
        self.f_min, self.f_max = f_min, float(sample_rate // 2) if f_max is None else f_max
        self.norm, self.mel_scale = norm, mel_scale
        if f_min > self.f_max:
            raise ValueError(f"Require f_min: {f_min} <= f_max: {self.f_max}")
        weights = melscale_fbanks(n_stft, f_min, self.f_max, n_mels, sample_rate, norm, mel_scale)
        self.register_buffer("fb", weights)

    def construct(self, specgram):
        return turned(ops.matmul(turned(specgram), self.fb))


class InverseMelScale(Module):
    """torchaudio.transforms.InverseMelScale."""

    def __init__(
        self,
        n_stft,
        n_mels=128,
        sample_rate=16000,
        f_min=0.0,
        f_max=None,
        norm=None,
        mel_scale="htk",
        driver="gels",
    ):
        super().__init__()
        self.n_mels, self.sample_rate = n_mels, sample_rate
        self.f_min, self.f_max = f_min, f_max or float(sample_rate // 2)
        self.driver = driver
        if f_min > self.f_max:
            raise ValueError(f"Require f_min: {f_min} <= f_max: {self.f_max}")
        weights = melscale_fbanks(n_stft, f_min, self.f_max, n_mels, sample_rate, norm, mel_scale)
        self.register_buffer("fb", weights)

    def construct(self, melspec):
        joined, apart = joined_axes(melspec, 2)
        if joined.shape[1] != self.n_mels:
            raise ValueError(f"Expected an input with {self.n_mels} mel bins. Found: {joined.shape[1]}")
        weights = ops.broadcast_to(turned(self.fb), (joined.shape[0], *self.fb.shape[::-1]))
        return apart(ops.relu(lstsq(weights, joined, driver=self.driver).solution))


class MelSpectrogram(Module):
    """torchaudio.transforms.MelSpectrogram."""

    def __init__(
        self,
        sample_rate=16000,
        n_fft=400,
        win_length=None,
        hop_length=None,
        f_min=0.0,
        f_max=None,
        pad=0,
        n_mels=128,
        window_fn=hann_window,
        power=2.0,
        normalized=False,
        wkwargs=None,
        center=True,
        pad_mode="reflect",
        onesided=None,
        norm=None,
        mel_scale="htk",
    ):
        super().__init__()
        self.spectrogram = Spectrogram(
            n_fft, win_length, hop_length, pad, window_fn, power, normalized, wkwargs, center, pad_mode
        )
        self.mel_scale = MelScale(n_mels, sample_rate, f_min, f_max, n_fft // 2 + 1, norm, mel_scale)
        self.sample_rate, self.n_fft, self.pad, self.power = sample_rate, n_fft, pad, power
        self.normalized, self.n_mels = normalized, n_mels
        self.win_length, self.hop_length = self.spectrogram.win_length, self.spectrogram.hop_length
        self.f_min, self.f_max = f_min, f_max

    def construct(self, waveform):
        return self.mel_scale(self.spectrogram(waveform))


class CepstrumBase(Module):
    """What MFCC and LFCC have in common: logarithms of a spectrum, as sums of cosines."""

    def __init__(self, sample_rate, count, filters, dct_type, norm, is_log, **weights):
        super().__init__()
        if dct_type != 2:
            raise ValueError(f"DCT type not supported: {dct_type}")
        if count > filters:
            raise ValueError(f"Cannot select more coefficients than there are bands: {count} > {filters}")
        self.sample_rate, self.dct_type, self.norm = sample_rate, dct_type, norm
        self.top_db = 80.0
        self.amplitude_to_DB = AmplitudeToDB("power", self.top_db)
        weights["dct_mat"] = create_dct(count, filters, norm)
        for name, value in weights.items():
            self.register_buffer(name, value)
        self._is_log = is_log

    def as_cosines(self, spectrum):
        """The coefficients of a spectrum."""
        spectrum = log(spectrum + 1e-6) if self._is_log else self.amplitude_to_DB(spectrum)
        return turned(ops.matmul(turned(spectrum), self.dct_mat))


class MFCC(CepstrumBase):
    """torchaudio.transforms.MFCC."""

    def __init__(
        self, sample_rate=16000, n_mfcc=40, dct_type=2, norm="ortho", log_mels=False, melkwargs=None
    ):
        spectrogram = MelSpectrogram(sample_rate=sample_rate, **(melkwargs or {}))
        super().__init__(sample_rate, n_mfcc, spectrogram.n_mels, dct_type, norm, log_mels)
        self.n_mfcc, self.log_mels = n_mfcc, log_mels
        self.MelSpectrogram = spectrogram

    def construct(self, waveform):
        return self.as_cosines(self.MelSpectrogram(waveform))


class LFCC(CepstrumBase):
    """torchaudio.transforms.LFCC."""

    def __init__(
        self,
        sample_rate=16000,
        n_filter=128,
        f_min=0.0,
        f_max=None,
        n_lfcc=40,
        dct_type=2,
        norm="ortho",
        log_lf=False,
        speckwargs=None,
    ):
        spectrogram = Spectrogram(**(speckwargs or {}))
        f_max = float(sample_rate // 2) if f_max is None else f_max
        filters = linear_fbanks(spectrogram.n_fft // 2 + 1, f_min, f_max, n_filter, sample_rate)
        super().__init__(sample_rate, n_lfcc, n_filter, dct_type, norm, log_lf, filter_mat=filters)
        self.f_min, self.f_max = f_min, f_max
        self.n_filter, self.n_lfcc, self.log_lf = n_filter, n_lfcc, log_lf
        self.Spectrogram = spectrogram

    def construct(self, waveform):
        return self.as_cosines(turned(ops.matmul(turned(self.Spectrogram(waveform)), self.filter_mat)))


class ComputeDeltas(Module):
    """torchaudio.transforms.ComputeDeltas."""

    def __init__(self, win_length=5, mode="replicate"):
        super().__init__()
        self.win_length, self.mode = win_length, mode

    def construct(self, specgram):
        return compute_deltas(specgram, self.win_length, self.mode)


class SpectralCentroid(SpectrumBase):
    """torchaudio.transforms.SpectralCentroid."""

    def __init__(
        self,
        sample_rate,
        n_fft=400,
        win_length=None,
        hop_length=None,
        pad=0,
        window_fn=hann_window,
        wkwargs=None,
    ):
        super().__init__(n_fft, win_length, hop_length, window_fn, wkwargs)
        self.sample_rate, self.pad = sample_rate, pad

    def construct(self, waveform):
        return spectral_centroid(
            waveform, self.sample_rate, self.pad, self.window, self.n_fft, self.hop_length, self.win_length
        )


class TimeStretch(Module):
    """torchaudio.transforms.TimeStretch."""

    def __init__(self, hop_length=None, n_freq=201, fixed_rate=None):
        super().__init__()
        self.fixed_rate = fixed_rate
        hop_length = n_freq - 1 if hop_length is None else hop_length
        self.register_buffer("phase_advance", linspace(0, math.pi * hop_length, n_freq).reshape(-1, 1))

    def construct(self, complex_specgrams, overriding_rate=None):
        rate = self.fixed_rate if overriding_rate is None else overriding_rate
        if rate is None:
            raise ValueError("If no fixed_rate is specified, must pass a valid rate to the forward method.")
        return phase_vocoder(complex_specgrams, rate, self.phase_advance)


class PitchShift(SpectrumBase):
    """torchaudio.transforms.PitchShift."""

    def __init__(
        self,
        sample_rate,
        n_steps,
        bins_per_octave=12,
        n_fft=512,
        win_length=None,
        hop_length=None,
        window_fn=hann_window,
        wkwargs=None,
    ):
        hop_length = (win_length or n_fft) // 4 if hop_length is None else hop_length
        super().__init__(n_fft, win_length, hop_length, window_fn, wkwargs)
        self.sample_rate, self.n_steps, self.bins_per_octave = sample_rate, n_steps, bins_per_octave

    def construct(self, waveform):
        return pitch_shift(
            waveform,
            self.sample_rate,
            self.n_steps,
            self.bins_per_octave,
            self.n_fft,
            self.win_length,
            self.hop_length,
            self.window,
        )
