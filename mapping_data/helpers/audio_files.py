"""torchaudio's reading and writing of sound: WAV by itself, all else by the package soundfile."""

import io
import os
import struct

import mindspore
import numpy as np

AUDIO_ENCODINGS = {1: "PCM_S", 3: "PCM_F", 6: "ALAW", 7: "ULAW"}
"""How the samples of WAV are written, by the number in its header."""


class AudioMetaData:
    """torchaudio.AudioMetaData."""

    def __init__(self, sample_rate, num_frames, num_channels, bits_per_sample, encoding):
        self.sample_rate, self.num_frames, self.num_channels = sample_rate, num_frames, num_channels
        self.bits_per_sample, self.encoding = bits_per_sample, encoding

    def __str__(self):
        told = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"AudioMetaData({told})"

    __repr__ = __str__


class WaveFile:
    """What the header of a WAV file says, and its samples."""

    def __init__(self, stream):
        self.format = None
        while True:
            head = stream.read(8)
            if len(head) < 8:
                raise RuntimeError("The file has no samples.")
            name, size = struct.unpack("<4sI", head)
            if name == b"data":
                self.samples = stream.read(size)
                break
            kept = stream.read(size + size % 2)
            if name == b"fmt ":
                self._read_format(kept)
        if self.format is None:
            raise RuntimeError("The file does not say how its samples are written.")

    def _read_format(self, kept):
        fields = struct.unpack_from("<HHIIHH", kept)
        self.format, self.channels, self.rate, self.bits = fields[0], fields[1], fields[2], fields[5]
        if self.format == 0xFFFE:  # said further behind
            (self.format,) = struct.unpack_from("<H", kept, 24)
        if self.format not in AUDIO_ENCODINGS:
            raise RuntimeError(f"WAV of the format {self.format} cannot be read.")

    def metadata(self):
        encoding = "PCM_U" if self.format == 1 and self.bits == 8 else AUDIO_ENCODINGS[self.format]
        frames = len(self.samples) // (self.channels * self.bits // 8)
        return AudioMetaData(self.rate, frames, self.channels, self.bits, encoding)

    def values(self):
        """The samples as they are written, a column for each channel; those of 24 bits as of 32."""
        whole = len(self.samples) - len(self.samples) % (self.channels * self.bits // 8)
        raw = self.samples[:whole]
        if self.format == 3:
            found = np.frombuffer(raw, f"<f{self.bits // 8}")
        elif self.format in (6, 7):
            found = (ulaw_values if self.format == 7 else alaw_values)(np.frombuffer(raw, np.uint8))
        elif self.bits == 24:
            parts = np.zeros((whole // 3, 4), np.uint8)
            parts[:, 1:] = np.frombuffer(raw, np.uint8).reshape(-1, 3)
            found = parts.view("<i4")[:, 0]
        else:
            found = np.frombuffer(raw, "u1" if self.bits == 8 else f"<i{self.bits // 8}")
        return found.reshape(-1, self.channels)


def ulaw_values(codes):
    """The samples of µ-law, as of 16 bits (ITU-T G.711)."""
    codes = ~codes
    shift, step = (codes >> 4 & 7).astype(np.int32), (codes & 15).astype(np.int32)
    size = (((step << 3) + 132) << shift) - 132
    return np.where(codes & 128, -size, size).astype(np.int16)


def alaw_values(codes):
    """The samples of A-law, as of 16 bits (ITU-T G.711)."""
    codes = codes ^ 0x55
    shift, step = (codes >> 4 & 7).astype(np.int32), (codes & 15).astype(np.int32)
    size = np.where(shift == 0, (step << 4) + 8, ((step << 4) + 264) << np.maximum(shift - 1, 0))
    return np.where(codes & 128, size, -size).astype(np.int16)


def as_single(values):
    """Samples as numbers from -1 to 1."""
    if values.dtype.kind == "f":
        return values.astype(np.float32)
    if values.dtype == np.uint8:
        return ((values.astype(np.float32) - 128) / 128).astype(np.float32)
    return (values / np.float64(2.0 ** (8 * values.dtype.itemsize - 1))).astype(np.float32)


def opened_sound(uri):
    """A stream of a path or of what has `read`, and whether it is of WAV, whose samples come next."""
    stream = uri if hasattr(uri, "read") else open(os.fspath(uri), "rb")  # noqa: SIM115 closed later
    if not hasattr(stream, "seekable") or not stream.seekable():
        stream = io.BytesIO(stream.read())
    at = stream.tell()
    head = stream.read(12)
    if head[:4] == b"RIFF" and head[8:] == b"WAVE":
        return stream, True
    stream.seek(at)
    return stream, False


def soundfile_for(what):
    """The package soundfile."""
    try:
        import soundfile
    except ImportError as error:
        raise RuntimeError(f"{what} needs the package soundfile: pip install soundfile") from error
    return soundfile


def sound_info(uri, format=None, buffer_size=4096, backend=None):
    """torchaudio.info: what a file says of its sound."""
    stream, is_wave = opened_sound(uri)
    if is_wave:
        return WaveFile(stream).metadata()
    found = soundfile_for("Sound that is not in a WAV file").info(stream)
    kind = {"VORBIS": "VORBIS", "MPEG_LAYER_III": "MP3", "OPUS": "OPUS"}.get(found.subtype)
    bits = (
        0
        if kind
        else {"PCM_16": 16, "PCM_24": 24, "PCM_32": 32, "FLOAT": 32, "DOUBLE": 64}.get(found.subtype, 8)
    )
    if kind is None and found.format == "FLAC":
        kind = "FLAC"
    names = {"PCM_U8": "PCM_U", "FLOAT": "PCM_F", "DOUBLE": "PCM_F", "ULAW": "ULAW", "ALAW": "ALAW"}
    kind = kind or names.get(found.subtype, "PCM_S")
    return AudioMetaData(found.samplerate, found.frames, found.channels, bits, kind)


def load_sound(
    uri,
    frame_offset=0,
    num_frames=-1,
    normalize=True,
    channels_first=True,
    format=None,
    buffer_size=4096,
    backend=None,
):
    """torchaudio.load: the wave and its sample rate. Numbers from -1 to 1, or with `normalize=False` the
    samples of WAV as they are written."""
    stream, is_wave = opened_sound(uri)
    last = None if num_frames == -1 else frame_offset + num_frames
    if is_wave:
        file = WaveFile(stream)
        values, rate = file.values()[frame_offset:last], file.rate
        values = as_single(values) if normalize else values
    else:
        soundfile = soundfile_for("Sound that is not in a WAV file")
        values, rate = soundfile.read(stream, num_frames, frame_offset, dtype="float32", always_2d=True)
    if stream is not uri and not hasattr(uri, "read"):
        stream.close()
    return mindspore.Tensor(np.array(values.T if channels_first else values, order="C")), rate


def sound_subtype(dtype, encoding, bits_per_sample):
    """How WAV is written: the name of the encoding and the bits of a sample."""
    by_dtype = {"float32": ("PCM_F", 32), "float64": ("PCM_F", 64), "int32": ("PCM_S", 32)}
    by_dtype |= {"int16": ("PCM_S", 16), "uint8": ("PCM_U", 8)}
    if encoding is None:
        if bits_per_sample is None:
            return by_dtype[str(dtype)]
        return ("PCM_U" if bits_per_sample == 8 else "PCM_S"), bits_per_sample
    if encoding == "PCM_S" and bits_per_sample == 8:
        raise ValueError("wav does not support 8-bit signed PCM encoding.")
    usual = {"PCM_S": 32, "PCM_U": 8, "PCM_F": 32, "ULAW": 8, "ALAW": 8}
    if encoding not in usual:
        raise ValueError(f"wav does not support {encoding}.")
    return encoding, bits_per_sample or usual[encoding]


def samples_as(values, encoding, bits):
    """The bytes of samples."""
    if encoding == "PCM_F":
        return as_floats(values).astype(f"<f{bits // 8}").tobytes()
    if values.dtype.kind == "f":
        scaled = np.rint(values.astype(np.float64) * 2.0**31)
        wide = scaled.clip(-(2.0**31), 2.0**31 - 1).astype(np.int64)
    elif values.dtype == np.uint8:
        wide = (values.astype(np.int64) - 128) << 24
    else:
        wide = values.astype(np.int64) << (32 - 8 * values.dtype.itemsize)
    kept = wide >> (32 - bits)
    if bits == 8:
        return (kept + 128).astype(np.uint8).tobytes()
    if bits == 24:
        parts = np.ascontiguousarray(kept, "<i4").view(np.uint8).reshape(-1, 4)
        return np.ascontiguousarray(parts[:, :3]).tobytes()
    return kept.astype(f"<i{bits // 8}").tobytes()


def as_floats(values):
    """Samples as numbers from -1 to 1, those of 64 bits as they are."""
    return values if values.dtype == np.float64 else as_single(values)


def save_sound(
    uri,
    src,
    sample_rate,
    channels_first=True,
    format=None,
    encoding=None,
    bits_per_sample=None,
    buffer_size=4096,
    backend=None,
    compression=None,
):
    """torchaudio.save: as WAV, of the Tensor's own dtype where nothing else is asked for."""
    if src.ndim != 2:
        raise ValueError(f"Expected 2D Tensor, got {src.ndim}D.")
    values = src.asnumpy()
    values = values.T if channels_first else values
    name = "" if hasattr(uri, "write") else os.fspath(uri)
    kind = (format or os.path.splitext(name)[1][1:] or "wav").lower()
    if kind != "wav" or encoding in ("ULAW", "ALAW"):
        soundfile = soundfile_for("Writing sound that is not PCM in a WAV file")
        subtype = encoding if encoding in ("ULAW", "ALAW") else None
        if subtype is None and kind == "flac" and bits_per_sample is not None:
            subtype = "PCM_S8" if bits_per_sample == 8 else f"PCM_{bits_per_sample}"
        soundfile.write(uri, values, sample_rate, subtype=subtype, format=kind)
        return
    encoding, bits = sound_subtype(values.dtype, encoding, bits_per_sample)
    written = samples_as(values, encoding, bits)
    channels, size = values.shape[1], bits // 8
    shape = (3 if encoding == "PCM_F" else 1, channels, sample_rate, sample_rate * channels * size)
    body = b"WAVE" + struct.pack("<4sIHHIIHH", b"fmt ", 16, *shape, channels * size, bits)
    if encoding == "PCM_F":
        body += struct.pack("<4sII", b"fact", 4, len(values))
    body += struct.pack("<4sI", b"data", len(written)) + written + b"\0" * (len(written) % 2)
    whole = struct.pack("<4sI", b"RIFF", len(body)) + body
    if hasattr(uri, "write"):
        uri.write(whole)
        return
    with open(name, "wb") as file:
        file.write(whole)


def list_audio_backends():
    """torchaudio.list_audio_backends."""
    return ["soundfile"]


# What get_audio_backend says
sound_reader = {"name": "soundfile"}


def get_audio_backend():
    """torchaudio.get_audio_backend: a name, as until 2.0, since programs ask which arguments `load` takes."""
    return sound_reader["name"]


def set_audio_backend(backend):
    """torchaudio.set_audio_backend: sounds are read in the same way all the same."""
    sound_reader["name"] = backend
