"""torch.utils.tensorboard: files of events that TensorBoard reads."""

import importlib
import io
import json
import os
import socket
import struct
import time
import warnings
from datetime import datetime
from pathlib import Path

import mindspore
import numpy as np
from PIL import Image


def crc32c_table():
    """The remainders of all bytes for the checksum CRC-32C."""
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


# The remainders of all bytes
CRC32C = crc32c_table()


def masked_crc(data):
    """The checksum that records have: CRC-32C, rotated and with an offset."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC32C[(crc ^ byte) & 255]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(value):
    """An integer as protocol buffers have it."""
    value &= 2**64 - 1
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def field(number, value):
    """A field of a protocol buffer: of an integer, a float of double precision, or of bytes."""
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def single_field(number, value):
    """A field of single precision."""
    return varint(number << 3 | 5) + struct.pack("<f", value)


def number_in(value):
    """A number, or that in a Tensor or an array."""
    return float(array_of(value).reshape(())) if hasattr(value, "shape") else float(value)


def image_bytes(values, dataformats):
    """An image as a field of an event; floats from 0 to 1, or bytes."""
    values = array_of(values)
    if dataformats == "HW":
        values = values[:, :, None]
    elif dataformats == "CHW":
        values = values.transpose((1, 2, 0))
    if values.dtype != np.uint8:
        values = (values.astype(np.float32) * 255.0).clip(0, 255).astype(np.uint8)
    values = np.repeat(values, 3, 2) if values.shape[2] == 1 else values
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(values)).save(file, format="PNG")
    height, width, channels = values.shape
    return field(1, height) + field(2, width) + field(3, channels) + field(4, file.getvalue())


def histogram_bytes(values, bins):
    """A histogram as a field of an event."""
    values = array_of(values).astype(np.float64).ravel()
    counts, limits = np.histogram(values, bins="auto" if bins == "tensorflow" else bins)
    sums = (values.min(), values.max(), values.size, values.sum(), (values**2).sum())
    head = b"".join(field(number, float(value)) for number, value in enumerate(sums, 1))
    packed = (limits[1:].astype("<f8").tobytes(), counts.astype("<f8").tobytes())
    return head + field(6, packed[0]) + field(7, packed[1])


def picture_of(figure):
    """What a figure of Matplotlib shows."""
    canvas = importlib.import_module("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3]


class SummaryWriter:
    """torch.utils.tensorboard.SummaryWriter: scalars, images, histograms and texts, for TensorBoard."""

    def __init__(
        self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""
    ):
        if not log_dir:
            moment = datetime.now().strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", f"{moment}_{socket.gethostname()}{comment}")
        self.log_dir = str(log_dir)
        Path(self.log_dir).mkdir(parents=True, exist_ok=True)
        name = (
            f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{os.getpid()}.0{filename_suffix}"
        )
        self.path = Path(self.log_dir) / name
        self.file = self.path.open("ab")
        self._write(field(3, "brain.Event:2"))

    def get_logdir(self):
        return self.log_dir

    def _write(self, content, step=None, walltime=None):
        moment = time.time() if walltime is None else walltime
        event = field(1, float(moment)) + (b"" if step is None else field(2, int(step))) + content
        length = struct.pack("<Q", len(event))
        crcs = [struct.pack("<I", masked_crc(part)) for part in (length, event)]
        if self.file.closed:
            self.file = self.path.open("ab")
        self.file.write(length + crcs[0] + event + crcs[1])

    def _add(self, tag, content, step, walltime):
        self._write(field(5, field(1, field(1, tag) + content)), step, walltime)

    def add_scalar(
        self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False
    ):
        self._add(tag, single_field(2, number_in(scalar_value)), global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        """One run for each scalar, in a folder beside."""
        for tag, value in tag_scalar_dict.items():
            folder = os.path.join(self.log_dir, f"{main_tag.replace('/', '_')}_{tag}")
            self.writers = getattr(self, "writers", {})
            if folder not in self.writers:
                self.writers[folder] = SummaryWriter(folder)
            self.writers[folder].add_scalar(main_tag, value, global_step, walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        self._add(tag, field(4, image_bytes(img_tensor, dataformats)), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        values = array_of(img_tensor)
        values = values.transpose((0, 3, 1, 2)) if dataformats == "NHWC" else values
        grid = make_grid(mindspore.Tensor(values), 8, 0)
        self.add_image(tag, grid, global_step, walltime)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        """One figure, or several as one picture; they may have been closed before."""
        figures = figure if isinstance(figure, list) else [figure]
        pictures = np.stack([picture_of(each) for each in figures])
        self.add_images(tag, pictures, global_step, walltime, "NHWC")
        for each in figures if close else ():
            importlib.import_module("matplotlib.pyplot").close(each)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        self._add(tag, field(5, histogram_bytes(values, bins)), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        metadata = field(9, field(1, field(1, "text")))
        tensor = field(8, field(1, 7) + field(2, field(2, field(1, 1))) + field(8, text_string))
        self._add(f"{tag}/text_summary", metadata + tensor, global_step, walltime)

    def add_hparams(
        self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None
    ):
        """The parameters as a text, the metrics as scalars."""
        lines = [f"| {name} | {value} |" for name, value in hparam_dict.items()]
        self.add_text("hparams", "\n".join(["| name | value |", "|---|---|", *lines]), global_step)
        for name, value in metric_dict.items():
            self.add_scalar(name, value, global_step)

    def _left_out(self, what):
        warnings.warn(f"SummaryWriter writes no {what}", stacklevel=3)

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        self._left_out("graph")

    def add_embedding(self, mat, *args, **kwargs):
        self._left_out("embedding")

    def add_pr_curve(self, tag, *args, **kwargs):
        self._left_out("curve of precision and recall")

    def add_audio(self, tag, *args, **kwargs):
        self._left_out("audio")

    def add_video(self, tag, *args, **kwargs):
        self._left_out("video")

    def flush(self):
        if not self.file.closed:
            self.file.flush()

    def close(self):
        self.file.close()
        for writer in getattr(self, "writers", {}).values():
            writer.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


class BoardWriter(SummaryWriter):
    """tensorboardX.SummaryWriter: the same with the folder called `logdir`, and a list of what was added by
    `add_scalars`."""

    def __init__(
        self,
        logdir=None,
        comment="",
        purge_step=None,
        max_queue=10,
        flush_secs=120,
        filename_suffix="",
        write_to_disk=True,
        log_dir=None,
        **others,
    ):
        self.scalar_dict = {}
        self.writes = write_to_disk
        super().__init__(logdir or log_dir, comment, filename_suffix=filename_suffix)
        self.logdir = self.log_dir

    def _write(self, content, step=None, walltime=None):
        if self.writes:
            super()._write(content, step, walltime)

    def add_scalar(
        self,
        tag,
        scalar_value,
        global_step=None,
        walltime=None,
        display_name="",
        summary_description="",
    ):
        super().add_scalar(tag, scalar_value, global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        moment = time.time() if walltime is None else walltime
        for tag, value in tag_scalar_dict.items():
            kept = self.scalar_dict.setdefault(os.path.join(self.log_dir, main_tag, tag), [])
            kept.append([moment, global_step, number_in(value)])
        if self.writes:
            super().add_scalars(main_tag, tag_scalar_dict, global_step, walltime)

    def export_scalars_to_json(self, path):
        Path(path).write_text(json.dumps(self.scalar_dict), encoding="utf-8")
        self.scalar_dict = {}
