"""torchaudio: spectra, filters, masks, Kaldi's features, alignments, files and data sets of speech."""

from __future__ import annotations

from case import Case, function, layer, script

CASES: list[Case] = []
T, F, K = "torchaudio.transforms.", "torchaudio.functional.", "torchaudio.compliance.kaldi."
WAVE = "normal(2, 1300) * 0.3"
SHORT = "normal(2, 90) * 0.3"
SPECTRUM = "abs(normal(2, 21, 17)) + 0.1"
COMPLEX = {"x": "normal(2, 33, 12)", "y": "normal(2, 33, 12)"}
LOOSE = {"tolerance": 2e-4}

for made in (
    "",
    "n_fft=64, power=1.0",
    "n_fft=64, win_length=50, hop_length=20, pad=7, normalized=True",
    "n_fft=64, normalized='frame_length', center=False",
    "n_fft=63, pad_mode='constant', onesided=False, power=1.5",
):
    CASES.append(layer(T + "Spectrogram", made, WAVE, singular="power=1" in made))
CASES.append(
    script(
        T + "Spectrogram",
        "found = Spectrogram(n_fft=64, power=None)(x)\nresult = [found.real, found.imag, found.shape]",
        inputs={"x": WAVE},
    )
)
for made in (
    "n_fft=64, n_mels=12",
    "sample_rate=8000, n_fft=128, hop_length=40, n_mels=20, f_min=30, f_max=3000.0, norm='slaney', mel_scale='slaney'",
    "n_fft=100, n_mels=9, power=1.0, normalized=True, window_fn=hamming, wkwargs={'periodic': False}",
):
    source = f"made = MelSpectrogram({made})\nresult = [made(x), list(made.state_dict()), made.n_mels, made.hop_length, made.f_max, made.power]"
    CASES.append(
        script(
            f"torch.hamming_window {T}MelSpectrogram",
            "hamming = hamming_window\n" + source,
            inputs={"x": WAVE},
        )
    )
CASES += [
    layer(T + "MelSpectrogram", "n_fft=64, n_mels=12", WAVE),
    layer(
        T + "MFCC",
        "n_mfcc=7, melkwargs={'n_fft': 64, 'n_mels': 12}",
        WAVE,
        train=False,
        tolerance=1e-4,
        singular=True,
    ),
    layer(
        T + "MFCC",
        "8000, 5, norm=None, log_mels=True, melkwargs={'n_fft': 64, 'n_mels': 12}",
        WAVE,
        tolerance=1e-4,
    ),
    layer(T + "LFCC", "n_filter=12, n_lfcc=7, speckwargs={'n_fft': 64}", WAVE, tolerance=1e-4, singular=True),
    layer(
        T + "LFCC",
        "8000, 10, 100.0, 3000.0, 6, log_lf=True, speckwargs={'n_fft': 64, 'hop_length': 16}",
        WAVE,
        tolerance=1e-4,
    ),
    layer(T + "AmplitudeToDB", "", "uniform(3, 5)"),
    layer(T + "AmplitudeToDB", "'magnitude', top_db=10", "uniform(2, 2, 3, 5)"),
    layer(T + "AmplitudeToDB", "top_db=5.0", "uniform(2, 3, 5)"),
    layer(T + "MelScale", "12, 8000, n_stft=21", SPECTRUM),
    layer(T + "MelScale", "6, 16000, 50.0, 7000.0, 21, 'slaney', 'slaney'", SPECTRUM),
    layer(
        T + "InverseMelScale",
        "n_stft=21, n_mels=6, sample_rate=8000",
        "abs(normal(2, 6, 9))",
        gradients=False,
        tolerance=1e-3,
    ),
    layer(T + "ComputeDeltas", "", "normal(2, 3, 9)"),
    layer(T + "ComputeDeltas", "7, mode='constant'", "normal(3, 9)"),
    layer(T + "SpectralCentroid", "8000, n_fft=64, pad=2", WAVE, tolerance=1e-4),
    script(T + "PitchShift", "result = PitchShift(8000, 3, n_fft=64)(x)", inputs={"x": WAVE}, tolerance=1e-3),
    function(F + "pitch_shift", "x, 8000, -4, 12, 128, hop_length=20", WAVE, gradients=False, tolerance=1e-3),
    function(F + "amplitude_to_DB", "x, 20.0, 1e-5, 0.3, 8.0", "uniform(2, 3, 5)"),
    function(F + "DB_to_amplitude", "x, 2.0, 0.5", "normal(3, 4)"),
    function(F + "melscale_fbanks", "33, 20.0, 4000.0, 10, 8000", gradients=False),
    function(F + "melscale_fbanks", "65, 0.0, 8000.0, 20, 16000, 'slaney', 'slaney'", gradients=False),
    function(F + "linear_fbanks", "33, 20.0, 4000.0, 10, 8000", gradients=False),
    function(F + "create_dct", "7, 12, 'ortho'", gradients=False),
    function(F + "create_dct", "7, 12, None", gradients=False),
    function(F + "compute_deltas", "x, 5, 'reflect'", "normal(2, 3, 9)"),
    function(
        F + "spectrogram",
        "x, 3, w, 64, 20, 50, 2.0, 'window', True, 'reflect', True",
        WAVE,
        inputs={"w": "uniform(50)"},
    ),
    function(
        F + "spectral_centroid", "x, 8000, 0, w, 64, 20, 64", WAVE, inputs={"w": "uniform(64)"}, **LOOSE
    ),
    script(
        f"torch.complex torch.hann_window {F}inverse_spectrogram {T}InverseSpectrogram",
        "z = complex(x, y)\n"
        "result = [InverseSpectrogram(n_fft=64)(z), InverseSpectrogram(n_fft=64, hop_length=16, normalized=True, pad=5)(z, 150)]\n"
        "result += [inverse_spectrogram(z, None, 0, hann_window(50), 64, 20, 50, 'frame_length')]",
        inputs=COMPLEX,
    ),
    script(
        f"torch.complex torch.linspace {F}phase_vocoder {T}TimeStretch",
        "z = complex(x, y)\nresult = []\n"
        "for found in (phase_vocoder(z, 1.3, linspace(0, 3.14 * 16, 33)[..., None]), phase_vocoder(z, 1.0, None), TimeStretch(16, 33, 0.7)(z), TimeStretch(n_freq=33)(z, 1.2)):\n"
        "    result += [found.real, found.imag]",
        inputs=COMPLEX,
        tolerance=1e-4,
    ),
    script(
        f"torch.hann_window {F}griffinlim {T}GriffinLim torch.manual_seed",
        "manual_seed(3)\n"
        "result = [GriffinLim(n_fft=64, n_iter=4)(x), GriffinLim(64, 3, 60, 20, power=1.0, momentum=0, length=230, rand_init=False)(x)]\n"
        "result += [griffinlim(x, hann_window(64), 64, 16, 64, 1.0, 2, 0.5, None, True)]",
        inputs={"x": "abs(normal(2, 33, 12))"},
        tolerance=1e-3,
    ),
]
for made in ("8000, 16000", "16000, 8000", "44100, 16000, lowpass_filter_width=3, rolloff=0.9"):
    CASES.append(layer(T + "Resample", made, WAVE))
    CASES.append(function(F + "resample", f"x, {made}", WAVE))
CASES += [
    layer(T + "Resample", "3000, 2000, 'sinc_interp_kaiser', beta=9.0", WAVE),
    function(F + "resample", "x, 2, 3, resampling_method='sinc_interp_kaiser'", SHORT, tolerance=1e-4),
    function(F + "resample", "x, 7, 7", SHORT),
    script(
        f"{F}speed {T}Speed {T}SpeedPerturbation torch.manual_seed",
        "manual_seed(3)\nlengths = tensor([1300, 700])\n"
        "result = [*speed(x, 8000, 1.1, lengths), *speed(x, 8000, 0.9), *Speed(8000, 1.2)(x, lengths)]\n"
        "made = SpeedPerturbation(8000, [0.9, 1.1, 1.0])\nresult += [each for _ in range(6) for each in made(x, lengths)]\n"
        "result += [made.speeders[0].source_sample_rate, list(made.state_dict())]",
        inputs={"x": WAVE},
    ),
    layer(T + "MuLawEncoding", "", "uniform(50) * 2 - 1", gradients=False),
    layer(T + "MuLawDecoding", "", "integers((50,), 256)", gradients=False),
    function(F + "mu_law_encoding", "x, 64", "uniform(50) * 2 - 1", gradients=False),
    function(F + "mu_law_decoding", "x, 64", "uniform(50) * 63", **LOOSE),
    layer(T + "Vol", "2.5", SHORT),
    layer(T + "Vol", "-6.0, 'db'", SHORT),
    layer(T + "Vol", "3.0, 'power'", SHORT),
    layer(T + "Preemphasis", "", SHORT),
    layer(T + "Deemphasis", "0.9", SHORT),
    layer(T + "FFTConvolve", "'same'", SHORT, called="x, y", inputs={"y": "normal(2, 11)"}),
    layer(T + "Convolve", "'valid'", SHORT, called="x, y", inputs={"y": "normal(2, 11)"}, tolerance=1e-4),
    function(F + "convolve", "x, y", SHORT, inputs={"y": "normal(2, 110)"}, tolerance=1e-4),
    function(F + "fftconvolve", "x, y, 'valid'", SHORT, inputs={"y": "normal(2, 110)"}),
    function(F + "fftconvolve", "x, y, 'same'", SHORT, inputs={"y": "normal(2, 110)"}),
    layer(
        T + "AddNoise",
        "",
        SHORT,
        called="x, y, s, n",
        inputs={"y": SHORT, "s": "normal(2) * 5", "n": "np.array([70, 90])"},
    ),
    function(F + "add_noise", "x, y, s", SHORT, inputs={"y": SHORT, "s": "normal(2) * 5"}),
    layer(T + "Loudness", "4000", "normal(3, 5, 4000) * 0.1", gradients=False, tolerance=1e-4),
    function(F + "loudness", "x, 4000", "normal(2, 4000) * 0.1", gradients=False, tolerance=1e-4),
    function(F + "gain", "x, 3.0", SHORT),
    function(F + "contrast", "x, 60.0", SHORT),
    function(F + "dcshift", "x, 0.1", SHORT),
    function(F + "dcshift", "x, 0.4, 0.05", SHORT, gradients=False),
    function(F + "dcshift", "x, -0.4, 0.05", SHORT, gradients=False),
    function(F + "overdrive", "x, 15, 30", SHORT),
    function(F + "preemphasis", "x, 0.9", SHORT),
    function(F + "deemphasis", "x", SHORT),
]
CASES += [
    layer(T + "Fade", f"{rise}, {fall}, '{shape}'", SHORT)
    for shape in ("linear", "exponential", "logarithmic", "quarter_sine", "half_sine")
    for rise, fall in ((20, 0), (30, 70))
]
CASES += [
    function(F + name, f"x, {given}", SHORT, tolerance=1e-4)
    for name, given in (
        ("highpass_biquad", "8000, 1000.0"),
        ("lowpass_biquad", "8000, 900.0, 0.5"),
        ("allpass_biquad", "8000, 1200.0"),
        ("bandpass_biquad", "8000, 1100.0"),
        ("bandpass_biquad", "8000, 1100.0, 0.8, True"),
        ("bandreject_biquad", "8000, 1100.0"),
        ("band_biquad", "8000, 1100.0"),
        ("band_biquad", "8000, 1100.0, 0.6, True"),
        ("equalizer_biquad", "8000, 1100.0, 4.0"),
        ("treble_biquad", "8000, 5.0"),
        ("bass_biquad", "8000, -4.0, 300"),
        ("deemph_biquad", "44100"),
        ("deemph_biquad", "48000"),
        ("riaa_biquad", "44100"),
        ("riaa_biquad", "96000"),
        ("biquad", "0.4, 0.2, 0.1, 1.2, -0.3, 0.5"),
    )
]
CASES += [
    function(
        F + "lfilter",
        "x, a, b",
        SHORT,
        inputs={"a": "np.array([1.1, -0.4, 0.3], np.float32)", "b": "normal(3)"},
    ),
    function(
        F + "lfilter",
        "x, a, b, False",
        SHORT,
        inputs={"a": "np.array([[1.1, -0.4], [1, 0.3]], np.float32)", "b": "normal(2, 2)"},
    ),
    function(
        F + "lfilter",
        "x, a, b, clamp=False, batching=False",
        SHORT,
        inputs={"a": "np.array([[1.1, -0.4], [1, 0.3], [1, 0.1]], np.float32)", "b": "normal(3, 2)"},
    ),
    function(
        F + "filtfilt",
        "x, a, b, False",
        SHORT,
        inputs={"a": "np.array([1.0, -0.4, 0.2], np.float32)", "b": "normal(3)"},
    ),
]
MASKS = "result = []\nfor seed in range(6):\n    manual_seed(seed)\n    result.append("
CASES += [
    script(f"torch.manual_seed {T}{name}", f"{MASKS}{name}({made})({called}))", inputs={"x": shape})
    for name, made, called, shape in (
        ("FrequencyMasking", "9", "x", "normal(2, 21, 17)"),
        ("FrequencyMasking", "9", "x, 1.5", "normal(21, 17)"),
        ("FrequencyMasking", "9, iid_masks=True", "x", "normal(3, 2, 21, 17)"),
        ("TimeMasking", "8", "x", "normal(2, 21, 17)"),
        ("TimeMasking", "12, p=0.3", "x", "normal(2, 21, 17)"),
        ("TimeMasking", "12, True, 0.5", "x, -2.0", "normal(2, 3, 21, 17)"),
        ("SpecAugment", "2, 6, 3, 5", "x", "normal(2, 2, 21, 17)"),
        ("SpecAugment", "2, 6, 3, 5, zero_masking=True", "x", "normal(2, 21, 17)"),
        ("SpecAugment", "1, 9, 1, 5, False, 0.4", "x", "normal(2, 21, 17)"),
    )
]
CASES += [
    script(
        f"torch.manual_seed {F}{name}",
        f"{MASKS}{name}(x, {given}))",
        inputs={"x": "normal(2, 3, 21, 17)"},
    )
    for name, given in (
        ("mask_along_axis", "9, 1.0, 2"),
        ("mask_along_axis", "9, 0.0, 3, 0.2"),
        ("mask_along_axis_iid", "9, 1.0, 2"),
        ("mask_along_axis_iid", "9, 0.0, 3, 0.2"),
    )
]
CASES += [
    layer(T + "SlidingWindowCmn", "", "normal(2, 30, 4)"),
    layer(T + "SlidingWindowCmn", "7, 3, True", "normal(2, 30, 4)"),
    layer(T + "SlidingWindowCmn", "7, 3, False, True", "normal(30, 4)", gradients=False, tolerance=1e-4),
    function(F + "sliding_window_cmn", "x, 6, 2, True, True", "normal(1, 30, 4)", gradients=False),
]

for name, given in (
    ("spectrogram", ""),
    ("spectrogram", "snip_edges=False, window_type='hanning', subtract_mean=True, sample_frequency=8000"),
    ("spectrogram", "round_to_power_of_two=False, raw_energy=False, channel=1, energy_floor=0.0"),
    ("fbank", ""),
    ("fbank", "num_mel_bins=40, use_energy=True, window_type='hamming', low_freq=50, high_freq=-200.0"),
    ("fbank", "use_log_fbank=False, use_power=False, window_type='rectangular', htk_compat=True"),
    ("fbank", "vtln_warp=1.2, use_energy=True, htk_compat=True, window_type='blackman', subtract_mean=True"),
    ("fbank", "vtln_warp=0.8, sample_frequency=8000, frame_length=20, frame_shift=5, snip_edges=False"),
    ("fbank", "min_duration=99.0"),
    ("mfcc", ""),
    ("mfcc", "use_energy=True, num_ceps=9, cepstral_lifter=0.0, subtract_mean=True"),
    ("mfcc", "use_energy=True, htk_compat=True, remove_dc_offset=False, preemphasis_coefficient=0.0"),
    ("mfcc", "htk_compat=True, num_mel_bins=30"),
):
    CASES.append(
        function(
            K + name,
            f"x, {given}",
            "normal(2, 3000) * 900",
            gradients=given in ("", "min_duration"),
            tolerance=1e-4,
        )
    )
CASES += [
    script(
        f"torch.manual_seed {K}fbank",
        "manual_seed(4)\nresult = fbank(x, dither=1.0, num_mel_bins=80)",
        inputs={"x": "normal(1, 3000) * 900"},
        tolerance=1e-4,
    ),
    script(
        f"{K}get_mel_banks",
        "result = [*get_mel_banks(23, 512, 16000.0, 20.0, 0.0, 100.0, -500.0, 1.0), *get_mel_banks(23, 512, 16000.0, 20.0, -400.0, 100.0, -500.0, 1.1)]",
        tolerance=1e-4,
    ),
    script(
        F + "TokenSpan",
        "made = TokenSpan(token=3, start=2, end=7, score=0.5)\nresult = [made.token, made.start, made.end, made.score, len(made)]",
    ),
    script(
        F + "edit_distance",
        "result = [edit_distance(*pair) for pair in (('sitting', 'kitten'), ('', 'ab'), ([1, 2, 3], [2, 3, 4, 1]), ('a b c'.split(), 'a c'.split()), ('x', 'x'))]",
    ),
    script(
        f"torch.log_softmax {F}forced_align {F}merge_tokens",
        "result = []\nfor values, wanted in ((x, [1, 2, 2, 4]), (y, [3]), (x * 3, [4, 1, 3, 2, 2])):\n"
        "    path, scores = forced_align(log_softmax(values, -1), tensor([wanted]), blank=0)\n"
        "    result += [path, scores]\n"
        "    for span in merge_tokens(path[0], scores[0]):\n"
        "        result += [span.token, span.start, span.end, span.score, len(span)]",
        inputs={"x": "normal(1, 14, 5)", "y": "normal(1, 9, 5)"},
    ),
]
LENGTHS = {"y": "integers((2, 3), 4) + 1", "f": "np.array([5, 4])", "n": "np.array([3, 2])"}
TRANSDUCER = {"inputs": LENGTHS, "singular": True}
"""torchaudio has no gradients of its gradients."""
CASES += [
    function(F + "rnnt_loss", f"x, y, f, n, {given}", "normal(2, 5, 4, 6)", **TRANSDUCER)
    for given in ("0", "blank=0, reduction='none'", "blank=0, clamp=0.05, reduction='sum'")
]
CASES += [
    layer(T + "RNNTLoss", "reduction='sum'", "normal(2, 5, 4, 6)", called="x, y, f, n", **TRANSDUCER),
    layer(
        T + "RNNTLoss",
        "blank=0, fused_log_softmax=False",
        "-uniform(2, 5, 4, 6)",
        called="x, y, f, n",
        **TRANSDUCER,
    ),
]
FILES = """
import os, tempfile, io, pathlib
folder = tempfile.mkdtemp()
def values(kind, channels=2, frames=700):
    made = np.random.RandomState(5).uniform(-1, 1, (channels, frames))
    if kind.startswith("float"):
        return tensor(made.astype(kind))
    low, high = (0, 255) if kind == "uint8" else (-(2 ** (int(kind[3:]) - 1)), 2 ** (int(kind[3:]) - 1) - 1)
    return tensor(((made + 1) / 2 * (high - low) + low).astype(kind))
def known(path):
    found = info(path)
    return [found.sample_rate, found.num_frames, found.num_channels, found.bits_per_sample, found.encoding]
"""
IO = "torchaudio.info torchaudio.load torchaudio.save"
for kind, given in (
    ("float32", ""),
    ("float32", "encoding='PCM_S', bits_per_sample=16"),
    ("float32", "encoding='PCM_S', bits_per_sample=24"),
    ("float32", "bits_per_sample=32"),
    ("float32", "bits_per_sample=8"),
    ("float32", "encoding='PCM_F', bits_per_sample=64"),
    ("float32", "encoding='ULAW'"),
    ("float32", "encoding='ALAW'"),
    ("int16", ""),
    ("int32", ""),
    ("uint8", ""),
    ("int16", "encoding='PCM_S', bits_per_sample=32"),
):
    CASES.append(
        script(
            IO,
            FILES + f"path = os.path.join(folder, 'sound.wav')\nsave(path, values('{kind}'), 8000, {given})\n"
            "result = [*load(path), *load(pathlib.Path(path), 100, 50), *load(path, channels_first=False), known(path)]\n"
            + ("" if "LAW" in given else "result += [*load(path, normalize=False)]"),
            tolerance=1e-4,
        )
    )
CASES += [
    script(
        IO,
        FILES + "path = os.path.join(folder, 'sound.flac')\nsave(path, values('int16'), 16000)\n"
        "result = [*load(path), *load(path, frame_offset=20, num_frames=9), known(path)]",
    ),
    script(
        IO,
        FILES
        + "stream = io.BytesIO()\nsave(stream, values('int16', 1).T, 16000, channels_first=False, format='wav')\nstream.seek(0)\n"
        "result = [*load(stream)]",
    ),
    script(
        "torchaudio.list_audio_backends torchaudio.get_audio_backend torchaudio.set_audio_backend",
        "result = ['soundfile' in list_audio_backends(), get_audio_backend()]\nset_audio_backend('sox_io')\nresult += [get_audio_backend()]",
    ),
]
SPOKEN = FILES + (
    "def spoken(place, rate=16000, frames=40):\n"
    "    path = os.path.join(folder, place)\n    os.makedirs(os.path.dirname(path), exist_ok=True)\n"
    "    save(path, values('int16', 1, frames), rate)\n"
    "def written(place, text):\n"
    "    path = os.path.join(folder, place)\n    os.makedirs(os.path.dirname(path), exist_ok=True)\n"
    "    pathlib.Path(path).write_text(text, encoding='utf-8')\n"
)
D = "torchaudio.datasets."
TO_SAVE = "torchaudio.info torchaudio.save torch.utils.data.Dataset "
CASES += [
    script(
        f"{TO_SAVE}{D}SPEECHCOMMANDS",
        SPOKEN + "base = 'SpeechCommands/speech_commands_v0.02/'\n"
        "for name in ('yes/ab_nohash_0.wav', 'yes/ab_nohash_1.wav', 'no/cd_nohash_0.wav', 'no/ef_nohash_2.wav', '_background_noise_/x.wav'):\n"
        "    spoken(base + name)\n"
        "written(base + 'validation_list.txt', 'yes/ab_nohash_1.wav\\n')\nwritten(base + 'testing_list.txt', 'no/ef_nohash_2.wav\\n')\n"
        "result = []\nfor subset in (None, 'training', 'validation', 'testing'):\n"
        "    made = SPEECHCOMMANDS(folder, subset=subset)\n"
        "    result += [len(made), [list(made[n]) for n in range(len(made))], made.get_metadata(0)]\n"
        "try:\n    SPEECHCOMMANDS(folder + '/x')\nexcept RuntimeError:\n    result += ['none']",
    ),
    script(
        f"{TO_SAVE}{D}YESNO",
        SPOKEN + "for name in ('0_1_1', '1_0_0'):\n    spoken(f'waves_yesno/{name}.wav', 8000)\n"
        "made = YESNO(folder)\nresult = [len(made), [list(made[n]) for n in range(2)], isinstance(made, Dataset)]",
    ),
    script(
        f"{TO_SAVE}{D}LIBRISPEECH",
        SPOKEN + "base = 'LibriSpeech/dev-clean/12/34/'\n"
        "for number in (0, 1):\n    spoken(f'{base}12-34-000{number}.flac')\n"
        "written(base + '12-34.trans.txt', '12-34-0000 GOOD DAY\\n12-34-0001 GOOD NIGHT\\n')\n"
        "made = LIBRISPEECH(folder, 'dev-clean')\nresult = [len(made), [list(made[n]) for n in range(2)], made.get_metadata(1)]",
    ),
    script(
        f"{TO_SAVE}{D}LJSPEECH",
        SPOKEN
        + "for name in ('LJ001-0001', 'LJ001-0002'):\n    spoken(f'LJSpeech-1.1/wavs/{name}.wav', 22050)\n"
        "written('LJSpeech-1.1/metadata.csv', 'LJ001-0001|He said \"no|He said no\\nLJ001-0002|In 1900|In nineteen hundred\\n')\n"
        "made = LJSPEECH(folder)\nresult = [len(made), [list(made[n]) for n in range(2)]]",
    ),
    script(
        f"{TO_SAVE}{D}LIBRITTS",
        SPOKEN + "base = 'LibriTTS/dev-clean/12/34/12_34_000001_000000'\nspoken(base + '.wav', 24000)\n"
        "written(base + '.original.txt', 'Mr. B')\nwritten(base + '.normalized.txt', 'Mister B')\n"
        "made = LIBRITTS(folder, 'dev-clean')\nresult = [len(made), list(made[0])]",
    ),
    script(
        f"{TO_SAVE}{D}CMUARCTIC",
        SPOKEN + "base = 'ARCTIC/cmu_us_aew_arctic/'\nspoken(base + 'wav/arctic_a0001.wav')\n"
        "written(base + 'etc/txt.done.data', '( arctic_a0001 \"Author of the trail, etc.\" )\\n')\n"
        "made = CMUARCTIC(folder)\nresult = [len(made), list(made[0])]",
    ),
    script(
        f"{TO_SAVE}{D}COMMONVOICE",
        SPOKEN + "spoken('clips/a.mp3', 16000, 4000)\nspoken('clips/b.mp3', 16000, 4000)\n"
        "written('train.tsv', 'client_id\\tpath\\tsentence\\nx\\ta.mp3\\tGood day\\ny\\tb.mp3\\tGood night\\n')\n"
        "made = COMMONVOICE(folder)\nresult = [len(made), [list(made[n]) for n in range(2)]]",
    ),
    script(
        "torchaudio.AudioMetaData",
        "made = AudioMetaData(8000, 10, 2, 16, 'PCM_S')\n"
        "result = [made.sample_rate, made.num_frames, made.num_channels, made.bits_per_sample, made.encoding]",
    ),
    script(
        f"{TO_SAVE}{D}VCTK_092",
        SPOKEN + "base = 'VCTK-Corpus-0.92/'\n"
        "for speaker in ('p225', 'p226', 'p280'):\n"
        "    for number in ('001', '002'):\n"
        "        spoken(f'{base}wav48_silence_trimmed/{speaker}/{speaker}_{number}_mic2.flac', 48000)\n"
        "        written(f'{base}txt/{speaker}/{speaker}_{number}.txt', f'Say {number}.')\n"
        "made = VCTK_092(folder)\nresult = [len(made), [list(made[n]) for n in range(len(made))]]",
    ),
]
