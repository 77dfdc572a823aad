"""torchaudio.compliance.kaldi: features as the toolkit Kaldi computes them."""

import math

import mindspore
import numpy as np
from mindspore import ops

LEAST_SINGLE = 1.1920928955078125e-07
"""The distance of 1 to the next number of 32 bits, which logarithms are taken of at least."""


def least_log(values):
    """Logarithms, of `LEAST_SINGLE` at least."""
    return log(clamp(values, min=LEAST_SINGLE))


def kaldi_window(window_type, size, blackman_coeff):
    """A window of Kaldi."""
    if window_type == "rectangular":
        return np.ones(size)
    if window_type == "hanning":
        return np.hanning(size)
    if window_type == "hamming":
        return np.hamming(size)
    if window_type == "povey":
        return np.hanning(size) ** 0.85
    if window_type == "blackman":
        turn = 2 * math.pi * np.arange(size) / (size - 1)
        return blackman_coeff - 0.5 * np.cos(turn) + (0.5 - blackman_coeff) * np.cos(2 * turn)
    raise ValueError(f"Invalid window type {window_type}")


def kaldi_frames(waveform, size, shift, snip_edges):
    """The frames of a wave, a row each; those over its ends read backwards from there."""
    length = waveform.shape[0]
    if snip_edges:
        count = 1 + (length - size) // shift if length >= size else 0
        places = np.arange(count)[:, None] * shift + np.arange(size)
    else:
        count = (length + shift // 2) // shift
        places = np.arange(count)[:, None] * shift + np.arange(size) - (size // 2 - shift // 2)
        places = np.where(places < 0, -1 - places, places)
        places = np.where(places >= length, 2 * length - 1 - places, places)
    if not count:
        return ops.zeros((0, size), waveform.dtype)
    return ops.gather(waveform, mindspore.Tensor(places), 0)


def log_energies(frames, energy_floor):
    """The logarithm of the energy of each frame."""
    found = least_log((frames * frames).sum(1))
    return found if energy_floor == 0.0 else clamp(found, min=math.log(energy_floor))


def frames_for_kaldi(waveform, options):
    """The frames that Kaldi takes the spectrum of, as long as a power of two if asked, and energies."""
    rate = options["sample_frequency"]
    shift, size = (int(rate * options[name] * 0.001) for name in ("frame_shift", "frame_length"))
    wave = waveform[max(options["channel"], 0)]
    if not 2 <= size <= wave.shape[0]:
        raise AssertionError(f"choose a window size {size} that is [2, {wave.shape[0]}]")
    frames = kaldi_frames(wave, size, shift, options["snip_edges"])
    if options["dither"] != 0.0:
        frames = frames + randn(frames.shape, dtype=frames.dtype) * options["dither"]
    if options["remove_dc_offset"]:
        frames = frames - frames.mean(1, keep_dims=True)
    energies = log_energies(frames, options["energy_floor"])
    if options["preemphasis_coefficient"] != 0.0:
        before = ops.cat([frames[:, :1], frames[:, :-1]], 1)
        frames = frames - options["preemphasis_coefficient"] * before
    window = kaldi_window(options["window_type"], size, options["blackman_coeff"])
    frames = frames * mindspore.Tensor(window, frames.dtype)
    if options["round_to_power_of_two"]:
        frames = pad(frames, (0, 2 ** (size - 1).bit_length() - size))
    if not options["raw_energy"]:
        energies = log_energies(frames, options["energy_floor"])
    return frames, energies


def is_too_short(waveform, options):
    """Whether a wave is shorter than asked for."""
    return waveform.shape[-1] < options["min_duration"] * options["sample_frequency"]


def without_means(features, subtract_mean):
    """Features, less the mean of each column if asked for."""
    return features - features.mean(0, keep_dims=True) if subtract_mean else features


def kaldi_spectrogram(
    waveform,
    blackman_coeff=0.42,
    channel=-1,
    dither=0.0,
    energy_floor=1.0,
    frame_length=25.0,
    frame_shift=10.0,
    min_duration=0.0,
    preemphasis_coefficient=0.97,
    raw_energy=True,
    remove_dc_offset=True,
    round_to_power_of_two=True,
    sample_frequency=16000.0,
    snip_edges=True,
    subtract_mean=False,
    window_type="povey",
):
    """torchaudio.compliance.kaldi.spectrogram."""
    options = {**locals()}
    if is_too_short(waveform, options):
        return ops.zeros((0,), waveform.dtype)
    frames, energies = frames_for_kaldi(waveform, options)
    sizes = ops.abs(SpectrumOfReals.apply(frames))
    found = ops.cat([energies.expand_dims(1), least_log(sizes * sizes)[:, 1:]], 1)
    return without_means(found, subtract_mean)


def kaldi_mel(frequencies):
    """The places of frequencies on Kaldi's mel scale."""
    return 1127.0 * np.log(1.0 + frequencies / 700.0)


def kaldi_frequency(mels):
    """The frequencies of places on Kaldi's mel scale."""
    return 700.0 * (np.exp(mels / 1127.0) - 1.0)


def warped_frequency(frequency, low_freq, high_freq, vtln_low, vtln_high, factor):
    """Frequencies as of a vocal tract of another length: times 1 / `factor` between two bounds, the ends of
    the scale where they were, and lines in between."""
    if not low_freq < vtln_low < vtln_high < high_freq:
        raise AssertionError("the bounds of the warping lie in order between those of the frequencies")
    scale = 1.0 / factor
    low, high = vtln_low * max(1.0, factor), vtln_high * min(1.0, factor)
    bounds = [low_freq, low, high, high_freq]
    inside = np.interp(frequency, bounds, [low_freq, scale * low, scale * high, high_freq])
    return np.where((frequency < low_freq) | (frequency > high_freq), frequency, inside)


def mel_bank_edges(num_bins, low_freq, high_freq, vtln_low, vtln_high, vtln_warp_factor):
    """Left end, middle and right end of each triangle, on the mel scale."""
    low, high = kaldi_mel(low_freq), kaldi_mel(high_freq)
    step = (high - low) / (num_bins + 1)
    edges = low + step * (np.arange(num_bins) + np.arange(3)[:, None])
    if vtln_warp_factor == 1.0:
        return edges
    frequencies = kaldi_frequency(edges)
    return kaldi_mel(
        warped_frequency(frequencies, low_freq, high_freq, vtln_low, vtln_high, vtln_warp_factor)
    )


def get_mel_banks(
    num_bins,
    window_length_padded,
    sample_freq,
    low_freq,
    high_freq,
    vtln_low,
    vtln_high,
    vtln_warp_factor,
    device=None,
    dtype=None,
):
    """torchaudio.compliance.kaldi.get_mel_banks: the weights, and the frequencies in the middle."""
    nyquist = 0.5 * sample_freq
    high_freq = high_freq + nyquist if high_freq <= 0.0 else high_freq
    if not 0.0 <= low_freq < nyquist or not low_freq < high_freq <= nyquist:
        raise AssertionError(f"Bad values in options: low-freq {low_freq} and high-freq {high_freq}")
    vtln_high = vtln_high + nyquist if vtln_high < 0.0 else vtln_high
    left, middle, right = mel_bank_edges(
        num_bins, low_freq, high_freq, vtln_low, vtln_high, vtln_warp_factor
    )[:, :, None]
    mels = kaldi_mel(sample_freq / window_length_padded * np.arange(window_length_padded // 2))[None]
    up, down = (mels - left) / (middle - left), (right - mels) / (right - middle)
    if vtln_warp_factor == 1.0:
        weights = np.maximum(0.0, np.minimum(up, down))
    else:
        rises, falls = (mels > left) & (mels <= middle), (mels > middle) & (mels < right)
        weights = np.where(rises, up, np.where(falls, down, 0.0))
    kind = dtype or mindspore.float32
    return mindspore.Tensor(weights, kind), mindspore.Tensor(kaldi_frequency(middle), kind)


def fbank(
    waveform,
    blackman_coeff=0.42,
    channel=-1,
    dither=0.0,
    energy_floor=1.0,
    frame_length=25.0,
    frame_shift=10.0,
    high_freq=0.0,
    htk_compat=False,
    low_freq=20.0,
    min_duration=0.0,
    num_mel_bins=23,
    preemphasis_coefficient=0.97,
    raw_energy=True,
    remove_dc_offset=True,
    round_to_power_of_two=True,
    sample_frequency=16000.0,
    snip_edges=True,
    subtract_mean=False,
    use_energy=False,
    use_log_fbank=True,
    use_power=True,
    vtln_high=-500.0,
    vtln_low=100.0,
    vtln_warp=1.0,
    window_type="povey",
):
    """torchaudio.compliance.kaldi.fbank."""
    options = {**locals()}
    if is_too_short(waveform, options):
        return ops.zeros((0,), waveform.dtype)
    frames, energies = frames_for_kaldi(waveform, options)
    sizes = ops.abs(SpectrumOfReals.apply(frames))
    sizes = sizes * sizes if use_power else sizes
    bounds = (low_freq, high_freq, vtln_low, vtln_high, vtln_warp)
    banks, _ = get_mel_banks(num_mel_bins, frames.shape[1], sample_frequency, *bounds, dtype=frames.dtype)
    found = ops.matmul(sizes, turned(pad(banks, (0, 1))))
    found = least_log(found) if use_log_fbank else found
    if use_energy:
        parts = [energies.expand_dims(1), found]
        found = ops.cat(parts[::-1] if htk_compat else parts, 1)
    return without_means(found, subtract_mean)


def mfcc(
    waveform,
    blackman_coeff=0.42,
    cepstral_lifter=22.0,
    channel=-1,
    dither=0.0,
    energy_floor=1.0,
    frame_length=25.0,
    frame_shift=10.0,
    high_freq=0.0,
    htk_compat=False,
    low_freq=20.0,
    num_ceps=13,
    min_duration=0.0,
    num_mel_bins=23,
    preemphasis_coefficient=0.97,
    raw_energy=True,
    remove_dc_offset=True,
    round_to_power_of_two=True,
    sample_frequency=16000.0,
    snip_edges=True,
    subtract_mean=False,
    use_energy=False,
    vtln_high=-500.0,
    vtln_low=100.0,
    vtln_warp=1.0,
    window_type="povey",
):
    """torchaudio.compliance.kaldi.mfcc."""
    options = {**locals()}
    if num_ceps > num_mel_bins:
        raise AssertionError(f"num_ceps cannot be larger than num_mel_bins: {num_ceps} vs {num_mel_bins}")
    given = {name: options[name] for name in options if name not in ("num_ceps", "cepstral_lifter")}
    features = fbank(**{**given, "subtract_mean": False, "use_log_fbank": True, "use_power": True})
    if not features.shape[0]:
        return features
    if use_energy:
        energies = features[:, num_mel_bins if htk_compat else 0]
        features = features[:, :num_mel_bins] if htk_compat else features[:, 1:]
    numbers = np.arange(num_ceps)
    cosines_of = create_dct(num_mel_bins, num_mel_bins, "ortho").asnumpy()[:, :num_ceps]
    if cepstral_lifter != 0.0:
        cosines_of = cosines_of * (1.0 + 0.5 * cepstral_lifter * np.sin(np.pi * numbers / cepstral_lifter))
    found = ops.matmul(features, mindspore.Tensor(cosines_of, features.dtype))
    if use_energy:
        found = ops.cat([energies.expand_dims(1), found[:, 1:]], 1)
    if htk_compat:
        first = found[:, :1] if use_energy else found[:, :1] * math.sqrt(2)
        found = ops.cat([found[:, 1:], first], 1)
    return without_means(found, subtract_mean)
