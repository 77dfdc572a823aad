"""torchaudio's filters: recursive ones along the last axis, by their coefficients or by what they are for."""

import math

import mindspore
import numpy as np
from mindspore import ops
from scipy import signal


class AllPoles(Function):
    """The part of filters that reads what it gave before: y[t] = x[t] - a[1] y[t-1] - a[2] y[t-2] ..., for
    rows of waves and of coefficients, of which the first is 1."""

    @staticmethod
    def forward(ctx, waves, coefficients):
        made = [
            signal.lfilter([1.0], row, wave)
            for wave, row in zip(
                waves.asnumpy().astype(np.float64), coefficients.asnumpy().astype(np.float64)
            )
        ]
        found = mindspore.Tensor(np.stack(made), waves.dtype)
        ctx.save_for_backward(found, coefficients)
        return found

    @staticmethod
    def backward(ctx, gradient):
        found, coefficients = ctx.saved_tensors
        of_waves = ops.flip(AllPoles.apply(ops.flip(gradient, (1,)), coefficients), (1,))
        length = found.shape[1]
        of_coefficients = [ops.zeros_like(found[:, :1])]
        for delay in range(1, coefficients.shape[1]):
            kept = max(0, length - delay)
            of_coefficients.append(-(of_waves[:, length - kept :] * found[:, :kept]).sum(1, keepdims=True))
        return of_waves, ops.cat(of_coefficients, 1)


def delayed_sum(waves, coefficients):
    """The part of filters that reads only what it is given: b[0] x[t] + b[1] x[t-1] ..., for rows of both."""
    length = waves.shape[1]
    padded = pad(waves, (coefficients.shape[1] - 1, 0))
    start = coefficients.shape[1] - 1
    return sum(
        coefficients[:, delay : delay + 1] * padded[:, start - delay : start - delay + length]
        for delay in range(coefficients.shape[1])
    )


def lfilter(waveform, a_coeffs, b_coeffs, clamp=True, batching=True):
    """torchaudio.functional.lfilter."""
    if a_coeffs.shape != b_coeffs.shape or a_coeffs.ndim > 2:
        raise ValueError("Expected coeffs to be 1D or 2D, of the same shape.")
    if a_coeffs.ndim > 1:
        banks = a_coeffs.shape[0]
        if batching and (waveform.ndim < 2 or waveform.shape[-2] != banks):
            raise ValueError("Expected number of batches in waveform and coeffs to be the same")
        if not batching:
            shape = (*waveform.shape[:-1], banks, waveform.shape[-1])
            waveform = ops.broadcast_to(waveform.expand_dims(-2), shape)
    else:
        a_coeffs, b_coeffs = a_coeffs.expand_dims(0), b_coeffs.expand_dims(0)
    joined, apart = joined_axes(waveform, 1)
    times = joined.shape[0] // a_coeffs.shape[0]
    first = a_coeffs[:, :1]
    numerator, denominator = (ops.tile(each / first, (times, 1)) for each in (b_coeffs, a_coeffs))
    found = apart(AllPoles.apply(delayed_sum(joined, numerator), denominator))
    return within_one(found) if clamp else found


def within_one(waveform):
    """A wave whose values are cut off at 1 and -1."""
    return clamp(waveform, -1.0, 1.0)


def filtfilt(waveform, a_coeffs, b_coeffs, clamp=True):
    """torchaudio.functional.filtfilt: forwards, then backwards."""
    forwards = lfilter(waveform, a_coeffs, b_coeffs, clamp=False)
    last = (forwards.ndim - 1,)
    return ops.flip(lfilter(ops.flip(forwards, last), a_coeffs, b_coeffs, clamp=clamp), last)


def coefficient_rows(waveform, *coefficients):
    """Coefficients, which may be Tensors, as one Tensor."""
    return ops.stack(
        [
            each.reshape(()).astype(waveform.dtype)
            if isinstance(each, mindspore.Tensor)
            else mindspore.Tensor(each, waveform.dtype)
            for each in coefficients
        ]
    )


def biquad(waveform, b0, b1, b2, a0, a1, a2):
    """torchaudio.functional.biquad."""
    a_coeffs, b_coeffs = coefficient_rows(waveform, a0, a1, a2), coefficient_rows(waveform, b0, b1, b2)
    return lfilter(waveform, a_coeffs, b_coeffs)


def sine_and_cosine_of(angle_of):
    """The sine and the cosine of a number, or of a Tensor."""
    if isinstance(angle_of, mindspore.Tensor):
        return ops.sin(angle_of), ops.cos(angle_of)
    return math.sin(angle_of), math.cos(angle_of)


def angles_of(sample_rate, frequency, Q):
    """What the formulas of filters are made of: half of the sine by the quality, and the cosine."""
    sine, cosine_of = sine_and_cosine_of(2 * math.pi * frequency / sample_rate)
    return sine / 2 / Q, cosine_of


def highpass_biquad(waveform, sample_rate, cutoff_freq, Q=0.707):
    """torchaudio.functional.highpass_biquad."""
    alpha, turn = angles_of(sample_rate, cutoff_freq, Q)
    half = (1 + turn) / 2
    return biquad(waveform, half, -1 - turn, half, 1 + alpha, -2 * turn, 1 - alpha)


def lowpass_biquad(waveform, sample_rate, cutoff_freq, Q=0.707):
    """torchaudio.functional.lowpass_biquad."""
    alpha, turn = angles_of(sample_rate, cutoff_freq, Q)
    half = (1 - turn) / 2
    return biquad(waveform, half, 1 - turn, half, 1 + alpha, -2 * turn, 1 - alpha)


def allpass_biquad(waveform, sample_rate, central_freq, Q=0.707):
    """torchaudio.functional.allpass_biquad."""
    alpha, turn = angles_of(sample_rate, central_freq, Q)
    return biquad(waveform, 1 - alpha, -2 * turn, 1 + alpha, 1 + alpha, -2 * turn, 1 - alpha)


def bandpass_biquad(waveform, sample_rate, central_freq, Q=0.707, const_skirt_gain=False):
    """torchaudio.functional.bandpass_biquad."""
    alpha, turn = angles_of(sample_rate, central_freq, Q)
    top = alpha * Q if const_skirt_gain else alpha
    return biquad(waveform, top, 0.0, -top, 1 + alpha, -2 * turn, 1 - alpha)


def bandreject_biquad(waveform, sample_rate, central_freq, Q=0.707):
    """torchaudio.functional.bandreject_biquad."""
    alpha, turn = angles_of(sample_rate, central_freq, Q)
    return biquad(waveform, 1.0, -2 * turn, 1.0, 1 + alpha, -2 * turn, 1 - alpha)


def powers_of(gain_of):
    """The square root of the factor of a gain in decibels, and the root of that."""
    amplitude = ops.pow(10.0, gain_of / 40) if isinstance(gain_of, mindspore.Tensor) else 10 ** (gain_of / 40)
    return amplitude, amplitude**0.5


def equalizer_biquad(waveform, sample_rate, center_freq, gain, Q=0.707):
    """torchaudio.functional.equalizer_biquad."""
    alpha, turn = angles_of(sample_rate, center_freq, Q)
    size, _ = powers_of(gain)
    above, below = alpha * size, alpha / size
    return biquad(waveform, 1 + above, -2 * turn, 1 - above, 1 + below, -2 * turn, 1 - below)


def band_biquad(waveform, sample_rate, central_freq, Q=0.707, noise=False):
    """torchaudio.functional.band_biquad."""
    _, turn = angles_of(sample_rate, central_freq, Q)
    width = -2 * math.pi * (central_freq / Q) / sample_rate
    last = ops.exp(width) if isinstance(width, mindspore.Tensor) else math.exp(width)
    middle = -4 * last / (1 + last) * turn
    top = (1 - middle * middle / (4 * last)) ** 0.5 * (1 - last)
    if noise:
        top = (((1 + last) * (1 + last) - middle * middle) * (1 - last) / (1 + last)) ** 0.5
    return biquad(waveform, top, 0.0, 0.0, 1.0, middle, last)


def shelf(size, slope, turn):
    """The coefficients of a filter that raises all above a frequency, first those of what it is given."""
    more, less = size + 1, size - 1
    return (
        size * (more + less * turn + slope),
        -2 * size * (less + more * turn),
        size * (more + less * turn - slope),
        more - less * turn + slope,
        2 * (less - more * turn),
        more - less * turn - slope,
    )


def treble_biquad(waveform, sample_rate, gain, central_freq=3000, Q=0.707):
    """torchaudio.functional.treble_biquad."""
    alpha, turn = angles_of(sample_rate, central_freq, Q)
    size, root = powers_of(gain)
    return biquad(waveform, *shelf(size, 2 * root * alpha, turn))


def bass_biquad(waveform, sample_rate, gain, central_freq=100, Q=0.707):
    """torchaudio.functional.bass_biquad."""
    alpha, turn = angles_of(sample_rate, central_freq, Q)
    size, root = powers_of(gain)
    b0, b1, b2, a0, a1, a2 = shelf(size, 2 * root * alpha, -turn)  # the mirror image
    return biquad(waveform, b0, -b1, b2, a0, -a1, a2)


def deemph_biquad(waveform, sample_rate):
    """torchaudio.functional.deemph_biquad: of ISO 908, as compact discs are."""
    by_rate = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}
    if sample_rate not in by_rate:
        raise ValueError("Sample rate must be 44100 (audio-CD) or 48000 (DAT)")
    frequency, slope, level = by_rate[sample_rate]
    size, root = powers_of(level)
    sine, turn = sine_and_cosine_of(2 * math.pi * frequency / sample_rate)
    alpha = sine / 2 * math.sqrt((size + 1 / size) * (1 / slope - 1) + 2)
    return biquad(waveform, *shelf(size, 2 * root * alpha, turn))


def riaa_biquad(waveform, sample_rate):
    """torchaudio.functional.riaa_biquad: for records."""
    by_rate = {
        44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
        48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
        88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
        96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
    }
    if sample_rate not in by_rate:
        raise ValueError("Sample rate must be 44.1k, 48k, 88.2k, or 96k")
    top, bottom = (np.poly(roots) for roots in by_rate[sample_rate])
    around = np.exp(-2j * math.pi * 1000 / sample_rate * np.arange(3))  # as loud as before at 1,000 Hz
    top = top * abs((around @ bottom) / (around @ top))
    return biquad(waveform, *map(float, top), *map(float, bottom))


def deemphasis(waveform, coeff=0.97):
    """torchaudio.functional.deemphasis."""
    a_coeffs, b_coeffs = coefficient_rows(waveform, 1.0, -coeff), coefficient_rows(waveform, 1.0, 0.0)
    return lfilter(waveform, a_coeffs, b_coeffs)


def overdrive(waveform, gain=20, colour=20):
    """torchaudio.functional.overdrive."""
    loud = waveform * 10 ** (gain / 20) + colour / 200
    bent = clamp(loud, -1.0, 1.0)
    bent = bent - bent * bent * bent / 3
    a_coeffs, b_coeffs = coefficient_rows(waveform, 1.0, -0.995), coefficient_rows(waveform, 1.0, -1.0)
    return within_one(waveform * 0.5 + lfilter(bent, a_coeffs, b_coeffs, clamp=False) * 0.75)
