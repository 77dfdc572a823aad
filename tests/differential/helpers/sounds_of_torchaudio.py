"""torchaudio for comparisons: its own functions, and `load`, `info` and `save` as up to 2.8, by the package soundfile;
later releases need a library that is bound to a release of PyTorch."""

from __future__ import annotations

import itertools
from collections import namedtuple
from typing import Any

import soundfile
import torch
import torchaudio
from torchaudio.functional import filtering

AudioMetaData = namedtuple(
    "AudioMetaData", ["sample_rate", "num_frames", "num_channels", "bits_per_sample", "encoding"]
)
DTYPES = {"PCM_U8": "int16", "PCM_16": "int16", "PCM_24": "int32", "PCM_32": "int32", "DOUBLE": "float64"}


def load(
    uri: Any, frame_offset: int = 0, num_frames: int = -1, normalize: bool = True, channels_first: bool = True
) -> Any:
    kind = "float32"
    if not normalize and soundfile.info(uri).format.startswith("WAV"):
        kind = DTYPES.get(soundfile.info(uri).subtype, kind)
    found, rate = soundfile.read(uri, num_frames, frame_offset, dtype=kind, always_2d=True)
    values = torch.from_numpy(found)
    if not normalize and soundfile.info(uri).subtype == "PCM_U8":
        values = (values.int() // 256 + 128).to(torch.uint8)
    return (values.t() if channels_first else values), rate


def info(uri: Any) -> Any:
    found = soundfile.info(uri)
    bits = {"PCM_U8": 8, "PCM_16": 16, "PCM_24": 24, "FLOAT": 32, "DOUBLE": 64, "VORBIS": 0}
    kinds = {"PCM_U8": "PCM_U", "FLOAT": "PCM_F", "DOUBLE": "PCM_F", "ULAW": "ULAW", "ALAW": "ALAW"}
    kind = kinds.get(found.subtype, "PCM_S")
    return AudioMetaData(
        sample_rate=found.samplerate,
        num_frames=found.frames,
        num_channels=found.channels,
        bits_per_sample=bits.get(found.subtype, 8 if kind.endswith("LAW") else 32),
        encoding="FLAC" if found.format == "FLAC" else "VORBIS" if found.subtype == "VORBIS" else kind,
    )


def save(
    uri: Any,
    src: torch.Tensor,
    sample_rate: int,
    channels_first: bool = True,
    format: str | None = None,
    encoding: str | None = None,
    bits_per_sample: int | None = None,
) -> None:
    kinds = {torch.float32: "FLOAT", torch.float64: "DOUBLE", torch.int32: "PCM_32", torch.int16: "PCM_16"}
    kind = kinds.get(src.dtype, "PCM_U8")
    if encoding in ("ULAW", "ALAW"):
        kind = encoding
    elif encoding == "PCM_F":
        kind = "DOUBLE" if bits_per_sample == 64 else "FLOAT"
    elif encoding is not None or bits_per_sample is not None:
        kind = (
            "PCM_U8" if 8 in (bits_per_sample, encoding == "PCM_U" and 8) else f"PCM_{bits_per_sample or 32}"
        )
    values = src.t().numpy() if channels_first else src.numpy()
    if src.dtype == torch.uint8:
        values = ((src.t() if channels_first else src).short() - 128).mul(256).numpy()
    is_wave = str(uri).endswith(".wav") or format == "wav"
    soundfile.write(uri, values, sample_rate, subtype=kind if is_wave else None, format=format)


def aligned(scores: torch.Tensor, wanted: list[int], blank: int) -> list[int]:
    """The most likely labels by frame, of all that there are: how long each is heard, blanks perhaps not at all."""
    labels = [blank] + [label for each in wanted for label in (each, blank)]
    needed = [
        int(number % 2 == 1 or (1 < number < len(labels) - 1 and labels[number - 1] == labels[number + 1]))
        for number in range(len(labels))
    ]
    spare = len(scores) - sum(needed)
    found: tuple[float, list[int]] = (-float("inf"), [])
    rows = scores.tolist()
    for chosen in itertools.combinations_with_replacement(range(len(labels)), spare):
        lengths = [least + chosen.count(number) for number, least in enumerate(needed)]
        path = [label for label, length in zip(labels, lengths, strict=True) for _ in range(length)]
        found = max(found, (sum(row[label] for row, label in zip(rows, path, strict=True)), path))
    return found[1]


def forced_align(log_probs: torch.Tensor, targets: torch.Tensor, blank: int = 0) -> Any:
    path = torch.tensor([aligned(log_probs[0], targets[0].tolist(), blank)])
    return path, log_probs.gather(2, path[:, :, None])[:, :, 0]


def rnnt_loss(
    logits: torch.Tensor,
    targets: torch.Tensor,
    logit_lengths: torch.Tensor,
    target_lengths: torch.Tensor,
    blank: int = -1,
    clamp: float = -1,
    reduction: str = "mean",
    fused_log_softmax: bool = True,
) -> torch.Tensor:
    """Over all ways of putting the frames' ends between the tokens."""
    if clamp > 0:
        logits.register_hook(lambda gradient: gradient.clamp(-clamp, clamp))
    values = logits.log_softmax(-1) if fused_log_softmax else logits
    costs = []
    for number, (frames, length) in enumerate(
        zip(logit_lengths.tolist(), target_lengths.tolist(), strict=True)
    ):
        ways = []
        for chosen in itertools.combinations_with_replacement(range(frames), length):
            said = [
                values[number, frame, place, targets[number, place]] for place, frame in enumerate(chosen)
            ]
            before = [sum(each <= frame for each in chosen) for frame in range(frames)]
            waited = [values[number, frame, place, blank] for frame, place in enumerate(before)]
            ways.append(torch.stack(said + waited).sum())
        costs.append(-torch.stack(ways).logsumexp(0))
    found = torch.stack(costs)
    return {"none": lambda: found, "mean": found.mean, "sum": found.sum}[reduction]()


class RNNTLoss(torch.nn.Module):
    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.options = options

    def forward(self, *given: torch.Tensor) -> torch.Tensor:
        return rnnt_loss(*given, **self.options)


COMPILED = {
    "torchaudio.functional.forced_align": forced_align,
    "torchaudio.functional.rnnt_loss": rnnt_loss,
    "torchaudio.transforms.RNNTLoss": RNNTLoss,
}
BACKENDS = ["soundfile"]
OWN = {
    "load": load,
    "info": info,
    "save": save,
    "list_audio_backends": lambda: ["soundfile"],
    "get_audio_backend": lambda: BACKENDS[-1],
    "set_audio_backend": BACKENDS.append,
    "AudioMetaData": AudioMetaData,
}
torchaudio.load = load  # what its data sets read with
filtering._lfilter_core_loop = lambda given, *others: filtering._lfilter_core_generic_loop(
    given.clone(), *others
)
"""Without its compiled part, torchaudio's filters change what they are given, which then has no gradient."""


def of_torchaudio(api: str) -> Any:
    """What stands for a name of `torchaudio` itself, and for what is compiled; None for others."""
    package, _, name = api.rpartition(".")
    return OWN[name] if package == "torchaudio" else COMPILED.get(api)
