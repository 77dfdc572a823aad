"""torchvision.transforms.functional: images of PIL and Tensors (channels, height, width).

What is done with Tensors is computed with NumPy and has no gradient, but for `normalize_image`.
"""

import enum
import math
import numbers

import mindspore
import numpy as np
from PIL import Image, ImageEnhance, ImageOps


class InterpolationMode(enum.Enum):
    """torchvision.transforms.InterpolationMode."""

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


# PIL's numbers of the modes of interpolation
PIL_INTERPOLATION = {
    "nearest": 0,
    "nearest-exact": 0,
    "lanczos": 1,
    "bilinear": 2,
    "bicubic": 3,
    "box": 4,
    "hamming": 5,
}


def interpolation_name(mode):
    """The name of a mode, which may also be PIL's number."""
    if isinstance(mode, InterpolationMode):
        return mode.value
    return next(name for name, number in PIL_INTERPOLATION.items() if number == int(mode))


def is_pil_image(img):
    """Whether it is an image of PIL."""
    return isinstance(img, Image.Image)


def pixels(img):
    """The values of a Tensor that is an image."""
    if not isinstance(img, mindspore.Tensor):
        raise TypeError(f"an image is a Tensor or one of PIL, not {type(img).__name__}")
    return img.asnumpy()


def tensor_image(values, like=None):
    """A Tensor of values; rounded, if those it is made of were integers."""
    if like is not None and values.dtype != like.dtype:
        values = np.rint(values).astype(like.dtype) if like.dtype.kind in "iu" else values.astype(like.dtype)
    return mindspore.Tensor(np.ascontiguousarray(values))


def get_dimensions(img):
    """torchvision.transforms.functional.get_dimensions: channels, height, width."""
    if is_pil_image(img):
        return [len(img.getbands()), img.height, img.width]
    shape = img.shape
    return [1 if len(shape) == 2 else shape[-3], shape[-2], shape[-1]]


def get_image_size(img):
    """torchvision.transforms.functional.get_image_size: width, height."""
    return get_dimensions(img)[:0:-1]


def get_image_num_channels(img):
    """torchvision.transforms.functional.get_image_num_channels."""
    return get_dimensions(img)[0]


def image_array(pic):
    """The values of an image of PIL, channels first."""
    kinds = {"I": np.int32, "I;16": np.uint16, "F": np.float32}
    values = np.array(pic, kinds.get(pic.mode))
    values = values.reshape((pic.height, pic.width, -1))
    return np.ascontiguousarray(values.transpose((2, 0, 1)))


def to_tensor(pic):
    """torchvision.transforms.functional.to_tensor."""
    if isinstance(pic, np.ndarray):
        if pic.ndim not in (2, 3):
            raise ValueError(f"an image has 2 or 3 axes, not {pic.ndim}")
        values = pic[:, :, None] if pic.ndim == 2 else pic
        values = np.ascontiguousarray(values.transpose((2, 0, 1)))
    elif is_pil_image(pic):
        values = image_array(pic.convert("L") if pic.mode == "1" else pic)
    else:
        raise TypeError(f"an image is one of PIL or an array, not {type(pic).__name__}")
    return mindspore.Tensor(
        values.astype(np.float32) / np.float32(255) if values.dtype == np.uint8 else values
    )


def pil_to_tensor(pic):
    """torchvision.transforms.functional.pil_to_tensor."""
    if not is_pil_image(pic):
        raise TypeError(f"an image of PIL is needed, not {type(pic).__name__}")
    return mindspore.Tensor(image_array(pic))


def to_image(inpt):
    """torchvision.transforms.v2.functional.to_image: a Tensor."""
    if is_pil_image(inpt):
        return pil_to_tensor(inpt)
    if isinstance(inpt, np.ndarray):
        values = inpt[:, :, None] if inpt.ndim == 2 else inpt
        return mindspore.Tensor(np.ascontiguousarray(np.moveaxis(values, -1, -3)))
    return inpt


def to_pil_image(pic, mode=None):
    """torchvision.transforms.functional.to_pil_image."""
    if not isinstance(pic, (mindspore.Tensor, np.ndarray)):
        raise TypeError(f"an image is a Tensor or an array, not {type(pic).__name__}")
    values = pic
    if isinstance(pic, mindspore.Tensor):
        values = pic.asnumpy()
        if values.ndim not in (2, 3):
            raise ValueError(f"an image has 2 or 3 axes, not {values.ndim}")
        values = values[None] if values.ndim == 2 else values
        if values.dtype.kind == "f" and mode != "F":
            values = (values * values.dtype.type(255)).astype(np.uint8)
        values = values.transpose((1, 2, 0))
    values = values[:, :, None] if values.ndim == 2 else values
    channels = values.shape[2]
    if channels > 4:
        raise ValueError(f"an image has at most 4 channels, not {channels}")
    kinds = {"uint8": "L", "int16": "I;16", "uint16": "I;16", "int32": "I", "float32": "F"}
    expected = {1: kinds.get(values.dtype.name), 2: "LA", 3: "RGB", 4: "RGBA"}[channels]
    allowed = {1: (expected,), 2: ("LA",), 3: ("RGB", "YCbCr", "HSV"), 4: ("RGBA", "CMYK", "RGBX")}[channels]
    if expected is None or (mode is not None and mode not in allowed):
        raise ValueError(f"no image of mode {mode} is made of {channels} channels of {values.dtype}")
    values = np.ascontiguousarray(values[:, :, 0] if channels == 1 else values)
    if expected == "I;16":
        return Image.frombytes("I;16", values.shape[::-1], values.tobytes())
    if mode in (None, expected):
        return Image.fromarray(values)
    return Image.frombytes(mode, values.shape[1::-1], values.tobytes())


def largest_value(kind):
    """The value of full brightness in an image of this NumPy dtype."""
    return 1.0 if kind.kind == "f" else 1 if kind.kind == "b" else int(np.iinfo(kind).max)


def convert_image_dtype(image, dtype=mindspore.float32):
    """torchvision.transforms.functional.convert_image_dtype: the range of values is that of the dtype."""
    values, kind = pixels(image), np.dtype(numpy_type(dtype))
    if values.dtype == kind:
        return image
    before, after = largest_value(values.dtype), largest_value(kind)
    if values.dtype.kind == "f":
        if kind.kind == "f":
            return tensor_image(values.astype(kind))
        return tensor_image((values * values.dtype.type(after + 1.0 - 1e-3)).astype(kind))
    if kind.kind == "f":
        return tensor_image(values.astype(kind) / kind.type(before))
    if before > after:
        return tensor_image((values // ((before + 1) // (after + 1))).astype(kind))
    return tensor_image(values.astype(kind) * kind.type((after + 1) // (before + 1)))


def to_dtype(inpt, dtype=mindspore.float32, scale=False):
    """torchvision.transforms.v2.functional.to_dtype."""
    return convert_image_dtype(inpt, dtype) if scale else inpt.astype(dtype)


def normalize_image(tensor, mean, std, inplace=False):
    """torchvision.transforms.functional.normalize."""
    if not isinstance(tensor, mindspore.Tensor) or not tensor.is_floating_point():
        raise TypeError("an image to normalize is a Tensor of floating point numbers")
    if tensor.ndim < 3:
        raise ValueError(f"an image to normalize has 3 axes at least, not {tensor.ndim}")
    kind = numpy_type(tensor.dtype)
    mean, std = (
        np.asarray(value.asnumpy() if isinstance(value, mindspore.Tensor) else value, kind).reshape(
            (-1, 1, 1)
        )
        for value in (mean, std)
    )
    if (std == 0).any():
        raise ValueError("std is 0")
    if tensor.ndim == 3 and not tensor._requires_grad and getattr(tensor, "_grad_node", None) is None:
        made = mindspore.Tensor((tensor.asnumpy() - mean) / std)
    else:
        made = (tensor - mindspore.Tensor(mean)) / mindspore.Tensor(std)
    return write_(tensor, made) if inplace else made


def resized_sizes(height, width, size, max_size=None):
    """The height and width that an image gets."""
    if isinstance(size, numbers.Integral):
        size = [size]
    if len(size) == 2:
        return int(size[0]), int(size[1])
    short, long = min(height, width), max(height, width)
    new_short, new_long = int(size[0]), int(int(size[0]) * long / short)
    if max_size is not None:
        if max_size <= new_short:
            raise ValueError(f"max_size {max_size} is not above size {size[0]}")
        if new_long > max_size:
            new_short, new_long = int(max_size * new_short / new_long), max_size
    return (new_long, new_short) if width <= height else (new_short, new_long)


def cubic_weight(distance, a):
    """The share of a pixel at a distance, in cubic interpolation."""
    x = np.abs(distance)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1, near, np.where(x < 2, far, 0.0))


def resampling(before, after, mode, antialias):
    """The shares of the `before` values of an axis in the `after` ones: a matrix."""
    scale = before / after
    if mode in ("nearest", "nearest-exact"):
        offset = 0.5 if mode == "nearest-exact" else 0.0
        return np.eye(before)[np.minimum(((np.arange(after) + offset) * scale).astype(int), before - 1)]
    stretch = max(scale, 1.0) if antialias else 1.0
    centers = (np.arange(after) + 0.5) * scale - 0.5
    if not antialias:
        reach = 1 if mode == "bilinear" else 2
        shares = np.zeros((after, before))
        position = np.maximum(centers, 0) if mode == "bilinear" else centers
        first = np.floor(position).astype(int)
        for step in range(1 - reach, reach + 1):
            distance = first + step - position
            weight = (
                np.maximum(1 - np.abs(distance), 0) if mode == "bilinear" else cubic_weight(distance, -0.75)
            )
            np.add.at(shares, (np.arange(after), np.clip(first + step, 0, before - 1)), weight)
        return shares
    distance = (np.arange(before)[None, :] - centers[:, None]) / stretch
    if mode == "bilinear":
        shares = np.maximum(1 - np.abs(distance), 0)
    elif mode == "bicubic":
        shares = cubic_weight(distance, -0.5)
    else:
        raise ValueError(f"a Tensor cannot be resized with {mode}")
    return shares / shares.sum(1, keepdims=True)


def resize_image(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    """torchvision.transforms.functional.resize."""
    _, height, width = get_dimensions(img)
    new_height, new_width = resized_sizes(height, width, size, max_size)
    if (height, width) == (new_height, new_width):
        return img
    mode = interpolation_name(interpolation)
    if is_pil_image(img):
        return img.resize((new_width, new_height), PIL_INTERPOLATION[mode])
    values = pixels(img)
    rows = resampling(height, new_height, mode, antialias)
    columns = resampling(width, new_width, mode, antialias)
    made = np.matmul(rows, np.matmul(values.astype(np.float64), columns.T))
    if mode == "bicubic" and values.dtype.kind in "iu":
        made = made.clip(0, largest_value(values.dtype))
    return tensor_image(made, values)


def crop_image(img, top, left, height, width):
    """torchvision.transforms.functional.crop: zeros outside of the image."""
    if is_pil_image(img):
        return img.crop((left, top, left + width, top + height))
    values = pixels(img)
    rows, columns = values.shape[-2:]
    if top < 0 or left < 0 or top + height > rows or left + width > columns:
        made = np.zeros((*values.shape[:-2], height, width), values.dtype)
        inner = values[..., max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)]
        down, right = max(-top, 0), max(-left, 0)
        made[..., down : down + inner.shape[-2], right : right + inner.shape[-1]] = inner
        return tensor_image(made)
    return tensor_image(values[..., top : top + height, left : left + width])


def pair_of_sizes(size):
    """One size or two as height and width."""
    if isinstance(size, numbers.Number):
        return int(size), int(size)
    return (size[0], size[0]) if len(size) == 1 else (size[0], size[1])


def center_crop(img, output_size):
    """torchvision.transforms.functional.center_crop."""
    height, width = pair_of_sizes(output_size)
    _, rows, columns = get_dimensions(img)
    if width > columns or height > rows:
        missing_x, missing_y = max(width - columns, 0), max(height - rows, 0)
        img = pad_image(img, [missing_x // 2, missing_y // 2, (missing_x + 1) // 2, (missing_y + 1) // 2])
        _, rows, columns = get_dimensions(img)
        if (width, height) == (columns, rows):
            return img
    top, left = round((rows - height) / 2.0), round((columns - width) / 2.0)
    return crop_image(img, top, left, height, width)


def resized_crop(
    img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True
):
    """torchvision.transforms.functional.resized_crop."""
    return resize_image(crop_image(img, top, left, height, width), size, interpolation, antialias=antialias)


def four_edges(padding):
    """A padding as left, top, right, bottom."""
    if isinstance(padding, numbers.Number):
        return (padding,) * 4
    if len(padding) == 1:
        return (padding[0],) * 4
    return (*padding, *padding) if len(padding) == 2 else tuple(padding)


def pad_image(img, padding, fill=0, padding_mode="constant"):
    """torchvision.transforms.functional.pad."""
    left, top, right, bottom = four_edges(padding)
    modes = {"constant": "constant", "edge": "edge", "reflect": "reflect", "symmetric": "symmetric"}
    if padding_mode not in modes:
        raise ValueError(f"padding_mode is none of {sorted(modes)}: {padding_mode}")
    if not is_pil_image(img):
        values = pixels(img)
        edges = [(0, 0)] * (values.ndim - 2) + [(top, bottom), (left, right)]
        return tensor_image(padded_values(values, edges, fill, padding_mode))
    if padding_mode == "constant":
        fill = fill[0] if isinstance(fill, (list, tuple)) and len(fill) == 1 else fill
        if isinstance(fill, (list, tuple)):
            fill = tuple(int(value) for value in fill)
        elif len(img.getbands()) > 1:
            fill = (int(fill),) * len(img.getbands())
        return ImageOps.expand(img, border=(left, top, right, bottom), fill=fill)
    palette = img.getpalette() if img.mode == "P" else None
    values = np.asarray(img)
    edges = [(top, bottom), (left, right)] + [(0, 0)] * (values.ndim - 2)
    made = Image.fromarray(padded_values(values, edges, 0, padding_mode))
    if palette is not None:
        made.putpalette(palette)
    return made


def padded_values(values, edges, fill, mode):
    """An array with more, or where an edge is negative less, at its edges."""
    cut = tuple(slice(max(-low, 0), size - max(-high, 0)) for (low, high), size in zip(edges, values.shape))
    edges = [(max(low, 0), max(high, 0)) for low, high in edges]
    if mode != "constant":
        return np.pad(values[cut], edges, mode=mode)
    fill = fill[0] if isinstance(fill, (list, tuple)) else fill
    return np.pad(values[cut], edges, constant_values=fill)


def hflip(img):
    """torchvision.transforms.functional.hflip."""
    if is_pil_image(img):
        return img.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return tensor_image(pixels(img)[..., ::-1])


def vflip(img):
    """torchvision.transforms.functional.vflip."""
    if is_pil_image(img):
        return img.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    return tensor_image(pixels(img)[..., ::-1, :])


def five_crop(img, size):
    """torchvision.transforms.functional.five_crop: the corners and the center."""
    height, width = pair_of_sizes(size)
    _, rows, columns = get_dimensions(img)
    if width > columns or height > rows:
        raise ValueError(f"crops of {(height, width)} do not fit an image of {(rows, columns)}")
    corners = [(0, 0), (0, columns - width), (rows - height, 0), (rows - height, columns - width)]
    crops = [crop_image(img, top, left, height, width) for top, left in corners]
    return (*crops, center_crop(img, [height, width]))


def ten_crop(img, size, vertical_flip=False):
    """torchvision.transforms.functional.ten_crop."""
    return five_crop(img, size) + five_crop(vflip(img) if vertical_flip else hflip(img), size)


def erase_image(img, i, j, h, w, v, inplace=False):
    """torchvision.transforms.functional.erase."""
    values = pixels(img).copy()
    values[..., i : i + h, j : j + w] = v.asnumpy() if isinstance(v, mindspore.Tensor) else v
    return write_(img, tensor_image(values)) if inplace else tensor_image(values)


def blended(first, second, share):
    """A mix of two images, within the range of the dtype of the first one."""
    mixed = share * first.astype(np.float32) + (1.0 - share) * second.astype(np.float32)
    mixed = mixed.clip(0, largest_value(first.dtype)).astype(first.dtype)
    return tensor_image(mixed)


def gray_values(values):
    """The brightness of an image of three channels."""
    red, green, blue = (values[..., channel, :, :].astype(np.float32) for channel in range(3))
    gray = np.float32(0.2989) * red + np.float32(0.587) * green + np.float32(0.114) * blue
    return gray.astype(values.dtype)[..., None, :, :]


def rgb_to_grayscale(img, num_output_channels=1):
    """torchvision.transforms.functional.rgb_to_grayscale."""
    if is_pil_image(img):
        return to_grayscale(img, num_output_channels)
    values = pixels(img)
    gray = gray_values(values) if values.shape[-3] == 3 else values
    return tensor_image(np.repeat(gray, num_output_channels, -3) if num_output_channels == 3 else gray)


def to_grayscale(img, num_output_channels=1):
    """torchvision.transforms.functional.to_grayscale."""
    if num_output_channels not in (1, 3):
        raise ValueError(f"num_output_channels is 1 or 3, not {num_output_channels}")
    if not is_pil_image(img):
        raise TypeError(f"an image of PIL is needed, not {type(img).__name__}")
    gray = img.convert("L")
    return gray if num_output_channels == 1 else Image.merge("RGB", (gray, gray, gray))


def not_negative(factor, name):
    """Raises ValueError for a negative factor."""
    if factor < 0:
        raise ValueError(f"{name} is negative: {factor}")


def adjust_brightness(img, brightness_factor):
    """torchvision.transforms.functional.adjust_brightness."""
    if is_pil_image(img):
        return ImageEnhance.Brightness(img).enhance(brightness_factor)
    not_negative(brightness_factor, "brightness_factor")
    values = pixels(img)
    return blended(values, np.zeros_like(values), brightness_factor)


def adjust_contrast(img, contrast_factor):
    """torchvision.transforms.functional.adjust_contrast."""
    if is_pil_image(img):
        return ImageEnhance.Contrast(img).enhance(contrast_factor)
    not_negative(contrast_factor, "contrast_factor")
    values = pixels(img)
    gray = gray_values(values) if values.shape[-3] == 3 else values
    return blended(values, gray.astype(np.float32).mean((-3, -2, -1), keepdims=True), contrast_factor)


def adjust_saturation(img, saturation_factor):
    """torchvision.transforms.functional.adjust_saturation."""
    if is_pil_image(img):
        return ImageEnhance.Color(img).enhance(saturation_factor)
    not_negative(saturation_factor, "saturation_factor")
    values = pixels(img)
    return img if values.shape[-3] == 1 else blended(values, gray_values(values), saturation_factor)


def hue_saturation_value(values):
    """Red, green and blue from 0 to 1 as hue, saturation and value; the first axis are these."""
    red, green, blue = values
    top, bottom = values.max(0), values.min(0)
    span = top - bottom
    is_gray = span == 0
    divisor = np.where(is_gray, np.float32(1), span)
    from_red, from_green, from_blue = ((top - part) / divisor for part in (red, green, blue))
    hue = np.where(
        top == red,
        from_blue - from_green,
        np.where(top == green, 2.0 + from_red - from_blue, 4.0 + from_green - from_red),
    )
    saturation = span / np.where(is_gray, np.float32(1), top)
    return np.where(is_gray, 0.0, (hue / 6.0 + 1.0) % 1.0), saturation, top


def red_green_blue(hue, saturation, value):
    """The inverse of hue_saturation_value."""
    sector = np.floor(hue * 6.0)
    rest = hue * 6.0 - sector
    low = (value * (1.0 - saturation)).clip(0, 1)
    falling = (value * (1.0 - saturation * rest)).clip(0, 1)
    rising = (value * (1.0 - saturation * (1.0 - rest))).clip(0, 1)
    place = sector.astype(int) % 6
    red = np.choose(place, (value, falling, low, low, rising, value))
    green = np.choose(place, (rising, value, value, falling, low, low))
    blue = np.choose(place, (low, low, rising, value, value, falling))
    return np.stack([red, green, blue])


def adjust_hue(img, hue_factor):
    """torchvision.transforms.functional.adjust_hue."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor is not between -0.5 and 0.5: {hue_factor}")
    if is_pil_image(img):
        if img.mode in ("L", "1", "I", "F"):
            return img
        hue, saturation, value = img.convert("HSV").split()
        shifted = (np.array(hue, np.int32) + int(hue_factor * 255)) % 256
        hue = Image.fromarray(shifted.astype(np.uint8))
        return Image.merge("HSV", (hue, saturation, value)).convert(img.mode)
    values = pixels(img)
    if values.shape[-3] == 1:
        return img
    largest = np.float32(largest_value(values.dtype))
    parts = np.moveaxis(values, -3, 0).astype(np.float32) / (1 if values.dtype.kind == "f" else largest)
    hue, saturation, value = hue_saturation_value(parts)
    made = np.moveaxis(red_green_blue((hue + hue_factor) % 1.0, saturation, value), 0, -3)
    if values.dtype.kind == "f":
        return tensor_image(made.astype(values.dtype))
    return tensor_image((made * (largest + 1.0 - 1e-3)).astype(values.dtype))


def adjust_gamma(img, gamma, gain=1):
    """torchvision.transforms.functional.adjust_gamma."""
    not_negative(gamma, "gamma")
    if is_pil_image(img):
        mode = img.mode
        table = [int((255 + 1 - 1e-3) * gain * pow(value / 255.0, gamma)) for value in range(256)]
        img = img.convert("RGB")
        return img.point(table * 3).convert(mode)
    values = pixels(img)
    if values.dtype.kind == "f":
        return tensor_image((gain * values**gamma).clip(0, 1).astype(values.dtype))
    scaled = (gain * (values.astype(np.float32) / 255) ** np.float32(gamma)).clip(0, 1)
    return tensor_image((scaled * np.float32(255 + 1.0 - 1e-3)).astype(values.dtype))


def adjust_sharpness(img, sharpness_factor):
    """torchvision.transforms.functional.adjust_sharpness."""
    if is_pil_image(img):
        return ImageEnhance.Sharpness(img).enhance(sharpness_factor)
    not_negative(sharpness_factor, "sharpness_factor")
    values = pixels(img)
    if min(values.shape[-2:]) <= 2:
        return img
    kernel = np.ones((3, 3), np.float32)
    kernel[1, 1] = 5
    kernel /= kernel.sum()
    whole = values.astype(np.float32)
    blurred = sum(
        kernel[row, column] * whole[..., row : row - 2 or None, column : column - 2 or None]
        for row in range(3)
        for column in range(3)
    )
    soft = values.copy()
    soft[..., 1:-1, 1:-1] = np.rint(blurred) if values.dtype.kind in "iu" else blurred
    return blended(values, soft, sharpness_factor)


def invert_image(img):
    """torchvision.transforms.functional.invert."""
    if is_pil_image(img):
        return ImageOps.invert(img)
    values = pixels(img)
    return tensor_image((largest_value(values.dtype) - values).astype(values.dtype))


def posterize(img, bits):
    """torchvision.transforms.functional.posterize."""
    if is_pil_image(img):
        return ImageOps.posterize(img, bits)
    values = pixels(img)
    if values.dtype != np.uint8:
        raise TypeError(f"an image to posterize is of uint8, not {values.dtype}")
    return tensor_image(values & np.uint8(256 - 2 ** (8 - bits)))


def solarize(img, threshold):
    """torchvision.transforms.functional.solarize."""
    if is_pil_image(img):
        return ImageOps.solarize(img, threshold)
    values = pixels(img)
    return tensor_image(np.where(values >= threshold, pixels(invert_image(img)), values))


def autocontrast(img):
    """torchvision.transforms.functional.autocontrast."""
    if is_pil_image(img):
        return ImageOps.autocontrast(img)
    values = pixels(img)
    most = largest_value(values.dtype)
    real = values.astype(np.float32)
    low, high = real.min((-2, -1), keepdims=True), real.max((-2, -1), keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = most / (high - low)
    flat = ~np.isfinite(scale)
    low, scale = np.where(flat, 0, low), np.where(flat, 1, scale)
    return tensor_image(((real - low) * scale).clip(0, most).astype(values.dtype))


def equalize(img):
    """torchvision.transforms.functional.equalize."""
    if is_pil_image(img):
        return ImageOps.equalize(img)
    values = pixels(img)
    if values.dtype != np.uint8:
        raise TypeError(f"an image to equalize is of uint8, not {values.dtype}")
    made = np.empty_like(values)
    for place in np.ndindex(values.shape[:-2]):
        counts = np.bincount(values[place].ravel(), minlength=256)
        step = (counts.sum() - counts[counts.nonzero()[0][-1]]) // 255
        table = np.arange(256)
        if step:
            table = np.concatenate([[0], (counts.cumsum() + step // 2) // step])[:256].clip(0, 255)
        made[place] = table.astype(np.uint8)[values[place]]
    return tensor_image(made)


def gaussian_shares(size, sigma):
    """The shares of a Gaussian kernel along one axis."""
    half = (size - 1) * 0.5
    places = np.exp(-0.5 * (np.linspace(-half, half, size) / sigma) ** 2)
    return (places / places.sum()).astype(np.float32)


def gaussian_blur(img, kernel_size, sigma=None):
    """torchvision.transforms.functional.gaussian_blur."""
    sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
    sizes = sizes * 2 if len(sizes) == 1 else sizes
    if any(size % 2 == 0 or size < 0 for size in sizes):
        raise ValueError(f"kernel_size is odd and positive, not {sizes}")
    if sigma is None:
        sigma = [size * 0.15 + 0.35 for size in sizes]
    sigmas = [float(sigma)] * 2 if isinstance(sigma, (int, float)) else [float(value) for value in sigma]
    sigmas = sigmas * 2 if len(sigmas) == 1 else sigmas
    if any(value <= 0 for value in sigmas):
        raise ValueError(f"sigma is positive, not {sigmas}")
    values = image_array(img) if is_pil_image(img) else pixels(img)
    made = values.astype(np.float32)
    for axis, size, width in ((-1, sizes[0], sigmas[0]), (-2, sizes[1], sigmas[1])):
        edges = [(0, 0)] * made.ndim
        edges[axis] = (size // 2, size // 2)
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(made, edges, mode="reflect"), size, axis)
        made = windows @ gaussian_shares(size, width)
    blurred = tensor_image(made, values)
    return to_pil_image(blurred, mode=img.mode) if is_pil_image(img) else blurred


def inverse_affine(center, angle, translate, scale, shear):
    """The matrix that takes places of the result of an affine map to those of the image: six numbers."""
    turn, shear_x, shear_y = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    a = math.cos(turn - shear_y) / math.cos(shear_y)
    b = -math.cos(turn - shear_y) * math.tan(shear_x) / math.cos(shear_y) - math.sin(turn)
    c = math.sin(turn - shear_y) / math.cos(shear_y)
    d = -math.sin(turn - shear_y) * math.tan(shear_x) / math.cos(shear_y) + math.cos(turn)
    matrix = [d / scale, -b / scale, 0.0, -c / scale, a / scale, 0.0]
    for row in (0, 3):
        moved = (-center[0] - translate[0], -center[1] - translate[1])
        matrix[row + 2] = matrix[row] * moved[0] + matrix[row + 1] * moved[1] + center[row // 3]
    return matrix


def fill_for(img, fill):
    """What fills places outside of an image of PIL; None for zeros."""
    if fill is None or (isinstance(fill, (int, float)) and not fill):
        return None if fill is None else 0 if len(img.getbands()) == 1 else (0,) * len(img.getbands())
    whole = img.mode not in ("F", "I")
    values = fill if isinstance(fill, (list, tuple)) else [fill] * len(img.getbands())
    values = list(values) * len(img.getbands()) if len(values) == 1 else values
    values = tuple(int(value) if whole else value for value in values)
    return values[0] if len(values) == 1 else values


def sampled(values, places_x, places_y, mode, fill):
    """The values of an image at places (in pixels, from the centers of the corners); `fill` outside."""
    height, width = values.shape[-2:]
    real = values.astype(np.float32)

    def at(row, column):
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        return real[..., row.clip(0, height - 1), column.clip(0, width - 1)] * inside, inside

    if mode == "nearest":
        parts = [(np.rint(places_y), np.rint(places_x), np.ones_like(places_x))]
    else:
        top, left = np.floor(places_y), np.floor(places_x)
        down, right = places_y - top, places_x - left
        parts = [
            (top, left, (1 - down) * (1 - right)),
            (top, left + 1, (1 - down) * right),
            (top + 1, left, down * (1 - right)),
            (top + 1, left + 1, down * right),
        ]
    made, covered = 0.0, 0.0
    for row, column, share in parts:
        found, inside = at(row.astype(int), column.astype(int))
        made, covered = made + found * share, covered + inside * share
    if fill is not None:
        colors = np.asarray(fill, np.float32).reshape((-1, 1, 1))
        if mode == "nearest":
            made = np.where(covered < 0.5, colors, made)
        else:
            made = made * covered + (1.0 - covered) * colors
    return tensor_image(np.asarray(made, np.float32), values)


def affine_sampled(values, matrix, size, mode, fill):
    """A Tensor's image through the inverse of an affine map around its center; places are computed in single
    precision, so that the nearest pixel is that of torchvision."""
    rows, columns = values.shape[-2:]
    y, x = (np.arange(count, dtype=np.float32) - np.float32(count * 0.5 - 0.5) for count in size)
    y, x = np.meshgrid(y, x, indexing="ij")
    places = []
    for numbers_3, count in ((matrix[:3], columns), (matrix[3:], rows)):
        a, b, c = np.array(numbers_3, np.float32) / np.float32(0.5 * count)
        places.append(
            ((a * x + b * y + c + np.float32(1)) * np.float32(count) - np.float32(1)) / np.float32(2)
        )
    return sampled(values, *places, mode, fill)


@with_former_names(resample="interpolation")
def rotate_image(img, angle, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=None):
    """torchvision.transforms.functional.rotate."""
    mode = interpolation_name(interpolation)
    if is_pil_image(img):
        return img.rotate(angle, PIL_INTERPOLATION[mode], expand, center, fillcolor=fill_for(img, fill))
    values = pixels(img)
    rows, columns = values.shape[-2:]
    offset = (0.0, 0.0) if center is None else (center[0] - columns * 0.5, center[1] - rows * 0.5)
    matrix = inverse_affine(offset, -angle, (0.0, 0.0), 1.0, (0.0, 0.0))
    size = rotated_size(matrix, rows, columns) if expand else (rows, columns)
    return affine_sampled(values, matrix, size, mode, fill)


def rotated_size(matrix, rows, columns):
    """The height and width that hold a rotated image."""
    corners = np.array(
        [[x, y, 1.0] for x in (-0.5 * columns, 0.5 * columns) for y in (-0.5 * rows, 0.5 * rows)]
    )
    places = corners @ np.array(matrix).reshape((2, 3)).T + np.array([columns * 0.5, rows * 0.5])
    low, high = places.min(0), places.max(0)
    low, high = np.trunc(low / 0.001) * 0.001, np.trunc(high / 0.001) * 0.001
    width, height = (np.ceil(high) - np.floor(low)).astype(int)
    return int(height), int(width)


@with_former_names(resample="interpolation", fillcolor="fill")
def affine(
    img,
    angle,
    translate,
    scale,
    shear,
    interpolation=InterpolationMode.NEAREST,
    fill=None,
    center=None,
):
    """torchvision.transforms.functional.affine."""
    if scale <= 0:
        raise ValueError(f"scale is positive, not {scale}")
    mode = interpolation_name(interpolation)
    shear = (shear, 0.0) if isinstance(shear, numbers.Number) else (*shear, 0.0)[:2]
    _, rows, columns = get_dimensions(img)
    if is_pil_image(img):
        center = (columns * 0.5, rows * 0.5) if center is None else center
        matrix = inverse_affine(center, angle, translate, scale, shear)
        kind = Image.Transform.AFFINE
        return img.transform(
            (columns, rows), kind, matrix, PIL_INTERPOLATION[mode], fillcolor=fill_for(img, fill)
        )
    offset = (0.0, 0.0) if center is None else (center[0] - columns * 0.5, center[1] - rows * 0.5)
    matrix = inverse_affine(offset, angle, translate, scale, shear)
    return affine_sampled(pixels(img), matrix, (rows, columns), mode, fill)


def perspective(img, startpoints, endpoints, interpolation=InterpolationMode.BILINEAR, fill=None):
    """torchvision.transforms.functional.perspective."""
    equations, wanted = [], []
    for (to_x, to_y), (from_x, from_y) in zip(endpoints, startpoints):
        equations.append([to_x, to_y, 1, 0, 0, 0, -from_x * to_x, -from_x * to_y])
        equations.append([0, 0, 0, to_x, to_y, 1, -from_y * to_x, -from_y * to_y])
        wanted += [from_x, from_y]
    numbers_8 = np.linalg.lstsq(np.array(equations, float), np.array(wanted, float), rcond=None)[0]
    numbers_8 = numbers_8.astype(np.float32).tolist()
    mode = interpolation_name(interpolation)
    if is_pil_image(img):
        kind = Image.Transform.PERSPECTIVE
        return img.transform(
            img.size, kind, numbers_8, PIL_INTERPOLATION[mode], fillcolor=fill_for(img, fill)
        )
    values = pixels(img)
    rows, columns = values.shape[-2:]
    y, x = np.meshgrid(np.arange(rows) + 0.5, np.arange(columns) + 0.5, indexing="ij")
    a, b, c, d, e, f, g, h = numbers_8
    below = g * x + h * y + 1
    return sampled(values, (a * x + b * y + c) / below - 0.5, (d * x + e * y + f) / below - 0.5, mode, fill)
