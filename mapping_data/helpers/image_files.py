"""Images as files: torchvision.utils and torchvision.io."""

import enum
import math

import mindspore
import numpy as np
from PIL import Image, ImageOps


@with_former_names(range="value_range")
def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """torchvision.utils.make_grid: images beside and below each other, without a gradient."""
    if isinstance(tensor, (list, tuple)):
        values = np.stack([pixels(image) for image in tensor])
    else:
        values = pixels(tensor)
    values = values.reshape((1,) * (4 - values.ndim) + values.shape)
    if values.shape[1] == 1:
        values = np.repeat(values, 3, 1)
    if normalize:
        images = values if scale_each else values[None]
        spans = [value_range or (float(image.min()), float(image.max())) for image in images]
        made = [
            (image.clip(low, high) - low) / max(high - low, 1e-5) for image, (low, high) in zip(images, spans)
        ]
        values = np.stack(made).reshape(values.shape).astype(values.dtype)
    if len(values) == 1:
        return mindspore.Tensor(np.ascontiguousarray(values[0]))
    count, channels, rows, columns = values.shape
    across = min(nrow, count)
    down = math.ceil(count / across)
    height, width = rows + padding, columns + padding
    grid = np.full((channels, height * down + padding, width * across + padding), pad_value, values.dtype)
    for number, image in enumerate(values):
        top, left = number // across * height + padding, number % across * width + padding
        grid[:, top : top + rows, left : left + columns] = image
    return mindspore.Tensor(grid)


def save_image(tensor, fp, format=None, **kwargs):
    """torchvision.utils.save_image."""
    grid = make_grid(tensor, **kwargs).asnumpy()
    values = (grid * grid.dtype.type(255) + grid.dtype.type(0.5)).clip(0, 255).astype(np.uint8)
    Image.fromarray(np.ascontiguousarray(values.transpose((1, 2, 0)))).save(fp, format=format)


# The modes of PIL by the names that torchvision.io.ImageReadMode has
READ_MODES = {"GRAY": "L", "GRAY_ALPHA": "LA", "RGB": "RGB", "RGB_ALPHA": "RGBA"}


def read_image(path, mode="UNCHANGED", apply_exif_orientation=False):
    """torchvision.io.read_image, through PIL."""
    name = getattr(mode, "name", mode)
    with Image.open(path) as opened:
        image = ImageOps.exif_transpose(opened) if apply_exif_orientation else opened
        if name in READ_MODES:
            image = image.convert(READ_MODES[name])
        elif image.mode == "P":
            image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        return mindspore.Tensor(image_array(image))


class ImageReadMode(enum.Enum):
    """torchvision.io.ImageReadMode."""

    UNCHANGED = 0
    GRAY = 1
    GRAY_ALPHA = 2
    RGB = 3
    RGB_ALPHA = 4


def write_png(input, filename, compression_level=6):
    """torchvision.io.write_png, through PIL."""
    to_pil_image(input).save(filename, format="PNG", compress_level=compression_level)


def write_jpeg(input, filename, quality=75):
    """torchvision.io.write_jpeg, through PIL."""
    to_pil_image(input).save(filename, format="JPEG", quality=quality)
